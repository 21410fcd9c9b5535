class_name Wood
extends Node2D
## A tree that can be felled.

@export var logs: int = 3


func take_log() -> void:
	logs -= 1
	scale = Vector2.ONE * (0.6 + 0.13 * logs)
	if logs <= 0:
		queue_free()


func _draw() -> void:
	draw_circle(Vector2(5, 7), 26.0, Color(0, 0, 0, 0.22))
	draw_circle(Vector2.ZERO, 26.0, Color(0.27, 0.42, 0.25))
	draw_circle(Vector2(-4, -4), 19.0, Color(0.36, 0.53, 0.31))
	draw_circle(Vector2(-7, -7), 10.0, Color(0.47, 0.63, 0.38))
