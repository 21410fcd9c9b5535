extends TestCase
## Which agent a component belongs to, attributes, the health order, and the project settings.
##
## Other systems ask from Rust; a hidden class of the debug build asks for these tests.

const FRACTION := "extends Node\nvar value: Variant = 0.4\nfunc get_health_fraction() -> Variant:\n\treturn value\n"
const PERCENT := "extends Node\nvar value := 40.0\nfunc get_health_percent() -> float:\n\treturn value\n"
const SHARE := "extends Node\nvar health := 30.0\nvar most := 120.0\nfunc get_current_health() -> float:\n\treturn health\nfunc get_max_health() -> float:\n\treturn most\n"
const WITH_PARAMETER := "extends Node\nfunc get_health_fraction(_of: String) -> float:\n\treturn 0.1\n"
const STATS := "extends Node\nvar mana := 12\nvar pools := {\"rage\": 7.5}\nvar broken := NAN\nvar label := \"x\"\n"

var _probe: Object


func _init() -> void:
	super()
	if ClassDB.class_exists(&"RiposteProbe"):
		_probe = ClassDB.instantiate(&"RiposteProbe")


## False, with a passed check, in the release build.
func _can_ask() -> bool:
	check(true, "asks in the debug build only")
	return _probe != null


func _health(agent: Node) -> Variant:
	return _probe.call("health", agent)


func _attribute(agent: Node, named: String) -> Variant:
	return _probe.call("attribute", agent, named)


func _tags(agent: Node) -> Array:
	return Array(_probe.call("tags", agent) as PackedStringArray)


func _node(source: String, named: String, parent: Node) -> Node:
	var made: Node = script(source).new()
	made.name = named
	return add(made, parent)


func _agent() -> Node:
	return add(Node.new())


func _container(tag: StringName, parent: Node) -> TagContainer:
	var made := TagContainer.new()
	made.initial_tags = [tag]
	return add(made, parent)


func _vitals(health: float, parent: Node) -> AgentVitals:
	var row := AgentVital.new()
	row.tag = &"Vital.Health"
	row.start_value = health
	var made := AgentVitals.new()
	made.vitals = [row]
	return add(made, parent)


func test_components_are_found_at_the_agent() -> void:
	if not _can_ask():
		return
	var agent := _agent()
	eq(_tags(agent), [], "no container")
	var first := _container(&"First", agent)
	var second := _container(&"Second", agent)
	eq(_tags(agent), ["First"], "the first child counts")
	agent.move_child(second, 0)
	eq(_tags(agent), ["Second"], "after a move")
	second.free()
	eq(_tags(agent), ["First"], "after it was freed")
	var other := _agent()
	first.reparent(other)
	eq([_tags(agent), _tags(other)], [[], ["First"]], "after it moved to another agent")
	other.remove_child(first)
	eq(_tags(other), [], "outside the tree")
	first.free()


func test_agent_path_names_another_agent() -> void:
	if not _can_ask():
		return
	var agent := _agent()
	agent.name = "Guard"
	var store := add(Node.new())
	var tags := TagContainer.new()
	tags.initial_tags = ["Far"]
	tags.agent_path = ^"../../Guard"
	add(tags, store)
	eq([_tags(agent), _tags(store)], [["Far"], []], "by path")
	_container(&"Near", agent)
	eq(_tags(agent), ["Near"], "a direct child comes first")
	tags.agent_path = ^""
	eq(_tags(store), ["Far"], "empty: the parent")
	tags.agent_path = ^"../Nobody"
	eq(_tags(store), [], "nobody there")


func test_the_agent_of_a_node_below_it() -> void:
	if not _can_ask():
		return
	var agent := _agent()
	_container(&"A", agent)
	var hand := add(Node.new(), add(Node.new(), agent))
	eq(_probe.call("agent_above", hand), agent, "from below")
	eq(_probe.call("agent_above", agent), agent, "itself")
	is_null(_probe.call("agent_above", _agent()), "no agent")


func test_attributes_by_name_and_path() -> void:
	if not _can_ask():
		return
	var agent := character(Vector3.ZERO)
	agent.velocity = Vector3(3, 0, 0)
	var stats := _node(STATS, "Stats", agent)
	eq(_attribute(agent, "mana"), 12.0, "of the first child that has it")
	eq(_attribute(agent, "Stats:mana"), 12.0, "by path")
	eq(_attribute(agent, "Stats:pools:rage"), 7.5, "in a dictionary")
	eq(_attribute(agent, "velocity:x"), 3.0, "a part of a property")
	for named: String in ["broken", "label", "Stats:label", "none", "Stats:none", "Nobody:mana", "", ":", "/root:mana", "Stats:"]:
		is_null(_attribute(agent, named), "attribute \"%s\"" % named)
	stats.set("mana", 5)
	eq(_attribute(agent, "mana"), 5.0, "read each time")
	stats.free()
	is_null(_attribute(agent, "mana"), "freed")
	var other := _node(STATS, "Other", agent)
	eq(_attribute(agent, "mana"), 12.0, "another child has it now")
	agent.set_script(script("extends CharacterBody3D\nvar mana := 99.0\n"))
	eq(_attribute(agent, "mana"), 99.0, "the agent itself comes first")
	other.free()


func test_health_is_asked_in_order() -> void:
	if not _can_ask():
		return
	var agent := _agent()
	is_null(_health(agent), "nobody knows")
	var share := _node(SHARE, "Share", agent)
	eq(_health(agent), 0.25, "get_current_health and get_max_health")
	var percent := _node(PERCENT, "Percent", agent)
	agent.move_child(percent, 0)
	eq(_health(agent), 0.4, "get_health_percent of an earlier child")
	percent.set("value", 0.75)
	eq(_health(agent), 0.75, "up to 1 it is a fraction")
	_vitals(60.0, agent)
	eq(_health(agent), 0.6, "AgentVitals comes before these")
	var fraction := _node(FRACTION, "Fraction", agent)
	eq(_health(agent), 0.4, "get_health_fraction comes before AgentVitals")
	agent.set_script(script("extends Node\nfunc get_health_fraction() -> float:\n\treturn 0.9\n"))
	eq(_health(agent), 0.9, "the agent comes first")
	agent.set_script(null)
	eq(_health(agent), 0.4, "the script is gone")
	fraction.free()
	eq(_health(agent), 0.6, "the child is gone")
	share.free()


func test_health_answers_that_do_not_count() -> void:
	if not _can_ask():
		return
	var agent := _agent()
	expect_warning("get_health_fraction says nan, which is ignored")
	_node(WITH_PARAMETER, "Parameter", agent)
	is_null(_health(agent), "a method with a parameter")
	var fraction := _node(FRACTION, "Fraction", agent)
	fraction.set("value", 7.0)
	eq(_health(agent), 1.0, "clamped")
	fraction.set("value", NAN)
	is_null(_health(agent), "NaN")
	fraction.set("value", "much")
	is_null(_health(agent), "text")
	_vitals(50.0, agent)
	eq(_health(agent), 0.5, "the next one is asked")
	var share := _node(SHARE, "Share", _agent())
	share.set("most", 0.0)
	eq(_health(share.get_parent()), 0.0, "no maximum")


func test_project_settings_have_their_defaults() -> void:
	eq(ProjectSettings.get_setting("riposte/evaluation/random_seed"), 0, "random_seed")
	eq(ProjectSettings.get_setting("riposte/execution/hard_timeout"), 30.0, "hard_timeout")
	eq(ProjectSettings.get_setting("riposte/perception/grid_cell_size_3d"), 10.0, "grid_cell_size_3d")
	eq(ProjectSettings.get_setting("riposte/perception/stagger"), true, "stagger")
	eq(ProjectSettings.get_setting("riposte/perception/max_queued_reports"), 1024, "max_queued_reports")
	var tags: Dictionary = ProjectSettings.get_setting("riposte/tags/declared")
	for tag: String in ["State.ActionsBlocked", "State.MovementBlocked", "Vital.Health", "Token.Attack"]:
		has_element(tags, tag)
		ne(tags.get(tag, ""), "", "description of " + tag)


func test_declared_tags_are_read_from_the_project() -> void:
	var spec := ActionSpec.new()
	spec.action_id = &"A"
	spec.execution_method = script("extends ExecutionMethod\n").new()
	spec.requires_tags = ["Faction.Orcs"]
	var moves := ActionSet.new()
	moves.actions = [spec]
	eq(moves.validate().size(), 1, "not declared")
	var declared: Dictionary = ProjectSettings.get_setting("riposte/tags/declared")
	var more := declared.duplicate()
	more["Faction.Orcs.Elite"] = "Elite orcs"
	ProjectSettings.set_setting("riposte/tags/declared", more)
	eq(moves.validate(), [], "a tag below it is declared")
	ProjectSettings.set_setting("riposte/tags/declared", declared)
