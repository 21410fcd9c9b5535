extends TestCase
## A run that goes on after a state was imported, because its method can.

const Rig := preload("res://support/action_rig.gd")
const METHOD := """extends ExecutionMethod
var left: float = 1.0
var log: Array = []
func _get_execution_timeout() -> float:
	return 5.0
func _begin_execute(_context: ActionContext) -> bool:
	log.append("begin")
	return true
func _tick_execute(delta: float) -> void:
	left -= delta
	if left <= 0.0001:
		finish_execution(true)
func _export_state() -> Dictionary:
	return {"left": left}
func _import_state(state: Dictionary) -> bool:
	left = state.left
	get_agent().set_meta(&"resumed", [get_action_id(), get_target(), get_elapsed(), is_executing(), log.size()])
	return left < 100.0
func _abort_execute(reason: int) -> void:
	get_agent().set_meta(&"aborted", reason)
"""


func _charge() -> ActionSpec:
	var made: ActionSpec = Rig.cooling(&"Charge", 3.0)
	made.execution_method = script(METHOD).new()
	made.add_tags = ["State.MovementBlocked"]
	return made


func _with_tags(rig: Rig) -> TagContainer:
	var tags: TagContainer = TagContainer.new()
	rig.agent.add_child(tags)
	return tags


func _json(state: Dictionary) -> Dictionary:
	return JSON.parse_string(JSON.stringify(state, "", true, true))


func test_a_method_that_can_goes_on() -> void:
	var rig: Rig = Rig.new(self, [_charge()])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	rig.brain.execute_action(&"Charge")
	rig.step(4)
	var state: Dictionary = rig.brain.export_state()
	near(state.running.method.left, 0.6, 1e-6, "what the method says")
	var fresh: Rig = Rig.new(self, [_charge()])
	var tags: TagContainer = _with_tags(fresh)
	check(fresh.brain.import_state(_json(state)), "imported")
	eq(fresh.agent.get_meta(&"resumed")[0], &"Charge", "asked, with its action")
	eq(fresh.agent.get_meta(&"resumed")[1], foe, "its target")
	near(fresh.agent.get_meta(&"resumed")[2], 0.4, 1e-6, "and its time")
	eq(fresh.agent.get_meta(&"resumed")[4], 0, "instead of a start")
	eq([fresh.brain.get_running_action(), fresh.brain.get_run_id(), fresh.brain.get_running_target()], [&"Charge", 1, foe], "it runs")
	near(fresh.brain.get_running_time(), 0.4, 1e-6, "as long as it had")
	eq(Array(fresh.diary.lines), [], "nothing is told")
	check(tags.has_tag(&"State.MovementBlocked"), "its tags are on")
	near(fresh.brain.get_remaining_cooldown(&"Charge"), rig.brain.get_remaining_cooldown(&"Charge"), 1e-6, "the cooldown is the old one")
	fresh.step(6)
	eq(fresh.brain.get_running_action(), &"Charge", "it has 0.6 s to go")
	fresh.step(1)
	eq(Array(fresh.diary.lines), ["ended Charge 0"], "and ends once")
	check(not tags.has_tag(&"State.MovementBlocked"), "its tags are off")
	eq(fresh.brain.execute_action(&"Charge"), 2, "run ids go on")


func test_one_that_cannot_is_over() -> void:
	var rig: Rig = Rig.new(self, [_charge(), Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Charge")
	rig.step(2)
	var state: Dictionary = rig.brain.export_state()
	state.running.method.left = 1000.0
	rig.brain.abort_action()
	rig.agent.remove_meta(&"aborted")
	rig.diary.lines.clear()
	check(rig.brain.import_state(state), "imported")
	eq([rig.brain.is_executing(), rig.agent.has_meta(&"aborted"), Array(rig.diary.lines)], [false, false, []], "over without a word")
	rig.brain.execute_action(&"Jab")
	var silent: Dictionary = rig.brain.export_state()
	eq(silent.running.method, {}, "a method without a state")
	rig.brain.abort_action()
	check(rig.brain.import_state(silent), "imported")
	check(not rig.brain.is_executing(), "is not taken up")
	state.running.target = "/root/Nobody"
	state.running.method.left = 0.5
	expect_warning("there is no node at \"/root/Nobody\"", 1)
	check(rig.brain.import_state(state), "imported")
	check(not rig.brain.is_executing(), "nor is one whose target is gone")


func test_bad_runs_are_refused() -> void:
	var rig: Rig = Rig.new(self, [_charge()])
	rig.brain.execute_action(&"Charge")
	rig.step(2)
	var sound: Dictionary = rig.brain.export_state()
	rig.brain.abort_action()
	var before: Dictionary = rig.brain.export_state()
	expect_error("import_state() got a state with another structure", 1)
	for wrong: Variant in [1, "Charge", [], {}, {"id": 3.5, "elapsed": 0.0, "target": ""}, {"id": "Charge", "elapsed": -1.0, "target": ""}, {"id": "Charge", "elapsed": NAN, "target": ""}, {"id": "Charge", "elapsed": 0.0, "target": "", "method": 3}, {"id": "Charge", "elapsed": 0.0, "target": "", "method": {}, "frozen": [1.0]}, {"id": "Charge", "elapsed": 0.0, "target": "", "run": -4}]:
		var state: Dictionary = sound.duplicate(true)
		state.running = wrong
		eq(rig.brain.import_state(state), false, str(wrong))
	eq(rig.brain.export_state(), before, "nothing changed")
	var short: Dictionary = sound.duplicate(true)
	short.running = {"id": "Charge", "elapsed": 0.2, "target": "", "method": {"left": 0.3}}
	check(rig.brain.import_state(short), "the least that a run needs")
	eq(rig.brain.get_run_id(), 2, "a new number")
	rig.step(4)
	check(not rig.brain.is_executing(), "and it ends")


func test_a_method_that_does_its_worst_while_it_is_taken_up() -> void:
	for deed: String in ["finish_execution(false)", "get_evaluator().abort_action()", "get_evaluator().execute_action(&\"Jab\")", "get_evaluator().import_state(state.outer)", "get_evaluator().stop()", "get_agent().queue_free()", "get_evaluator().default_action_set = null", "get_agent().get_parent().remove_child(get_agent())"]:
		var spec: ActionSpec = Rig.spec(&"Charge")
		spec.execution_method = script("""extends ExecutionMethod
func _export_state() -> Dictionary:
	return {"outer": {}}
func _import_state(state: Dictionary) -> bool:
	%s
	return true
""" % deed).new()
		var rig: Rig = Rig.new(self, [spec, Rig.spec(&"Jab")])
		rig.brain.execute_action(&"Charge")
		var state: Dictionary = rig.brain.export_state()
		rig.brain.abort_action()
		rig.diary.lines.clear()
		var agent: Node = rig.agent
		rig.brain.import_state(state)
		if rig.brain.is_inside_tree() and rig.brain.is_started():
			rig.step(2)
		var text: String = ", ".join(rig.diary.lines)
		check(text.count("ended Charge") <= 1, "%s: at most one end: %s" % [deed, text])
		if is_instance_valid(agent) and not agent.is_inside_tree():
			agent.queue_free()
	expect_error("import_state() got a state of no version", 1)
