class_name OrderLines
extends Node2D
## A line through all that each worker is still to do. It asks the current and the waiting orders, and nothing else.


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	for worker: Worker in get_tree().get_nodes_in_group(&"workers"):
		var points: PackedVector2Array = [worker.position]
		var current := worker.orders.get_current_command()
		if current:
			_add(points, current)
		for waiting: CommandInfo in worker.orders.get_command_queue():
			_add(points, waiting)
		var color := Color(worker.color, 0.85 if worker.is_selected else 0.4)
		for i: int in range(1, points.size()):
			draw_dashed_line(points[i - 1], points[i], color, 3.0, 9.0)
			draw_circle(points[i], 5.0, color)


func _add(points: PackedVector2Array, order: CommandInfo) -> void:
	if order.target:
		points.append((order.target as Node2D).position)
	elif order.location != null:
		points.append(order.location)
