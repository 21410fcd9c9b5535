extends TestCase
## DecisionContext: what is in it, what the script of an evaluator adds, and contexts that a script makes.

const Rig := preload("res://support/action_rig.gd")
const Judged := preload("res://support/judged.gd")
const Doubles := preload("res://support/doubles.gd")
const FLAT: Array[StringName] = [&"distance", &"angle_deg", &"speed", &"health_fraction", &"stamina", &"threat", &"time"]


## Counts its calls and does what a Callable says.
class Builder:
	extends ActionEvaluator
	var built: Array = []
	var act: Callable = Callable()

	func _build_decision_context(context: DecisionContext) -> void:
		built.append(context.target.name if context.target != null else &"nobody")
		context.extra["rank"] = built.size()
		if act.is_valid():
			act.call(context)


func _peek(seen: Array) -> Doubles.Scorer:
	return Doubles.scorer_that(func(_scorer: ActionScorer, context: DecisionContext) -> float:
		seen.append(context.copy())
		return 1.0)


func _foes(count: int) -> Array:
	var foes: Array = []
	for i: int in count:
		var foe: Node3D = Node3D.new()
		foe.name = "Foe%d" % i
		foe.position = Vector3(0, 0, -1 - i)
		foes.append(add(foe))
	return foes


func _each(id: StringName, scorers: Array) -> ActionSpec:
	var made: ActionSpec = Rig.scored(Rig.spec(id), scorers)
	made.target_mode = ActionSpec.TARGET_EACH
	return made


func test_a_new_context() -> void:
	var context: DecisionContext = DecisionContext.new()
	eq([context.agent, context.target, context.evaluator, context.vitals], [null, null, null, null], "nodes")
	eq([context.distance, context.angle_deg, context.speed, context.threat, context.time], [0, 0, 0, 0, 0], "numbers")
	eq([context.health_fraction, context.stamina], [1.0, 100.0], "health and stamina")
	eq(context.has_line_of_sight, false, "line of sight")
	eq([context.direction, context.extra, context.seed], [Vector3.ZERO, {}, 0], "the rest")


func test_speed_stamina_and_threat_of_a_decision() -> void:
	var seen: Array = []
	var body: CharacterBody3D = character()
	body.velocity = Vector3(3, 9, 4)
	body.add_child(Judged.vitals({&"Vital.Stamina": [37.0, 50.0]}))
	var judged: Judged = Judged.new(self, body, [_peek(seen)])
	judged.score()
	eq([seen[0].speed, seen[0].stamina, seen[0].threat], [5.0, 37.0, 0.0], "without a target, without senses")
	eq(seen[0].vitals, body.get_child(1), "vitals")
	judged.aim_at(Node3D.new())
	judged.score()
	eq(seen[1].threat, 0.0, "without a Perception")


func test_numbers_that_are_none_are_refused() -> void:
	var context: DecisionContext = DecisionContext.new()
	for field: StringName in FLAT:
		context.set(field, 2.5)
		for wrong: float in [NAN, INF, -INF]:
			context.set(field, wrong)
		eq(context.get(field), 2.5, field)
		expect_warning("DecisionContext: %s = " % field)
	context.direction = Vector3.UP
	context.direction = Vector3(NAN, 0, 0)
	expect_warning("direction = ")
	eq(context.direction, Vector3.UP, "direction")


func test_the_script_adds_once_per_evaluation_and_target() -> void:
	var seen: Array = []
	var brain: Builder = Builder.new()
	var rig: Rig = Rig.new(self, [_each(&"Bite", [_peek(seen)]), _each(&"Claw", [_peek(seen)])], brain)
	var foes: Array = _foes(2)
	brain.set_candidate_targets(foes)
	brain.evaluate_best_action()
	eq(brain.built, [&"Foe0", &"Foe1"], "asked about each target once")
	var found: Array = seen.map(func(context: DecisionContext) -> Array: return [context.target, context.action_id, context.extra["rank"]])
	eq(found, [[foes[0], &"Bite", 1], [foes[1], &"Bite", 2], [foes[0], &"Claw", 1], [foes[1], &"Claw", 2]],
		"every scorer sees what was added for its target")
	rig.choose()
	eq(brain.built.size(), 4, "again in the next evaluation, and not once more for the start")


func test_the_script_is_asked_without_a_target_and_without_scorers() -> void:
	var brain: Builder = Builder.new()
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")], brain)
	brain.evaluate_best_action()
	eq(brain.built, [&"nobody"], "no target")
	rig.aim_at(Vector3(0, 0, -3))
	rig.choose()
	eq(brain.built, [&"nobody", &"Foe"], "a target")
	var plain: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	eq(plain.choose(), &"Jab", "a script that does not override it")


func test_what_the_script_finds_and_what_it_changes() -> void:
	var seen: Array = []
	var at_build: Array = []
	var brain: Builder = Builder.new()
	brain.act = func(context: DecisionContext) -> void:
		at_build.append(context.copy())
		context.distance = 1.0
		context.threat = 0.75
		context.extra = {"own": true}
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [DistanceScorer.new(), _peek(seen)])], brain)
	rig.aim_at(Vector3(0, 0, -3.75), ["Team.Red"])
	near(rig.score(&"Jab"), 0.5, 1e-6, "built-in scorers see the world")
	var built: DecisionContext = at_build[0]
	near(built.distance, 3.75, 1e-6, "the built-in fields are there")
	eq([built.target_tags, built.agent, built.evaluator], [["Team.Red"], rig.agent, brain], "all of them")
	eq([built.action_id, built.action_seed], [&"", 0], "and no action yet")
	ne(built.seed, 0, "seed")
	eq([seen[0].distance, seen[0].threat, seen[0].extra], [1.0, 0.75, {"own": true}], "scripts see what it wrote")
	eq(seen[0].action_id, &"Jab", "with their action")


func test_extra_does_not_stay() -> void:
	var seen: Array = []
	var noting: Doubles.Scorer = Doubles.scorer_that(func(_scorer: ActionScorer, context: DecisionContext) -> float:
		seen.append(context.extra.duplicate())
		context.extra["note"] = true
		return 1.0)
	var rig: Rig = Rig.new(self, [_each(&"Bite", [noting])])
	rig.brain.set_candidate_targets(_foes(2))
	rig.brain.evaluate_best_action()
	rig.brain.evaluate_best_action()
	eq(seen, [{}, {}, {}, {}], "neither for another target nor in another evaluation")


func test_a_copy_keeps_its_own_extra() -> void:
	var context: DecisionContext = DecisionContext.new()
	context.extra["a"] = 1
	context.speed = 3.0
	context.threat = 0.5
	var kept: DecisionContext = context.copy()
	context.extra["a"] = 2
	eq([kept.extra, kept.speed, kept.threat], [{"a": 1}, 3.0, 0.5], "copy")


func test_a_given_context_counts_as_it_stands() -> void:
	var seen: Array = []
	var brain: Builder = Builder.new()
	var tired: StaminaGate = StaminaGate.new()
	tired.min_stamina = 50.0
	var speed: SpeedScorer = SpeedScorer.new()
	speed.range = Judged.curve(0.0, 10.0, 10.0, 10.0)
	var jab: ActionSpec = Rig.gated(Rig.scored(Rig.spec(&"Jab"), [speed, _peek(seen)]), [tired])
	var body: Node3D = character()
	(body as CharacterBody3D).velocity = Vector3(10, 0, 0)
	var rig: Rig = Rig.new(self, [jab], brain, body)
	near(brain.evaluate_best_action().score, 1.0, 1e-6, "the world")
	var context: DecisionContext = DecisionContext.new()
	context.speed = 2.5
	context.extra = {"mine": 1}
	context.threat = 0.25
	brain.built.clear()
	seen.clear()
	near(brain.evaluate_best_action(context).score, 0.25, 1e-6, "its speed")
	eq([seen[0].extra, seen[0].threat], [{"mine": 1}, 0.25], "scripts see it")
	eq(brain.built, [], "and nobody adds to it")
	context.stamina = 49.0
	check(not brain.evaluate_best_action(context).is_valid(), "its stamina")
	near(brain.evaluate_best_action().score, 1.0, 1e-6, "the world again")
	rig.brain = null


func test_line_of_sight_of_a_decision() -> void:
	var seen: Array = []
	var body: CharacterBody3D = character()
	var judged: Judged = Judged.new(self, body, [_peek(seen)])
	judged.score()
	eq(seen[0].has_line_of_sight, false, "no target")
	judged.aim_at(Node3D.new())
	(judged.brain.target as Node3D).position = Vector3(0, 0, -6)
	await physics()
	await get_tree().physics_frame
	seen.clear()
	judged.score()
	eq(seen[0].has_line_of_sight, true, "nothing in between")
	wall(Vector3(0, 1, -3), Vector3(4, 4, 0.2))
	await physics(2)
	await get_tree().physics_frame
	seen.clear()
	judged.score()
	eq(seen[0].has_line_of_sight, false, "a wall")


func test_line_of_sight_in_a_given_context() -> void:
	var shot: ActionSpec = Rig.spec(&"Shot")
	shot.require_line_of_sight = true
	var rig: Rig = Rig.new(self, [shot])
	var context: DecisionContext = DecisionContext.new()
	context.target = rig.add_foe(Vector3(0, 0, -3))
	context.distance = 3.0
	check(not rig.brain.evaluate_best_action(context).is_valid(), "as it stands: false")
	context.has_line_of_sight = true
	eq([context.has_line_of_sight, context.copy().has_line_of_sight], [true, true], "set, and copied")
	check(rig.brain.evaluate_best_action(context).is_valid(), "true")


func test_vitals_and_attributes_of_the_agent_in_a_given_context() -> void:
	var mana: VitalGate = VitalGate.new()
	mana.vital_tag = &"Vital.Mana"
	mana.min_value = 30.0
	var judged: Judged = Judged.new(self, Node3D.new(), [], [mana])
	judged.agent.add_child(Judged.vitals({&"Vital.Mana": [10.0, 100.0]}))
	var context: DecisionContext = DecisionContext.new()
	check(not judged.brain.evaluate_best_action(context).is_valid(), "of the evaluator's agent")
	var other: Node = add(Node3D.new())
	other.add_child(Judged.vitals({&"Vital.Mana": [40.0, 100.0]}))
	context.agent = other
	check(judged.brain.evaluate_best_action(context).is_valid(), "of the agent that it names")
	other.free()
	is_null(context.agent, "a freed agent")
	check(not judged.brain.evaluate_best_action(context).is_valid(), "is none")


func test_what_the_script_may_do_while_it_is_asked() -> void:
	var brain: Builder = Builder.new()
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick", 0.5)], brain)
	brain.act = func(_context: DecisionContext) -> void: check(not brain.evaluate_best_action().is_valid(), "no decision inside")
	expect_error("evaluate_best_action() was called inside a gate or scorer")
	eq(rig.choose(), &"Jab", "the decision goes on")
	brain.abort_action()
	brain.act = func(_context: DecisionContext) -> void: brain.set_cooldown(&"Jab", 5.0)
	eq(rig.choose(), &"Kick", "what is on cooldown now does not start")
	brain.abort_action()
	brain.reset_all_cooldowns()
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	brain.act = func(_context: DecisionContext) -> void: foe.free()
	eq(rig.choose(), &"Kick" if brain.is_action_on_cooldown(&"Jab") else rig.brain.get_running_action(), "no crash")
	brain.act = func(_context: DecisionContext) -> void: brain.stop()
	brain.abort_action()
	brain.evaluate_now()
	check(not brain.is_started(), "stopped in its middle")


func test_the_script_frees_its_agent_or_itself() -> void:
	var first: Builder = Builder.new()
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")], first)
	first.act = func(_context: DecisionContext) -> void: rig.agent.queue_free()
	first.evaluate_now()
	await idle(2)
	check(not is_instance_valid(first), "gone with its agent")
	var second: Builder = Builder.new()
	var parent: Node3D = add(Node3D.new())
	var other: Rig = Rig.new(self, [Rig.spec(&"Jab")], second)
	second.act = func(_context: DecisionContext) -> void: other.agent.remove_child(second)
	check(not second.evaluate_now(), "it left its agent in the middle")
	second.free()
	parent.free()


## Says in a list when it is freed.
class Mortal:
	extends RefCounted
	var context: DecisionContext
	var heard: Array

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE:
			heard.append(context.distance)


func test_what_is_dropped_from_extra_may_ask_the_context() -> void:
	var heard: Array = []
	var noting: Doubles.Scorer = Doubles.scorer_that(func(_scorer: ActionScorer, context: DecisionContext) -> float:
		var mortal: Mortal = Mortal.new()
		mortal.context = DecisionContext.new()
		mortal.heard = heard
		context.extra["mortal"] = mortal
		return 1.0)
	var rig: Rig = Rig.new(self, [_each(&"Bite", [noting])])
	rig.brain.set_candidate_targets(_foes(2))
	for i: int in 3:
		rig.brain.evaluate_best_action()
	between(heard.size(), 4, 6, "freed without a dead lock")
