class_name Figure
extends Node3D
## The visible body of a character: legs that walk, a flash when it is hit, a sign above its head.
## It knows nothing of senses or decisions, it only shows what it is told.

@export var stride: float = 0.55  ## How far the legs swing, in radians.
@export var steps_per_meter: float = 3.2

@onready var _left_leg: Node3D = $LeftLeg
@onready var _right_leg: Node3D = $RightLeg
@onready var _sign: Label3D = $Sign

var _phase: float = 0.0
var _swing: float = 0.0
var _sign_time: float = 0.0
var _meshes: Array[GeometryInstance3D] = []
var _overlay: StandardMaterial3D
var _flash: Tween


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
