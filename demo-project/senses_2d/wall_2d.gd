@tool
class_name DemoWall2D
extends StaticBody2D
## A wall seen from above: give it a size, it draws itself and blocks.

@export var size := Vector2(200.0, 30.0):
	set(value):
		size = value.max(Vector2.ONE)
		if is_node_ready():
			_build()

@export var color := Color(0.87, 0.5, 0.41):
	set(value):
		color = value
		queue_redraw()


func _ready() -> void:
	_build()


func _build() -> void:
	((($Shape as CollisionShape2D).shape) as RectangleShape2D).size = size
	queue_redraw()


func _draw() -> void:
	var box := Rect2(-size * 0.5, size)
	draw_rect(Rect2(box.position + Vector2(5, 7), box.size), Color(0, 0, 0, 0.22))
	draw_rect(box, color.darkened(0.18))
	draw_rect(box.grow(-4.0), color)
