class_name Guard
extends Fighter
## A guard that lives on what Riposte tells it.
##
## Perception3D says what it sees, hears and feels; ActionEvaluator picks jab, heavy blow or stone.
## What is left for this script: where to stand and where to look. Nothing here knows the intruder
## before a signal has named it.

enum Duty { ON_POST, STARTLED, CHASE, SEARCH, LOOK_AROUND, GO_BACK }

const ALARM := Color(0.93, 0.33, 0.25)
const PUZZLED := Color(0.98, 0.75, 0.3)
const CALM := Color(0.85, 0.9, 0.95)

@export_range(0.5, 8.0, 0.1, "suffix:m/s") var walk_speed: float = 2.6
@export_range(0.5, 8.0, 0.1, "suffix:m/s") var run_speed: float = 3.6
@export_range(0.0, 3.0, 0.05, "suffix:s") var startle_time: float = 0.45
@export_range(0.5, 5.0, 0.1, "suffix:m") var fight_distance: float = 1.6

@onready var perception: Perception3D = $Perception3D
@onready var tags: TagContainer = $TagContainer
@onready var brain: ActionEvaluator = $ActionEvaluator
@onready var navigation: NavigationAgent3D = $NavigationAgent3D

var duty := Duty.ON_POST

var _time_on_duty: float = 0.0
var _after_startle := Duty.CHASE
var _place := Vector3.ZERO  # where it wants to go
var _looking := Vector3.FORWARD  # the middle of its glances when it looks around
var _post := Vector3.ZERO
var _post_facing := Vector3.FORWARD


func _ready() -> void:
	super()
	_post = global_position
	_post_facing = -global_basis.z
	perception.target_perceived.connect(_on_target_perceived)
	perception.target_sight_gained.connect(_on_target_sight_gained)
	perception.target_sight_lost.connect(_on_target_sight_lost)
	perception.noise_heard.connect(_on_noise_heard)
	perception.damage_sensed.connect(_on_damage_sensed)
	perception.target_lost.connect(_on_target_lost)
	fell.connect(brain.stop)
	fell.connect(($VisionCone as Node3D).hide)


func is_at_post() -> bool:
	return duty == Duty.ON_POST


# --- What the senses report -------------------------------------------------------------------


func _on_target_perceived(event: PerceptionEvent) -> void:
	_place = event.location
	# A noise is worth a look; what it saw, or what hurt it, is worth running.
	if event.sense == PerceptionEvent.SENSE_HEARING:
		return  # noise_heard follows and handles it
	_startle(Duty.CHASE, "!", ALARM)


func _on_target_sight_gained(event: PerceptionEvent) -> void:
	_place = event.location
	if duty != Duty.STARTLED and duty != Duty.CHASE:
		_startle(Duty.CHASE, "!", ALARM)


func _on_target_sight_lost(event: PerceptionEvent) -> void:
	_place = event.location  # the last known place
	_startle(Duty.SEARCH, "?", PUZZLED)


func _on_noise_heard(event: PerceptionEvent) -> void:
	if _sees_someone():
		return
	_place = event.stimulus_location
	_startle(Duty.SEARCH, "?", PUZZLED)


func _on_damage_sensed(event: PerceptionEvent) -> void:
	if _sees_someone():
		return
	_place = event.location  # where the attacker stood
	_startle(Duty.CHASE, "!", ALARM)


func _on_target_lost(_event: PerceptionEvent) -> void:
	if perception.get_closest_perceived_target() == null:
		figure.show_sign("...", CALM, 1.6)
		_begin(Duty.GO_BACK)


# --- Where to stand and where to look ---------------------------------------------------------


func _physics_process(delta: float) -> void:
	_time_on_duty += delta
	if is_down():
		move(Vector3.ZERO, delta)
	elif tags.has_tag(&"State.MovementBlocked"):
		# The running action put this tag on us (its add_tags): feet still, eyes on the target.
		_stand_and_face(brain.get_running_target() as Node3D, delta)
	else:
		_do_duty(delta)


func _do_duty(delta: float) -> void:
	match duty:
		Duty.ON_POST:
			# A slow glance to both sides.
			_stand_and_look(_post_facing.rotated(Vector3.UP, sin(_time_on_duty * 0.7) * 0.5), 0.25, delta)
		Duty.STARTLED:
			_stand_and_look(_place - global_position, 1.0, delta)
			if _time_on_duty >= startle_time:
				_begin(_after_startle)
		Duty.CHASE:
			_chase(delta)
		Duty.SEARCH:
			if _walk_to(_place, walk_speed, 0.7, delta):
				_looking = -global_basis.z
				_begin(Duty.LOOK_AROUND)
		Duty.LOOK_AROUND:
			_stand_and_look(_looking.rotated(Vector3.UP, sin(_time_on_duty * 1.6) * 2.0), 0.5, delta)
			# As long as perception remembers someone it stays; target_lost sends it home.
			if _time_on_duty > 3.0 and perception.get_closest_perceived_target() == null:
				_begin(Duty.GO_BACK)
		Duty.GO_BACK:
			if _walk_to(_post, walk_speed, 0.3, delta):
				_begin(Duty.ON_POST)


func _chase(delta: float) -> void:
	var target: Node3D = perception.get_closest_perceived_target()
	if target == null:
		_begin(Duty.GO_BACK)
	elif not perception.can_sense(target, PerceptionEvent.SENSE_SIGHT):
		_begin(Duty.SEARCH)
	elif global_position.distance_to(target.global_position) <= fight_distance:
		_stand_and_face(target, delta)
	else:
		_walk_to(target.global_position, run_speed, fight_distance, delta)


## Walks around walls. True when it is there.
func _walk_to(place: Vector3, speed: float, close_enough: float, delta: float) -> bool:
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


func _stand_and_face(target: Node3D, delta: float) -> void:
	move(Vector3.ZERO, delta)
	if target:
		turn_toward(target.global_position - global_position, delta)


func _stand_and_look(direction: Vector3, pace: float, delta: float) -> void:
	move(Vector3.ZERO, delta)
	turn_toward(direction, delta, pace)


func _sees_someone() -> bool:
	var target: Node3D = perception.get_closest_perceived_target()
	return target != null and perception.can_sense(target, PerceptionEvent.SENSE_SIGHT)


func _startle(next: Duty, text: String, color: Color) -> void:
	figure.show_sign(text, color)
	_after_startle = next
	_begin(Duty.STARTLED)


func _begin(next: Duty) -> void:
	duty = next
	_time_on_duty = 0.0


# --- What the actions call --------------------------------------------------------------------


## The heavy blow, called by the CallMethod of actions/heavy.tres. It is a coroutine: the action
## runs until it returns. The damage itself comes from the animation, see strike().
func heavy_blow(_context: ActionContext) -> bool:
	animation.play(&"heavy")
	await animation.animation_finished
	return true


## The abort method of the same action: somebody or something cut the blow short.
func stop_blow(_reason: int) -> void:
	animation.play(&"RESET")


func get_hand_position() -> Vector3:
	return ($Figure/Torso/RightArm/Hand as Node3D).global_position
