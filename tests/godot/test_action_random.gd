extends TestCase
## Jitter, seeds and draws: the same numbers on every machine.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


func _rig(heavy_weight: float = 1.0) -> Rig:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab"), Rig.quick(&"Heavy", heavy_weight)])
	rig.brain.jitter_amount = 0.05
	return rig


## One evaluation that counts, and the end of what it started.
func _consume(rig: Rig) -> void:
	check(rig.brain.evaluate_now(), "something starts")
	rig.brain.abort_action()


func test_ex_30_a18() -> void:
	var rig: Rig = _rig()
	near(rig.score(&"Jab"), 1.014530, 1e-6, "Jab")
	near(rig.score(&"Heavy"), 0.970582, 1e-6, "Heavy")
	eq(rig.choose(), &"Jab", "winner")


func test_ex_30_a19() -> void:
	var rig: Rig = _rig()
	_consume(rig)
	near(rig.score(&"Jab"), 0.958783, 1e-6, "Jab")
	near(rig.score(&"Heavy"), 1.049123, 1e-6, "Heavy")
	eq(rig.choose(), &"Heavy", "winner")


func test_ex_30_a20() -> void:
	var rig: Rig = _rig(0.9)
	_consume(rig)
	near(rig.score(&"Heavy"), 0.944211, 1e-6, "Heavy")
	near(rig.score(&"Jab"), 0.958783, 1e-6, "Jab")
	eq(rig.choose(), &"Jab", "winner")


func test_ex_30_a21() -> void:
	var rig: Rig = _rig()
	rig.aim_at(Vector3(0, 0, -2))
	for wanted: float in [0.958428, 1.035242, 1.027102]:
		near(rig.score(&"Jab"), wanted, 1e-6, "Jab on the first target")
		_consume(rig)


func test_ex_30_a22() -> void:
	var draws: Array[float] = []
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(me: ActionScorer, context: DecisionContext) -> float:
		draws.append(me.seeded_random(context, 0))
		draws.append(me.seeded_random(context, 1))
		draws.append(me.seeded_random(context))
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [scorer])])
	rig.brain.evaluate_best_action()
	eq(draws.size(), 3, "asked once")
	if draws.size() == 3:
		near(draws[0], 0.840485, 1e-6, "salt 0")
		near(draws[1], 0.356457, 1e-6, "salt 1")
		eq(draws[2], draws[0], "the default salt is 0")


func test_gates_draw_from_the_same_seed() -> void:
	var draws: Array[float] = []
	var gate: Doubles.Gate = Doubles.gate_that(func(me: ActionGate, context: DecisionContext) -> bool:
		draws.append(me.seeded_random(context, 1))
		return true)
	var rig: Rig = Rig.new(self, [Rig.gated(Rig.spec(&"Jab"), [gate])])
	rig.brain.evaluate_best_action()
	eq(draws.size(), 1, "asked once")
	if draws.size() == 1:
		near(draws[0], 0.356457, 1e-6, "salt 1")


func test_draws_repeat_until_an_evaluation_counts() -> void:
	var draws: Array[float] = []
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(me: ActionScorer, context: DecisionContext) -> float:
		draws.append(me.seeded_random(context))
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [scorer])])
	for i: int in 3:
		rig.brain.evaluate_best_action()
	_consume(rig)
	rig.brain.evaluate_best_action()
	eq(draws.size(), 5, "asked five times")
	if draws.size() == 5:
		eq([draws[1], draws[2], draws[3]], [draws[0], draws[0], draws[0]], "same evaluation, same draw")
		check(draws[4] != draws[0], "the next one differs")


func test_two_agents_with_one_seed_decide_alike() -> void:
	var one: Rig = _rig()
	var two: Rig = _rig()
	var other: Rig = _rig()
	other.brain.random_seed = 777
	var differs: bool = false
	for i: int in 12:
		near(one.score(&"Jab"), two.score(&"Jab"), 0.0, "evaluation %d" % i)
		differs = differs or one.score(&"Jab") != other.score(&"Jab")
		for rig: Rig in [one, two, other]:
			_consume(rig)
	check(differs, "another seed gives other numbers")


func test_agents_without_a_seed_differ() -> void:
	var scores: Dictionary = {}
	for i: int in 5:
		var rig: Rig = _unseeded()
		scores[rig.score(&"Jab")] = true
	check(scores.size() > 1, "seed 0 means a seed of its own for each evaluator")


func _unseeded() -> Rig:
	var evaluator: ActionEvaluator = ActionEvaluator.new()
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")], evaluator)
	rig.brain.stop()
	rig.brain.random_seed = 0
	rig.brain.jitter_amount = 0.05
	rig.brain.start()
	return rig


func test_jitter_stays_within_its_amount() -> void:
	var rig: Rig = _rig()
	rig.brain.jitter_amount = 0.2
	var lowest: float = 10.0
	var highest: float = 0.0
	for i: int in 200:
		var score: float = rig.score(&"Jab")
		lowest = minf(lowest, score)
		highest = maxf(highest, score)
		_consume(rig)
	check(lowest >= 0.8 and highest <= 1.2, "between 0.8 and 1.2: %s, %s" % [lowest, highest])
	check(lowest < 0.85 and highest > 1.15, "and it uses that space: %s, %s" % [lowest, highest])
