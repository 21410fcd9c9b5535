class_name Fighter
extends CharacterBody3D
## What all who fight have in common: they walk, turn, strike, are hit and fall.

signal was_hit(attacker: Node3D, amount: float)
signal fell

const HEALTH := &"Vital.Health"
const GRAVITY := 18.0

@export_range(0.5, 20.0, 0.1, "suffix:rad/s") var turn_speed: float = 7.0
@export_range(1.0, 60.0, 0.5, "suffix:m/s²") var acceleration: float = 22.0
@export var hit_spark: PackedScene
## Those of one team do not hit each other; empty: alone against everybody.
@export var team: StringName = &""
## How far a blow knocks it back; 0 does not.
@export_range(0.0, 2.0, 0.05) var knock: float = 1.0
@export_range(0.5, 5.0, 0.05, "suffix:m") var bar_height: float = 2.0
@export var bar_color := Color("d9607a")

@onready var vitals: AgentVitals = $AgentVitals
@onready var figure: Figure = $Figure
@onready var animation := get_node_or_null(^"AnimationPlayer") as AnimationPlayer

var _push := Vector3.ZERO  # what is left of the last knock


func _ready() -> void:
	add_to_group(&"fighters")
	vitals.vital_depleted.connect(_on_vital_depleted)


func is_down() -> bool:
	return vitals.get_value(HEALTH) <= 0.0


## One physics step of walking with the wanted velocity over the ground.
func move(wanted: Vector3, delta: float) -> void:
	var ground := Vector3(velocity.x, 0.0, velocity.z) - _push
	ground = ground.move_toward(Vector3(wanted.x, 0.0, wanted.z), acceleration * delta)
	_push = _push.move_toward(Vector3.ZERO, 14.0 * delta)
	velocity = ground + _push + Vector3.UP * (velocity.y - GRAVITY * delta)
	move_and_slide()
	figure.walk(ground.length(), delta)


## Turns toward a direction over the ground; `pace` scales the turn speed.
func turn_toward(direction: Vector3, delta: float, pace: float = 1.0) -> void:
	if Vector2(direction.x, direction.z).length_squared() < 0.0001:
		return
	# Forward is -Z, so this is the yaw at which -Z points along the direction.
	var wanted := atan2(-direction.x, -direction.z)
	rotation.y = rotate_toward(rotation.y, wanted, turn_speed * pace * delta)


## The moment in which a fist arrives: called by the method track of an animation, or by an execution method. It hits
## who is within `reach` metres and no more than `half_angle` degrees off the way it faces.
func strike(amount: float, reach: float, half_angle: float = 60.0) -> void:
	for node: Node in get_tree().get_nodes_in_group(&"fighters"):
		var other := node as Fighter
		if other == null or other == self or (team and other.team == team):
			continue
		var to_other := other.global_position - global_position
		if to_other.length() <= reach and to_other.normalized().dot(-global_basis.z) > cos(deg_to_rad(half_angle)):
			other.take_hit(self, amount, other.global_position.lerp(global_position, 0.3) + Vector3.UP * 1.1)


## Everything that hurts calls this: fists and stones.
func take_hit(attacker: Node3D, amount: float, at: Vector3) -> void:
	if is_down() or _is_untouchable():
		return
	vitals.change(HEALTH, -amount)
	# This is all that perception needs to know. Who has no Perception3D feels nothing of it.
	PerceptionServer.report_damage(self, attacker, at, amount)
	var away := global_position - attacker.global_position
	_push = Vector3(away.x, 0.0, away.z).normalized() * (1.5 + amount * 0.16) * knock
	figure.flash()
	_show_spark(at)
	was_hit.emit(attacker, amount)


func show_sign(text: String, color: Color, seconds: float = 1.2) -> void:
	figure.show_sign(text, color, seconds)


func send_wave(scene: PackedScene, radius: float) -> void:
	var wave: Shockwave = scene.instantiate()
	add_sibling(wave)
	wave.spread(global_position, radius)


## For those who can roll out of the way.
func _is_untouchable() -> bool:
	return false


func _show_spark(at: Vector3) -> void:
	if hit_spark == null:
		return
	var spark: HitSpark = hit_spark.instantiate()
	add_sibling(spark)
	spark.burst_at(at)


func _on_vital_depleted(tag: StringName) -> void:
	if tag != HEALTH:
		return
	fell.emit()
	create_tween().tween_property(figure, ^"rotation:x", PI * 0.48, 0.35).set_trans(Tween.TRANS_BOUNCE)
