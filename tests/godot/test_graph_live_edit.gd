extends TestCase
## A graph is edited while it is played: the move goes on.

const Parts := preload("res://support/graph_parts.gd")

var graph: ActionGraph
var moves: ActionGraphPlayer
var time := 0.0
var path: PackedStringArray = []


func _play(what: ActionGraph) -> void:
	graph = what
	moves = ActionGraphPlayer.new()
	moves.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	moves.default_graph = graph
	moves.action_started.connect(func(node: StringName, _run: ActionRun) -> void: path.append("%s@%s" % [node, snappedf(time, 0.001)]))
	moves.graph_reset.connect(func() -> void: path.append("root@%s" % snappedf(time, 0.001)))
	var agent := Node3D.new()
	agent.add_child(moves)
	add(agent)


func _to(seconds: float) -> void:
	while time < seconds - 0.000001:
		var step := minf(0.05, seconds - time)
		time += step
		moves.advance(step)


func test_nodes_and_wires_that_are_added_count_at_once() -> void:
	_play(Parts.sword())
	moves.process_input(&"Input.LightAttack")
	_to(0.3)
	graph.add_node(&"kick", Parts.delay(0.5))
	graph.add_transition(&"light_1", &"kick", &"Input.Kick").timing = ActionGraphTransition.TIMING_INTERRUPT
	_to(0.35)
	eq(moves.get_current_node(), &"light_1", "the move goes on")
	near(moves.get_run().node_time, 0.35, 0.0001, "where it was")
	eq(moves.process_input(&"Input.Kick"), ActionGraphPlayer.INPUT_ENTERED, "the new wire")
	_to(1.0)
	eq(path, ["light_1@0.0", "kick@0.35", "root@0.85"], "played")


func test_a_deleted_node_plays_to_its_end() -> void:
	_play(Parts.sword())
	moves.process_input(&"Input.LightAttack")
	_to(0.5)
	graph.remove_node(&"light_1")
	_to(0.6)
	eq(moves.get_current_node(), &"light_1", "still playing")
	eq(moves.process_input(&"Input.LightAttack"), ActionGraphPlayer.INPUT_DROPPED, "its wire is gone, and that of root to it")
	_to(1.2)
	eq(path, ["light_1@0.0", "root@1.0"], "then root")
	eq(moves.process_input(&"Input.LightAttack"), ActionGraphPlayer.INPUT_DROPPED, "nothing leads to it")
	eq(moves.process_input(&"Input.Dodge"), ActionGraphPlayer.INPUT_ENTERED, "the others are there")


func test_an_edit_with_errors_leaves_what_is_played() -> void:
	_play(Parts.sword())
	moves.process_input(&"Input.LightAttack")
	_to(0.2)
	var wire: ActionGraphTransition = graph.get_node_by_id(&"light_1").transitions[0]
	wire.to = &"nobody"
	expect_error("transition to unknown node \"nobody\"")
	_to(0.4)
	moves.process_input(&"Input.LightAttack")
	_to(1.1)
	eq(path, ["light_1@0.0", "light_2@1.0"], "as before the edit")
	wire.to = &"dodge"
	_to(2.2)
	moves.process_input(&"Input.LightAttack")
	_to(2.3)
	moves.process_input(&"Input.LightAttack")
	_to(3.3)
	eq(path[-1], "dodge@%s" % snappedf(3.2, 0.001), "mended: %s" % path)


func test_an_edit_of_the_base_reaches_the_player() -> void:
	var heir := ActionGraph.new()
	var base := Parts.sword()
	heir.base = base
	_play(heir)
	_to(0.1)
	base.add_node(&"kick", Parts.delay(0.5))
	base.add_transition(&"root", &"kick", &"Input.Kick")
	_to(0.2)
	eq(moves.process_input(&"Input.Kick"), ActionGraphPlayer.INPUT_ENTERED, "the base's new wire")


func test_own_wires_come_before_inherited_ones() -> void:
	var base := Parts.graph({&"slow": 1.0, &"fast": 0.2})
	base.add_transition(&"root", &"slow", &"Input.LightAttack")
	var heir := ActionGraph.new()
	heir.base = base
	heir.add_transition(&"root", &"fast", &"Input.LightAttack")
	_play(heir)
	moves.process_input(&"Input.LightAttack")
	eq(moves.get_current_node(), &"fast", "its own wire wins")
	heir.get_node_by_id(&"root").inherit_transitions = false
	heir.remove_transition(&"root__fast")
	_to(0.3)
	eq(moves.process_input(&"Input.LightAttack"), ActionGraphPlayer.INPUT_DROPPED, "the inherited wire is off")


func test_moving_cards_disturbs_nobody() -> void:
	_play(Parts.sword())
	graph.layout = ActionGraphLayout.new()
	moves.process_input(&"Input.LightAttack")
	_to(0.3)
	graph.layout.positions = {&"light_1": [5, 5]}
	_to(0.6)
	near(moves.get_run().node_time, 0.6, 0.0001, "goes on")


func test_a_graph_that_is_edited_in_a_handler() -> void:
	_play(Parts.sword())
	moves.action_started.connect(func(node: StringName, _run: ActionRun) -> void:
		if node == &"light_1":
			graph.remove_node(&"light_2")
			graph.add_node(&"extra", Parts.delay(0.5))
			graph.add_transition(&"light_1", &"extra", &"Input.LightAttack"))
	moves.process_input(&"Input.LightAttack")
	_to(0.1)
	moves.process_input(&"Input.LightAttack")
	_to(1.2)
	eq(path, ["light_1@0.0", "extra@1.0"], "the edit counts")
