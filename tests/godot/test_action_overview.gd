extends TestCase
## What a panel or an editor shows of a running agent: live scores, cooldowns, and who refused.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


func _row(rig: Rig, id: StringName) -> Dictionary:
	for row: Dictionary in rig.brain.get_action_overview():
		if row.action_id == id:
			return row
	return {}


func test_before_the_first_evaluation() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Heavy")])
	eq(rig.brain.get_action_overview().map(func(row: Dictionary) -> StringName: return row.action_id), ["Jab", "Heavy"], "all of the set, in order")
	var jab: Dictionary = _row(rig, &"Jab")
	eq([jab.running, jab.cooldown_remaining, jab.cooldown_duration, jab.uses], [false, 0.0, 0.0, 0], "free")
	eq([jab.score, jab.won, jab.refusal, jab.detail, jab.factors, jab.text, jab.target], [0.0, false, 0, "", [], "", ""], "nothing is known yet")
	rig.brain.default_action_set = null
	eq(rig.brain.get_action_overview(), [], "no set")


func test_live_scores_and_the_refusing_gate() -> void:
	var near_by: ActionSpec = Rig.scored(Rig.spec(&"Jab"), [DistanceScorer.new()])
	var far: ActionSpec = Rig.spec(&"Throw", 0.3)
	far.target_mode = ActionSpec.TARGET_EACH
	far.scorers = [DistanceScorer.new()]
	var rig: Rig = Rig.new(self, [near_by, far, Rig.gated(Rig.spec(&"Cast"), [Doubles.gate(false)]), Rig.cooling(&"Heavy", 5.0)])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -3.75))
	rig.brain.set_candidate_targets([rig.add_foe(Vector3(0, 0, -4.5)), foe])
	rig.brain.record_decisions = true
	rig.brain.set_cooldown(&"Heavy", 2.0)
	eq(rig.choose(), &"Jab", "the best")
	var jab: Dictionary = _row(rig, &"Jab")
	eq([jab.running, jab.won, jab.target], [true, true, foe.get_path()], "what runs")
	near(jab.score, 0.5, 1e-6, "its score")
	eq(jab.factors.map(func(factor: Array) -> String: return factor[0]), ["weight/risk", "novelty", "chain", jab.factors[3][0], "runtime", "jitter"], "every factor")
	near(_row(rig, &"Throw").score, 0.15, 1e-6, "of several targets the best one")
	var cast: Dictionary = _row(rig, &"Cast")
	eq([cast.refusal, cast.detail, cast.won], [ActionEvaluator.REFUSAL_GATE, "Drawbridge", false], "the gate that refused")
	var heavy: Dictionary = _row(rig, &"Heavy")
	eq([heavy.refusal, heavy.detail], [ActionEvaluator.REFUSAL_COOLDOWN, "Cooldown (2.0s remaining)"], "the cooldown")
	rig.step(5)
	near(_row(rig, &"Heavy").cooldown_remaining, 1.5, 1e-6, "which goes on between evaluations")
	near(_row(rig, &"Heavy").cooldown_duration, 2.0, 1e-6, "out of so much")
	var text: String = rig.brain.get_last_decision().to_text()
	for id: StringName in [&"Jab", &"Throw", &"Cast", &"Heavy"]:
		check(not _row(rig, id).text.is_empty() and text.contains(_row(rig, id).text), "%s: its line is that of the decision" % id)


func test_the_text_is_the_line_of_the_log() -> void:
	if not ClassDB.class_exists("Logger"):
		check(true, "this engine has no Logger")
		return
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.cooling(&"Heavy", 9.0)])
	rig.aim_at(Vector3(0, 0, -2))
	rig.brain.set_cooldown(&"Heavy", 2.5)
	rig.brain.debug_log_decisions = true
	var catcher: Object = (load("res://support/message_catcher.gd") as GDScript).new()
	OS.call("add_logger", catcher)
	rig.choose()
	var lines: PackedStringArray = catcher.call(&"take")
	OS.call("remove_logger", catcher)
	for id: StringName in [&"Jab", &"Heavy"]:
		check(lines.has(" " + _row(rig, id).text) or lines.has("   " + _row(rig, id).text) or "\n".join(lines).contains("\n " + _row(rig, id).text), _row(rig, id).text)


func test_uses_and_refund() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 10.0)
	jab.cooldown_interrupt_refund = 0.5
	var rig: Rig = Rig.new(self, [jab, Rig.spec(&"Heavy", 0.5)])
	rig.choose()
	rig.brain.advance(4.0)
	eq(_row(rig, &"Jab").uses, 1, "once in a row")
	rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
	near(_row(rig, &"Jab").cooldown_remaining, 3.0, 1e-6, "half of the rest is given back")
	near(_row(rig, &"Jab").cooldown_duration, 10.0, 1e-6, "of the whole")
	rig.brain.execute_action(&"Heavy")
	eq([_row(rig, &"Jab").uses, _row(rig, &"Heavy").uses], [0, 1], "another one")
	check(_row(rig, &"Jab").text.contains("Jab"), "a forced start keeps the candidates of the evaluation before")


func test_it_changes_nothing_and_may_be_asked_anywhere() -> void:
	var heavy: ActionSpec = Rig.spec(&"Heavy", 0.5)
	var seen: Array[int] = []
	var brain: ActionEvaluator = ActionEvaluator.new()
	var ask: Callable = func() -> void: seen.append(brain.get_action_overview().size())
	heavy.scorers = [Doubles.scorer_that(func(_me: ActionScorer, _context: DecisionContext) -> float:
		ask.call()
		return 1.0)]
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 0.3), heavy], brain)
	rig.brain.action_started.connect(func(_id: StringName, _target: Node, _run: int) -> void: ask.call())
	rig.brain.action_ended.connect(func(_id: StringName, _reason: int, _run: int) -> void: ask.call())
	rig.choose()
	rig.brain.abort_action()
	eq(seen, [2, 2, 2], "in a scorer, a start and an end")
	var before: Dictionary = rig.brain.export_state()
	rig.brain.get_action_overview()
	eq(rig.brain.export_state(), before, "a pure read")


func test_overview_of_reactions() -> void:
	var agent: Node3D = add(Node3D.new())
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	reactions.process_callback = ReactionEvaluator.PROCESS_MANUAL
	var specs: Array[ReactionSpec] = []
	for id: StringName in [&"Parry", &"Dodge"]:
		var spec: ReactionSpec = ReactionSpec.new()
		spec.reaction_id = id
		spec.trigger_tags = ["Event.Hit" if id == &"Parry" else "Event.Shot"]
		spec.cooldown_duration = 3.0
		spec.cooldown_randomization = 0.0
		spec.add_tags = PackedStringArray()
		spec.execution_method = Doubles.Method.new()
		specs.append(spec)
	var moves: ReactionSet = ReactionSet.new()
	moves.reactions = specs
	reactions.default_reaction_set = moves
	agent.add_child(reactions)
	eq(reactions.react(&"Event.Hit"), &"Parry", "reacts")
	var rows: Array[Dictionary] = reactions.get_reaction_overview()
	eq(rows.map(func(row: Dictionary) -> StringName: return row.reaction_id), ["Parry", "Dodge"], "both")
	eq([rows[0].running, rows[0].won, rows[0].cooldown_duration], [true, true, 3.0], "what runs")
	eq([rows[1].running, rows[1].refusal], [false, ReactionEvaluator.REFUSAL_TRIGGER], "why not")
	check(not rows[0].has("action_id"), "by its own name")
