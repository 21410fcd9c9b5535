class_name Thief
extends Mind
## The one you steer. Others sense it by the StimulusSource of its body and by two things that happen here: it crouches,
## which AgentAwareness learns from the body's member `is_crouching`, and every step is a noise.

signal did(what: String)
signal stepped(loudness: float)
signal arrived

enum Gait { SNEAK, WALK, RUN }

const SPEEDS: Dictionary[Gait, float] = {Gait.SNEAK: 1.4, Gait.WALK: 2.6, Gait.RUN: 4.4}  # m/s
## Multiplies the hearing radius of who listens. Who sneaks makes no noise.
const LOUDNESS: Dictionary[Gait, float] = {Gait.SNEAK: 0.0, Gait.WALK: 0.4, Gait.RUN: 1.0}
const STRIDE := 1.1
const NOWHERE := Vector2.INF

@export var ripple: PackedScene
@export var source: Node  ## A StimulusSource3D or StimulusSource2D.

## Off: somebody else calls [method go_to].
var is_played: bool = true

var _goal := NOWHERE
var _gait := Gait.WALK
var _way_since_step: float = 0.0


func _physics_process(delta: float) -> void:
	var before := place()
	if is_played:
		_read_keys(delta)
	elif _goal != NOWHERE:
		_walk_to_goal(delta)
	else:
		move(Vector2.ZERO, delta)
	_make_steps(place().distance_to(before))


## Walks straight there by itself; [signal arrived] tells when it is there.
func go_to(goal: Vector2, gait: Gait) -> Signal:
	_goal = goal
	_walk_as(gait)
	return arrived


func whistle() -> void:
	show_sign("♪", Color.WHITE)
	_make_noise(1.5, &"Noise.Whistle")


func _walk_as(gait: Gait) -> void:
	_gait = gait
	body.set(&"is_crouching", gait == Gait.SNEAK)


func _read_keys(delta: float) -> void:
	var keys := Input.get_vector(&"move_left", &"move_right", &"move_up", &"move_down")
	var sneaks := _gait == Gait.SNEAK
	if Input.is_action_just_pressed(&"crouch"):
		sneaks = not sneaks
	if Input.is_action_just_pressed(&"whistle"):
		whistle()
	_walk_as(Gait.SNEAK if sneaks else Gait.RUN if Input.is_action_pressed(&"run") else Gait.WALK)
	move(keys * SPEEDS[_gait], delta)
	turn_toward(keys, delta, 2.0)


func _walk_to_goal(delta: float) -> void:
	var way := _goal - place()
	if way.length() > 0.15:
		move(way.normalized() * SPEEDS[_gait], delta)
		turn_toward(way, delta, 2.0)
		return
	_goal = NOWHERE
	arrived.emit()


func _make_steps(way: float) -> void:
	_way_since_step += way
	if _way_since_step < STRIDE:
		return
	_way_since_step = 0.0
	var loudness := LOUDNESS[_gait]
	if _make_noise(loudness, &"Noise.Step"):
		stepped.emit(loudness)


## False when nobody could have heard it: a loudness of 0.
func _make_noise(loudness: float, tag: StringName) -> bool:
	if not source.call(&"report_noise", loudness, tag):
		return false
	var shown := ripple.instantiate()
	body.add_sibling(shown)
	shown.call(&"spread", body.get(&"global_position"), loudness)
	return true
