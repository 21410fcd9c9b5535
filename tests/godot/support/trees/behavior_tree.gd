class_name BehaviorTree
extends Resource
## Stand-in for LimboAI's tree resource.

@export var root_task: BTTask
## Keys that the blackboard declares. The real plan has them as properties.
@export var plan: Dictionary = {}


func instantiate(agent: Node, board: LimboBoard, _owner: Node, root: Node) -> BTInstance:
	var task: BTTask = root_task.duplicate(true)
	task.initialize(agent, board, root)
	return BTInstance.new(task)
