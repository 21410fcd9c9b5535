@tool
extends BTAction
## Starts the ability of the action that runs this tree. [br]
## Returns [code]RUNNING[/code] while the ability runs, [code]SUCCESS[/code] when it completed, else [code]FAILURE[/code].

## Blackboard variable with the payload of the action, see BehaviorTreeSequenceMethod.payload_key.
@export var payload_key: StringName = &"riposte_payload"

## Tag of the abilities to start if the payload has none.
@export var fallback_activation_tag: StringName = &""

## Fail if there is no ability to start; off: succeed.
@export var fail_when_no_ability: bool = true

## Run until the ability ends; off: succeed as soon as it started.
@export var wait_for_end: bool = true

var _task: AbilityTask


func _generate_name() -> String:
	return "Activate ability of %s" % payload_key


func _enter() -> void:
	_task = AbilityTask.new()
	_task.fallback_activation_tag = fallback_activation_tag
	_task.fail_when_no_ability = fail_when_no_ability
	_task.wait_for_end = wait_for_end
	_task.start(agent, blackboard.get_var(payload_key, null, false) as Resource)


func _tick(_delta: float) -> Status:
	match _task.tick():
		AbilityTask.STATUS_RUNNING:
			return RUNNING
		AbilityTask.STATUS_SUCCEEDED:
			return SUCCESS
	return FAILURE


func _exit() -> void:
	_task.cancel()
