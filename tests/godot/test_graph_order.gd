extends TestCase
## The order of what is told when a move follows another, graphs that come and go, and state in and out.

const Rig := preload("res://support/graph_rig.gd")
const Rows := preload("res://support/graph_rows.gd")
const Diary := preload("res://support/diary.gd")


## Plays an animation and writes down.
class Played:
	extends ActionPayload
	@export var diary: Resource = null
	@export var animation: StringName = &""

	func _execute(run: ActionRun) -> bool:
		var tags: TagContainer = run.agent.find_child("*Tags*", false, false) as TagContainer
		(diary as Diary).write(
			"%s payload (%s)" % [run.node_id, ",".join(Array(tags.get_tags()).filter(_is_of_move))]
		)
		return run.play_animation(animation)

	func _stop(run: ActionRun, reason: int) -> void:
		(diary as Diary).write("%s _stop %d" % [run.node_id, reason])

	func _is_of_move(tag: String) -> bool:
		return tag.begins_with("Move.")


class Watching:
	extends ActionGraphHook
	@export var diary: Resource = null
	@export var label: String = ""

	func _enter(run: ActionRun) -> void:
		(diary as Diary).write("%s _enter %s" % [run.node_id, label])

	func _exit(run: ActionRun, reason: int) -> void:
		(diary as Diary).write("%s _exit %s %d" % [run.node_id, label, reason])


class Paid:
	extends ActionCost
	@export var diary: Resource = null

	func _can_pay(_run: ActionRun) -> bool:
		return true

	func _pay(run: ActionRun) -> void:
		(diary as Diary).write("%s pays" % run.node_id)


var _diary: Diary = Diary.new()


## A rig with moves that write down what is called; L1 has two hooks.
func _watched(named: String) -> Rig:
	var rig: Rig = Rig.new(self, Rows.row(named))
	rig.tags.name = "Tags"
	for id: String in ["L1", "L2", "DODGE"]:
		var node: ActionGraphNode = rig.graph.get_node_by_id(id)
		var payload: Played = Played.new()
		payload.diary = _diary
		payload.animation = id.to_lower()
		node.payload = payload
		var hooks: Array = []
		for label: String in ["a", "b"]:
			var hook: Watching = Watching.new()
			hook.diary = _diary
			hook.label = label
			hooks.append(hook)
		node.hooks = hooks
		var cost: Paid = Paid.new()
		cost.diary = _diary
		node.costs = [cost]
		node.applied_tags = ["Move." + id]
	var player: ActionGraphPlayer = rig.player
	player.window_opened.connect(func(kind: StringName) -> void: _diary.write("window_opened(%s)" % kind))
	player.window_closed.connect(func(kind: StringName) -> void: _diary.write("window_closed(%s)" % kind))
	player.action_started.connect(func(node: StringName, _run: ActionRun) -> void: _diary.write("started %s" % node))
	player.action_ended.connect(func(node: StringName, reason: int) -> void: _diary.write("ended %s %d" % [node, reason]))
	player.action_cancelled.connect(
		func(node: StringName, tag: StringName) -> void: _diary.write("cancelled %s by %s" % [node, tag])
	)
	player.graph_reset.connect(func() -> void: _diary.write("reset"))
	# The graph was changed: it is compiled again with the next tick.
	rig.advance(0.001)
	rig.now = 0.0
	rig.before = 0.0
	return rig


func test_ex_50_t1() -> void:
	var rig: Rig = _watched("M3")
	rig.player.process_input(&"LA")
	rig.advance(0.5)
	_diary.lines.clear()
	rig.player.process_input(&"LA")
	var chained: int = ActionGraphPlayer.END_CHAINED
	eq(
		_diary.lines,
		PackedStringArray(
			[
				"window_closed()", "L1 _exit b %d" % chained, "L1 _exit a %d" % chained, "L1 _stop %d" % chained,
				"ended L1 %d" % chained, "L2 pays", "L2 payload (Move.L2)", "L2 _enter a", "L2 _enter b", "started L2",
			]
		),
		"what is called and told at 0.5"
	)


func test_ex_50_t2() -> void:
	var rig: Rig = Rig.new(self, Rows.row("M1"))
	var told: PackedStringArray = []
	rig.tags.tags_changed.connect(
		func(added: PackedStringArray, removed: PackedStringArray) -> void:
			if "State.ActionRunning" in added:
				told.append("added@%s" % Rig.seconds(rig.now))
			if "State.ActionRunning" in removed:
				told.append("removed@%s" % Rig.seconds(rig.now))
	)
	rig.player.process_input(&"LA")
	check(rig.tags.has_tag(&"State.ActionRunning"), "it is held while L1 runs")
	await idle()
	rig.advance(0.2)
	await idle()
	rig.player.process_input(&"LA")
	for to: float in [0.3, 0.4, 0.5, 0.9, 1.39]:
		rig.advance(to)
		check(rig.tags.has_tag(&"State.ActionRunning"), "it is held at %s" % to)
		await idle()
	eq(rig.player.get_current_node(), &"L2", "the move that runs")
	rig.advance(1.4)
	check(not rig.tags.has_tag(&"State.ActionRunning"), "it goes with the last move")
	await idle(2)
	eq(told, PackedStringArray(["added@0", "removed@1.4"]), "what is told of the tag")


func test_ex_50_t3() -> void:
	var rig: Rig = _watched("M34")
	rig.player.process_input(&"LA")
	rig.advance(0.2)
	_diary.lines.clear()
	rig.player.process_input(&"DG")
	var cancelled: int = ActionGraphPlayer.END_CANCELLED
	eq(
		_diary.lines,
		PackedStringArray(
			[
				"L1 _exit b %d" % cancelled, "L1 _exit a %d" % cancelled, "L1 _stop %d" % cancelled, "cancelled L1 by DG",
				"ended L1 %d" % cancelled, "DODGE pays", "DODGE payload (Move.DODGE)", "DODGE _enter a", "DODGE _enter b",
				"started DODGE",
			]
		),
		"what is called and told at 0.2"
	)


## A derived graph: its own node replaces that of its base, its own wires of the root come first.
func test_wires_of_the_base_follow_own_ones() -> void:
	var base: ActionGraph = ActionGraph.new()
	base.add_node(&"light_1", _delay(1.0))
	base.add_node(&"heavy", _delay(2.0))
	base.add_transition(&"root", &"heavy", &"HV")
	base.add_transition(&"root", &"heavy", &"LA")
	var derived: ActionGraph = ActionGraph.new()
	derived.base = base
	derived.add_node(&"light_1", _delay(0.25))
	derived.add_transition(&"root", &"light_1", &"LA")
	check(derived.compile(), "it compiles")
	eq(derived.get_node_ids(), PackedStringArray(["root", "heavy", "light_1"]), "nodes in compiled order")
	eq(derived.get_node_index(&"light_1"), 2, "index of light_1")
	var rig: Rig = Rig.new(self, {"input": [], "expect": []})
	check(rig.player.set_graph(derived), "the graph is taken")
	rig.player.process_input(&"LA")
	eq(rig.player.get_current_node(), &"light_1", "own wires come first")
	near(rig.player.get_action_state()["time_left"], 0.25, 0.001, "the derived node plays")
	rig.advance(1.0)
	rig.advance(2.0)
	rig.player.process_input(&"HV")
	eq(rig.player.get_current_node(), &"heavy", "wires of the base follow")
	rig.agent.free()


func _delay(seconds: float) -> DelayPayload:
	var made: DelayPayload = DelayPayload.new()
	made.delay_seconds = seconds
	return made


func test_a_weapon_scene_comes_and_goes() -> void:
	var rig: Rig = Rig.new(self, Rows.row("M1"))
	var told: Array = []
	rig.player.graph_changed.connect(func(graph: ActionGraph) -> void: told.append(graph))
	var unarmed: ActionGraph = rig.graph
	eq(rig.player.get_graph(), unarmed, "the default graph plays first")
	rig.player.process_input(&"LA")
	var sword: ActionGraph = ActionGraph.new()
	sword.add_node(&"slash", _delay(1.0))
	sword.add_transition(&"root", &"slash", &"LA")
	var scene: Node3D = Node3D.new()
	var grant: ActionGraphGrant = ActionGraphGrant.new()
	grant.graph = sword
	scene.add_child(grant)
	rig.agent.add_child(scene)
	rig.player.process_input(&"LA")
	eq(rig.player.get_current_node(), &"slash", "the sword's move")
	rig.agent.remove_child(scene)
	eq(rig.player.get_current_node(), &"root", "back at the root of the default graph")
	eq(told, [sword, unarmed], "graphs that became active")
	var texts: Array = rig.words.map(func(word: Rig.Word) -> String: return word.text)
	eq(texts.count("(L1 REMOVED)"), 1, "L1 is removed")
	eq(texts.count("(slash REMOVED)"), 1, "slash is removed")
	scene.free()
	rig.agent.free()


## The first graph is told as well, to whoever listens before the player is ready.
func test_the_first_graph_is_told() -> void:
	var agent: Node3D = Node3D.new()
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	player.default_graph = ActionGraph.new()
	var told: SignalRecord = record(player.graph_changed)
	agent.add_child(player)
	add(agent)
	player.advance(0.1)
	eq(told.arguments(), [player.default_graph], "graphs that became active")
