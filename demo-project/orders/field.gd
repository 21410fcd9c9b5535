extends Node2D
## The root of the scene: a box selects, a right-click orders, Shift puts the order behind the others, S stops.
##
## Until somebody touches the mouse it plays a short course, by the same calls.

const MOVE: CommandDefinition = preload("res://orders/commands/move.tres")
const PATROL: CommandDefinition = preload("res://orders/commands/patrol.tres")
const CLICK := 6.0  # px; a smaller box is a click
const NEAR := 30.0  # px; what is nearer to a click is meant

@export var log: CourseLog

@onready var _bar: CommandBar = $CommandBar
@onready var _ann: Worker = $Ann
@onready var _bob: Worker = $Bob
@onready var _cid: Worker = $Cid

var _is_played: bool = false
var _box_from: Variant = null


func _ready() -> void:
	for worker: Worker in _workers():
		worker.orders.command_ended.connect(_on_command_ended.bind(worker))
		worker.orders.command_suspended.connect(func(order: CommandInfo) -> void:
			log.add("%s puts %s aside" % [worker.name, order.command_name]))
		worker.orders.command_resumed.connect(func(order: CommandInfo) -> void:
			log.add("%s goes on with %s" % [worker.name, order.command_name]))
		worker.orders.became_idle.connect(func() -> void: log.add("%s is idle" % worker.name))
	_play()


func _process(_delta: float) -> void:
	var selected := _selected()
	_bar.show_options(selected[0] if selected else null, _meant_at(get_global_mouse_position()))
	queue_redraw()


func _draw() -> void:
	if _box_from != null:
		var box := _box(get_global_mouse_position())
		draw_rect(box, Color(0.98, 0.86, 0.45, 0.15))
		draw_rect(box, Color(0.98, 0.86, 0.45), false, 2.0)


# --- Orders -----------------------------------------------------------------------------------


## What a right-click means is asked of each worker.
func order_at(point: Vector2, shift: bool) -> void:
	var entry := CommandSystem.ENTRY_ENQUEUE if shift else CommandSystem.ENTRY_ISSUE
	for worker: Worker in _selected():
		var option := worker.orders.get_best_option(_meant_at(point))
		if option:
			_submit(worker, option.make_request(), entry)


func stop() -> void:
	for worker: Worker in _selected():
		worker.orders.clear_commands()


func select(workers: Array[Worker]) -> void:
	for worker: Worker in _workers():
		worker.is_selected = worker in workers


func _submit(worker: Worker, request: CommandRequest, entry: int) -> void:
	request.source = &"player"
	var receipt := worker.orders.submit(request, entry)
	if receipt.is_rejected():
		log.add("%s: %s" % [worker.name, CommandSystem.describe_reason(receipt.reason)])


## A tree, if one is there, else the point.
func _meant_at(point: Vector2) -> Variant:
	for tree: Node2D in get_tree().get_nodes_in_group(&"trees"):
		if not tree.is_queued_for_deletion() and tree.position.distance_to(point) < NEAR:
			return tree
	return point


func _workers() -> Array[Worker]:
	return [_ann, _bob, _cid]


func _selected() -> Array[Worker]:
	return _workers().filter(func(worker: Worker) -> bool: return worker.is_selected)


func _on_command_ended(order: CommandInfo, result: int, reason: StringName, worker: Worker) -> void:
	var words: Dictionary[int, String] = {
		CommandSystem.RESULT_SUCCEEDED: "has done", CommandSystem.RESULT_FAILED: "has failed at",
		CommandSystem.RESULT_CANCELLED: "ends", CommandSystem.RESULT_DROPPED: "drops",
	}
	var why := " (%s)" % reason if reason else ""
	log.add("%s %s %s%s" % [worker.name, words[result], order.command_name, why])


# --- Mouse and keys ---------------------------------------------------------------------------


func _unhandled_input(event: InputEvent) -> void:
	# The place of the event itself: several may come in one frame.
	var button := make_input_local(event) as InputEventMouseButton
	if button and button.button_index == MOUSE_BUTTON_LEFT:
		_take_over()
		if button.pressed:
			_box_from = button.position
		elif _box_from != null:
			_select_box(button.position)
	elif button and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_take_over()
		order_at(button.position, button.shift_pressed)
	var key := event as InputEventKey
	if key and key.pressed and not key.echo:
		_press(key.physical_keycode, key.shift_pressed)


func _press(key: Key, shift: bool) -> void:
	if key == KEY_S:
		_take_over()
		stop()
	elif key == KEY_P:
		_take_over()
		for worker: Worker in _selected():
			var request := CommandRequest.to_location(PATROL, get_global_mouse_position())
			_submit(worker, request, CommandSystem.ENTRY_ENQUEUE if shift else CommandSystem.ENTRY_ISSUE)
	elif key == KEY_E:
		_take_over()
		for worker: Worker in _selected():
			var request := CommandRequest.to_location(MOVE, get_global_mouse_position())
			_submit(worker, request, CommandSystem.ENTRY_INTERRUPT)
	elif key == KEY_R:
		get_tree().reload_current_scene()


func _box(to: Vector2) -> Rect2:
	var from: Vector2 = _box_from
	return Rect2(from, to - from).abs()


func _select_box(to: Vector2) -> void:
	var box := _box(to)
	_box_from = null
	if box.get_area() < CLICK * CLICK:
		box = box.grow(NEAR)
	select(_workers().filter(func(worker: Worker) -> bool: return box.has_point(worker.position)))


func _take_over() -> void:
	if not _is_played:
		_is_played = true
		log.add("You give the orders now")


# --- The course -------------------------------------------------------------------------------


func _play() -> void:
	await _wait(1.0)
	while not _is_played:
		await _queue_waypoints()
		await _interrupt_a_patrol()
		await _fell_a_tree()
		await _stop_them()
		if CourseLog.is_requested():
			log.finish()
			return
		await _wait(2.0)


func _queue_waypoints() -> void:
	if _begin("Waypoints with Shift", [_ann, _bob]):
		order_at(Vector2(-180, -120), false)
		order_at(Vector2(0, -200), true)
		order_at(Vector2(160, -60), true)
		var waiting := _ann.orders.get_queue_length()
		await _until(func() -> bool: return _ann.orders.is_idle() and _bob.orders.is_idle())
		if waiting == 2 and _ann.position.distance_to(Vector2(160, -60)) < 1.0:
			log.note("waypoints")
		await _part()


func _interrupt_a_patrol() -> void:
	if _begin("A patrol is interrupted and goes on", [_cid]):
		_submit(_cid, CommandRequest.to_location(PATROL, Vector2(-260, 160)), CommandSystem.ENTRY_ISSUE)
		await _wait(2.0)
		_submit(_cid, CommandRequest.to_location(MOVE, Vector2(60, 40)), CommandSystem.ENTRY_INTERRUPT)
		await _until(func() -> bool: return _current(_cid) == &"Patrol")
		await _wait(1.5)
		if _current(_cid) == &"Patrol":
			log.note("patrol")


func _fell_a_tree() -> void:
	var trees := get_tree().get_nodes_in_group(&"trees")
	if not trees.is_empty() and _begin("A right-click on a tree fells it", [_ann, _bob]):
		order_at((trees[0] as Node2D).position, false)
		order_at(Vector2(-60, 0), true)
		await _until(func() -> bool: return _ann.orders.is_idle() and _bob.orders.is_idle())
		if not is_instance_valid(trees[0]):
			log.note("tree")
		await _part()


func _stop_them() -> void:
	if _begin("S stops them", _workers()):
		order_at(Vector2(250, 180), true)
		order_at(Vector2(-250, 180), true)
		await _wait(1.0)
		stop()
		if _workers().all(func(worker: Worker) -> bool: return worker.orders.is_idle()):
			log.note("stop")


func _begin(title: String, workers: Array[Worker]) -> bool:
	if _is_played:
		return false
	log.add("- " + title)
	select(workers)
	return true


## Who stands on the same place steps aside.
func _part() -> void:
	if not _is_played:
		select([_bob])
		order_at(_bob.position + Vector2(0, 50), false)
		await _until(_bob.orders.is_idle)


func _current(worker: Worker) -> StringName:
	var order := worker.orders.get_current_command()
	return order.command_name if order else &""


func _until(is_done: Callable) -> void:
	while not _is_played and not is_done.call():
		await get_tree().physics_frame


func _wait(seconds: float) -> void:
	while seconds > 0.0 and not _is_played:
		await get_tree().physics_frame
		seconds -= get_physics_process_delta_time()
