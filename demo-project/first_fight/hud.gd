class_name Hud
extends CanvasLayer
## The text on the screen: what the guard senses, what it decided last, and the latest lines.

const LINES := 7

@export var guard: Guard
@export var intruder: Intruder
@export var fight_log: FightLog
@export var why: WhyPanel

@onready var _state: Label = %State
@onready var _senses: Label = %Senses
@onready var _action: Label = %Action
@onready var _decision: Label = %Decision
@onready var _log: Label = %Log
@onready var _keys: Label = %Keys

var _lines: PackedStringArray = []


func _ready() -> void:
	fight_log.line_added.connect(_on_line_added)
	_log.text = ""
	(%GuardBar as HealthBar).fighter = guard
	(%IntruderBar as HealthBar).fighter = intruder


func _process(_delta: float) -> void:
	_show_senses(guard.perception)
	(%DecisionPanel as Control).visible = not why.is_open
	_show_decision(guard.brain)


func _show_senses(perception: Perception3D) -> void:
	var target: Node3D = perception.get_closest_perceived_target()
	if target == null:
		_state.text = "nobody"
		_state.modulate = VisionCone.CALM
		_senses.text = "All quiet."
		return
	var senses := perception.get_senses(target)
	var place: Vector3 = perception.get_last_known_location_or(target, Vector3.ZERO)
	if perception.get_target_state(target) == PerceptionEvent.TARGET_SENSED:
		_state.text = "%s: %s" % [target.name, _names_of(senses)]
		_state.modulate = VisionCone.SEEING.lightened(0.25)
	else:
		_state.text = "%s: remembered" % target.name
		_state.modulate = VisionCone.SEARCHING
	_senses.text = "last sensed  %.1f s ago\nlast known   (%.1f, %.1f)\nforgets after %.1f s" % [
			perception.get_time_since_sensed(target), place.x, place.z, perception.forget_time]


func _show_decision(brain: ActionEvaluator) -> void:
	if brain.is_executing():
		_action.text = "%s  %.1f s" % [brain.get_running_action(), brain.get_running_time()]
	else:
		_action.text = "waiting"
	# A short form of get_last_decision().to_text(): one row per action.
	var rows: PackedStringArray = []
	for candidate: Dictionary in brain.get_last_decision().get_candidates():
		rows.append("%s\t%s" % [candidate["action_id"], _verdict(candidate)])
	_decision.text = "\n".join(rows)


func _verdict(candidate: Dictionary) -> String:
	if candidate["won"]:
		return "%.2f  chosen" % candidate["score"]
	match candidate["refusal"]:
		ActionDecision.REFUSAL_ZERO_SCORE:
			return "out of range"
		ActionDecision.REFUSAL_GATE:
			return "needs: " + candidate["detail"]
		ActionDecision.REFUSAL_OUTSCORED:
			return "%.2f" % candidate["score"]
	return candidate["detail"] if candidate["detail"] else "%.2f" % candidate["score"]


func _names_of(senses: int) -> String:
	var names: PackedStringArray = []
	if senses & PerceptionEvent.SENSE_SIGHT:
		names.append("seen")
	if senses & PerceptionEvent.SENSE_HEARING:
		names.append("heard")
	if senses & PerceptionEvent.SENSE_DAMAGE:
		names.append("felt")
	return ", ".join(names)


func _on_line_added(line: String) -> void:
	_lines.append(line)
	if _lines.size() > LINES:
		_lines = _lines.slice(_lines.size() - LINES)
	_log.text = "\n".join(_lines)
