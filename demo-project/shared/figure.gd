class_name Figure
extends Node3D
## The visible body of a character: legs that walk, a flash when it is hit, a sign above its head.
## It knows nothing of senses or decisions, it only shows what it is told.

enum Blow { SWING, BACKHAND, OVERHEAD, SPIN, ROAR, THROW, TUMBLE }

## Torso, right arm and left arm: at rest, drawn back and at the end of each blow.
const REST: Array[Vector3] = [Vector3.ZERO, Vector3(0.25, 0.0, 0.12), Vector3(0.25, 0.0, -0.12)]
const DRAWN: Dictionary[Blow, Array] = {
	Blow.SWING: [Vector3(0.0, -0.7, 0.0), Vector3(0.6, 0.0, 1.3), Vector3(0.8, 0.0, -0.1)],
	Blow.BACKHAND: [Vector3(0.0, 0.8, 0.0), Vector3(1.3, 0.0, -0.7), Vector3(0.6, 0.0, -0.5)],
	Blow.OVERHEAD: [Vector3(0.3, 0.0, 0.0), Vector3(3.1, 0.0, -0.25), Vector3(3.1, 0.0, 0.25)],
	Blow.SPIN: [Vector3(0.1, -0.9, 0.0), Vector3(0.2, 0.0, 1.4), Vector3(0.2, 0.0, -1.4)],
	Blow.ROAR: [Vector3(-0.25, 0.0, 0.0), Vector3(0.4, 0.0, 0.5), Vector3(0.4, 0.0, -0.5)],
	Blow.THROW: [Vector3(0.15, -0.7, 0.0), Vector3(-2.1, 0.0, 0.5), Vector3(1.4, 0.0, -0.2)],
	Blow.TUMBLE: [Vector3(-0.5, 0.0, 0.0), Vector3(1.2, 0.0, 0.1), Vector3(1.2, 0.0, -0.1)],
}
const STRUCK: Dictionary[Blow, Array] = {
	Blow.SWING: [Vector3(-0.15, 0.8, 0.0), Vector3(1.6, 0.0, -0.5), Vector3(0.5, 0.0, -0.3)],
	Blow.BACKHAND: [Vector3(-0.1, -0.7, 0.0), Vector3(1.4, 0.0, 1.2), Vector3(0.6, 0.0, -0.4)],
	Blow.OVERHEAD: [Vector3(-0.55, 0.0, 0.0), Vector3(0.9, 0.0, -0.25), Vector3(0.9, 0.0, 0.25)],
	Blow.SPIN: [Vector3(0.0, TAU, 0.0), Vector3(0.2, 0.0, 1.5), Vector3(0.2, 0.0, -1.5)],
	Blow.ROAR: [Vector3(0.35, 0.0, 0.0), Vector3(0.3, 0.0, 2.2), Vector3(0.3, 0.0, -2.2)],
	Blow.THROW: [Vector3(-0.2, 0.55, 0.0), Vector3(1.4, 0.0, 0.1), Vector3(0.4, 0.0, -0.3)],
	Blow.TUMBLE: [Vector3(-TAU, 0.0, 0.0), Vector3(1.2, 0.0, 0.1), Vector3(1.2, 0.0, -0.1)],
}

@export var stride: float = 0.55  ## How far the legs swing, in radians.
@export var steps_per_meter: float = 3.2

@onready var _left_leg: Node3D = $LeftLeg
@onready var _right_leg: Node3D = $RightLeg
@onready var _sign: Label3D = $Sign
@onready var _joints: Array[Node3D] = _find_joints()

var _phase: float = 0.0
var _swing: float = 0.0
var _sign_time: float = 0.0
var _meshes: Array[GeometryInstance3D] = []
var _overlay: StandardMaterial3D
var _flash: Tween
var _pose: Tween


func _ready() -> void:
	_sign.text = ""
	# One see-through white coat over all meshes; its alpha is the flash.
	_overlay = StandardMaterial3D.new()
	_overlay.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	_overlay.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA
	for node: Node in find_children("*", "MeshInstance3D"):
		_meshes.append(node as GeometryInstance3D)


## Call it once per physics step with the speed of the body over the ground.
func walk(speed: float, delta: float) -> void:
	_phase += speed * steps_per_meter * delta
	_swing = move_toward(_swing, clampf(speed / 2.0, 0.0, 1.0), delta * 6.0)
	_left_leg.rotation.x = sin(_phase) * stride * _swing
	_right_leg.rotation.x = -_left_leg.rotation.x
	position.y = absf(cos(_phase)) * 0.06 * _swing


func flash(color: Color = Color.WHITE) -> void:
	if _flash:
		_flash.kill()
	_overlay.albedo_color = Color(color, 0.85)
	for mesh: GeometryInstance3D in _meshes:
		mesh.material_overlay = _overlay
	_flash = create_tween()
	_flash.tween_property(_overlay, ^"albedo_color:a", 0.0, 0.3)
	_flash.tween_callback(_end_flash)


## Draws back for `windup` seconds, strikes, and is at rest again after `recover` seconds more.
func strike(blow: Blow, windup: float, recover: float) -> void:
	if _joints.is_empty():
		return
	_begin_pose()
	_turn_joints(DRAWN[blow], windup * 0.8)
	_turn_joints(STRUCK[blow], maxf(windup * 0.2, 0.05))
	if blow == Blow.SPIN or blow == Blow.TUMBLE:
		_pose.tween_callback(_joints[0].set.bind(&"rotation", Vector3.ZERO))  # a full turn ends where it began
	_pose.tween_interval(recover * 0.3)
	_turn_joints(REST, recover * 0.7)


## Whatever the arms are doing, they go down.
func rest() -> void:
	if _joints.is_empty():
		return
	_begin_pose()
	_turn_joints(REST, 0.15)


## Torso, right arm and left arm; none of a figure that has no arms, which strikes no blows.
func _find_joints() -> Array[Node3D]:
	var found: Array[Node3D] = []
	if has_node(^"Torso"):
		found.assign([$Torso, $Torso/RightArm, $Torso/LeftArm])
	return found


func _begin_pose() -> void:
	if _pose:
		_pose.kill()
	_pose = create_tween().set_process_mode(Tween.TWEEN_PROCESS_PHYSICS).set_trans(Tween.TRANS_SINE)


func _turn_joints(pose: Array, seconds: float) -> void:
	_pose.tween_property(_joints[0], ^"rotation", pose[0], seconds)
	for i: int in [1, 2]:
		_pose.parallel().tween_property(_joints[i], ^"rotation", pose[i], seconds)


## Shows a short text ("!", "?") above the head for a moment.
func show_sign(text: String, color: Color, seconds: float = 1.2) -> void:
	_sign.text = text
	_sign.modulate = color
	_sign_time = seconds
	_sign.scale = Vector3.ONE * 1.6
	create_tween().set_trans(Tween.TRANS_BACK).tween_property(_sign, ^"scale", Vector3.ONE, 0.25)


func _process(delta: float) -> void:
	_sign_time -= delta
	_sign.modulate.a = clampf(_sign_time * 4.0, 0.0, 1.0)
	_sign.outline_modulate.a = _sign.modulate.a


func _end_flash() -> void:
	for mesh: GeometryInstance3D in _meshes:
		mesh.material_overlay = null
