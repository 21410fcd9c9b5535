class_name Walker
extends CharacterBody3D
## Walks over the ground, around walls, and turns. Where to and why is up to the scripts that extend it.

const GRAVITY := 18.0

@export_range(0.5, 20.0, 0.1, "suffix:rad/s") var turn_speed: float = 5.0
@export_range(1.0, 60.0, 0.5, "suffix:m/s²") var acceleration: float = 20.0

@onready var figure: Figure = $Figure
@onready var navigation := get_node_or_null(^"NavigationAgent3D") as NavigationAgent3D


## One physics step of walking with the wanted velocity over the ground.
func move(wanted: Vector3, delta: float) -> void:
	var ground := Vector3(velocity.x, 0.0, velocity.z).move_toward(wanted, acceleration * delta)
	velocity = ground + Vector3.UP * (velocity.y - GRAVITY * delta)
	move_and_slide()
	figure.walk(ground.length(), delta)


## Turns toward a direction over the ground; `pace` scales the turn speed.
func turn_toward(direction: Vector3, delta: float, pace: float = 1.0) -> void:
	if Vector2(direction.x, direction.z).length_squared() > 0.0001:
		rotation.y = rotate_toward(rotation.y, atan2(-direction.x, -direction.z), turn_speed * pace * delta)


## Walks around walls; needs a NavigationAgent3D as a child. True when it is there.
func walk_to(place: Vector3, speed: float, close_enough: float, delta: float) -> bool:
	navigation.target_position = place
	var way := navigation.get_next_path_position() - global_position
	way.y = 0.0
	var left := place - global_position
	left.y = 0.0
	if left.length() <= close_enough or navigation.is_navigation_finished():
		move(Vector3.ZERO, delta)
		return true
	move(way.normalized() * speed, delta)
	turn_toward(way, delta)
	return false


func stand_and_look(at: Vector3, delta: float, pace: float = 1.0) -> void:
	move(Vector3.ZERO, delta)
	turn_toward(at - global_position, delta, pace)
