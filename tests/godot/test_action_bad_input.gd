extends TestCase
## What a designer or a script can get wrong about actions: each row of the table of bad input.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const FILE := "user://bad_moves.tres"
## A file as no editor would write it: empty places, two of one name, none, names of nobody, absurd numbers.
const BAD_FILE := """[gd_resource type="ActionSet" format=3]

[sub_resource type="CallMethod" id="method"]
method = &"punch"
call_timeout = -3.0

[sub_resource type="ChainLink" id="link"]
action_id = &"Nowhere"
bonus_multiplier = 1e+30

[sub_resource type="RangeCurve" id="curve"]
min_value = nan
optimal_min = 9.0
max_value = inf
exponent = -4.0

[sub_resource type="DistanceScorer" id="distance"]
range = SubResource("curve")

[sub_resource type="ActionSpec" id="jab"]
action_id = &"Jab"
execution_method = SubResource("method")
selection_weight = nan
risk_penalty = 0.0
scorers = [null, SubResource("distance")]
gates = [null]
chain_links = Array[ChainLink]([null, SubResource("link")])
requires_tags = PackedStringArray("State..Broken", "State.MovmentBlocked")
tag_score_multipliers = Dictionary[StringName, float]({
&"Team.Red": -2.0
})
cooldown_duration = -5.0
cooldown_randomization = 1e+30
max_consecutive_uses = 99999999999
add_tags = PackedStringArray()

[sub_resource type="ActionSpec" id="twin"]
action_id = &"Jab"
execution_method = SubResource("method")

[sub_resource type="ActionSpec" id="nameless"]
execution_method = SubResource("method")

[sub_resource type="ActionSpec" id="idle"]
action_id = &"Idle"

[resource]
actions = Array[ActionSpec]([null, SubResource("jab"), SubResource("twin"), SubResource("nameless"), null, SubResource("idle")])
fallback_action = &"Nobody"
format_version = 1
"""


var _probe: Object


func _init() -> void:
	super()
	if ClassDB.class_exists(&"RiposteProbe"):
		_probe = ClassDB.instantiate(&"RiposteProbe")


func test_unknown_ids() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Heavy")])
	var brain: ActionEvaluator = rig.brain
	var neutral: Dictionary = {
		"get_remaining_cooldown": 0.0, "is_action_on_cooldown": false, "reset_cooldown": false, "score_action": 0.0,
		"execute_action": 0, "get_action_override": 1.0, "clear_action_override": false,
	}
	for method: String in neutral:
		for i: int in 2:
			eq(brain.call(method, &"Smash"), neutral[method], method)
	brain.set_cooldown(&"Smash", 1.0)
	brain.set_action_override(&"Smash", 2.0)
	eq(brain.execute_action_with_context(&"Smash", ActionContext.new()), 0, "execute_action_with_context")
	expect_error("Guard/Brain): no action named \"Smash\" in the set. Known: Jab, Heavy.", neutral.size() + 3)
	eq(rig.diary.take("started cooling"), "", "nothing happened")
	eq(brain.get_all_active_cooldowns(), {}, "no cooldown")


func test_empty_and_duplicate_ids() -> void:
	var twin: ActionSpec = Rig.spec(&"Jab", 9.0)
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab", 1.0), twin, Rig.spec(&"", 50.0)])
	eq(rig.brain.get_action_ids(), ["Jab"], "the first wins, no name is left out")
	near(rig.score(&"Jab"), 1.0, 1e-6, "with its own weight")
	_warned(rig.brain, "actions[1]: the action_id \"Jab\" is taken")
	_warned(rig.brain, "actions[2] has no action_id")
	eq(rig.choose(), &"Jab", "it acts all the same")


func test_null_elements() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.scorers = [null, DistanceScorer.new(), null]
	jab.gates = [null]
	jab.chain_links = [null, ChainLink.to(&"Jab")]
	var rig: Rig = Rig.new(self, [null, jab, null])
	rig.aim_at(Vector3(0, 0, -2))
	eq(rig.choose(), &"Jab", "skipped")
	for part: String in ["actions: 2 empty elements", "scorers: an empty element", "gates: an empty element", "chain_links: an empty element"]:
		_warned(rig.brain, part)


func test_wrong_classes() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	var distance: DistanceScorer = DistanceScorer.new()
	jab.scorers = [distance]
	var untyped: Variant = jab
	expect_error("scorers[1]", 1)
	untyped.scorers = [distance, Curve.new()]
	eq(jab.scorers, [distance], "the old value is kept")
	expect_error("gates[0]", 1)
	untyped.gates = [distance]
	eq(jab.gates, [], "a scorer is no gate")
	var moves: ActionSet = ActionSet.new()
	moves.actions = [jab]
	var set_of_anything: Variant = moves
	expect_error("actions[1]", 1)
	set_of_anything.actions = [jab, Curve.new()]
	eq(moves.actions, [jab], "the old value is kept")
	expect_error("chain_links[0]", 1)
	untyped.chain_links = [jab]
	eq(jab.chain_links, [], "no link")


func test_absurd_numbers_of_every_property() -> void:
	var curve: RangeCurve = RangeCurve.new()
	for made: Object in [ActionSpec.new(), ChainLink.to(&"Jab"), curve, AnimationMethod.new(), CallMethod.new()]:
		_abuse(made)
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	_abuse(rig.brain)
	rig.brain.advance(0.1)
	eq(rig.brain.evaluate_best_action().score, rig.brain.evaluate_best_action().score, "no NaN gets in")


## Every number of the inspector is given NaN, infinity and what is far out of range.
func _abuse(made: Object) -> void:
	for property: Dictionary in made.get_property_list():
		if property.type != TYPE_FLOAT or not property.usage & PROPERTY_USAGE_EDITOR or not property.usage & PROPERTY_USAGE_STORAGE:
			continue
		var member: String = property.name
		# Time-outs are read as 0 then, which is none.
		if member.ends_with("_timeout"):
			continue
		var before: float = made.get(member)
		made.set(member, NAN)
		made.set(member, INF)
		made.set(member, -INF)
		eq(made.get(member), before, "%s.%s after what is no number" % [made.get_class(), member])
		expect_warning(": %s = NaN is refused, it stays " % member, 1)
		made.set(member, -1e30)
		var low: float = made.get(member)
		if low != -1e30:
			check(is_finite(low) and low >= -100.0, "%s is clamped" % member)
			expect_warning(": %s = -1000000000000000" % member, 1)
		made.set(member, before)


func test_suspicious_names() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.chain_links = [ChainLink.to(&"Smash")]
	jab.block_tags = ["State.MovmentBlocked"]
	var rig: Rig = Rig.new(self, [jab])
	rig.moves.fallback_action = &"Sit"
	_warned(rig.brain, "there is no action \"Smash\" in the set")
	_warned(rig.brain, "fallback_action names \"Sit\"")
	_warned(rig.brain, "Did you mean \"State.MovementBlocked\"?")
	eq(rig.choose(), &"Jab", "only suspicious: it acts")


func test_jitter_larger_than_the_margin() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.jitter_amount = 0.05
	rig.brain.switch_margin = 0.15
	lacks_element(_warnings(rig.brain), "jitter_amount")
	# (1 + j) / (1 - j) > 1 + margin: 1.1724 > 1.15
	rig.brain.jitter_amount = 0.08
	_warned(rig.brain, "jitter_amount 0.08 alone can change a score by more than switch_margin 0.15")
	rig.brain.switch_margin = 0.2
	lacks_element(_warnings(rig.brain), "jitter_amount")


func test_reasons_of_an_abort() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.choose()
	expect_error("abort_action() got the reason 0", 1)
	for reason: int in [0, 3, 4, 99]:
		check(not rig.brain.abort_action(reason), "refused")
	check(rig.brain.is_executing(), "and nothing ended")
	check(rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED), "a proper one")


func test_freed_nodes() -> void:
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [HealthScorer.new()])])
	var foe: Node = rig.aim_at(Vector3(0, 0, -2))
	var context: ActionContext = ActionContext.create(foe)
	foe.free()
	is_null(rig.brain.target, "target")
	is_null(rig.brain.get_focus_target(), "focus")
	var untyped: Variant = rig.brain
	untyped.target = foe
	is_null(rig.brain.target, "assigned")
	near(untyped.score_action(&"Jab", foe), 1.0, 1e-6, "as an argument: null")
	check(rig.brain.execute_action_with_context(&"Jab", context) > 0, "in a context")
	is_null(rig.brain.get_running_target(), "the run has none")
	is_null(rig.brain.get_running_context().target, "nor its context")


func test_no_set_and_no_agent() -> void:
	var lonely: ActionEvaluator = ActionEvaluator.new()
	lonely.process_callback = ActionEvaluator.PROCESS_MANUAL
	add(lonely)
	_warned(lonely, "never acts")
	lonely.advance(0.1)
	eq(lonely.evaluate_now(), false, "no set")
	eq(lonely.get_last_decision().is_valid(), false, "no decision")
	var lost: ActionEvaluator = ActionEvaluator.new()
	lost.process_callback = ActionEvaluator.PROCESS_MANUAL
	lost.agent_path = NodePath("../Nobody")
	lost.default_action_set = ActionSet.new()
	lost.default_action_set.actions = [Rig.spec(&"Jab")]
	add(lost)
	_warned(lost, "there is no node at \"../Nobody\"")
	lost.advance(0.1)
	eq([lost.is_started(), lost.evaluate_now()], [false, false], "nothing is decided")


func test_a_file_with_everything_wrong() -> void:
	var file: FileAccess = FileAccess.open(FILE, FileAccess.WRITE)
	file.store_string(BAD_FILE)
	file.close()
	for text: String in [
		"call_timeout = -3 is read as 0", "bonus_multiplier = 1000000000000000000000000000000 is read as 10",
		"min_value = NaN is refused", "max_value = inf is refused", "exponent = -4 is read as 0.1",
		"selection_weight = NaN is refused", "risk_penalty = 0 is read as 0.01", "tag_score_multipliers[\"Team.Red\"] = -2 is read as 0",
		"cooldown_duration = -5 is read as 0", "cooldown_randomization = 1000000000000000000000000000000 is read as 1", "max_consecutive_uses = 99999999999 is read as 20",
	]:
		expect_warning(text, 1)
	expect_error("requires_tags: tag \"State..Broken\" has an empty segment", 1)
	var moves: ActionSet = ResourceLoader.load(FILE, "", ResourceLoader.CACHE_MODE_IGNORE)
	not_null(moves, "it loads")
	eq(moves.actions.size(), 6, "and keeps its empty places")
	var jab: ActionSpec = moves.find_action(&"Jab")
	eq([jab.selection_weight, jab.risk_penalty, jab.cooldown_duration, jab.cooldown_randomization, jab.max_consecutive_uses], [1.0, 0.01, 0.0, 1.0, 20], "numbers in their ranges")
	eq(jab.requires_tags, ["State.MovmentBlocked"], "the tag that is one")
	var texts: String = " / ".join(moves.validate().map(func(row: Dictionary) -> String: return "%s %s: %s" % [row.severity, row.action, row.message]))
	for part: String in [
		"actions: 2 empty elements are left out", "error Jab: actions[1]: the action_id \"Jab\" is taken", "actions[2] has no action_id",
		"error Idle: There is no execution_method", "fallback_action names \"Nobody\"", "scorers: an empty element", "gates: an empty element",
		"chain_links: an empty element", "there is no action \"Nowhere\"", "Did you mean \"State.MovementBlocked\"?",
	]:
		has_element(texts, part)
	var agent: Puncher = Puncher.new()
	var tags: TagContainer = Rig.tag_container(["State.MovmentBlocked"])
	agent.add_child(tags)
	var rig: Rig = Rig.new(self, [], null, agent)
	rig.aim_at(Vector3(0, 0, -2))
	rig.brain.default_action_set = moves
	eq(rig.brain.get_action_ids(), ["Jab", "Idle"], "what is left acts")
	for i: int in 50:
		rig.brain.evaluate_now()
		rig.step()
		var score: float = rig.brain.get_last_decision().score
		check(is_finite(score) and score >= 0.0, "a sane score")
	check(agent.punches > 0, "and it does")
	DirAccess.remove_absolute(FILE)


func test_a_line_of_sight_is_not_to_be_had_between_physics_steps() -> void:
	const BLIND := "rays are cast in physics steps only and the agent has no Perception"
	var shot: ActionSpec = Rig.spec(&"Shot")
	shot.require_line_of_sight = true
	var rig: Rig = Rig.new(self, [shot])
	if _probe == null:
		check(true, "asks in the debug build only")
		return
	for callback: int in [ActionEvaluator.PROCESS_PHYSICS, ActionEvaluator.PROCESS_MANUAL]:
		rig.brain.process_callback = callback
		lacks_element(_warnings(rig.brain), BLIND, "callback %d" % callback)
	rig.brain.process_callback = ActionEvaluator.PROCESS_IDLE
	has_element(_warnings(rig.brain), BLIND, "with each drawn frame")
	shot.require_line_of_sight = false
	lacks_element(_warnings(rig.brain), BLIND, "no action needs one")
	shot.require_line_of_sight = true
	rig.agent.add_child(Perception3D.new())
	lacks_element(_warnings(rig.brain), BLIND, "a Perception knows whom it sees")


class Puncher extends Node3D:
	var punches: int = 0

	func punch(_context: ActionContext) -> void:
		punches += 1


func _warnings(brain: ActionEvaluator) -> String:
	return " / ".join(_probe.call(&"evaluator_warnings", brain) as PackedStringArray) if _probe != null else ""


## Only the debug library tells what the inspector would show.
func _warned(brain: ActionEvaluator, text: String) -> void:
	if _probe == null:
		check(true, "asks in the debug build only")
	else:
		has_element(_warnings(brain), text)
