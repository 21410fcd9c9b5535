class_name Thief2D
extends Walker2D
## The one you steer. What others see of it is in its StimulusSource2D; every step is a noise.

signal did(what: String)
signal stepped(loudness: float)
signal arrived

enum Gait { SNEAK, WALK, RUN }

const SPEEDS: Dictionary[Gait, float] = {Gait.SNEAK: 65.0, Gait.WALK: 120.0, Gait.RUN: 205.0}
## Multiplies the hearing radius of who listens. Who sneaks makes no noise.
const LOUDNESS: Dictionary[Gait, float] = {Gait.SNEAK: 0.0, Gait.WALK: 0.4, Gait.RUN: 1.0}
const STRIDE := 50.0
## Seen from above nothing hides who crouches but the distance: others make it out from nearer only.
const SNEAK_SIGHT_SCALE := 0.6

@onready var source: StimulusSource2D = $StimulusSource2D

## AgentAwareness asks for a member of this name; it tells the posture.
var is_crouching: bool = false
## Off: somebody else calls [method go_to].
var is_played: bool = true

var _goal := Vector2.INF
var _gait := Gait.WALK
var _way_since_step: float = 0.0


func _physics_process(delta: float) -> void:
	if is_played:
		_read_keys(delta)
	elif _goal != Vector2.INF:
		_walk_to_goal(delta)
	else:
		move(Vector2.ZERO, delta)
	source.sight_range_scale = SNEAK_SIGHT_SCALE if is_crouching else 1.0
	scale = scale.move_toward(Vector2.ONE * (0.75 if is_crouching else 1.0), delta * 2.0)
	_make_steps(delta)


## Walks straight there by itself; [signal arrived] tells when it is there.
func go_to(place: Vector2, gait: Gait) -> Signal:
	_goal = place
	_gait = gait
	is_crouching = gait == Gait.SNEAK
	return arrived


func whistle() -> void:
	source.report_noise(1.5, &"Noise.Whistle")
	_show_ripple(1.5)


func _read_keys(delta: float) -> void:
	var keys := Input.get_vector(&"move_left", &"move_right", &"move_up", &"move_down")
	if Input.is_action_just_pressed(&"crouch"):
		is_crouching = not is_crouching
	if Input.is_action_just_pressed(&"whistle"):
		whistle()
	_gait = Gait.SNEAK if is_crouching else Gait.RUN if Input.is_action_pressed(&"run") else Gait.WALK
	move(keys * SPEEDS[_gait], delta)
	turn_toward(velocity, delta, 2.0)


func _walk_to_goal(delta: float) -> void:
	var way := _goal - global_position
	if way.length() > 6.0:
		move(way.normalized() * SPEEDS[_gait], delta)
		turn_toward(way, delta, 2.0)
		return
	_goal = Vector2.INF
	arrived.emit()


func _make_steps(delta: float) -> void:
	_way_since_step += get_real_velocity().length() * delta
	if _way_since_step < STRIDE:
		return
	_way_since_step = 0.0
	var loudness := LOUDNESS[_gait]
	if source.report_noise(loudness, &"Noise.Step"):
		_show_ripple(loudness)
		stepped.emit(loudness)


func _show_ripple(loudness: float) -> void:
	var ripple := Ripple2D.new()
	add_sibling(ripple)
	ripple.spread(global_position, loudness)
