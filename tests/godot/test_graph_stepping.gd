extends TestCase
## All players of movesets are stepped together, as each would step by its own callback: order of the tree, priority, pause,
## switches, and who comes or goes meanwhile.

const Moves := preload("res://test_graph_player.gd")
const Rig := preload("res://support/graph_rig.gd")
const A: StringName = Moves.A
const TICK := 1.0 / 60.0

var _told: PackedStringArray = []


## An agent that tells by its name when a move of 0.1 s is over.
func _agent(called: String, parent: Node = self, player: ActionGraphPlayer = ActionGraphPlayer.new()) -> ActionGraphPlayer:
	var graph: ActionGraph = ActionGraph.new()
	var delay: DelayPayload = DelayPayload.new()
	delay.delay_seconds = 0.1
	delay.open_action_window = false
	graph.add_node(&"one", delay)
	graph.add_transition(&"root", &"one", A)
	var agent: Node3D = Node3D.new()
	agent.name = called
	player.default_graph = graph
	agent.add_child(player)
	parent.add_child(agent)
	player.action_ended.connect(func(_node: StringName, _reason: int) -> void: _told.append(called))
	return player


func _time(player: ActionGraphPlayer) -> float:
	return player.get_action_state()["node_time"]


func _agents(parent: Node = self) -> Array[ActionGraphPlayer]:
	return [_agent("A", parent), _agent("B", parent), _agent("C", parent)]


func _start(players: Array[ActionGraphPlayer]) -> void:
	for player: ActionGraphPlayer in players:
		eq(player.process_input(A), ActionGraphPlayer.INPUT_ENTERED)


func test_order_of_the_tree() -> void:
	var first: ActionGraphPlayer = _agent("First")
	var last: ActionGraphPlayer = _agent("Last")
	var middle: ActionGraphPlayer = _agent("Middle", first.get_parent())
	_start([last, middle, first])
	await physics(9)
	eq(_told, ["First", "Middle", "Last"], "as they stand in the tree, not as they came")
	_told.clear()
	middle.get_parent().reparent(last.get_parent())
	_start([middle, first, last])
	await physics(9)
	eq(_told, ["First", "Last", "Middle"], "where it stands now")


func test_priority_of_its_own() -> void:
	var players: Array[ActionGraphPlayer] = _agents()
	players[0].process_physics_priority = 3
	players[2].process_physics_priority = -3
	_start(players)
	await physics(9)
	eq(_told, ["C", "B", "A"], "the lower priority first")
	_told.clear()
	_start(players)
	await physics(2)
	players[0].process_physics_priority = 0
	players[2].process_physics_priority = 0
	players[1].process_physics_priority = 5
	await physics(2)
	for at: int in 3:
		near(_time(players[at]), 4.0 * TICK, 1e-6, "each steps once per step, player %d" % at)
	await physics(5)
	eq(_told, ["A", "C", "B"], "by the priorities they have now")


func test_disabled_paused_and_switched_off() -> void:
	var players: Array[ActionGraphPlayer] = _agents()
	_start(players)
	await physics(2)
	players[0].process_mode = Node.PROCESS_MODE_DISABLED
	players[1].set_physics_process(false)
	await physics(2)
	near(_time(players[0]), 2.0 * TICK, 1e-6, "disabled")
	near(_time(players[1]), 2.0 * TICK, 1e-6, "switched off by the game")
	near(_time(players[2]), 4.0 * TICK, 1e-6, "this one goes on")
	players[0].process_mode = Node.PROCESS_MODE_ALWAYS
	players[1].set_physics_process(true)
	get_tree().paused = true
	await physics(2)
	near(_time(players[0]), 4.0 * TICK, 1e-6, "always")
	near(_time(players[1]), 2.0 * TICK, 1e-6, "paused")
	get_tree().paused = false
	await physics(2)
	near(_time(players[1]), 4.0 * TICK, 1e-6, "it goes on")


func test_with_the_frames() -> void:
	var players: Array[ActionGraphPlayer] = _agents()
	for player: ActionGraphPlayer in players:
		player.process_callback = ActionGraphPlayer.PROCESS_IDLE
	await idle(1)
	_start(players)
	await idle(3)
	var times: Array = players.map(_time)
	between(times[0], TICK, 4.5 * TICK, "stepped with the frames")
	near(times[1], times[0], 1e-9, "alike")
	players[0].process_callback = ActionGraphPlayer.PROCESS_MANUAL
	await idle(2)
	near(_time(players[0]), times[0], 1e-9, "by hand only")
	players[0].advance(0.01)
	near(_time(players[0]), times[0] + 0.01, 1e-9, "by hand")


## Presses its own player, and that of another agent, in its step.
class Presser:
	extends Node

	var players: Array[ActionGraphPlayer] = []
	var waits := 2

	func _physics_process(_delta: float) -> void:
		waits -= 1
		if waits == 0:
			for player: ActionGraphPlayer in players:
				player.process_input(Moves.A)


## Who is switched on while the nodes of a frame step is stepped from the next frame on, whether others are moving or not.
func test_a_press_within_a_step() -> void:
	for others: bool in [false, true]:
		var moving: ActionGraphPlayer = _agent("Moving")
		var presser: Presser = Presser.new()
		add_child(presser)
		var pressed: ActionGraphPlayer = _agent("Pressed")
		presser.players = [pressed]
		if others:
			_start([moving])
		await physics(3)
		# The press came in the second of these steps.
		near(_time(pressed), TICK, 1e-6, "others move: %s" % others)
		if others:
			near(_time(moving), 3.0 * TICK, 1e-6, "it has begun before")
		presser.free()
		moving.get_parent().free()
		pressed.get_parent().free()


## A handler of the one that is stepped frees, starts and moves others.
func test_who_comes_and_goes_meanwhile() -> void:
	var players: Array[ActionGraphPlayer] = _agents()
	var late: ActionGraphPlayer = _agent("Late")
	players[0].action_ended.connect(func(_node: StringName, _reason: int) -> void:
		players[1].get_parent().free()
		players[2].get_parent().reparent(late.get_parent())
		late.process_input(A))
	_start(players)
	await physics(9)
	eq(_told, ["A", "B", "C"], "one is freed, and one leaves the tree")
	near(_time(late), 3.0 * TICK, 1e-6, "it came in the sixth step")
	await physics(6)
	eq(_told.slice(3), ["Late"], "and goes to its end")


class Busy:
	extends ActionGraphPlayer

	var steps := 0

	func _physics_process(_delta: float) -> void:
		steps += 1


func test_a_script_has_its_own_step_too() -> void:
	var busy: Busy = Busy.new()
	_agent("Busy", self, busy)
	_start([busy])
	await physics(3)
	check(busy.steps >= 2, "the script's")
	near(_time(busy), 3.0 * TICK, 1e-6, "and the player's")


func test_many_that_rest_and_go_on() -> void:
	var players: Array[ActionGraphPlayer] = []
	for at: int in 20:
		players.append(_agent("Agent%d" % at))
	for round: int in 4:
		for at: int in 20:
			if at % (round + 1) == 0:
				players[at].process_input(A)
		await physics(1)
		for at: int in 20:
			eq(_time(players[at]) > 0.0, at % (round + 1) == 0, "round %d, player %d" % [round, at])
		await physics(8)
		var wanted: PackedStringArray = []
		for at: int in 20:
			if at % (round + 1) == 0:
				wanted.append("Agent%d" % at)
		eq(_told, wanted, "in the order of the tree")
		_told.clear()


func test_one_comes_to_many() -> void:
	var players: Array[ActionGraphPlayer] = []
	var wanted: PackedStringArray = []
	for at: int in 60:
		wanted.append("Agent%d" % at)
		players.append(_agent(wanted[at]))
	for at: int in [7, 0, 59]:
		(players[at].default_graph.get_node_by_id(&"one").payload as DelayPayload).delay_seconds = 0.1 - TICK
	for at: int in 60:
		if at not in [7, 0, 59]:
			players[at].process_input(A)
	await physics(1)
	for at: int in [7, 59, 0]:
		players[at].process_input(A)
	await physics(8)
	eq(_told, wanted, "each at its place")


## A move with an animation is stepped with the others while the animation is where it should be.
func test_animations_are_set_right() -> void:
	var rig: Rig = Rig.new(self, Rig.Rows.row("M1"))
	rig.player.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	await physics(1)
	rig.player.process_input(&"Input.LightAttack")
	var tag: String = rig.graph.get_node_by_id(&"root").transitions[0].input_tag
	if rig.player.get_current_node() == &"root":
		rig.player.process_input(tag)
	await physics(4)
	near(rig.mixer.current_animation_position, _time(rig.player), 0.05, "it follows by itself")
	rig.mixer.seek(0.8)
	await physics(2)
	near(rig.mixer.current_animation_position, _time(rig.player), 0.05, "set right")
	rig.mixer.pause()
	await physics(3)
	check(not rig.mixer.is_playing(), "what the game stops stays so")
	rig.mixer.play()
	await physics(2)
	near(rig.mixer.current_animation_position, _time(rig.player), 0.05, "set right again")
	rig.player.action_speed = 0.5
	near(rig.mixer.speed_scale, 0.5, 1e-6, "as fast as the move")
	var before: float = _time(rig.player)
	await physics(4)
	near(_time(rig.player), before + 2.0 * TICK, 1e-6, "half as fast")
	rig.mixer.free()
	await physics(2)
	near(_time(rig.player), before + 3.0 * TICK, 1e-6, "without it too")
