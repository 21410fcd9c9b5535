class_name HealthBar
extends ProgressBar
## A small bar that hovers above a fighter and shows its AgentVitals.

@export var fighter: Fighter
@export var height: float = 2.0


func _process(delta: float) -> void:
	var fraction := fighter.vitals.get_fraction(Fighter.HEALTH)
	value = lerpf(value, fraction, 1.0 - exp(-12.0 * delta))
	visible = fraction < 1.0 and fraction > 0.0
	var camera := get_viewport().get_camera_3d()
	position = camera.unproject_position(fighter.global_position + Vector3.UP * height) - size * 0.5
