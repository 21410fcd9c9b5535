class_name FightHud
extends CanvasLayer
## Health bars above the heads, the latest lines and the keys.

const LINES := 6

@export var log: CourseLog
@export var fighters: Array[Fighter] = []
@export var title: String = ""
@export var keys: String = ""

@onready var _bars: Control = %Bars
@onready var _log: Label = %Log

var _lines: PackedStringArray = []


func _ready() -> void:
	(%Title as Label).text = title
	(%Keys as Label).text = keys
	_log.text = ""
	log.line_added.connect(_on_line_added)
	var scene := load("res://shared/fight/health_bar.tscn") as PackedScene
	for fighter: Fighter in fighters:
		var bar: HealthBar = scene.instantiate()
		bar.fighter = fighter
		bar.height = fighter.bar_height
		bar.modulate = fighter.bar_color
		_bars.add_child(bar)


## A line below the title: what the scene wants to say just now.
func tell(text: String) -> void:
	(%Tale as Label).text = text


func _on_line_added(line: String) -> void:
	_lines.append(line)
	if _lines.size() > LINES:
		_lines = _lines.slice(_lines.size() - LINES)
	_log.text = "\n".join(_lines)
