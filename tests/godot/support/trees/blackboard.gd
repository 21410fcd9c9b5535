class_name Blackboard
extends Node
## Stand-in for Beehave's blackboard.

@export var blackboard: Dictionary = {}:
	set(value):
		blackboard = value
		_data = value
var _data: Dictionary = {}


func set_value(key: Variant, value: Variant, _name: String = "default") -> void:
	_data[key] = value


func get_value(key: Variant, default: Variant = null, _name: String = "default") -> Variant:
	var value: Variant = _data.get(key)
	return default if value == null else value


func has_value(key: Variant, _name: String = "default") -> bool:
	return _data.get(key) != null
