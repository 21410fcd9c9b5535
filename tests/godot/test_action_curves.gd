extends TestCase
## RangeCurve.sample and the presets.


func _samples(curve: RangeCurve, inputs: PackedFloat64Array, wanted: PackedFloat64Array, what: String) -> void:
	for i: int in inputs.size():
		near(curve.sample(inputs[i]), wanted[i], 1e-6, "%s at %s" % [what, inputs[i]])


func test_ex_30_a1() -> void:
	_samples(RangeCurve.melee(), [0, 0.5, 1, 2, 2.5, 3.75, 5, 5.01], [0, 0.5, 1, 1, 1, 0.5, 0, 0], "melee")


func test_ex_30_a2() -> void:
	var curve: RangeCurve = RangeCurve.melee()
	curve.exponent = 2.0
	_samples(curve, [3.75, 0.5], [0.25, 0.25], "exponent 2")
	curve.exponent = 0.5
	_samples(curve, [3.75], [0.707107], "exponent 0.5")


func test_ex_30_a3() -> void:
	_samples(RangeCurve.ranged(), [2.9, 3, 4, 7, 14, 18], [0, 0, 0.5, 1, 0.5, 0], "ranged")


func test_ex_30_a4() -> void:
	_samples(RangeCurve.frontal_angle(), [0, 30, 60, 90, 180], [1, 1, 0.5, 0, 0], "frontal_angle")


func test_ex_30_a5() -> void:
	_samples(RangeCurve.low_health(), [0, 0.2, 0.3, 0.5, 0.51], [1, 1, 0.8, 0, 0], "low_health")


func test_ex_30_a6() -> void:
	var curve: RangeCurve = RangeCurve.melee()
	curve.clamp_to_zero = false
	eq(curve.floor_value, 0.05, "default floor")
	_samples(curve, [6, 3.75, 2], [0.05, 0.525, 1], "floor")


func test_ex_30_a7() -> void:
	_samples(RangeCurve.always_one_curve(), [-1e9, 0, NAN], [1, 1, 0], "always one")


func test_ex_30_a8() -> void:
	var curve: RangeCurve = _curve(5, 2.5, 1, 0)
	_samples(curve, [3.75, 0.5], [0.5, 0.5], "typed in reverse")
	eq([curve.min_value, curve.max_value], [5.0, 0.0], "the resource keeps what was typed")
	eq(_problems(curve).size(), 1, "one warning")
	eq(_problems(RangeCurve.melee()).size(), 0, "none for a curve in order")


## What a set with this curve in a scorer says about itself.
func _problems(curve: RangeCurve) -> Array[Dictionary]:
	var scorer: DistanceScorer = DistanceScorer.new()
	scorer.range = curve
	var call_it: CallMethod = CallMethod.new()
	call_it.method = &"jab"
	var jab: ActionSpec = ActionSpec.new()
	jab.action_id = &"Jab"
	jab.scorers = [scorer]
	jab.execution_method = call_it
	var moves: ActionSet = ActionSet.new()
	moves.actions = [jab]
	return moves.validate()


func test_ex_30_a9() -> void:
	_samples(_curve(2, 2, 2, 2), [1.999, 2, 2.001], [0, 1, 0], "one point")


func test_presets_are_new_resources() -> void:
	var mine: RangeCurve = RangeCurve.melee()
	mine.max_value = 9.0
	eq(RangeCurve.melee().max_value, 5.0, "a preset is not changed by its copies")
	eq(DistanceScorer.new().range.max_value, 5.0, "nor is the default of a scorer")
	check(DistanceScorer.new().range != DistanceScorer.new().range, "each scorer has its own curve")


func test_infinity() -> void:
	_samples(RangeCurve.melee(), [INF, -INF, NAN], [0, 0, 0], "melee")
	_samples(RangeCurve.always_one_curve(), [INF, -INF], [1, 1], "always one")


func test_bad_numbers() -> void:
	var curve: RangeCurve = RangeCurve.melee()
	expect_warning("max_value")
	curve.max_value = NAN
	eq(curve.max_value, 5.0, "NaN is refused")
	expect_warning("exponent")
	curve.exponent = 0.0
	near(curve.exponent, 0.1, 0.0001, "below the range")
	curve.exponent = 50.0
	near(curve.exponent, 8.0, 0.0001, "above the range")


func _curve(a: float, b: float, c: float, d: float) -> RangeCurve:
	var curve: RangeCurve = RangeCurve.new()
	curve.min_value = a
	curve.optimal_min = b
	curve.optimal_max = c
	curve.max_value = d
	return curve
