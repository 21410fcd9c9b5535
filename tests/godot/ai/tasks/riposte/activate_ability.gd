@tool
extends BTAction
## Starts an ability, by itself, by a tag, or by an event. [br]
## Returns [code]RUNNING[/code] while the ability runs, [code]SUCCESS[/code] when it completed, else [code]FAILURE[/code].

## The ability; granted as long as it runs if the agent has it not. Empty: by the tag below.
@export var ability: GameplayAbility

## By tag: started directly. By event: sent to the abilities whose trigger tags match.
@export_enum("By tag:0", "By event:1") var activation_mode: int = AbilityTask.MODE_BY_TAG

## Tag of the abilities to start, or the event.
@export var activation_tag: StringName = &""

## Run until the ability ends; off: succeed as soon as it started.
@export var wait_for_end: bool = true

var _task: AbilityTask


func _generate_name() -> String:
	return "Activate ability %s" % activation_tag


func _enter() -> void:
	_task = AbilityTask.new()
	_task.ability = ability
	_task.activation_mode = activation_mode
	_task.activation_tag = activation_tag
	_task.wait_for_end = wait_for_end
	_task.start(agent)


func _tick(_delta: float) -> Status:
	match _task.tick():
		AbilityTask.STATUS_RUNNING:
			return RUNNING
		AbilityTask.STATUS_SUCCEEDED:
			return SUCCESS
	return FAILURE


func _exit() -> void:
	_task.cancel()
