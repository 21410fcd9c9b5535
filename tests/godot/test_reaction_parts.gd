extends TestCase
## Scorers, gates and the node's own virtuals on reactions: on the target of the event, as the world is at the event.

const Rig := preload("res://support/action_rig.gd")
const Kit := preload("res://support/reaction_rig.gd")
const Judged := preload("res://support/judged.gd")
const Doubles := preload("res://support/doubles.gd")
const HIT: StringName = &"Event.Hit"


class Judge:
	extends ReactionEvaluator
	var vetoes: Array[StringName] = []
	var factor: float = 1.0
	var asked: PackedStringArray = []

	func _can_execute_reaction(reaction_id: StringName, context: DecisionContext) -> bool:
		asked.append("may %s at %s, seed %d" % [reaction_id, context.target.name if context.target != null else &"nobody", context.seed])
		return not vetoes.has(reaction_id)

	func _modify_reaction_score(reaction_id: StringName, base_score: float, context: DecisionContext) -> float:
		asked.append("modify %s %.2f, seed %d" % [reaction_id, base_score, context.action_seed])
		return base_score * factor


func _reaction(id: StringName, scorers: Array, gates: Array = [], weight: float = 1.0) -> ReactionSpec:
	var made: ReactionSpec = ReactionSpec.new()
	made.reaction_id = id
	made.trigger_tags = [HIT]
	made.selection_weight = weight
	made.cooldown_randomization = 0.0
	made.add_tags = PackedStringArray()
	made.execution_method = Rig.quick(id).execution_method
	made.scorers = scorers
	made.gates = gates
	return made


func _node(agent: Node, specs: Array[ReactionSpec], brain: ReactionEvaluator = null) -> ReactionEvaluator:
	var made: ReactionEvaluator = brain if brain != null else ReactionEvaluator.new()
	made.process_callback = ReactionEvaluator.PROCESS_MANUAL
	var moves: ReactionSet = ReactionSet.new()
	moves.reactions = specs
	made.default_reaction_set = moves
	agent.add_child(made)
	if not agent.is_inside_tree():
		add(agent)
	return made


func _react(brain: ReactionEvaluator, foe: Node = null) -> StringName:
	var id: StringName = brain.react(HIT, null, foe)
	brain.abort_reaction()
	return id


func test_scorers_look_at_the_target_of_the_event() -> void:
	var near_one: ReactionSpec = _reaction(&"Near", [DistanceScorer.new()])
	var far_one: ReactionSpec = _reaction(&"Far", [], [], 0.25)
	var brain: ReactionEvaluator = _node(Node3D.new(), [near_one, far_one])
	var foes: Array[Node3D] = [add(Node3D.new()), add(Node3D.new())]
	foes[0].position = Vector3(0, 0, -2)
	foes[1].position = Vector3(0, 0, -4.9)
	eq(_react(brain, foes[0]), &"Near", "2 m away")
	eq(_react(brain, foes[1]), &"Far", "4.9 m away")
	foes[1].position = Vector3(0, 0, -2.5)
	eq(_react(brain, foes[1]), &"Near", "read again at the event")
	eq(_react(brain), &"Far", "nobody: a distance of 0")


func test_speed_vitals_and_attributes_are_read_at_the_event() -> void:
	var body: CharacterBody3D = character()
	var vitals: AgentVitals = Judged.vitals({&"Vital.Stamina": [40.0, 100.0], &"Vital.Poise": [10.0, 100.0]})
	body.add_child(vitals)
	var speed: SpeedScorer = SpeedScorer.new()
	speed.range = Judged.curve(1.0, 5.0, 20.0, 20.0)
	var poise: VitalGate = VitalGate.new()
	poise.vital_tag = &"Vital.Poise"
	poise.min_value = 50.0
	var stamina: StaminaGate = StaminaGate.new()
	stamina.min_stamina = 50.0
	var brain: ReactionEvaluator = _node(body, [
		_reaction(&"Slide", [speed]), _reaction(&"Roll", [], [stamina]), _reaction(&"Hold", [], [poise]),
		_reaction(&"Flinch", [], [], 0.1)])
	eq(_react(brain), &"Flinch", "standing, tired, shaken")
	vitals.set_value(&"Vital.Poise", 50.0)
	eq(_react(brain), &"Hold", "poise")
	vitals.set_value(&"Vital.Stamina", 50.0)
	eq(_react(brain), &"Roll", "stamina")
	body.velocity = Vector3(6, 0, 0)
	eq(_react(brain), &"Slide", "speed")


func test_the_nodes_own_virtuals() -> void:
	var judge: Judge = Judge.new()
	var agent: Node3D = Node3D.new()
	_node(agent, [_reaction(&"Parry", []), _reaction(&"Dodge", [], [], 0.5)], judge)
	var foe: Node3D = add(Node3D.new())
	foe.name = "Foe"
	eq(_react(judge, foe), &"Parry", "the best")
	eq(judge.asked, ["may Parry at Foe, seed 0", "modify Parry 1.00, seed 0",
		"may Dodge at Foe, seed 0", "modify Dodge 0.50, seed 0"], "what it was asked, with seed 0")
	judge.vetoes = [&"Parry"]
	eq(_react(judge, foe), &"Dodge", "a veto")
	judge.factor = 0.0
	eq(_react(judge, foe), &"", "a score of 0")
	judge.factor = NAN
	expect_warning("_modify_reaction_score() for reaction \"Dodge\" returned NaN; it counts as 0.")
	eq(_react(judge), &"", "no number")


func test_threat_in_the_context_is_that_of_the_perception() -> void:
	var rig := preload("res://support/awareness_rig.gd").new(self)
	var enemy: Node3D = rig.target(Vector3(0, 0, -10))
	var seen: Array = []
	var peek: Doubles.Scorer = Doubles.scorer_that(func(_scorer: ActionScorer, context: DecisionContext) -> float:
		seen.append(context.threat)
		return 1.0)
	var judged: Judged = Judged.new(self, rig.guard, [peek])
	judged.brain.target = enemy
	judged.score()
	eq(seen, [0.0], "unknown so far")
	rig.advance(11)
	judged.score()
	check(seen[1] > 0.0, "some threat")
	near(seen[1], rig.eye.get_threat(enemy), 1e-9, "that of the Perception")


class Judging extends ReactionEvaluator:
	func _modify_reaction_score(_id: StringName, _score: float, _context: DecisionContext) -> float:
		return NAN


func test_warnings_speak_of_reactions() -> void:
	var kit: Kit = Kit.new(self, [Kit.reaction()], [], Judging.new())
	expect_warning("_modify_reaction_score() for reaction \"Parry\" returned NaN; it counts as 0.")
	eq(kit.reactions.react(Kit.HIT), &"", "no number, no score")
	var scored: ReactionSpec = Kit.reaction(&"Dodge")
	scored.scorers = [Doubles.scorer(-1.0)]
	(scored.execution_method as Doubles.Method).timeout = -5.0
	var other: Kit = Kit.new(self, [scored])
	expect_warning("scorer 0 of reaction \"Dodge\" returned -1")
	eq(other.reactions.react(Kit.HIT), &"", "nor a negative one")
	scored.scorers = []
	other.step()
	expect_warning("the method of reaction \"Dodge\" has a time-out of -5 s; it is read as 0.")
	eq(other.reactions.react(Kit.HIT), &"Dodge", "it starts")
