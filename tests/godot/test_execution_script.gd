extends TestCase
## Runs of a scripted ExecutionMethod: start, ticks, time-outs, ends, the private copy.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const Diary := preload("res://support/diary.gd")


## Steps until the run is over; the number of the step in which it ended, -1 if it did not.
func _steps_until_end(rig: Rig, most: int, delta: float = 0.1) -> int:
	for i: int in most:
		rig.step(1, delta)
		if not rig.brain.is_executing():
			return i + 1
	return -1


func _with_timeout(seconds: float, finish_in_tick: int = -1) -> Rig:
	var jab: ActionSpec = Rig.spec(&"Jab", 1.0, finish_in_tick)
	Rig.method_of(jab).timeout = seconds
	var rig: Rig = Rig.new(self, [jab])
	rig.brain.execute_action(&"Jab")
	return rig


func test_ex_35_e2() -> void:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")])
	rig.brain.execute_action(&"Jab")
	check(rig.brain.is_executing(), "it runs until the next step")
	eq(rig.diary.take("begin started tick ended"), "begin Jab, started Jab", "started")
	eq(_steps_until_end(rig, 5), 1, "ends in step 1")
	eq(rig.diary.take("tick abort ended"), "ended Jab 0", "completed without a tick or an abort")


func test_ex_35_e3() -> void:
	var rig: Rig = _with_timeout(0.25)
	eq(_steps_until_end(rig, 10), 3, "ends in step 3")
	eq(rig.diary.take("tick abort ended"), "tick Jab 0.1000, tick Jab 0.1000, abort Jab 3, ended Jab 3", "two ticks, then timed out")


func test_ex_35_e4() -> void:
	var never: Rig = _with_timeout(0.0)
	eq(_steps_until_end(never, 400), 300, "the hard limit of 30 s")
	eq(never.diary.take("ended"), "ended Jab 3", "timed out")
	var half: Rig = _with_timeout(0.5)
	eq(_steps_until_end(half, 60, 1.0 / 60.0), 30, "half a second at 60 Hz")


func test_ex_35_e5() -> void:
	var rig: Rig = _with_timeout(0.3, 2)
	eq(_steps_until_end(rig, 10), 3, "ends in step 3")
	eq(rig.diary.take("ended"), "ended Jab 0", "the result counts, not the time-out")


func test_ex_35_e6() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 5.0)
	jab.add_tags = ["State.MovementBlocked"]
	jab.max_consecutive_uses = 1
	Rig.method_of(jab).begins = false
	var rig: Rig = Rig.new(self, [jab])
	var tags: TagContainer = Rig.tag_container([])
	rig.agent.add_child(tags)
	eq(rig.brain.execute_action(&"Jab"), 0, "no run")
	eq(rig.diary.take(), "can Jab, begin Jab, refused Jab %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "refused, nothing else")
	check(not tags.has_tag(&"State.MovementBlocked"), "no tag")
	check(not rig.brain.is_action_on_cooldown(&"Jab"), "no cooldown")
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "no use was counted: it may compete again")


func test_ex_35_e20() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab", 1.0, 1)
	var method: Doubles.Method = Rig.method_of(jab)
	method.scribbles = true
	var rig: Rig = Rig.new(self, [jab])
	var before: int = hash([method.numbers, method.table, method.bytes, method.ticks])
	for i: int in 100:
		rig.brain.execute_action(&"Jab")
		rig.step(2)
	eq(rig.diary.count("ended Jab 0"), 100, "a hundred runs")
	eq(hash([method.numbers, method.table, method.bytes, method.ticks]), before, "the definition is untouched")


func test_lifecycle_order() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 5.0)
	Rig.method_of(jab).finish_in_tick = 2
	var rig: Rig = Rig.new(self, [jab])
	rig.aim_at(Vector3(0, 0, -2))
	rig.brain.evaluate_now()
	eq(rig.diary.take(), "can Jab, begin Jab, cooling Jab 5.0000, started Jab at Foe", "start")
	rig.step(1, 0.25)
	eq(rig.diary.take(), "tick Jab 0.2500", "first tick, in the step after the start")
	rig.step(1, 0.5)
	eq(rig.diary.take(), "tick Jab 0.5000", "last tick")
	rig.step()
	eq(rig.diary.take(), "ended Jab 0", "end, in the step after the result")


func test_failed_run() -> void:
	var jab: ActionSpec = Rig.quick(&"Jab")
	Rig.method_of(jab).succeeds = false
	var rig: Rig = Rig.new(self, [jab])
	rig.brain.execute_action(&"Jab")
	rig.step()
	eq(rig.diary.take("abort ended"), "ended Jab 4", "failed, and no abort: the method finished itself")


func test_pre_check_comes_before_anything_is_touched() -> void:
	var kick: ActionSpec = Rig.spec(&"Kick")
	Rig.method_of(kick).may_begin = false
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), kick])
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	eq(rig.brain.execute_action(&"Kick"), 0, "refused")
	eq(rig.diary.take(), "can Kick, refused Kick %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "Jab was not interrupted")
	eq(rig.brain.get_running_action(), &"Jab", "Jab runs on")


func test_failed_begin_after_the_interruption() -> void:
	var kick: ActionSpec = Rig.spec(&"Kick")
	Rig.method_of(kick).begins = false
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), kick])
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	rig.brain.execute_action(&"Kick")
	eq(rig.diary.take(), "can Kick, abort Jab 1, ended Jab 1, begin Kick, refused Kick %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "order")
	check(not rig.brain.is_executing(), "the old run stays ended")


func test_failed_start_competes_again_and_the_next_best_runs() -> void:
	var best: ActionSpec = Rig.spec(&"Best", 5.0)
	Rig.method_of(best).begins = false
	var rig: Rig = Rig.new(self, [best, Rig.spec(&"Second", 1.0)])
	eq(rig.choose(), &"Second", "the next best is tried")
	rig.brain.abort_action()
	rig.diary.take()
	rig.choose()
	eq(rig.diary.count("begin Best"), 1, "the failed one is tried again next time")


func test_each_run_has_its_own_copy() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab", 1.0, 3)])
	for i: int in 2:
		rig.brain.execute_action(&"Jab")
		eq(_steps_until_end(rig, 10), 4, "run %d counts its ticks from zero" % i)
	eq(Rig.method_of(rig.moves.find_action(&"Jab")).ticks, 0, "the definition never ticks")


func test_two_agents_on_one_method() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab", 1.0, 3)
	var one: Rig = Rig.new(self, [jab])
	one.brain.execute_action(&"Jab")
	one.step(2)
	var two: Rig = Rig.new(self, [])
	two.brain.default_action_set = one.moves
	two.step()
	two.brain.execute_action(&"Jab")
	one.step(2)
	two.step(2)
	check(not one.brain.is_executing(), "the first has had its three ticks")
	check(two.brain.is_executing(), "the second has not")


func test_sub_resources_are_shared() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	var method: Doubles.Method = Rig.method_of(jab)
	method.sub = Resource.new()
	var seen: Array[Resource] = []
	var rig: Rig = Rig.new(self, [jab])
	var keeper: Keeper = Keeper.new()
	keeper.sub = method.sub
	keeper.seen = Diary.new()
	var keep: ActionSpec = Rig.spec(&"Keep")
	keep.execution_method = keeper
	rig.moves.actions = [jab, keep]
	rig.step()
	rig.brain.execute_action(&"Keep")
	seen.assign((keeper.seen as Diary).reactions.values())
	eq(seen.size(), 1, "one run")
	if seen.size() == 1:
		check(seen[0] == keeper.sub, "the run has the very same sub-resource")


## Tells which sub-resource its run was given.
class Keeper:
	extends ExecutionMethod
	@export var sub: Resource = null
	@export var seen: Resource = null

	func _begin_execute(_context: ActionContext) -> bool:
		(seen as Diary).reactions["sub"] = sub
		return true


func test_edited_method_does_not_change_the_run() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	Rig.method_of(jab).timeout = 0.5
	var rig: Rig = Rig.new(self, [jab])
	rig.brain.execute_action(&"Jab")
	rig.step()
	Rig.method_of(jab).timeout = 100.0
	jab.execution_method = null
	eq(_steps_until_end(rig, 20), 4, "the run keeps its copy")
	eq(rig.diary.take("ended"), "ended Jab 3", "timed out after 0.5 s in all")


func test_reasons_can_be_written_bare() -> void:
	var aware: Aware = Aware.new()
	aware.diary = Diary.new()
	var spec: ActionSpec = Rig.spec(&"Aware")
	spec.execution_method = aware
	var rig: Rig = Rig.new(self, [spec])
	rig.brain.execute_action(&"Aware")
	rig.brain.abort_action()
	rig.brain.execute_action(&"Aware")
	rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
	eq((aware.diary as Diary).take(), "cancelled, interrupted", "reasons")


## Tells reasons by the constants of its own class.
class Aware:
	extends ExecutionMethod
	@export var diary: Resource = null

	func _abort_execute(reason: int) -> void:
		var names: Dictionary = {
			END_COMPLETED: "completed", END_INTERRUPTED: "interrupted", END_CANCELLED: "cancelled",
			END_TIMED_OUT: "timed out", END_FAILED: "failed",
		}
		(diary as Diary).write(names[reason])


func test_only_the_first_result_counts() -> void:
	var twice: Twice = Twice.new()
	var spec: ActionSpec = Rig.spec(&"Twice")
	spec.execution_method = twice
	var rig: Rig = Rig.new(self, [spec])
	rig.brain.execute_action(&"Twice")
	rig.step()
	eq(rig.diary.take("ended"), "ended Twice 4", "the first call said failed")
	twice.finish_execution(true)
	check(not twice.is_executing(), "a definition does not run")
	is_null(twice.get_agent(), "and has no agent")
	eq([twice.get_elapsed(), twice.get_action_id()], [0.0, &""], "neutral values outside a run")


## Gives two results.
class Twice:
	extends ExecutionMethod

	func _begin_execute(_context: ActionContext) -> bool:
		finish_execution(false)
		finish_execution(true)
		return true


func test_methods_that_override_little() -> void:
	var silent: ActionSpec = Rig.spec(&"Silent")
	silent.execution_method = Doubles.Silent.new()
	var blank: ActionSpec = Rig.spec(&"Blank")
	blank.execution_method = Doubles.Blank.new()
	var rig: Rig = Rig.new(self, [silent, blank])
	for id: StringName in [&"Silent", &"Blank"]:
		ne(rig.brain.execute_action(id), 0, "it starts")
		rig.step(5)
		eq(rig.brain.get_running_action(), id, "it runs")
		rig.brain.abort_action()
	rig.brain.execute_action(&"Blank")
	eq(_steps_until_end(rig, 400), 300, "until the hard limit")


func test_bad_timeouts_read_as_none() -> void:
	for seconds: float in [-1.0, NAN, INF]:
		var jab: ActionSpec = Rig.spec(&"Jab")
		Rig.method_of(jab).timeout = seconds
		var rig: Rig = Rig.new(self, [jab])
		expect_warning("Brain")
		rig.brain.execute_action(&"Jab")
		rig.step(20)
		check(rig.brain.is_executing(), "no time-out with %s" % seconds)
		rig.agent.free()


func test_target_freed_while_running() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	rig.brain.execute_action(&"Jab")
	rig.step()
	foe.free()
	rig.step(2)
	check(rig.brain.is_executing(), "by default the run goes on")
	is_null(rig.brain.get_running_context().target, "its context has no target")


func test_ends_match_starts_on_every_path() -> void:
	var slow: ActionSpec = Rig.spec(&"Slow")
	Rig.method_of(slow).timeout = 0.2
	var failing: ActionSpec = Rig.quick(&"Failing")
	Rig.method_of(failing).succeeds = false
	var rig: Rig = Rig.new(self, [Rig.quick(&"Quick"), failing, slow, Rig.spec(&"Long")])
	var started: SignalRecord = record(rig.brain.action_started)
	var ended: SignalRecord = record(rig.brain.action_ended)
	for id: StringName in [&"Quick", &"Failing", &"Slow", &"Long"]:
		rig.brain.execute_action(id)
		rig.step(4)
	rig.brain.execute_action(&"Long")
	rig.brain.abort_action()
	rig.brain.execute_action(&"Long")
	rig.brain.stop()
	rig.brain.start()
	rig.brain.execute_action(&"Long")
	remove_child(rig.agent)
	add_child(rig.agent)
	eq(ended.arguments(1), [0, 4, 3, 1, 2, 2, 2], "reasons")
	eq(ended.arguments(2), started.arguments(2), "every run ends once, in order")


func test_tags_while_running() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.add_tags = ActionSpec.new().add_tags
	eq(jab.add_tags, ["State.MovementBlocked"], "default")
	var rig: Rig = Rig.new(self, [jab])
	var tags: TagContainer = Rig.tag_container([])
	rig.agent.add_child(tags)
	tags.add_tag(&"State.MovementBlocked")
	rig.diary.on("started Jab", func() -> void:
		eq(tags.get_tag_count(&"State.MovementBlocked"), 2, "two holders when it has started"))
	rig.diary.on("abort Jab 2", func() -> void:
		eq(tags.get_tag_count(&"State.MovementBlocked"), 2, "two holders in abort"))
	rig.diary.on("ended Jab 2", func() -> void:
		eq(tags.get_tag_count(&"State.MovementBlocked"), 1, "one holder when it has ended"))
	rig.brain.execute_action(&"Jab")
	rig.brain.abort_action()
	eq(rig.diary.take("started ended"), "started Jab, ended Jab 2", "both were asked")
	eq(tags.get_tag_count(&"State.MovementBlocked"), 1, "the other holder's tag stays")
	rig.brain.execute_action(&"Jab")
	rig.agent.remove_child(tags)
	rig.brain.abort_action()
	check(not rig.brain.is_executing(), "a container that is gone is no error")
	tags.free()
