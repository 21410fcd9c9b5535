extends BTAction
## A LimboAI task that writes down each call.

const Diary := preload("res://support/diary.gd")

## Not exported: the addon copies a task with all that it refers to.
static var diary: Resource

@export var label: String = "a"
@export var ticks: int = -1
@export var succeeds: bool = true
var ticked: int = 0


func _setup() -> void:
	(diary as Diary).write("setup " + label)


func _enter() -> void:
	ticked = 0
	(diary as Diary).write("enter " + label)


func _tick(_delta: float) -> Status:
	ticked += 1
	(diary as Diary).write("tick " + label)
	if ticked != ticks:
		return RUNNING
	return SUCCESS if succeeds else FAILURE


func _exit() -> void:
	(diary as Diary).write("exit " + label)
