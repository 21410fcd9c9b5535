class_name CircleMethod
extends ExecutionMethod
## Walks up to its target, or around it at a distance: what one does while there is nothing better to do.
##
## Give an action with it a *Selection Weight* of 0 and name it as the *Fallback Action* of the set.

@export_range(0.5, 15.0, 0.1, "suffix:m") var distance: float = 2.0
@export_range(0.5, 10.0, 0.1, "suffix:m/s") var speed: float = 2.2
## 0 goes straight on; 1 walks around the target, -1 the other way round.
@export_range(-1.0, 1.0, 0.1) var sideways: float = 0.0
@export_range(0.1, 10.0, 0.1, "suffix:s") var seconds: float = 2.0


func _tick_execute(_delta: float) -> void:
	var fighter := get_agent() as ActingFighter
	var target := get_target() as Node3D
	if target == null or get_elapsed() >= seconds:
		finish_execution(target != null)
		return
	var way := target.global_position - fighter.global_position
	way.y = 0.0
	var ahead := way.normalized()
	var wish := ahead * clampf(way.length() - distance, -1.0, 1.0) + ahead.cross(Vector3.UP) * sideways
	fighter.drive = wish.limit_length(1.0) * speed
