class_name Mind
extends Node
## What a character wants to do. Its parent is the body, a [Walker] or a [Walker2D]; senses are children of the body too.

@onready var body: Node = get_parent()

var _sway_time: float = 0.0


func place() -> Vector2:
	return Plan.place(body)


## Walks around walls. True when it is there, or as near as it gets.
func walk_to(goal: Vector2, speed: float, close_enough: float, delta: float) -> bool:
	var way: Vector2 = body.call(&"way_to", goal)
	if place().distance_to(goal) <= close_enough or way.is_zero_approx():
		move(Vector2.ZERO, delta)
		return true
	move(way.normalized() * speed, delta)
	turn_toward(way, delta)
	return false


func move(wanted: Vector2, delta: float) -> void:
	body.call(&"move", wanted, delta)


func turn_toward(direction: Vector2, delta: float, pace: float = 1.0) -> void:
	body.call(&"turn_toward", direction, delta, pace)


func stand_and_look(at: Vector2, delta: float, pace: float = 1.0) -> void:
	move(Vector2.ZERO, delta)
	turn_toward(at - place(), delta, pace)


## Turns from side to side; `tempo` in radians per second.
func look_around(delta: float, tempo: float, width: float) -> void:
	_sway_time += delta
	Plan.turn(body, sin(_sway_time * tempo) * width * delta)


func show_sign(text: String, color: Color, seconds: float = 1.2) -> void:
	body.call(&"show_sign", text, color, seconds)


## The Perception of the body, in its dimension.
func find_perception() -> Node:
	for child: Node in body.get_children():
		if child is Perception3D or child is Perception2D:
			return child
	return null
