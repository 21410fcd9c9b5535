class_name Worker
extends Node2D
## A figure seen from above that walks where its orders send it. It knows no order: executions call [method walk_to].

## A walk is over; false if it was broken off.
signal walk_ended(reached: bool)

@export_range(10.0, 400.0, 5.0, "suffix:px/s") var speed: float = 130.0
@export var color := Color(0.3, 0.45, 0.7)

@onready var orders: CommandSystem = $CommandSystem

var is_selected: bool = false
## Goes up and down while it works.
var work: float = 0.0

var _goal: Variant = null


func walk_to(point: Vector2) -> void:
	stop()
	_goal = point


func stop(reached: bool = false) -> void:
	if _goal != null:
		_goal = null
		walk_ended.emit(reached)


func _physics_process(delta: float) -> void:
	if _goal == null:
		return
	var goal: Vector2 = _goal
	if goal != position:
		rotation = rotate_toward(rotation, (goal - position).angle(), 10.0 * delta)
	position = position.move_toward(goal, speed * delta)
	if position.is_equal_approx(goal):
		stop(true)


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	draw_circle(Vector2(3, 4).rotated(-rotation), 17.0, Color(0, 0, 0, 0.25))
	if is_selected:
		draw_arc(Vector2.ZERO, 22.0, 0.0, TAU, 32, Color(0.98, 0.86, 0.45), 3.0)
	draw_circle(Vector2.ZERO, 17.0, color.darkened(0.35))
	draw_circle(Vector2.ZERO, 14.0, color)
	draw_line(Vector2(8, 12), Vector2(22 + 6.0 * sin(work), 12), Color(0.4, 0.3, 0.2), 4.0)
	for side: float in [-1.0, 1.0]:
		draw_circle(Vector2(8.0, 7.0 * side), 3.5, Color.WHITE)
		draw_circle(Vector2(9.5, 7.0 * side), 1.8, Color(0.1, 0.12, 0.16))
