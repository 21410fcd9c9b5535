class_name BTInstance
extends RefCounted
## Stand-in for LimboAI's running tree.

var _root: BTTask
var _last: int = BT.FRESH


func _init(root: BTTask) -> void:
	_root = root


func get_root_task() -> BTTask:
	return _root


func get_last_status() -> int:
	return _last


func get_agent() -> Node:
	return _root.agent


func update(delta: float) -> int:
	_last = _root.execute(delta)
	return _last
