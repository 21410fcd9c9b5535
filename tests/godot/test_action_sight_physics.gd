extends TestCase
## Actions that need a line of sight: whom the agent sees, when it may look, and what it remembers.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const LIMIT := "riposte/evaluation/max_los_per_step"


static func _shot() -> ActionSpec:
	var made: ActionSpec = Rig.spec(&"Shot")
	made.require_line_of_sight = true
	return made


func _rig(foe_at: Vector3 = Vector3(0, 0, -6)) -> Rig:
	var rig: Rig = Rig.new(self, [_shot()])
	rig.aim_at(foe_at)
	return rig


func _body_below(node: Node, at: Vector3 = Vector3.ZERO) -> StaticBody3D:
	var body: StaticBody3D = wall(at, Vector3(1, 4, 1))
	body.reparent(node)
	return body


func test_defaults() -> void:
	var brain: ActionEvaluator = ActionEvaluator.new()
	eq([brain.eye_height, brain.los_mask, ActionSpec.new().require_line_of_sight], [1.6, 1, false], "evaluator and action")
	eq(ProjectSettings.get_setting(LIMIT), 256, "budget")
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	eq([reactions.eye_height, reactions.los_mask, ReactionSpec.new().require_line_of_sight], [1.6, 1, false], "reactions")
	expect_warning("eye_height = NaN is refused, it stays 1.6.")
	brain.eye_height = NAN
	eq(brain.eye_height, 1.6, "no number")
	brain.los_mask = -1
	eq(brain.los_mask, 0xFFFFFFFF, "all layers")
	brain.free()
	reactions.free()


func test_a_wall_hides() -> void:
	var rig: Rig = _rig()
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "nothing between")
	var between: StaticBody3D = wall(Vector3(0, 0, -3), Vector3(4, 4, 0.5))
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "a wall")
	check(not rig.brain.evaluate_now(), "nothing starts")
	rig.brain.los_mask = 2
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "not on these layers")
	rig.brain.los_mask = 0
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "nothing hides")
	rig.brain.los_mask = 1
	between.position.y = -1.0
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "1 m high, below the eye")
	rig.brain.eye_height = 0.5
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "the eye is lower")
	rig.brain.target = null
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "without a target")


func test_own_bodies_and_those_of_the_target_hide_nothing() -> void:
	var rig: Rig = _rig()
	_body_below(rig.agent)
	_body_below(rig.brain.target, Vector3(0, 0, -6))
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "both have bodies")
	var other: CharacterBody3D = character(Vector3(0, 0, -3), "Ally", 1)
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "an ally stands in the way")
	other.free()
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "it is gone")


func test_the_ray_goes_to_the_aim_point_of_a_source() -> void:
	var rig: Rig = _rig()
	var source: StimulusSource3D = StimulusSource3D.new()
	source.sight_target_offset = Vector3(0, 0.2, 0)
	rig.brain.target.add_child(source)
	wall(Vector3(0, 0, -5.5), Vector3(4, 1.5, 0.5))
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "its aim point is behind the low wall")
	source.sight_target_offset = Vector3(0, 1.6, 0)
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "above it")


func test_a_perception_answers_by_what_it_senses_else_by_its_rays() -> void:
	var rig: Rig = _rig(Vector3(0, 0, -6))
	var eye: Perception3D = Perception3D.new()
	eye.process_callback = Perception3D.PROCESS_MANUAL
	eye.sight_radius = 20.0
	eye.sight_blocking_mask = 1
	rig.agent.add_child(eye)
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "it would see it")
	var between: StaticBody3D = wall(Vector3(0, 0, -3), Vector3(8, 8, 0.5))
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "its rays are blocked")
	eye.sight_blocking_mask = 4
	rig.brain.los_mask = 1
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "its own layers count, not los_mask")
	between.free()


func test_outside_the_physics_step_the_last_look_counts_for_half_a_second() -> void:
	var rig: Rig = _rig()
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "a look")
	await idle()
	check(not Engine.is_in_physics_frame(), "outside")
	rig.step(4, 0.1)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "0.4 s ago")
	rig.step(1, 0.1)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "0.5 s ago")
	var fresh: Rig = _rig()
	eq(fresh.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "never looked")
	await physics()
	eq(fresh.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "in the step again")


func test_looks_of_a_step_are_bounded() -> void:
	var rigs: Array[Rig] = []
	for i: int in 5:
		rigs.append(_rig(Vector3(i, 0, -6)))
	ProjectSettings.set_setting(LIMIT, 3)
	await physics(2)
	eq(_seeing(rigs), 3, "three looks in this step")
	await physics()
	rigs.reverse()
	eq(_seeing(rigs), 5, "three looks, and what the other two remember")
	ProjectSettings.set_setting(LIMIT, 0)
	await physics()
	eq(_seeing(rigs), 5, "as many as are asked for")
	ProjectSettings.set_setting(LIMIT, 256)


func _seeing(rigs: Array[Rig]) -> int:
	return rigs.filter(func(rig: Rig) -> bool: return rig.refusal(&"Shot") == ActionEvaluator.REFUSAL_NONE).size()


func test_one_look_per_target_and_decision() -> void:
	var rig: Rig = Rig.new(self, [_shot(), Rig.spec(&"Jab")])
	var leap: ActionSpec = _shot()
	leap.action_id = &"Leap"
	rig.moves.actions = [_shot(), leap, Rig.spec(&"Jab")]
	rig.step(1, 0.001)
	rig.aim_at(Vector3(0, 0, -6))
	ProjectSettings.set_setting(LIMIT, 1)
	await physics(2)
	var refusals: Array = rig.brain.evaluate_best_action().get_candidates().map(func(row: Dictionary) -> int: return row.refusal)
	eq(refusals.count(ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT), 0, "one look serves both actions")
	ProjectSettings.set_setting(LIMIT, 256)


func test_gates_before_it_spare_the_look() -> void:
	var shot: ActionSpec = _shot()
	shot.requires_tags = ["Role.Archer"]
	shot.gates = [Doubles.gate(false)]
	var rig: Rig = Rig.new(self, [shot])
	rig.aim_at(Vector3(0, 0, -6))
	wall(Vector3(0, 0, -3), Vector3(4, 4, 0.5))
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_REQUIRED_TAGS, "7 before 9")
	rig.agent.add_child(Rig.tag_container(["Role.Archer"]))
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "9 before 10")


func test_a_plane() -> void:
	var agent: Node2D = Node2D.new()
	var brain: ActionEvaluator = ActionEvaluator.new()
	var moves: ActionSet = ActionSet.new()
	moves.actions = [_shot()]
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.default_action_set = moves
	brain.eye_height = 0.0
	agent.add_child(brain)
	var foe: Node2D = Node2D.new()
	foe.position = Vector2(400, 0)
	add_child(agent)
	add_child(foe)
	brain.start()
	brain.target = foe
	await physics(2)
	ne(brain.score_action(&"Shot"), 0.0, "nothing between")
	var body: StaticBody2D = StaticBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	var box: RectangleShape2D = RectangleShape2D.new()
	box.size = Vector2(20, 100)
	shape.shape = box
	body.add_child(shape)
	body.position = Vector2(200, 0)
	add_child(body)
	await physics(2)
	eq(brain.score_action(&"Shot"), 0.0, "a wall")
	brain.eye_height = 1.0
	ne(brain.score_action(&"Shot"), 0.0, "100 px up, over the wall")
	brain.eye_height = -1.0
	ne(brain.score_action(&"Shot"), 0.0, "100 px down, under it")


func test_a_world_of_its_own() -> void:
	var port: SubViewport = SubViewport.new()
	port.own_world_3d = true
	add_child(port)
	var agent: Node3D = Node3D.new()
	port.add_child(agent)
	var rig: Rig = Rig.new(self, [_shot()], null, agent)
	var foe: Node3D = Node3D.new()
	foe.position = Vector3(0, 0, -6)
	port.add_child(foe)
	rig.brain.target = foe
	wall(Vector3(0, 0, -3), Vector3(4, 4, 0.5))
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "the wall is in another world")
	rig.aim_at(Vector3(0, 0, -1))
	await physics()
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "so is this target")


func test_targets_and_agents_without_a_place() -> void:
	var rig: Rig = _rig()
	var plain: Node = add(Node.new())
	rig.brain.target = plain
	await physics(2)
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "a target without a place")
	var flat: Node = add(Node2D.new())
	rig.brain.target = flat
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "a target of the other dimension")
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -6))
	foe.free()
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "a freed target")


func test_a_target_that_is_freed_while_it_is_looked_at() -> void:
	var each: ActionSpec = _shot()
	each.target_mode = ActionSpec.TARGET_EACH
	var near_foe: Node3D = add(Node3D.new())
	var far_foe: Node3D = add(Node3D.new())
	near_foe.position = Vector3(0, 0, -2)
	far_foe.position = Vector3(0, 0, -6)
	each.gates = [Doubles.gate_that(func(_gate: Resource, _context: DecisionContext) -> bool:
		if is_instance_valid(far_foe):
			far_foe.free()
		return true)]
	var rig: Rig = Rig.new(self, [each])
	rig.brain.set_candidate_targets([near_foe, far_foe])
	await physics(2)
	check(rig.brain.evaluate_now(), "the one that is left is shot at")
	eq(rig.brain.get_running_target(), near_foe, "the near one")


func test_a_reaction_needs_it_too_and_knows_what_the_action_saw() -> void:
	var rig: Rig = _rig()
	var block: ReactionSpec = ReactionSpec.new()
	block.reaction_id = &"Block"
	block.trigger_tags = ["Event.Attack"]
	block.execution_method = Doubles.Method.new()
	block.require_line_of_sight = true
	var reactions: ReactionSet = ReactionSet.new()
	reactions.reactions = [block]
	var node: ReactionEvaluator = ReactionEvaluator.new()
	node.process_callback = ReactionEvaluator.PROCESS_MANUAL
	node.default_reaction_set = reactions
	rig.agent.add_child(node)
	await idle(2)
	eq(node.react(&"Event.Attack"), &"", "nobody has looked yet")
	await physics()
	eq(rig.refusal(&"Shot"), ActionEvaluator.REFUSAL_NONE, "the action looks")
	await idle()
	eq(node.react(&"Event.Attack"), &"Block", "the reaction knows of it")
	node.abort_reaction()
	wall(Vector3(0, 0, -3), Vector3(4, 4, 0.5))
	await physics(2)
	eq(node.react(&"Event.Attack"), &"", "it looks itself")
