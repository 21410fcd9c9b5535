extends StaticBody3D
## A crystal on a plinth.

@onready var _crystal: Node3D = $Crystal


func take() -> void:
	_crystal.hide()
