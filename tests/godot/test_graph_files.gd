extends TestCase
## A moveset in its file: readable, and the same after each save.

const Parts := preload("res://support/graph_parts.gd")
const PATH := "user://graph_files.tres"
const HOOK := "extends ActionGraphHook\n@export var title := \"\"\nfunc _enter(_run: ActionRun) -> void:\n\tpass\n"
const CONDITION := "extends TransitionCondition\n@export var wanted := 0\nfunc _evaluate(_run: ActionRun) -> bool:\n\treturn true\n"


func _save(graph: ActionGraph, path: String = PATH) -> String:
	eq(ResourceSaver.save(graph, path), OK, "saved")
	return FileAccess.get_file_as_string(path)


func _load(path: String = PATH) -> ActionGraph:
	return ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)


## Lines of the file without its header.
func _lines(text: String) -> PackedStringArray:
	return text.substr(text.find("\n")).split("\n")


## How many lines of one file are not in the other.
func _changed(before: String, after: String) -> Array[int]:
	var old := Array(_lines(before))
	var new := Array(_lines(after))
	for line: String in _lines(before):
		if new.has(line):
			new.erase(line)
			old.erase(line)
	return [old.size(), new.size()]


func test_the_file_has_the_form_that_is_promised() -> void:
	var graph := ActionGraph.new()
	graph.add_node(&"light_1").payload = null
	graph.add_transition(&"root", &"light_1", &"Input.LightAttack")
	graph.layout = ActionGraphLayout.new()
	var text := _save(graph)
	var wanted := """[sub_resource type="ActionGraphLayout" id="layout"]

[sub_resource type="ActionGraphNode" id="node_light_1"]

[sub_resource type="ActionGraphTransition" id="root__light_1"]
id = &"root__light_1"
to = &"light_1"
input_tag = &"Input.LightAttack"

[sub_resource type="ActionGraphNode" id="node_root"]
transitions = Array[Resource]([SubResource("root__light_1")])

[resource]
nodes = {
&"light_1": SubResource("node_light_1"),
&"root": SubResource("node_root")
}
layout = SubResource("layout")
"""
	eq(text.substr(text.find("[sub_resource")), wanted, "the file")


func test_saved_again_it_is_the_same() -> void:
	var graph := Parts.sword()
	graph.layout = ActionGraphLayout.new()
	graph.layout.positions = {&"light_1": [40, 0.5], "dodge": Vector2(10, 20)}
	graph.layout.routers = {&"r1": {"at": [1, 2], "entries": ["root__dodge"]}}
	graph.layout.comments = {&"c": {"title": "Combo", "rect": [0, 0, 9, 9], "color": "#808080", "cards": ["light_1"]}}
	var node := graph.get_node_by_id(&"light_1")
	node.costs = [VitalCost.new()]
	node.cooldown = ActionCooldown.new()
	node.payload = Parts.animation(&"cut", [[0.1, 0.3, &"perfect"]])
	node.transitions[0].conditions = [DirectionCondition.new()]
	var text := _save(graph)
	eq(_save(graph), text, "saved again")
	eq(_save(_load()), text, "loaded and saved")
	eq(_save(_load()), text, "and once more")
	check(text.contains("id=\"node_light_1_payload\""), "the payload's block")


func test_a_graph_without_an_edit_is_not_changed_by_looking_at_it() -> void:
	var graph := Parts.sword()
	var text := _save(graph)
	var back := _load()
	back.validate()
	check(back.compile(), "compiles")
	back.get_node_ids()
	eq(back.get_node_by_id(&"light_1").summary.is_empty(), false, "a summary")
	eq(_save(back), text, "the same")


func test_a_hand_written_file_keeps_its_names() -> void:
	var written := """[gd_resource type="ActionGraph" format=3]

[sub_resource type="ActionGraphTransition" id="my_wire"]
to = &"a"
input_tag = &"Input.A"

[sub_resource type="ActionGraphNode" id="start"]
transitions = Array[Resource]([SubResource("my_wire")])

[sub_resource type="ActionGraphNode" id="other"]

[resource]
nodes = {
&"root": SubResource("start"),
&"a": SubResource("other")
}
"""
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_string(written)
	file.close()
	var graph := _load()
	eq(graph.get_node_ids(), ["root", "a"], "nodes")
	check(graph.compile(), "a transition needs no id to be played")
	var text := _save(graph)
	for name: String in ["id=\"my_wire\"", "id=\"start\"", "id=\"other\""]:
		check(text.contains(name), name)
	eq(_save(_load()), text, "the same from then on")


func test_an_edit_changes_the_file_where_the_graph_changed() -> void:
	var graph := Parts.sword()
	graph.layout = ActionGraphLayout.new()
	graph.layout.positions = {&"light_1": [0, 0], &"light_2": [10, 0], &"root": [20, 0]}
	var before := _save(graph)
	graph.layout.positions = {&"light_1": [0, 0], &"light_2": [15, 5], &"root": [20, 0]}
	var moved := _save(graph)
	eq(_changed(before, moved), [1, 1], "moving a card changes one line")
	graph.layout.colors = {&"light_2": "#ff0000"}
	eq(_changed(moved, _save(graph)), [0, 3], "a first color adds its dictionary")
	graph.layout.colors = {&"light_2": "#00ff00"}
	before = _save(graph)
	graph.layout.colors = {&"light_2": "#0000ff"}
	var coloured := _save(graph)
	eq(_changed(before, coloured), [1, 1], "another color changes one line")
	graph.add_transition(&"light_2", &"dodge", &"Input.Dodge")
	var wired := _save(graph)
	eq(_changed(coloured, wired), [0, 6], "a first wire adds its block and its node's list")
	graph.add_transition(&"light_2", &"light_1", &"Input.LightAttack")
	var again := _save(graph)
	eq(_changed(wired, again), [1, 6], "another wire adds a block and changes one line")
	graph.add_node(&"heavy", Parts.delay(2.0, true))
	eq(_changed(again, _save(graph)), [0, 7], "a card adds its two blocks and a line")


func test_defaults_are_not_written() -> void:
	var text := _save(ActionGraph.new())
	for property: String in ["late_input_grace", "includes", "base", "resync", "layout", "summary", "transitions"]:
		check(not text.contains(property), property)


func test_scripted_members_of_families_survive() -> void:
	var hook_source := script(HOOK)
	hook_source.take_over_path("user://graph_files_hook.gd")
	ResourceSaver.save(hook_source, "user://graph_files_hook.gd")
	var condition_source := script(CONDITION)
	condition_source.take_over_path("user://graph_files_condition.gd")
	ResourceSaver.save(condition_source, "user://graph_files_condition.gd")
	var graph := Parts.sword()
	var hook: ActionGraphHook = hook_source.new()
	hook.set("title", "kept")
	graph.get_node_by_id(&"light_1").hooks = [hook, null, DrainVitalHook.new()]
	var condition: TransitionCondition = condition_source.new()
	condition.set("wanted", 7)
	graph.get_node_by_id(&"light_1").transitions[0].conditions = [condition]
	var text := _save(graph)
	var back := _load()
	var hooks: Array = back.get_node_by_id(&"light_1").hooks
	eq(hooks.size(), 3, "all elements")
	eq(hooks[0].get_script().resource_path, "user://graph_files_hook.gd", "the script")
	eq(hooks[0].get("title"), "kept", "its value")
	is_null(hooks[1], "the empty one")
	check(hooks[2] is DrainVitalHook, "the built-in one")
	eq(back.get_node_by_id(&"light_1").transitions[0].conditions[0].get("wanted"), 7, "of a transition")
	eq(_save(back), text, "the same file")
	check(back.compile(), "compiles")


func test_a_deep_copy_is_a_graph_of_its_own() -> void:
	var graph := Parts.sword()
	var copy: ActionGraph = graph.duplicate(true)
	eq(copy.get_node_ids(), graph.get_node_ids(), "ids")
	ne(copy.get_node_by_id(&"light_1"), graph.get_node_by_id(&"light_1"), "its own nodes")
	eq(copy.get_node_by_id(&"light_1").get_scene_unique_id(), "node_light_1", "with their names")
	copy.remove_node(&"light_1")
	eq(graph.get_node_ids(), ["root", "dodge", "light_1", "light_2"], "the original stays")
	check(copy.compile() and graph.compile(), "both compile")


func test_graphs_are_loaded_in_threads() -> void:
	loads_on_threads()
	var graph := Parts.sword()
	graph.get_node_by_id(&"light_1").costs = [VitalCost.new()]
	var paths: Array[String] = []
	for at in 6:
		paths.append("user://graph_files_%d.tres" % at)
		_save(graph, paths[at])
	for path in paths:
		eq(ResourceLoader.load_threaded_request(path, "", true, ResourceLoader.CACHE_MODE_IGNORE), OK, path)
	for path in paths:
		await until_done(func() -> bool: return ResourceLoader.load_threaded_get_status(path) != ResourceLoader.THREAD_LOAD_IN_PROGRESS, path)
		var back: ActionGraph = ResourceLoader.load_threaded_get(path)
		eq(back.get_node_ids(), graph.get_node_ids(), "nodes")
		check(back.compile(), "compiles")
		var told := record(back.changed)
		back.get_node_by_id(&"light_1").transitions[0].priority = 1
		eq(told.count(), 1, "edits are heard")


func test_embedded_in_a_scene() -> void:
	var holder := ActionGraphPlayer.new()
	holder.name = "Moves"
	holder.default_graph = Parts.sword()
	var scene := PackedScene.new()
	eq(scene.pack(holder), OK, "packed")
	holder.free()
	eq(ResourceSaver.save(scene, "user://graph_files.tscn"), OK, "saved")
	var text := FileAccess.get_file_as_string("user://graph_files.tscn")
	check(text.contains("id=\"node_light_1\""), "the names are readable here too")
	var back: PackedScene = ResourceLoader.load("user://graph_files.tscn", "", ResourceLoader.CACHE_MODE_IGNORE)
	var player: ActionGraphPlayer = back.instantiate()
	eq(player.default_graph.get_node_ids(), ["root", "dodge", "light_1", "light_2"], "nodes")
	player.free()
