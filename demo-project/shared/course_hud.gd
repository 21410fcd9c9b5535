class_name CourseHud
extends CanvasLayer
## The text on the screen: what each observer knows, the latest lines, the keys.

const LINES := 6

@export var log: CourseLog
@export var keys: String = ""

@onready var _names: Label = %Names
@onready var _reports: Label = %Reports
@onready var _log: Label = %Log

var _lines: PackedStringArray = []


func _ready() -> void:
	(%Keys as Label).text = keys
	_log.text = ""
	log.line_added.connect(_on_line_added)


func _process(_delta: float) -> void:
	var names: PackedStringArray = []
	var reports: PackedStringArray = []
	for observer: Node in get_tree().get_nodes_in_group(&"observers"):
		names.append(String(observer.owner.name).capitalize())
		reports.append(observer.call(&"get_report"))
	_names.text = "\n".join(names)
	_reports.text = "\n".join(reports)


func _on_line_added(line: String) -> void:
	_lines.append(line)
	if _lines.size() > LINES:
		_lines = _lines.slice(_lines.size() - LINES)
	_log.text = "\n".join(_lines)
