extends Node
## A runner with three hooks that writes down each call.

const Diary := preload("res://support/diary.gd")

@export var diary: Resource
@export var label: String = "a"
## Ends in this tick; -1 never.
@export var ticks: int = -1
@export var succeeds: bool = true

var keys: Dictionary = {}
var ticked: int = 0


func set_runner_keys(given: Dictionary) -> void:
	keys = given
	write("keys " + label)


func _enter() -> void:
	write("enter " + label)


func _tick(_delta: float) -> int:
	ticked += 1
	write("tick " + label)
	if ticked != ticks:
		return BehaviorTreeSequenceMethod.STATUS_RUNNING
	return BehaviorTreeSequenceMethod.STATUS_SUCCEEDED if succeeds else BehaviorTreeSequenceMethod.STATUS_FAILED


func _exit(reason: int) -> void:
	write("exit %s %d" % [label, reason])


func write(line: String) -> void:
	(diary as Diary).write(line)
