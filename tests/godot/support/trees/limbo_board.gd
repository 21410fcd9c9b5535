class_name LimboBoard
extends RefCounted
## Stand-in for LimboAI's Blackboard; Beehave has a class of the same name, so this one has another.

var _vars: Dictionary[StringName, Variant] = {}


func set_var(key: StringName, value: Variant) -> void:
	_vars[key] = value


func get_var(key: StringName, default: Variant = null, complain: bool = true) -> Variant:
	if not _vars.has(key) and complain:
		push_error("Blackboard: Variable \"%s\" not found." % key)
	return _vars.get(key, default)


func has_var(key: StringName) -> bool:
	return _vars.has(key)


func list_vars() -> Array[StringName]:
	return _vars.keys()
