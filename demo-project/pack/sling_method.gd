class_name SlingMethod
extends ExecutionMethod
## Draws back, throws a stone at its target, lowers the arm.

@export var stone: PackedScene
@export_range(0.0, 3.0, 0.05, "suffix:s") var windup: float = 0.6
@export_range(0.0, 3.0, 0.05, "suffix:s") var recover: float = 0.4
@export_range(1.0, 40.0, 0.5, "suffix:m/s") var speed: float = 14.0
@export_range(0.0, 100.0, 0.5) var damage: float = 8.0

var _thrown: bool = false


func _has_valid_data() -> bool:
	return stone != null


func _begin_execute(_context: ActionContext) -> bool:
	(get_agent() as ActingFighter).figure.strike(Figure.Blow.THROW, windup, recover)
	return true


func _tick_execute(_delta: float) -> void:
	if not _thrown and get_elapsed() >= windup:
		_thrown = true
		_throw(get_agent() as ActingFighter, get_target() as Node3D)
	if get_elapsed() >= windup + recover:
		finish_execution(true)


func _abort_execute(_reason: int) -> void:
	(get_agent() as ActingFighter).figure.rest()


func _throw(fighter: ActingFighter, target: Node3D) -> void:
	if target == null:
		return  # it is gone
	var flying: Stone = stone.instantiate()
	fighter.add_sibling(flying)
	var from := fighter.global_position + Vector3.UP * 1.6 - fighter.global_basis.z * 0.4
	flying.throw_at(target.global_position + Vector3.UP * 1.1, fighter, speed, damage, from)
