class_name Ripple
extends MeshInstance3D
## A ring on the floor that shows how far a noise carries: to a listener with a hearing radius of 10 m.

const REACH := 10.0


func spread(from: Vector3, loudness: float) -> void:
	global_position = from + Vector3.UP * 0.05
	scale = Vector3(0.1, 1.0, 0.1)
	var radius := REACH * loudness
	var tween := create_tween().set_parallel()
	tween.tween_property(self, ^"scale", Vector3(radius, 1.0, radius), 0.5).set_ease(Tween.EASE_OUT)
	tween.tween_property(self, ^"transparency", 1.0, 0.6)
	tween.chain().tween_callback(queue_free)
