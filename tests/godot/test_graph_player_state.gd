extends TestCase
## The state of an ActionGraphPlayer in and out, recordings, and many players of one graph.

const Moves := preload("res://test_graph_player.gd")
const A: StringName = &"Input.A"
const B: StringName = &"Input.B"


func _hero(graph: ActionGraph) -> Moves.Hero:
	var hero: Moves.Hero = Moves.Hero.new(graph)
	add_child(hero)
	return hero


func test_a_state_goes_on_in_a_fresh_player() -> void:
	var graph: ActionGraph = Moves.moves()
	graph.get_node_by_id(&"one").applied_tags = ["State.Attack"]
	var first: Moves.Hero = _hero(graph)
	first.player.process_input(A)
	first.player.advance(0.2)
	first.player.process_input(A)
	var state: Dictionary = first.player.export_state()
	eq(state, first.player.export_state(), "exporting is a pure read")
	var text: String = JSON.stringify(state)
	var second: Moves.Hero = _hero(graph)
	var started: SignalRecord = record(second.player.action_started)
	var imported: SignalRecord = record(second.player.state_imported)
	check(second.player.import_state(JSON.parse_string(text) as Dictionary), "also after JSON")
	eq(imported.count(), 1)
	eq(started.count(), 0, "nothing is told to start")
	eq(second.player.get_current_node(), &"one")
	near(second.player.get_run().node_time, 0.2, 1e-6)
	check(second.player.get_run().restored, "the run says so")
	check(second.player.is_buffered(A), "what waited waits")
	check(second.tags.has_tag(&"State.Attack"), "the tags are there")
	second.player.advance(0.31)
	eq(second.player.get_current_node(), &"two", "it goes on")
	eq(second.tags.get_tags(), ["State.ActionRunning"])
	first.free()
	second.free()


func test_states_that_are_refused() -> void:
	var hero: Moves.Hero = _hero(Moves.moves())
	var state: Dictionary = hero.player.export_state()
	expect_error("version 7")
	check(not hero.player.import_state({"version": 7}), "another version")
	expect_error("another structure")
	check(not hero.player.import_state({"version": 1, "graph": ""}), "another structure")
	state.graph = "res://other.tres"
	expect_error("another moveset")
	check(not hero.player.import_state(state), "another moveset")
	hero.free()


func test_a_node_that_is_not_there_any_more() -> void:
	var graph: ActionGraph = Moves.moves()
	var hero: Moves.Hero = _hero(graph)
	hero.player.process_input(A)
	var state: Dictionary = hero.player.export_state()
	hero.player.interrupt_for_external()
	graph.remove_node(&"one")
	expect_warning("left out \"one\"")
	check(hero.player.import_state(state), "it is taken over")
	eq(hero.player.get_current_node(), &"root")
	hero.free()


func test_a_recording_is_played() -> void:
	var graph: ActionGraph = Moves.moves()
	var hero: Moves.Hero = _hero(graph)
	var player: ActionGraphPlayer = hero.player
	expect_error("stop_recording()")
	is_null(player.stop_recording(), "none was started")
	check(player.start_recording(), "it records")
	player.advance(0.1)
	player.process_input(A)
	player.advance(0.1)
	player.process_input(A)
	for i: int in 20:
		player.advance(0.1)
	var replay: ActionReplay = player.stop_recording()
	not_null(replay, "a recording")
	var started: SignalRecord = record(player.action_started)
	var ended: SignalRecord = record(player.replay_ended)
	var diverged: SignalRecord = record(player.replay_diverged)
	check(player.play_replay(replay, true), "it is played")
	player.advance(0.1)
	player.process_input(B)
	for i: int in 30:
		player.advance(0.1)
	eq(started.arguments(0), [&"one", &"two"], "the same moves; inputs from outside are ignored")
	eq(ended.count(), 1)
	eq(diverged.count(), 0)
	eq(player.process_input(B), ActionGraphPlayer.INPUT_ENTERED, "afterwards inputs count again")
	hero.free()


func test_a_hundred_players_of_one_graph() -> void:
	var graph: ActionGraph = Moves.moves()
	var heroes: Array[Moves.Hero] = []
	for i: int in 100:
		heroes.append(_hero(graph))
	for i: int in 100:
		if i % 2 == 0:
			heroes[i].player.process_input(A)
		if i % 5 == 0:
			heroes[i].player.process_input(A)
	for i: int in 100:
		heroes[i].player.advance(0.3 if i % 3 == 0 else 0.6)
	for i: int in 100:
		var wanted: StringName = &"root"
		if i % 2 == 0 and i % 3 == 0:
			wanted = &"one"
		elif i % 10 == 0:
			wanted = &"two"
		elif i % 5 == 0 and i % 2 == 1 and i % 3 == 0:
			wanted = &"one"
		eq(heroes[i].player.get_current_node(), wanted, "player %d" % i)
	for hero: Moves.Hero in heroes:
		hero.free()
