class_name Champion
extends Fighter
## A fighter whose every move is a node of an action graph, for the player and for the squire alike.
##
## The graph says what may follow what; blows land by method keys of the animations ([method strike]). What is left for
## this script: walking, hopping, and what guarding and parrying do to a blow.

signal did(what: String)
## The blow of somebody glanced off.
signal parried(attacker: Node3D)

const STAMINA := &"Vital.Stamina"
const DODGING := &"State.Dodging"
const GUARDING := &"State.Guarding"
const PARRYING := &"State.Parrying"
const PARRIED := &"Event.Parried"
const RUN := 4.2
const HOP_SPEED := 6.5
const GUARD_COST := 10.0  # stamina, for each blow that is caught

## Whom it looks at and aims for: the nearest of these that stands.
@export var foes: Array[Fighter] = []
@export_range(1.0, 20.0, 0.5, "suffix:m") var sight: float = 7.0

@onready var moves: ActionGraphPlayer = $ActionGraphPlayer
@onready var approach: AttackApproach3D = $AttackApproach3D
@onready var tags: TagContainer = $TagContainer
@onready var _hand: Node3D = $Figure/Torso/RightArm/Hand
@onready var _shield_hand: Node3D = $Figure/Torso/LeftArm/ShieldHand

var _hop := Vector3.ZERO


func _ready() -> void:
	super()
	moves.action_started.connect(_on_action_started)
	moves.action_ended.connect(_on_action_ended)
	moves.graph_reset.connect(func() -> void: animation.play(&"RESET", 0.2))
	fell.connect(func() -> void: moves.interrupt_for_external(&"fell"))


func _physics_process(delta: float) -> void:
	if is_down() or tags.has_tag(&"State.Staggered") or tags.has_tag(&"State.Paired"):
		move(Vector3.ZERO, delta)
		return
	var foe := _nearest_foe()
	moves.set_target(foe)
	var planar := moves.get_move_direction()
	var wanted := Vector3(planar.x, 0.0, planar.y)
	var scale_by := moves.get_locomotion_scale()
	if _hop != Vector3.ZERO:
		velocity = Vector3(_hop.x, velocity.y, _hop.z)
		move(_hop, delta)
	else:
		move(wanted * RUN * scale_by.x + approach.get_motion(), delta)
	var look := wanted
	if foe and (moves.is_action_running() or wanted == Vector3.ZERO):
		look = foe.global_position - global_position
	turn_toward(look, delta, scale_by.z)


# --- Weapons ----------------------------------------------------------------------------------


## Takes a weapon into the hand, and a shield; null for none. The [ActionGraphGrant] in its scene brings the moves.
func wield(weapon: PackedScene, shield: PackedScene = null) -> void:
	for hand: Array in [[_hand, weapon], [_shield_hand, shield]]:
		var place: Node3D = hand[0]
		for old: Node in place.get_children():
			old.free()
		if hand[1]:
			place.add_child((hand[1] as PackedScene).instantiate())


# --- Blows ------------------------------------------------------------------------------------


## A parry turns the blow back on who strikes, a guard takes most of it.
func take_hit(attacker: Node3D, amount: float, at: Vector3) -> void:
	if is_down() or _is_untouchable():
		return
	if moves.has_action_tag(PARRYING):
		figure.flash(Color(1.0, 0.9, 0.5))
		_show_spark(at)
		did.emit("parries")
		# An event of the game is an input like any other: the graph has a riposte for it.
		moves.process_input(PARRIED)
		parried.emit(attacker)
		return
	if moves.has_action_tag(GUARDING):
		vitals.change(STAMINA, -GUARD_COST)
		did.emit("catches a blow")
		super(attacker, amount * 0.15, at)
		return
	super(attacker, amount, at)
	moves.interrupt_for_external(&"hit")


## Called by the animation `finisher`.
func finish_off() -> void:
	var foe := moves.get_target() as Fighter
	if foe:
		foe.take_hit(self, 70.0, foe.global_position + Vector3.UP * 1.1)


func _is_untouchable() -> bool:
	return moves.has_action_tag(DODGING)


# --- Moves ------------------------------------------------------------------------------------


func _on_action_started(node: StringName, run: ActionRun) -> void:
	if node == &"hop":
		var way := run.direction
		if way == Vector2.ZERO:
			way = Vector2(-global_basis.z.x, -global_basis.z.z)
		_hop = Vector3(way.x, 0.0, way.y).normalized() * HOP_SPEED


func _on_action_ended(node: StringName, _reason: int) -> void:
	if node == &"hop":
		_hop = Vector3.ZERO


func _nearest_foe() -> Fighter:
	var nearest: Fighter = null
	for foe: Fighter in foes:
		if foe.is_down() or global_position.distance_to(foe.global_position) > sight:
			continue
		if nearest == null or _distance(foe) < _distance(nearest):
			nearest = foe
	return nearest


func _distance(foe: Fighter) -> float:
	return global_position.distance_squared_to(foe.global_position)
