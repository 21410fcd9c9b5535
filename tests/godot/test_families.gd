extends TestCase
## Arrays and slots that take members of a class family, and arrays of one class.

const SCORER := "extends ActionScorer\n@export var factor := 1.0\nfunc _score_multiplier(_context: DecisionContext) -> float:\n\treturn factor\n"


func _classes_of(object: Object, property: String) -> PackedStringArray:
	for info: Dictionary in object.get_property_list():
		if info.name == property:
			var hint: String = info.hint_string
			return hint.get_slice(":", hint.get_slice_count(":") - 1).split(",")
	return []


func test_the_picker_offers_exactly_the_family() -> void:
	var spec := ActionSpec.new()
	eq(_classes_of(spec, "scorers"), ["DistanceScorer", "AngleScorer", "HealthScorer", "SpeedScorer", "VitalScorer", "AttributeScorer", "ActionScorer"], "scorers")
	eq(_classes_of(spec, "gates"), ["StaminaGate", "VitalGate", "AttributeGate", "CombatTokenGate", "TagGate", "ActionGate"], "gates")
	eq(_classes_of(spec, "execution_method"), ["AbilityMethod", "AbilityByTagMethod", "FireAndForgetAbilityMethod", "BehaviorTreeSequenceMethod", "AnimationMethod", "CallMethod", "ExecutionMethod"], "methods")
	var known := ClassDB.get_class_list()
	for suffix: String in ["Scorer", "Method", "Gate"]:
		var property: String = {"Scorer": "scorers", "Method": "execution_method", "Gate": "gates"}[suffix]
		var offered := Array(_classes_of(spec, property))
		for name in known:
			if name.ends_with(suffix) and ClassDB.is_parent_class(name, "Resource"):
				has_element(offered, name, property)
	for name: String in Array(_classes_of(spec, "scorers")) + Array(_classes_of(spec, "execution_method")):
		check(ClassDB.can_instantiate(name), name + " can be made")


func test_plain_and_typed_arrays_are_taken() -> void:
	var spec := ActionSpec.new()
	spec.scorers = [DistanceScorer.new(), AngleScorer.new()]
	eq(spec.scorers.size(), 2, "a plain literal")
	var untyped: Variant = spec
	untyped.scorers = [HealthScorer.new()]
	eq(spec.scorers.size(), 1, "an untyped variable")
	var resources: Array[Resource] = [DistanceScorer.new(), AngleScorer.new(), HealthScorer.new()]
	spec.scorers = resources
	eq(spec.scorers.size(), 3, "Array[Resource]")
	var distances: Array[DistanceScorer] = [DistanceScorer.new()]
	spec.scorers = distances
	eq(spec.scorers.size(), 1, "Array[DistanceScorer]")
	var scripted: Array[ActionScorer] = [script(SCORER).new()]
	spec.scorers = scripted
	eq(spec.scorers.size(), 1, "Array[ActionScorer]")
	resources.append(null)
	eq(spec.scorers.size(), 1, "the array that was assigned is not shared")


func test_a_wrong_class_is_refused_and_the_old_value_kept() -> void:
	var spec := ActionSpec.new()
	var kept := DistanceScorer.new()
	spec.scorers = [kept]
	expect_error("ActionSpec: scorers[1] is Curve; scorers stays as it was. Allowed: DistanceScorer, AngleScorer, HealthScorer, SpeedScorer, VitalScorer, AttributeScorer, ActionScorer.", 1)
	spec.scorers = [AngleScorer.new(), Curve.new()]
	spec.scorers = [AngleScorer.new(), Curve.new()]
	eq(spec.scorers, [kept], "scorers")
	expect_error("scorers[0] is int;", 1)
	spec.scorers = [5]
	expect_error("scorers[0] is a freed object;", 1)
	var node := Node.new()
	node.free()
	spec.scorers = [node]
	expect_error("scorers[0] is ActionGate;", 1)
	spec.scorers = [script("extends ActionGate\n").new()]
	eq(spec.scorers, [kept], "scorers")
	var method := CallMethod.new()
	spec.execution_method = method
	expect_error("execution_method is AngleScorer; execution_method stays as it was. Allowed: AbilityMethod, AbilityByTagMethod, FireAndForgetAbilityMethod, BehaviorTreeSequenceMethod, AnimationMethod, CallMethod, ExecutionMethod.", 1)
	spec.execution_method = AngleScorer.new()
	eq(spec.execution_method, method, "execution_method")
	spec.execution_method = null
	is_null(spec.execution_method, "an empty slot")


func test_null_elements_are_kept_and_skipped() -> void:
	var spec := ActionSpec.new()
	spec.action_id = &"A"
	spec.execution_method = script("extends ExecutionMethod\n").new()
	spec.scorers = [null, DistanceScorer.new(), null]
	eq(spec.scorers.size(), 3, "kept")
	is_null(spec.scorers[0], "kept")
	var moves := ActionSet.new()
	var untyped: Variant = moves
	untyped.actions = [null, spec]
	eq(moves.actions.size(), 2, "kept")
	eq(moves.get_action_ids(), ["A"], "skipped")
	var messages := moves.validate().map(func(row: Dictionary) -> String: return row.message)
	eq(messages.size(), 2, "one warning each: %s" % [messages])


func test_arrays_are_read_only() -> void:
	var spec := ActionSpec.new()
	check(spec.scorers.is_read_only() and spec.gates.is_read_only() and spec.chain_links.is_read_only(), "at first")
	spec.scorers = [DistanceScorer.new()]
	spec.chain_links = [ChainLink.to(&"B")]
	check(spec.scorers.is_read_only() and spec.chain_links.is_read_only(), "assigned")
	check(spec.tag_score_multipliers.is_read_only(), "dictionary")


func test_arrays_of_one_class_are_typed() -> void:
	var spec := ActionSpec.new()
	eq(spec.chain_links.get_typed_class_name(), &"ChainLink", "chain_links")
	eq(ActionSet.new().actions.get_typed_class_name(), &"ActionSpec", "actions")
	var links: Array[ChainLink] = spec.chain_links
	eq(links.size(), 0, "assigned to a typed variable")
	var untyped: Variant = spec
	expect_error("chain_links[0] is ActionSpec; chain_links stays as it was. Allowed: ChainLink.", 1)
	untyped.chain_links = [ActionSpec.new()]
	eq(spec.chain_links.size(), 0, "unchanged")


func test_a_saved_set_with_a_scripted_element_comes_back() -> void:
	var source := script(SCORER)
	source.take_over_path("user://families_scorer.gd")
	ResourceSaver.save(source, "user://families_scorer.gd")
	var scorer: ActionScorer = source.new()
	scorer.set(&"factor", 0.25)
	var empty := AngleScorer.new()
	empty.range = null
	var spec := ActionSpec.new()
	spec.action_id = &"Spell"
	spec.scorers = [DistanceScorer.new(), scorer, null, empty]
	spec.chain_links = [ChainLink.to(&"Spell", 2.5)]
	spec.tag_score_multipliers = {&"World.Night": 1.5}
	spec.requires_tags = ["World.Night"]
	var method := CallMethod.new()
	method.method = &"cast"
	spec.execution_method = method
	var moves := ActionSet.new()
	moves.actions = [spec]
	for extension: String in ["tres", "res"]:
		var path := "user://families." + extension
		eq(ResourceSaver.save(moves, path), OK, "saved")
		var back: ActionSet = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		var found := back.find_action(&"Spell")
		not_null(found, "action")
		eq(found.scorers.size(), 4, "scorers with the null")
		eq((found.scorers[0] as DistanceScorer).range.max_value, 5.0, "built-in")
		is_null((found.scorers[3] as AngleScorer).range, "an empty range stays empty")
		eq([found.scorers[1].get_script(), found.scorers[1].get("factor")], [source, 0.25], "scripted")
		eq(found.chain_links[0].bonus_multiplier, 2.5, "link")
		eq(found.tag_score_multipliers, {&"World.Night": 1.5}, "multipliers")
		eq([found.requires_tags, found.add_tags], [["World.Night"], ["State.MovementBlocked"]], "tags")
		eq((found.execution_method as CallMethod).method, &"cast", "method")
		eq(ResourceSaver.save(back, "user://again." + extension), OK, "saved again")
	var text := FileAccess.get_file_as_string("user://families.tres")
	eq(FileAccess.get_file_as_string("user://again.tres").length(), text.length(), "load and save keeps everything")
	check(text.contains("format_version = 1"), "the version is written although it is the default")
	for name: String in ["families.tres", "families.res", "again.tres", "again.res", "families_scorer.gd"]:
		DirAccess.remove_absolute("user://" + name)


func test_duplicates_have_elements_of_their_own() -> void:
	var spec := ActionSpec.new()
	spec.action_id = &"A"
	var scorer: ActionScorer = script(SCORER).new()
	scorer.set(&"factor", 0.5)
	spec.scorers = [DistanceScorer.new(), scorer]
	var moves := ActionSet.new()
	moves.actions = [spec]
	var copy: ActionSet = moves.duplicate(true)
	var other := copy.find_action(&"A")
	check(other != spec and other.scorers[0] != spec.scorers[0], "own elements")
	eq(other.scorers[1].get("factor"), 0.5, "values of the script")
	eq(copy.actions.get_typed_class_name(), &"ActionSpec", "still typed")
	var changes := record(copy.changed)
	(other.scorers[0] as DistanceScorer).range.max_value = 7.0
	eq(changes.count(), 1, "the copy hears of its own elements")
	var original := record(moves.changed)
	other.enabled = false
	eq(original.count(), 0, "the original does not")


func test_changes_of_parts_reach_the_set() -> void:
	var reach := DistanceScorer.new()
	var spec := ActionSpec.new()
	spec.scorers = [reach, reach]
	var moves := ActionSet.new()
	moves.actions = [spec]
	var changes := record(moves.changed)
	spec.selection_weight = 2.0
	reach.range.exponent = 2.0
	eq(changes.count(), 2, "spec, then curve")
	reach.range = RangeCurve.ranged()
	reach.range.max_value = 20.0
	eq(changes.count(), 4, "another curve, and its edit")
	var link := ChainLink.to(&"B")
	spec.chain_links = [link]
	link.bonus_multiplier = 3.0
	var method := CallMethod.new()
	spec.execution_method = method
	method.method = &"jump"
	eq(changes.count(), 8, "link and method")
	spec.scorers = []
	reach.range.max_value = 9.0
	eq(changes.count(), 9, "a part that was taken out is not heard of")


func test_loading_in_a_thread() -> void:
	loads_on_threads()
	var spec := ActionSpec.new()
	spec.action_id = &"A"
	spec.scorers = [DistanceScorer.new(), HealthScorer.new()]
	spec.execution_method = AnimationMethod.new()
	var moves := ActionSet.new()
	moves.actions = [spec]
	var path := "user://families_thread.tres"
	ResourceSaver.save(moves, path)
	eq(ResourceLoader.load_threaded_request(path, "", true, ResourceLoader.CACHE_MODE_IGNORE), OK, "requested")
	await until_done(func() -> bool: return ResourceLoader.load_threaded_get_status(path) == ResourceLoader.THREAD_LOAD_LOADED, "loaded")
	var back: ActionSet = ResourceLoader.load_threaded_get(path)
	eq(back.find_action(&"A").scorers.size(), 2, "scorers")
	var changes := record(back.changed)
	(back.find_action(&"A").scorers[0] as DistanceScorer).range.max_value = 7.0
	eq(changes.count(), 1, "changes are heard of")
	DirAccess.remove_absolute(path)
