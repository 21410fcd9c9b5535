extends TestCase
## What an evaluator tells of its decisions: candidates with all factors, the ring, the log, the saved state.

const Rig := preload("res://support/action_rig.gd")
const TAGS := {&"World.Boss": 1.5, &"Team": 0.8}


func _rich(id: StringName, weight: float) -> ActionSpec:
	var made: ActionSpec = Rig.scored(Rig.quick(id, weight), [DistanceScorer.new(), AngleScorer.new()])
	made.tag_score_multipliers = TAGS
	made.cooldown_duration = 1.0
	made.cooldown_randomization = 0.3
	made.chain_links = [ChainLink.to(&"Heavy", 1.5)]
	return made


func test_rows_have_every_factor_by_name() -> void:
	var rig: Rig = Rig.new(self, [_rich(&"Jab", 1.5), Rig.spec(&"Poor", 0.1), Rig.cooling(&"Cold", 5.0)])
	rig.aim_at(Vector3(0, 0, -3.75), ["Team.Red"])
	rig.brain.set_cooldown(&"Cold", 1.34)
	rig.brain.set_action_override(&"Jab", 2.0)
	rig.brain.record_decisions = true
	var made: SignalRecord = record(rig.brain.decision_made)
	rig.brain.evaluate_now()
	eq(made.calls.size(), 1, "decision_made")
	var decision: ActionDecision = made.calls[0][0]
	var rows: Array[Dictionary] = decision.get_candidates()
	eq(rows.size(), 3, "every candidate has one row")
	var names: Array = rows[0].factors.map(func(factor: Array) -> String: return factor[0])
	eq(names, ["weight/risk", "Team", "novelty", "chain", names[4], names[5], "runtime", "jitter"], "factors")
	check((names[4] as String).begins_with("Distance") and (names[5] as String).begins_with("Angle"), "display names")
	var product: float = 1.0
	for factor: Array in rows[0].factors:
		product *= factor[1]
	near(product, 1.2, 1e-9, "1.5 x 0.8 x 0.5 x 2")
	near(rows[0].score, product, 1e-12, "the score is the product")
	eq([rows[0].won, rows[0].refusal, rows[0].detail], [true, ActionEvaluator.REFUSAL_NONE, ""], "the winner")
	eq([rows[1].won, rows[1].refusal], [false, ActionEvaluator.REFUSAL_OUTSCORED], "the loser")
	eq([rows[2].refusal, rows[2].detail], [ActionEvaluator.REFUSAL_COOLDOWN, "Cooldown (1.3s remaining)"], "the refused")
	eq(rows[0].target, rig.brain.target.get_path(), "the target's path")


func test_the_running_row_carries_what_others_have_to_beat() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab", 0.6)
	jab.interrupt_class = ActionSpec.INTERRUPT_BY_MARGIN
	var rig: Rig = Rig.new(self, [jab, Rig.spec(&"Near", 0.5), Rig.spec(&"Far", 0.4)])
	rig.brain.record_decisions = true
	rig.brain.min_commitment = 0.0
	eq(rig.choose(), &"Jab", "it runs")
	rig.brain.set_action_override(&"Near", 1.36)
	rig.step(5)
	rig.brain.evaluate_now()
	var decision: ActionDecision = rig.brain.get_last_decision()
	eq(decision.outcome, ActionDecision.DECISION_KEPT, "kept")
	var rows: Dictionary = {}
	for row: Dictionary in decision.get_candidates():
		rows[row.action_id] = row
	eq(rows.size(), 3, "a row for each")
	near(rows[&"Jab"].get("hold", -1.0), 0.6, 1e-9, "hold")
	check(not rows[&"Near"].has("hold"), "on its own row only")
	eq([rows[&"Near"].refusal, rows[&"Near"].detail], [ActionEvaluator.REFUSAL_SWITCH_MARGIN, "0.6800 < 0.6000 x 1.15"], "the margin")
	eq(rows[&"Far"].refusal, ActionEvaluator.REFUSAL_SWITCH_MARGIN, "and the other")


func test_history_is_a_ring() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Heavy", 0.5)])
	rig.choose()
	eq(rig.brain.get_history().size(), 0, "nobody records")
	eq(rig.brain.get_last_decision().action_id, &"Jab", "the last decision is there all the same")
	rig.brain.abort_action()
	rig.brain.record_decisions = true
	rig.brain.history_size = 3
	for i: int in 3:
		rig.choose()
		rig.brain.abort_action()
	rig.use(&"Heavy")
	var kept: Array = rig.brain.get_history().map(func(d: ActionDecision) -> Array: return [d.action_id, d.origin, d.evaluation_index])
	eq(kept, [[&"Jab", 0, 2], [&"Jab", 0, 3], [&"Heavy", ActionDecision.ORIGIN_FORCED, 4]], "the last three, oldest first")
	rig.brain.history_size = 1
	eq(rig.brain.get_history().size(), 1, "a smaller ring drops the oldest")
	rig.brain.clear_history()
	eq(rig.brain.get_history(), [], "cleared")
	rig.brain.history_size = 0
	rig.choose()
	eq(rig.brain.get_history(), [], "0 keeps none")
	expect_warning("history_size = -4 is read as 0", 1)
	rig.brain.history_size = -4


func test_a_handler_may_read_clear_and_switch_off() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.record_decisions = true
	var seen: Array = []
	rig.brain.decision_made.connect(func(decision: ActionDecision) -> void:
		seen.append([decision.action_id, rig.brain.get_history().size()])
		rig.brain.clear_history()
		rig.brain.record_decisions = false
		rig.brain.abort_action())
	rig.choose()
	rig.choose()
	eq(seen, [[&"Jab", 1]], "once")
	eq(rig.brain.get_history(), [], "and nothing is kept")


func test_log_lines() -> void:
	var catcher: Object = _catch()
	if catcher == null:
		check(true, "this engine has no Logger")
		return
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.cooling(&"Heavy", 9.0)])
	rig.aim_at(Vector3(0, 0, -2))
	rig.choose()
	rig.brain.abort_action()
	eq(catcher.call(&"take"), PackedStringArray(), "nothing is printed by default")
	rig.brain.debug_log_decisions = true
	rig.brain.set_cooldown(&"Heavy", 2.5)
	rig.choose()
	var lines: PackedStringArray = catcher.call(&"take")
	eq(lines.size(), 3, "a line for the decision and one for each candidate")
	check(lines[0].begins_with("ActionEvaluator (") and lines[0].contains("started Jab -> "), lines[0])
	check(lines[1].contains("* Jab -> ") and lines[1].contains("weight/risk 1.0000"), lines[1])
	check(lines[2].contains("Heavy -> ") and lines[2].contains("COOLDOWN (Cooldown (2.5s remaining))"), lines[2])
	eq(rig.brain.get_history().size(), 1, "a log records too")
	rig.brain.debug_log_decisions = false
	rig.brain.debug_log_execution = true
	rig.step(2)
	rig.brain.abort_action()
	rig.brain.execute_action(&"Heavy", true)
	lines = catcher.call(&"take")
	eq(lines.size(), 2, "an end and a refusal")
	check(lines[0].ends_with("Jab #2 ended CANCELLED after 0.20 s"), lines[0])
	check(lines[1].ends_with("Heavy #3 refused at S1: COOLDOWN"), lines[1])
	rig.brain.execute_action(&"Heavy")
	check((catcher.call(&"take") as PackedStringArray)[0].contains("Heavy #4 started on "), "a start")
	rig.brain.debug_log_execution = false
	rig.brain.abort_action()
	eq(catcher.call(&"take"), PackedStringArray(), "off again")
	OS.call("remove_logger", catcher)


func test_recovery_in_the_log() -> void:
	var catcher: Object = _catch()
	if catcher == null:
		check(true, "this engine has no Logger")
		return
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.debug_log_decisions = true
	rig.brain.add_recovery(1.34)
	rig.brain.evaluate_now()
	var lines: PackedStringArray = catcher.call(&"take")
	check(lines[1].contains("Jab: RECOVERY (Recovering (1.3s remaining))"), lines[1])
	OS.call("remove_logger", catcher)


func test_log_of_a_finish_note() -> void:
	var catcher: Object = _catch()
	if catcher == null:
		check(true, "this engine has no Logger")
		return
	var talking: ActionSpec = Rig.spec(&"Talk")
	talking.execution_method = script("""extends ExecutionMethod
func _tick_execute(_delta: float) -> void:
	finish_execution(false, "no voice")
	finish_execution(true)
""").new()
	var rig: Rig = Rig.new(self, [talking])
	rig.brain.debug_log_execution = true
	rig.choose()
	rig.step(2)
	var lines: PackedStringArray = catcher.call(&"take")
	eq(lines.size(), 4, "start, two notes, end")
	check(lines[1].ends_with("Talk #1 failed: no voice"), lines[1])
	check(lines[2].ends_with("Talk #1 finished again, which has no effect"), lines[2])
	check(lines[3].ends_with("Talk #1 ended FAILED after 0.10 s"), lines[3])
	OS.call("remove_logger", catcher)


func test_logs_of_all_by_project_setting() -> void:
	var catcher: Object = _catch()
	if catcher == null:
		check(true, "this engine has no Logger")
		return
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	for setting: String in ["log_decisions", "log_execution"]:
		ProjectSettings.set_setting("riposte/debug/" + setting, true)
		await idle(2)
		rig.choose()
		rig.brain.abort_action()
		ne((catcher.call(&"take") as PackedStringArray).size(), 0, setting)
		ProjectSettings.set_setting("riposte/debug/" + setting, false)
		await idle(2)
		rig.choose()
		rig.brain.abort_action()
		eq(catcher.call(&"take"), PackedStringArray(), setting + " off")
	OS.call("remove_logger", catcher)


func test_monitors_of_the_debugger() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	if not OS.is_debug_build():
		check(not Performance.has_custom_monitor(&"riposte/evaluation_count"), "in debug builds only")
		return
	for name: StringName in [&"riposte/evaluation_count", &"riposte/evaluation_deferred", &"riposte/evaluation_usec"]:
		check(Performance.has_custom_monitor(name), name)
	rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	rig.brain.auto_evaluate = true
	rig.brain.evaluation_interval = 0.0
	rig.moves.actions = [Rig.quick(&"Jab")]
	var count: float = 0.0
	for i: int in 12:
		await physics()
		count += Performance.get_custom_monitor(&"riposte/evaluation_count")
	between(count, 3.0, 12.0, "decisions in twelve frames")
	eq(Performance.get_custom_monitor(&"riposte/evaluation_deferred"), 0.0, "none had to wait")
	check(Performance.get_custom_monitor(&"riposte/evaluation_usec") > 0.0, "and they took some time")


func _catch() -> Object:
	if not ClassDB.class_exists("Logger"):
		return null
	var catcher: Object = (load("res://support/message_catcher.gd") as GDScript).new()
	OS.call("add_logger", catcher)
	return catcher
