class_name Intruder
extends Fighter
## The only scripted part of the scene: somebody comes for the treasure.
##
## The whole visit is one function, _play_story(), a list of steps that are awaited one by one.
## Touch a movement key and you are the intruder; the story stops where it is.

signal did(what: String)
signal story_ended
signal _arrived
signal _pause_over

const SNEAK := 1.6
const WALK := 2.6
const RUN := 4.8
const HARD := 20.0  ## The damage of a blow that is enough.
const CATCH_BREATH := 0.25

@export var guard: Fighter
@export var bucket: Node3D
@export var places: Node3D  ## The places of the story are its children.
@export var can_be_played: bool = true

@onready var source: StimulusSource3D = $StimulusSource3D

var is_played: bool = false

var _goal := Vector3.ZERO
var _followed: Node3D
var _close_enough: float = 0.0
var _speed: float = 0.0
var _pause_left: float = 0.0
var _watched: Node3D
var _awaited_damage: float = INF


func _ready() -> void:
	super()
	_goal = global_position
	was_hit.connect(_on_was_hit)
	fell.connect(_on_fell)
	_play_story()


func _play_story() -> void:
	await _pause(0.5)
	did.emit("comes in through the gate")
	await _go_to("Gate", WALK)
	await _go_to("Yard", SNEAK)
	did.emit("stops and looks around")
	await _stand_until_hit(2.5)
	did.emit("takes heart")
	await _go_to("Stand", WALK)
	await _stand_until_hit(4.0)
	animation.play(&"punch")
	await _stand_until_hit(6.0, HARD)
	did.emit("runs away")
	for place: String in ["Corner", "BehindWall", "Alley", "Gap", "Hideout"]:
		await _go_to(place, RUN)
	did.emit("hides in the small yard")
	await _pause(7.0)
	did.emit("kicks over a bucket")
	_kick_bucket()
	await _pause(0.5)
	await _go_to("Gap", WALK)
	await _go_to("Lurk", WALK)
	await _pause(2.2)
	did.emit("comes back")
	await _go_to("Gap", RUN)
	await _follow(guard, 1.3, RUN)
	animation.play(&"punch")
	await _stand_until_hit(6.0, HARD)
	did.emit("has had enough")
	for place: String in ["Gap", "Lurk", "North", "Passage", "Gate", "Outside", "Away"]:
		await _go_to(place, RUN)
	did.emit("is gone")
	story_ended.emit()


# --- The steps of a story ---------------------------------------------------------------------
# Each sets what _physics_process has to do and returns the signal that tells when it is done.


func _go_to(place: String, speed: float) -> Signal:
	_goal = (places.get_node(place) as Node3D).global_position
	_close_enough = 0.25
	_speed = speed
	return _arrived


func _follow(who: Node3D, distance: float, speed: float) -> Signal:
	_followed = who
	_close_enough = distance
	_speed = speed
	return _arrived


func _pause(seconds: float) -> Signal:
	_pause_left = seconds
	return _pause_over


## Stands and watches the guard until a hit of at least that much damage has arrived.
func _stand_until_hit(at_most: float, damage: float = 0.0) -> Signal:
	_watched = guard
	_awaited_damage = damage
	return _pause(at_most)


func _kick_bucket() -> void:
	source.report_noise(1.0, &"Noise.Bucket")
	var fall := create_tween().set_trans(Tween.TRANS_BOUNCE).set_ease(Tween.EASE_OUT)
	fall.tween_property(bucket, ^"rotation:z", PI * 0.5, 0.6)


# --- One physics step -------------------------------------------------------------------------


func _physics_process(delta: float) -> void:
	if is_down():
		move(Vector3.ZERO, delta)
		return
	if can_be_played and not is_played and _read_keys() != Vector3.ZERO:
		is_played = true
		did.emit("is you now")
	if is_played:
		_be_played(delta)
	elif _pause_left > 0.0:
		_stand(delta)
	elif _speed > 0.0:
		_walk(delta)
	else:
		move(Vector3.ZERO, delta)


func _walk(delta: float) -> void:
	if _followed:
		_goal = _followed.global_position
	var way := _goal - global_position
	way.y = 0.0
	turn_toward(way, delta)
	if way.length() > _close_enough:
		move(way.normalized() * _speed, delta)
		return
	move(Vector3.ZERO, delta)
	_speed = 0.0
	_followed = null
	_arrived.emit()


func _stand(delta: float) -> void:
	move(Vector3.ZERO, delta)
	if _watched:
		turn_toward(_watched.global_position - global_position, delta)
	_pause_left -= delta
	if _pause_left <= 0.0:
		_watched = null
		_awaited_damage = INF
		_pause_over.emit()


# --- Played by hand ---------------------------------------------------------------------------


func _read_keys() -> Vector3:
	var keys := Input.get_vector(&"move_left", &"move_right", &"move_up", &"move_down")
	return Vector3(keys.x, 0.0, keys.y)


func _be_played(delta: float) -> void:
	var wanted := _read_keys()
	move(wanted * RUN, delta)
	turn_toward(wanted, delta, 2.0)
	if Input.is_action_just_pressed(&"whistle"):
		figure.show_sign("♪", Color.WHITE)
		source.report_noise(1.0, &"Noise.Whistle")
	if Input.is_action_just_pressed(&"punch"):
		animation.play(&"punch")


func _on_was_hit(_attacker: Node3D, amount: float) -> void:
	if amount >= _awaited_damage and not is_played and not is_down():
		_pause_left = minf(_pause_left, CATCH_BREATH)


func _on_fell() -> void:
	source.enabled = false  # nobody senses what lies on the ground: the guard's record ends
	did.emit("is down")
	story_ended.emit()
