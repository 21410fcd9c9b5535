class_name DemoArena2D
extends NavigationRegion2D
## Finds out at the start where one can walk, and paints the floor.

@export var floor_size := Vector2(960.0, 660.0)


func _ready() -> void:
	bake_navigation_polygon(false)


func _draw() -> void:
	draw_rect(Rect2(-2000, -2000, 4000, 4000), Color(0.58, 0.64, 0.47))
	var paving := Rect2(-floor_size * 0.5, floor_size)
	draw_rect(paving, Color(0.93, 0.87, 0.78))
	var tile := 60.0
	for i: int in int(paving.size.x / tile) + 1:
		var x := paving.position.x + i * tile
		draw_line(Vector2(x, paving.position.y), Vector2(x, paving.end.y), Color(0.85, 0.78, 0.68), 1.5)
	for i: int in int(paving.size.y / tile) + 1:
		var y := paving.position.y + i * tile
		draw_line(Vector2(paving.position.x, y), Vector2(paving.end.x, y), Color(0.85, 0.78, 0.68), 1.5)
