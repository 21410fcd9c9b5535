class_name HitSpark
extends CPUParticles3D
## A burst of sparks that removes itself.


func burst_at(place: Vector3) -> void:
	global_position = place
	finished.connect(queue_free)
	emitting = true
