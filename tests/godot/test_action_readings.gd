extends TestCase
## SpeedScorer, VitalScorer and AttributeScorer, with every case in which they have no effect.

const Judged := preload("res://support/judged.gd")

const HERO: String = """extends %s
var rage: Variant = 45.0
var max_rage: Variant = 60.0
var asked: int = 0
func get_level() -> Variant:
	asked += 1
	return 3
func get_share(of: float) -> float:
	return of
"""


func _hero(base: String = "Node3D") -> Node:
	return script(HERO % base).new()


func _rage(exponent: float = 1.0, source: int = AttributeScorer.SOURCE_AGENT) -> AttributeScorer:
	var made: AttributeScorer = AttributeScorer.new()
	made.attribute = "rage"
	made.normalize_by = "max_rage"
	made.range = Judged.ramp(exponent)
	made.source = source
	return made


func _mana(fraction: bool, top: float, source: int = VitalScorer.SOURCE_AGENT) -> VitalScorer:
	var made: VitalScorer = VitalScorer.new()
	made.vital_tag = &"Vital.Mana"
	made.use_fraction = fraction
	made.range = Judged.curve(0.0, top, top, top)
	made.source = source
	return made


func _speed(top: float, in_pixels: bool = false) -> SpeedScorer:
	var made: SpeedScorer = SpeedScorer.new()
	made.range = Judged.curve(0.0, top, top, top)
	made.in_pixels = in_pixels
	return made


# Attributes.


func test_ex_30_a60() -> void:
	var hero: Node = _hero()
	var judged: Judged = Judged.new(self, hero, [_rage()])
	near(judged.score(), 0.75, 1e-6, "45 of 60")
	judged.jab.scorers = [_rage(2.0)]
	judged.brain.advance(0.001)
	near(judged.score(), 0.5625, 1e-6, "exponent 2")
	hero.set("max_rage", 0.0)
	near(judged.score(), 0.0, 1e-6, "max_rage 0")
	eq(judged.row()["refusal"], ActionEvaluator.REFUSAL_ZERO_SCORE, "and so refused")


func test_defaults() -> void:
	var attribute: AttributeScorer = AttributeScorer.new()
	eq([attribute.attribute, attribute.normalize_by, attribute.source], ["", "", 0], "attribute")
	var vital: VitalScorer = VitalScorer.new()
	eq([vital.vital_tag, vital.use_fraction, vital.source], [&"", true, 0], "vital")
	eq(SpeedScorer.new().in_pixels, false, "speed")
	for scorer: Resource in [attribute, vital, SpeedScorer.new()]:
		eq(scorer.get("range").always_one, true, "range of a new " + scorer.get_class())
	eq([AttributeScorer.SOURCE_AGENT, VitalScorer.SOURCE_TARGET], [0, 1], "constants")


func test_an_attribute_that_is_no_number_has_no_effect() -> void:
	var hero: Node = _hero()
	var judged: Judged = Judged.new(self, hero, [_rage()])
	for wrong: Variant in [NAN, INF, -INF, "45", null, [45.0], Vector3.ONE, hero]:
		hero.set("rage", wrong)
		near(judged.score(), 1.0, 1e-6, "rage is %s" % [wrong])
	hero.set("rage", 0.25)
	for wrong: Variant in [NAN, INF, "60", null, {}]:
		hero.set("max_rage", wrong)
		near(judged.score(), 0.25, 1e-6, "raw, max_rage is %s" % [wrong])
	hero.set("rage", 0)
	near(judged.score(), 0.0, 1e-6, "an integer counts")
	hero.set("rage", true)
	near(judged.score(), 1.0, 1e-6, "true counts as 1")


func test_attributes_that_are_not_there() -> void:
	var judged: Judged = Judged.new(self, Node3D.new(), [_rage()])
	near(judged.score(), 1.0, 1e-6, "no such property")
	var stats: Node = _hero("Node")
	stats.name = "Stats"
	judged.agent.add_child(stats)
	near(judged.score(), 0.75, 1e-6, "the property of a child")
	var scorer: AttributeScorer = judged.jab.scorers[0]
	scorer.attribute = "Stats:rage"
	scorer.normalize_by = "Nowhere:max_rage"
	stats.set("rage", 0.5)
	judged.brain.advance(0.001)
	near(judged.score(), 0.5, 1e-6, "a path, and a divisor that is not there")
	stats.free()
	near(judged.score(), 1.0, 1e-6, "its node was freed")


func test_an_attribute_by_a_method() -> void:
	var hero: Node = _hero()
	var scorer: AttributeScorer = AttributeScorer.new()
	scorer.attribute = "get_level()"
	scorer.range = Judged.curve(0.0, 6.0, 6.0, 6.0)
	var judged: Judged = Judged.new(self, hero, [scorer, scorer])
	near(judged.score(), 0.25, 1e-6, "3 of 6, twice")
	eq(hero.get("asked"), 1, "read once per evaluation")
	for wrong: String in ["get_share()", "nothing()", "()", ":", "/root:name", "..:rage", "%"]:
		scorer.attribute = wrong
		judged.brain.advance(0.001)
		near(judged.score(), 1.0, 1e-6, "attribute \"%s\"" % wrong)


func test_attributes_of_the_target() -> void:
	var judged: Judged = Judged.new(self, _hero(), [_rage(1.0, AttributeScorer.SOURCE_TARGET)])
	near(judged.score(), 1.0, 1e-6, "no target, no effect")
	var foe: Node = judged.aim_at(_hero())
	foe.set("rage", 30.0)
	near(judged.score(), 0.5, 1e-6, "of the target")
	judged.aim_at(Node3D.new())
	near(judged.score(), 1.0, 1e-6, "the target does not have it")
	judged.aim_at(foe)
	foe.free()
	near(judged.score(), 1.0, 1e-6, "the target was freed")


func test_ranges_and_names_that_are_missing() -> void:
	var blank: AttributeScorer = AttributeScorer.new()
	var unranged: AttributeScorer = _rage()
	unranged.range = null
	var nameless: VitalScorer = VitalScorer.new()
	nameless.range = Judged.curve(5.0, 6.0, 7.0, 8.0)
	blank.range = Judged.curve(5.0, 6.0, 7.0, 8.0)
	var still: SpeedScorer = SpeedScorer.new()
	still.range = null
	var judged: Judged = Judged.new(self, _hero(), [blank, unranged, nameless, still])
	near(judged.score(), 1.0, 1e-6, "no effect")
	var problems: Array = judged.brain.default_action_set.validate().map(
		func(problem: Dictionary) -> String: return problem["message"])
	var wanted: Array[String] = ["attribute is empty", "no range", "vital_tag is empty", "no range"]
	for i: int in wanted.size():
		check(problems.any(func(text: String) -> bool: return text.begins_with("scorers[%d]" % i) and wanted[i] in text),
			"a warning about scorer %d in %s" % [i, problems])


func test_labels_name_what_is_looked_at() -> void:
	var judged: Judged = Judged.new(
		self, _hero(), [_rage(), _mana(true, 1.0, VitalScorer.SOURCE_TARGET), _speed(4.0), _speed(4.0, true)])
	var names: Array = judged.row()["factors"].map(func(factor: Array) -> String: return factor[0])
	for wanted: String in [
		"AttributeScorer rage / max_rage (0/1/1/1)",
		"VitalScorer target Vital.Mana (0/1/1/1)",
		"SpeedScorer (0/4/4/4 m/s)",
		"SpeedScorer (0/4/4/4 px/s)",
	]:
		has_element(names, wanted, "factors")


# Vitals.


func test_vitals_of_agent_and_target() -> void:
	for base: String in ["Node3D", "Node2D"]:
		var agent: Node = _hero(base)
		agent.add_child(Judged.vitals({&"Vital.Mana": [20.0, 80.0]}))
		var judged: Judged = Judged.new(self, agent, [_mana(true, 1.0)])
		near(judged.score(), 0.25, 1e-6, "the share, " + base)
		(judged.jab.scorers[0] as VitalScorer).use_fraction = false
		judged.brain.advance(0.001)
		near(judged.score(), 0.0, 1e-6, "the value, 20, is above the range")
		judged.jab.scorers = [_mana(false, 40.0)]
		judged.brain.advance(0.001)
		near(judged.score(), 0.5, 1e-6, "the value")
		judged.jab.scorers = [_mana(true, 1.0, VitalScorer.SOURCE_TARGET)]
		judged.brain.advance(0.001)
		near(judged.score(), 1.0, 1e-6, "no target, no effect")
		var foe: Node = judged.aim_at(_hero(base))
		near(judged.score(), 1.0, 1e-6, "a target without vitals")
		foe.add_child(Judged.vitals({&"Vital.Mana": [40.0, 80.0]}))
		near(judged.score(), 0.5, 1e-6, "of the target")
		foe.free()
		near(judged.score(), 1.0, 1e-6, "the target was freed")


func test_vitals_that_are_missing() -> void:
	var judged: Judged = Judged.new(self, Node3D.new(), [_mana(true, 1.0)])
	near(judged.score(), 1.0, 1e-6, "no AgentVitals")
	var health: AgentVitals = Judged.vitals({&"Vital.Health": [1.0, 100.0]})
	judged.agent.add_child(health)
	near(judged.score(), 1.0, 1e-6, "no such row")
	health.free()
	judged.agent.add_child(Judged.vitals({&"Vital.Mana": [0.0, 0.0]}))
	near(judged.score(), 0.0, 1e-6, "a maximum of 0 is an empty vital")


func test_a_tag_that_is_none_is_refused() -> void:
	var scorer: VitalScorer = _mana(true, 1.0)
	expect_error("VitalScorer: vital_tag: ")
	scorer.vital_tag = &"Vital..Mana"
	eq(scorer.vital_tag, &"Vital.Mana", "it stays")
	expect_error("source = 7 is refused, it stays 0.")
	scorer.source = 7
	eq(scorer.source, VitalScorer.SOURCE_AGENT, "source")


# Speed.


func test_speed_over_the_ground() -> void:
	var body: CharacterBody3D = character()
	var judged: Judged = Judged.new(self, body, [_speed(10.0)])
	near(judged.score(), 0.0, 1e-6, "standing")
	body.velocity = Vector3(3, 100, -4)
	near(judged.score(), 0.5, 1e-6, "5 m/s, falling does not count")
	judged.jab.scorers = [_speed(10.0, true)]
	judged.brain.advance(0.001)
	near(judged.score(), 0.5, 1e-6, "in 3D a unit is a metre")


func test_speed_in_2d() -> void:
	var body: CharacterBody2D = CharacterBody2D.new()
	body.velocity = Vector2(300, -400)
	var judged: Judged = Judged.new(self, body, [_speed(10.0)])
	near(judged.score(), 0.5, 1e-6, "500 px/s are 5 m/s")
	judged.jab.scorers = [_speed(2000.0, true)]
	judged.brain.advance(0.001)
	near(judged.score(), 0.25, 1e-6, "in pixels")


func test_speed_of_rigid_bodies_and_scripts() -> void:
	var rigid: RigidBody3D = RigidBody3D.new()
	rigid.freeze = true
	var judged: Judged = Judged.new(self, rigid, [_speed(10.0)])
	rigid.linear_velocity = Vector3(0, 50, 2.5)
	near(judged.score(), 0.25, 1e-6, "linear_velocity")
	var own: Node3D = script("extends Node3D\nvar velocity: Variant = Vector3(4, 0, 3)\n").new()
	judged = Judged.new(self, own, [_speed(10.0)])
	near(judged.score(), 0.5, 1e-6, "velocity of a script")
	for wrong: Variant in [Vector3(NAN, 0, 0), Vector3(INF, 0, 0), "fast", null, 5.0, Vector3i(5, 0, 0)]:
		own.set("velocity", wrong)
		near(judged.score(), 0.0, 1e-6, "velocity is %s, and it did not move" % [wrong])
	own.set("velocity", Vector2(3, 4))
	near(judged.score(), 0.5, 1e-6, "a flat velocity")


func test_speed_without_a_velocity_is_measured() -> void:
	for body: Node in [Node3D.new(), Node2D.new()]:
		var unit: float = 1.0 if body is Node3D else 100.0
		var judged: Judged = Judged.new(self, body, [_speed(10.0)])
		judged.brain.advance(0.1)
		near(judged.score(), 0.0, 1e-6, "it did not move yet")
		_move(body, 0.5 * unit)
		judged.brain.advance(0.1)
		near(judged.score(), 0.5, 1e-5, "0.5 m in 0.1 s")
		near(judged.score(), 0.5, 1e-5, "asking changes nothing")
		judged.brain.time_scale = 0.5
		_move(body, 0.5 * unit)
		judged.brain.advance(0.1)
		near(judged.score(), 0.5, 1e-5, "the clock of the evaluator does not matter")
		judged.brain.advance(0.1)
		near(judged.score(), 0.0, 1e-6, "it stopped")


func _move(body: Node, way: float) -> void:
	if body is Node3D:
		(body as Node3D).position += Vector3(0, 7, way)
	else:
		(body as Node2D).position.y += way


func test_an_agent_without_a_place_stands_still() -> void:
	var judged: Judged = Judged.new(self, Node.new(), [_speed(10.0)])
	judged.brain.advance(0.1)
	near(judged.score(), 0.0, 1e-6, "speed")
