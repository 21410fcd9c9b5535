extends TestCase
## The score of one candidate and who wins.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
## 3.75 m away.
const OFFSIDE: Vector3 = Vector3(2.651650429449553, 0, -2.651650429449553)


## Weight 1.5, risk 1.2, distance and angle scored, the target at 3.75 m and 45 degrees.
func _slash() -> ActionSpec:
	var slash: ActionSpec = Rig.scored(Rig.spec(&"Slash", 1.5), [DistanceScorer.new(), AngleScorer.new()])
	slash.risk_penalty = 1.2
	return slash


func _boss_slash() -> ActionSpec:
	var slash: ActionSpec = _slash()
	slash.tag_score_multipliers = {&"World.Boss.Active": 1.5, &"Team": 0.8}
	return slash


func test_ex_30_a11() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab", 2.0)])
	near(rig.score(&"Jab"), 2.0, 1e-9, "weight alone")


func test_ex_30_a12() -> void:
	var risky: ActionSpec = Rig.spec(&"Risky")
	risky.risk_penalty = 2.0
	var safe: ActionSpec = Rig.spec(&"Safe")
	safe.risk_penalty = 0.5
	var rig: Rig = Rig.new(self, [risky, safe])
	near(rig.score(&"Risky"), 0.5, 1e-9, "risk 2")
	near(rig.score(&"Safe"), 2.0, 1e-9, "risk 0.5")


func test_ex_30_a13() -> void:
	var rig: Rig = Rig.new(self, [_slash()])
	rig.aim_at(OFFSIDE)
	near(rig.score(&"Slash"), 0.46875, 1e-6, "score")


func test_ex_30_a14() -> void:
	var rig: Rig = Rig.new(self, [_boss_slash()])
	rig.aim_at(OFFSIDE, ["Team.Red"])
	near(rig.score(&"Slash"), 0.375, 1e-6, "before the boss")
	WorldTags.add_tag(&"World.Boss.Active")
	near(rig.score(&"Slash"), 0.5625, 1e-6, "both entries match")
	WorldTags.remove_tag(&"World.Boss.Active")


func test_ex_30_a15() -> void:
	var rig: Rig = Rig.new(self, [_boss_slash()])
	rig.aim_at(OFFSIDE)
	WorldTags.add_tag(&"World.Boss.Active.Phase2")
	near(rig.score(&"Slash"), 0.703125, 1e-6, "a tag below the entry matches, the untagged target does not")
	WorldTags.remove_tag(&"World.Boss.Active.Phase2")


func test_ex_30_a16() -> void:
	var rig: Rig = Rig.new(self, [_slash()])
	rig.aim_at(OFFSIDE)
	rig.brain.global_multiplier = 0.5
	rig.brain.set_action_override(&"Slash", 3.0)
	near(rig.score(&"Slash"), 0.703125, 1e-6, "both multiply")


func test_ex_30_a17() -> void:
	var specs: Array[ActionSpec] = []
	for i: int in 12:
		specs.append(Rig.spec(StringName("Move%d" % i)))
	var rig: Rig = Rig.new(self, specs)
	rig.brain.global_multiplier = 0.0
	for i: int in 10:
		check(not rig.brain.evaluate_now(), "nothing starts")
		rig.step()
	eq(rig.diary.take(), "nothing", "one no_valid_action in ten evaluations")
	var rows: Array[Dictionary] = rig.brain.evaluate_best_action().get_candidates()
	eq(rows.size(), 12, "every candidate has a row")
	for row: Dictionary in rows:
		eq(row["refusal"], ActionEvaluator.REFUSAL_ZERO_SCORE, str(row["action_id"]))
	rig.brain.global_multiplier = 1.0
	check(rig.brain.evaluate_now(), "unblocked")


func test_ex_30_a27() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Left"), Rig.spec(&"Right")])
	eq(rig.choose(), &"Left", "the first in the list")
	var turned: Rig = Rig.new(self, [Rig.spec(&"Right"), Rig.spec(&"Left")])
	eq(turned.choose(), &"Right", "also when the list is turned round")
	for first: int in 2:
		var each: ActionSpec = Rig.spec(&"Each")
		each.target_mode = ActionSpec.TARGET_EACH
		var many: Rig = Rig.new(self, [each])
		var foes: Array[Node3D] = [many.add_foe(Vector3(2, 0, 0)), many.add_foe(Vector3(-2, 0, 0))]
		many.brain.set_candidate_targets([foes[first], foes[1 - first]])
		many.choose()
		eq(many.brain.get_running_target(), foes[first], "the first candidate of two equal targets")


func test_ex_30_a28() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab", 1.0), Rig.spec(&"Kick", 0.99)])
	rig.brain.jitter_amount = 0.05
	var first: ActionDecision = rig.brain.evaluate_best_action()
	check(first.is_valid(), "there is a winner")
	for i: int in 4:
		var again: ActionDecision = rig.brain.evaluate_best_action()
		eq([again.action_id, again.score, again.seed], [first.action_id, first.score, first.seed], "evaluation %d" % (i + 2))
	eq(rig.brain.is_executing(), false, "nothing was started")
	rig.brain.auto_evaluate = true
	rig.step(2)
	var made: ActionDecision = rig.brain.get_last_decision()
	eq([made.action_id, made.score, made.seed], [first.action_id, first.score, first.seed], "the step that evaluates")
	eq(rig.brain.get_running_action(), first.action_id, "and starts it")


func test_ex_30_a62() -> void:
	var rig: Rig = Rig.new(self, [
		Rig.scored(Rig.spec(&"Reach"), [DistanceScorer.new()]),
		Rig.scored(Rig.spec(&"Face"), [AngleScorer.new()]),
		Rig.scored(Rig.spec(&"Feel"), [HealthScorer.new()]),
	])
	eq([rig.score(&"Reach"), rig.score(&"Face"), rig.score(&"Feel")], [0.0, 0.0, 1.0], "without a target")
	rig.aim_at(Vector3(0, 0, -2))
	eq([rig.score(&"Reach"), rig.score(&"Face"), rig.score(&"Feel")], [1.0, 1.0, 1.0], "with a target in front")


func test_highest_score_wins() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Low", 0.5), Rig.spec(&"High", 2.0), Rig.spec(&"Middle", 1.0)])
	eq(rig.choose(), &"High", "winner")
	var decision: ActionDecision = rig.brain.get_last_decision()
	eq(decision.outcome, ActionDecision.DECISION_STARTED, "outcome")
	near(decision.score, 2.0, 1e-9, "score")


func test_nothing_above_zero_starts_nothing() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab", 0.0)])
	check(not rig.brain.evaluate_now(), "false")
	eq(rig.brain.is_executing(), false, "idle")
	eq(rig.brain.get_last_decision().outcome, ActionDecision.DECISION_NONE, "outcome")
	check(not rig.brain.get_last_decision().is_valid(), "not valid")


func test_no_scorers_is_indifferent_to_everything() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Shout")])
	near(rig.score(&"Shout"), 1.0, 1e-9, "no target")
	rig.aim_at(Vector3(0, 0, 5000))
	near(rig.score(&"Shout"), 1.0, 1e-9, "target far behind")


func test_distance_is_center_to_center_in_three_dimensions() -> void:
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [DistanceScorer.new()])])
	rig.aim_at(Vector3(0, 2.25, -3))
	near(rig.score(&"Jab"), 0.5, 1e-6, "3.75 m")


func test_angle_is_horizontal() -> void:
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [AngleScorer.new()])])
	var foe: Node3D = rig.aim_at(Vector3(0, 40, -1))
	near(rig.score(&"Jab"), 1.0, 1e-6, "high above, straight ahead")
	foe.position = Vector3(1, 0, 0)
	near(rig.score(&"Jab"), 0.0, 1e-6, "90 degrees")
	rig.agent.rotation_degrees = Vector3(0, -90, 0)
	near(rig.score(&"Jab"), 1.0, 1e-4, "the agent turned to it")


## An agent that says itself where it looks.
class Turret:
	extends Node3D
	var aim: Vector3 = Vector3(1, 0, 0)

	func get_facing_direction() -> Vector3:
		return aim


func test_facing_method_of_the_agent_counts() -> void:
	var turret: Turret = Turret.new()
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Fire"), [AngleScorer.new()])], null, turret)
	rig.aim_at(Vector3(5, 0, 0))
	near(rig.score(&"Fire"), 1.0, 1e-6, "it looks to +X")
	turret.aim = Vector3(0, 0, -1)
	near(rig.score(&"Fire"), 0.0, 1e-6, "it looks to -Z")


func test_health_of_the_agent() -> void:
	var own: HealthScorer = HealthScorer.new()
	own.range = RangeCurve.low_health()
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Heal"), [own])])
	eq(rig.score(&"Heal"), 0.0, "healthy")
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	foe.add_child(_wounded(30.0))
	eq(rig.score(&"Heal"), 0.0, "the target's health is not the agent's")
	rig.agent.add_child(_wounded(20.0))
	eq(rig.score(&"Heal"), 1.0, "the agent is hurt")


func _wounded(health: float) -> AgentVitals:
	var row: AgentVital = AgentVital.new()
	row.tag = &"Vital.Health"
	row.start_value = health
	var made: AgentVitals = AgentVitals.new()
	made.vitals = [row]
	return made


func test_scorers_multiply_in_any_number() -> void:
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab", 2.0), [Doubles.scorer(0.5), Doubles.scorer(0.5), Doubles.scorer(3.0)])])
	near(rig.score(&"Jab"), 1.5, 1e-9, "product")


func test_tag_multiplier_counts_once_per_entry() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.tag_score_multipliers = {&"Team": 2.0, &"Team.Red": 3.0, &"Team.Blue": 5.0}
	var rig: Rig = Rig.new(self, [jab])
	rig.aim_at(Vector3(0, 0, -2), ["Team.Red.Elite", "Team.Red.Young"])
	near(rig.score(&"Jab"), 6.0, 1e-9, "two entries match")
	rig.agent.add_child(Rig.tag_container(["Team.Blue"]))
	near(rig.score(&"Jab"), 30.0, 1e-9, "tags of the agent count too")


func test_overrides_and_global_multiplier() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick", 2.0)])
	eq(rig.brain.get_action_override(&"Jab"), 1.0, "no override")
	rig.brain.set_action_override(&"Jab", 5.0)
	eq(rig.brain.get_action_override(&"Jab"), 5.0, "set")
	eq(rig.choose(), &"Jab", "the override decides")
	rig.brain.abort_action()
	check(rig.brain.clear_action_override(&"Jab"), "cleared")
	check(not rig.brain.clear_action_override(&"Jab"), "nothing to clear")
	eq(rig.choose(), &"Kick", "back to the weights")
	rig.brain.abort_action()
	rig.brain.set_action_override(&"Kick", 0.0)
	eq(rig.choose(), &"Jab", "an override of 0 blocks one action")
	rig.brain.abort_action()
	rig.brain.clear_action_overrides()
	rig.brain.set_global_multiplier(0.25)
	near(rig.score(&"Kick"), 0.5, 1e-9, "global multiplier")
	eq(rig.moves.find_action(&"Kick").selection_weight, 2.0, "the resource is untouched")


func test_score_action() -> void:
	var closed: ActionSpec = Rig.gated(Rig.spec(&"Closed"), [Doubles.gate(false)])
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [DistanceScorer.new()]), closed])
	rig.aim_at(Vector3(0, 0, -2))
	var other: Node3D = rig.add_foe(Vector3(0, 0, -3.75))
	near(rig.brain.score_action(&"Jab"), 1.0, 1e-6, "on the focus")
	near(rig.brain.score_action(&"Jab", other), 0.5, 1e-6, "on another target")
	eq(rig.brain.score_action(&"Closed"), 0.0, "refused counts as 0")
	eq(rig.brain.is_executing(), false, "pure")


func test_freed_target_is_no_target() -> void:
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [DistanceScorer.new()]), Rig.spec(&"Idle", 0.1)])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	eq(rig.brain.get_focus_target(), foe, "focus")
	foe.free()
	check(rig.brain.get_focus_target() == null, "no focus")
	check(rig.brain.target == null, "the property reads null")
	eq(rig.score(&"Jab"), 0.0, "no target: distance scores 0")
	eq(rig.choose(), &"Idle", "the evaluation goes on")
	rig.brain.target = foe
	check(rig.brain.target == null, "a freed node can be given, as null")
	eq(rig.brain.score_action(&"Jab", foe), 0.0, "so it can as an argument")


func test_null_elements_are_skipped() -> void:
	var jab: ActionSpec = Rig.scored(Rig.spec(&"Jab"), [null, Doubles.scorer(0.5), null])
	jab.gates = [null]
	jab.chain_links = [null]
	var rig: Rig = Rig.new(self, [null, jab, null])
	near(rig.score(&"Jab"), 0.5, 1e-9, "score")
	eq(rig.brain.get_action_ids(), PackedStringArray(["Jab"]), "ids")


func test_focus_from_perception() -> void:
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [DistanceScorer.new()])])
	var eye: Perception3D = Perception3D.new()
	eye.process_callback = Perception3D.PROCESS_MANUAL
	rig.agent.add_child(eye)
	var prey: Node3D = rig.add_foe(Vector3(0, 0, -3.75))
	prey.add_child(StimulusSource3D.new())
	check(rig.brain.get_focus_target() == null, "nothing known")
	eye.advance(0.1)
	check(rig.brain.get_focus_target() == prey, "the closest perceived target")
	near(rig.score(&"Jab"), 0.5, 1e-6, "score")
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	check(rig.brain.get_focus_target() == foe, "an explicit target goes first")
	rig.brain.target = null
	rig.brain.use_perception = false
	check(rig.brain.get_focus_target() == null, "switched off")
