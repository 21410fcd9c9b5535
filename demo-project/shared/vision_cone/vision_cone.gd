class_name VisionCone
extends MeshInstance3D
## Draws on the floor what the Perception3D beside it can see. Only a picture: perception casts its own rays.
## The fan ends at walls, and its colour tells what its owner knows.

const CALM := Color(0.45, 0.68, 0.85)
const SEARCHING := Color(1.0, 0.72, 0.2)
const SEEING := Color(0.95, 0.3, 0.22)
const SLICES := 72

@export_flags_3d_physics var walls: int = 1

@onready var _perception: Perception3D = get_parent().get_node(^"Perception3D")
# A copy of its own: several guards may show different colours.
@onready var _material: ShaderMaterial = material_override.duplicate()

var _fan := ArrayMesh.new()
var _color := CALM


func _ready() -> void:
	mesh = _fan
	material_override = _material
	# Nobody looks at a headless run.
	set_physics_process(DisplayServer.get_name() != "headless")


func _physics_process(delta: float) -> void:
	_color = _color.lerp(_wanted_color(), 1.0 - exp(-8.0 * delta))
	_material.set_shader_parameter(&"tint", _color)
	_build_fan()


func _wanted_color() -> Color:
	var target: Node3D = _perception.get_closest_perceived_target()
	if target == null:
		return CALM.lerp(SEARCHING, _detection())
	return SEEING if _perception.can_sense(target, PerceptionEvent.SENSE_SIGHT) else SEARCHING


## How far the most visible of those has been made out that are not known yet.
func _detection() -> float:
	var level := 0.0
	for target: Node3D in _perception.get_detecting_targets():
		level = maxf(level, _perception.get_detection(target))
	return level


func _build_fan() -> void:
	var eye := _perception.get_eye_position()
	var radius := _perception.sight_radius
	var half := deg_to_rad(_perception.sight_fov_degrees) * 0.5
	var forward := _perception.get_forward()
	forward = Vector3(forward.x, 0.0, forward.z).normalized()
	var query := PhysicsRayQueryParameters3D.create(eye, eye, walls)
	var space := get_world_3d().direct_space_state
	var points := PackedVector3Array([Vector3.ZERO])
	var uvs := PackedVector2Array([Vector2.ZERO])  # x: share of the radius, y: -1 … 1 over the angle
	var triangles := PackedInt32Array()
	for slice: int in SLICES + 1:
		var share := float(slice) / SLICES * 2.0 - 1.0
		var direction := forward.rotated(Vector3.UP, half * share)
		query.to = eye + direction * radius
		var hit := space.intersect_ray(query)
		var end: Vector3 = hit["position"] if hit else query.to
		points.append(to_local(Vector3(end.x, global_position.y, end.z)))
		uvs.append(Vector2(eye.distance_to(end) / radius, share))
		if slice > 0:
			triangles.append_array(PackedInt32Array([0, slice + 1, slice]))
	var arrays: Array = []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = points
	arrays[Mesh.ARRAY_TEX_UV] = uvs
	arrays[Mesh.ARRAY_INDEX] = triangles
	_fan.clear_surfaces()
	_fan.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
