extends TestCase
## What the script of an evaluator says about candidates: its veto and its word on scores.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


class Judge:
	extends ActionEvaluator

	var vetoes: Array[StringName] = []
	var factor: Variant = 1.0
	var asked: PackedStringArray = []

	func _can_execute_action(action_id: StringName, context: DecisionContext) -> bool:
		asked.append("may %s %s" % [action_id, context.action_id])
		return not vetoes.has(action_id)

	func _modify_action_score(action_id: StringName, base_score: float, _context: DecisionContext) -> float:
		asked.append("modify %s" % action_id)
		return base_score * factor


func test_ex_30_a24() -> void:
	var first: Doubles.Scorer = Doubles.scorer(0.0)
	var second: Doubles.Scorer = Doubles.scorer(1.0)
	var judge := Judge.new()
	var rig := Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [first, second])], judge)
	eq(rig.choose(), &"", "nothing starts")
	eq(rig.brain.evaluate_best_action().get_candidates()[0]["refusal"], ActionEvaluator.REFUSAL_ZERO_SCORE, "refusal")
	eq(second.asked, 0, "calls of the later scorer")
	eq(judge.asked, PackedStringArray(["may Jab Jab", "may Jab Jab"]), "what the evaluator's script was asked")


func test_ex_30_a26() -> void:
	var jab: ActionSpec = Rig.scored(Rig.spec(&"Jab", 1.5), [DistanceScorer.new(), AngleScorer.new()])
	jab.risk_penalty = 1.2
	var judge := Judge.new()
	judge.factor = 2.0
	var rig := Rig.new(self, [jab], judge)
	rig.aim_at(Vector3(1, 0, -1).normalized() * 3.75)
	near(rig.score(&"Jab"), 0.9375, 1e-6, "score")
	eq(rig.row(&"Jab")["factors"][-1][0], "script", "the last factor")
	near(rig.row(&"Jab")["factors"][-1][1], 2.0, 1e-6, "its value")


func test_a_veto_of_the_script_comes_last() -> void:
	var judge := Judge.new()
	judge.vetoes = [&"Jab", &"Shut"]
	var shut: ActionSpec = Rig.gated(Rig.spec(&"Shut"), [Doubles.gate(false)])
	var rig := Rig.new(self, [Rig.spec(&"Jab", 2.0), shut, Rig.spec(&"Kick")], judge)
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_SCRIPT_VETO, "vetoed")
	eq(rig.refusal(&"Shut"), ActionEvaluator.REFUSAL_GATE, "a gate comes first")
	eq(rig.choose(), &"Kick", "what is left")
	eq(rig.brain.execute_action(&"Jab", true), 0, "a start that respects the gates")
	check(rig.brain.execute_action(&"Jab") > 0, "a forced start asks nobody")


func test_a_score_that_is_none_counts_as_zero_with_one_warning() -> void:
	expect_warning("_modify_action_score() for action \"Jab\" returned NaN; it counts as 0.")
	var judge := Judge.new()
	judge.factor = NAN
	var rig := Rig.new(self, [Rig.spec(&"Jab")], judge)
	for i in 100:
		rig.brain.evaluate_best_action()
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_ZERO_SCORE, "refusal")
