class_name Walker2D
extends CharacterBody2D
## A round figure seen from above that walks and turns; see [Walker]. Forward is +X.

@export_range(0.5, 20.0, 0.1, "suffix:rad/s") var turn_speed: float = 5.0
@export var color := Color(0.3, 0.45, 0.7)
@export_range(4.0, 60.0, 1.0, "suffix:px") var size: float = 20.0
## Draws the ears and the blindfold of one that only hears.
@export var is_blind: bool = false
## Seen from above nothing hides who crouches but the distance: others make it out from nearer only.
@export_range(0.0, 1.0, 0.05) var crouched_sight_scale: float = 0.6

@onready var navigation := get_node_or_null(^"NavigationAgent2D") as NavigationAgent2D
@onready var source := get_node_or_null(^"StimulusSource2D") as StimulusSource2D

## AgentAwareness asks for a member of this name; it tells the posture.
var is_crouching: bool = false

var _sign: String = ""
var _sign_color := Color.WHITE
var _sign_time: float = 0.0


func move(wanted: Vector2, delta: float) -> void:
	velocity = velocity.move_toward(wanted * Plan.METER, 1600.0 * delta)
	move_and_slide()
	scale = scale.move_toward(Vector2.ONE * (0.75 if is_crouching else 1.0), delta * 2.0)
	if source:
		source.sight_range_scale = crouched_sight_scale if is_crouching else 1.0


func turn_toward(direction: Vector2, delta: float, pace: float = 1.0) -> void:
	if direction.length_squared() > 0.0001:
		rotation = rotate_toward(rotation, direction.angle(), turn_speed * pace * delta)


func way_to(place: Vector2) -> Vector2:
	navigation.target_position = place * Plan.METER
	var next := navigation.get_next_path_position()
	return Vector2.ZERO if navigation.is_navigation_finished() else Plan.of(next - global_position)


func show_sign(text: String, sign_color: Color, seconds: float = 1.2) -> void:
	_sign = text
	_sign_color = sign_color
	_sign_time = seconds


func _process(delta: float) -> void:
	_sign_time -= delta
	queue_redraw()


func _draw() -> void:
	# Neither the shadow nor the sign turns with the figure.
	draw_circle(Vector2(3, 4).rotated(-global_rotation), size, Color(0, 0, 0, 0.25))
	draw_circle(Vector2.ZERO, size, color.darkened(0.35))
	draw_circle(Vector2.ZERO, size * 0.82, color)
	for side: float in [-1.0, 1.0]:
		draw_circle(Vector2(size * 0.5, size * 0.42 * side), size * 0.2, Color.WHITE)
		draw_circle(Vector2(size * 0.58, size * 0.42 * side), size * 0.1, Color(0.1, 0.12, 0.16))
	if is_blind:
		_draw_ears_and_blindfold()
	if _sign_time > 0.0:
		draw_set_transform(Vector2.ZERO, -global_rotation)
		var at := Vector2(-size * 0.3, -size * 1.3)
		draw_string(ThemeDB.fallback_font, at, _sign, HORIZONTAL_ALIGNMENT_LEFT, -1, 26, _sign_color)


func _draw_ears_and_blindfold() -> void:
	for side: float in [-1.0, 1.0]:
		draw_circle(Vector2(-size * 0.15, size * 1.02 * side), size * 0.34, color.darkened(0.35))
		draw_circle(Vector2(-size * 0.1, size * 1.02 * side), size * 0.22, Color(0.86, 0.66, 0.68))
	draw_rect(Rect2(size * 0.28, -size * 0.8, size * 0.45, size * 1.6), Color(0.92, 0.9, 0.86))
