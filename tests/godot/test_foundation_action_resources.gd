extends TestCase
## Defaults, checks and warnings of the action resources.


func test_defaults_of_an_action() -> void:
	var spec := ActionSpec.new()
	eq([spec.action_id, spec.enabled, spec.execution_method, spec.add_tags], [&"", true, null, ["State.MovementBlocked"]], "first")
	eq([spec.selection_weight, spec.risk_penalty, spec.scorers, spec.gates], [1.0, 1.0, [], []], "scoring")
	eq([spec.requires_tags, spec.block_tags, spec.tag_score_multipliers, spec.novelty_weight], [[], [], {}, 1.0], "tags")
	eq([spec.cooldown_duration, spec.cooldown_initial, spec.cooldown_randomization], [0.0, 0.0, 0.2], "cooldown")
	eq([spec.cooldown_interrupt_refund, spec.cooldown_spawn_chance, spec.max_consecutive_uses], [0.0, 0.0, -1], "cooldown")
	eq(spec.chain_links, [], "links")
	var link := ChainLink.new()
	eq([link.action_id, link.bonus_multiplier], [&"", 1.5], "ChainLink")
	eq([ChainLink.to(&"B").action_id, ChainLink.to(&"B").bonus_multiplier, ChainLink.to(&"B", 2.0).bonus_multiplier], [&"B", 1.5, 2.0], "ChainLink.to")
	eq([ActionSet.new().actions, ActionSet.new().format_version], [[], 1], "ActionSet")


func test_defaults_of_the_methods() -> void:
	var animation := AnimationMethod.new()
	eq([animation.player_path, animation.animation, animation.tree_path, animation.state], [NodePath(), &"", NodePath(), &""], "what")
	eq([animation.speed, animation.blend_time, animation.finish_at, animation.finish_marker], [1.0, -1.0, 0, &""], "how")
	eq([animation.finish_time, animation.abort_animation, animation.animation_timeout], [0.0, &"", 0.0], "end")
	var call := CallMethod.new()
	eq([call.node_path, call.method, call.arguments, call.pass_context], [NodePath(), &"", [], true], "CallMethod")
	eq([call.abort_method, call.call_timeout], [&"", 0.0], "CallMethod")


func test_curves_and_presets() -> void:
	var melee := RangeCurve.melee()
	eq([0.0, 0.5, 1.0, 2.0, 2.5, 3.75, 5.0, 5.01].map(melee.sample), [0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0], "A1")
	melee.exponent = 2.0
	near([melee.sample(3.75), melee.sample(0.5)], [0.25, 0.25], 1e-6, "A2")
	melee.exponent = 0.5
	near(melee.sample(3.75), 0.707107, 1e-6, "A2")
	near([2.9, 3.0, 4.0, 7.0, 14.0, 18.0].map(RangeCurve.ranged().sample), [0.0, 0.0, 0.5, 1.0, 0.5, 0.0], 1e-6, "A3")
	near([0.0, 30.0, 60.0, 90.0, 180.0].map(RangeCurve.frontal_angle().sample), [1.0, 1.0, 0.5, 0.0, 0.0], 1e-6, "A4")
	near([0.0, 0.2, 0.3, 0.5, 0.51].map(RangeCurve.low_health().sample), [1.0, 1.0, 0.8, 0.0, 0.0], 1e-6, "A5")
	var open := RangeCurve.melee()
	open.clamp_to_zero = false
	near([6.0, 3.75, 2.0].map(open.sample), [0.05, 0.525, 1.0], 1e-6, "A6")
	near([-1e9, 0.0, NAN].map(RangeCurve.always_one_curve().sample), [1.0, 1.0, 0.0], 1e-6, "A7")


func test_each_preset_and_default_is_a_resource_of_its_own() -> void:
	var mine := RangeCurve.melee()
	mine.max_value = 50.0
	eq(RangeCurve.melee().max_value, 5.0, "preset")
	var a := DistanceScorer.new()
	check(a.range != DistanceScorer.new().range, "two scorers")
	eq([a.range.max_value, AngleScorer.new().range.max_value, HealthScorer.new().range.always_one], [5.0, 90.0, true], "ranges")
	a.range = null
	is_null(a.range, "no range")
	eq([a.in_pixels, HealthScorer.new().source, HealthScorer.SOURCE_AGENT, HealthScorer.SOURCE_TARGET], [false, 0, 0, 1], "the rest")


func _score(body: Node, foe: Node, scorer: Resource) -> float:
	var spec := ActionSpec.new()
	spec.action_id = &"A"
	spec.execution_method = script("extends ExecutionMethod\n").new()
	spec.scorers = [scorer]
	var moves := ActionSet.new()
	moves.actions = [spec]
	var brain := ActionEvaluator.new()
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.jitter_amount = 0.0
	brain.default_action_set = moves
	body.add_child(brain)
	if not body.is_inside_tree():
		add(body)
	if foe != null and not foe.is_inside_tree():
		add(foe)
	brain.start()
	var score := brain.score_action(&"A", foe)
	brain.queue_free()
	return score


func test_ex_30_a10() -> void:
	var foe := Node2D.new()
	foe.position = Vector2(375, 0)
	near(_score(Node2D.new(), foe, DistanceScorer.new()), 0.5, 1e-6, "melee at 375 px")
	var pixels := DistanceScorer.new()
	pixels.in_pixels = true
	pixels.range.min_value = 0.0
	pixels.range.optimal_min = 50.0
	pixels.range.optimal_max = 125.0
	pixels.range.max_value = 250.0
	foe.position = Vector2(187.5, 0)
	near(_score(Node2D.new(), foe, pixels), 0.5, 1e-6, "in pixels")


func test_health_of_the_agent_or_of_the_target() -> void:
	var source := "extends Node3D\nvar health := 1.0\nfunc get_health_fraction() -> float:\n\treturn health\n"
	var body: Node3D = script(source).new()
	body.set("health", 0.3)
	var foe: Node3D = script(source).new()
	foe.set("health", 0.2)
	var scorer := HealthScorer.new()
	scorer.range = RangeCurve.low_health()
	near(_score(body, foe, scorer), 0.8, 1e-6, "agent")
	scorer.source = HealthScorer.SOURCE_TARGET
	near(_score(body, foe, scorer), 1.0, 1e-6, "target")
	scorer.range.optimal_max = 0.0
	scorer.range.optimal_min = 0.0
	near(_score(body, null, scorer), 1.0, 1e-6, "no target, no effect")


func test_bad_numbers_are_refused_or_clamped() -> void:
	var curve := RangeCurve.melee()
	expect_warning("RangeCurve: max_value = NaN is refused, it stays 5.", 1)
	curve.max_value = NAN
	curve.max_value = NAN
	eq(curve.max_value, 5.0, "max_value")
	expect_warning("RangeCurve: exponent = 0 is read as 0.1. Give 0.1 to 8.", 1)
	curve.exponent = 0.0
	eq(curve.exponent, 0.1, "exponent")
	var spec := ActionSpec.new()
	expect_warning("selection_weight = -1 is read as 0", 1)
	spec.selection_weight = -1.0
	expect_warning("risk_penalty = 0 is read as 0.01", 1)
	spec.risk_penalty = 0.0
	expect_warning("cooldown_duration = inf is refused", 1)
	spec.cooldown_duration = INF
	expect_warning("cooldown_spawn_chance = 3 is read as 1", 1)
	spec.set_cooldown_spawn_chance(3.0)
	expect_warning("max_consecutive_uses = 99 is read as 20", 1)
	spec.max_consecutive_uses = 99
	eq([spec.selection_weight, spec.risk_penalty, spec.cooldown_duration, spec.cooldown_spawn_chance, spec.max_consecutive_uses], [0.0, 0.01, 0.0, 1.0, 20], "values")


func test_tag_multipliers_are_checked() -> void:
	var spec := ActionSpec.new()
	spec.tag_score_multipliers = {&"B": 2.0, &"A": 0.5}
	eq(spec.tag_score_multipliers.keys(), [&"B", &"A"], "the order stays")
	check(spec.tag_score_multipliers.is_same_typed({} as Dictionary[StringName, float]), "typed")
	var untyped: Variant = spec
	untyped.tag_score_multipliers = {"C": 3}
	eq(spec.tag_score_multipliers, {&"C": 3.0}, "a plain dictionary")
	expect_warning("tag_score_multipliers[\"D\"] = 50 is read as 10", 1)
	expect_error("tag_score_multipliers: tag \"E..F\" has an empty segment", 1)
	spec.tag_score_multipliers = {&"D": 50.0, &"E..F": 1.0}
	eq(spec.tag_score_multipliers, {&"D": 10.0}, "clamped and left out")
	expect_error("tag_score_multipliers has String : String; it stays as it was.", 1)
	untyped.tag_score_multipliers = {"D": "many"}
	eq(spec.tag_score_multipliers, {&"D": 10.0}, "unchanged")


func test_a_set_finds_its_actions() -> void:
	var first := ActionSpec.new()
	first.action_id = &"Jab"
	var second := ActionSpec.new()
	second.action_id = &"Jab"
	var moves := ActionSet.new()
	moves.actions = [first, second, ActionSpec.new()]
	eq(moves.find_action(&"Jab"), first, "the first one counts")
	is_null(moves.find_action(&"Heavy"), "unknown")
	is_null(moves.find_action(&""), "empty")
	eq(moves.get_action_ids(), ["Jab"], "ids")


func test_validate_tells_what_is_wrong() -> void:
	var jab := ActionSpec.new()
	jab.action_id = &"Jab"
	var call := CallMethod.new()
	call.method = &"punch"
	jab.execution_method = call
	jab.scorers = [DistanceScorer.new()]
	jab.chain_links = [ChainLink.to(&"Jab")]
	var moves := ActionSet.new()
	moves.actions = [jab]
	eq(moves.validate(), [], "clean")

	(jab.scorers[0] as DistanceScorer).range.min_value = 9.0
	jab.chain_links = [ChainLink.to(&"Kick")]
	jab.max_consecutive_uses = 0
	jab.requires_tags = ["State.MovmentBlocked"]
	call.method = &""
	var nameless := ActionSpec.new()
	moves.actions = [jab, nameless]
	var rows := moves.validate()
	var texts := " / ".join(rows.map(func(row: Dictionary) -> String: return "%s %s: %s" % [row.severity, row.action, row.message]))
	for part: String in [
		"error Jab: CallMethod has no method",
		"warning Jab: scorers[0]: The values 9/1/2.5/5 are used in ascending order",
		"warning Jab: chain_links: there is no action \"Kick\"",
		"warning Jab: max_consecutive_uses is 0",
		"warning Jab: requires_tags: tag \"State.MovmentBlocked\" is not declared. Did you mean \"State.MovementBlocked\"?",
		"error : actions[1] has no action_id",
		"error : There is no execution_method",
	]:
		has_element(texts, part)
	eq(rows.size(), 7, "rows: " + texts)


func test_a_script_says_whether_its_data_is_valid() -> void:
	var source := "extends ExecutionMethod\nvar ready := false\nfunc _has_valid_data() -> bool:\n\treturn ready\n"
	var method: ExecutionMethod = script(source).new()
	var spec := ActionSpec.new()
	spec.action_id = &"A"
	spec.execution_method = method
	var moves := ActionSet.new()
	moves.actions = [spec]
	eq(moves.validate().size(), 1, "not valid")
	method.set(&"ready", true)
	eq(moves.validate(), [], "valid")


func test_a_method_outside_a_run_answers_nothing() -> void:
	var method := ExecutionMethod.new()
	method.finish_execution()
	is_null(method.get_agent(), "agent")
	is_null(method.get_target(), "target")
	is_null(method.get_evaluator(), "evaluator")
	is_null(method.get_context(), "context")
	eq([method.get_action_id(), method.get_elapsed(), method.is_executing()], [&"", 0.0, false], "values")


func test_seeded_random_needs_a_context() -> void:
	var scorer := ActionScorer.new()
	var context := DecisionContext.new()
	eq(scorer.seeded_random(context), scorer.seeded_random(context, 0), "the default salt is 0")
	ne(scorer.seeded_random(context, 1), scorer.seeded_random(context, 2), "another salt")
	expect_error("ActionScorer: seeded_random() got no context.", 1)
	eq(scorer.seeded_random(null), 0.0, "neutral")
