extends TestCase
## ActionGraphPlayer: its steps, its life in the tree, and nodes that a thread makes.

const Moves := preload("res://test_graph_player.gd")
const A: StringName = Moves.A


func _hero(graph: ActionGraph = Moves.moves()) -> Moves.Hero:
	var hero: Moves.Hero = Moves.Hero.new(graph)
	add_child(hero)
	return hero


func _spend(player: ActionGraphPlayer, seconds: float) -> void:
	for i: int in roundi(seconds * 100.0):
		player.advance(0.01)


func test_idle_players_do_not_step() -> void:
	var hero: Moves.Hero = Moves.Hero.new(Moves.moves())
	var player: ActionGraphPlayer = hero.player
	player.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	add_child(hero)
	check(not player.is_physics_processing() and not player.is_processing(), "idle at Root")
	player.process_input(A)
	check(player.is_physics_processing(), "a move runs")
	player.process_callback = ActionGraphPlayer.PROCESS_IDLE
	check(player.is_processing() and not player.is_physics_processing(), "with the frames")
	player.interrupt_for_external()
	check(not player.is_processing(), "idle again")
	player.freeze(0.5)
	check(player.is_processing(), "a freeze counts time")
	player.unfreeze()
	check(not player.is_processing(), "idle again")
	hero.free()


func test_it_steps_with_the_physics() -> void:
	var hero: Moves.Hero = Moves.Hero.new(Moves.moves())
	hero.player.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	add_child(hero)
	var ended: SignalRecord = record(hero.player.action_ended)
	hero.player.process_input(A)
	for i: int in 25:
		await get_tree().physics_frame
	eq(ended.count(), 0, "not yet")
	for i: int in 8:
		await get_tree().physics_frame
	eq(ended.count(), 1, "after half a second")
	hero.free()


func test_pause_and_scales() -> void:
	var hero: Moves.Hero = Moves.Hero.new(Moves.moves())
	var player: ActionGraphPlayer = hero.player
	player.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	add_child(hero)
	player.process_input(A)
	player.process_mode = Node.PROCESS_MODE_DISABLED
	for i: int in 40:
		await get_tree().physics_frame
	eq(player.get_current_node(), &"one", "disabled: nothing passes")
	player.process_mode = Node.PROCESS_MODE_INHERIT
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	var before: float = player.get_run().node_time
	player.time_scale = 0.5
	player.action_speed = 0.5
	player.advance(0.2)
	near(player.get_run().node_time - before, 0.05, 1e-6, "both scale the move")
	player.time_scale = 0.0
	player.advance(10.0)
	eq(player.get_current_node(), &"one", "it stands still")
	eq(player.process_input(A), ActionGraphPlayer.INPUT_BUFFERED, "inputs are still answered")
	hero.free()


func test_advance_needs_manual() -> void:
	var hero: Moves.Hero = Moves.Hero.new(Moves.moves())
	hero.player.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	add_child(hero)
	expect_error("advance()")
	hero.player.advance(0.1)
	hero.player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	expect_warning("advance() got")
	hero.player.advance(NAN)
	expect_error("freeze() got")
	hero.player.freeze(-1.0)
	eq(hero.player.get_current_node(), &"root")
	hero.free()


func test_leaving_the_tree() -> void:
	var graph: ActionGraph = Moves.moves()
	graph.get_node_by_id(&"one").applied_tags = ["State.Attack"]
	var hero: Moves.Hero = _hero(graph)
	var player: ActionGraphPlayer = hero.player
	var ended: SignalRecord = record(player.action_ended)
	player.process_input(A)
	remove_child(hero)
	eq(ended.calls, [[&"one", ActionGraphPlayer.END_REMOVED]])
	eq(player.get_current_node(), &"root", "nothing runs")
	eq(hero.tags.get_tags(), [], "the tags are gone")
	add_child(hero)
	eq(player.process_input(A), ActionGraphPlayer.INPUT_ENTERED, "it plays again")
	hero.free()
	eq(ended.count(), 2, "freed: the run ends too")


func test_freed_in_its_own_signal() -> void:
	for place: StringName in [&"action_started", &"input_buffered", &"action_ended", &"graph_reset"]:
		var hero: Moves.Hero = _hero()
		var player: ActionGraphPlayer = hero.player
		var handler: Callable = func(_a: Variant = null, _b: Variant = null) -> void:
			if is_instance_valid(hero) and not hero.is_queued_for_deletion():
				hero.queue_free()
				remove_child(hero)
		player.connect(place, handler)
		player.process_input(A)
		if is_instance_valid(hero) and hero.is_inside_tree():
			player.process_input(A)
			_spend(player, 1.2)
		check(not is_instance_valid(hero) or not hero.is_inside_tree(), "gone in %s" % place)
		await get_tree().process_frame


func test_an_unfinished_setup_is_silent() -> void:
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	eq(player.process_input(A), ActionGraphPlayer.INPUT_DROPPED)
	eq(player.get_current_node(), &"")
	eq(player.get_offered_inputs(), [])
	eq(player.get_last_input_report(), {})
	eq(player.get_locomotion_scale(), Vector3.ONE)
	eq(player.get_charges(&"x"), -1)
	eq(player.get_remaining_cooldown(&"x"), 0.0)
	check(not player.is_held(A) and player.held_time(A) == 0.0, "nothing is held")
	eq(player.clear_buffer(), 0)
	player.free()


func test_a_scene_loaded_on_a_thread() -> void:
	var made: Array[ActionGraphPlayer] = []
	var thread: Thread = Thread.new()
	var graph: ActionGraph = Moves.moves()
	thread.start(func() -> void:
		var player: ActionGraphPlayer = ActionGraphPlayer.new()
		player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
		player.default_graph = graph
		made.append(player))
	thread.wait_to_finish()
	var agent: Node3D = Node3D.new()
	agent.add_child(made[0])
	add_child(agent)
	eq(made[0].process_input(A), ActionGraphPlayer.INPUT_ENTERED, "it plays")
	agent.free()
