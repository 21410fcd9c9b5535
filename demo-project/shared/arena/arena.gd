class_name DemoArena
extends NavigationRegion3D
## Finds out at the start where one can walk: move or add walls, press Play, the guards know the way.


func _ready() -> void:
	bake_navigation_mesh(false)
