class_name BTPlayer
extends Node
## Stand-in for LimboAI's player: when it looks for its agent, when it makes its tree, and what it refuses.

signal updated(status: int)

enum UpdateMode { IDLE, PHYSICS, MANUAL }

@export var behavior_tree: BehaviorTree
@export var agent_node: NodePath = ^".."
@export var update_mode: UpdateMode = UpdateMode.PHYSICS:
	set(value):
		update_mode = value
		active = active
@export var active: bool = true:
	set(value):
		active = value
		set_process(update_mode == UpdateMode.IDLE and active)
		set_physics_process(update_mode == UpdateMode.PHYSICS and active)
		if active and is_node_ready():
			_try_initialize()
var blackboard: LimboBoard = LimboBoard.new()

var _hint: Node
var _instance: BTInstance


func _ready() -> void:
	for key: StringName in (behavior_tree.plan if behavior_tree != null else {}):
		if not blackboard.has_var(key):
			blackboard.set_var(key, behavior_tree.plan[key])
	active = active


func _process(delta: float) -> void:
	update(delta)


func _physics_process(delta: float) -> void:
	update(delta)


func set_scene_root_hint(root: Node) -> void:
	if _instance != null:
		push_error("BTPlayer: Scene root hint shouldn't be set after the behavior tree is instantiated.")
	_hint = root


func get_bt_instance() -> BTInstance:
	return _instance


func set_bt_instance(instance: BTInstance) -> void:
	_instance = instance
	blackboard = instance.get_root_task().blackboard
	agent_node = instance.get_agent().get_path()
	behavior_tree = null


func get_blackboard() -> LimboBoard:
	return blackboard


func update(delta: float) -> void:
	if _instance == null:
		push_error("BTPlayer doesn't have a behavior tree with a valid root task to execute")
		return
	if active:
		updated.emit(_instance.update(delta))


func restart() -> void:
	_instance.get_root_task().abort()
	active = true


func _try_initialize() -> void:
	if _instance != null or behavior_tree == null:
		return
	var root: Node = _hint if _hint != null else owner
	var agent: Node = get_node_or_null(agent_node)
	if root == null or agent == null or behavior_tree.root_task == null:
		push_error("BTPlayer: Initialization failed")
		return
	_instance = behavior_tree.instantiate(agent, blackboard, self, root)
