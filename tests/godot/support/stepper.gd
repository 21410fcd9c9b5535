extends Node
## Does something in every physics step.

var does: Callable = Callable()


func _physics_process(_delta: float) -> void:
	if does.is_valid():
		does.call()
