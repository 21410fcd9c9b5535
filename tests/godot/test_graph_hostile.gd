extends TestCase
## Bad values, missing and freed nodes, wrong classes and broken scripts around an ActionGraphPlayer.

const Rig := preload("res://support/graph_rig.gd")
const Rows := preload("res://support/graph_rows.gd")


class Broken:
	extends ActionPayload

	func _execute(run: ActionRun) -> bool:
		var nothing: Variant = null if run != null else 1
		nothing.explode()
		return true


func _rig(named: String = "M1") -> Rig:
	return Rig.new(self, Rows.row(named))


func test_tags_of_inputs() -> void:
	var rig: Rig = _rig()
	expect_error("process_input", 3)
	for tag: String in ["", "A..B", "A B"]:
		eq(rig.player.process_input(tag), ActionGraphPlayer.INPUT_DROPPED, "\"%s\"" % tag)
		eq(rig.player.process_input(tag), ActionGraphPlayer.INPUT_DROPPED, "\"%s\" again, told once" % tag)
	eq(rig.player.process_input(&"No.Such.Tag"), ActionGraphPlayer.INPUT_DROPPED, "an unknown tag, silently")


func test_nan_directions_reach_no_run() -> void:
	var rig: Rig = _rig()
	Engine.print_error_messages = false
	rig.player.set_move_direction(Vector2(NAN, NAN))
	rig.player.process_input(&"LA", 0, Vector2(NAN, NAN))
	Engine.print_error_messages = true
	check(rig.player.get_move_direction().is_finite(), "the direction of movement is a number")
	var run: ActionRun = rig.player.get_run()
	check(run == null or run.direction.is_finite(), "the direction of the run is a number")
	check(run == null or run.stick.is_finite(), "the stick of the run is a number")


func test_speeds() -> void:
	var rig: Rig = _rig()
	Engine.print_error_messages = false
	for speed: float in [NAN, -1.0, -INF]:
		rig.player.time_scale = speed
		rig.player.action_speed = speed
		check(is_finite(rig.player.time_scale) and rig.player.time_scale >= 0.0, "time_scale after %s" % speed)
		check(is_finite(rig.player.action_speed) and rig.player.action_speed >= 0.0, "action_speed after %s" % speed)
	Engine.print_error_messages = true


func test_speeds_of_zero() -> void:
	var rig: Rig = _rig()
	rig.player.process_input(&"LA")
	rig.player.action_speed = 0.0
	rig.run_to(1.0)
	eq(rig.player.get_current_node(), &"L1", "it stands")
	eq(rig.player.process_input(&"LA"), ActionGraphPlayer.INPUT_BUFFERED, "inputs are walked")
	rig.player.action_speed = 1.0
	rig.player.time_scale = 0.0
	rig.run_to(2.0)
	near(rig.player.get_action_state()["node_time"], 0.0, 0.0001, "no time passed")
	rig.player.time_scale = 1.0
	rig.run_to(2.5)
	eq(rig.player.get_current_node(), &"L2", "and goes on")


func test_no_graph() -> void:
	var agent: Node3D = add(Node3D.new())
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	agent.add_child(player)
	player.advance(0.1)
	_is_neutral(player)
	expect_error("clear_graph")
	check(not player.set_graph(null), "null is no graph")


func test_outside_of_the_tree() -> void:
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.default_graph = Rig.new(self, Rows.row("M1")).graph
	_is_neutral(player, false)
	player.free()


func _is_neutral(player: ActionGraphPlayer, graphless: bool = true) -> void:
	eq(player.process_input(&"LA"), ActionGraphPlayer.INPUT_DROPPED, "process_input")
	eq(player.push_input(&"LA", true), ActionGraphPlayer.INPUT_DROPPED, "push_input")
	check(not player.interrupt_for_external(), "interrupt_for_external")
	check(not player.open_action_window(), "open_action_window")
	check(not player.close_action_window(), "close_action_window")
	check(not player.clear_graph(), "clear_graph")
	check(not player.is_action_running(), "is_action_running")
	is_null(player.get_run(), "get_run")
	if graphless:
		eq(player.get_current_node(), &"", "get_current_node")
		eq(player.get_action_state(), {}, "get_action_state")
		is_null(player.get_graph(), "get_graph")
	eq(player.get_last_input_report(), {}, "get_last_input_report")
	check(not player.is_buffered(&"LA"), "is_buffered")
	eq(player.clear_buffer(), 0, "clear_buffer")
	eq(player.get_charges(&"L1"), -1, "get_charges")
	eq(player.get_remaining_cooldown(&"L1"), 0.0, "get_remaining_cooldown")
	check(not player.set_cooldown(&"Nope", 1.0), "set_cooldown")
	player.reset_all_cooldowns()
	is_null(player.get_target(), "get_target")
	eq(player.get_locomotion_scale(), Vector3.ONE, "get_locomotion_scale")
	check(not player.cancel_input_sequence(), "cancel_input_sequence")
	player.explain_input(&"LA")
	player.unfreeze()


func test_advance_is_for_manual_only() -> void:
	var rig: Rig = _rig()
	rig.player.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	expect_error("advance")
	rig.player.advance(0.1)


func test_stale_runs() -> void:
	var rig: Rig = _rig()
	rig.player.process_input(&"LA")
	var run: ActionRun = rig.player.get_run()
	check(run.is_current(), "it runs")
	rig.player.interrupt_for_external()
	for again: bool in [false, true]:
		check(not run.is_current(), "it is over")
		check(not run.finish(), "finish")
		check(not run.cancel(), "cancel")
		check(not run.open_window(), "open_window")
		check(not run.close_window(), "close_window")
		check(not run.play_animation(&"l1"), "play_animation")
		check(not run.play_delay(1.0), "play_delay")
		if not again:
			rig.player.process_input(&"LA")
			eq(rig.player.get_current_node(), &"L1", "another run of the same node")
	rig.agent.free()
	check(not run.is_current(), "after the agent is gone")
	is_null(run.agent, "agent of a run whose agent is gone")
	is_null(run.player, "player of a run whose player is gone")
	check(not run.finish(), "finish after the agent is gone")


func test_runs_that_scripts_made() -> void:
	var run: ActionRun = ActionRun.new()
	check(not run.is_current() and not run.finish() and not run.cancel(), "it is nobody's")
	is_null(run.player, "player")
	eq(run.run_id, 0, "run_id")


func test_sequences_that_are_none() -> void:
	var rig: Rig = _rig()
	Engine.print_error_messages = false
	for items: Array in [[1], [null], [{}], [""], ["A..B"], [{"tag": "LA", "moment": 9}], [["LA"]]]:
		eq(rig.player.queue_input_sequence(items), 0, "handle of %s" % [items])
	eq(rig.player.queue_input_sequence(["LA"], 7), 0, "handle with an unknown mode")
	Engine.print_error_messages = true
	check(not rig.player.is_action_running(), "nothing was sent")


func test_null_elements_are_skipped() -> void:
	var rig: Rig = _rig()
	var node: ActionGraphNode = rig.graph.get_node_by_id(&"L1")
	node.hooks = [null, LocomotionModifierHook.new(), null]
	node.costs = [null]
	node.gates = [null]
	for transition: ActionGraphTransition in rig.graph.get_node_by_id(&"root").transitions:
		transition.conditions = [null]
	var wires: Array = node.transitions.duplicate()
	wires.append(null)
	node.transitions = wires
	check(rig.graph.compile(), "it compiles")
	rig.player.process_input(&"LA")
	rig.run_to(0.5)
	rig.player.process_input(&"LA")
	eq(rig.player.get_current_node(), &"L2", "they are skipped")


func test_wrong_classes_are_refused() -> void:
	var node: ActionGraphNode = ActionGraphNode.new()
	expect_error("hooks")
	node.hooks = [VitalCost.new()]
	expect_error("costs")
	node.costs = [LocomotionModifierHook.new()]
	expect_error("gates")
	node.gates = [Animation.new()]
	expect_error("payload")
	node.payload = Animation.new()
	expect_error("transitions")
	node.transitions = [ActionGraphNode.new()]
	var transition: ActionGraphTransition = ActionGraphTransition.new()
	expect_error("conditions")
	transition.conditions = [VitalCost.new()]
	eq([node.hooks, node.costs, node.gates, node.payload, node.transitions], [[], [], [], null, []], "nothing is taken")
	eq(transition.conditions, [], "nothing is taken of conditions")


func test_nodes_that_are_refused() -> void:
	var graph: ActionGraph = ActionGraph.new()
	Engine.print_error_messages = false
	for id: String in ["root", "", "a b", "1a", "a.b", "ä"]:
		is_null(graph.add_node(id), "node \"%s\"" % id)
	graph.add_node(&"a")
	is_null(graph.add_node(&"a"), "a name that is used")
	check(not graph.remove_node(&"root"), "the root stays")
	check(not graph.remove_node(&"nope"), "an unknown node")
	check(not graph.rename_node(&"a", &"root"), "root is taken")
	check(not graph.rename_node(&"root", &"b"), "the root keeps its name")
	is_null(graph.add_transition(&"a", &"nope", &"LA"), "a transition to nowhere")
	is_null(graph.add_transition(&"nope", &"a", &"LA"), "a transition from nowhere")
	is_null(graph.add_transition(&"a", &"root", &"LA", 17), "a moment that is none")
	check(not graph.remove_transition(&"nope"), "an unknown transition")
	Engine.print_error_messages = true
	eq(graph.get_node_ids(), PackedStringArray(["root", "a"]), "what is there")


func test_payload_with_an_error() -> void:
	var rig: Rig = _rig()
	rig.graph.get_node_by_id(&"L1").payload = Broken.new()
	rig.run_to(0.01)
	Engine.print_error_messages = false
	rig.player.process_input(&"LA")
	Engine.print_error_messages = true
	eq(rig.player.get_current_node(), &"root", "it ended at once")
	eq(rig.words.map(func(word: Rig.Word) -> String: return word.text), ["L1", "Root"], "it was entered and left")


func test_animation_player_freed_in_a_move() -> void:
	var rig: Rig = _rig()
	rig.player.process_input(&"LA")
	rig.run_to(0.2)
	rig.mixer.free()
	rig.run_to(0.9995)
	eq(rig.player.get_current_node(), &"L1", "it keeps its length")
	rig.run_to(1.0005)
	eq(rig.player.get_current_node(), &"root", "and ends on time")


func test_target_that_was_freed_before() -> void:
	var rig: Rig = _rig()
	var target: Node3D = Node3D.new()
	target.free()
	rig.player.set_target(target)
	is_null(rig.player.get_target(), "target")


## A hundred players of one graph: each does what it would do alone.
func test_a_hundred_players_on_one_graph() -> void:
	var graph: ActionGraph = _rig().graph
	var players: Array[ActionGraphPlayer] = []
	var told: Array[PackedStringArray] = []
	for at: int in 100:
		var rig: Rig = Rig.new(self, {"input": [], "expect": []})
		for library: StringName in [&"l1", &"l2", &"dodge", &"heavy", &"parry"]:
			rig.mixer.get_animation_library(&"").add_animation(library, _animation(graph, library))
		rig.player.default_graph = graph
		var words: PackedStringArray = []
		told.append(words)
		players.append(rig.player)
	for at: int in 100:
		var player: ActionGraphPlayer = players[at]
		match at % 4:
			0:
				player.process_input(&"LA")
			1:
				player.process_input(&"DG")
			2:
				player.process_input(&"HV")
	for at: int in 100:
		players[at].advance(0.1 + 0.002 * at)
	for at: int in 100:
		eq(players[at].get_current_node(), [&"L1", &"DODGE", &"HEAVY", &"root"][at % 4], "node of player %d" % at)
		if at % 4 != 3:
			near(players[at].get_action_state()["node_time"], 0.1 + 0.002 * at, 0.0001, "time of player %d" % at)
	players[0].interrupt_for_external()
	players[4].freeze(1.0)
	players[8].process_input(&"LA")
	for at: int in range(12, 100, 4):
		eq(players[at].get_current_node(), &"L1", "the others go on, player %d" % at)
		check(not players[at].is_buffered(&"LA"), "nothing waits, player %d" % at)
		check(not players[at].is_frozen(), "not frozen, player %d" % at)
	graph.remove_node(&"DODGE")
	for at: int in 100:
		players[at].advance(0.05)
	eq(players[1].process_input(&"LA"), ActionGraphPlayer.INPUT_BUFFERED, "a deleted node plays to its end")


func _animation(graph: ActionGraph, id: StringName) -> Animation:
	var made: Animation = Animation.new()
	made.length = {&"l1": 1.0, &"l2": 1.0, &"dodge": 0.5, &"heavy": 1.2, &"parry": 0.4}[id]
	check(graph != null, "a graph")
	return made


## Graphs are loaded on a thread, with what scripts made of their parts.
func test_graphs_are_loaded_on_threads() -> void:
	loads_on_threads()
	var rig: Rig = _rig("M51")
	var condition: TransitionCondition = script(
		"extends TransitionCondition\n@export var answer: bool = false\nfunc _evaluate(_run: ActionRun) -> bool:\n\treturn answer\n"
	).new() as TransitionCondition
	condition.set(&"answer", true)
	(rig.graph.get_node_by_id(&"root").transitions[1] as ActionGraphTransition).conditions = [condition]
	eq(ResourceSaver.save(rig.graph, "user://graph_loaded_on_threads.tres"), OK, "saved")
	for i: int in 4:
		eq(ResourceLoader.load_threaded_request("user://graph_loaded_on_threads.tres", "ActionGraph", true, ResourceLoader.CACHE_MODE_IGNORE_DEEP), OK, "asked for")
		await until_done(
			func() -> bool:
				return ResourceLoader.load_threaded_get_status("user://graph_loaded_on_threads.tres") != ResourceLoader.THREAD_LOAD_IN_PROGRESS,
			"loaded"
		)
		var loaded: ActionGraph = ResourceLoader.load_threaded_get("user://graph_loaded_on_threads.tres") as ActionGraph
		not_null(loaded, "the graph")
		var other: Rig = _rig("M51")
		other.player.default_graph = loaded
		other.player.process_input(&"LA")
		eq(other.player.get_current_node(), &"B", "the scripted condition counts")
	DirAccess.remove_absolute("user://graph_loaded_on_threads.tres")
