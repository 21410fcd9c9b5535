extends TestCase
## What methods do before any of their runs: loading assets when their set becomes active.

const Rig := preload("res://support/action_rig.gd")
const LOADER := """extends ExecutionMethod
func _preload_assets(agent: Node) -> void:
	agent.set_meta(&"loaded", agent.get_meta(&"loaded", 0) + 1)
	%s
func _begin_execute(_context: ActionContext) -> bool:
	get_agent().set_meta(&"begun_after", get_agent().get_meta(&"loaded", 0))
	return true
"""


func _loading(id: StringName, deed: String = "pass") -> ActionSpec:
	var made: ActionSpec = Rig.spec(id)
	made.execution_method = script(LOADER % deed).new()
	return made


func _set_of(specs: Array[ActionSpec]) -> ActionSet:
	var made: ActionSet = ActionSet.new()
	made.actions = specs
	return made


func _loaded(rig: Rig) -> int:
	return rig.agent.get_meta(&"loaded", 0)


func test_once_when_the_set_becomes_active() -> void:
	var both: ActionSpec = _loading(&"Slash")
	var twin: ActionSpec = Rig.spec(&"Twin")
	twin.execution_method = both.execution_method
	var rig: Rig = Rig.new(self, [both, twin, Rig.spec(&"Jab")])
	eq(_loaded(rig), 1, "a method that two actions share is asked once")
	rig.brain.execute_action(&"Slash")
	eq(rig.agent.get_meta(&"begun_after"), 1, "before the run")
	rig.step(3)
	rig.brain.evaluate_now()
	eq(_loaded(rig), 1, "and not again")
	var other: ActionSet = _set_of([Rig.spec(&"Jab")])
	rig.brain.default_action_set = other
	rig.brain.default_action_set = rig.moves
	eq(_loaded(rig), 2, "again when the set comes back")


func test_each_evaluator_and_what_is_granted() -> void:
	var slash: ActionSpec = _loading(&"Slash")
	var first: Rig = Rig.new(self, [slash])
	var second: Rig = Rig.new(self, [slash])
	eq([_loaded(first), _loaded(second)], [1, 1], "once for each agent that shares it")
	first.brain.grant_action(_loading(&"Bash"))
	eq(_loaded(first), 2, "an action that is granted")
	slash.selection_weight = 2.0
	first.step()
	eq(_loaded(first), 2, "an edit is no new set")
	slash.execution_method = script(LOADER % "pass").new()
	first.step()
	eq(_loaded(first), 3, "a new method of the set is")
	first.agent.get_parent().remove_child(first.agent)
	add_child(first.agent)
	first.step()
	eq(_loaded(first), 5, "and the set of an agent that comes back")


func test_scripts_that_do_their_worst() -> void:
	for deed: String in ["agent.get_node(\"Brain\").default_action_set = ActionSet.new()", "agent.get_node(\"Brain\").grant_action(agent.get_meta(&\"extra\"))", "agent.get_node(\"Brain\").execute_action(&\"Jab\")", "agent.get_node(\"Brain\").stop()", "agent.get_node(\"Brain\").queue_free()", "agent.get_parent().remove_child(agent)", "agent.get_node(\"Brain\").evaluate_now()"]:
		var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
		rig.agent.set_meta(&"extra", Rig.spec(&"Extra"))
		var brain: ActionEvaluator = rig.brain
		var loud: ActionSet = _set_of([Rig.spec(&"Jab"), _loading(&"Slash", deed)])
		brain.default_action_set = loud
		eq(_loaded(rig), 1, deed)
		if brain.is_inside_tree() and brain.is_started():
			rig.step(2)
		if deed.contains("ActionSet.new()"):
			eq(Array(brain.get_action_ids()), [], "the set that the script assigned is in use")
		if deed.contains("grant_action"):
			eq(Array(brain.get_action_ids()), ["Jab", "Slash", "Extra"], "what the script granted is there")
		if not rig.agent.is_inside_tree():
			rig.agent.queue_free()


func test_sets_that_replace_each_other() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var deed: String = "agent.get_node(\"Brain\").default_action_set = agent.get_meta(&\"%s\")"
	var first: ActionSet = _set_of([_loading(&"A", deed % "second")])
	var second: ActionSet = _set_of([_loading(&"B", deed % "first")])
	rig.agent.set_meta(&"first", first)
	rig.agent.set_meta(&"second", second)
	rig.brain.default_action_set = first
	check(_loaded(rig) <= 8, "it ends: %d" % _loaded(rig))
	rig.step(2)
	check(rig.brain.default_action_set in [first, second], "one of them is used")
	rig.agent.remove_meta(&"first")
	rig.agent.remove_meta(&"second")


func test_log_of_runs() -> void:
	if not ClassDB.class_exists(&"Logger"):
		check(true, "this engine has no Logger")
		return
	expect_error("no action named \"Nobody\"", 1)
	var catcher: Object = (load("res://support/message_catcher.gd") as GDScript).new()
	OS.call("add_logger", catcher)
	var slash: ActionSpec = Rig.spec(&"Slash")
	slash.target_lost_policy = ActionSpec.LOST_RETARGET
	slash.target_mode = ActionSpec.TARGET_EACH
	var blocked: ActionSpec = Rig.spec(&"Blocked")
	Rig.method_of(blocked).may_begin = false
	var failing: ActionSpec = Rig.spec(&"Failing")
	Rig.method_of(failing).begins = false
	var rig: Rig = Rig.new(self, [slash, blocked, failing])
	var first: Node3D = rig.aim_at(Vector3(0, 0, -2))
	var second: Node3D = rig.add_foe(Vector3(0, 0, -3))
	second.name = "Second"
	rig.brain.set_candidate_targets([first, second])
	rig.brain.debug_log_execution = true
	rig.brain.execute_action(&"Blocked")
	rig.brain.execute_action(&"Failing")
	rig.brain.execute_action(&"Nobody")
	rig.brain.execute_action(&"Slash")
	first.free()
	rig.step(2)
	rig.brain.abort_action()
	var lines: PackedStringArray = catcher.call(&"take")
	var wanted: PackedStringArray = ["Blocked #1 refused at S2: BEGIN_FAILED", "Failing #2 refused at S5: BEGIN_FAILED", "Nobody #3 refused at S1: UNKNOWN_ACTION", "Slash #4 started on ", "Slash #4 turned on ", "Slash #4 ended CANCELLED after 0.20 s"]
	eq(lines.size(), wanted.size(), "a line each: %s" % [lines])
	for n: int in mini(lines.size(), wanted.size()):
		check(lines[n].begins_with("ActionEvaluator (") and lines[n].contains(wanted[n]), "%s: %s" % [wanted[n], lines[n]])
	OS.call("remove_logger", catcher)
