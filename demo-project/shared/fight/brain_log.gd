class_name BrainLog
extends Node
## Turns the signals of evaluators into lines of the [CourseLog]. Nothing here asks: a line is a signal.

const ENDINGS: PackedStringArray = ["completed", "interrupted", "cancelled", "timed out", "failed"]
const SOURCES: PackedStringArray = ["none", "its own", "of its config", "of its role", "of its weapon", "a runtime override"]

@export var log: CourseLog
@export var brains: Array[ActionEvaluator] = []
## Signals of cooldowns and recovery are a lot of lines for a whole pack.
@export var tells_waiting: bool = true


func _ready() -> void:
	for brain: ActionEvaluator in brains:
		_listen(brain, String(brain.get_parent().name).capitalize())


func _listen(brain: ActionEvaluator, who: String) -> void:
	brain.action_started.connect(func(id: StringName, target: Node, _run: int) -> void:
		log.add("%s starts %s%s" % [who, id, " on %s" % target.name if target else ""]))
	brain.action_ended.connect(func(id: StringName, reason: int, _run: int) -> void:
		if reason != ActionEvaluator.END_COMPLETED:
			log.add("%s ends %s: %s" % [who, id, ENDINGS[reason]]))
	brain.action_set_changed.connect(func(_set: ActionSet, source: int) -> void:
		log.add("%s has another set: %s" % [who, SOURCES[source]]))
	brain.role_changed.connect(func(role: StringName) -> void: log.add("%s is now %s" % [who, role]))
	if tells_waiting:
		brain.no_valid_action.connect(func() -> void: log.add("%s has no action that fits" % who))
		brain.recovery_started.connect(func(seconds: float) -> void: log.add("%s recovers for %.2f s" % [who, seconds]))
