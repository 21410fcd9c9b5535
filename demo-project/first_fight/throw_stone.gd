class_name ThrowStone
extends ExecutionMethod
## An action of our own: lift a stone, throw it at the target, lower the arm.
## Every run gets its own copy of this resource, so plain variables may hold the state of a run.

@export var stone: PackedScene
@export_range(0.0, 3.0, 0.05, "suffix:s") var windup: float = 0.45
@export_range(0.0, 3.0, 0.05, "suffix:s") var recover: float = 0.35
@export_range(1.0, 40.0, 0.5, "suffix:m/s") var speed: float = 15.0
@export_range(0.0, 100.0, 0.5) var damage: float = 8.0

var _thrown: bool = false


func _has_valid_data() -> bool:
	return stone != null


func _begin_execute(context: ActionContext) -> bool:
	if context.target == null:
		return false  # nothing is charged: it may try again
	(get_agent() as Guard).animation.play(&"throw")
	return true


func _tick_execute(_delta: float) -> void:
	if not _thrown and get_elapsed() >= windup:
		_thrown = true
		_throw()
	if get_elapsed() >= windup + recover:
		finish_execution(true)


func _abort_execute(_reason: int) -> void:
	(get_agent() as Guard).animation.play(&"RESET")


func _get_display_name() -> String:
	return "Throw a stone"


func _throw() -> void:
	var guard := get_agent() as Guard
	var target := get_target() as Node3D
	if target == null:
		return  # it was freed while we lifted the stone
	var flying: Stone = stone.instantiate()
	guard.add_sibling(flying)
	flying.throw_at(target.global_position + Vector3.UP * 1.1, guard, speed, damage, guard.get_hand_position())
