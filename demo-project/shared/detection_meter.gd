class_name DetectionMeter
extends Control
## A dial above a head: how sure its owner is of somebody. It only shows what it is told.

const RADIUS := 15.0
const WIDTH := 6.0
const BACK := Color(0.11, 0.13, 0.17, 0.75)

## Whom it hovers over: a Node3D or Node2D.
@export var above: Node
## How high: metres over a Node3D, pixels over a Node2D.
@export var lift: float = 2.45

var _level: float = 0.0
var _color := Color.WHITE
var _glyph: String = ""
var _shown: float = 0.0


## `level` fills the dial from 0 to 1, `glyph` stands in its middle. Nothing to tell: the dial fades away.
func tell(level: float, color: Color, glyph: String) -> void:
	_level = level
	_color = color
	_glyph = glyph


func _process(delta: float) -> void:
	_shown = move_toward(_shown, 1.0 if _level > 0.0 or _glyph else 0.0, delta * 5.0)
	visible = _shown > 0.0
	if above is Node3D:
		var camera := get_viewport().get_camera_3d()
		position = camera.unproject_position((above as Node3D).global_position + Vector3.UP * lift)
	elif above is Node2D:
		position = (above as Node2D).get_global_transform_with_canvas().origin + Vector2.UP * lift
	queue_redraw()


func _draw() -> void:
	var fade := Color(1.0, 1.0, 1.0, _shown)
	draw_circle(Vector2.ZERO, RADIUS + WIDTH * 0.5 + 2.0, BACK * fade)
	draw_arc(Vector2.ZERO, RADIUS, 0.0, TAU, 48, Color(1.0, 1.0, 1.0, 0.18) * fade, WIDTH, true)
	if _level > 0.0:
		var end := -PI * 0.5 + TAU * minf(_level, 1.0)
		draw_arc(Vector2.ZERO, RADIUS, -PI * 0.5, end, 48, _color * fade, WIDTH, true)
	var font := get_theme_default_font()
	var size_of := font.get_string_size(_glyph, HORIZONTAL_ALIGNMENT_LEFT, -1, 20)
	draw_string(font, Vector2(-size_of.x * 0.5, 7.0), _glyph, HORIZONTAL_ALIGNMENT_LEFT, -1, 20, _color * fade)
