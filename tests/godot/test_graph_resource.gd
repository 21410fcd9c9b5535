extends TestCase
## The resource of a moveset: its dictionary, its edits, its properties in the inspector.

const Parts := preload("res://support/graph_parts.gd")
const HOOK := "extends ActionGraphHook\nfunc _enter(_run: ActionRun) -> void:\n\tpass\n"


func _keys(graph: ActionGraph) -> Array:
	return graph.nodes.keys().map(func(key: StringName) -> String: return str(key))


func _ids(list: Array) -> Array:
	return list.map(func(wire: ActionGraphTransition) -> String: return str(wire.id))


func _usage(object: Object, property: String) -> int:
	for info: Dictionary in object.get_property_list():
		if info.name == property:
			return info.usage
	return -1


func _is_shown(object: Object, property: String) -> bool:
	return _usage(object, property) & PROPERTY_USAGE_EDITOR != 0


func test_a_new_graph_has_root_only() -> void:
	var graph := ActionGraph.new()
	eq(_keys(graph), ["root"], "nodes")
	eq(graph.get_node_ids(), ["root"], "ids")
	eq(graph.get_node_index(&"root"), 0, "index of root")
	eq(graph.get_node_index(&"heavy"), -1, "index of a node that is not there")
	is_null(graph.get_node_by_id(&"heavy"), "a node that is not there")
	eq(graph.validate(), [], "nothing is wrong")
	check(graph.compile(), "it compiles")


func test_ids_stand_in_the_order_of_their_bytes() -> void:
	var graph := ActionGraph.new()
	for id: StringName in [&"zed", &"Ab", &"root_2", &"a_2", &"a1", &"_x", &"B"]:
		not_null(graph.add_node(id), id)
	eq(_keys(graph), ["Ab", "B", "_x", "a1", "a_2", "root", "root_2", "zed"], "the dictionary")
	eq(graph.get_node_ids(), ["root", "Ab", "B", "_x", "a1", "a_2", "root_2", "zed"], "compiled")
	eq(graph.get_node_index(&"_x"), 3, "index")


func test_bad_ids_are_refused() -> void:
	var graph := ActionGraph.new()
	graph.add_node(&"jab")
	for id: String in ["", "2fast", "with space", "höh", "a-b"]:
		expect_error("add_node(): id \"%s\" is not an identifier." % id)
		is_null(graph.add_node(StringName(id)), id)
	expect_error("add_node(): id \"root\" is reserved.")
	is_null(graph.add_node(&"root"), "root")
	expect_error("add_node(): id \"jab\" is used already.")
	is_null(graph.add_node(&"jab"), "taken")
	eq(graph.get_node_ids(), ["root", "jab"], "nothing was added")


func test_a_node_without_a_payload_plays_an_animation() -> void:
	var graph := ActionGraph.new()
	check(graph.add_node(&"poke").payload is PlayAnimationPayload, "the default")
	var hold := HoldPayload.new()
	eq(graph.add_node(&"guard", hold).payload, hold, "the given one")
	expect_error("payload is VitalCost; payload stays as it was.")
	is_null(graph.add_node(&"odd", VitalCost.new()), "what is no payload")
	is_null(graph.get_node_by_id(&"odd"), "it is not there")


func test_ids_of_transitions_are_unique() -> void:
	var graph := Parts.graph({&"a": 1.0, &"b": 1.0, &"a__b": 1.0, &"c": 1.0, &"b__c": 1.0})
	eq(graph.add_transition(&"a", &"b", &"Input.A").id, &"a__b", "first")
	eq(graph.add_transition(&"a", &"b", &"Input.B").id, &"a__b_2", "second")
	eq(graph.add_transition(&"a__b", &"c", &"Input.A").id, &"a__b__c", "a name with underscores")
	eq(graph.add_transition(&"a", &"b__c", &"Input.C").id, &"a__b__c_2", "which another one has")
	check(graph.remove_transition(&"a__b"), "removed")
	eq(graph.add_transition(&"a", &"b", &"Input.A").id, &"a__b", "free again")
	eq(_ids(graph.get_node_by_id(&"a").transitions), ["a__b_2", "a__b__c_2", "a__b"], "in order")
	var wire := graph.add_transition(&"a", &"root", &"", ActionGraphTransition.FIRES_ACTION_COMPLETED)
	eq(wire.fires_on, ActionGraphTransition.FIRES_ACTION_COMPLETED, "moment")
	eq(graph.add_transition(&"b", &"c").fires_on, ActionGraphTransition.FIRES_INPUT_PRESSED, "the default")


func test_edits_that_are_refused() -> void:
	var graph := Parts.sword()
	expect_error("there is no node \"light_3\". Did you mean \"light_1\"?")
	is_null(graph.add_transition(&"light_3", &"dodge", &"Input.A"), "from")
	expect_error("there is no node \"dodg\". Did you mean \"dodge\"?")
	is_null(graph.add_transition(&"light_1", &"dodg", &"Input.A"), "to")
	expect_error("fires_on = 7 is unknown.")
	is_null(graph.add_transition(&"light_1", &"dodge", &"Input.A", 7), "moment")
	expect_error("add_transition: ")
	is_null(graph.add_transition(&"light_1", &"dodge", &"Input..A"), "tag")
	expect_error("root is always there and can't be removed.")
	check(not graph.remove_node(&"root"), "root stays")
	expect_error("there is no transition \"light_1__dodge\" in this graph.")
	check(not graph.remove_transition(&"light_1__dodge"), "no such transition")
	expect_error("there is no node \"lihgt_1\".")
	check(not graph.remove_node(&"lihgt_1"), "unknown")
	expect_error("root keeps its name.")
	check(not graph.rename_node(&"root", &"base"), "root")
	expect_error("rename_node(): id \"dodge\" is used already.")
	check(not graph.rename_node(&"light_1", &"dodge"), "taken")
	expect_error("rename_node(): id \"no way\" is not an identifier.")
	check(not graph.rename_node(&"light_1", &"no way"), "no identifier")
	eq(graph.get_node_ids(), ["root", "dodge", "light_1", "light_2"], "nothing changed")


func test_removing_a_node_takes_its_wires() -> void:
	var graph := Parts.sword()
	graph.layout = ActionGraphLayout.new()
	graph.layout.positions = {&"light_1": [1, 2], &"dodge": [3, 4]}
	graph.layout.colors = {&"light_1": "#ff0000"}
	graph.layout.routers = {&"r1": {"at": [0, 0], "entries": ["root__light_1", "root__dodge"]}}
	graph.layout.comments = {&"c1": {"title": "Combo", "rect": [0, 0, 9, 9], "cards": ["light_1", "dodge"]}}
	check(graph.remove_node(&"light_1"), "removed")
	eq(graph.get_node_ids(), ["root", "dodge", "light_2"], "ids")
	eq(_ids(graph.get_node_by_id(&"root").transitions), ["root__dodge"], "the wire to it is gone")
	eq(graph.layout.positions, {&"dodge": [3, 4]}, "positions")
	eq(graph.layout.colors, {}, "colors")
	eq(graph.layout.routers[&"r1"].entries, ["root__dodge"], "routers")
	eq(graph.layout.comments[&"c1"].cards, ["dodge"], "comments")
	check(graph.compile(), "it compiles")


func test_renaming_a_node_rewrites_what_leads_to_it() -> void:
	var graph := Parts.sword()
	graph.add_transition(&"light_2", &"light_1", &"Input.LightAttack")
	graph.layout = ActionGraphLayout.new()
	graph.layout.positions = {&"light_1": [1, 2], &"root": [0, 0]}
	graph.layout.comments = {&"c1": {"title": "Combo", "rect": [0, 0, 9, 9], "cards": ["light_1"]}}
	var node := graph.get_node_by_id(&"light_1")
	check(graph.rename_node(&"light_1", &"cut"), "renamed")
	eq(graph.get_node_ids(), ["root", "cut", "dodge", "light_2"], "ids")
	eq(graph.get_node_by_id(&"cut"), node, "the same node")
	eq(graph.get_node_by_id(&"root").transitions[0].to, &"cut", "from root")
	eq(graph.get_node_by_id(&"light_2").transitions[0].to, &"cut", "from light_2")
	eq(graph.get_node_by_id(&"root").transitions[0].id, &"root__light_1", "the id of a transition stays")
	eq(node.get_scene_unique_id(), "node_cut", "its block in the file")
	eq(node.payload.get_scene_unique_id(), "node_cut_payload", "that of the payload")
	eq(graph.layout.positions.keys(), [&"cut", &"root"], "positions")
	eq(graph.layout.comments[&"c1"].cards, ["cut"], "comments")
	check(graph.compile(), "it compiles")


func test_assigned_nodes_are_sorted_and_checked() -> void:
	var graph := ActionGraph.new()
	var root := graph.get_node_by_id(&"root")
	var untyped: Variant = graph
	untyped.nodes = {&"b": ActionGraphNode.new(), "a": ActionGraphNode.new(), &"c": null}
	eq(_keys(graph), ["a", "b", "c", "root"], "sorted, root is always there")
	eq(graph.get_node_by_id(&"root"), root, "the same root")
	eq(graph.get_node_ids(), ["root", "a", "b"], "an empty entry is skipped")
	check(graph.nodes.is_read_only(), "read-only")
	expect_error("nodes has b : AngleScorer; nodes stays as it was.")
	untyped.nodes = {&"b": AngleScorer.new()}
	untyped.nodes = {5: ActionGraphNode.new()}
	eq(_keys(graph), ["a", "b", "c", "root"], "unchanged")
	var own := ActionGraphNode.new()
	untyped.nodes = {&"root": own}
	eq(graph.get_node_by_id(&"root"), own, "another root")


func test_lists_refuse_a_wrong_class() -> void:
	var graph := Parts.sword()
	var node := graph.get_node_by_id(&"light_1")
	var wires: Array = node.transitions
	expect_error("transitions[0] is Curve; transitions stays as it was. Allowed: ActionGraphTransition.")
	node.transitions = [Curve.new()]
	eq(node.transitions, wires, "transitions")
	node.costs = [VitalCost.new()]
	expect_error("costs[0] is TagGate; costs stays as it was. Allowed: VitalCost, AttributeCost, ActionCost.")
	node.costs = [TagGate.new()]
	check(node.costs.size() == 1 and node.costs[0] is VitalCost, "costs")
	expect_error("hooks[0] is ActionHook; hooks stays as it was. Allowed: LocomotionModifierHook, CancelOnMovementHook, DrainVitalHook, ActionGraphHook.")
	node.hooks = [ActionHook.new()]
	node.hooks = [script(HOOK).new(), DrainVitalHook.new()]
	eq(node.hooks.size(), 2, "a scripted one and a built-in one")
	expect_error("conditions[0] is TagGate;")
	graph.get_node_by_id(&"root").transitions[0].conditions = [TagGate.new()]
	node.gates = [TagGate.new(), StaminaGate.new()]
	eq(node.gates.size(), 2, "gates are those of actions")
	check(node.transitions.is_read_only() and node.costs.is_read_only(), "read-only")


func test_wires_that_a_script_or_the_inspector_adds_get_a_name() -> void:
	var graph := Parts.sword()
	var node := graph.get_node_by_id(&"light_1")
	var wire := ActionGraphTransition.new()
	wire.to = &"dodge"
	wire.input_tag = &"Input.Dodge"
	node.transitions = node.transitions + [wire]
	eq(wire.id, &"light_1__dodge", "named")
	eq(wire.get_scene_unique_id(), "light_1__dodge", "in the file too")
	var copy: ActionGraphTransition = wire.duplicate()
	node.transitions = node.transitions + [copy]
	eq(copy.id, &"light_1__dodge_2", "a copy gets a name of its own")
	node.payload = HoldPayload.new()
	eq(node.payload.get_scene_unique_id(), "node_light_1_payload", "a new payload")
	check(graph.compile(), "no id is used twice")


func test_every_edit_is_told_once() -> void:
	var graph := Parts.sword()
	var told := record(graph.changed)
	graph.add_node(&"heavy")
	eq(told.count(), 1, "add_node")
	graph.add_transition(&"light_1", &"heavy", &"Input.Heavy")
	eq(told.count(), 2, "add_transition")
	graph.rename_node(&"heavy", &"smash")
	eq(told.count(), 3, "rename_node")
	graph.remove_node(&"smash")
	eq(told.count(), 4, "remove_node")
	graph.get_node_by_id(&"light_1").can_be_cancelled = true
	eq(told.count(), 5, "a property of a node")
	graph.get_node_by_id(&"light_1").transitions[0].priority = 3
	eq(told.count(), 6, "of a transition")
	(graph.get_node_by_id(&"light_1").payload as DelayPayload).delay_seconds = 2.0
	eq(told.count(), 7, "of a payload")
	graph.late_input_grace = 0.5
	eq(told.count(), 8, "of the graph")


func test_numbers_are_checked() -> void:
	var graph := ActionGraph.new()
	expect_warning("late_input_grace = -1")
	graph.late_input_grace = -1.0
	eq(graph.late_input_grace, 0.0, "clamped")
	expect_warning("held_input_restart_window = NaN is refused")
	graph.held_input_restart_window = NAN
	eq(graph.held_input_restart_window, 0.35, "kept")
	expect_error("default_input_buffer_mode = 3 is refused")
	graph.default_input_buffer_mode = 3
	eq(graph.default_input_buffer_mode, ActionGraph.BUFFER_ACCEPT_LAST, "kept")
	var node := graph.add_node(&"a")
	expect_warning("late_input_grace = -2")
	node.late_input_grace = -2.0
	eq(node.late_input_grace, -1.0, "as the graph")
	expect_warning("cancel_window_start = 11")
	node.cancel_window_start = 11.0
	eq(node.cancel_window_start, 10.0, "clamped")
	expect_error("buffer_override = 3 is refused")
	node.buffer_override = 3
	eq(node.buffer_override, ActionGraphNode.BUFFER_USE_GRAPH, "kept")
	var wire := ActionGraphTransition.new()
	expect_warning("priority = 101")
	wire.priority = 101
	eq(wire.priority, 100, "clamped")
	expect_error("fires_on = 5 is refused")
	wire.fires_on = 5
	eq(wire.fires_on, 0, "kept")
	expect_error("input_tag")
	wire.input_tag = &"Input..Odd"
	eq(wire.input_tag, &"", "kept")


func test_the_inspector_shows_what_counts_at_the_moment() -> void:
	var wire := ActionGraphTransition.new()
	for property: String in ["input_tag", "timing", "priority", "conditions"]:
		check(_is_shown(wire, property), property + " of an input")
	wire.fires_on = ActionGraphTransition.FIRES_ACTION_COMPLETED
	for property: String in ["input_tag", "timing", "priority", "conditions"]:
		check(not _is_shown(wire, property), property + " of a completion")
		check(_usage(wire, property) & PROPERTY_USAGE_STORAGE != 0, property + " is stored all the same")
	wire.priority = 5
	wire.conditions = [DirectionCondition.new()]
	check(_is_shown(wire, "priority") and _is_shown(wire, "conditions"), "what is set stays in view")
	check(not _is_shown(wire, "id"), "the id is no business of a designer")
	check(_is_shown(wire, "to"), "where it leads")


func test_root_shows_its_transitions_only() -> void:
	var graph := Parts.sword()
	var root := graph.get_node_by_id(&"root")
	check(_is_shown(root, "transitions"), "transitions")
	for property: String in ["payload", "costs", "hooks", "gates", "cooldown", "can_be_cancelled", "applied_tags"]:
		check(not _is_shown(root, property), property)
		check(_is_shown(graph.get_node_by_id(&"light_1"), property), property + " of another node")
	root.payload = HoldPayload.new()
	check(_is_shown(root, "payload"), "what is set can be cleared")


func test_summaries_are_readable() -> void:
	var graph := Parts.sword()
	var node := graph.get_node_by_id(&"light_1")
	var wire: ActionGraphTransition = node.transitions[0]
	eq(wire.summary, "Input.LightAttack → light_2", "a plain wire")
	wire.fires_on = ActionGraphTransition.FIRES_INPUT_RELEASED
	wire.priority = 5
	wire.window_kinds = ["perfect"]
	wire.accept_buffered = false
	wire.conditions = [DirectionCondition.new(), DirectionCondition.new()]
	eq(wire.summary, "Input.LightAttack released → light_2, priority 5, in a window perfect, no early press, 2 conditions", "with all")
	node.payload = Parts.animation(&"attack_light")
	node.can_be_cancelled = true
	node.costs = [VitalCost.new()]
	eq(node.summary.split("\n")[0], "attack_light, 1 cost, can be cancelled from 0.1 s", "a node")
	eq(node.summary.split("\n")[1], wire.summary, "and its wires")
	eq(_usage(wire, "summary") & PROPERTY_USAGE_STORAGE, 0, "not stored")
	check(str(wire).contains("light_1__light_2: Input.LightAttack released"), "printed: %s" % wire)
	check(str(node).contains("light_1"), "printed: %s" % node)


func test_layout_values_are_checked() -> void:
	var layout := ActionGraphLayout.new()
	layout.positions = {&"b": Vector2(1, 2), "a": [3, 4.5]}
	eq(layout.positions, {&"a": [3, 4.5], &"b": [1.0, 2.0]}, "places")
	eq(layout.positions.keys(), [&"a", &"b"], "sorted")
	layout.colors = {&"a": Color(1, 0, 0), &"b": "#00ff00"}
	eq(layout.colors, {&"a": "#ff0000", &"b": "#00ff00"}, "colors")
	expect_error("positions has b : Array; it stays as it was.")
	layout.positions = {&"b": [1, NAN]}
	expect_error("colors has a : String; it stays as it was.")
	layout.colors = {&"a": "reddish"}
	expect_error("routers has r : Dictionary; it stays as it was.")
	layout.routers = {&"r": {"entries": []}}
	expect_error("comments has c : int; it stays as it was.")
	layout.comments = {&"c": 5}
	eq(layout.positions.size() + layout.colors.size(), 4, "unchanged")
	check(layout.positions.is_read_only(), "read-only")
