class_name Shockwave
extends MeshInstance3D
## A ring that runs over the floor, fades and removes itself.

const SECONDS := 0.45


func spread(from: Vector3, radius: float) -> void:
	global_position = from + Vector3.UP * 0.06
	scale = Vector3(0.3, 1.0, 0.3)
	var run := create_tween().set_parallel().set_trans(Tween.TRANS_QUAD).set_ease(Tween.EASE_OUT)
	run.tween_property(self, ^"scale", Vector3(radius, 1.0, radius), SECONDS)
	run.tween_property(self, ^"transparency", 1.0, SECONDS)
	run.chain().tween_callback(queue_free)
