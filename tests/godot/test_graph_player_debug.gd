extends TestCase
## What an ActionGraphPlayer says about itself: log lines, the label above the agent, answers to "nothing happens", warnings.

const Moves := preload("res://test_graph_player.gd")
const A: StringName = &"Input.A"
const B: StringName = &"Input.B"


func _hero() -> Moves.Hero:
	var hero: Moves.Hero = Moves.Hero.new(Moves.moves())
	add_child(hero)
	return hero


func _catch() -> Object:
	if not ClassDB.class_exists(&"Logger"):
		return null
	var catcher: Object = (load("res://support/message_catcher.gd") as GDScript).new()
	OS.call("add_logger", catcher)
	return catcher


func test_a_line_for_each_input() -> void:
	var catcher: Object = _catch()
	if catcher == null:
		check(true, "this engine has no Logger")
		return
	var hero: Moves.Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	player.process_input(A)
	eq(catcher.call(&"take"), PackedStringArray(), "nothing is printed by default")
	player.debug_log_actions = true
	player.process_input(A)
	player.process_input(&"Input.Nobody")
	hero.tags.add_tag(&"State.ActionsBlocked")
	player.process_input(B)
	hero.tags.remove_tag(&"State.ActionsBlocked")
	player.open_action_window()
	var lines: PackedStringArray = catcher.call(&"take")
	player.debug_log_actions = false
	player.process_input(&"Input.Nobody")
	eq(catcher.call(&"take"), PackedStringArray(), "off again")
	OS.call("remove_logger", catcher)
	if _is_release():
		eq(lines, PackedStringArray(), "nothing of it is in a release library")
		hero.free()
		return
	check(lines[0].begins_with("ActionGraphPlayer (") and "Hero/Moves): " in lines[0], lines[0])
	check("Input.A pressed: BUFFERED at Wait: " in lines[0], lines[0])
	check("Input.Nobody pressed: DROPPED at " in lines[1], lines[1])
	check("Input.B pressed: BLOCKED at Block: " in lines[2], lines[2])
	hero.free()


func test_why_nothing_happens() -> void:
	var hero: Moves.Hero = _hero()
	var player: ActionGraphPlayer = hero.player
	check("nobody answers" in player.explain_input(&"Input.Nobody"), player.explain_input(&"Input.Nobody"))
	player.process_input(A)
	player.open_action_window()
	var text: String = player.explain_input(B)
	check("Input.B pressed: DROPPED at Wait: window open, only Root answers." in text, text)
	check("root__hold to hold: Root has no turn while a window of one is open" in text, text)
	player.close_action_window()
	text = player.explain_input(B)
	check("root__hold to hold: Root has its turn when one is over" in text and "no transition" not in text, text)
	player.get_graph().get_node_by_id(&"one").buffer_override = ActionGraphNode.BUFFER_IGNORE
	text = player.explain_input(A)
	check("ignores early presses" in text, text)
	hero.tags.add_tag(&"State.ActionsBlocked")
	text = player.explain_input(A)
	check("BLOCKED" in text and "global_block_tags" in text, text)
	hero.tags.remove_tag(&"State.ActionsBlocked")
	player.interrupt_for_external()
	var wire: ActionGraphTransition = player.get_graph().add_transition(&"root", &"two", &"Input.C")
	wire.required_tags = ["Weapon.Shield"]
	text = player.explain_input(&"Input.C")
	check("has no tag Weapon.Shield" in text, text)
	hero.free()


func test_a_label_above_the_agent() -> void:
	var hero: Moves.Hero = _hero()
	var other: Moves.Hero = _hero()
	check(await _label(hero) == null, "none by default")
	hero.player.debug_overlay_actions = true
	hero.player.process_input(A)
	hero.player.process_input(A)
	var label: Label3D = await _label(hero)
	if _is_release():
		is_null(label, "nothing of it is in a release library")
		hero.free()
		other.free()
		return
	not_null(label, "a label")
	check("one" in label.text and "Input.A" in label.text, label.text)
	near(label.global_position.y, hero.global_position.y + 2.2, 0.01, "above the agent")
	check(await _label(other) == null, "only who has its own switch on")
	hero.player.debug_overlay_actions = false
	check(await _label(hero) == null, "gone")
	ProjectSettings.set_setting("riposte/debug/overlay_actions", true)
	await get_tree().process_frame
	check(await _label(hero) != null and await _label(other) != null, "all")
	other.player.debug_overlay_actions = true
	check(await _label(hero) == null and await _label(other) != null, "one has its own switch on")
	ProjectSettings.set_setting("riposte/debug/overlay_actions", false)
	await get_tree().process_frame
	hero.free()
	other.free()


func _label(hero: Moves.Hero) -> Label3D:
	for i: int in 3:
		await get_tree().process_frame
	for child: Node in hero.player.get_children(true):
		for label: Node in child.get_children(true):
			if label is Label3D:
				return label
	return null


func test_a_label_in_2d() -> void:
	var agent: Node2D = Node2D.new()
	agent.position = Vector2(300.0, 200.0)
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.default_graph = Moves.moves()
	player.debug_overlay_actions = true
	agent.add_child(player)
	add_child(agent)
	for i: int in 3:
		await get_tree().process_frame
	var labels: Array[Node] = []
	for child: Node in player.get_children(true):
		for label: Node in child.get_children(true):
			if label is Label:
				labels.append(label)
	if _is_release():
		eq(labels.size(), 0, "nothing of it is in a release library")
		agent.free()
		return
	eq(labels.size(), 1, "a label")
	check("root" in (labels[0] as Label).text, (labels[0] as Label).text)
	check((labels[0] as Label).position.y < 200.0, "above the agent")
	agent.free()


## A hidden class of the debug build tells; the release library has the same texts and nobody to ask.
func test_why_there_is_no_moveset() -> void:
	var agent: Node3D = Node3D.new()
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	agent.add_child(player)
	check("not in the tree" in player.explain_input(A), "outside of the tree")
	add_child(agent)
	check("There is no moveset" in player.explain_input(A), "none is set")
	var graph: ActionGraph = Moves.moves()
	graph.get_node_by_id(&"one").transitions[0].to = &"nowhere"
	expect_error("nowhere")
	player.default_graph = graph
	check("default_graph has errors" in player.explain_input(A), player.explain_input(A))
	agent.free()


func _warnings(player: ActionGraphPlayer) -> String:
	var probe: Object = ClassDB.instantiate(&"RiposteProbe")
	return "\n".join(probe.call(&"moves_warnings", player) as PackedStringArray)


func test_warnings() -> void:
	var agent: Node3D = add(Node3D.new())
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	agent.add_child(player)
	if _is_release():
		check(true, "a release library tells warnings to the editor only")
		agent.free()
		return
	has_element(_warnings(player), "There is no moveset", "no graph")
	var graph: ActionGraph = Moves.moves()
	player.default_graph = graph
	lacks_element(_warnings(player), "moveset", "a graph without animations")
	lacks_element(_warnings(player), "TagContainer", "no tags are applied")
	var slash: PlayAnimationPayload = PlayAnimationPayload.new()
	slash.animation = &"slash"
	graph.add_node(&"slash", slash)
	has_element(_warnings(player), "AnimationPlayer", "nobody plays animations")
	var animations: AnimationPlayer = AnimationPlayer.new()
	agent.add_child(animations)
	has_element(_warnings(player), "no animation \"slash\"", "the name is missing")
	graph.get_node_by_id(&"slash").applied_tags = ["State.Attack"]
	has_element(_warnings(player), "TagContainer", "tags without a container")
	var cost: VitalCost = VitalCost.new()
	graph.get_node_by_id(&"slash").costs = [cost]
	has_element(_warnings(player), "AgentVitals", "a cost without vitals")
	var second: ActionGraphPlayer = ActionGraphPlayer.new()
	agent.add_child(second)
	has_element(_warnings(second), "more than one ActionGraphPlayer", "two of them")


## The library under test is the one for exported games.
func _is_release() -> bool:
	return "build=release" in OS.get_cmdline_user_args()


func test_warning_of_a_missing_approach() -> void:
	for flat: bool in [false, true]:
		var agent: Node = add(Node2D.new() if flat else Node3D.new())
		var player: ActionGraphPlayer = ActionGraphPlayer.new()
		var graph: ActionGraph = Moves.moves()
		player.default_graph = graph
		agent.add_child(player)
		agent.add_child(AnimationPlayer.new())
		if _is_release():
			check(true, "a release library tells warnings to the editor only")
			continue
		var lunge: PlayAnimationPayload = graph.add_node(&"lunge").payload as PlayAnimationPayload
		lacks_element(_warnings(player), "AttackApproach", "it stays where it is")
		var named: String = "\"lunge\" turns the agent or keeps a distance, and the agent has no AttackApproach%s" % ("2D" if flat else "3D")
		for setting: Array in [[&"turn_to_input", true, false], [&"stop_distance", 0.0, -1.0], [&"make_room_seconds", 0.5, -1.0]]:
			lunge.set(setting[0] as StringName, setting[1])
			has_element(_warnings(player), named, setting[0])
			lunge.set(setting[0] as StringName, setting[2])
			lacks_element(_warnings(player), "AttackApproach", setting[0])
		lunge.make_room_seconds = 0.0
		lacks_element(_warnings(player), "AttackApproach", "it makes no room")
		var window: ActionWindow = ActionWindow.new()
		window.stop_distance = 2.0
		lunge.windows = [window]
		has_element(_warnings(player), named, "a window")
		agent.add_child(ClassDB.instantiate(&"AttackApproach2D" if flat else &"AttackApproach3D") as Node)
		lacks_element(_warnings(player), "AttackApproach", "mended")
