extends MeshInstance3D
## The lamp on a camera: green while it sees nobody, amber while it makes somebody out, red when it calls.

const QUIET := Color(0.3, 0.9, 0.4)

@onready var _camera: WatchCamera = get_parent()
@onready var _light: StandardMaterial3D = material_override.duplicate()


func _ready() -> void:
	material_override = _light


func _process(_delta: float) -> void:
	var perception := _camera.perception
	if perception.get_closest_perceived_target():
		_light.albedo_color = Sentry.ALARMED
	elif not perception.get_detecting_targets().is_empty():
		_light.albedo_color = Sentry.SUSPICIOUS
	else:
		_light.albedo_color = QUIET
