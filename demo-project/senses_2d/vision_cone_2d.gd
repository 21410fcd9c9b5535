class_name VisionCone2D
extends Node2D
## Draws what the Perception2D beside it can see. Only a picture: perception casts its own rays.

const SLICES := 60

@export_flags_2d_physics var walls: int = 1

@onready var _perception: Perception2D = get_parent().get_node(^"Perception2D")

var _fan: PackedVector2Array = []
var _color := VisionCone.CALM


func _ready() -> void:
	# Nobody looks at a headless run.
	set_physics_process(DisplayServer.get_name() != "headless")


func _physics_process(delta: float) -> void:
	_color = _color.lerp(_wanted_color(), 1.0 - exp(-8.0 * delta))
	_build_fan()
	queue_redraw()


func _draw() -> void:
	if _fan.size() > 2 and not Geometry2D.triangulate_polygon(_fan).is_empty():
		draw_colored_polygon(_fan, Color(_color, 0.26))
		draw_polyline(_fan, Color(_color, 0.5), 1.5, true)


func _wanted_color() -> Color:
	var target: Node2D = _perception.get_closest_perceived_target()
	if target:
		var seen := _perception.can_sense(target, PerceptionEvent.SENSE_SIGHT)
		return VisionCone.SEEING if seen else VisionCone.SEARCHING
	var level := 0.0
	for glimpsed: Node2D in _perception.get_detecting_targets():
		level = maxf(level, _perception.get_detection(glimpsed))
	return VisionCone.CALM.lerp(VisionCone.SEARCHING, level)


func _build_fan() -> void:
	var eye := _perception.get_eye_position()
	var half := deg_to_rad(_perception.sight_fov_degrees) * 0.5
	var query := PhysicsRayQueryParameters2D.create(eye, eye, walls)
	var space := get_world_2d().direct_space_state
	_fan = PackedVector2Array([to_local(eye)])
	for slice: int in SLICES + 1:
		var turn := half * (float(slice) / SLICES * 2.0 - 1.0)
		query.to = eye + _perception.get_forward().rotated(turn) * _perception.sight_radius
		var hit := space.intersect_ray(query)
		_fan.append(to_local(hit["position"] if hit else query.to))
