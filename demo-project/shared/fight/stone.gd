class_name Stone
extends Node3D
## A thrown stone: flies in an arc, hits the first thing in its way and stays where it fell.

const GRAVITY := Vector3(0.0, -9.8, 0.0)

@export_flags_3d_physics var hits: int = 3
@export_range(0.0, 30.0, 0.5, "suffix:s") var lifetime: float = 6.0

var _thrower: Fighter
var _velocity := Vector3.ZERO
var _damage: float = 0.0
var _flying: bool = false


func throw_at(goal: Vector3, thrower: Fighter, speed: float, damage: float, from: Vector3) -> void:
	global_position = from
	_thrower = thrower
	_damage = damage
	# The time of flight is given by the speed; gravity takes half of g·t² on the way, so add it.
	var time := from.distance_to(goal) / speed
	_velocity = (goal - from) / time - GRAVITY * time * 0.5
	_flying = true


func _physics_process(delta: float) -> void:
	if not _flying:
		lifetime -= delta
		if lifetime <= 0.0:
			queue_free()
		return
	_velocity += GRAVITY * delta
	var query := PhysicsRayQueryParameters3D.create(global_position, global_position + _velocity * delta, hits)
	query.exclude = [_thrower.get_rid()]
	var hit := get_world_3d().direct_space_state.intersect_ray(query)
	if hit.is_empty():
		global_position += _velocity * delta
		rotate_x(delta * -9.0)
		return
	_flying = false
	global_position = hit["position"]
	var victim := hit["collider"] as Fighter
	if victim and (victim.team != _thrower.team or not victim.team):
		victim.take_hit(_thrower, _damage, global_position)
		queue_free()
