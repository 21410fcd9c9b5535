class_name Hero
extends Fighter
## Somebody to fight: follows a few fixed rules until you touch a movement key, then it is you.
##
## It has no evaluator: see the others for that.

signal did(what: String)

const RUN := 4.6
const ROLL_SPEED := 9.5
const ROLL_TIME := 0.42
const BLOW_WINDUP := 0.16
const BLOW_TIME := 0.5
const DRINK_TIME := 0.9

## Whom it fights by itself: the nearest of these that stands.
@export var foes: Array[ActingFighter] = []
## It rolls away when one of these begins nearby.
@export var rolls_from: Array[StringName] = []
@export_range(1.0, 6.0, 0.1, "suffix:m") var arm: float = 2.3
@export_range(0.0, 100.0, 0.5) var damage: float = 13.0
## After so many blows it steps back for a while.
@export_range(1, 10) var blows_in_a_row: int = 3
@export_range(0.0, 10.0, 0.1, "suffix:s") var breather: float = 1.8
@export_range(0, 9) var potions: int = 3
@export_range(0.0, 500.0, 5.0) var potion: float = 90.0

var is_played: bool = false

var _busy: float = 0.0  # time left of a roll, a blow or a draught
var _blow_in: float = INF  # time until the fist arrives
var _roll := Vector3.ZERO  # its direction; zero while it does not roll
var _alarm: float = INF  # time until it rolls away
var _alarmed_by: ActingFighter
var _blows: int = 0
var _backing: float = 0.0  # time left of a breather


func _ready() -> void:
	super()
	for foe: ActingFighter in foes:
		foe.brain.action_started.connect(_on_foe_started.bind(foe))


func _physics_process(delta: float) -> void:
	if is_down():
		move(Vector3.ZERO, delta)
		return
	var keys := _read_keys()
	if not is_played and keys != Vector3.ZERO:
		is_played = true
		did.emit("is you now")
	_go_on(delta)
	if _roll != Vector3.ZERO:
		_do_roll(delta)
	elif _busy > 0.0:
		move(Vector3.ZERO, delta)
	elif is_played:
		_be_played(keys, delta)
	else:
		_fight(delta)


func _go_on(delta: float) -> void:
	_busy = maxf(_busy - delta, 0.0)
	_backing = maxf(_backing - delta, 0.0)
	_alarm -= delta
	if _alarm <= 0.0:
		_alarm = INF
		_roll_from(_alarmed_by)
	_blow_in -= delta
	if _blow_in <= 0.0:
		_blow_in = INF
		strike(damage, arm)
	if _busy <= 0.0:
		_roll = Vector3.ZERO


# --- The rules --------------------------------------------------------------------------------


func _fight(delta: float) -> void:
	var foe := nearest_foe()
	if foe == null:
		move(Vector3.ZERO, delta)
		return
	var way := foe.global_position - global_position
	way.y = 0.0
	turn_toward(way, delta)
	if vitals.get_fraction(HEALTH) < 0.45 and potions > 0 and way.length() > 4.0:
		_drink()
	elif _backing > 0.0 or (vitals.get_fraction(HEALTH) < 0.45 and potions > 0):
		move(_way_back(way) * RUN * 0.75, delta)
	elif way.length() > arm - 0.25:
		move(way.normalized() * RUN, delta)
	else:
		move(Vector3.ZERO, delta)
		_blow()


## Away from the foe, and along the walls instead of into them.
func _way_back(way: Vector3) -> Vector3:
	var back := -way.normalized()
	var inward := Vector3(-global_position.x, 0.0, -global_position.z) / 8.0
	return (back + back.cross(Vector3.UP) * 0.5 + inward * inward.length()).normalized()


func nearest_foe() -> ActingFighter:
	var nearest: ActingFighter = null
	for foe: ActingFighter in foes:
		if is_instance_valid(foe) and not foe.is_down() and (nearest == null \
				or _distance(foe) < _distance(nearest)):
			nearest = foe
	return nearest


func _distance(foe: ActingFighter) -> float:
	return global_position.distance_squared_to(foe.global_position)


func _on_foe_started(id: StringName, _target: Node, _run: int, foe: ActingFighter) -> void:
	if not is_played and id in rolls_from and global_position.distance_to(foe.global_position) < 9.0:
		_alarm = 0.45
		_alarmed_by = foe


## From a charge to the side, from everything else away.
func _roll_from(foe: ActingFighter) -> void:
	if is_played or not is_instance_valid(foe) or foe.is_down():
		return
	var way := foe.global_position - global_position
	way.y = 0.0
	roll(_way_back(way) if way.length() < 4.5 else way.normalized().cross(Vector3.UP))


# --- What it can do ---------------------------------------------------------------------------


func roll(direction: Vector3) -> void:
	if _roll != Vector3.ZERO or direction.is_zero_approx():
		return
	_roll = direction.normalized()
	_busy = ROLL_TIME
	_blow_in = INF
	figure.strike(Figure.Blow.TUMBLE, ROLL_TIME * 0.8, 0.15)
	did.emit("rolls")


func _do_roll(delta: float) -> void:
	velocity = _roll * ROLL_SPEED + Vector3.UP * velocity.y
	turn_toward(_roll, delta, 3.0)
	move(_roll * ROLL_SPEED, delta)


func _blow() -> void:
	figure.strike(Figure.Blow.SWING if _blows % 2 == 0 else Figure.Blow.BACKHAND, BLOW_WINDUP, BLOW_TIME - BLOW_WINDUP)
	_busy = BLOW_TIME
	_blow_in = BLOW_WINDUP
	_blows += 1
	if _blows >= blows_in_a_row:
		_blows = 0
		_backing = breather


func _drink() -> void:
	if potions <= 0:
		return
	potions -= 1
	_busy = DRINK_TIME
	vitals.change(HEALTH, potion)
	show_sign("+", Color(0.5, 0.9, 0.5))
	did.emit("drinks a potion, %d left" % potions)


func _is_untouchable() -> bool:
	return _roll != Vector3.ZERO


# --- Played by hand ---------------------------------------------------------------------------


func _read_keys() -> Vector3:
	var keys := Input.get_vector(&"move_left", &"move_right", &"move_up", &"move_down")
	return Vector3(keys.x, 0.0, keys.y)


func _be_played(keys: Vector3, delta: float) -> void:
	move(keys * RUN, delta)
	turn_toward(keys, delta, 2.0)
	if Input.is_action_just_pressed(&"dodge"):
		roll(keys if keys != Vector3.ZERO else global_basis.z)
	elif Input.is_action_just_pressed(&"punch"):
		_blow()
	elif Input.is_action_just_pressed(&"drink"):
		_drink()
