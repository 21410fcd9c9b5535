@tool
extends "editor_case.gd"
## The plugin adds what it should and takes all of it away again.

const NAME := "riposte"


func test_disable_and_enable() -> void:
	check(EditorInterface.is_plugin_enabled(NAME), "enabled at the start")
	var added := controls()
	eq(added, PackedStringArray(["Button RiposteShowAll"]), "controls of the plugin")
	EditorInterface.set_plugin_enabled(NAME, false)
	await frames()
	eq(controls(), PackedStringArray(), "controls after it was disabled")
	EditorInterface.set_plugin_enabled(NAME, true)
	await frames()
	eq(controls(), added, "controls after it was enabled again")


func test_disable_with_a_perception_selected() -> void:
	var root: Node = await open("res://editor/perceivers.tscn")
	var node := root.get_node(^"Guard/Perception3D") as Node3D
	EditorInterface.set_main_screen_editor("3D")
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(node)
	await frames(5)
	eq(gizmos(node), 1, "gizmos while it is enabled")
	EditorInterface.set_plugin_enabled(NAME, false)
	await frames()
	eq(gizmos(node), 0, "gizmos while it is disabled")
	EditorInterface.set_plugin_enabled(NAME, true)
	await frames()
	eq(gizmos(node), 1, "gizmos after it was enabled again")
	EditorInterface.get_selection().clear()


func test_opening_and_looking_changes_nothing() -> void:
	var before := FileAccess.get_md5("res://editor/perceivers.tscn")
	var root: Node = await open("res://editor/perceivers.tscn")
	for path: NodePath in [^"Guard/Perception3D", ^"Thief/StimulusSource3D"]:
		EditorInterface.get_selection().clear()
		EditorInterface.get_selection().add_node(root.get_node(path))
		await frames()
	check(not history().has_undo(), "no undo step")
	eq(FileAccess.get_md5("res://editor/perceivers.tscn"), before, "the file")


static func gizmos(node: Node3D) -> int:
	var count := 0
	for gizmo in node.get_gizmos():
		var plugin_of: EditorNode3DGizmoPlugin = (gizmo as EditorNode3DGizmo).get_plugin()
		if plugin_of.has_method(&"cancel_drag"):
			count += 1
	return count
