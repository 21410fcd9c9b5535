class_name BenchEmptyNode
extends Node
## A node that is stepped and does nothing.


func _physics_process(_delta: float) -> void:
	pass
