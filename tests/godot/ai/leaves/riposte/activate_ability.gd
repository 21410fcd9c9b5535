@tool
class_name ActivateAbilityAction
extends ActionLeaf
## Starts an ability, by itself, by a tag, or by an event: running while it runs, success when it completed, else failure.

## The ability; granted as long as it runs if the agent has it not. Empty: by the tag below.
@export var ability: GameplayAbility
## By tag: started directly. By event: sent to the abilities whose trigger tags match.
@export_enum("By tag:0", "By event:1") var activation_mode: int = AbilityTask.MODE_BY_TAG
## Tag of the abilities to start, or the event.
@export var activation_tag: StringName = &""
## Run until the ability ends; off: succeed as soon as it started.
@export var wait_for_end: bool = true

var _task: AbilityTask


func before_run(actor: Node, _blackboard: Blackboard) -> void:
	_task = AbilityTask.new()
	_task.ability = ability
	_task.activation_mode = activation_mode
	_task.activation_tag = activation_tag
	_task.wait_for_end = wait_for_end
	_task.start(actor)


func tick(actor: Node, blackboard: Blackboard) -> int:
	if _task == null:
		before_run(actor, blackboard)
	match _task.tick():
		AbilityTask.STATUS_RUNNING:
			return RUNNING
		AbilityTask.STATUS_SUCCEEDED:
			return SUCCESS
	return FAILURE


func interrupt(_actor: Node, _blackboard: Blackboard) -> void:
	if _task != null:
		_task.cancel()
