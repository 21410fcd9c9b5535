extends TestCase
## What the editor draws of the senses, and what a dragged handle means. The editor itself is in the folder `editor`.

const FRONT := Basis(Vector3.RIGHT, Vector3.UP, Vector3.FORWARD)
const EYE := Vector3(0, 1.6, 0)
const ANY := Vector2(-INF, INF)

const Handle := RiposteShapes.Handle
const Overlay := preload("res://addons/riposte/editor/gizmo/perception_2d.gd")


func test_frame_of_3d() -> void:
	eq(RiposteShapes.frame_3d(false), FRONT, "forward is -Z, right is +X")
	eq(RiposteShapes.frame_3d(true), Basis(Vector3.LEFT, Vector3.UP, Vector3.BACK), "forward is +Z, right is -X")


func test_handles_stand_where_the_numbers_say() -> void:
	var node := Perception3D.new()
	node.sight_radius = 10.0
	node.lose_sight_radius = 12.0
	node.hearing_radius = 7.0
	node.auto_detect_radius = 2.0
	node.sight_fov_degrees = 90.0
	near(RiposteShapes.handle_position(node, Handle.SIGHT, FRONT, EYE), Vector3(0, 0, -10), 0.001, "sight: forward")
	near(RiposteShapes.handle_position(node, Handle.LOSE, FRONT, EYE), Vector3(12, 0, 0), 0.001, "lose: right")
	near(RiposteShapes.handle_position(node, Handle.HEARING, FRONT, EYE), Vector3(-7, 0, 0), 0.001, "hearing: left")
	near(RiposteShapes.handle_position(node, Handle.AUTO, FRONT, EYE), Vector3(0, 0, 2), 0.001, "auto: back")
	# At eye height, half of 90 degrees to the right, 10 m from the node: sqrt(100 - 1.6²) = 9.8712 from its axis.
	var rim := RiposteShapes.handle_position(node, Handle.FOV, FRONT, EYE)
	near(rim, Vector3(6.98, 1.6, -6.98), 0.001, "cone: on its rim")
	node.free()


func test_what_is_off_has_no_handle() -> void:
	var node := Perception3D.new()
	check(not RiposteShapes.shows(node, Handle.AUTO), "no auto-detect at radius 0")
	node.auto_detect_radius = 1.0
	check(RiposteShapes.shows(node, Handle.AUTO), "auto-detect at radius 1")
	node.sight_enabled = false
	for handle: int in [Handle.SIGHT, Handle.LOSE, Handle.FOV, Handle.AUTO]:
		check(not RiposteShapes.shows(node, handle), "sight off: handle %d" % handle)
	check(RiposteShapes.shows(node, Handle.HEARING), "hearing on")
	node.hearing_enabled = false
	check(not RiposteShapes.shows(node, Handle.HEARING), "hearing off")
	eq(RiposteShapes.flat_shapes(node, Vector2.ZERO).size(), 0, "shapes with all senses off")
	node.free()


func test_pulled_radius() -> void:
	# From 10 m above, straight down to (3.26, 0, -8.04).
	var from := Vector3(3.26, 10, -8.04)
	eq(RiposteShapes.pulled(Handle.SIGHT, from, Vector3.DOWN, FRONT, EYE, false, ANY), 8.0, "sight")
	near(RiposteShapes.pulled(Handle.LOSE, from, Vector3.DOWN, FRONT, EYE, false, ANY), 3.3, 0.00001, "lose, snapped to 0.1")
	eq(RiposteShapes.pulled(Handle.LOSE, from, Vector3.DOWN, FRONT, EYE, true, ANY), 3.0, "lose, snapped to 1")
	eq(RiposteShapes.pulled(Handle.HEARING, from, Vector3.DOWN, FRONT, EYE, false, Vector2(0, 200)), 0.0, "no negative radius")
	eq(RiposteShapes.pulled(Handle.AUTO, Vector3(0, 10, 80), Vector3.DOWN, FRONT, EYE, false, Vector2(0, 50)), 50.0, "greatest")


func test_a_ray_along_the_axis_says_nothing() -> void:
	var value := RiposteShapes.pulled(Handle.SIGHT, Vector3(0, 0, 10), Vector3.FORWARD, FRONT, EYE, false, ANY)
	check(is_nan(value), "a view along the handle's axis")
	value = RiposteShapes.pulled(Handle.SIGHT, Vector3(0, 10, 0), Vector3(0, 1, -0.1).normalized(), FRONT, EYE, false, ANY)
	check(is_nan(value), "a point behind the camera")
	value = RiposteShapes.pulled(Handle.FOV, Vector3(0, 10, 0), Vector3.UP, FRONT, EYE, false, ANY)
	check(is_nan(value), "a view that does not meet the plane of the cone")


func test_pulled_cone() -> void:
	# 30 degrees to the right of forward, then to the left, then behind.
	for side: float in [1.0, -1.0]:
		var from := EYE + Vector3(sin(PI / 6) * side, 10, -cos(PI / 6))
		eq(RiposteShapes.pulled(Handle.FOV, from, Vector3.DOWN, FRONT, EYE, false, Vector2(0, 360)), 60.0, "30 degrees aside")
	var behind := EYE + Vector3(0, 10, 4)
	eq(RiposteShapes.pulled(Handle.FOV, behind, Vector3.DOWN, FRONT, EYE, false, Vector2(0, 360)), 360.0, "all around")
	var odd := EYE + Vector3(sin(deg_to_rad(33.4)), 10, -cos(deg_to_rad(33.4)))
	eq(RiposteShapes.pulled(Handle.FOV, odd, Vector3.DOWN, FRONT, EYE, false, Vector2(0, 360)), 67.0, "snapped to 1")
	eq(RiposteShapes.pulled(Handle.FOV, odd, Vector3.DOWN, FRONT, EYE, true, Vector2(0, 360)), 65.0, "snapped to 5")


func test_pulled_aim_point() -> void:
	var start := Vector3(0, 1, 0)
	var from := Vector3(0.27, 1.52, 10)
	var moved := RiposteShapes.pulled_point(start, from, Vector3.FORWARD, Vector3.BACK, false)
	near(moved, Vector3(0.3, 1.5, 0), 0.0001, "in the plane that faces the viewer")
	near(RiposteShapes.pulled_point(start, from, Vector3.FORWARD, Vector3.BACK, true), Vector3(0, 2, 0), 0.0001, "whole metres")
	eq(RiposteShapes.pulled_point(start, from, Vector3.RIGHT, Vector3.BACK, false), start, "a ray beside the plane")


func test_limits_come_from_the_property() -> void:
	eq(RiposteShapes.limits_of("0,200,0.01,or_greater,suffix:m"), Vector2(0, INF), "or_greater")
	eq(RiposteShapes.limits_of("0,360,0.1,suffix:deg"), Vector2(0, 360), "closed range")
	eq(RiposteShapes.limits_of("-10,10,0.01,or_greater,or_less,suffix:m"), ANY, "open range")
	eq(RiposteShapes.limits_of(""), ANY, "no range")


func test_the_edge_of_the_cone_ends_where_sight_ends() -> void:
	# The eye is 2 m right of the middle of a circle of 5 m: straight ahead sqrt(25 - 4) = 4.5826 m are left.
	near(RiposteShapes.edge_end(Vector2(2, 0), 0.0, 5.0), Vector2(2, 4.5826), 0.0001, "ahead")
	near(RiposteShapes.edge_end(Vector2(2, 0), PI * 0.5, 5.0), Vector2(5, 0), 0.0001, "to the right")
	eq(RiposteShapes.reach(Vector3(0, 9, 0), Vector3.FORWARD, 5.0), 0.0, "an eye outside of the radius")


func test_shapes_of_a_perception() -> void:
	var node := Perception3D.new()
	var colors: Array = RiposteShapes.flat_shapes(node, Vector2.ZERO).map(
		func(shape: Dictionary) -> Color: return shape.color)
	var wanted := [Color(0.3, 0.65, 1), Color(0.3, 0.65, 1), Color(0.3, 0.65, 1), Color(0.3, 0.65, 1, 0.35),
		Color(0.75, 0.45, 1)]
	eq(colors, wanted, "cone and radius of sight, lose radius, hearing")
	node.sight_fov_degrees = 360.0
	node.auto_detect_radius = 3.0
	colors = RiposteShapes.flat_shapes(node, Vector2.ZERO).map(func(shape: Dictionary) -> Color: return shape.color)
	wanted = [Color(0.3, 0.65, 1), Color(0.3, 0.65, 1, 0.35), Color(1, 0.3, 0.3), Color(0.75, 0.45, 1)]
	eq(colors, wanted, "no edges all around; auto-detect")
	node.free()


func test_frame_of_2d() -> void:
	var here := Transform2D(0.0, Vector2(100, 50))
	var frame: Transform2D = Overlay.frame_2d(here, 0.0)
	near(frame * Vector2(0, 10), Vector2(110, 50), 0.0001, "forward is +X")
	near(frame * Vector2(10, 0), Vector2(100, 60), 0.0001, "right is down")
	near(Overlay.frame_2d(here, 90.0) * Vector2(0, 10), Vector2(100, 60), 0.0001, "turned by the facing offset")
	var mirrored := Transform2D(Vector2(-2, 0), Vector2(0, 2), Vector2.ZERO)
	near(Overlay.frame_2d(mirrored, 0.0) * Vector2(0, 10), Vector2(-10, 0), 0.0001, "mirrored: forward is -X, unscaled")
	near(Overlay.frame_2d(mirrored, 30.0) * Vector2(0, 10), Vector2(-8.6603, 5), 0.0001, "its offset is mirrored too")
	near(Overlay.axes_2d(mirrored) * Vector2(3, 4), Vector2(-3, 4), 0.0001, "offsets are mirrored, not scaled")


func test_the_2d_shapes_agree_with_the_node() -> void:
	var agent := Node2D.new()
	agent.transform = Transform2D(0.7, Vector2(-2, 3), 0.0, Vector2(40, 20))
	var node := Perception2D.new()
	node.eye_offset = Vector2(12, -5)
	node.facing_offset_degrees = 25.0
	agent.add_child(node)
	add(agent)
	await physics()
	var frame: Transform2D = Overlay.frame_2d(node.global_transform, 25.0)
	near(frame.y, node.get_forward(), 0.0001, "forward")
	near(Overlay.axes_2d(node.global_transform) * node.eye_offset, node.get_eye_position(), 0.001, "eye")


func test_the_3d_shapes_agree_with_the_node() -> void:
	var node := Perception3D.new()
	var agent := character(Vector3(3, 1, -2))
	agent.rotation = Vector3(0.3, 1.1, -0.2)
	agent.scale = Vector3(2, 2, 2)
	node.use_model_front = true
	node.eye_offset = Vector3(0.5, 1.5, 0.25)
	agent.add_child(node)
	await physics()
	var unscaled := Transform3D(node.global_basis.orthonormalized(), node.global_position)
	near(unscaled.basis * RiposteShapes.frame_3d(true).z, node.get_forward(), 0.0001, "forward")
	near(unscaled * node.eye_offset, node.get_eye_position(), 0.0001, "eye")
