class_name CommandBar
extends CanvasLayer
## What the first selected worker could be told, on what is under the mouse, and why not; and the latest lines.

const LINES := 7

@export var log: CourseLog

@onready var _buttons: HBoxContainer = $Rows/Buttons
@onready var _state: Label = $Rows/State
@onready var _lines_label: Label = $Log

var _lines: PackedStringArray = []


func _ready() -> void:
	log.line_added.connect(_on_line_added)


## Draws the orders of a worker; null for none.
func show_options(worker: Worker, target: Variant) -> void:
	var options: Array[CommandOption] = []
	if worker:
		options = worker.orders.get_options(target)
	_state.text = _state_of(worker)
	while _buttons.get_child_count() > options.size():
		var last := _buttons.get_child(-1)
		_buttons.remove_child(last)
		last.queue_free()
	for i: int in options.size():
		var label := _button(i)
		label.text = options[i].display_name
		label.modulate = Color.WHITE if options[i].allowed else Color(1, 1, 1, 0.45)
		if not options[i].allowed:
			label.text += "\n" + CommandSystem.describe_reason(options[i].reason)


func _button(index: int) -> Label:
	if index < _buttons.get_child_count():
		return _buttons.get_child(index)
	var label := Label.new()
	label.custom_minimum_size = Vector2(210, 52)
	_buttons.add_child(label)
	return label


func _state_of(worker: Worker) -> String:
	if not worker:
		return "Nobody is selected"
	var current := worker.orders.get_current_command()
	var doing := String(current.command_name) if current else "idle"
	return "%s: %s, %d waiting" % [worker.name, doing, worker.orders.get_queue_length()]


func _on_line_added(line: String) -> void:
	_lines.append(line)
	_lines = _lines.slice(maxi(0, _lines.size() - LINES))
	_lines_label.text = "\n".join(_lines)
