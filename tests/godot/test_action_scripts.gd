extends TestCase
## Scorers and gates written in GDScript, contexts, families.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


## What a scorer found in its context.
class Seen:
	extends RefCounted
	var agent: Node
	var target: Node
	var evaluator: Node
	var distance: float
	var direction: Vector3
	var angle: float
	var health: float
	var self_tags: PackedStringArray
	var target_tags: PackedStringArray
	var world_tags: PackedStringArray
	var has_team: bool
	var has_blue: bool
	var id: StringName
	var time: float

	func look(context: DecisionContext) -> void:
		agent = context.agent
		target = context.target
		evaluator = context.evaluator
		distance = context.distance
		direction = context.direction
		angle = context.angle_deg
		health = context.health_fraction
		self_tags = context.self_tags
		target_tags = context.target_tags
		world_tags = context.world_tags
		has_team = context.has_tag(&"Team")
		has_blue = context.has_tag(&"Team.Blue")
		id = context.action_id
		time = context.time


## A scorer that overrides nothing.
class Idle:
	extends ActionScorer


## A gate that overrides nothing.
class Open:
	extends ActionGate


func test_ex_30_a25() -> void:
	var specs: Array[ActionSpec] = [
		Rig.scored(Rig.spec(&"Negative"), [Doubles.scorer(-1.0)]),
		Rig.scored(Rig.spec(&"NotANumber"), [Doubles.scorer(NAN)]),
		Rig.scored(Rig.spec(&"Infinite"), [Doubles.scorer(INF)]),
		Rig.spec(&"Sane", 0.1),
	]
	var rig: Rig = Rig.new(self, specs)
	expect_warning("Negative")
	expect_warning("NotANumber")
	expect_warning("Infinite")
	for i: int in 100:
		eq(rig.choose(), &"Sane", "evaluation %d" % i)
		rig.brain.abort_action()
	for id: StringName in [&"Negative", &"NotANumber", &"Infinite"]:
		eq([rig.score(id), rig.refusal(id)], [0.0, ActionEvaluator.REFUSAL_ZERO_SCORE], id)


func test_context_of_a_scorer() -> void:
	var seen: Seen = Seen.new()
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, context: DecisionContext) -> float:
		seen.look(context)
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [scorer])])
	rig.agent.add_child(Rig.tag_container(["Role.Guard"]))
	var foe: Node3D = rig.aim_at(Vector3(3, 0, 0), ["Team.Red"])
	WorldTags.add_tag(&"World.Night")
	rig.step(5)
	rig.brain.evaluate_best_action()
	WorldTags.remove_tag(&"World.Night")
	check(seen.agent == rig.agent, "agent")
	check(seen.target == foe, "target")
	check(seen.evaluator == rig.brain, "evaluator")
	near(seen.distance, 3.0, 1e-5, "distance")
	near(seen.direction, Vector3(1, 0, 0), 1e-5, "direction")
	near(seen.angle, 90.0, 1e-3, "angle")
	near(seen.health, 1.0, 1e-9, "health of an agent without vitals")
	eq([seen.self_tags, seen.target_tags, seen.world_tags], [["Role.Guard"], ["Team.Red"], ["World.Night"]], "tags")
	check(seen.has_team and not seen.has_blue, "has_tag asks by hierarchy")
	eq(seen.id, &"Jab", "action id")
	near(seen.time, 0.5, 1e-6, "time of the evaluator")


func test_context_without_a_target() -> void:
	var seen: Seen = Seen.new()
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, context: DecisionContext) -> float:
		seen.look(context)
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [scorer])])
	rig.brain.evaluate_best_action()
	eq(seen.id, &"Jab", "asked")
	check(seen.target == null, "target")
	eq([seen.distance, seen.direction, seen.angle], [0.0, Vector3.ZERO, 0.0], "distance, direction, angle")


func test_copy_of_a_context_can_be_kept() -> void:
	var kept: Array[DecisionContext] = []
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, context: DecisionContext) -> float:
		kept.append(context.copy())
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [scorer])])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	rig.brain.evaluate_best_action()
	foe.position = Vector3(0, 0, -4)
	rig.brain.evaluate_best_action()
	eq(kept.size(), 2, "two copies")
	if kept.size() == 2:
		near([kept[0].distance, kept[1].distance], [2.0, 4.0], 1e-5, "each keeps its own values")
		foe.free()
		check(kept[0].target == null, "a freed target reads null")


func test_context_built_by_a_script() -> void:
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [DistanceScorer.new()])])
	rig.aim_at(Vector3(0, 0, -2))
	var context: DecisionContext = DecisionContext.new()
	context.agent = rig.agent
	context.target = rig.brain.target
	context.distance = 3.75
	near(rig.brain.evaluate_best_action(context).score, 0.5, 1e-6, "its fields stand as they are")
	near(rig.brain.evaluate_best_action().score, 1.0, 1e-6, "without it the scene is read")


func test_scripts_that_override_nothing() -> void:
	var rig: Rig = Rig.new(self, [Rig.gated(Rig.scored(Rig.spec(&"Jab"), [Idle.new()]), [Open.new()])])
	near(rig.score(&"Jab"), 1.0, 1e-9, "no effect")


func test_one_scripted_scorer_serves_many_agents() -> void:
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, context: DecisionContext) -> float:
		return context.distance)
	var jab: ActionSpec = Rig.scored(Rig.spec(&"Jab"), [scorer])
	var one: Rig = Rig.new(self, [jab])
	var two: Rig = Rig.new(self, [jab])
	one.aim_at(Vector3(0, 0, -2))
	two.aim_at(Vector3(0, 0, -7))
	near([one.score(&"Jab"), two.score(&"Jab")], [2.0, 7.0], 1e-5, "each agent has its own context")


func test_wrong_class_in_a_family_array() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	var scorer: DistanceScorer = DistanceScorer.new()
	jab.scorers = [scorer]
	expect_error("scorers")
	jab.scorers = [scorer, Doubles.gate(true)]
	eq(jab.scorers.size(), 1, "the old value stays")
	expect_error("gates")
	jab.gates = [RangeCurve.new()]
	eq(jab.gates.size(), 0, "the old value stays")
	expect_error("execution_method")
	jab.execution_method = scorer
	check(jab.execution_method is ExecutionMethod, "the old value stays")


func test_family_arrays_take_any_array() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	var typed: Array[ActionScorer] = [Doubles.scorer(0.5)]
	jab.scorers = typed
	var rig: Rig = Rig.new(self, [jab])
	near(rig.score(&"Jab"), 0.5, 1e-9, "a typed array")
	jab.scorers = [Doubles.scorer(0.25), DistanceScorer.new()]
	eq(jab.scorers.size(), 2, "a plain literal with different classes")
	check(jab.scorers.is_read_only(), "what is stored can only be assigned")


func test_set_with_scripted_elements_survives_the_disk() -> void:
	var path: String = "user://moves.tres"
	var source: String = "extends ActionScorer\n@export var factor: float = 1.0\nfunc _score_multiplier(_c: DecisionContext) -> float:\n\treturn factor\n"
	var scorer: Resource = ActionScorer.new()
	scorer.set_script(script(source))
	scorer.set("factor", 0.25)
	var jab: ActionSpec = ActionSpec.new()
	jab.action_id = &"Jab"
	jab.selection_weight = 3.0
	jab.scorers = [scorer, DistanceScorer.new()]
	jab.chain_links = [ChainLink.to(&"Heavy", 2.0)]
	jab.tag_score_multipliers = {&"Team.Red": 2.0}
	jab.execution_method = CallMethod.new()
	var moves: ActionSet = ActionSet.new()
	moves.actions = [jab]
	eq(ResourceSaver.save(moves, path), OK, "saved")
	var back: ActionSet = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(path)
	var found: ActionSpec = back.find_action(&"Jab")
	not_null(found, "the action")
	if found == null:
		return
	eq([found.selection_weight, found.scorers.size(), found.chain_links.size()], [3.0, 2, 1], "plain values")
	eq(found.scorers[0].get("factor"), 0.25, "value of the scripted scorer")
	check(found.scorers[1] is DistanceScorer and found.execution_method is CallMethod, "classes")
	eq(found.tag_score_multipliers[&"Team.Red"], 2.0, "dictionary")
	var rig: Rig = Rig.new(self, [found])
	Rig.new(self, []).brain.default_action_set = back
	rig.aim_at(Vector3(0, 0, -2))
	near(rig.brain.score_action(&"Jab"), 0.0, 1e-9, "a CallMethod without a method has no valid data")


func test_empty_and_duplicate_ids_are_ignored() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&""), Rig.spec(&"Jab", 1.0), Rig.spec(&"Jab", 9.0)])
	eq(rig.brain.get_action_ids(), ["Jab"], "the first wins")
	near(rig.score(&"Jab"), 1.0, 1e-9, "its weight")


func test_find_action() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick")])
	eq(rig.moves.get_action_ids(), ["Jab", "Kick"], "ids")
	eq(rig.moves.find_action(&"Kick").action_id, &"Kick", "known")
	is_null(rig.moves.find_action(&"Smash"), "unknown")


func test_numbers_of_a_spec_are_checked() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab", 2.0)
	expect_warning("selection_weight")
	jab.selection_weight = NAN
	eq(jab.selection_weight, 2.0, "NaN is refused")
	expect_warning("risk_penalty")
	jab.risk_penalty = 0.0
	near(jab.risk_penalty, 0.01, 1e-9, "clamped to the range")
	expect_warning("cooldown_duration")
	jab.cooldown_duration = -4.0
	eq(jab.cooldown_duration, 0.0, "no negative time")
