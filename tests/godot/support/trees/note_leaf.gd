extends ActionLeaf
## A Beehave leaf that writes down each call.

const Diary := preload("res://support/diary.gd")

@export var diary: Resource
@export var label: String = "a"
@export var ticks: int = -1
@export var succeeds: bool = true
var ticked: int = 0


func before_run(_actor: Node, _blackboard: Blackboard) -> void:
	ticked = 0
	write("enter " + label)


func tick(_actor: Node, _blackboard: Blackboard) -> int:
	ticked += 1
	write("tick " + label)
	if ticked != ticks:
		return RUNNING
	return SUCCESS if succeeds else FAILURE


func after_run(_actor: Node, _blackboard: Blackboard) -> void:
	write("exit " + label)


func interrupt(_actor: Node, _blackboard: Blackboard) -> void:
	write("interrupt " + label)


func write(line: String) -> void:
	(diary as Diary).write(line)
