class_name FightLog
extends Node
## Turns what happens into readable lines, prints them and hands them to the screen.
## Every line about the guard comes from a signal of a Riposte node.
##
## With the user argument `--headless-fight` it also ends the game when the story is over:
##   godot --headless --fixed-fps 60 --path demo-project -- --headless-fight
## The exit code is 0 when all of the story has happened.

signal line_added(line: String)

const ARGUMENT := "--headless-fight"
const LONGEST := 60.0  # seconds; a story that takes longer has gone wrong
const ENDINGS: Array[String] = ["completed", "interrupted", "cancelled", "timed out", "failed"]
const LOSSES: Array[String] = ["", "forgotten", "gone", "displaced", "dismissed"]

@export var guard: Guard
@export var intruder: Intruder

var time: float = 0.0

var _story_over: bool = false
var _seen_so_far: Dictionary[String, bool] = {
	"perceived": false, "Jab": false, "Heavy": false, "Throw": false, "heard": false, "forgotten": false,
}


static func is_requested() -> bool:
	return ARGUMENT in OS.get_cmdline_user_args()


func _ready() -> void:
	_listen_to_senses(guard.perception)
	_listen_to_actions(guard.brain)
	guard.vitals.vital_changed.connect(_on_vital_changed.bind("guard"))
	intruder.vitals.vital_changed.connect(_on_vital_changed.bind("intruder"))
	intruder.did.connect(func(what: String) -> void: add("intruder " + what))
	intruder.story_ended.connect(func() -> void: _story_over = true)


func _physics_process(delta: float) -> void:
	time += delta
	if is_requested() and (time > LONGEST or (_story_over and guard.is_at_post())):
		_finish()


func add(text: String) -> void:
	var line := "[%5.2f] %s" % [time, text]
	print(line)
	line_added.emit(line)


# --- Senses -----------------------------------------------------------------------------------


func _listen_to_senses(perception: Perception3D) -> void:
	perception.target_perceived.connect(func(event: PerceptionEvent) -> void:
		_seen_so_far["perceived"] = true
		add("guard perceived %s by %s at %s" % [_name(event.target), _sense(event.sense), _at(event.location)]))
	perception.target_sight_gained.connect(func(event: PerceptionEvent) -> void:
		add("guard has %s in sight" % _name(event.target)))
	perception.target_sight_lost.connect(func(event: PerceptionEvent) -> void:
		add("guard lost sight of %s, last seen at %s" % [_name(event.target), _at(event.location)]))
	perception.noise_heard.connect(func(event: PerceptionEvent) -> void:
		_seen_so_far["heard"] = true
		add("guard heard %s at %s, loudness %.2f" % [event.tag, _at(event.stimulus_location), event.strength]))
	perception.damage_sensed.connect(func(event: PerceptionEvent) -> void:
		add("guard felt %.2f damage by %s" % [event.strength, _name(event.target)]))
	perception.target_lost.connect(func(event: PerceptionEvent) -> void:
		if event.reason == PerceptionEvent.LOSS_FORGOTTEN:
			_seen_so_far["forgotten"] = true
		add("guard lost %s (%s), last known at %s" % [_name(event.target), LOSSES[event.reason], _at(event.location)]))


# --- Decisions --------------------------------------------------------------------------------


func _listen_to_actions(brain: ActionEvaluator) -> void:
	brain.action_started.connect(func(id: StringName, target: Node, run: int) -> void:
		_seen_so_far[String(id)] = true
		add("guard starts %s on %s (run %d)" % [id, _name(target), run]))
	brain.action_ended.connect(func(id: StringName, reason: int, run: int) -> void:
		add("guard ends %s: %s (run %d)" % [id, ENDINGS[reason], run]))
	brain.no_valid_action.connect(func() -> void: add("guard has no action that fits"))
	brain.cooldown_started.connect(func(id: StringName, seconds: float) -> void:
		add("guard must wait %.2f s for the next %s" % [seconds, id]))
	brain.cooldown_expired.connect(func(id: StringName) -> void: add("guard may use %s again" % id))


func _on_vital_changed(_tag: StringName, value: float, change: float, who: String) -> void:
	add("%s has %.2f health (%+.2f)" % [who, value, change])


# --- The end ----------------------------------------------------------------------------------


func _finish() -> void:
	var missing: PackedStringArray = []
	for part: String in _seen_so_far:
		if not _seen_so_far[part]:
			missing.append(part)
	if not guard.is_at_post():
		missing.append("back at the post")
	if missing.is_empty():
		add("the story is complete")
	else:
		add("the story is not complete, missing: " + ", ".join(missing))
	get_tree().quit(0 if missing.is_empty() else 1)
	set_physics_process(false)


# --- Words ------------------------------------------------------------------------------------


static func _name(node: Node) -> String:
	return String(node.name) if node else "nobody"


static func _sense(sense: int) -> String:
	match sense:
		PerceptionEvent.SENSE_SIGHT: return "sight"
		PerceptionEvent.SENSE_HEARING: return "hearing"
		PerceptionEvent.SENSE_DAMAGE: return "damage"
	return "another sense"


## Two decimals, and never "-0.00".
static func _at(place: Vector3) -> String:
	var rounded := place.snappedf(0.01) + Vector3.ZERO
	return "(%.2f, %.2f, %.2f)" % [rounded.x, rounded.y, rounded.z]
