@tool
class_name RiposteEdits
extends RefCounted
## Makes the undo steps of the addon. No other file of it does.

var _undo: EditorUndoRedoManager


func _init(undo: EditorUndoRedoManager) -> void:
	_undo = undo


## Sets a property of a node as one undo step with the property's name, in the history of the node's scene.
## [param before] is the value to go back to: while a handle is dragged the node shows the new one already.
## False, and no step, if nothing changed.
func set_property(node: Node, property: StringName, value: Variant, before: Variant) -> bool:
	if not is_instance_valid(node) or same(value, before):
		return false
	_undo.create_action("Set %s" % property, UndoRedo.MERGE_DISABLE, node)
	_undo.add_do_property(node, property, value)
	_undo.add_undo_property(node, property, before)
	_undo.commit_action()
	return true


## Equal, as a designer sees it: a handle that was dragged away and back made no change.
static func same(a: Variant, b: Variant) -> bool:
	if a is float and b is float:
		return is_equal_approx(a, b)
	if a is Vector3 and b is Vector3:
		return (a as Vector3).is_equal_approx(b)
	return typeof(a) == typeof(b) and a == b
