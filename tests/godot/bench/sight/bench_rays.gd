class_name BenchRays
extends RefCounted
## Nothing but rays: those of one step of the sight benchmark, from the same places.

var _query := PhysicsRayQueryParameters3D.new()


func _init() -> void:
	_query.hit_back_faces = true
	_query.collision_mask = 1


func cast(space: PhysicsDirectSpaceState3D, froms: PackedVector3Array, tos: PackedVector3Array) -> int:
	var hits := 0
	for i in froms.size():
		_query.from = froms[i]
		_query.to = tos[i]
		if not space.intersect_ray(_query).is_empty():
			hits += 1
	return hits
