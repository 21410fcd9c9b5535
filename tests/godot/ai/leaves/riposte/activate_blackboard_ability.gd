@tool
class_name ActivateBlackboardAbilityAction
extends ActionLeaf
## Starts the ability of the action that runs this tree: running while it runs, success when it completed, else failure.

## Key of the payload of the action, see BehaviorTreeSequenceMethod.payload_key.
@export var payload_key: StringName = &"riposte_payload"
## Tag of the abilities to start if the payload has none.
@export var fallback_activation_tag: StringName = &""
## Fail if there is no ability to start; off: succeed.
@export var fail_when_no_ability: bool = true
## Run until the ability ends; off: succeed as soon as it started.
@export var wait_for_end: bool = true

var _task: AbilityTask


func before_run(actor: Node, blackboard: Blackboard) -> void:
	_task = AbilityTask.new()
	_task.fallback_activation_tag = fallback_activation_tag
	_task.fail_when_no_ability = fail_when_no_ability
	_task.wait_for_end = wait_for_end
	_task.start(actor, blackboard.get_value(payload_key) as Resource)


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
