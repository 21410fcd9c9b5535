class_name BenchPlain
extends Node
## A node with an empty step.


func _physics_process(_delta: float) -> void:
	pass
