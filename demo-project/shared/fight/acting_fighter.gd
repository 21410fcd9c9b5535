class_name ActingFighter
extends Fighter
## A fighter whose every step comes from its actions. Between them it stands and faces its target.
##
## The [ActionEvaluator] below it picks an action; the execution method of the action sets [member drive] and [member aim]
## while it runs. There is no other code that decides anything.

@onready var brain: ActionEvaluator = $ActionEvaluator

## Where to, and how fast: set by the action that runs.
var drive := Vector3.ZERO
## How quickly it turns to its target, from 0 (not at all) to 1.
var aim: float = 1.0


func _ready() -> void:
	super()
	fell.connect(brain.stop)
	brain.action_ended.connect(_on_action_ended)


func _physics_process(delta: float) -> void:
	if is_down():
		move(Vector3.ZERO, delta)
		return
	move(drive, delta)
	var foe := (brain.get_running_target() if brain.is_executing() else brain.get_focus_target()) as Node3D
	if foe:
		turn_toward(foe.global_position - global_position, delta, aim)


func _on_action_ended(_id: StringName, _reason: int, _run: int) -> void:
	drive = Vector3.ZERO
	aim = 1.0
