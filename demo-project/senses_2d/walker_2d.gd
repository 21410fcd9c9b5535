class_name Walker2D
extends CharacterBody2D
## A round figure seen from above: walks around walls, turns, draws itself. Forward is +X.

@export_range(0.5, 20.0, 0.1, "suffix:rad/s") var turn_speed: float = 5.0
@export var color := Color(0.3, 0.45, 0.7)
@export_range(4.0, 60.0, 1.0, "suffix:px") var size: float = 20.0

@onready var navigation := get_node_or_null(^"NavigationAgent2D") as NavigationAgent2D


func move(wanted: Vector2, delta: float) -> void:
	velocity = velocity.move_toward(wanted, 1600.0 * delta)
	move_and_slide()


## `pace` scales the turn speed.
func turn_toward(direction: Vector2, delta: float, pace: float = 1.0) -> void:
	if direction.length_squared() > 1.0:
		rotation = rotate_toward(rotation, direction.angle(), turn_speed * pace * delta)


## Walks around walls; needs a NavigationAgent2D as a child. True when it is there.
func walk_to(place: Vector2, speed: float, close_enough: float, delta: float) -> bool:
	navigation.target_position = place
	var way := navigation.get_next_path_position() - global_position
	if global_position.distance_to(place) <= close_enough or navigation.is_navigation_finished():
		move(Vector2.ZERO, delta)
		return true
	move(way.normalized() * speed, delta)
	turn_toward(way, delta)
	return false


func stand_and_look(at: Vector2, delta: float, pace: float = 1.0) -> void:
	move(Vector2.ZERO, delta)
	turn_toward(at - global_position, delta, pace)


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	# The shadow does not turn with the figure.
	draw_circle(Vector2(3, 4).rotated(-global_rotation), size, Color(0, 0, 0, 0.25))
	draw_circle(Vector2.ZERO, size, color.darkened(0.35))
	draw_circle(Vector2.ZERO, size * 0.82, color)
	for side: float in [-1.0, 1.0]:
		draw_circle(Vector2(size * 0.5, size * 0.42 * side), size * 0.2, Color.WHITE)
		draw_circle(Vector2(size * 0.58, size * 0.42 * side), size * 0.1, Color(0.1, 0.12, 0.16))
