extends Node
## A program of its own: a character leaves the tree in the middle of a move, then another one when the program ends. What is told
## meanwhile is printed, after `BEGIN leaving` and `BEGIN quitting`. See test_graph_quit.gd.


class Hook:
	extends ActionGraphHook

	func _exit(_run: ActionRun, reason: int) -> void:
		print("_exit %d" % reason)


class Payload:
	extends ActionPayload

	func _execute(run: ActionRun) -> bool:
		return run.open_window()

	func _stop(_run: ActionRun, reason: int) -> void:
		print("_stop %d" % reason)


## Tells when its speed is set.
class Body:
	extends Node3D

	func _set_locomotion_scale(speed: float, _acceleration: float, _turn: float) -> void:
		print("_set_locomotion_scale %s" % speed)


func _ready() -> void:
	var first: ActionGraphPlayer = _character()
	await get_tree().process_frame
	_listen(first)
	print("BEGIN leaving")
	first.get_parent().free()
	var second: ActionGraphPlayer = _character()
	await get_tree().process_frame
	await get_tree().process_frame
	_listen(second)
	print("BEGIN quitting")
	get_tree().quit()


func _character() -> ActionGraphPlayer:
	var graph: ActionGraph = ActionGraph.new()
	var node: ActionGraphNode = graph.add_node(&"slash", Payload.new())
	var slow: LocomotionModifierHook = LocomotionModifierHook.new()
	slow.speed_scale = 0.5
	node.hooks = [Hook.new(), slow]
	var cooldown: ActionCooldown = ActionCooldown.new()
	cooldown.starts = ActionCooldown.ON_END
	node.cooldown = cooldown
	graph.add_transition(&"root", &"slash", &"LA")
	var body: Body = Body.new()
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	player.default_graph = ActionGraph.new()
	body.add_child(player)
	var grant: ActionGraphGrant = ActionGraphGrant.new()
	grant.graph = graph
	body.add_child(grant)
	add_child(body)
	player.process_input(&"LA")
	player.queue_input_sequence(["LA", "LA"], ActionGraphPlayer.SEQUENCE_DISCRETE)
	return player


func _listen(player: ActionGraphPlayer) -> void:
	player.action_ended.connect(func(node: StringName, reason: int) -> void: print("action_ended %s %d" % [node, reason]))
	for told: Signal in [player.graph_reset, player.state_imported]:
		told.connect(_print.bind(told.get_name()))
	for told: Signal in [player.graph_changed, player.window_closed, player.window_opened]:
		told.connect(_print.bind(told.get_name()).unbind(1))
	for told: Signal in [player.action_started, player.sequence_ended, player.cooldown_started, player.action_cancelled]:
		told.connect(_print.bind(told.get_name()).unbind(2))
	for told: Signal in [player.input_dropped, player.locomotion_scale_changed]:
		told.connect(_print.bind(told.get_name()).unbind(3))


func _print(named: StringName) -> void:
	print(named)
