extends TestCase
## A graph that is derived from others.

const Parts := preload("res://support/graph_parts.gd")


func _wires(graph: ActionGraph, id: StringName) -> Array:
	return graph.get_node_by_id(id).transitions.map(func(wire: ActionGraphTransition) -> String: return str(wire.id))


## The tags that root answers, in order, as a player tells.
func _base() -> ActionGraph:
	var base := Parts.graph({&"light_1": 1.0, &"heavy": 2.0})
	base.add_transition(&"root", &"light_1", &"Input.LightAttack")
	base.add_transition(&"root", &"heavy", &"Input.Heavy")
	base.add_transition(&"light_1", &"heavy", &"Input.Heavy")
	return base


func test_ex_50_m92() -> void:
	var base := _base()
	var graph := Parts.graph({&"light_1": 0.5, &"dodge": 0.5})
	graph.remove_node(&"dodge")
	graph.base = base
	graph.add_transition(&"root", &"heavy", &"Input.Dodge")
	check(graph.compile(), "compiles")
	eq(graph.get_node_ids(), ["root", "heavy", "light_1"], "order")
	ne(graph.get_node_by_id(&"light_1"), base.get_node_by_id(&"light_1"), "the derived one")
	eq(graph.get_node_by_id(&"heavy"), base.get_node_by_id(&"heavy"), "the inherited one")
	var rows := graph.validate().filter(func(row: Dictionary) -> bool: return row.severity == "error")
	eq(rows, [], "no id is used twice")


func test_settings_are_the_derived_graphs_own() -> void:
	var base := _base()
	base.late_input_grace = 1.0
	var graph := ActionGraph.new()
	graph.base = base
	eq(graph.late_input_grace, 0.25, "its own")
	eq(graph.get_node_ids(), ["root", "heavy", "light_1"], "all nodes")
	eq(graph.nodes.keys(), [&"root"], "none of its own")


func test_a_later_include_wins() -> void:
	var one := Parts.graph({&"guard": 1.0, &"parry": 1.0})
	var other := Parts.graph({&"guard": 2.0})
	var graph := ActionGraph.new()
	graph.base = _base()
	graph.includes = [one, other]
	eq(graph.get_node_ids(), ["root", "guard", "heavy", "light_1", "parry"], "ids")
	eq(graph.get_node_by_id(&"guard"), other.get_node_by_id(&"guard"), "the later one")
	graph.includes = [other, one]
	eq(graph.get_node_by_id(&"guard"), one.get_node_by_id(&"guard"), "the later one again")


func test_removed_nodes_go_with_their_wires() -> void:
	var graph := ActionGraph.new()
	graph.base = _base()
	graph.removed_nodes = ["heavy"]
	eq(graph.get_node_ids(), ["root", "light_1"], "ids")
	check(graph.compile(), "no wire leads to it")
	eq(graph.validate().filter(func(row: Dictionary) -> bool: return row.code == "E2"), [], "none")


func test_edits_of_the_base_count() -> void:
	var base := _base()
	var graph := ActionGraph.new()
	graph.base = base
	check(graph.compile(), "compiles")
	var told := record(graph.changed)
	base.add_node(&"kick", Parts.delay(1.0))
	eq(told.count(), 1, "told")
	eq(graph.get_node_ids(), ["root", "heavy", "kick", "light_1"], "it is here too")
	base.get_node_by_id(&"root").transitions[0].to = &"nobody"
	expect_error("transition to unknown node \"nobody\"")
	check(not graph.compile(), "errors of the base stop it")


func test_wires_are_added_to_own_nodes_only() -> void:
	var graph := ActionGraph.new()
	graph.base = _base()
	not_null(graph.add_transition(&"root", &"heavy", &"Input.Dodge"), "to an inherited node")
	expect_error("node \"heavy\" is inherited. Add a node \"heavy\" to this graph first")
	is_null(graph.add_transition(&"heavy", &"light_1", &"Input.Dodge"), "from one")
	not_null(graph.add_node(&"heavy", Parts.delay(1.0)), "an own one of that id")
	not_null(graph.add_transition(&"heavy", &"light_1", &"Input.Dodge"), "from it")


func test_inheritance_survives_a_file() -> void:
	var base := _base()
	eq(ResourceSaver.save(base, "user://graph_base.tres"), OK, "saved")
	base.take_over_path("user://graph_base.tres")
	var graph := ActionGraph.new()
	graph.base = base
	graph.removed_nodes = ["heavy"]
	eq(ResourceSaver.save(graph, "user://graph_heir.tres"), OK, "saved")
	var back: ActionGraph = ResourceLoader.load("user://graph_heir.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	eq(back.get_node_ids(), ["root", "light_1"], "ids")
	var text := FileAccess.get_file_as_string("user://graph_heir.tres")
	ResourceSaver.save(back, "user://graph_heir.tres")
	eq(FileAccess.get_file_as_string("user://graph_heir.tres"), text, "the same file")
