extends TestCase
## An ActionGraphPlayer at the limits of numbers, and with states that somebody made by hand.

const PRESS := &"Input.Blow"


class Waits:
	extends ActionPayload

	var lives := true

	func _execute(run: ActionRun) -> bool:
		return lives and run.play_delay(0.5)


var _payload: Waits


func _player() -> ActionGraphPlayer:
	_payload = Waits.new()
	var graph: ActionGraph = ActionGraph.new()
	graph.add_node(&"blow", _payload)
	graph.add_node(&"stance", HoldPayload.new())
	graph.add_transition(&"root", &"blow", PRESS)
	graph.add_transition(&"root", &"stance", &"Input.Guard")
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.default_graph = graph
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	var agent: Node3D = Node3D.new()
	agent.add_child(player)
	add(agent)
	return player


func _is_well(player: ActionGraphPlayer) -> void:
	player.interrupt_for_external()
	eq(player.process_input(PRESS), ActionGraphPlayer.INPUT_ENTERED, "it plays as before")
	player.advance(0.6)
	eq(player.get_current_node(), &"root", "to the end of the move")


func test_speeds_and_times_without_end() -> void:
	var player: ActionGraphPlayer = _player()
	player.process_input(&"Input.Guard")
	player.time_scale = 1e308
	player.action_speed = 1e308
	for i in 3:
		player.advance(0.1)
	check(is_finite(float(player.get_action_state().node_time)), "node time is a number")
	player.time_scale = 1.0
	player.action_speed = 1.0
	for i in 3:
		player.advance(1e308)
	check(is_finite(float(player.get_action_state().node_time)), "also after a long step")
	_is_well(player)


func test_a_payload_that_does_not_live_on() -> void:
	var player: ActionGraphPlayer = _player()
	player.process_input(PRESS)
	player.advance(0.1)
	var state: Dictionary = player.export_state()
	_payload.lives = false
	check(player.import_state(state), "the state is taken over")
	for i in 10:
		player.advance(0.1)
	eq(player.get_current_node(), &"root", "the move is over, and time goes on")
	_payload.lives = true
	_is_well(player)


func test_the_last_handle_of_a_sequence() -> void:
	var player: ActionGraphPlayer = _player()
	player.process_input(&"Input.Guard")
	player.queue_input_sequence([PRESS], ActionGraphPlayer.SEQUENCE_DISCRETE)
	var state: Dictionary = player.export_state()
	check(state.sequence is Dictionary and not (state.sequence as Dictionary).is_empty(), "a sequence waits")
	state.sequence.handle = 9223372036854775807
	check(player.import_state(state), "the state is taken over")
	check(player.queue_input_sequence([PRESS], ActionGraphPlayer.SEQUENCE_DISCRETE) > 0, "there are more numbers")
	player.cancel_input_sequence()
	_is_well(player)


func test_a_state_that_is_nested_without_end() -> void:
	var player: ActionGraphPlayer = _player()
	var state: Dictionary = player.export_state()
	var deep: Array = []
	for i in 6000:
		deep = [deep]
	state.waiting = deep
	expect_error("import_state() got a state with another structure", 1)
	check(not player.import_state(state), "refused")
	# The engine itself takes such an array apart one in the other.
	while not deep.is_empty():
		deep = deep.pop_back()
	_is_well(player)
