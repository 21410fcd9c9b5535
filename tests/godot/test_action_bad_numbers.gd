extends TestCase
## Every number of every class of deciding is given what no inspector would take, and states that nobody exported.

const Rig := preload("res://support/action_rig.gd")
const NUMBERS_FILE := "user://bad_config.tres"
const CONFIG_FILE := """[gd_resource type="AgentConfig" format=3]

[sub_resource type="ActionSpec" id="jab"]
action_id = &"Jab"
gates = [null]

[sub_resource type="ActionSet" id="set"]
actions = Array[ActionSpec]([SubResource("jab"), null])
format_version = 1

[resource]
action_set = SubResource("set")
action_recovery_time = nan
interrupt_recovery_time = -4.0
action_recovery_randomization = 1e+30
"""


func _made() -> Array[Object]:
	return [
		ActionSpec.new(), ReactionSpec.new(), AgentConfig.new(), NumberBinding.new(), ChainLink.new(), RangeCurve.new(), DistanceScorer.new(),
		HealthScorer.new(), AngleScorer.new(), AnimationMethod.new(), CallMethod.new(),
	]


func _evaluators() -> Array[Object]:
	var made: Array[Object] = []
	for node: Node in [ActionEvaluator.new(), ReactionEvaluator.new()]:
		node.set("process_callback", ActionEvaluator.PROCESS_MANUAL)
		node.name = node.get_class()
		made.append(add(node))
	return made


## The highest and lowest integer that the inspector offers.
func _range(property: Dictionary) -> Vector2i:
	var parts: PackedStringArray = (property.hint_string as String).split(",")
	if property.hint == PROPERTY_HINT_RANGE:
		return Vector2i(int(parts[0]), int(parts[1]))
	var values: Array = Array(parts).map(func(part: String) -> int: return int(part.get_slice(":", 1)))
	return Vector2i(values.min(), values.max())


func test_absurd_integers_of_every_property() -> void:
	for made: Object in _made() + _evaluators():
		for property: Dictionary in made.get_property_list():
			var stored: bool = property.usage & PROPERTY_USAGE_EDITOR and property.usage & PROPERTY_USAGE_STORAGE
			if property.type != TYPE_INT or not stored or not property.hint in [PROPERTY_HINT_RANGE, PROPERTY_HINT_ENUM]:
				continue
			if made is Node and ClassDB.class_has_method(&"Node", "set_" + property.name):
				continue
			var known: Vector2i = _range(property)
			# What more there may be than the slider offers, the message says.
			var open: bool = (property.hint_string as String).contains("or_greater")
			var before: Variant = made.get(property.name)
			var place: String = "%s%s: %s " % [made.get_class(), "" if made is Resource else ")", property.name]
			if property.name in ["target_mode", "retarget_policy", "target_lost_policy", "interrupt_class", "cooldown_starts", "mode", "process_callback", "set_change_policy", "source"]:
				expect_error(place, 1)
			else:
				expect_warning(place, 1)
			for absurd: int in [-9223372036854775807, 9223372036854775807]:
				made.set(property.name, absurd)
				var now: int = made.get(property.name)
				check(now >= known.x and (now <= known.y or open), "%s.%s = %d after %d" % [made.get_class(), property.name, now, absurd])
			made.set(property.name, before)


func test_absurd_floats_of_every_property() -> void:
	for made: Object in [ReactionSpec.new(), AgentConfig.new(), NumberBinding.new()] + [_evaluators()[1]]:
		for property: Dictionary in made.get_property_list():
			var stored: bool = property.usage & PROPERTY_USAGE_EDITOR and property.usage & PROPERTY_USAGE_STORAGE
			if property.type != TYPE_FLOAT or not stored:
				continue
			var before: float = made.get(property.name)
			for absurd: float in [NAN, INF, -INF]:
				made.set(property.name, absurd)
				eq(made.get(property.name), before, "%s.%s after %s" % [made.get_class(), property.name, absurd])
			expect_warning(": %s = NaN is refused, it stays " % property.name, 1)
			made.set(property.name, -1e30)
			var low: float = made.get(property.name)
			if low != -1e30:
				between(low, -100.0, 1e9, "%s.%s is clamped" % [made.get_class(), property.name])
				expect_warning(": %s = -1000000000000000" % property.name, 1)
			made.set(property.name, before)


func test_a_config_file_with_everything_wrong() -> void:
	var file: FileAccess = FileAccess.open(NUMBERS_FILE, FileAccess.WRITE)
	file.store_string(CONFIG_FILE)
	file.close()
	expect_warning("action_recovery_time = NaN is refused", 1)
	expect_warning("interrupt_recovery_time = -4 is read as 0", 1)
	expect_warning("action_recovery_randomization = 1000000000000000000000000000000 is read as 1", 1)
	var config: AgentConfig = ResourceLoader.load(NUMBERS_FILE, "", ResourceLoader.CACHE_MODE_IGNORE)
	eq([config.action_recovery_time, config.interrupt_recovery_time, config.action_recovery_randomization], [0.0, 0.0, 1.0], "numbers in their ranges")
	var rig: Rig = Rig.new(self, [])
	rig.brain.default_action_set = null
	rig.brain.config = config
	eq(rig.brain.get_action_ids(), ["Jab"], "its set is used")
	if ClassDB.class_exists(&"RiposteProbe"):
		var texts: String = " / ".join(ClassDB.instantiate(&"RiposteProbe").call(&"evaluator_warnings", rig.brain) as PackedStringArray)
		for part: String in ["actions: 1 empty elements", "gates: an empty element", "There is no execution_method"]:
			has_element(texts, part, "warned of at the node")
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NO_METHOD, "and says why it does nothing")
	DirAccess.remove_absolute(NUMBERS_FILE)


func test_unknown_ids_name_the_file_of_the_set() -> void:
	var path: String = "user://known_moves.tres"
	var moves: ActionSet = ActionSet.new()
	moves.actions = [ActionSpec.new()]
	moves.actions[0].action_id = &"Jab"
	ResourceSaver.save(moves, path)
	var rig: Rig = Rig.new(self, [])
	rig.brain.default_action_set = load(path)
	expect_error("no action named \"Smash\" in set \"%s\". Known: Jab." % path, 1)
	eq(rig.brain.get_remaining_cooldown(&"Smash"), 0.0, "neutral")
	rig.brain.default_action_set = null
	expect_error("no action named \"Smash\" in this evaluator, which has no set. Known: none.", 1)
	eq(rig.brain.execute_action(&"Smash"), 0, "neutral")
	DirAccess.remove_absolute(path)


func test_freed_holders_and_weapons() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var gone: Node = Node.new()
	check(rig.brain.hold_selection(gone), "held")
	gone.free()
	eq(rig.choose(), &"Jab", "a freed holder does not hold")
	var untyped: Variant = rig.brain
	eq([untyped.hold_selection(gone), untyped.release_selection(gone)], [false, false], "freed as an argument: null")
	eq([untyped.hold_selection(null), untyped.release_selection(null)], [false, false], "null")
	eq(untyped.set_weapon(gone), rig.brain.set_weapon(null), "a freed weapon is none")
	expect_error("set_weapon", 1)
	check(not rig.brain.set_weapon(add(Node.new())), "a weapon that gives no set")


# ---------------------------------------------------------------------------------------------------------------------
# States.


## Everything that JSON could make of a value.
func _junk() -> Array:
	return [null, true, -1, 0, 7, 0.5, -0.5, NAN, INF, -INF, 1e300, 9007199254740993.0, "", "x", "-1", "99999999999999999999999", [], [null], [1], ["Jab"], ["Jab", 1, 2, 3], {}, {"Jab": null}, {"Jab": []}, {"Jab": [NAN, 1]}, {"Jab": [1, NAN]}, {"from": "Jab"}, {1: 2}, Vector3.ONE, ^"x", &"Jab", PackedStringArray(["Jab"]), Callable()]


func _busy() -> Rig:
	var jab: ActionSpec = Rig.cooling(&"Jab", 4.0)
	jab.chain_links = [ChainLink.to(&"Heavy")]
	var rig: Rig = Rig.new(self, [jab, Rig.quick(&"Heavy")])
	rig.aim_at(Vector3(0, 0, -2))
	rig.use(&"Jab")
	rig.brain.execute_action(&"Heavy")
	rig.step(3)
	rig.brain.set_action_override(&"Jab", 2.0)
	rig.brain.add_recovery(2.0)
	rig.brain.evaluate_now()
	rig.brain.execute_action(&"Jab")
	return rig


## False leaves everything; true leaves something that can be exported, imported and lived with.
func _feed(rig: Rig, state: Dictionary, what: String) -> void:
	var before: Dictionary = rig.brain.export_state()
	if rig.brain.import_state(state):
		var taken: Dictionary = rig.brain.export_state()
		check(is_finite(taken.time) and is_finite(taken.next_due) and is_finite(taken.recovery_remaining), "%s: sane numbers" % what)
		for id: String in taken.cooldowns:
			check(is_finite(taken.cooldowns[id][0]) and taken.cooldowns[id][0] >= 0.0, "%s: a sane cooldown" % what)
		check(is_finite(rig.brain.evaluate_best_action().score), "%s: a sane score" % what)
		check(rig.brain.import_state(taken), "%s: what it exports it takes" % what)
		rig.brain.import_state(before)
	else:
		eq(rig.brain.export_state(), before, "%s: nothing changed" % what)


func test_every_key_of_a_state_with_every_kind_of_junk() -> void:
	var rig: Rig = _busy()
	var sound: Dictionary = rig.brain.export_state()
	rig.brain.abort_action()
	rig.brain.clear_recovery()
	rig.diary.lines.clear()
	var tried: int = 0
	for key: String in sound:
		for junk: Variant in _junk():
			if key in ["version", "role"] or (key in ["granted", "target_ordinals", "cooldowns", "overrides", "spawned", "uses", "repeat", "chain"] and _names_somebody(junk)):
				continue
			var state: Dictionary = sound.duplicate(true)
			state[key] = junk
			_feed(rig, state, "%s = %s" % [key, junk])
			tried += 1
		var cut: Dictionary = sound.duplicate(true)
		cut.erase(key)
		eq(rig.brain.import_state(cut), false, "without %s" % key)
	check(tried > 300, "%d states" % tried)
	expect_error("import_state() got a state with another structure", 1)
	expect_error("import_state() got a state of no version", 1)
	eq(rig.diary.take("started ended"), "", "and nothing was told")


## Names that nobody has are left out with a warning: not what is asked here.
func _names_somebody(junk: Variant) -> bool:
	return junk is PackedStringArray or (junk is Array or junk is Dictionary) and not junk.is_empty()


func test_the_state_of_another_set() -> void:
	var rig: Rig = _busy()
	var state: Dictionary = rig.brain.export_state()
	var other: Rig = Rig.new(self, [Rig.spec(&"Bite"), Rig.spec(&"Howl")])
	expect_warning("there is no action \"Jab\", what is about it is left out", 1)
	expect_warning("there is no action \"Heavy\", what is about it is left out", 1)
	check(other.brain.import_state(state), "taken as far as it goes")
	eq(other.brain.get_all_active_cooldowns(), {}, "no cooldown of anybody")
	near(other.brain.get_recovery_remaining(), rig.brain.get_recovery_remaining(), 1e-6, "what belongs to no action is taken")
	other.brain.clear_recovery()
	eq(other.choose(), &"Bite", "and it acts")
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	reactions.process_callback = ReactionEvaluator.PROCESS_MANUAL
	other.agent.add_child(reactions)
	expect_warning("there is no reaction \"Jab\"", 1)
	expect_warning("there is no reaction \"Heavy\"", 1)
	check(reactions.import_state(state), "a state of actions given to reactions")


func test_a_state_that_was_cut_anywhere() -> void:
	var rig: Rig = _busy()
	var sound: Dictionary = rig.brain.export_state()
	rig.brain.abort_action()
	var keys: Array = sound.keys()
	var rejected: int = 0
	for count: int in keys.size():
		var state: Dictionary = {}
		for key: String in keys.slice(0, count):
			state[key] = sound[key]
		rejected += int(not rig.brain.import_state(state))
	eq(rejected, keys.size(), "none of them is taken")
	check(rig.brain.import_state(sound), "the whole one is")
	expect_error("import_state() got a state of no version", 1)
	expect_error("import_state() got a state with another structure", 1)


func test_ten_thousand_uses_are_not_remembered() -> void:
	var rig: Rig = _busy()
	rig.brain.abort_action()
	var state: Dictionary = rig.brain.export_state()
	state.uses = []
	for i: int in 10000:
		state.uses.append(["Jab", 0.001 * i])
	check(rig.brain.import_state(state), "taken")
	eq(rig.brain.export_state().uses.size(), 16, "as many as count")


# ---------------------------------------------------------------------------------------------------------------------
# The ring.


func test_a_ring_of_nothing_and_a_huge_one() -> void:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")])
	var told: SignalRecord = record(rig.brain.decision_made)
	rig.brain.record_decisions = true
	rig.brain.history_size = 0
	for i: int in 5:
		rig.choose()
		rig.step(2)
	eq([rig.brain.get_history().size(), told.count()], [0, 5], "nothing is kept, all is told")
	check(rig.brain.get_last_decision().is_valid(), "the last one is there all the same")
	expect_warning("history_size = 1000000000000 is read as 100000", 1)
	for huge: int in [1000000000000, 9223372036854775807]:
		rig.brain.history_size = huge
		eq(rig.brain.history_size, 100000, "as many as anybody wants")
		for i: int in 5:
			rig.choose()
			rig.step(2)
		check(rig.brain.get_history().size() >= 5, "all are kept")
	rig.brain.history_size = 2
	eq(rig.brain.get_history().size(), 2, "the oldest go at once")
	rig.brain.history_size = 0
	eq(rig.brain.get_history(), [], "all go")


func test_a_handler_that_resizes_the_ring() -> void:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")])
	rig.brain.record_decisions = true
	var sizes: Array[int] = [3, 0, 1000, 1]
	rig.brain.decision_made.connect(func(_decision: ActionDecision) -> void:
		rig.brain.history_size = sizes.pop_front() if not sizes.is_empty() else 4
		rig.brain.get_history()
		rig.brain.get_action_overview())
	for i: int in 8:
		rig.choose()
		rig.step(2)
	eq(rig.brain.get_history().size(), 4, "the last word counts")
