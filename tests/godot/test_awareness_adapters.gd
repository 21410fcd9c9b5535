extends TestCase
## Facts that only the game knows, asked by method name: health, posture and vision stance.
##
## Other systems ask from Rust; a hidden class of the debug build asks for these tests.

const STANDING: int = 0
const CROUCHED: int = 1
const PRONE: int = 2
const UNREPORTED: int = -1
const STANCE: String = "extends Node\nvar value: Variant = %s\nfunc get_stance() -> Variant:\n\treturn value\n"
const HEALTH: String = "extends Node\nfunc %s() -> Variant:\n\treturn %s\n"
const PAIR: String = "extends Node\nfunc get_health() -> float:\n\treturn %s\nfunc get_max_health() -> float:\n\treturn %s\n"

var _probe: Object = null


func _init() -> void:
	super()
	if ClassDB.class_exists(&"RiposteProbe"):
		_probe = ClassDB.instantiate(&"RiposteProbe")


## False, with a passed check, in the release build.
func _can_ask() -> bool:
	check(true, "asks in the debug build only")
	return _probe != null


func _of(source: String, parent: Node = null) -> Node:
	var made: Node = script(source).new()
	return add(made, parent) if parent != null else add(made)


func _posture(agent: Node, stance: int = UNREPORTED, auto_detect: bool = true) -> int:
	return _probe.call(&"posture", agent, stance, auto_detect)


func _vision(agent: Node, stance: int = UNREPORTED, auto_detect: bool = true) -> int:
	return _probe.call(&"vision_stance", agent, stance, auto_detect)


func _health(agent: Node) -> Variant:
	return _probe.call(&"health", agent)


func test_ex_20_25() -> void:
	if not _can_ask():
		return
	near(_health(_of(HEALTH % ["get_health_percent", "40"])), 0.4, 0.00001, "percent 40")
	near(_health(_of(HEALTH % ["get_health_percent", "0.4"])), 0.4, 0.00001, "percent 0.4")
	near(_health(_of(HEALTH % ["get_health_percent", "1"])), 1.0, 0.00001, "percent 1")
	near(_health(_of(PAIR % ["30.0", "120.0"])), 0.25, 0.00001, "30 of 120")
	eq(_health(_of(PAIR % ["30.0", "0.0"])), 0.0, "max 0")
	is_null(_health(_of("extends Node\nfunc get_health(_x: int) -> float:\n\treturn 1.0\nfunc get_max_health() -> float:\n\treturn 4.0\n")), "with a parameter")
	is_null(_health(_of("extends Node\nfunc get_health_percent(_x: int = 1) -> float:\n\treturn 40.0\n")), "with an optional one")


func test_ex_20_26() -> void:
	if not _can_ask():
		return
	var agent: Node = _of(HEALTH % ["get_health_percent", "50"])
	_of(HEALTH % ["get_health_fraction", "0.2"], agent)
	near(_health(agent), 0.2, 0.00001, "a fraction of a child comes before a percentage of the agent")


func test_health_of_a_wrong_type_is_asked_elsewhere() -> void:
	if not _can_ask():
		return
	expect_warning("get_health_fraction says \"full\", which is ignored")
	expect_warning("get_health_percent says nan, which is ignored")
	var agent: Node = _of(HEALTH % ["get_health_fraction", "\"full\""])
	_of(HEALTH % ["get_health_percent", "NAN"], agent)
	_of(PAIR % ["3.0", "4.0"], agent)
	for i: int in 3:
		near(_health(agent), 0.75, 0.00001, "the next source answers")


func test_health_is_no_text_and_no_bool() -> void:
	if not _can_ask():
		return
	expect_warning("is ignored", 2)
	is_null(_health(_of(HEALTH % ["get_health_fraction", "true"])), "a bool")
	is_null(_health(_of(HEALTH % ["get_health_percent", "\"40\""])), "a text")


func test_health_is_clamped() -> void:
	if not _can_ask():
		return
	eq(_health(_of(HEALTH % ["get_health_fraction", "1.5"])), 1.0, "above")
	eq(_health(_of(HEALTH % ["get_health_fraction", "-2"])), 0.0, "below")
	eq(_health(_of(HEALTH % ["get_health_percent", "150"])), 1.0, "percent above")


func test_ex_20_28() -> void:
	if not _can_ask():
		return
	var stands: Node = _of(STANCE % "0")
	eq(_vision(stands, CROUCHED), CROUCHED, "vision, auto on")
	eq(_posture(stands, CROUCHED), STANDING, "posture, auto on")
	var lies: Node = _of(STANCE % "\"prone\"")
	eq(_vision(lies, CROUCHED, false), CROUCHED, "vision, auto off")
	eq(_posture(lies, CROUCHED, false), PRONE, "posture, auto off")


func test_ex_20_29() -> void:
	if not _can_ask():
		return
	var agent: Node = _of("extends Node\nfunc is_crouching() -> bool:\n\treturn true\n")
	eq(_posture(agent), CROUCHED, "posture")
	eq(_vision(agent), CROUCHED, "vision")


func test_postures_in_words() -> void:
	if not _can_ask():
		return
	for word: String in ["standing", "Crouched", "PRONE"]:
		var wanted: int = ["standing", "crouched", "prone"].find(word.to_lower())
		eq(_posture(_of(STANCE % ("\"%s\"" % word))), wanted, word)
		eq(_posture(_of(STANCE % ("&\"%s\"" % word))), wanted, word)


func test_posture_asks_the_agent_then_children_then_the_source() -> void:
	if not _can_ask():
		return
	var agent: Node = add(Node.new())
	eq(_posture(agent), UNREPORTED, "nobody")
	eq(_posture(agent, PRONE), PRONE, "the source")
	var late: Node = _of(STANCE % "1", agent)
	eq(_posture(agent, PRONE), CROUCHED, "a child")
	var early: Node = _of(STANCE % "2", agent)
	agent.move_child(early, 0)
	eq(_posture(agent), PRONE, "the first child")
	early.free()
	late.free()
	eq(_posture(agent, CROUCHED), CROUCHED, "the source again")


func test_crouch_members_of_the_agent() -> void:
	if not _can_ask():
		return
	var agent: Node = _of("extends Node\nvar is_crouched := false\nvar is_prone := false\n")
	eq(_posture(agent), STANDING, "both say no: a report")
	eq(_vision(agent), STANDING, "vision")
	eq(_posture(agent, CROUCHED), CROUCHED, "a no does not overrule the source")
	agent.set(&"is_crouched", true)
	eq(_posture(agent), CROUCHED, "crouched")
	eq(_posture(agent, STANDING), CROUCHED, "a yes overrules the source")
	eq(_posture(agent, STANDING, false), STANDING, "not with auto_detect_stance off")
	eq(_vision(agent, STANDING, false), STANDING, "vision with auto_detect_stance off")
	agent.set(&"is_prone", true)
	eq(_posture(agent), PRONE, "prone comes first")


func test_a_crouch_method_with_parameters_is_no_answer() -> void:
	if not _can_ask():
		return
	var agent: Node = _of("extends Node\nfunc is_crouching(_how: int) -> bool:\n\treturn true\n")
	eq(_posture(agent), UNREPORTED, "posture")


func test_wrong_postures_are_ignored() -> void:
	if not _can_ask():
		return
	expect_warning("get_stance says 7, which is ignored. Let it give 0 to 2")
	expect_warning("get_stance says \"lying\"")
	expect_warning("is_crouching says 1, which is ignored. Let it give true or false")
	var agent: Node = _of(STANCE % "7" + "func is_crouching() -> int:\n\treturn 1\n")
	_of(STANCE % "\"lying\"", agent)
	for i: int in 2:
		eq(_posture(agent, CROUCHED), CROUCHED, "the source is asked next")


func test_an_empty_answer_is_named_null() -> void:
	if not _can_ask():
		return
	expect_warning("get_stance says null, which is ignored")
	eq(_posture(_of(STANCE % "null"), CROUCHED), CROUCHED, "the source is asked next")


func test_nodes_of_the_addon_are_not_asked() -> void:
	if not _can_ask():
		return
	# Their getters bear the names that the game may answer by, also where they have not found their agent.
	var agent: Node = add(Node.new())
	var lost: StimulusSource3D = StimulusSource3D.new()
	lost.agent_path = ^"../Nobody"
	lost.stance = PRONE
	add(lost, agent)
	eq(_posture(agent, CROUCHED), CROUCHED, "a child")


func test_nothing_is_called_where_nobody_answers() -> void:
	if not _can_ask():
		return
	var agent: Node = add(Node.new())
	add(Node.new(), agent)
	_posture(agent)
	var before: int = _probe.call(&"adapter_calls")
	for i: int in 5:
		_posture(agent)
		_vision(agent)
		_health(agent)
	eq(_probe.call(&"adapter_calls"), before, "calls")


func test_a_new_script_is_noticed() -> void:
	if not _can_ask():
		return
	var agent: Node = add(Node.new())
	eq(_posture(agent), UNREPORTED, "without a script")
	agent.set_script(script(STANCE % "2"))
	agent.set(&"value", 2)
	eq(_posture(agent), PRONE, "with one")


func test_an_answer_may_free_its_agent() -> void:
	if not _can_ask():
		return
	var agent: Node = Node.new()
	add_child(agent)
	var child: Node = _of("extends Node\nfunc get_stance() -> Variant:\n\tget_parent().queue_free()\n\tget_parent().remove_child(self)\n\tqueue_free()\n\treturn 1\n", agent)
	eq(_posture(agent), CROUCHED, "the answer counts")
	await idle(1)
	check(not is_instance_valid(child), "the child is gone")
