class_name CourseLog
extends Node
## Turns what happens into lines, prints them and hands them to the screen.
##
## With the user argument `--headless-course` a scene plays by itself and ends the game when its course is over:
##   godot --headless --fixed-fps 60 --path demo-project res://scenes/02_senses.tscn -- --headless-course
## The exit code is 0 when everything that the scene wants to show has happened.

signal line_added(line: String)

const ARGUMENT := "--headless-course"

## What has to happen in a whole course; see [method note].
@export var chapters: PackedStringArray = []
@export_range(1.0, 300.0, 1.0, "suffix:s") var longest: float = 120.0

var time: float = 0.0

var _noted: Dictionary[String, bool] = {}


static func is_requested() -> bool:
	return ARGUMENT in OS.get_cmdline_user_args()


func _physics_process(delta: float) -> void:
	time += delta
	if is_requested() and time > longest:
		finish()


func add(text: String) -> void:
	var line := "[%5.2f] %s" % [time, text]
	print(line)
	line_added.emit(line)


## One of the [member chapters] has happened.
func note(chapter: String) -> void:
	_noted[chapter] = true


## The end of a course that played by itself.
func finish() -> void:
	set_physics_process(false)
	var missing: PackedStringArray = []
	for chapter: String in chapters:
		if not _noted.has(chapter):
			missing.append(chapter)
	if missing.is_empty():
		add("the course is complete")
	else:
		add("the course is not complete, missing: " + ", ".join(missing))
	get_tree().quit(0 if missing.is_empty() else 1)
