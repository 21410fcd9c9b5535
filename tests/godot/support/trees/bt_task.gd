class_name BTTask
extends BT
## Stand-in for a task of LimboAI: what it is asked, in its order.

var agent: Node
var scene_root: Node
var blackboard: LimboBoard
var status: int = FRESH


func initialize(for_agent: Node, board: LimboBoard, root: Node) -> void:
	agent = for_agent
	blackboard = board
	scene_root = root
	_setup()


func execute(delta: float) -> int:
	if status != RUNNING:
		_enter()
	status = _tick(delta)
	if status != RUNNING:
		_exit()
	return status


func abort() -> void:
	if status == RUNNING:
		_exit()
	status = FRESH


func get_status() -> int:
	return status


func _setup() -> void:
	pass


func _enter() -> void:
	pass


func _tick(_delta: float) -> Status:
	return FAILURE


func _exit() -> void:
	pass
