extends TestCase
## Scripts that step or restart an evaluator from inside its own sequences.

const Rig := preload("res://support/action_rig.gd")


func test_step_inside_a_start_makes_no_second_decision() -> void:
	var best: ActionSpec = Rig.spec(&"Best", 5.0)
	Rig.method_of(best).begins = false
	var rig: Rig = Rig.new(self, [best, Rig.spec(&"Second", 2.0), Rig.spec(&"Third", 1.0)])
	rig.brain.auto_evaluate = true
	rig.brain.evaluation_interval = 0.0
	rig.diary.on("begin Best", func() -> void:
		rig.moves.actions = [rig.moves.actions[1]]
		rig.brain.advance(0.1))
	rig.brain.evaluate_now()
	eq(rig.diary.count("begin Best"), 1, "one start at a time")
	eq(rig.brain.get_running_action(), &"Second", "the next best of the same decision")
	rig.step(3)
	eq(rig.diary.count("started Second"), 1, "it runs once")


func test_step_inside_a_forced_start() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab", 5.0), Rig.spec(&"Kick", 1.0)])
	rig.brain.auto_evaluate = true
	rig.brain.evaluation_interval = 0.0
	var started: SignalRecord = record(rig.brain.action_started)
	var ended: SignalRecord = record(rig.brain.action_ended)
	rig.diary.on("begin Kick", func() -> void: rig.brain.advance(0.1))
	var run: int = rig.brain.execute_action(&"Kick")
	eq(rig.brain.get_run_id(), run, "the forced run is the one that runs")
	eq(rig.brain.get_running_action(), &"Kick", "and no other")
	rig.brain.stop()
	eq(ended.arguments(2), started.arguments(2), "every run that began ended")


func test_failing_call_is_told_once() -> void:
	var call: CallMethod = CallMethod.new()
	call.method = &"is_inside_tree"
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.execution_method = call
	var rig: Rig = Rig.new(self, [jab])
	expect_error("the call of \"is_inside_tree\" failed: function has 0 parameters, but received 1 argument. Mend", 1)
	for i: int in 3:
		eq(rig.brain.execute_action(&"Jab"), 0, "a call with one argument too many does not start")
