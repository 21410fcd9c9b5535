extends Node2D
## The box of a camera seen from above, with its lamp.

@export var watch: WatchCamera


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	draw_rect(Rect2(-14, -10, 28, 20), Color(0.25, 0.28, 0.32))
	draw_rect(Rect2(12, -6, 9, 12), Color(0.12, 0.13, 0.16))
	draw_circle(Vector2(-5, 0), 4.0, watch.get_lamp())
