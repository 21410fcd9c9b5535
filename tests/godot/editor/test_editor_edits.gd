@tool
extends "editor_case.gd"
## Undo steps, and the drags that end in one, driven like the engine's 3D view drives them.


func test_a_step_can_be_undone_and_redone() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var node := root.get_node(^"Guard/Perception3D")
	var edits := RiposteEdits.new(EditorInterface.get_editor_undo_redo())
	var before := history().get_version()
	node.set(&"sight_radius", 31.5)
	check(edits.set_property(node, &"sight_radius", 31.5, 20.0), "a step was made")
	eq(history().get_current_action_name(), "Set sight_radius", "its name")
	eq(history().get_version(), before + 1, "steps")
	history().undo()
	eq(node.get(&"sight_radius"), 20.0, "undone")
	history().redo()
	eq(node.get(&"sight_radius"), 31.5, "redone")
	history().undo()


func test_no_step_without_a_change() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var node := root.get_node(^"Guard/Perception3D")
	var edits := RiposteEdits.new(EditorInterface.get_editor_undo_redo())
	var before := history().get_version()
	check(not edits.set_property(node, &"sight_radius", 20.0, 20.0), "the same number")
	check(not edits.set_property(node, &"eye_offset", Vector3(0, 1.6, 0), Vector3(0, 1.6, 0)), "the same vector")
	check(not edits.set_property(null, &"sight_radius", 1.0, 2.0), "no node")
	eq(history().get_version(), before, "steps")


func test_a_drag_is_one_step() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var node := root.get_node(^"Guard/Perception3D") as Node3D
	await _select([node])
	var camera := _camera_above()
	var gizmo := _gizmo_of(node)
	var before := history().get_version()
	var handle := RiposteShapes.Handle.HEARING
	gizmo.get_plugin()._begin_handle_action(gizmo, handle, false)
	for x: float in [-15.0, -12.0, -9.04]:
		gizmo.get_plugin()._set_handle(gizmo, handle, false, camera, camera.unproject_position(Vector3(x, 0, 0)))
	eq(gizmo.get_plugin()._get_handle_value(gizmo, handle, false), "9.0 m", "the value that is shown")
	eq(gizmo.get_plugin()._get_handle_name(gizmo, handle, false), "hearing_radius", "the name that is shown")
	gizmo.get_plugin()._commit_handle(gizmo, handle, false, 15.0, false)
	eq(node.get(&"hearing_radius"), 9.0, "dragged")
	eq(history().get_version(), before + 1, "steps")
	eq(history().get_current_action_name(), "Set hearing_radius", "its name")
	history().undo()
	eq(node.get(&"hearing_radius"), 15.0, "undone")


func test_a_cancelled_drag_leaves_no_step() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var node := root.get_node(^"Guard/Perception3D") as Node3D
	await _select([node])
	var camera := _camera_above()
	var gizmo := _gizmo_of(node)
	var before := history().get_version()
	var handle := RiposteShapes.Handle.AUTO
	gizmo.get_plugin()._begin_handle_action(gizmo, handle, false)
	gizmo.get_plugin()._set_handle(gizmo, handle, false, camera, camera.unproject_position(Vector3(0, 0, 5)))
	eq(node.get(&"auto_detect_radius"), 5.0, "while it is dragged")
	check(gizmo.get_plugin().cancel_drag(), "Escape")
	eq(node.get(&"auto_detect_radius"), 2.0, "after Escape")
	gizmo.get_plugin()._set_handle(gizmo, handle, false, camera, camera.unproject_position(Vector3(0, 0, 7)))
	gizmo.get_plugin()._commit_handle(gizmo, handle, false, 2.0, false)
	eq(node.get(&"auto_detect_radius"), 2.0, "after the button was released")
	gizmo.get_plugin()._begin_handle_action(gizmo, handle, false)
	gizmo.get_plugin()._set_handle(gizmo, handle, false, camera, camera.unproject_position(Vector3(0, 0, 5)))
	gizmo.get_plugin()._commit_handle(gizmo, handle, false, 2.0, true)
	eq(node.get(&"auto_detect_radius"), 2.0, "after the view cancelled it")
	eq(history().get_version(), before, "steps")


func test_an_aim_point_is_dragged() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var node := root.get_node(^"Thief/StimulusSource3D") as Node3D
	await _select([node])
	var camera := _camera_above()
	var gizmo := _gizmo_of(node)
	gizmo.get_plugin()._begin_handle_action(gizmo, 0, false)
	var goal := camera.unproject_position(Vector3(0.52, 1.0, -0.31))
	gizmo.get_plugin()._set_handle(gizmo, 0, false, camera, goal)
	gizmo.get_plugin()._commit_handle(gizmo, 0, false, null, false)
	check((node.get(&"sight_target_offset") as Vector3).is_equal_approx(Vector3(0.5, 1.0, -0.3)), "snapped in its plane")
	history().undo()
	eq(node.get(&"sight_target_offset"), Vector3(0, 1, 0), "undone")


func test_extra_aim_points_have_handles() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var node := root.get_node(^"Thief/StimulusSource3D") as Node3D
	var before := PackedVector3Array([Vector3(0.3, 1.5, 0), Vector3(-0.3, 1.5, 0)])
	node.set(&"extra_aim_points", before)
	await _select([node])
	var camera := _camera_above()
	var gizmo := _gizmo_of(node)
	eq(gizmo.get_plugin()._get_handle_name(gizmo, 2, false), "extra_aim_points[1]", "the name that is shown")
	gizmo.get_plugin()._begin_handle_action(gizmo, 2, false)
	gizmo.get_plugin()._set_handle(gizmo, 2, false, camera, camera.unproject_position(Vector3(-0.8, 1.5, 0.4)))
	gizmo.get_plugin()._commit_handle(gizmo, 2, false, null, false)
	var points: PackedVector3Array = node.get(&"extra_aim_points")
	check(points[1].is_equal_approx(Vector3(-0.8, 1.5, 0.4)), "the second one moved")
	eq(points[0], before[0], "the first one")
	eq(history().get_current_action_name(), "Set extra_aim_points", "the undo step")
	history().undo()
	eq(node.get(&"extra_aim_points"), before, "undone")
	node.set(&"extra_aim_points", PackedVector3Array())


func test_with_several_selected_the_last_has_handles() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var perception := root.get_node(^"Guard/Perception3D") as Node3D
	var source := root.get_node(^"Thief/StimulusSource3D") as Node3D
	await _select([source, perception])
	var camera := _camera_above()
	var gizmos: Variant = _gizmo_of(perception).get_plugin()
	var before := history().get_version()
	check(not gizmos.click(camera, camera.unproject_position(Vector3(0, 1, 0)), true), "the first has none")
	check(gizmos.click(camera, camera.unproject_position(Vector3(-15, 0, 0)), true), "the last has")
	check(gizmos.drag(camera, camera.unproject_position(Vector3(-12, 0, 0))), "it is dragged")
	check(gizmos.click(camera, Vector2.ZERO, false), "and let go")
	eq(perception.get(&"hearing_radius"), 12.0, "its value")
	eq(history().get_version(), before + 1, "steps")
	history().undo()
	eq(perception.get(&"hearing_radius"), 15.0, "undone")


func test_a_hidden_handle_never_moves() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var node := root.get_node(^"Guard/Perception3D") as Node3D
	await _select([node])
	var camera := _camera_above()
	var gizmos: Variant = _gizmo_of(node).get_plugin()
	var at := camera.unproject_position(Vector3(-15, 0, 0))
	gizmos.hover(camera, at)
	eq(gizmos.get(&"_hovered"), RiposteShapes.Handle.HEARING, "the handle under the mouse")
	node.set(&"hearing_enabled", false)
	gizmos.hover(camera, at)
	eq(gizmos.get(&"_hovered"), -1, "the handle under the mouse with hearing off")
	node.set(&"hearing_enabled", true)


func _select(nodes: Array[Node]) -> void:
	EditorInterface.get_selection().clear()
	for node in nodes:
		EditorInterface.get_selection().add_node(node)
	await frames(3)


## Looks straight down from 20 m, in a view of its own: that of an editor without a window has no size.
func _camera_above() -> Camera3D:
	var view := SubViewport.new()
	view.size = Vector2i(800, 800)
	add_child(view)
	var camera := Camera3D.new()
	view.add_child(camera)
	camera.transform = Transform3D(Basis.from_euler(Vector3(-PI * 0.5, 0, 0)), Vector3(0, 20, 0))
	return camera


func _gizmo_of(node: Node3D) -> EditorNode3DGizmo:
	for gizmo in node.get_gizmos():
		var plugin_of: EditorNode3DGizmoPlugin = (gizmo as EditorNode3DGizmo).get_plugin()
		if plugin_of.has_method(&"cancel_drag"):
			return gizmo as EditorNode3DGizmo
	return null
