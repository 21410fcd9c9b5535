extends TestCase
## The resource of a moveset: its dictionary, its edits, its file.


func _graph() -> ActionGraph:
	var graph := ActionGraph.new()
	for id: StringName in [&"light_2", &"light_1", &"heavy"]:
		graph.add_node(id)
	graph.add_transition(&"root", &"light_1", &"Input.LightAttack")
	graph.add_transition(&"light_1", &"light_2", &"Input.LightAttack")
	return graph


func _text_of(graph: ActionGraph, path: String = "user://graph_resource.tres") -> String:
	eq(ResourceSaver.save(graph, path), OK, "saved")
	return FileAccess.get_file_as_string(path)


func _load(path: String = "user://graph_resource.tres") -> ActionGraph:
	return ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)


func test_the_file_has_the_form_that_is_promised() -> void:
	var graph := ActionGraph.new()
	graph.add_node(&"light_1").payload = null
	graph.add_transition(&"root", &"light_1", &"Input.LightAttack")
	graph.layout = ActionGraphLayout.new()
	var text := _text_of(graph)
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


func test_saved_twice_it_is_the_same() -> void:
	var graph := _graph()
	graph.layout = ActionGraphLayout.new()
	graph.layout.positions = {&"light_1": [40, 0], "heavy": Vector2(10, 20)}
	var text := _text_of(graph)
	eq(_text_of(graph), text, "again")
	var back := _load()
	eq(_text_of(back), text, "loaded and saved")
	eq(_text_of(_load()), text, "and again")
