@tool
class_name DemoWall
extends StaticBody3D
## A wall of the demo arenas: give it a size, it builds body, cap stone and collision.

const CAP_HEIGHT := 0.16
const CAP_OVERHANG := 0.07

@export var size := Vector3(4.0, 2.0, 0.5):
	set(value):
		size = value.max(Vector3.ONE * 0.1)
		if is_node_ready():
			_build()


func _ready() -> void:
	_build()


func _build() -> void:
	var body: MeshInstance3D = $Body
	var cap: MeshInstance3D = $Cap
	var shape: CollisionShape3D = $Shape
	# The meshes and the shape belong to this wall alone: they are local to the scene.
	(body.mesh as BoxMesh).size = size - Vector3.UP * CAP_HEIGHT
	body.position.y = (size.y - CAP_HEIGHT) * 0.5
	(cap.mesh as BoxMesh).size = Vector3(size.x + CAP_OVERHANG * 2.0, CAP_HEIGHT, size.z + CAP_OVERHANG * 2.0)
	cap.position.y = size.y - CAP_HEIGHT * 0.5
	(shape.shape as BoxShape3D).size = size
	shape.position.y = size.y * 0.5
