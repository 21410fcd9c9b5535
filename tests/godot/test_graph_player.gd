extends TestCase
## ActionGraphPlayer: inputs, movesets under keys, what it shows and tells of itself, its tags and target.

const A: StringName = &"Input.A"
const B: StringName = &"Input.B"


## Root-A→one, one-A→two (0.5 s each, windows open from the start with a Delay), Root-B→hold.
static func moves() -> ActionGraph:
	var graph: ActionGraph = ActionGraph.new()
	for id: StringName in [&"one", &"two"]:
		var delay: DelayPayload = DelayPayload.new()
		delay.delay_seconds = 0.5
		delay.open_action_window = false
		graph.add_node(id, delay)
	graph.add_node(&"hold", HoldPayload.new())
	graph.add_transition(&"root", &"one", A)
	graph.add_transition(&"one", &"two", A)
	graph.add_transition(&"root", &"hold", B)
	return graph


class Hero:
	extends Node3D
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	var tags: TagContainer = TagContainer.new()

	func _init(graph: ActionGraph, with_tags: bool = true) -> void:
		name = "Hero"
		player.name = "Moves"
		player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
		player.default_graph = graph
		if with_tags:
			add_child(tags)
		else:
			tags.free()
		add_child(player)


func _hero(graph: ActionGraph = moves(), with_tags: bool = true) -> Hero:
	var hero: Hero = Hero.new(graph, with_tags)
	add_child(hero)
	return hero


func _spend(player: ActionGraphPlayer, seconds: float) -> void:
	for i: int in roundi(seconds * 100.0):
		player.advance(0.01)


func test_two_moves_chain_on_one_tag() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	var started: SignalRecord = record(player.action_started)
	var ended: SignalRecord = record(player.action_ended)
	var reset: SignalRecord = record(player.graph_reset)
	eq(player.get_current_node(), &"root", "idle")
	eq(player.process_input(A), ActionGraphPlayer.INPUT_ENTERED)
	eq(player.get_current_node(), &"one")
	eq(player.process_input(A), ActionGraphPlayer.INPUT_BUFFERED, "no window: it waits for the end")
	check(player.is_buffered(A), "it waits")
	check(not player.is_buffered(B), "the other one does not")
	_spend(player, 0.55)
	eq(player.get_current_node(), &"two")
	_spend(player, 0.5)
	eq(player.get_current_node(), &"root")
	eq(started.arguments(0), [&"one", &"two"])
	eq(ended.calls, [[&"one", ActionGraphPlayer.END_COMPLETED], [&"two", ActionGraphPlayer.END_COMPLETED]])
	eq(reset.count(), 1, "Root is told once")
	check(not player.is_action_running(), "nothing runs")
	is_null(player.get_run(), "no run")
	hero.free()


func test_results_of_inputs() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	eq(player.process_input(&"Input.Nobody"), ActionGraphPlayer.INPUT_DROPPED, "nobody answers it")
	hero.tags.add_tag(&"State.ActionsBlocked.Stagger")
	eq(player.process_input(A), ActionGraphPlayer.INPUT_BLOCKED, "a tag below the block tag")
	hero.tags.remove_tag(&"State.ActionsBlocked.Stagger")
	player.global_block_tags = []
	hero.tags.add_tag(&"State.ActionsBlocked")
	eq(player.process_input(A), ActionGraphPlayer.INPUT_ENTERED, "no block tags: never blocked")
	hero.free()


func test_results_of_bad_inputs() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	expect_error("process_input")
	eq(player.process_input(A, 3), ActionGraphPlayer.INPUT_DROPPED, "a moment that is none of an input")
	expect_error("process_input")
	eq(player.process_input(&""), ActionGraphPlayer.INPUT_DROPPED, "an empty tag")
	expect_error("process_input")
	eq(player.process_input(&"A..B"), ActionGraphPlayer.INPUT_DROPPED, "a malformed tag")
	eq(player.get_current_node(), &"root")
	player.default_graph = null
	eq(player.process_input(A), ActionGraphPlayer.INPUT_DROPPED, "no graph: silent")
	eq(player.get_current_node(), &"", "no graph")
	eq(player.get_action_state(), {}, "no graph")
	check(not player.interrupt_for_external(), "nothing runs")
	check(not player.open_action_window(), "nothing runs")
	remove_child(hero)
	player.default_graph = moves()
	eq(player.process_input(A), ActionGraphPlayer.INPUT_DROPPED, "out of the tree: silent")
	hero.free()


func test_movesets_under_keys() -> void:
	var unarmed: ActionGraph = moves()
	var sword: ActionGraph = moves()
	var shield: ActionGraph = moves()
	var hero: Hero = Hero.new(unarmed)
	var player: ActionGraphPlayer = hero.player
	var changed: SignalRecord = record(player.graph_changed)
	var ended: SignalRecord = record(player.action_ended)
	add_child(hero)
	eq(changed.calls, [[unarmed]], "the first one is told too")
	player.process_input(A)
	check(player.set_graph(sword, &"sword"), "a moveset")
	eq(ended.calls, [[&"one", ActionGraphPlayer.END_REMOVED]], "the running move ends")
	check(player.set_graph(shield, &"shield"), "another one")
	eq(player.get_graph(), shield, "the newest counts")
	check(player.set_graph(sword, &"sword"), "the first one again")
	eq(player.get_graph(), sword, "it moves to the top")
	check(player.clear_graph(&"sword"), "it is taken back")
	eq(player.get_graph(), shield)
	check(not player.clear_graph(&"sword"), "it was taken back already")
	check(player.clear_graph(&"shield"), "the other one goes")
	eq(player.get_graph(), unarmed, "the default one counts again")
	eq(changed.arguments(), [unarmed, sword, shield, sword, shield, unarmed])
	expect_error("set_graph")
	check(not player.set_graph(null), "null is no moveset")
	eq(player.get_graph(), unarmed, "nothing changes")
	hero.free()


func test_tags_are_on_the_agent_without_a_gap() -> void:
	var graph: ActionGraph = moves()
	graph.get_node_by_id(&"one").applied_tags = ["State.Attack", "State.Light"]
	graph.get_node_by_id(&"two").applied_tags = ["State.Attack", "State.Heavy"]
	var hero: Hero = _hero(graph)
	var player: ActionGraphPlayer = hero.player
	var changed: SignalRecord = record(hero.tags.tags_changed)
	player.process_input(A)
	player.process_input(A)
	check(hero.tags.has_tag(&"State.Light") and hero.tags.has_tag(&"State.ActionRunning"), "tags of the first move")
	await get_tree().process_frame
	changed.clear()
	_spend(player, 0.52)
	eq(player.get_current_node(), &"two")
	await get_tree().process_frame
	eq(changed.calls, [[["State.Heavy"], ["State.Light"]]], "what both have never goes")
	_spend(player, 0.5)
	eq(hero.tags.get_tags(), [], "all are taken back")
	hero.free()


func test_tags_of_an_agent_without_a_container() -> void:
	var graph: ActionGraph = moves()
	graph.get_node_by_id(&"one").applied_tags = ["State.Attack.Light"]
	graph.add_transition(&"root", &"two", &"Input.C").required_tags = ["State.Attack"]
	var hero: Hero = _hero(graph, false)
	var player: ActionGraphPlayer = hero.player
	check(not player.has_action_tag(&"State.Attack"), "nothing runs")
	eq(player.process_input(&"Input.C"), ActionGraphPlayer.INPUT_DROPPED, "the tag is missing")
	player.process_input(A)
	check(player.has_action_tag(&"State.Attack"), "the player keeps it itself")
	check(player.has_action_tag(&"State.ActionRunning"), "this one too")
	player.interrupt_for_external()
	check(not player.has_action_tag(&"State.Attack"), "it is gone")
	var warnings: String = "\n".join(player._get_configuration_warnings()) if player.has_method("_get_configuration_warnings") else ""
	check(warnings.is_empty() or "TagContainer" in warnings, "the warning names what is missing")
	hero.free()


func test_another_running_tag() -> void:
	var hero: Hero = _hero()
	hero.player.action_running_tag = &"State.Busy"
	hero.player.process_input(A)
	check(hero.tags.has_tag(&"State.Busy"), "the tag of the setting")
	check(not hero.tags.has_tag(&"State.ActionRunning"), "not the other one")
	hero.player.action_running_tag = &"State.Other"
	hero.player.interrupt_for_external()
	eq(hero.tags.get_tags(), [], "what was put on is taken off")
	hero.free()


func test_interrupt_for_external() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	var dropped: SignalRecord = record(player.input_dropped)
	check(not player.interrupt_for_external(), "nothing runs")
	player.process_input(A)
	player.process_input(A)
	var ended: SignalRecord = record(player.action_ended)
	check(player.interrupt_for_external(&"stagger"), "it is cut")
	eq(ended.calls, [[&"one", ActionGraphPlayer.END_CANCELLED]])
	eq(dropped.calls, [[A, 0, ActionGraphPlayer.DROP_CLEARED]], "what waited is cleared")
	eq(player.get_current_node(), &"root")
	hero.free()


func test_action_state() -> void:
	var graph: ActionGraph = moves()
	graph.get_node_by_id(&"one").display_name = "First"
	var hero: Hero = _hero(graph)
	var player: ActionGraphPlayer = hero.player
	var idle: Dictionary = player.get_action_state()
	eq(idle.node, &"root")
	eq(idle.time_left, -1.0, "Root is endless")
	eq(Array(idle.offers as PackedStringArray), [A, B], "what Root answers")
	player.process_input(A)
	player.process_input(A)
	player.advance(0.125)
	player.freeze(0.25)
	var state: Dictionary = player.get_action_state()
	eq(state.graph, graph.resource_path, "the file of the moveset")
	eq(state.node, &"one")
	eq(state.display_name, "First")
	eq(state.run_id, player.get_run().run_id)
	near(state.node_time, 0.125, 1e-6)
	near(state.time_left, 0.375, 1e-6)
	eq(state.windows, [])
	eq((state.waiting as Array).size(), 1)
	var waiting: Dictionary = (state.waiting as Array)[0]
	eq(waiting.tag, A)
	eq(waiting.moment, 0)
	near(waiting.age, 0.125, 1e-6)
	eq(waiting.combo, true)
	near(state.frozen_left, 0.25, 1e-6)
	eq(state.blocked, false)
	eq(state.sequence_left, 0)
	check(player.is_frozen(), "frozen")
	eq(player.clear_buffer(), 1, "one was cleared")
	eq(player.clear_buffer(), 0, "nothing waits")
	player.unfreeze()
	check(not player.is_frozen(), "not frozen")
	_spend(player, 0.4)
	near(player.get_action_state().grace_left, 0.225, 0.011, "the grace after a full move")
	hero.free()


func test_windows_from_outside() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	var opened: SignalRecord = record(player.window_opened)
	var closed: SignalRecord = record(player.window_closed)
	player.process_input(A)
	player.process_input(A)
	check(player.open_action_window(&"late"), "a kind")
	eq(player.get_current_node(), &"one", "only wires that name the kind take inputs")
	check(player.close_action_window(&"late"), "it was open")
	check(not player.close_action_window(&"late"), "it is closed")
	check(player.open_action_window(), "the plain one")
	eq(player.get_current_node(), &"two", "what waited is taken")
	eq(opened.arguments(), [&"late", &""])
	eq(closed.arguments(), [&"late", &""], "a window closes with its run")
	hero.free()


func test_stale_runs_do_nothing() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	player.process_input(A)
	var run: ActionRun = player.get_run()
	eq(player.get_run(), run, "one handle for a run")
	eq(run.node_id, &"one")
	eq(run.from_node, &"root")
	eq(run.input_tag, A)
	eq(run.moment, 0)
	eq(run.agent, hero)
	eq(run.player, player)
	eq(run.restored, false)
	player.advance(0.25)
	near(run.node_time, 0.25, 1e-6)
	check(run.is_current(), "it runs")
	check(not run.cancel(), "the node can't be cancelled")
	check(run.finish(), "it is finished")
	check(not run.is_current(), "it is over")
	eq(run.node_time, 0.0)
	for done: bool in [run.finish(), run.cancel(), run.open_window(), run.close_window()]:
		check(not done, "a run that is over does nothing")
	hero.free()
	is_null(run.agent, "a freed agent")
	is_null(run.player, "a freed player")
	is_null(run.target, "no target")
	var made: ActionRun = ActionRun.new()
	check(not made.is_current() and not made.finish() and made.run_id == 0, "one that a script made")


func test_can_start_node() -> void:
	var graph: ActionGraph = moves()
	graph.get_node_by_id(&"two").enabled = false
	var cooldown: ActionCooldown = ActionCooldown.new()
	cooldown.seconds = 2.0
	graph.get_node_by_id(&"one").cooldown = cooldown
	var hero: Hero = _hero(graph)
	var player: ActionGraphPlayer = hero.player
	eq(player.can_start_node(&"one"), ActionGraphPlayer.FAIL_NONE)
	eq(player.can_start_node(&"two"), ActionGraphPlayer.FAIL_DISABLED)
	eq(player.can_start_node(&"nobody"), ActionGraphPlayer.FAIL_UNKNOWN)
	eq(player.can_start_node(&"root"), ActionGraphPlayer.FAIL_UNKNOWN, "root is not started")
	player.process_input(A)
	eq(player.can_start_node(&"one"), ActionGraphPlayer.FAIL_COOLDOWN)
	near(player.get_remaining_cooldown(&"one"), 2.0, 1e-6)
	eq(player.get_charges(&"one"), 0)
	eq(player.get_charges(&"nobody"), -1)
	check(player.set_cooldown(&"one", 0.0, 1), "by hand")
	eq(player.get_charges(&"one"), 1)
	check(not player.set_cooldown(&"nobody", 1.0), "no such cooldown")
	player.set_cooldown(&"one", 1.0, 0)
	player.reset_all_cooldowns()
	eq(player.can_start_node(&"one"), ActionGraphPlayer.FAIL_NONE)
	hero.free()


func test_target() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	var dummy: Node3D = Node3D.new()
	add_child(dummy)
	is_null(player.get_target(), "nobody")
	player.set_target(dummy)
	eq(player.get_target(), dummy)
	player.process_input(A)
	eq(player.get_run().target, dummy, "the run has it")
	player.set_target(null)
	is_null(player.get_target(), "null clears")
	player.set_target(dummy)
	dummy.free()
	is_null(player.get_target(), "a freed target is none")
	hero.free()


func test_signals_in_order() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	var words: PackedStringArray = []
	player.window_opened.connect(func(kind: StringName) -> void: words.append("open(%s)" % kind))
	player.window_closed.connect(func(kind: StringName) -> void: words.append("close(%s)" % kind))
	player.action_started.connect(func(node: StringName, _run: ActionRun) -> void: words.append("start(%s)" % node))
	player.action_ended.connect(func(node: StringName, reason: int) -> void: words.append("end(%s,%d)" % [node, reason]))
	player.graph_reset.connect(func() -> void: words.append("reset"))
	player.process_input(B)
	eq(words, ["start(hold)", "open()"])
	words.clear()
	player.interrupt_for_external()
	eq(words, ["close()", "end(hold,2)", "reset"])
	hero.free()


func test_calls_from_inside_wait_for_their_turn() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	var words: PackedStringArray = []
	var inside: Callable = func(node: StringName, _run: ActionRun) -> void:
		words.append("start(%s)" % node)
		if node == &"one":
			words.append("answer %d" % player.process_input(A))
	player.action_started.connect(inside)
	player.input_buffered.connect(func(_tag: StringName, _moment: int) -> void: words.append("buffered"))
	eq(player.process_input(A), ActionGraphPlayer.INPUT_ENTERED)
	eq(words, ["start(one)", "answer 4", "buffered"])
	hero.free()


func test_explain_and_report() -> void:
	var hero: Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	var report: String = player.explain_input(A)
	check("ENTERED" in report and "one" in report, "it says what would happen: " + report)
	eq(player.get_current_node(), &"root", "nothing happened")
	check("nobody answers" in player.explain_input(&"Input.Nobody"), "it says that nobody does")
	hero.tags.add_tag(&"State.ActionsBlocked")
	check("block" in player.explain_input(A).to_lower(), "it names the block tags")
	hero.tags.remove_tag(&"State.ActionsBlocked")
	player.process_input(A)
	var last: Dictionary = player.get_last_input_report()
	eq(last.tag, A)
	eq(last.result, ActionGraphPlayer.INPUT_ENTERED)
	eq(last.node, &"root")
	player.process_input(B)
	eq(player.get_last_input_report().result, ActionGraphPlayer.INPUT_BUFFERED, "only Root answers it")
	hero.free()


func test_the_container_goes_and_comes_in_mid_move() -> void:
	var graph: ActionGraph = moves()
	graph.get_node_by_id(&"hold").applied_tags = ["State.Guard"]
	graph.add_transition(&"hold", &"two", &"Input.C").required_tags = ["State.Guard"]
	var hero: Hero = _hero(graph)
	var player: ActionGraphPlayer = hero.player
	player.process_input(B)
	check(hero.tags.has_tag(&"State.Guard"), "in the container")
	hero.tags.free()
	check(player.has_action_tag(&"State.Guard"), "the move runs on, and so does its tag")
	check(player.has_action_tag(&"State.ActionRunning"), "this one too")
	eq(player.process_input(&"Input.C"), ActionGraphPlayer.INPUT_ENTERED, "transitions see it")
	check(not player.has_action_tag(&"State.Guard"), "it went with its move")
	player.advance(0.6)
	check(not player.has_action_tag(&"State.ActionRunning"), "all are gone")
	player.process_input(B)
	var fresh: TagContainer = TagContainer.new()
	hero.add_child(fresh)
	check(player.has_action_tag(&"State.Guard"), "a new container changes nothing")
	eq(player.process_input(&"Input.C"), ActionGraphPlayer.INPUT_ENTERED, "nor for transitions")
	player.interrupt_for_external()
	check(not player.has_action_tag(&"State.ActionRunning"), "gone")
	eq(fresh.get_tags(), [], "nothing is taken that was not put there")
	player.process_input(B)
	check(fresh.has_tag(&"State.Guard"), "the next move uses it")
	hero.free()


func test_steps_of_no_sound_length() -> void:
	var hero: Hero = _hero()
	hero.player.process_input(A)
	expect_warning("advance() got NaN s, it is ignored", 1)
	for delta: float in [NAN, INF, -1.0]:
		hero.player.advance(delta)
	eq(hero.player.get_run().node_time, 0.0, "no time passed")
	hero.player.advance(0.0)
	eq(hero.player.get_current_node(), &"one")
	hero.free()
