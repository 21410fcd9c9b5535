extends TestCase
## Starting and stopping by script: execute_action, contexts, abort, unknown ids.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


## A method that keeps what it finds in its context.
class Reader:
	extends ExecutionMethod
	@export var found: Resource = null

	func _begin_execute(_context: ActionContext) -> bool:
		(found as Found).context = get_context()
		(found as Found).agent = get_agent()
		(found as Found).evaluator = get_evaluator()
		(found as Found).target = get_target()
		return true


class Found:
	extends Resource
	var context: ActionContext = null
	var agent: Node = null
	var evaluator: Node = null
	var target: Node = null


func test_run_ids_count_up() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick")])
	eq([rig.use(&"Jab"), rig.use(&"Kick"), rig.use(&"Jab")], [1, 2, 3], "run ids")
	var other: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	eq(other.use(&"Jab"), 1, "each evaluator counts for itself")


func test_signals_of_a_run() -> void:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	var started: SignalRecord = record(rig.brain.action_started)
	var ended: SignalRecord = record(rig.brain.action_ended)
	check(rig.brain.evaluate_now(), "started")
	eq(started.calls, [[&"Jab", foe, 1]], "action_started")
	eq(ended.count(), 0, "not ended yet")
	rig.step()
	eq(ended.calls, [[&"Jab", ActionEvaluator.END_COMPLETED, 1]], "action_ended")


func test_queries_of_a_run() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	var run: int = rig.brain.execute_action(&"Jab")
	rig.step(3)
	check(rig.brain.is_executing(), "is_executing")
	eq(rig.brain.get_run_id(), run, "get_run_id")
	eq(rig.brain.get_running_action(), &"Jab", "get_running_action")
	check(rig.brain.get_running_target() == foe, "get_running_target")
	near(rig.brain.get_running_time(), 0.3, 1e-6, "get_running_time")
	eq(rig.brain.get_running_context().action_id, &"Jab", "get_running_context")
	foe.free()
	is_null(rig.brain.get_running_target(), "a freed target reads null")
	rig.brain.abort_action()
	check(not rig.brain.is_executing(), "idle")
	eq([rig.brain.get_run_id(), rig.brain.get_running_action(), rig.brain.get_running_time()], [0, &"", 0.0], "neutral values")
	is_null(rig.brain.get_running_target(), "no target")
	is_null(rig.brain.get_running_context(), "no context")


func test_forced_start_skips_the_gates() -> void:
	var jab: ActionSpec = Rig.gated(Rig.cooling(&"Jab", 5.0), [Doubles.gate(false)])
	jab.enabled = false
	jab.selection_weight = 0.0
	jab.requires_tags = ["Role.Boss"]
	var rig: Rig = Rig.new(self, [jab])
	eq(rig.use(&"Jab"), 1, "once")
	eq(rig.use(&"Jab"), 2, "again, on cooldown")


func test_forced_start_that_respects_gates() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0), Rig.spec(&"Zero", 0.0)])
	ne(rig.brain.execute_action(&"Jab", true), 0, "free")
	rig.brain.abort_action()
	rig.diary.take()
	eq(rig.brain.execute_action(&"Jab", true), 0, "on cooldown")
	eq(rig.diary.take(), "refused Jab %d" % ActionEvaluator.REFUSAL_COOLDOWN, "refused once, with the reason")
	ne(rig.brain.execute_action(&"Zero", true), 0, "the score does not matter")


func test_forced_start_needs_a_method() -> void:
	var bare: ActionSpec = Rig.spec(&"Bare")
	bare.execution_method = null
	var rig: Rig = Rig.new(self, [bare])
	eq(rig.brain.execute_action(&"Bare"), 0, "no method")
	eq(rig.diary.take(), "refused Bare %d" % ActionEvaluator.REFUSAL_NO_METHOD, "refused")


func test_unknown_action() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Heavy")])
	rig.moves.take_over_path("res://orc.tres")
	expect_error("Guard/Brain): no action named \"Smash\" in set \"res://orc.tres\". Known: Jab, Heavy.")
	eq(rig.brain.execute_action(&"Smash"), 0, "nothing starts")
	check(not rig.brain.is_executing(), "idle")


func test_unknown_action_in_queries() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	# Each id is a cause of its own.
	expect_error("\"Smash1\"")
	eq(rig.brain.get_remaining_cooldown(&"Smash1"), 0.0, "get_remaining_cooldown")
	expect_error("\"Smash2\"")
	check(not rig.brain.is_action_on_cooldown(&"Smash2"), "is_action_on_cooldown")
	expect_error("\"Smash3\"")
	eq(rig.brain.score_action(&"Smash3"), 0.0, "score_action")
	expect_error("\"Smash4\"")
	rig.brain.set_cooldown(&"Smash4", 3.0)
	eq(rig.brain.get_all_active_cooldowns(), {}, "nothing was set")


func test_context_reaches_the_method() -> void:
	var found: Found = Found.new()
	var reader: Reader = Reader.new()
	reader.found = found
	var throw_it: ActionSpec = Rig.spec(&"Throw")
	throw_it.execution_method = reader
	var rig: Rig = Rig.new(self, [throw_it])
	rig.aim_at(Vector3(0, 0, -9))
	var foe: Node3D = rig.add_foe(Vector3(0, 0, -4))
	var item: Resource = Resource.new()
	var context: ActionContext = ActionContext.create(foe, 0.5, item, ["Attack.Quick"])
	ne(rig.brain.execute_action_with_context(&"Throw", context), 0, "started")
	check(found.context != context, "the run has a copy")
	check(found.context.target == foe and found.target == foe, "target")
	eq([found.context.magnitude, found.context.context_tags], [0.5, ["Attack.Quick"]], "magnitude and tags")
	check(found.context.optional_object == item, "object")
	check(found.context.has_tag(&"Attack") and not found.context.has_tag(&"Attack.Slow"), "has_tag")
	check(found.context.instigator == rig.agent and found.agent == rig.agent, "instigator")
	check(found.evaluator == rig.brain, "evaluator")
	eq(found.context.action_id, &"Throw", "action id")
	near(found.context.distance, 4.0, 1e-5, "distance")
	near(found.context.direction, Vector3(0, 0, -1), 1e-5, "direction")
	check(context.instigator == null and context.action_id == &"", "the given context is not written to")


func test_context_without_a_target_takes_the_focus() -> void:
	var found: Found = Found.new()
	var reader: Reader = Reader.new()
	reader.found = found
	var throw_it: ActionSpec = Rig.spec(&"Throw")
	throw_it.execution_method = reader
	var rig: Rig = Rig.new(self, [throw_it])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -9))
	rig.brain.execute_action_with_context(&"Throw", ActionContext.create())
	check(found.target == foe, "an empty context")
	rig.brain.execute_action_with_context(&"Throw", null)
	check(found.target == foe, "no context")
	rig.brain.target = null
	rig.brain.execute_action(&"Throw")
	is_null(found.target, "no focus either")


func test_abort() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	check(not rig.brain.abort_action(), "nothing runs")
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	check(rig.brain.abort_action(), "aborted")
	eq(rig.diary.take(), "abort Jab 2, ended Jab 2", "cancelled by default")
	check(not rig.brain.abort_action(), "only once")
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	check(rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED), "another reason")
	eq(rig.diary.take(), "abort Jab 1, ended Jab 1", "interrupted")


func test_abort_with_another_reason_is_refused() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	expect_error("abort_action")
	check(not rig.brain.abort_action(ActionEvaluator.END_COMPLETED), "COMPLETED cannot be given")
	check(rig.brain.is_executing(), "it runs on")


func test_second_start_interrupts_the_first() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick")])
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	rig.brain.execute_action(&"Kick")
	eq(rig.diary.take(), "can Kick, abort Jab 1, ended Jab 1, begin Kick, started Kick", "order")


func test_same_action_can_be_restarted_by_force() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	eq(rig.brain.execute_action(&"Jab"), 2, "a new run")
	eq(rig.diary.take("ended started"), "ended Jab 1, started Jab", "one end, one start")


func test_running_action_is_not_interrupted_by_an_equal_one() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab", 1.0), Rig.spec(&"Kick", 5.0)])
	rig.brain.execute_action(&"Jab")
	check(not rig.brain.evaluate_now(), "a better score does not break it")
	eq(rig.brain.get_running_action(), &"Jab", "it runs on")


func test_evaluator_that_was_not_started() -> void:
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.auto_start = false
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	var moves: ActionSet = ActionSet.new()
	moves.actions = [Rig.spec(&"Jab")]
	brain.default_action_set = moves
	add(brain)
	check(not brain.is_started(), "not started")
	check(not brain.evaluate_now(), "decides nothing")
	brain.advance(0.1)
	check(not brain.is_executing(), "runs nothing")
	brain.start()
	check(brain.is_started() and brain.evaluate_now(), "started by script")


func test_evaluator_without_a_set() -> void:
	var rig: Rig = Rig.new(self, [])
	rig.brain.default_action_set = null
	rig.step(3)
	check(not rig.brain.evaluate_now(), "nothing to choose from")
	eq(rig.brain.get_action_ids().size(), 0, "no ids")
	is_null(rig.brain.get_active_action_set(), "no set")
	rig.moves.actions = [Rig.spec(&"Jab")]
	rig.brain.default_action_set = rig.moves
	rig.step()
	eq(rig.choose(), &"Jab", "a set that comes later is used")


func test_set_swapped_while_running() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var other: ActionSet = ActionSet.new()
	other.actions = [Rig.spec(&"Kick")]
	rig.brain.execute_action(&"Jab")
	var changed: SignalRecord = record(rig.brain.action_set_changed)
	rig.brain.default_action_set = other
	rig.step()
	eq(changed.count(), 1, "action_set_changed")
	check(rig.brain.get_active_action_set() == other, "active set")
	check(not rig.brain.is_executing(), "an action that is not in the new set is cancelled")
	eq(rig.choose(), &"Kick", "the new set is used")


func test_edited_set_is_used_from_the_next_step() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	var rig: Rig = Rig.new(self, [jab, Rig.spec(&"Kick", 0.5)])
	near(rig.score(&"Jab"), 1.0, 1e-9, "before")
	jab.selection_weight = 0.25
	rig.step()
	near(rig.score(&"Jab"), 0.25, 1e-9, "after")
	eq(rig.choose(), &"Kick", "winner")
	rig.moves.actions = [jab]
	rig.step()
	eq(rig.brain.get_action_ids(), ["Jab"], "actions replaced")


func test_decisions_of_a_step() -> void:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")])
	rig.brain.evaluation_interval = 0.0
	rig.brain.auto_evaluate = true
	rig.step()
	eq(rig.brain.get_running_action(), &"Jab", "a step decides by itself")
	rig.step(20)
	check(rig.diary.count("started Jab") > 5, "and goes on deciding")
	rig.brain.auto_evaluate = false
	rig.step(2)
	rig.diary.take()
	rig.step(20)
	eq(rig.diary.take("started"), "", "switched off")
