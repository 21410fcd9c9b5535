extends TestCase
## Calls of an ActionGraphPlayer from inside of every virtual and every signal, edits of its graph there, and nodes that go.

const Talker := preload("res://support/graph_talker.gd")


func _talker(place: String, reaction: Callable) -> Talker:
	var talker: Talker = Talker.new(self)
	var weak: WeakRef = weakref(talker)
	talker.mind.reactions[place] = func() -> void:
		var told: Talker = weak.get_ref()
		if told != null:
			reaction.call(told)
	return talker


func _try_everywhere(calls: Dictionary[String, Callable], without: PackedStringArray = []) -> void:
	for place: String in Talker.PLACES:
		if place in without:
			continue
		for what: String in calls:
			var talker: Talker = _talker(place, calls[what])
			talker.run()
			talker.settle("%s at %s" % [what, place])
			talker.agent.free()


func test_the_run_passes_every_place() -> void:
	var talker: Talker = Talker.new(self)
	talker.run()
	for place: String in Talker.PLACES:
		has_element(talker.mind.words, place, "places of the run")
	talker.settle("nothing done")
	talker.agent.free()


func test_inputs_in_every_place() -> void:
	var calls: Dictionary[String, Callable] = {}
	for tag: String in ["LA", "DG", "HV"]:
		calls["input " + tag] = func(talker: Talker) -> void: talker.player.process_input(tag)
	calls["many inputs"] = func(talker: Talker) -> void:
		for tag: String in ["LA", "DG", "HV", "XX"]:
			for moment: int in 3:
				talker.player.process_input(tag, moment)
		talker.player.push_input(&"LA", true)
		talker.player.push_input(&"LA", false)
	calls["queue"] = func(talker: Talker) -> void: talker.player.queue_input_sequence(["LA", "LA", "DG"])
	calls["queue discrete"] = func(talker: Talker) -> void:
		talker.player.queue_input_sequence(["LA", "DG"], ActionGraphPlayer.SEQUENCE_DISCRETE)
	_try_everywhere(calls)


func test_calls_in_every_place() -> void:
	_try_everywhere({
		"interrupt": func(talker: Talker) -> void: talker.player.interrupt_for_external(),
		"set_graph": func(talker: Talker) -> void: talker.player.set_graph(talker.other, &"inside"),
		"set and clear": func(talker: Talker) -> void:
			talker.player.set_graph(talker.other, &"inside")
			talker.player.clear_graph(&"inside")
			talker.player.clear_graph(&"other"),
		"no graph": func(talker: Talker) -> void: talker.player.default_graph = null,
		"freeze": func(talker: Talker) -> void: talker.player.freeze(0.05),
		"finish": func(talker: Talker) -> void: _with_run(talker, &"finish"),
		"cancel": func(talker: Talker) -> void: _with_run(talker, &"cancel"),
		"small things": _small_things,
		"standing still": func(talker: Talker) -> void:
			talker.tags.add_tag(&"State.ActionsBlocked")
			talker.player.time_scale = 0.0
			talker.player.action_speed = 0.0,
	})


func _small_things(talker: Talker) -> void:
	var player: ActionGraphPlayer = talker.player
	_with_run(talker, &"open_window")
	player.open_action_window()
	player.open_action_window(&"perfect")
	player.close_action_window()
	player.set_cooldown(&"L1", 1.0)
	player.reset_all_cooldowns()
	player.set_target(talker.tags)
	player.clear_buffer()
	player.cancel_input_sequence()
	player.unfreeze()
	_read_all(talker)


## Twice the run itself takes a state over; with a third one from inside it is told three times.
func test_states_taken_over_in_every_place() -> void:
	for place: String in Talker.PLACES:
		var talker: Talker = _talker(place, func(made: Talker) -> void:
			check(made.player.import_state(made.player.export_state()), "it is taken at " + place))
		talker.run()
		eq(talker.mind.words.count("state_imported"), 3, "told, with one at " + place)
		talker.settle("state at " + place)
		talker.agent.free()


func _with_run(talker: Talker, method: StringName) -> void:
	var run: ActionRun = talker.player.get_run()
	if run != null:
		run.call(method)


func _read_all(talker: Talker) -> void:
	var player: ActionGraphPlayer = talker.player
	player.get_action_state()
	player.get_current_node()
	player.is_action_running()
	player.get_offered_inputs()
	player.explain_input(&"LA")
	player.can_start_node(&"L1")
	player.get_last_input_report()
	player.is_buffered(&"LA")
	player.is_held(&"LA")
	player.held_time(&"LA")
	player.get_remaining_cooldown(&"L1")
	player.get_charges(&"L1")
	player.get_target()
	player.has_action_tag(&"Move.L1")
	player.get_locomotion_scale()
	player.export_state()
	player.get_graph()


func test_edits_in_every_place() -> void:
	_try_everywhere({
		"remove": func(talker: Talker) -> void: talker.graph.remove_node(&"L1"),
		"rename": func(talker: Talker) -> void:
			talker.graph.rename_node(&"L1", &"first")
			talker.graph.add_node(&"more", DelayPayload.new())
			talker.graph.add_transition(&"first", &"more", &"DG"),
		"change": func(talker: Talker) -> void:
			var node: ActionGraphNode = talker.graph.get_node_by_id(&"L1")
			node.payload = null
			node.hooks = []
			node.costs = []
			node.gates = []
			talker.graph.get_node_by_id(&"L2").enabled = false
			talker.graph.get_node_by_id(&"root").transitions = [],
	})


func test_time_and_recordings_in_every_place() -> void:
	var replay: ActionReplay = _recording()
	var calls: Dictionary[String, Callable] = {
		"advance": func(talker: Talker) -> void: talker.player.advance(0.1),
		"recording": func(talker: Talker) -> void:
			if talker.player.start_recording():
				talker.player.process_input(&"LA")
			talker.player.stop_recording(),
		"graph and state": func(talker: Talker) -> void:
			var state: Dictionary = talker.player.export_state()
			talker.player.set_graph(talker.other, &"inside")
			talker.player.import_state(state),
		"replay with answers": func(talker: Talker) -> void: talker.player.play_replay(replay, true),
	}
	# Some of them are errors in some of the places.
	Engine.print_error_messages = false
	_try_everywhere(calls)
	Engine.print_error_messages = true


func _recording() -> ActionReplay:
	var talker: Talker = Talker.new(self)
	talker.player.start_recording()
	talker.player.process_input(&"LA")
	talker.player.advance(0.2)
	talker.player.process_input(&"DG")
	talker.player.advance(0.1)
	var made: ActionReplay = talker.player.stop_recording()
	talker.agent.free()
	return made


func test_nodes_that_go_in_every_place() -> void:
	for place: String in Talker.PLACES:
		for goes: String in ["agent", "player"]:
			var talker: Talker = _talker(place, func(made: Talker) -> void: (made.get(goes) as Node).queue_free())
			talker.run()
			await idle()
			check(not is_instance_valid(talker.player), "gone, %s at %s" % [goes, place])
			talker.balance("%s freed later at %s" % [goes, place])
			if is_instance_valid(talker.agent):
				eq(Array(talker.tags.get_tags()), [], "tags, %s freed at %s" % [goes, place])
				talker.agent.free()


func test_nodes_that_leave_the_tree_in_every_place() -> void:
	for place: String in Talker.PLACES:
		for goes: String in ["agent", "player"]:
			var what: String = "%s taken out at %s" % [goes, place]
			var talker: Talker = _talker(place, func(made: Talker) -> void: _take_out(made.get(goes) as Node))
			var parent: Node = (talker.get(goes) as Node).get_parent()
			talker.run()
			check(not talker.player.is_inside_tree(), what)
			talker.balance(what)
			eq(talker.player.process_input(&"LA"), ActionGraphPlayer.INPUT_DROPPED, "nothing comes of inputs, " + what)
			parent.add_child(talker.get(goes) as Node)
			talker.settle(what + " and put back")
			talker.agent.free()


func _take_out(node: Node) -> void:
	node.get_parent().remove_child(node)


func test_nodes_that_leave_and_come_back_in_every_place() -> void:
	for place: String in Talker.PLACES:
		var talker: Talker = _talker(place, func(made: Talker) -> void:
			made.agent.remove_child(made.player)
			made.agent.add_child(made.player))
		talker.run()
		talker.settle("out and back at " + place)
		talker.agent.free()


## A moveset that is set in the moment in which the player leaves is not lost.
func test_a_moveset_set_while_leaving() -> void:
	for place: String in ["execute", "enter", "started", "exit", "stop", "ended", "reset"]:
		var talker: Talker = _talker(place, func(made: Talker) -> void:
			made.player.set_graph(made.other, &"inside")
			made.agent.remove_child(made.player))
		talker.player.process_input(&"LA")
		if talker.player.is_inside_tree():
			talker.player.advance(2.0)
		check(not talker.player.is_inside_tree(), "it has left, " + place)
		talker.agent.add_child(talker.player)
		eq(talker.player.get_graph(), talker.other, "the moveset that counts, " + place)
		eq(talker.player.process_input(&"LA"), ActionGraphPlayer.INPUT_ENTERED, "it plays, " + place)
		eq(talker.player.get_current_node(), &"wait", "a move of it, " + place)
		talker.agent.free()


## The engine itself complains of what is freed while it emits; nothing breaks.
func test_nodes_freed_at_once_in_every_place() -> void:
	for place: String in Talker.PLACES:
		for goes: String in ["agent", "player"]:
			var talker: Talker = _talker(place, func(made: Talker) -> void: (made.get(goes) as Node).free())
			Engine.print_error_messages = false
			talker.run()
			Engine.print_error_messages = true
			eq(talker.mind.faults, PackedStringArray(), "runs, %s freed at %s" % [goes, place])
			if is_instance_valid(talker.agent):
				talker.agent.free()
	check(true, "nothing broke")


## A state that is handed over together with another moveset is looked up in that one.
func test_a_state_of_the_moveset_that_comes() -> void:
	var talker: Talker = Talker.new(self)
	for id: String in ["a_first", "b_second", "z_last"]:
		talker.other.add_node(id, DelayPayload.new())
	var state: Dictionary = talker.player.export_state()
	state["node"] = "z_last"
	talker.mind.reactions["started"] = func() -> void:
		talker.player.set_graph(talker.other, &"inside")
		check(talker.player.import_state(state), "it is taken")
	talker.player.process_input(&"LA")
	eq(talker.player.get_current_node(), &"z_last", "the node of that name in the new moveset")
	talker.settle("state of another moveset")
	talker.agent.free()


## Calls that change the player are queued inside of its callbacks, 64 per tick, and all of them come in their order.
func test_many_calls_inside() -> void:
	var talker: Talker = _talker("started", func(made: Talker) -> void:
		for i: int in 100:
			eq(made.player.process_input(&"XX"), ActionGraphPlayer.INPUT_FORWARDED, "inside of a signal"))
	expect_error("64")
	talker.player.process_input(&"LA")
	eq(talker.mind.words.count("dropped"), 64, "walked at once")
	talker.player.advance(0.01)
	eq(talker.mind.words.count("dropped"), 100, "walked in the next tick")
	talker.settle("many calls")
	talker.agent.free()
