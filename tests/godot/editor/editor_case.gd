@tool
extends Node
## Base of the editor tests. A case is in the editor's tree while it runs; a method may `await`.

var plugin: EditorPlugin
var failures: PackedStringArray = []
var checks := 0


## Fails unless `condition` holds.
func check(condition: bool, what: String) -> void:
	checks += 1
	if not condition:
		failures.append(what + " does not hold")


## Fails unless the values are equal.
func eq(actual: Variant, wanted: Variant, what: String) -> void:
	checks += 1
	if typeof(actual) != typeof(wanted) or actual != wanted:
		failures.append("%s is %s, wanted %s" % [what, actual, wanted])


func frames(count: int = 2) -> void:
	for i in count:
		await get_tree().process_frame


## Opens a scene in the editor and returns its root.
func open(path: String) -> Node:
	EditorInterface.open_scene_from_path(path)
	await frames(5)
	return EditorInterface.get_edited_scene_root()


## The undo history of the open scene.
func history() -> UndoRedo:
	var manager := EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(EditorInterface.get_edited_scene_root()))


## Every node below the editor's controls, by class and name.
func controls() -> PackedStringArray:
	var found: PackedStringArray = []
	for node in EditorInterface.get_base_control().find_children("Riposte*", "", true, false):
		found.append("%s %s" % [node.get_class(), node.name])
	return found
