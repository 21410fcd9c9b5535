class_name Walker
extends CharacterBody3D
## A body that walks over the ground and turns. Where to and why is up to the [Mind] below it, which speaks of places on
## the [Plan]; [Walker2D] is the same for 2D.

const GRAVITY := 18.0

@export_range(0.5, 20.0, 0.1, "suffix:rad/s") var turn_speed: float = 5.0
@export_range(1.0, 60.0, 0.5, "suffix:m/s²") var acceleration: float = 20.0

@onready var figure: Figure = $Figure
@onready var navigation := get_node_or_null(^"NavigationAgent3D") as NavigationAgent3D

## AgentAwareness asks for a member of this name; no other code is needed to tell the posture.
var is_crouching: bool = false


## One physics step of walking with the wanted velocity.
func move(wanted: Vector2, delta: float) -> void:
	var ground := Vector3(velocity.x, 0.0, velocity.z)
	ground = ground.move_toward(Vector3(wanted.x, 0.0, wanted.y), acceleration * delta)
	velocity = ground + Vector3.UP * (velocity.y - GRAVITY * delta)
	move_and_slide()
	figure.walk(ground.length(), delta)
	figure.scale.y = move_toward(figure.scale.y, 0.62 if is_crouching else 1.0, delta * 3.0)


## `pace` scales the turn speed.
func turn_toward(direction: Vector2, delta: float, pace: float = 1.0) -> void:
	if direction.length_squared() > 0.0001:
		rotation.y = rotate_toward(rotation.y, atan2(-direction.x, -direction.y), turn_speed * pace * delta)


## The way around walls; needs a NavigationAgent3D as a child. Zero: it does not get any nearer.
func way_to(place: Vector2) -> Vector2:
	navigation.target_position = Vector3(place.x, global_position.y, place.y)
	var next := navigation.get_next_path_position()
	return Vector2.ZERO if navigation.is_navigation_finished() else Plan.of(next - global_position)


func show_sign(text: String, color: Color, seconds: float = 1.2) -> void:
	figure.show_sign(text, color, seconds)
