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


## Root-A→slash, 0.5 s.
static func _sword() -> ActionGraph:
	var graph: ActionGraph = ActionGraph.new()
	graph.add_node(&"slash", DelayPayload.new())
	graph.add_transition(&"root", &"slash", A)
	return graph


func _pass(player: ActionGraphPlayer, ticks: int) -> void:
	for i: int in ticks:
		player.advance(0.1)


func test_a_recording_has_the_movesets_that_came() -> void:
	var unarmed: ActionGraph = Moves.moves()
	var sword: ActionGraph = _sword()
	var hero: Moves.Hero = _hero(unarmed)
	var player: ActionGraphPlayer = hero.player
	var started: SignalRecord = record(player.action_started)
	var ended: SignalRecord = record(player.action_ended)
	check(player.start_recording(), "it records")
	_pass(player, 1)
	player.process_input(A)
	_pass(player, 1)
	var weapon: ActionGraphGrant = ActionGraphGrant.new()
	weapon.graph = sword
	hero.add_child(weapon)
	_pass(player, 1)
	player.process_input(A)
	_pass(player, 7)
	weapon.free()
	player.process_input(A)
	_pass(player, 2)
	player.set_graph(sword)
	player.process_input(A)
	_pass(player, 1)
	player.clear_graph()
	player.default_graph = sword
	player.process_input(A)
	_pass(player, 8)
	var replay: ActionReplay = player.stop_recording()
	eq(replay.graphs, [sword, unarmed], "each once, in the order in which they came")
	var moves: Array = started.arguments()
	var ends: Array = ended.calls.duplicate()
	eq(moves, [&"one", &"slash", &"one", &"slash", &"slash"])
	player.default_graph = unarmed
	started.clear()
	ended.clear()
	var over: SignalRecord = record(player.replay_ended)
	var diverged: SignalRecord = record(player.replay_diverged)
	check(player.play_replay(replay), "it is played")
	check(player.set_graph(sword, &"later"), "what is set meanwhile")
	eq(player.get_graph(), unarmed, "counts later")
	_pass(player, 3)
	eq(player.get_graph(), sword, "as the recording says")
	_pass(player, 40)
	eq([started.arguments(), ended.calls], [moves, ends], "the same moves, with the same ends")
	eq([over.count(), diverged.count()], [1, 0])
	eq(player.get_graph(), sword, "what was set meanwhile")
	check(player.clear_graph(&"later"), "and is taken back")
	eq(player.get_graph(), unarmed)
	hero.free()
	_from_a_file(replay, moves)


func _from_a_file(replay: ActionReplay, moves: Array) -> void:
	var path: String = "user://test_movesets.tres"
	eq(ResourceSaver.save(replay, path), OK)
	var loaded: ActionReplay = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(path)
	var hero: Moves.Hero = _hero(Moves.moves())
	var started: SignalRecord = record(hero.player.action_started)
	check(hero.player.play_replay(loaded), "also from a file")
	_pass(hero.player, 40)
	eq(started.arguments(), moves)
	eq(hero.player.get_current_node(), &"root", "with its own moveset again")
	hero.free()


func test_a_recording_of_unsound_movesets() -> void:
	var hero: Moves.Hero = _hero(Moves.moves())
	hero.player.start_recording()
	hero.player.advance(0.1)
	var replay: ActionReplay = hero.player.stop_recording()
	for graphs: Array in [[null], [3], [Resource.new()]]:
		replay.graphs = graphs
		check(not hero.player.play_replay(replay), "%s" % [graphs])
	expect_error("play_replay() got a recording with something else than a sound moveset", 1)
	hero.free()


func test_a_replay_drops_what_waits() -> void:
	var hero: Moves.Hero = _hero(Moves.moves())
	var player: ActionGraphPlayer = hero.player
	player.start_recording()
	_pass(player, 3)
	var replay: ActionReplay = player.stop_recording()
	player.process_input(A)
	eq(player.process_input(A), ActionGraphPlayer.INPUT_BUFFERED)
	check(player.play_replay(replay), "it is played")
	check(not player.is_buffered(A), "nothing waits any more")
	eq(player.get_current_node(), &"root", "as at its start")
	hero.free()


func test_a_replay_begins_anew() -> void:
	var unarmed: ActionGraph = Moves.moves()
	var hero: Moves.Hero = _hero(unarmed)
	var player: ActionGraphPlayer = hero.player
	player.start_recording()
	_pass(player, 1)
	player.set_graph(_sword())
	player.process_input(A)
	_pass(player, 8)
	var replay: ActionReplay = player.stop_recording()
	player.clear_graph()
	var started: SignalRecord = record(player.action_started)
	check(player.play_replay(replay), "it is played")
	_pass(player, 3)
	eq(started.arguments(), [&"slash"])
	check(player.play_replay(replay), "and from its start again")
	eq(player.get_graph(), unarmed)
	_pass(player, 20)
	eq(started.arguments(), [&"slash", &"slash"])
	hero.free()


func test_a_recording_goes_on_while_nothing_runs() -> void:
	var hero: Moves.Hero = Moves.Hero.new(Moves.moves())
	var player: ActionGraphPlayer = hero.player
	player.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	add_child(hero)
	player.start_recording()
	await physics(20)
	player.process_input(A)
	await physics(5)
	var replay: ActionReplay = player.stop_recording()
	between(replay.ticks.size(), 24, 27, "steps")
	await physics(60)
	var started: SignalRecord = record(player.action_started)
	var over: SignalRecord = record(player.replay_ended)
	check(player.play_replay(replay), "it is played")
	await physics(15)
	eq(started.count(), 0, "not before its time")
	await physics(15)
	eq(started.arguments(), [&"one"])
	eq(over.count(), 1)
	hero.free()
