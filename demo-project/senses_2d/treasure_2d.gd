extends Node2D
## A crystal on a plinth.

var _is_taken: bool = false


func take() -> void:
	_is_taken = true
	queue_redraw()


func _draw() -> void:
	draw_circle(Vector2(3, 4), 26.0, Color(0, 0, 0, 0.2))
	draw_circle(Vector2.ZERO, 26.0, Color(0.6, 0.63, 0.63))
	draw_circle(Vector2.ZERO, 19.0, Color(0.74, 0.42, 0.35))
	if not _is_taken:
		draw_colored_polygon([Vector2(0, -15), Vector2(10, 0), Vector2(0, 15), Vector2(-10, 0)], Color(0.3, 0.9, 0.95))
		draw_colored_polygon([Vector2(0, -15), Vector2(10, 0), Vector2(0, 0)], Color(0.75, 1.0, 1.0))
