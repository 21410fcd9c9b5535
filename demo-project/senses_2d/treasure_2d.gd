extends Node2D
## A crystal on a plinth.

var is_taken: bool = false:
	set(value):
		is_taken = value
		queue_redraw()


func _draw() -> void:
	draw_circle(Vector2(3, 4), 26.0, Color(0, 0, 0, 0.2))
	draw_circle(Vector2.ZERO, 26.0, Color(0.6, 0.63, 0.63))
	draw_circle(Vector2.ZERO, 19.0, Color(0.74, 0.42, 0.35))
	if not is_taken:
		draw_colored_polygon([Vector2(0, -15), Vector2(10, 0), Vector2(0, 15), Vector2(-10, 0)], Color(0.3, 0.9, 0.95))
		draw_colored_polygon([Vector2(0, -15), Vector2(10, 0), Vector2(0, 0)], Color(0.75, 1.0, 1.0))
