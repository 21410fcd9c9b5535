extends TestCase
## Scorers, gates and tokens in the hands of scripts that mean harm.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const FILE := "user://hostile_actions.tres"
const ODD_NAMES: PackedStringArray = [
	":", "::", "()", ":()", "a:()", "a:b()", "Stats:", ":mana", "..:name", "/root:name", "Stats:mana:", "%Stats:mana", "mana()", "queue_free(x)",
	" ", "mana ", "Stats/..:name", "velocity:q", "script", "name", "get_path()", "propagate_call()", "\u00e4\u00f6:\u00fc", "a/b/c:d:e:f",
]


class Stats extends Node:
	var mana: float = 30.0


func _rig(spec: ActionSpec) -> Rig:
	var rig: Rig = Rig.new(self, [spec])
	var stats: Stats = Stats.new()
	stats.name = "Stats"
	rig.agent.add_child(stats)
	return rig


func test_odd_names_of_attributes() -> void:
	var spec: ActionSpec = Rig.spec(&"Jab")
	var rig: Rig = _rig(spec)
	rig.aim_at(Vector3(0, 0, -2))
	var scorer: AttributeScorer = AttributeScorer.new()
	scorer.range = RangeCurve.melee()
	var gate: AttributeGate = AttributeGate.new()
	var binding: NumberBinding = NumberBinding.new()
	binding.property = &"selection_weight"
	spec.scorers = [scorer]
	spec.gates = [gate]
	spec.bindings = [binding]
	for name: String in ODD_NAMES:
		for source: int in [AttributeScorer.SOURCE_AGENT, AttributeScorer.SOURCE_TARGET]:
			scorer.attribute = name
			scorer.normalize_by = name
			scorer.source = source
			gate.attribute = name
			gate.source = source
			gate.min_attribute = name
			binding.attribute = name
			rig.step()
			var score: float = rig.score(&"Jab")
			check(is_finite(score) and score >= 0.0, "\"%s\": %s" % [name, score])
	check(is_instance_valid(rig.agent) and rig.agent.is_inside_tree(), "nothing with a parameter was called")
	scorer.normalize_by = ""
	scorer.attribute = "Stats:mana"
	gate.attribute = ""
	spec.bindings = []
	scorer.range.set(&"max_value", 100.0)
	scorer.range.set(&"optimal_max", 100.0)
	scorer.source = AttributeScorer.SOURCE_AGENT
	gate.min_attribute = ""
	rig.step()
	near(rig.score(&"Jab"), 1.0, 1e-6, "and a sound one is read")


func test_a_node_of_an_attribute_that_comes_goes_and_is_another() -> void:
	var spec: ActionSpec = Rig.spec(&"Jab")
	var gate: AttributeGate = AttributeGate.new()
	gate.attribute = "Stats:mana"
	gate.min_value = 20.0
	spec.gates = [gate]
	var rig: Rig = _rig(spec)
	var stats: Stats = rig.agent.get_node(^"Stats")
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "30 of 20")
	stats.mana = 10.0
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_GATE, "10 of 20")
	stats.free()
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "nobody has it: passes")
	var other: Node = Node.new()
	other.name = "Stats"
	rig.agent.add_child(other)
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "a node without it")
	other.free()
	stats = Stats.new()
	stats.name = "Stats"
	stats.mana = NAN
	rig.agent.add_child(stats)
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "no number")
	stats.mana = -1.0
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_GATE, "a number again")


func test_handlers_of_changed_that_change_again() -> void:
	var made: Array[Resource] = [
		AngleScorer.new(), DistanceScorer.new(), HealthScorer.new(), SpeedScorer.new(), VitalScorer.new(), AttributeScorer.new(), StaminaGate.new(),
		VitalGate.new(), AttributeGate.new(), CombatTokenGate.new(), TagGate.new(),
	]
	for resource: Resource in made:
		var calls: Array[int] = [0]
		var again: Callable = func() -> void:
			calls[0] += 1
			if calls[0] < 4:
				_rewrite(resource)
		resource.changed.connect(again)
		_rewrite(resource)
		check(calls[0] >= 4, "%s: told %d times" % [resource.get_class(), calls[0]])
		resource.changed.disconnect(again)


## Writes every property of the class with the value that it has; a curve with nothing and back.
func _rewrite(resource: Resource) -> void:
	for property: Dictionary in ClassDB.class_get_property_list(resource.get_class(), true):
		if property.usage & PROPERTY_USAGE_EDITOR:
			var value: Variant = resource.get(property.name)
			if value is Resource:
				resource.set(property.name, null)
			resource.set(property.name, value)


func test_one_curve_and_one_scorer_in_many_hands() -> void:
	var curve: RangeCurve = RangeCurve.melee()
	var near_one: DistanceScorer = DistanceScorer.new()
	var far_one: DistanceScorer = DistanceScorer.new()
	near_one.range = curve
	far_one.range = curve
	var spec: ActionSpec = Rig.spec(&"Jab")
	spec.scorers = [near_one, far_one, near_one, near_one]
	var rig: Rig = Rig.new(self, [spec])
	rig.aim_at(Vector3(0, 0, -3.75))
	near(rig.score(&"Jab"), 0.0625, 1e-6, "each time it stands there")
	curve.changed.connect(func() -> void: near_one.range = null, CONNECT_ONE_SHOT)
	curve.exponent = 2.0
	rig.step()
	near(rig.score(&"Jab"), 0.25, 1e-6, "one lost its curve while that told its edit")


func test_token_handlers_that_do_anything() -> void:
	var foe: Node3D = add(Node3D.new())
	var rigs: Array[Rig] = []
	for n: int in 4:
		var rig: Rig = Rig.new(self, [Rig.gated(Rig.spec(&"Jab"), [CombatTokenGate.new()])])
		rig.brain.target = foe
		rigs.append(rig)
	var turn: Array[int] = [0]
	var disturb: Callable = func(_target: Node, _tag: StringName, _holder: Node) -> void:
		turn[0] += 1
		match turn[0] % 5:
			0:
				CombatTokens.set_target_capacity(foe, &"Token.Attack", 1 + turn[0] % 3)
			1:
				rigs[turn[0] % 4].brain.evaluate_now()
			2:
				rigs[(turn[0] + 1) % 4].brain.abort_action()
			3:
				CombatTokens.release_all(rigs[turn[0] % 4].agent)
			4:
				if turn[0] < 200:
					CombatTokens.acquire(rigs[turn[0] % 4].agent, foe, &"Token.Attack")
	CombatTokens.token_acquired.connect(disturb)
	CombatTokens.token_released.connect(disturb)
	for n: int in 60:
		for rig: Rig in rigs:
			rig.brain.evaluate_now()
			rig.step()
			rig.brain.abort_action()
		# What the handlers reserved would hold back the others for good.
		for rig: Rig in rigs:
			CombatTokens.release_all(rig.agent)
	CombatTokens.token_acquired.disconnect(disturb)
	CombatTokens.token_released.disconnect(disturb)
	check(turn[0] > 100, "turns: %d" % turn[0])
	for rig: Rig in rigs:
		rig.brain.stop()
		CombatTokens.release_all(rig.agent)
	CombatTokens.set_target_capacity(foe, &"Token.Attack", 2)
	eq([CombatTokens.get_free(foe, &"Token.Attack"), CombatTokens.get_holders(foe, &"Token.Attack")], [2, []], "balanced in the end")


func test_resources_made_on_threads_while_agents_decide() -> void:
	loads_on_threads()
	var rig: Rig = Rig.new(self, [_full_spec(0)])
	rig.aim_at(Vector3(0, 0, -2))
	var saved: ActionSet = ActionSet.new()
	saved.actions = [_full_spec(1)]
	eq(ResourceSaver.save(saved, FILE), OK, "saved")
	var threads: Array[Thread] = []
	for n: int in 3:
		var thread: Thread = Thread.new()
		thread.start(_make_many.bind(n))
		threads.append(thread)
	for n: int in 40:
		rig.step()
		rig.brain.evaluate_now()
		rig.brain.abort_action()
		if n % 10 == 0:
			ResourceLoader.load_threaded_request(FILE, "", true, ResourceLoader.CACHE_MODE_IGNORE_DEEP)
			await until_done(func() -> bool: return ResourceLoader.load_threaded_get_status(FILE) == ResourceLoader.THREAD_LOAD_LOADED, "loaded")
			rig.brain.set_runtime_override(ResourceLoader.load_threaded_get(FILE) as ActionSet)
			eq(rig.brain.get_action_ids(), ["Jab1"], "the loaded set is in use")
	var made: Array[ActionSpec] = []
	for thread: Thread in threads:
		made.append_array(thread.wait_to_finish())
	var moves: ActionSet = ActionSet.new()
	moves.actions = made
	rig.brain.set_runtime_override(moves)
	eq(rig.brain.get_action_ids().size(), 60, "what the threads made is used")
	rig.step()
	check(rig.brain.evaluate_best_action().get_candidates().is_empty() or rig.brain.evaluate_best_action().is_valid(), "and scored")
	DirAccess.remove_absolute(FILE)


func _make_many(thread: int) -> Array[ActionSpec]:
	var made: Array[ActionSpec] = []
	for n: int in 20:
		made.append(_full_spec(1000 * (thread + 1) + n))
	return made


func _full_spec(number: int) -> ActionSpec:
	var spec: ActionSpec = ActionSpec.new()
	spec.action_id = "Jab%d" % number
	var call: CallMethod = CallMethod.new()
	call.method = &"get_index"
	call.pass_context = false
	spec.execution_method = call
	var attribute: AttributeScorer = AttributeScorer.new()
	attribute.attribute = "position:x%d" % (number % 7)
	var vital: VitalScorer = VitalScorer.new()
	vital.vital_tag = "Vital.Made%d" % (number % 5)
	spec.scorers = [DistanceScorer.new(), AngleScorer.new(), attribute, vital, SpeedScorer.new()]
	var tags: TagGate = TagGate.new()
	tags.blocked_tags = ["State.Made%d" % number]
	var slots: CombatTokenGate = CombatTokenGate.new()
	slots.token_tag = "Token.Made%d" % (number % 5)
	var stamina: StaminaGate = StaminaGate.new()
	stamina.min_attribute = "rotation:y%d" % (number % 3)
	spec.gates = [tags, slots, stamina]
	return spec
