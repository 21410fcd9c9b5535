extends MeshInstance3D
## The lamp on a camera: green while it sees nobody, amber while it makes somebody out, red when it calls.

@export var watch: WatchCamera

@onready var _light: StandardMaterial3D = material_override.duplicate()


func _ready() -> void:
	material_override = _light


func _process(_delta: float) -> void:
	_light.albedo_color = watch.get_lamp()
