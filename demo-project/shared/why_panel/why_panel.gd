class_name WhyPanel
extends CanvasLayer
## Answers on the screen: why did it do that, and why not something else?
##
## It shows the last decision of an [ActionEvaluator]: each candidate with its score, the factors that made it, or the
## reason why it was refused. All of it comes from [method ActionEvaluator.get_last_decision]. While an action that was chosen
## goes on, the decision that chose it stays. The factors are recorded only while the panel is open, so it costs nothing
## while it is closed.
## F2 opens and closes it, Tab goes on to the next agent.

const MOST_ROWS := 10
const REFRESH := 0.1  # seconds; nobody reads faster
const SOURCES: PackedStringArray = [
	"no set", "own set", "set of the config", "set of the role", "set of the weapon", "runtime override",
]

## Whose decisions can be shown.
@export var brains: Array[ActionEvaluator] = []
@export var is_open: bool = true

@onready var _who: Label = %Who
@onready var _set: Label = %Set
@onready var _headline: Label = %Headline
@onready var _candidates: VBoxContainer = %Candidates
@onready var _more: Label = %More
@onready var _keys: Label = %Keys

var _shown: int = 0
var _rows: Array[WhyRow] = []
var _wait: float = 0.0


func _ready() -> void:
	var row_scene := load("res://shared/why_panel/why_row.tscn") as PackedScene
	for i: int in MOST_ROWS:
		var row: WhyRow = row_scene.instantiate()
		_candidates.add_child(row)
		_rows.append(row)
	_open(is_open)


func _process(delta: float) -> void:
	if Input.is_action_just_pressed(&"why"):
		_open(not is_open)
	if not is_open:
		return
	if Input.is_action_just_pressed(&"next_agent"):
		show_agent(_shown + 1)
	_wait -= delta
	if _wait <= 0.0:
		_wait = REFRESH
		_refresh()


## Shows another one of [member brains]; the number may be beyond the last, it starts again at the first.
func show_agent(number: int) -> void:
	_record(false)
	_shown = posmod(number, maxi(brains.size(), 1))
	_record(is_open)
	_wait = 0.0


func _open(open: bool) -> void:
	is_open = open
	visible = open
	_record(open)
	_wait = 0.0


func _record(on: bool) -> void:
	var brain := _brain()
	if brain != null:
		brain.record_decisions = on


func _brain() -> ActionEvaluator:
	return brains[_shown] if _shown < brains.size() and is_instance_valid(brains[_shown]) else null


func _refresh() -> void:
	var brain := _brain()
	if brain == null:
		_who.text = "nobody"
		return
	var decision := _choice(brain)
	_who.text = "%s: %s" % [brain.get_parent().name, _what_it_does(brain)]
	_set.text = _set_of(brain)
	_headline.text = _told(decision)
	_keys.text = "F2  close" if brains.size() < 2 else "F2  close     Tab  next of %d" % brains.size()
	_show_candidates(decision.get_candidates())


## The last decision, or the one that chose what goes on since.
func _choice(brain: ActionEvaluator) -> ActionDecision:
	var last := brain.get_last_decision()
	if last.outcome != ActionDecision.DECISION_KEPT:
		return last
	var history := brain.get_history()
	history.reverse()
	for earlier: ActionDecision in history:
		if earlier.outcome == ActionDecision.DECISION_FALLBACK:
			return last  # what could take its place is looked for all the time
		if earlier.outcome != ActionDecision.DECISION_KEPT:
			return earlier if earlier.action_id == last.action_id else last
	return last


func _show_candidates(candidates: Array[Dictionary]) -> void:
	var best := 0.0
	var targets: Dictionary[NodePath, bool] = {}
	for candidate: Dictionary in candidates:
		best = maxf(best, maxf(candidate["score"], candidate.get("hold", 0.0)))
		if not (candidate["target"] as NodePath).is_empty():
			targets[candidate["target"]] = true
	for i: int in MOST_ROWS:
		_rows[i].visible = i < candidates.size()
		if i < candidates.size():
			_rows[i].tell(candidates[i], best, targets.size() > 1)
	_more.text = "and %d more" % (candidates.size() - MOST_ROWS)
	_more.visible = candidates.size() > MOST_ROWS


func _what_it_does(brain: ActionEvaluator) -> String:
	if brain.is_executing():
		return "%s  %.1f s" % [brain.get_running_action(), brain.get_running_time()]
	if brain.is_action_recovering():
		return "recovers  %.1f s" % brain.get_recovery_remaining()
	return "waits" if brain.is_started() else "is out"


func _set_of(brain: ActionEvaluator) -> String:
	var text := SOURCES[brain.get_action_set_source()]
	var actions := brain.get_active_action_set()
	if actions != null and actions.resource_path:
		text += "  %s" % actions.resource_path.get_file()
	if brain.role:
		text = "%s  ·  %s" % [brain.role, text]
	return text


func _told(decision: ActionDecision) -> String:
	var what := "nothing was valid"
	match decision.outcome:
		ActionDecision.DECISION_STARTED:
			what = "started %s" % decision.action_id
			if decision.origin == ActionDecision.ORIGIN_FORCED:
				what = "%s was forced by a script" % decision.action_id
		ActionDecision.DECISION_KEPT:
			what = "goes on with %s" % decision.action_id
		ActionDecision.DECISION_SWITCHED:
			what = "switched to %s" % decision.action_id
		ActionDecision.DECISION_RETARGETED, ActionDecision.DECISION_RESTARTED:
			what = "turned to another target with %s" % decision.action_id
		ActionDecision.DECISION_FALLBACK:
			what = "nothing was valid: falls back on %s" % decision.action_id
		ActionDecision.DECISION_START_REFUSED:
			what = "%s did not start" % decision.action_id
	return "at %.1f s  %s" % [decision.time, what]
