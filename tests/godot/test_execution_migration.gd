extends TestCase
## Sets of older format versions.

const FILE: String = "res://fixtures/actions_version_0.tres"
const OLD: String = "the file has an older format"


func _classes(elements: Array) -> PackedStringArray:
	var found: PackedStringArray = []
	for element: Resource in elements:
		found.append(element.get_class())
	return found


func _load(path: String) -> ActionSet:
	return ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_REPLACE_DEEP) as ActionSet


func test_version_0_becomes_scorers_and_gates() -> void:
	expect_warning(OLD, 1)
	var moves: ActionSet = _load(FILE)
	await idle(2)
	var slash: ActionSpec = moves.actions[0]
	eq(_classes(slash.scorers), ["DistanceScorer", "AngleScorer", "HealthScorer"], "distance and angle always, health with a curve, no speed that is always one")
	near((slash.scorers[0] as DistanceScorer).range.max_value, 4.0, 1e-6, "with the file's curve")
	eq(_classes(slash.gates), ["ActionGate", "StaminaGate"], "the gate of the file stays, although it came after the cost")
	near((slash.gates[1] as StaminaGate).min_stamina, 20.0, 1e-6, "the cost")
	eq(moves.format_version, 1, "read as version 1")


func test_saving_keeps_the_new_form() -> void:
	expect_warning(OLD, 1)
	var path: String = "user://migrated.tres"
	var text: String = FileAccess.get_file_as_string(FILE)
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	var moves: ActionSet = _load(path)
	await idle(2)
	eq(FileAccess.get_file_as_string(path), text, "loading writes no file")
	eq(ResourceSaver.save(moves, path), OK, "saved")
	var saved: String = FileAccess.get_file_as_string(path)
	check(saved.contains("format_version = 1"), "with its version")
	check(not saved.contains("stamina_cost") and not saved.contains("distance_range"), "without the old keys")
	var again: ActionSet = _load(path)
	eq(_classes(again.actions[0].scorers), ["DistanceScorer", "AngleScorer", "HealthScorer"], "the same scorers")
	eq(_classes(again.actions[0].gates), ["ActionGate", "StaminaGate"], "the same gates")
	await idle(2)
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))


func test_compact_form_in_scripts() -> void:
	var spec: ActionSpec = ActionSpec.new()
	spec.action_id = &"Slash"
	var curve: RangeCurve = RangeCurve.ranged()
	spec.set(&"stamina_cost", 30)
	spec.set(&"distance_range", curve)
	spec.set(&"stamina_cost", 25.0)
	eq(_classes(spec.gates), ["StaminaGate"], "one gate")
	near((spec.gates[0] as StaminaGate).min_stamina, 25.0, 1e-6, "the last cost counts")
	eq((spec.scorers[0] as DistanceScorer).range, curve, "the curve itself")
	spec.scorers = [HealthScorer.new()]
	var moves: ActionSet = ActionSet.new()
	moves.actions = [spec]
	eq(_classes(spec.scorers), ["HealthScorer", "DistanceScorer"], "what is assigned adds up until the action is in a set")
	spec.scorers = []
	moves.actions = [spec]
	eq(spec.scorers, [], "afterwards it is replaced")
	spec.set(&"stamina_cost", 0)
	eq(spec.gates, [], "no cost, no gate")
	await idle(2)
	check(true, "a set without a file says nothing")


func test_bad_values_of_the_compact_form() -> void:
	var spec: ActionSpec = ActionSpec.new()
	expect_error("distance_range is int; it stays as it was. Allowed: RangeCurve.", 1)
	expect_error("timeout is String; it stays as it was. Allowed: a number of 0 or more.", 1)
	expect_error("stamina_cost is float; it stays as it was. Allowed: a number of 0 or more.", 1)
	expect_error("trees is Array; it stays as it was. Allowed: an array of scenes or trees.", 1)
	expect_error("speed_range is Object; it stays as it was. Allowed: RangeCurve.", 1)
	spec.set(&"distance_range", 3)
	spec.set(&"timeout", "long")
	spec.set(&"stamina_cost", NAN)
	spec.set(&"stamina_cost", -1.0)
	spec.set(&"trees", [1, 2])
	spec.set(&"speed_range", HealthScorer.new())
	eq([spec.scorers, spec.gates, spec.execution_method], [[], [], null], "nothing changed")
	spec.set(&"nonsense", 1)
	check(not (&"nonsense" in spec), "other names are no keys")


func test_a_later_version_is_told_of() -> void:
	var moves: ActionSet = ActionSet.new()
	expect_error("the file has format version 7, this library reads 1", 1)
	moves.format_version = 7
	eq(moves.format_version, 1, "what is saved is version 1")
