extends TestCase
## Recovery, follow-up windows, cooldowns from the end, bound numbers, holds, preferred distance.

const Rig := preload("res://support/action_rig.gd")


class Stats:
	extends Node
	var attack_cooldown: Variant = 2.5
	var rage: float = 3.0

	func get_haste() -> float:
		return 0.5


func _link(from: ActionSpec, to: StringName) -> ActionSpec:
	from.chain_links = [ChainLink.to(to, 1.5)] as Array[ChainLink]
	return from


func _rig(specs: Array[ActionSpec], spread: float = 0.0) -> Rig:
	var rig: Rig = Rig.new(self, specs)
	var config: AgentConfig = AgentConfig.new()
	config.action_recovery_time = 3.0
	config.interrupt_recovery_time = 0.5
	config.action_recovery_randomization = spread
	rig.brain.config = config
	return rig


## What is left right after a run of this action that ended by itself.
func _rest(rig: Rig, id: StringName) -> float:
	rig.brain.clear_recovery()
	rig.brain.execute_action(id)
	rig.step()
	eq(rig.brain.get_running_action(), &"", "%s is over" % id)
	return rig.brain.get_recovery_remaining()


func test_ex_30_a45() -> void:
	for interrupted: bool in [false, true]:
		var jab: ActionSpec = Rig.cooling(&"Jab", 5.0)
		jab.cooldown_starts = ActionSpec.ON_END
		jab.cooldown_interrupt_refund = 0.5
		if not interrupted:
			Rig.method_of(jab).finish_in_tick = 29
		var rig: Rig = Rig.new(self, [jab])
		rig.brain.execute_action(&"Jab")
		eq(rig.brain.get_remaining_cooldown(&"Jab"), 0.0, "not at the start")
		rig.step(30)
		if interrupted:
			rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
		eq(rig.brain.get_running_action(), &"", "over at 3 s")
		near(3.0 + rig.brain.get_remaining_cooldown(&"Jab"), 5.5 if interrupted else 8.0, 1e-6, "free at")


func test_ex_30_a47() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 10.0)
	var binding: NumberBinding = NumberBinding.new()
	binding.property = &"cooldown_duration"
	binding.attribute = "Stats:attack_cooldown"
	jab.bindings = [binding] as Array[NumberBinding]
	var rig: Rig = Rig.new(self, [jab])
	rig.use(&"Jab")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 10.0, 1e-6, "absent: the constant, without a message")
	var stats: Stats = Stats.new()
	stats.name = "Stats"
	rig.agent.add_child(stats)
	rig.use(&"Jab")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 2.5, 1e-6, "the attribute")


func test_weight_by_property_and_by_method() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab", 2.0)
	var rage: NumberBinding = NumberBinding.new()
	rage.property = &"selection_weight"
	rage.attribute = "rage"
	rage.mode = NumberBinding.BIND_MULTIPLY
	var haste: NumberBinding = NumberBinding.new()
	haste.property = &"risk_penalty"
	haste.attribute = "Stats:get_haste()"
	jab.bindings = [rage, haste] as Array[NumberBinding]
	var rig: Rig = Rig.new(self, [jab])
	var stats: Stats = Stats.new()
	stats.name = "Stats"
	rig.agent.add_child(stats)
	near(rig.brain.score_action(&"Jab"), 12.0, 1e-6, "2 x 3 / 0.5")
	stats.rage = 1.0
	near(rig.brain.score_action(&"Jab"), 4.0, 1e-6, "read at each evaluation")
	expect_error("property can't be")
	rage.property = &"nonsense"


func test_resolve_number_has_the_last_word() -> void:
	var source: GDScript = script("extends ActionEvaluator\nfunc _resolve_number(id: StringName, property: StringName, value: float) -> float:\n\treturn value + 1.0 if id == &\"Jab\" and property == &\"selection_weight\" else value\n")
	var jab: ActionSpec = Rig.spec(&"Jab", 2.0)
	var binding: NumberBinding = NumberBinding.new()
	binding.property = &"selection_weight"
	binding.attribute = "no_such_attribute"
	jab.bindings = [binding] as Array[NumberBinding]
	var rig: Rig = Rig.new(self, [jab], source.new())
	near(rig.brain.score_action(&"Jab"), 3.0, 1e-6, "of a bound number")


func test_ex_30_a49() -> void:
	var jab: ActionSpec = Rig.quick(&"Jab")
	jab.override_recovery_time = true
	jab.recovery_time = 1.0
	var rig: Rig = _rig([Rig.quick(&"Heavy"), jab])
	near(_rest(rig, &"Heavy"), 3.0, 1e-6, "the config's")
	near(_rest(rig, &"Jab"), 1.0, 1e-6, "its own")


func test_ex_30_a50() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.override_recovery_time = true
	jab.recovery_time = 1.0
	Rig.method_of(jab).timeout = 0.1
	var fails: ActionSpec = Rig.quick(&"Fails")
	Rig.method_of(fails).succeeds = false
	var rig: Rig = _rig([jab, fails])
	near(_rest(rig, &"Jab"), 3.0, 1e-6, "timed out: the config's")
	rig.brain.clear_recovery()
	rig.brain.execute_action(&"Jab")
	rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
	near(rig.brain.get_recovery_remaining(), 0.5, 1e-6, "interrupted")
	eq(_rest(rig, &"Fails"), 0.0, "failed")


func test_ex_30_a51() -> void:
	var rig: Rig = _rig([Rig.quick(&"Heavy")], 0.2)
	near([_rest(rig, &"Heavy"), _rest(rig, &"Heavy")], [2.879037, 2.824757], 1e-6, "first and second")


func test_ex_30_a53() -> void:
	var jab: ActionSpec = Rig.quick(&"Jab")
	jab.override_recovery_time = true
	eq(_rest(_rig([jab]), &"Jab"), 0.0, "an override of 0")


func test_ex_30_a54() -> void:
	var heavy: ActionSpec = Rig.quick(&"Heavy")
	heavy.override_recovery_time = true
	heavy.recovery_time = 1.0
	var rig: Rig = _rig([_link(Rig.quick(&"Jab"), &"Heavy"), heavy])
	_rest(rig, &"Jab")
	rig.step(4)
	rig.brain.execute_action(&"Heavy")
	rig.step()
	near(rig.brain.get_recovery_remaining(), 2.5, 1e-6, "never shorter")


func test_ex_30_a55() -> void:
	var specs: Array[ActionSpec] = [_link(Rig.quick(&"Jab"), &"Heavy"), Rig.spec(&"Heavy"), Rig.spec(&"Kick")]
	var rig: Rig = _rig(specs)
	_rest(rig, &"Jab")
	rig.step(5)
	eq(rig.refusal(&"Heavy"), ActionEvaluator.REFUSAL_NONE, "linked, at 0.5 s")
	eq(rig.refusal(&"Kick"), ActionEvaluator.REFUSAL_RECOVERY, "not linked")
	rig.step()
	eq(rig.refusal(&"Heavy"), ActionEvaluator.REFUSAL_RECOVERY, "at 0.6 s")
	rig.brain.chain_followup_window = 0.0
	_rest(rig, &"Jab")
	rig.step()
	eq(rig.refusal(&"Heavy"), ActionEvaluator.REFUSAL_RECOVERY, "no window")


func test_only_a_completion_lets_the_follow_up_skip_the_rest() -> void:
	var slow: ActionSpec = _link(Rig.spec(&"Jab"), &"Heavy")
	Rig.method_of(slow).timeout = 0.1
	var failing: ActionSpec = _link(Rig.quick(&"Miss"), &"Heavy")
	Rig.method_of(failing).succeeds = false
	var rig: Rig = _rig([_link(Rig.quick(&"Poke"), &"Heavy"), slow, failing, Rig.spec(&"Heavy"), Rig.quick(&"Kick")])
	var ways: Dictionary[String, Callable] = {
		"COMPLETED": func() -> void:
			rig.brain.execute_action(&"Poke")
			rig.step(),
		"TIMED_OUT": func() -> void:
			rig.brain.execute_action(&"Jab")
			rig.step(),
		"FAILED": func() -> void:
			rig.brain.execute_action(&"Miss")
			rig.step(),
		"CANCELLED": func() -> void:
			rig.brain.execute_action(&"Jab")
			rig.brain.abort_action(ActionEvaluator.END_CANCELLED),
		"INTERRUPTED": func() -> void:
			rig.brain.execute_action(&"Jab")
			rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED),
	}
	for way: String in ways:
		rig.brain.reset_state()
		# An open window of an earlier completion, so that the end has something to close.
		(ways["COMPLETED"] as Callable).call()
		rig.brain.add_recovery(3.0)
		ne(rig.refusal(&"Heavy"), ActionEvaluator.REFUSAL_RECOVERY, "open before %s" % way)
		(ways[way] as Callable).call()
		eq(rig.brain.is_executing(), false, "%s: it is over" % way)
		check(rig.brain.is_action_recovering(), "%s: the agent rests" % way)
		eq(rig.refusal(&"Heavy") == ActionEvaluator.REFUSAL_RECOVERY, way != "COMPLETED", "%s: the follow-up has to rest too" % way)
		eq(rig.refusal(&"Kick"), ActionEvaluator.REFUSAL_RECOVERY, "%s: others always have" % way)


func test_recovery_signals_and_queries() -> void:
	var strafe: ActionSpec = Rig.spec(&"Strafe", 0.1)
	strafe.ignore_recovery = true
	var rig: Rig = _rig([Rig.quick(&"Jab"), strafe])
	rig.brain.recovery_scale = 0.5
	var started: SignalRecord = record(rig.brain.recovery_started)
	var ended: SignalRecord = record(rig.brain.recovery_ended)
	near(_rest(rig, &"Jab"), 1.5, 1e-6, "scaled")
	check(rig.brain.is_action_recovering(), "for a HUD")
	eq(rig.row(&"Jab")["detail"], "Recovering (1.5s remaining)", "in the log")
	eq(rig.choose(), &"Strafe", "it ignores recovery")
	rig.step(15)
	eq([started.arguments(0).size(), ended.count()], [1, 1], "told once each")
	check(not rig.brain.is_action_recovering(), "rested")
	eq(rig.brain.get_running_action(), &"Strafe", "what runs went on")
	rig.brain.add_recovery(1.0)
	rig.brain.add_recovery(1.0)
	near(rig.brain.get_recovery_remaining(), 2.0, 1e-6, "added to what is left")
	rig.brain.reset_state()
	eq(rig.brain.get_recovery_remaining(), 0.0, "reset")
	expect_error("add_recovery() got")
	rig.brain.add_recovery(NAN)


func test_selection_holds() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Heavy", 0.5)])
	var brain: ActionEvaluator = rig.brain
	var director: Node = Node.new()
	var other: RefCounted = RefCounted.new()
	check(brain.hold_selection(director) and brain.hold_selection(director) and brain.hold_selection(other), "held")
	check(not brain.hold_selection(null), "by nobody")
	check(not brain.evaluate_now(), "nothing is chosen")
	brain.request_evaluation()
	rig.step()
	eq(brain.get_running_action(), &"", "nor in a step")
	check(brain.execute_action(&"Heavy") > 0, "forced")
	brain.abort_action()
	check(brain.release_selection(other), "released")
	check(not brain.release_selection(other), "only once")
	check(not brain.evaluate_now(), "one still holds")
	director.free()
	check(brain.evaluate_now(), "a freed one does not")
	eq(brain.get_running_action(), &"Jab", "chosen")


func test_cancel_action_ends_that_run_only() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var first: int = rig.brain.execute_action(&"Jab")
	var second: int = rig.brain.execute_action(&"Jab")
	ne(first, second, "run ids")
	check(not rig.brain.cancel_action(first), "a stale id does nothing")
	eq(rig.brain.get_run_id(), second, "runs on")
	check(rig.brain.cancel_action(second), "this one")
	has_element(rig.diary.lines, "ended Jab 2", "cancelled")


func test_preferred_distance() -> void:
	var near_scorer: DistanceScorer = DistanceScorer.new()
	var shot: ActionSpec = Rig.spec(&"Shot", 2.0)
	var far_scorer: DistanceScorer = DistanceScorer.new()
	far_scorer.range = RangeCurve.ranged()
	shot.scorers = [HealthScorer.new(), far_scorer, near_scorer]
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.scorers = [near_scorer]
	var rig: Rig = Rig.new(self, [jab, shot, Rig.spec(&"Taunt", 0.01)])
	var brain: ActionEvaluator = rig.brain
	eq(brain.get_preferred_distance(&"Shot"), Vector2(5, 10), "of its first DistanceScorer")
	eq(brain.get_preferred_distance(&"Taunt"), Vector2(-1, -1), "none")
	eq(brain.get_preferred_distance(), Vector2(-1, -1), "nothing was decided")
	rig.aim_at(Vector3(0, 0, -2))
	rig.choose()
	eq(brain.get_preferred_distance(), Vector2(1, 2.5), "the running one")
	brain.abort_action()
	eq(brain.get_preferred_distance(), Vector2(1, 2.5), "the best of the last evaluation")
	expect_error("no action named")
	brain.get_preferred_distance(&"Nonsense")
