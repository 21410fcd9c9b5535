@tool
extends RefCounted
## The shapes of Perception2D and StimulusSource2D over the 2D view. They follow its zoom; there are no handles.

const LINE_WIDTH := 2.0
const EYE_CROSS := 7.0
const POINT_CROSS := 5.0


func draw(overlay: Control, nodes: Array[Node]) -> void:
	for node in nodes:
		match RiposteShapes.kind_of(node):
			RiposteShapes.Kind.PERCEPTION_2D:
				_draw_perception(overlay, node as Node2D)
			RiposteShapes.Kind.SOURCE_2D:
				_draw_source(overlay, node as Node2D)


func _draw_perception(overlay: Control, node: Node2D) -> void:
	var frame := frame_2d(node.global_transform, float(node.get(&"facing_offset_degrees")))
	var to_screen := node.get_viewport_transform()
	var eye: Vector2 = axes_2d(node.global_transform) * (node.get(&"eye_offset") as Vector2)
	# The eye in the plane of the shapes: x to the right, y forward.
	var flat_eye := frame.affine_inverse() * eye
	for shape in RiposteShapes.flat_shapes(node, flat_eye):
		_draw_line(overlay, to_screen * (frame * (shape.points as PackedVector2Array)), shape.color)
	_draw_cross(overlay, to_screen * eye, EYE_CROSS, RiposteShapes.EYE)


func _draw_source(overlay: Control, node: Node2D) -> void:
	var to_screen := node.get_viewport_transform()
	var points := PackedVector2Array([node.get(&"sight_target_offset")])
	if &"extra_aim_points" in node:
		points.append_array(node.get(&"extra_aim_points"))
	for point in axes_2d(node.global_transform) * points:
		_draw_cross(overlay, to_screen * point, POINT_CROSS, RiposteShapes.AIM)
	for path: NodePath in node.get(&"aim_point_paths") if &"aim_point_paths" in node else []:
		var marker := node.get_node_or_null(path) as Node2D
		if marker != null:
			_draw_cross(overlay, to_screen * marker.global_position, POINT_CROSS, RiposteShapes.AIM)


## The plane of the shapes in the world: x to the right of the agent, y forward, one pixel long each.
static func frame_2d(transform: Transform2D, facing_offset_degrees: float) -> Transform2D:
	var axes := axes_2d(transform)
	# In the node's own axes: the offset of a mirrored node is mirrored too.
	var forward := axes.basis_xform(Vector2.from_angle(deg_to_rad(facing_offset_degrees)))
	return Transform2D(-forward.orthogonal(), forward, transform.origin)


## The place, turn and mirroring of a node, without its scale and skew.
static func axes_2d(transform: Transform2D) -> Transform2D:
	var x := transform.x.normalized() if not transform.x.is_zero_approx() else Vector2.RIGHT
	var y := (transform.y - x * x.dot(transform.y)).normalized()
	return Transform2D(x, y if not y.is_zero_approx() else -x.orthogonal(), transform.origin)


static func _draw_line(overlay: Control, points: PackedVector2Array, color: Color) -> void:
	overlay.draw_polyline(points, color, LINE_WIDTH * EditorInterface.get_editor_scale(), true)


static func _draw_cross(overlay: Control, at: Vector2, size: float, color: Color) -> void:
	var scaled := size * EditorInterface.get_editor_scale()
	for side: Vector2 in [Vector2(scaled, 0), Vector2(0, scaled)]:
		overlay.draw_line(at - side, at + side, color, LINE_WIDTH * EditorInterface.get_editor_scale())
