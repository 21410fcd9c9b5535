class_name BenchClock
extends Node
## Notes the time when it is its turn in the physics step.

var usec := 0


func _physics_process(_delta: float) -> void:
	usec = Time.get_ticks_usec()
