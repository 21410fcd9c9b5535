class_name BenchProbe
extends Node
## Notes when the physics step comes to its place among the nodes.

var at := 0


func _init(priority: int) -> void:
	process_physics_priority = priority


func _physics_process(_delta: float) -> void:
	at = Time.get_ticks_usec()
