class_name Ripple2D
extends Node2D
## A ring that shows how far a noise carries: to a listener with a hearing radius of 460 px.

const REACH := 460.0

var _radius: float = 0.0


func spread(from: Vector2, loudness: float) -> void:
	global_position = from
	var tween := create_tween().set_parallel()
	tween.tween_property(self, ^"_radius", REACH * loudness, 0.5).set_ease(Tween.EASE_OUT)
	tween.tween_property(self, ^"modulate:a", 0.0, 0.6)
	tween.chain().tween_callback(queue_free)


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	draw_arc(Vector2.ZERO, _radius, 0.0, TAU, 64, Color(0.75, 0.45, 1.0, 0.6), 2.0, true)
