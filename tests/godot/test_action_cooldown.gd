extends TestCase
## Cooldowns, refunds, repeat limits.

const Rig := preload("res://support/action_rig.gd")


func _stamps(rig: Rig, id: StringName, count: int) -> Array:
	var started: SignalRecord = record(rig.brain.cooldown_started)
	for i: int in count:
		rig.use(id)
	return started.arguments(1)


func test_ex_30_a37() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Heavy", 10.0, 0.2)])
	near(_stamps(rig, &"Heavy", 3), [10.619101, 10.745613, 10.908933], 1e-6, "stamps")


func test_ex_30_a38() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Heavy", 10.0)])
	near(_stamps(rig, &"Heavy", 1), [10.0], 1e-9, "no spread")
	rig.brain.cooldown_scale = 0.5
	near(_stamps(rig, &"Heavy", 1), [5.0], 1e-9, "half as long")


func test_ex_30_a39() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Heavy", 10.0, 0.2)])
	var stamps: Array = _stamps(rig, &"Heavy", 1000)
	eq(stamps.size(), 1000, "stamps")
	between(stamps.min(), 8.0, 8.2, "shortest")
	between(stamps.max(), 11.8, 12.0, "longest")
	var sum: float = stamps.reduce(func(total: float, one: float) -> float: return total + one, 0.0)
	between(sum / 1000.0, 9.85, 10.15, "mean")


func test_ex_30_a40() -> void:
	var slam: ActionSpec = Rig.spec(&"Slam")
	slam.cooldown_initial = 4.0
	var rig: Rig = Rig.new(self, [slam])
	rig.step(39)
	eq(rig.refusal(&"Slam"), ActionEvaluator.REFUSAL_COOLDOWN, "at 3.9 s")
	rig.step()
	eq(rig.refusal(&"Slam"), ActionEvaluator.REFUSAL_NONE, "at 4.0 s")


func _spawned(chance: float, initial: float) -> float:
	var jab: ActionSpec = Rig.cooling(&"Jab", 10.0, 0.2)
	jab.cooldown_spawn_chance = chance
	jab.cooldown_initial = initial
	return Rig.new(self, [jab]).brain.get_remaining_cooldown(&"Jab")


func test_ex_30_a41() -> void:
	near(_spawned(0.1, 0.0), 8.407647, 1e-6, "the draw 0.092545 is below 0.1")
	eq(_spawned(0.05, 0.0), 0.0, "but not below 0.05")


func test_ex_30_a42() -> void:
	near(_spawned(0.1, 4.0), 8.407647, 1e-6, "the roll is longer")
	near(_spawned(0.1, 9.0), 9.0, 1e-6, "the initial cooldown is longer")


func test_ex_30_a43() -> void:
	for pair: Array in [[0.5, 3.0], [1.0, 0.0], [0.0, 6.0]]:
		var slam: ActionSpec = Rig.cooling(&"Slam", 10.0)
		slam.cooldown_interrupt_refund = pair[0]
		var rig: Rig = Rig.new(self, [slam])
		rig.brain.execute_action(&"Slam")
		rig.step(40)
		check(rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED), "interrupted at 4 s")
		near(rig.brain.get_remaining_cooldown(&"Slam"), pair[1], 1e-6, "refund %s" % pair[0])


func test_ex_30_a44() -> void:
	for row: Array in [["completed", 0, 6.0], ["timed out", 3, 6.0], ["failed", 4, 3.0]]:
		var slam: ActionSpec = Rig.cooling(&"Slam", 10.0)
		slam.cooldown_interrupt_refund = 0.5
		if row[0] == "timed out":
			Rig.method_of(slam).timeout = 4.0
		else:
			Rig.method_of(slam).finish_in_tick = 39
			Rig.method_of(slam).succeeds = row[0] == "completed"
		var rig: Rig = Rig.new(self, [slam])
		rig.brain.execute_action(&"Slam")
		rig.step(40)
		eq(rig.diary.take("ended"), "ended Slam %d" % row[1], "at 4 s")
		near(rig.brain.get_remaining_cooldown(&"Slam"), row[2], 1e-6, "left when %s" % row[0])


func test_ex_30_a48() -> void:
	var rig: Rig = _limited()
	eq([_next(rig), _next(rig)], [&"A", &"A"], "twice in a row")
	eq(rig.refusal(&"A"), ActionEvaluator.REFUSAL_REPEAT_LIMIT, "the third is refused")
	eq(_next(rig), &"B", "something else runs")
	eq(rig.refusal(&"A"), ActionEvaluator.REFUSAL_NONE, "A is free after it")
	eq(_next(rig), &"A", "and runs")

	var waiting: Rig = _limited()
	eq([_next(waiting), _next(waiting)], [&"A", &"A"], "twice in a row")
	waiting.step(99)
	eq(waiting.refusal(&"A"), ActionEvaluator.REFUSAL_REPEAT_LIMIT, "9.9 s after its last end")
	waiting.step()
	eq(waiting.refusal(&"A"), ActionEvaluator.REFUSAL_NONE, "10 s after it")


func _limited() -> Rig:
	var a: ActionSpec = Rig.spec(&"A", 2.0)
	a.max_consecutive_uses = 2
	return Rig.new(self, [a, Rig.spec(&"B", 1.0)])


## Starts what scores best and ends it.
func _next(rig: Rig) -> StringName:
	var id: StringName = rig.choose()
	rig.brain.abort_action()
	return id


func test_ex_30_a82() -> void:
	var heavy: ActionSpec = Rig.cooling(&"Heavy", 10.0)
	var shared: ActionSet = ActionSet.new()
	shared.actions = [heavy, Rig.spec(&"Jab")]
	var rigs: Array[Rig] = []
	for i: int in 100:
		var rig: Rig = Rig.new(self, [])
		rig.brain.stop()
		rig.brain.default_action_set = shared
		rig.brain.start()
		rigs.append(rig)
	rigs[41].use(&"Heavy")
	var cooling: Array = range(100).filter(func(i: int) -> bool: return rigs[i].brain.is_action_on_cooldown(&"Heavy"))
	eq(cooling, [41], "only the one that used it")
	eq([heavy.cooldown_duration, heavy.selection_weight, shared.actions.size()], [10.0, 1.0, 2], "the resource is unchanged")


func test_cooldown_queries() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 2.0), Rig.cooling(&"Kick", 3.0), Rig.spec(&"Idle")])
	eq(rig.brain.get_all_active_cooldowns(), {}, "none at first")
	rig.use(&"Jab")
	rig.use(&"Kick")
	rig.use(&"Idle")
	rig.step(5)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 1.5, 1e-6, "Jab")
	check(rig.brain.is_action_on_cooldown(&"Kick"), "Kick cools down")
	check(not rig.brain.is_action_on_cooldown(&"Idle"), "Idle has no cooldown")
	var all: Dictionary = rig.brain.get_all_active_cooldowns()
	eq(all.size(), 2, "two cool down")
	near(all.get(&"Kick", 0.0), 2.5, 1e-6, "Kick in the dictionary")
	rig.step(15)
	check(not rig.brain.is_action_on_cooldown(&"Jab"), "2 s later Jab is free")
	eq(rig.brain.get_remaining_cooldown(&"Jab"), 0.0, "nothing left")


func test_cooldown_signals() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 0.3), Rig.spec(&"Idle")])
	rig.use(&"Idle")
	eq(rig.diary.take("cooling ready"), "", "no cooldown, no signal")
	rig.use(&"Jab")
	rig.step(5)
	eq(rig.diary.take("cooling ready"), "cooling Jab 0.3000, ready Jab", "one of each")


func test_cooldowns_expire_in_the_order_of_the_list() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Z", 1.0), Rig.cooling(&"A", 1.0), Rig.cooling(&"M", 1.0)])
	for id: StringName in [&"M", &"A", &"Z"]:
		rig.use(id)
	rig.diary.take()
	rig.step(1, 2.0)
	eq(rig.diary.take(), "ready Z, ready A, ready M", "list order")


func test_cooldown_set_and_reset_by_script() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.cooling(&"Kick", 3.0)])
	rig.brain.set_cooldown(&"Jab", 1.0)
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_COOLDOWN, "set")
	check(rig.brain.reset_cooldown(&"Jab"), "one was running")
	check(not rig.brain.reset_cooldown(&"Jab"), "none is left")
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "free")
	rig.use(&"Kick")
	rig.brain.set_cooldown(&"Jab", 1.0)
	rig.brain.reset_all_cooldowns()
	eq(rig.brain.get_all_active_cooldowns(), {}, "all reset")


func test_cooldown_runs_on_the_clock_of_the_evaluator() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 2.0)])
	rig.use(&"Jab")
	rig.brain.time_scale = 0.5
	rig.step(10)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 1.5, 1e-6, "half speed")
	rig.brain.time_scale = 0.0
	rig.step(100)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 1.5, 1e-6, "frozen")
	rig.brain.time_scale = 3.0
	rig.step(5)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 0.0, 1e-6, "triple speed")


func test_edited_duration_counts_from_the_next_stamp() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 10.0)
	var rig: Rig = Rig.new(self, [jab])
	rig.use(&"Jab")
	rig.step(40)
	jab.cooldown_duration = 2.0
	rig.step(1, 0.0001)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 6.0, 0.001, "what is left stays")
	rig.use(&"Jab")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 2.0, 1e-6, "the next stamp is shorter")


func test_start_and_reset() -> void:
	var slam: ActionSpec = Rig.cooling(&"Slam", 5.0)
	slam.max_consecutive_uses = 1
	var rig: Rig = Rig.new(self, [slam])
	rig.use(&"Slam")
	rig.brain.reset_state()
	eq(rig.refusal(&"Slam"), ActionEvaluator.REFUSAL_NONE, "cooldown and repeat counter are cleared")
	check(rig.brain.is_started(), "started")
	rig.brain.execute_action(&"Slam")
	rig.diary.take()
	rig.brain.stop()
	check(not rig.brain.is_started(), "stopped")
	eq(rig.diary.take("ended"), "ended Slam 2", "the run was cancelled")
	rig.step(10)
	check(not rig.brain.evaluate_now(), "nothing is decided while stopped")
