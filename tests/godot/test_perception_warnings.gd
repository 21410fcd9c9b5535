extends TestCase
## What the inspector warns of, in both dimensions. A hidden class of the debug build tells; the release library has
## the same texts and nobody to ask.

var _probe: Object


func _init() -> void:
	super()
	if ClassDB.class_exists(&"RiposteProbe"):
		_probe = ClassDB.instantiate(&"RiposteProbe")


func test_defaults_below_an_agent_give_none() -> void:
	for agent: Node in [_agent_3d(), _agent_2d()]:
		eq(_warnings(agent.get_child(0)), PackedStringArray(), "perceiver of %s" % agent.get_class())
		eq(_warnings(agent.get_child(1)), PackedStringArray(), "source of %s" % agent.get_class())


func test_agent_not_found() -> void:
	for agent: Node in [_agent_3d(), _agent_2d()]:
		for component in agent.get_children():
			component.set(&"agent_path", ^"../Nobody")
			_warned(component, "there is no node at \"../Nobody\"")
			component.set(&"agent_path", ^"")
			eq(_warnings(component), PackedStringArray(), "mended")


func test_the_agent_of_a_source_must_have_a_place() -> void:
	var body := Node.new()
	var solid := StimulusSource3D.new()
	body.add_child(solid)
	add(body)
	_warned(solid, "The agent is no Node3D")
	var other := _agent_3d()
	var flat := StimulusSource2D.new()
	other.add_child(flat)
	_warned(flat, "The agent is no Node2D")


func test_radii_the_wrong_way_round() -> void:
	for agent: Node in [_agent_3d(), _agent_2d()]:
		var eye := agent.get_child(0)
		eye.set(&"lose_sight_radius", 1.5)
		_warned(eye, "lose_sight_radius (1.5 %s) is below sight_radius" % ("px" if agent is Node2D else "m"))


func test_undeclared_tags() -> void:
	for agent: Node in [_agent_3d(), _agent_2d()]:
		for property: StringName in [&"detectable_tags", &"ignored_tags", &"hearing_noise_tags"]:
			agent.get_child(0).set(property, PackedStringArray(["State.ActionsBlockd"]))
			_warned(agent.get_child(0), "%s: tag \"State.ActionsBlockd\" is not declared. Did you mean \"State.ActionsBlocked\"" % property)
			agent.get_child(0).set(property, PackedStringArray())
		agent.get_child(1).set(&"affiliation_tags", PackedStringArray(["State.ActionsBlockd"]))
		_warned(agent.get_child(1), "Did you mean \"State.ActionsBlocked\"")


func test_a_second_source() -> void:
	var agent := _agent_3d()
	var second := StimulusSource3D.new()
	agent.add_child(second)
	_warned(second, "more than one StimulusSource3D")
	second.free()
	eq(_warnings(agent.get_child(1)), PackedStringArray(), "mended")


func test_too_many_points() -> void:
	for agent: Node in [_agent_3d(), _agent_2d()]:
		var source := agent.get_child(1)
		source.set(&"extra_aim_points", [])
		var points: Array = []
		points.resize(16)
		points.fill(Vector2.ZERO if agent is Node2D else Vector3.ZERO)
		source.set(&"extra_aim_points", PackedVector2Array(points) if agent is Node2D else PackedVector3Array(points))
		_warned(source, "There are 17 aim points")


func test_paths_that_lead_nowhere() -> void:
	for agent: Node in [_agent_3d(), _agent_2d()]:
		agent.get_child(0).set(&"sight_exclude_paths", [^"../Shield", ^""])
		_warned(agent.get_child(0), "sight_exclude_paths[0]: there is no node at \"../Shield\"")
		_warned(agent.get_child(0), "sight_exclude_paths[1] is empty")
		agent.get_child(1).set(&"aim_point_paths", [^"../Head"])
		_warned(agent.get_child(1), "aim_point_paths[0]: there is no node at \"../Head\"")
		var thing := Node.new()
		thing.name = "Head"
		agent.add_child(thing)
		_warned(agent.get_child(1), "\"../Head\" is no %s" % agent.get_class())


func test_bits_masks_and_factors_without_effect() -> void:
	for agent: Node in [_agent_3d(), _agent_2d()]:
		var eye := agent.get_child(0)
		var source := agent.get_child(1)
		source.set(&"registered_senses", 7)
		_warned(source, "registered_senses: only Sight and Hearing have an effect")
		eye.set(&"sight_blocking_mask", 0)
		_warned(eye, "nothing blocks sight")
		eye.set(&"hearing_occlusion", true)
		eye.set(&"hearing_occlusion_mask", 0)
		_warned(eye, "nothing muffles noises")
		eye.set(&"detection_far_factor", 0.5)
		_warned(eye, "have no effect while detection_time is 0")
		eye.set(&"detection_time", 1.0)
		check(not "\n".join(_warnings(eye)).contains("detection_time is 0"), "mended")


func _warned(node: Node, text: String) -> void:
	if _probe == null:
		check(true, "asks in the debug build only")
		return
	var all := "\n".join(_warnings(node))
	check(all.contains(text), "\"%s\" in: %s" % [text, all])


func _warnings(node: Node) -> PackedStringArray:
	return _probe.call(&"perception_warnings", node) if _probe else PackedStringArray()


func _agent_3d() -> Node3D:
	var agent := Node3D.new()
	agent.add_child(Perception3D.new())
	agent.add_child(StimulusSource3D.new())
	return add(agent) as Node3D


func _agent_2d() -> Node2D:
	var agent := Node2D.new()
	agent.add_child(Perception2D.new())
	agent.add_child(StimulusSource2D.new())
	return add(agent) as Node2D
