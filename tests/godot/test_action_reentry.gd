extends TestCase
## Calls from inside handlers and virtuals, and nodes that vanish there.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


func _fighters() -> Rig:
	return Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick")])


func test_start_inside_begin_is_queued() -> void:
	var rig: Rig = _fighters()
	var runs: Array[int] = []
	rig.diary.once("begin Jab", func() -> void: runs.append(rig.brain.execute_action(&"Kick")))
	eq(rig.brain.execute_action(&"Jab"), 1, "run of Jab")
	eq(runs, [2], "the queued start reserves its run id at once")
	eq(rig.diary.take("begin started ended"), "begin Jab, started Jab, ended Jab 1, begin Kick, started Kick", "performed after the start of Jab")
	eq(rig.brain.get_run_id(), 2, "Kick runs")


func test_last_queued_start_wins() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick"), Rig.spec(&"Slam")])
	rig.diary.once("begin Jab", func() -> void:
		rig.brain.execute_action(&"Kick")
		rig.brain.execute_action(&"Slam"))
	rig.brain.execute_action(&"Jab")
	eq(rig.brain.get_running_action(), &"Slam", "the last one runs")
	lacks_element(rig.diary.lines, "started Kick", "started")
	var refused: Array = Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("refused Kick"))
	eq(refused.size(), 1, "the replaced one says so once")


func test_start_inside_started_and_ended_handlers() -> void:
	var rig: Rig = _fighters()
	rig.diary.once("started Jab", func() -> void: rig.brain.execute_action(&"Kick"))
	rig.brain.execute_action(&"Jab")
	eq(rig.brain.get_running_action(), &"Kick", "started in a started handler")
	eq(rig.diary.take("started ended"), "started Jab, ended Jab 1, started Kick", "order")
	rig.diary.once("ended Kick 2", func() -> void: rig.brain.execute_action(&"Jab"))
	rig.brain.abort_action()
	eq(rig.brain.get_running_action(), &"Jab", "started in an ended handler")
	eq(rig.diary.take("started ended"), "ended Kick 2, started Jab", "order")


func test_evaluation_inside_an_ended_handler() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	var answers: Array[bool] = []
	rig.diary.once("ended Jab 2", func() -> void: answers.append(rig.brain.evaluate_now()))
	rig.brain.abort_action()
	eq(answers, [true], "accepted")
	eq(rig.brain.get_running_action(), &"Jab", "performed")
	eq(rig.brain.get_run_id(), 2, "a new run")


func test_start_inside_a_tick() -> void:
	var rig: Rig = _fighters()
	rig.diary.once("tick Jab 0.1000", func() -> void: rig.brain.execute_action(&"Kick"))
	rig.brain.execute_action(&"Jab")
	rig.step()
	eq(rig.brain.get_running_action(), &"Kick", "Kick runs")
	eq(rig.diary.take("started ended"), "started Jab, ended Jab 1, started Kick", "one end, one start")
	rig.step()
	eq(rig.diary.count("tick Jab 0.1000"), 0, "Jab is not ticked any more")


func test_abort_inside_begin_counts_as_a_veto() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
	rig.diary.once("begin Jab", func() -> void: rig.brain.abort_action())
	rig.brain.execute_action(&"Jab")
	check(not rig.brain.is_executing(), "it does not run")
	eq(rig.diary.take("begin abort started ended"), "begin Jab, abort Jab 2", "it never started")
	check(not rig.brain.is_action_on_cooldown(&"Jab"), "nothing was charged")


func test_abort_inside_the_started_handler() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.diary.once("started Jab", func() -> void: rig.brain.abort_action())
	rig.brain.execute_action(&"Jab")
	check(not rig.brain.is_executing(), "ended")
	eq(rig.diary.take("started ended"), "started Jab, ended Jab 2", "one start, one end")


func test_abort_inside_a_tick() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.diary.once("tick Jab 0.1000", func() -> void: rig.brain.abort_action())
	rig.brain.execute_action(&"Jab")
	rig.step(3)
	eq(rig.diary.take("tick abort ended"), "tick Jab 0.1000, abort Jab 2, ended Jab 2", "ends at once after the tick")


func test_abort_inside_abort_is_no_second_end() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	rig.diary.on("abort Jab 2", func() -> void: rig.brain.abort_action())
	rig.diary.on("ended Jab 2", func() -> void: rig.brain.abort_action())
	rig.brain.abort_action()
	eq(rig.diary.take("abort ended"), "abort Jab 2, ended Jab 2", "one of each")


func test_evaluation_inside_a_scorer_is_refused() -> void:
	var answers: Array = []
	var holder: Array[Rig] = []
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, _context: DecisionContext) -> float:
		answers.append(holder[0].brain.evaluate_best_action().is_valid())
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [scorer])])
	holder.append(rig)
	expect_error("evaluate_best_action")
	eq(rig.choose(), &"Jab", "the outer evaluation goes on")
	eq(answers, [false], "the inner one is refused")
	holder.clear()


func test_evaluate_now_inside_a_scorer_becomes_a_request() -> void:
	var holder: Array[Rig] = []
	var asked: Array[int] = []
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, _context: DecisionContext) -> float:
		asked.append(1)
		if asked.size() == 1:
			holder[0].brain.evaluate_now()
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.quick(&"Jab"), [scorer])])
	holder.append(rig)
	rig.brain.auto_evaluate = true
	rig.brain.evaluation_interval = 100.0
	expect_error("evaluate_now")
	eq(rig.choose(), &"Jab", "the outer evaluation goes on")
	eq(asked.size(), 1, "no inner evaluation")
	rig.step(2)
	check(asked.size() >= 2, "it is done in a later step")
	holder.clear()


func test_start_inside_a_gate_is_queued() -> void:
	var holder: Array[Rig] = []
	var gate: Doubles.Gate = Doubles.gate_that(func(me: ActionGate, _context: DecisionContext) -> bool:
		if (me as Doubles.Gate).asked == 1:
			holder[0].brain.execute_action(&"Kick")
		return true)
	var rig: Rig = Rig.new(self, [Rig.gated(Rig.spec(&"Jab", 5.0), [gate]), Rig.spec(&"Kick")])
	holder.append(rig)
	rig.brain.evaluate_now()
	eq(rig.brain.get_running_action(), &"Kick", "performed when the evaluation returns")
	lacks_element(rig.diary.lines, "begin Kick, begin Jab", "order")
	holder.clear()


func test_settings_changed_inside_a_scorer() -> void:
	var holder: Array[Rig] = []
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, _context: DecisionContext) -> float:
		holder[0].brain.set_action_override(&"Kick", 100.0)
		holder[0].brain.target = null
		holder[0].brain.set_cooldown(&"Jab", 9.0)
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab", 5.0), [scorer]), Rig.spec(&"Kick")])
	holder.append(rig)
	rig.aim_at(Vector3(0, 0, -2))
	rig.brain.evaluate_now()
	ne(rig.brain.get_running_action(), &"Jab", "the winner is checked again: it is on cooldown now")
	eq(rig.brain.get_action_override(&"Kick"), 100.0, "the override holds")
	holder.clear()


func test_set_swapped_inside_handlers() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var other: ActionSet = ActionSet.new()
	other.actions = [Rig.spec(&"Kick")]
	rig.diary.once("begin Jab", func() -> void: rig.brain.default_action_set = other)
	rig.brain.execute_action(&"Jab")
	eq(rig.diary.take("begin started ended"), "begin Jab, started Jab, ended Jab 2", "the start is finished, then the action that is gone is cancelled")
	eq(rig.brain.get_action_ids(), ["Kick"], "the new set")


func test_agent_freed_later_from_every_place() -> void:
	for place: String in ["can Jab", "begin Jab", "started Jab", "cooling Jab 5.0000", "tick Jab 0.1000", "abort Jab 2", "ended Jab 2"]:
		var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
		rig.diary.once(place, func() -> void: rig.agent.queue_free())
		rig.brain.execute_action(&"Jab")
		rig.step(2)
		rig.brain.abort_action()
		await idle(2)
		check(not is_instance_valid(rig.brain), "freed in " + place)
		var ends: Array = Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("ended Jab"))
		eq(ends.size(), rig.diary.count("started Jab"), "as many ends as starts in " + place)


func test_agent_freed_inside_virtuals() -> void:
	for place: String in ["can Jab", "begin Jab", "tick Jab 0.1000", "abort Jab 2"]:
		var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
		rig.diary.once(place, func() -> void: rig.agent.free())
		rig.brain.execute_action(&"Jab")
		for i: int in 2:
			if is_instance_valid(rig.brain):
				rig.step()
		if is_instance_valid(rig.brain):
			rig.brain.abort_action()
		check(not is_instance_valid(rig.brain), "freed in " + place)
		check(rig.diary.count("started Jab") <= 1, "no second start in " + place)


func test_agent_freed_inside_a_scorer() -> void:
	var holder: Array[Rig] = []
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, _context: DecisionContext) -> float:
		if is_instance_valid(holder[0].agent):
			holder[0].agent.free()
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [scorer]), Rig.scored(Rig.spec(&"Kick"), [scorer])])
	holder.append(rig)
	check(not rig.brain.evaluate_now(), "nothing starts")
	check(not is_instance_valid(rig.brain), "freed")
	eq(rig.diary.take(), "", "no signal")
	holder.clear()


func test_agent_that_leaves_the_tree_ends_its_run_once() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	remove_child(rig.agent)
	eq(rig.diary.take("abort ended"), "abort Jab 2, ended Jab 2", "cancelled")
	add_child(rig.agent)
	rig.step(2)
	eq(rig.diary.take("abort ended started"), "", "back in the tree it is idle")
	eq(rig.choose(), &"Jab", "and goes on")


func test_target_freed_inside_begin() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	var started: SignalRecord = record(rig.brain.action_started)
	rig.diary.once("begin Jab", foe.free)
	rig.brain.execute_action(&"Jab")
	eq(started.count(), 1, "started all the same")
	if started.count() == 1:
		check(started.last()[1] == null, "with no target")
	rig.step(3)
	check(rig.brain.is_executing(), "and runs on")


func test_advance_inside_its_own_step_is_an_error() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	rig.diary.once("tick Jab 0.1000", func() -> void: rig.brain.advance(5.0))
	expect_error("advance")
	rig.step()
	near(rig.brain.get_running_time(), 0.1, 1e-6, "without effect")


func test_cooldown_handlers_may_change_cooldowns() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 0.2), Rig.cooling(&"Kick", 0.2)])
	rig.use(&"Jab")
	rig.use(&"Kick")
	rig.diary.once("ready Jab", func() -> void: rig.brain.set_cooldown(&"Jab", 1.0))
	rig.step(2)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 1.0, 1e-6, "set again")
	eq(rig.diary.take("ready"), "ready Jab, ready Kick", "the other one expires as well")
