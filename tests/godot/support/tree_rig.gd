extends "res://support/action_rig.gd"
## An agent with one action, Patrol, that runs trees.

const TreeRunner := preload("res://support/trees/tree_runner.gd")

var method: BehaviorTreeSequenceMethod = BehaviorTreeSequenceMethod.new()


## With an action Other besides, whose method is a script.
func _init(owner: Node, trees: Array = [], evaluator: ActionEvaluator = null) -> void:
	method.trees = trees
	super(owner, [patrol(method), spec(&"Other")], evaluator)


static func patrol(with: BehaviorTreeSequenceMethod) -> ActionSpec:
	var made: ActionSpec = ActionSpec.new()
	made.action_id = &"Patrol"
	made.cooldown_randomization = 0.0
	made.add_tags = PackedStringArray(["State.MovementBlocked"])
	made.execution_method = with
	return made


## A scene whose root is a runner with three hooks.
func plain(label: String, ticks: int = -1, succeeds: bool = true) -> PackedScene:
	var root: TreeRunner = TreeRunner.new()
	root.name = "Tree_" + label
	root.diary = diary
	root.label = label
	root.ticks = ticks
	root.succeeds = succeeds
	return pack(root)


## A scene of the node and of everything below it.
static func pack(root: Node) -> PackedScene:
	for child: Node in root.find_children("*", "", true, false):
		child.owner = root
	var made: PackedScene = PackedScene.new()
	made.pack(root)
	root.free()
	return made


func patrol_now() -> int:
	return brain.execute_action(&"Patrol")


## The runner that is under the agent now.
func runner() -> TreeRunner:
	for child: Node in agent.get_children():
		if child is TreeRunner and not child.is_queued_for_deletion():
			return child
	return null


## How many children the agent has besides its evaluator, those that go at the end of the frame left out.
func guests() -> int:
	var count: int = 0
	for child: Node in agent.get_children():
		if child != brain and not child.is_queued_for_deletion():
			count += 1
	return count
