class_name FollowCamera
extends Camera3D
## Stands behind the one it follows and looks towards whom that one fights. Nothing to steer: pushing the stick up always
## leads into the picture.

@export var who: Champion
@export_range(1.0, 12.0, 0.1, "suffix:m") var distance: float = 5.4
@export_range(0.5, 6.0, 0.1, "suffix:m") var height: float = 2.9
@export_range(0.0, 10.0, 0.1) var calmness: float = 2.4

var _yaw: float = 0.0
var _place := Vector3.ZERO


func _ready() -> void:
	_yaw = who.global_rotation.y
	_place = who.global_position
	_stand()


func _process(delta: float) -> void:
	var ease_by := 1.0 - exp(-calmness * delta)
	var foe := who.moves.get_target() as Node3D
	if foe:
		var way := foe.global_position - who.global_position
		_yaw = lerp_angle(_yaw, atan2(-way.x, -way.z) + 0.45, ease_by)
	_place = _place.lerp(who.global_position, 1.0 - exp(-8.0 * delta))
	_stand()


func _stand() -> void:
	var back := Vector3(0.0, height, distance).rotated(Vector3.UP, _yaw)
	look_at_from_position(_place + back, _place + Vector3.UP * 1.1 - Vector3(0.0, 0.0, 1.2).rotated(Vector3.UP, _yaw))
