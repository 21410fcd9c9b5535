class_name SoftCamera
extends Camera3D
## Looks at the arena from its place and leans gently toward the middle between two nodes.

@export var first: Node3D
@export var second: Node3D
@export_range(0.0, 1.0, 0.01) var follow: float = 0.4
@export_range(0.0, 10.0, 0.1, "suffix:m") var farthest: float = 2.6
@export_range(0.0, 10.0, 0.1) var calmness: float = 1.2

@onready var _home := position


func _process(delta: float) -> void:
	if not is_instance_valid(first) or not is_instance_valid(second):
		return
	var middle := (first.global_position + second.global_position) * 0.5
	var apart := first.global_position.distance_to(second.global_position)
	# Nearer when the two are close together, farther when they are not.
	var closer := global_basis.z * clampf(remap(apart, 3.0, 12.0, 3.5, 0.0), 0.0, 3.5)
	var aside := (Vector3(middle.x, 0.0, middle.z) * follow).limit_length(farthest)
	var goal := _home + aside - closer
	position = position.lerp(goal, 1.0 - exp(-calmness * delta))
