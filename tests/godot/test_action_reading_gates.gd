extends TestCase
## StaminaGate, VitalGate and AttributeGate, with every case in which they pass.

const Judged := preload("res://support/judged.gd")
const Rig := preload("res://support/action_rig.gd")

const HERO: String = """extends %s
var rage: Variant = 45.0
var cost: Variant = 30.0
func get_cost() -> Variant:
	return cost
"""


func _hero(base: String = "Node3D") -> Node:
	return script(HERO % base).new()


func _stamina(least: float, by: String = "") -> StaminaGate:
	var made: StaminaGate = StaminaGate.new()
	made.min_stamina = least
	made.min_attribute = by
	return made


func _mana(least: float, source: int = VitalGate.SOURCE_AGENT, by: String = "") -> VitalGate:
	var made: VitalGate = VitalGate.new()
	made.vital_tag = &"Vital.Mana"
	made.min_value = least
	made.source = source
	made.min_attribute = by
	return made


func _rage(least: float, most: float, source: int = AttributeGate.SOURCE_AGENT) -> AttributeGate:
	var made: AttributeGate = AttributeGate.new()
	made.attribute = "rage"
	made.min_value = least
	made.max_value = most
	made.source = source
	return made


func test_ex_30_a58() -> void:
	var judged: Judged = Judged.new(self, Node3D.new(), [], [_mana(30.0)])
	check(judged.passes(), "no AgentVitals")
	var vitals: AgentVitals = Judged.vitals({&"Vital.Mana": [29.9, 100.0]})
	judged.agent.add_child(vitals)
	eq(judged.row()["refusal"], ActionEvaluator.REFUSAL_GATE, "29.9")
	eq(judged.row()["detail"], "VitalGate Vital.Mana (min 30)", "its detail")
	vitals.set_value(&"Vital.Mana", 30.0)
	check(judged.passes(), "30")


func test_ex_30_a59() -> void:
	var hero: Node = _hero()
	var judged: Judged = Judged.new(self, hero, [], [_rage(30.0, 60.0)])
	for pair: Array in [[30.0, true], [60.0, true], [60.1, false], [29.9, false], [45, true]]:
		hero.set("rage", pair[0])
		eq(judged.passes(), pair[1], "rage %s" % [pair[0]])
	eq(judged.row()["refusal"], ActionEvaluator.REFUSAL_NONE, "refusal")
	var plain: Judged = Judged.new(self, Node3D.new(), [], [_rage(30.0, 60.0)])
	check(plain.passes(), "the attribute is absent")


func test_ex_30_a61() -> void:
	var judged: Judged = Judged.new(self, Node3D.new(), [], [_stamina(50.0)])
	check(judged.passes(), "100 without AgentVitals")
	judged.jab.gates = [_stamina(100.1)]
	judged.brain.advance(0.001)
	check(not judged.passes(), "and no more than that")


func test_defaults() -> void:
	var stamina: StaminaGate = StaminaGate.new()
	eq([stamina.min_stamina, stamina.min_attribute], [0.0, ""], "stamina")
	var vital: VitalGate = VitalGate.new()
	eq([vital.vital_tag, vital.min_value, vital.use_fraction, vital.source, vital.min_attribute],
		[&"", 0.0, false, 0, ""], "vital")
	var attribute: AttributeGate = AttributeGate.new()
	eq([attribute.attribute, attribute.min_value, attribute.max_value, attribute.source, attribute.min_attribute],
		["", 0.0, 1000000.0, 0, ""], "attribute")
	eq([VitalGate.SOURCE_AGENT, AttributeGate.SOURCE_TARGET], [0, 1], "constants")


func test_stamina_of_the_agent() -> void:
	for base: String in ["Node3D", "Node2D"]:
		var judged: Judged = Judged.new(self, _hero(base), [], [_stamina(50.0)])
		var health: AgentVitals = Judged.vitals({&"Vital.Health": [1.0, 100.0]})
		judged.agent.add_child(health)
		check(judged.passes(), "no such row, " + base)
		health.free()
		var vitals: AgentVitals = Judged.vitals({&"Vital.Stamina": [49.9, 200.0]})
		judged.agent.add_child(vitals)
		check(not judged.passes(), "49.9 of 200")
		vitals.set_value(&"Vital.Stamina", 50.0)
		check(judged.passes(), "50 of 200: the value counts, not the share")


func test_share_of_a_vital() -> void:
	var gate: VitalGate = _mana(0.5)
	gate.use_fraction = true
	var judged: Judged = Judged.new(self, Node3D.new(), [], [gate])
	var vitals: AgentVitals = Judged.vitals({&"Vital.Mana": [39.0, 80.0]})
	judged.agent.add_child(vitals)
	check(not judged.passes(), "39 of 80")
	vitals.set_value(&"Vital.Mana", 40.0)
	check(judged.passes(), "40 of 80")


func test_gates_on_the_target() -> void:
	for base: String in ["Node3D", "Node2D"]:
		var gates: Array = [_mana(30.0, VitalGate.SOURCE_TARGET), _rage(30.0, 60.0, AttributeGate.SOURCE_TARGET)]
		var judged: Judged = Judged.new(self, _hero(base), [], gates)
		judged.agent.set("rage", 0.0)
		judged.agent.add_child(Judged.vitals({&"Vital.Mana": [0.0, 80.0]}))
		check(judged.passes(), "no target, no effect, " + base)
		var foe: Node = judged.aim_at(Node2D.new() if base == "Node2D" else Node3D.new())
		check(judged.passes(), "a target without both")
		foe = judged.aim_at(_hero(base))
		var vitals: AgentVitals = Judged.vitals({&"Vital.Mana": [29.0, 80.0]})
		foe.add_child(vitals)
		eq(judged.row()["detail"], "VitalGate target Vital.Mana (min 30)", "its vital")
		vitals.set_value(&"Vital.Mana", 30.0)
		check(judged.passes(), "both within")
		foe.set("rage", 60.5)
		eq(judged.row()["detail"], "AttributeGate target rage (min 30, max 60)", "its attribute")
		foe.free()
		check(judged.passes(), "the target was freed")


func test_each_target_is_judged_by_its_own_numbers() -> void:
	var judged: Judged = Judged.new(self, Node3D.new(), [], [_rage(30.0, 60.0, AttributeGate.SOURCE_TARGET)])
	judged.jab.target_mode = ActionSpec.TARGET_EACH
	judged.brain.advance(0.001)
	var foes: Array = []
	for rage: float in [10.0, 50.0, 90.0]:
		var foe: Node = add(_hero())
		foe.set("rage", rage)
		foes.append(foe)
	judged.brain.set_candidate_targets(foes)
	judged.brain.record_decisions = true
	var decision: ActionDecision = judged.brain.evaluate_best_action()
	eq(decision.target, foes[1], "the only one within")
	var rows: Array = decision.get_candidates().map(func(row: Dictionary) -> int: return row["refusal"])
	eq(rows.count(ActionEvaluator.REFUSAL_GATE), 2, "the others are refused")


func test_a_minimum_from_an_attribute_of_the_agent() -> void:
	var hero: Node = _hero()
	hero.add_child(Judged.vitals({&"Vital.Mana": [25.0, 100.0], &"Vital.Stamina": [25.0, 100.0]}))
	var rage: AttributeGate = _rage(0.0, 100.0)
	rage.min_attribute = "get_cost()"
	for gate: Resource in [_stamina(10.0, "cost"), _mana(10.0, VitalGate.SOURCE_AGENT, "cost"), rage]:
		var judged: Judged = Judged.new(self, hero, [], [gate])
		hero.set("rage", 25.0)
		hero.set("cost", 30.0)
		check(not judged.passes(), "25 is below the cost")
		hero.set("cost", 25)
		check(judged.passes(), "as much as it costs")
		for wrong: Variant in [NAN, INF, "30", null]:
			hero.set("cost", wrong)
			check(judged.passes(), "the constant counts, cost is %s" % [wrong])
		judged.brain.free()


func test_a_minimum_is_of_the_agent_for_a_target_too() -> void:
	var judged: Judged = Judged.new(self, _hero(), [], [_mana(10.0, VitalGate.SOURCE_TARGET, "cost")])
	var foe: Node = judged.aim_at(_hero())
	foe.add_child(Judged.vitals({&"Vital.Mana": [25.0, 100.0]}))
	foe.set("cost", 0.0)
	check(not judged.passes(), "the agent's cost is 30")
	judged.agent.set("cost", 20.0)
	check(judged.passes(), "20")


func test_numbers_that_are_none_are_refused() -> void:
	var gate: AttributeGate = _rage(30.0, 60.0)
	expect_warning("min_value = NaN is refused, it stays 30.")
	expect_warning("max_value = inf is refused, it stays 60.")
	gate.min_value = NAN
	gate.max_value = INF
	eq([gate.min_value, gate.max_value], [30.0, 60.0], "limits stay")
	gate.min_value = -5.0
	eq(gate.min_value, -5.0, "an attribute may be negative")
	var vital: VitalGate = _mana(30.0)
	expect_warning("min_value = -1 is read as 0.")
	vital.min_value = -1.0
	eq(vital.min_value, 0.0, "a vital may not")
	expect_error("vital_tag: ")
	vital.vital_tag = &"."
	expect_error("source = -1 is refused")
	vital.source = -1
	eq([vital.vital_tag, vital.source], [&"Vital.Mana", 0], "they stay")


func test_warnings() -> void:
	var never: VitalGate = _mana(30.0)
	never.use_fraction = true
	var gates: Array = [AttributeGate.new(), VitalGate.new(), _rage(60.0, 30.0), never, _mana(30.0)]
	var judged: Judged = Judged.new(self, Node3D.new(), [], gates)
	var problems: Array = judged.brain.default_action_set.validate().map(
		func(problem: Dictionary) -> String: return problem["message"])
	var wanted: Array[String] = ["attribute is empty", "vital_tag is empty", "above max_value", "never opens", "is not declared"]
	for i: int in wanted.size():
		check(problems.any(func(text: String) -> bool: return text.begins_with("gates[%d]" % i) and wanted[i] in text),
			"a warning about gate %d in %s" % [i, problems])


func test_gates_of_reactions() -> void:
	var spec: ReactionSpec = ReactionSpec.new()
	spec.reaction_id = &"Parry"
	spec.trigger_tags = ["Event.Attack"]
	spec.cooldown_randomization = 0.0
	spec.add_tags = PackedStringArray()
	spec.execution_method = Rig.spec(&"Jab").execution_method
	spec.gates = [_rage(30.0, 60.0, AttributeGate.SOURCE_TARGET)]
	var moves: ReactionSet = ReactionSet.new()
	moves.reactions = [spec]
	var brain: ReactionEvaluator = ReactionEvaluator.new()
	brain.process_callback = ReactionEvaluator.PROCESS_MANUAL
	brain.default_reaction_set = moves
	var agent: Node = _hero()
	agent.add_child(brain)
	add(agent)
	var foe: Node = add(_hero())
	foe.set("rage", 10.0)
	eq(brain.react(&"Event.Attack", null, foe), &"", "of the target override, read at the event")
	foe.set("rage", 40.0)
	eq(brain.react(&"Event.Attack", null, foe), &"Parry", "and read again")
