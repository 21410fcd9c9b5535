class_name Thief
extends Walker
## The one you steer. Others sense it by its StimulusSource3D and by two things that happen here:
## [member is_crouching] is found by its name and lowers the aim points, and every step is a noise.

signal did(what: String)
signal stepped(loudness: float)
signal arrived

enum Gait { SNEAK, WALK, RUN }

const SPEEDS: Dictionary[Gait, float] = {Gait.SNEAK: 1.4, Gait.WALK: 2.6, Gait.RUN: 4.4}
## Multiplies the hearing radius of who listens. Who sneaks makes no noise.
const LOUDNESS: Dictionary[Gait, float] = {Gait.SNEAK: 0.0, Gait.WALK: 0.4, Gait.RUN: 1.0}
const STRIDE := 1.1

@export var ripple: PackedScene

@onready var source: StimulusSource3D = $StimulusSource3D

## AgentAwareness asks for a member of this name; no other code is needed for the stance.
var is_crouching: bool = false
## Off: somebody else calls [method go_to].
var is_played: bool = true

var _goal := Vector3.INF
var _gait := Gait.WALK
var _way_since_step: float = 0.0


func _physics_process(delta: float) -> void:
	if is_played:
		_read_keys(delta)
	elif _goal != Vector3.INF:
		_walk_to_goal(delta)
	else:
		move(Vector3.ZERO, delta)
	_show_crouch(delta)
	_make_steps(delta)


## Walks straight there by itself; [signal arrived] tells when it is there.
func go_to(place: Vector3, gait: Gait) -> Signal:
	_goal = place
	_gait = gait
	is_crouching = gait == Gait.SNEAK
	return arrived


func whistle() -> void:
	figure.show_sign("♪", Color.WHITE)
	source.report_noise(1.5, &"Noise.Whistle")
	_show_ripple(1.5)


func _read_keys(delta: float) -> void:
	var keys := Input.get_vector(&"move_left", &"move_right", &"move_up", &"move_down")
	if Input.is_action_just_pressed(&"crouch"):
		is_crouching = not is_crouching
	if Input.is_action_just_pressed(&"whistle"):
		whistle()
	_gait = Gait.SNEAK if is_crouching else Gait.RUN if Input.is_action_pressed(&"run") else Gait.WALK
	var wanted := Vector3(keys.x, 0.0, keys.y)
	move(wanted * SPEEDS[_gait], delta)
	turn_toward(wanted, delta, 2.0)


func _walk_to_goal(delta: float) -> void:
	var way := _goal - global_position
	way.y = 0.0
	if way.length() > 0.15:
		move(way.normalized() * SPEEDS[_gait], delta)
		turn_toward(way, delta, 2.0)
		return
	_goal = Vector3.INF
	arrived.emit()


func _show_crouch(delta: float) -> void:
	figure.scale.y = move_toward(figure.scale.y, 0.62 if is_crouching else 1.0, delta * 3.0)


func _make_steps(delta: float) -> void:
	_way_since_step += get_real_velocity().slide(Vector3.UP).length() * delta
	if _way_since_step < STRIDE:
		return
	_way_since_step = 0.0
	var loudness := LOUDNESS[_gait]
	if source.report_noise(loudness, &"Noise.Step"):
		_show_ripple(loudness)
		stepped.emit(loudness)


func _show_ripple(loudness: float) -> void:
	var shown: Ripple = ripple.instantiate()
	add_sibling(shown)
	shown.spread(global_position, loudness)
