class_name ChargeMethod
extends ExecutionMethod
## Takes aim, then runs straight on and strikes what it meets. Whoever steps aside is missed.

@export_range(0.0, 3.0, 0.05, "suffix:s") var windup: float = 0.6
@export_range(1.0, 30.0, 0.5, "suffix:m/s") var speed: float = 12.0
@export_range(0.1, 3.0, 0.05, "suffix:s") var longest: float = 0.9
@export_range(0.0, 3.0, 0.05, "suffix:s") var recover: float = 0.5
@export_range(0.0, 100.0, 0.5) var damage: float = 20.0
@export_range(0.0, 10.0, 0.1, "suffix:m") var reach: float = 2.4

var _ends_at: float = -1.0


func _begin_execute(context: ActionContext) -> bool:
	if context.target == null:
		return false  # nothing is charged: it may try again
	var fighter := get_agent() as ActingFighter
	fighter.figure.strike(Figure.Blow.SWING, windup + longest * 0.5, recover)
	fighter.show_sign("!", Color(0.98, 0.45, 0.3), windup)
	return true


func _tick_execute(_delta: float) -> void:
	var fighter := get_agent() as ActingFighter
	if get_elapsed() < windup:
		return
	if _ends_at < 0.0:
		_run(fighter)
	if _ends_at > 0.0 and get_elapsed() >= _ends_at:
		finish_execution(true)


func _abort_execute(_reason: int) -> void:
	(get_agent() as ActingFighter).figure.rest()


func _run(fighter: ActingFighter) -> void:
	fighter.aim = 0.0
	fighter.drive = -fighter.global_basis.z * speed
	var target := get_target() as Node3D
	var met := target != null and fighter.global_position.distance_to(target.global_position) < reach * 0.8
	if met or get_elapsed() >= windup + longest:
		fighter.strike(damage, reach)
		fighter.drive = Vector3.ZERO
		_ends_at = get_elapsed() + recover
