extends TestCase
## CommandDefinition and CommandVariant: their properties, what they refuse, and how they are merged.

const ASKED := """
extends CommandDefinition
var asked: Array = []
var answer: Variant = null
var gives_base := true
@warning_ignore("untyped_declaration")
func _get_variant(agent: Node, variant: int, base: CommandVariant):
	asked.append([agent, variant, base.range_max])
	if gives_base:
		base.range_max *= 2.0
		base.agent_required_tags = ["Rank.High"]
		return base
	return answer
"""


func _variant(id: StringName) -> CommandVariant:
	var made := CommandVariant.new()
	made.id = id
	return made


func test_defaults_are_as_documented() -> void:
	var order := CommandDefinition.new()
	var wanted := {
		"id": &"", "display_name": "", "icon": null, "description": "", "sort_order": 0,
		"target_type": CommandDefinition.TARGET_TYPE_NONE, "allow_self": false, "max_targets": 1, "target_groups": [],
		"agent_required_tags": [], "agent_blocked_tags": [], "target_required_tags": [], "target_blocked_tags": [],
		"range_min": 0.0, "range_max": 0.0, "range_rule": CommandDefinition.RANGE_INFORM, "in_pixels": false,
		"base_score": 1.0, "execution": null, "cancellation_policy": CommandDefinition.CANCELABLE,
		"cancelled_counts_as_success": false, "failure_policy": CommandDefinition.FAILURE_CLEAR, "retry_count": 0,
		"retry_delay": 0.0, "endless": false, "endless_policy": CommandDefinition.ENDLESS_END, "time_limit": 0.0,
		"cancel_timeout": -1.0, "target_lost_policy": CommandDefinition.LOST_FAIL,
		"invalid_policy": CommandDefinition.INVALID_SKIP, "same_request": CommandDefinition.SAME_KEEP,
		"granted_tags": [], "variants": [],
	}
	for property: String in wanted:
		eq(order.get(property), wanted[property], property)
	var form := CommandVariant.new()
	var inherits := {
		"id": &"", "enabled": true, "display_name": "", "icon": null, "description": "",
		"target_type": CommandVariant.INHERIT, "cancellation_policy": CommandVariant.INHERIT,
		"range_rule": CommandVariant.INHERIT, "range_min": -1.0, "range_max": -1.0, "base_score": -1.0,
		"execution": null, "target_groups": [], "agent_required_tags": [], "agent_blocked_tags": [],
		"target_required_tags": [], "target_blocked_tags": [],
	}
	for property: String in inherits:
		eq(form.get(property), inherits[property], "variant's " + property)


func test_orders_inside_of_one_file_have_names_of_their_own() -> void:
	var walk := CommandDefinition.new()
	walk.resource_path = "res://no_such_palette.tres::CommandDefinition_walk1"
	var run := CommandDefinition.new()
	run.resource_path = "res://no_such_palette.tres::CommandDefinition_run22"
	run.resource_name = "Run"
	var orders := CommandSystem.new()
	orders.commands = [walk, run]
	var agent: Node = add(Node.new())
	agent.add_child(orders)
	eq(orders.get_options(null).size(), 2, "both are there")
	eq(orders.find_command(&"CommandDefinition_walk1"), walk, "by its number in the file")
	eq(orders.find_command(&"Run"), run, "by its name")
	agent.free()


func test_constants_have_their_integers() -> void:
	var wanted := {
		"TARGET_TYPE_NONE": 0, "TARGET_TYPE_NODE": 1, "TARGET_TYPE_LOCATION": 2, "TARGET_TYPE_DIRECTION": 3,
		"RANGE_INFORM": 0, "RANGE_AT_ISSUE": 1, "RANGE_AT_START": 2, "CANCELABLE": 0, "NON_CANCELABLE": 1,
		"FAILURE_CLEAR": 0, "FAILURE_CONTINUE": 1, "ENDLESS_END": 0, "ENDLESS_WAIT": 1, "ENDLESS_REJECT": 2,
		"LOST_CONTINUE": 0, "LOST_FAIL": 1, "LOST_RETARGET": 2, "LOST_SUCCEED": 3, "INVALID_SKIP": 0, "INVALID_FAIL": 1,
		"SAME_KEEP": 0, "SAME_RESTART": 1, "VARIANT_AUTO": -1,
	}
	for constant: String in wanted:
		eq(ClassDB.class_get_integer_constant(&"CommandDefinition", constant), wanted[constant], constant)
	eq(ClassDB.class_get_integer_constant_list(&"CommandDefinition", true).size(), wanted.size(), "all of them")
	eq(CommandRequest.VARIANT_AUTO, -1, "of a request")
	eq(CommandOption.VARIANT_AUTO, -1, "of an option")


func test_unknown_choices_become_the_default() -> void:
	var order := CommandDefinition.new()
	order.target_lost_policy = CommandDefinition.LOST_SUCCEED
	expect_warning("CommandDefinition: target_lost_policy = 4 is read as 1. Use one of its constants.", 1)
	order.target_lost_policy = 4
	order.target_lost_policy = 4
	eq(order.target_lost_policy, CommandDefinition.LOST_FAIL, "target_lost_policy")
	for property: String in ["target_type", "range_rule", "cancellation_policy", "failure_policy", "endless_policy",
			"invalid_policy", "same_request"]:
		order.set(property, 1)
		expect_warning(property + " = -1 is read as 0.", 1)
		order.set(property, -1)
		eq(order.get(property), 0, property)
	var form := CommandVariant.new()
	for property: String in ["target_type", "range_rule", "cancellation_policy"]:
		form.set(property, 1)
		expect_warning("CommandVariant: %s = 9 is read as -1." % property, 1)
		form.set(property, 9)
		eq(form.get(property), CommandVariant.INHERIT, property)


func test_bad_numbers_are_mended_with_a_warning() -> void:
	var order := CommandDefinition.new()
	for property: String in ["range_min", "retry_delay", "time_limit", "base_score", "range_max"]:
		var before: float = 1.0 if property == "base_score" else 0.0
		expect_warning("%s = -2 is read as 0. Give 0 or more." % property, 1)
		order.set(property, -2.0)
		eq(order.get(property), 0.0, property + " negative")
	order = CommandDefinition.new()
	for property: String in ["range_min", "retry_delay", "time_limit", "base_score", "range_max"]:
		var default: float = 1.0 if property == "base_score" else 0.0
		order.set(property, 5.0)
		expect_warning("%s = NaN is read as" % property, 1)
		order.set(property, NAN)
		eq(order.get(property), default, property + " NaN")
	order = CommandDefinition.new()
	for property: String in ["range_min", "retry_delay", "time_limit", "base_score"]:
		expect_warning("%s = inf is read as" % property, 1)
		order.set(property, INF)
		check(is_finite(order.get(property) as float), property + " INF")
	expect_warning("cancel_timeout = -0.5 is read as -1.", 1)
	order.cancel_timeout = -0.5
	eq(order.cancel_timeout, -1.0, "cancel_timeout")
	order.cancel_timeout = 0.0
	eq(order.cancel_timeout, 0.0, "cancel_timeout of 0")
	expect_warning("max_targets = 0 is read as 1.", 1)
	order.max_targets = 0
	eq(order.max_targets, 1, "max_targets")
	order = CommandDefinition.new()
	expect_warning("max_targets = 65 is read as 64.", 1)
	order.max_targets = 65
	expect_warning("retry_count = -1 is read as 0.", 1)
	order.retry_count = -1
	eq([order.max_targets, order.retry_count], [64, 0], "counts")
	var form := CommandVariant.new()
	expect_warning("CommandVariant: range_max = -3 is read as -1.", 1)
	form.range_max = -3.0
	eq(form.range_max, -1.0, "range_max of a variant")


func test_a_range_that_ends_before_it_begins_is_mended() -> void:
	var order := CommandDefinition.new()
	order.range_min = 5.0
	expect_warning("range_max = 3 is read as 5. Give range_min or more, or 0 for no limit.", 1)
	order.range_max = 3.0
	eq(order.range_max, 5.0, "range_max set last")
	order.range_max = 0.0
	eq(order.range_max, 0.0, "0 is no limit")
	order = CommandDefinition.new()
	order.range_max = 3.0
	expect_warning("range_max = 3 is read as 5.", 1)
	order.range_min = 5.0
	eq([order.range_min, order.range_max], [5.0, 5.0], "range_min set last")
	var form := _variant(&"near")
	form.range_min = 8.0
	order.variants = [form]
	expect_warning("variants[0] has range_max 5 under range_min 8, which is read as 8.", 1)
	var merged := order.resolve(null, 0)
	eq([merged.range_min, merged.range_max], [8.0, 8.0], "a variant that shifts it")


func test_wrong_classes_are_refused() -> void:
	var order := CommandDefinition.new()
	var kept := _variant(&"a")
	order.variants = [kept]
	var untyped: Variant = order
	expect_error("CommandDefinition: variants[1] is Curve; variants stays as it was. Allowed: CommandVariant.", 1)
	untyped.variants = [kept, Curve.new()]
	eq(order.variants, [kept], "variants")
	expect_error("CommandDefinition: execution is Curve; execution stays as it was. Allowed: ", 1)
	order.execution = Curve.new()
	is_null(order.execution, "execution")
	var palette: Variant = CommandPalette.new()
	expect_error("CommandPalette: commands[0] is CommandVariant; commands stays as it was. Allowed: CommandDefinition.", 1)
	palette.commands = [kept]
	eq(palette.commands.size(), 0, "commands")
	expect_error("CommandDefinition: granted_tags: tag \"State.\" has an empty segment", 1)
	order.granted_tags = ["State.", "State.Busy"]
	eq(order.granted_tags, ["State.Busy"], "granted_tags")


func test_arrays_are_typed_and_read_only() -> void:
	var order := CommandDefinition.new()
	var forms: Array[CommandVariant] = order.variants
	check(forms.is_read_only(), "variants")
	order.variants = [_variant(&"a"), null]
	eq(order.variants.size(), 2, "nulls are kept")
	eq(order.get_variant_count(), 1, "and not counted")
	var palette := CommandPalette.new()
	palette.commands = [order]
	eq(palette.commands.get_typed_class_name(), &"CommandDefinition", "commands")
	check(palette.commands.is_read_only(), "commands")


func test_variants_are_counted_and_found() -> void:
	var order := CommandDefinition.new()
	eq(order.get_variant_count(), 1, "a simple order")
	eq(order.find_variant(&""), -1, "a simple order has no named form")
	order.variants = [_variant(&"melee"), null, _variant(&"bow"), _variant(&"bow")]
	eq(order.get_variant_count(), 3, "forms")
	eq([order.find_variant(&"melee"), order.find_variant(&"bow"), order.find_variant(&"spell")], [0, 1, -1], "by name")


func test_what_a_variant_leaves_is_taken_from_the_definition() -> void:
	var order := CommandDefinition.new()
	order.id = &"attack"
	order.description = "Hits."
	order.icon = PlaceholderTexture2D.new()
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	order.target_groups = ["foes"]
	order.agent_required_tags = ["Weapon"]
	order.target_blocked_tags = ["State.Dead"]
	order.range_max = 4.0
	order.range_rule = CommandDefinition.RANGE_AT_START
	order.base_score = 0.5
	order.cancellation_policy = CommandDefinition.NON_CANCELABLE
	var plain := _variant(&"plain")
	var other := _variant(&"other")
	other.display_name = "Shoot"
	other.target_type = CommandVariant.TARGET_TYPE_LOCATION
	other.target_groups = ["doors"]
	other.agent_required_tags = ["Weapon.Bow", "Weapon"]
	other.range_min = 3.0
	other.range_max = 20.0
	other.range_rule = CommandVariant.RANGE_INFORM
	other.base_score = 0.0
	other.cancellation_policy = CommandVariant.CANCELABLE
	order.variants = [plain, other]
	var merged := order.resolve(null, 0)
	eq([merged.id, merged.display_name, merged.description, merged.icon], [&"plain", "attack", "Hits.", order.icon], "shown")
	eq([merged.target_type, merged.range_min, merged.range_max, merged.range_rule], [1, 0.0, 4.0, 2], "aim")
	eq([merged.base_score, merged.cancellation_policy, merged.enabled], [0.5, 1, true], "rest")
	eq([merged.target_groups, merged.agent_required_tags, merged.target_blocked_tags], [["foes"], ["Weapon"], ["State.Dead"]], "lists")
	merged = order.resolve(null, 1)
	eq([merged.id, merged.display_name, merged.description], [&"other", "Shoot", "Hits."], "shown of the other")
	eq([merged.target_type, merged.range_min, merged.range_max, merged.range_rule], [2, 3.0, 20.0, 0], "aim of the other")
	eq([merged.base_score, merged.cancellation_policy], [0.0, 0], "rest of the other")
	eq(merged.target_groups, ["foes", "doors"], "groups add up")
	eq(merged.agent_required_tags, ["Weapon", "Weapon.Bow"], "tags add up, each once")
	merged.range_max = 99.0
	eq([order.resolve(null, 1).range_max, other.range_max], [20.0, 20.0], "a copy of its own")


func test_bad_variants_resolve_to_null() -> void:
	var order := CommandDefinition.new()
	for index: int in [0, 7, -1, -5]:
		not_null(order.resolve(null, index), "a simple order with variant %d" % index)
	var off := _variant(&"off")
	off.enabled = false
	order.variants = [_variant(&"on"), off]
	not_null(order.resolve(null, 0), "variant 0")
	for index: int in [1, 2, -1, -2]:
		is_null(order.resolve(null, index), "variant %d" % index)


func test_ranges_are_resolved_in_world_units() -> void:
	var order := CommandDefinition.new()
	order.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	order.range_min = 1.0
	order.range_max = 2.5
	var spatial: Node = add(Node3D.new())
	var planar: Node = add(Node2D.new())
	var control: Node = add(Control.new())
	var ranges := func(agent: Node) -> Array:
		var merged := order.resolve(agent, 0)
		return [merged.range_min, merged.range_max]
	eq(ranges.call(spatial), [1.0, 2.5], "3D")
	eq(ranges.call(null), [1.0, 2.5], "without an agent")
	eq(ranges.call(planar), [100.0, 250.0], "2D")
	eq(ranges.call(control), [100.0, 250.0], "a Control")
	order.in_pixels = true
	eq(ranges.call(planar), [1.0, 2.5], "2D in pixels")
	spatial.free()
	eq(order.resolve(spatial, 0).range_max, 2.5, "an agent that was freed")


func test_an_edit_is_seen_at_once() -> void:
	var order := CommandDefinition.new()
	var form := _variant(&"a")
	order.variants = [form]
	eq(order.resolve(null, 0).base_score, 1.0, "before")
	order.base_score = 0.3
	eq(order.resolve(null, 0).base_score, 0.3, "an edit of the definition")
	form.base_score = 0.7
	eq(order.resolve(null, 0).base_score, 0.7, "an edit of the variant")
	var told := [0]
	order.changed.connect(func() -> void: told[0] += 1)
	form.enabled = false
	eq(told[0], 1, "changed of the definition")
	is_null(order.resolve(null, 0), "switched off")
	order.variants = []
	not_null(order.resolve(null, 0), "simple again")
	form.enabled = true
	eq(told[0], 2, "what is out of the list is not listened to")


func test_a_script_gives_variant_data() -> void:
	var order: CommandDefinition = script(ASKED).new()
	order.range_max = 3.0
	order.agent_required_tags = ["Weapon"]
	order.variants = [_variant(&"a"), _variant(&"b")]
	var agent: Node = add(Node2D.new())
	var merged := order.resolve(agent, 1)
	eq(order.get(&"asked"), [[agent, 1, 300.0]], "what it is asked")
	eq([merged.id, merged.range_max], [&"b", 600.0], "edited")
	eq(merged.agent_required_tags, ["Rank.High"], "lists of the copy are the script's")
	eq(order.resolve(agent, 1).range_max, 600.0, "each time from the same")
	eq(order.variants[1].range_max, -1.0, "the variant itself is not touched")
	order.set(&"gives_base", false)
	is_null(order.resolve(agent, 0), "null: not now")
	var other := _variant(&"other")
	other.base_score = 0.25
	other.agent_required_tags = ["Rank.Low"]
	order.set(&"answer", other)
	merged = order.resolve(agent, 0)
	eq([merged.id, merged.base_score, merged.range_max], [&"other", 0.25, 300.0], "another one is merged over it")
	eq(merged.agent_required_tags, ["Weapon", "Rank.Low"], "and adds its lists")
	other.enabled = false
	is_null(order.resolve(agent, 0), "one that is off")
	expect_error("_get_variant() returned int, which is left aside. Return a CommandVariant, or null to refuse.", 1)
	order.set(&"answer", 5)
	eq(order.resolve(agent, 0).range_max, 300.0, "a wrong answer counts as none")


func test_a_saved_definition_comes_back() -> void:
	var order := CommandDefinition.new()
	var form := _variant(&"bow")
	form.range_max = 20.0
	order.variants = [form, null]
	order.granted_tags = ["State.Busy"]
	order.range_min = 4.0
	order.range_max = 9.0
	var path := "user://command_attack.tres"
	eq(ResourceSaver.save(order, path), OK, "saved")
	var loaded: CommandDefinition = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	eq([loaded.range_min, loaded.range_max, loaded.granted_tags], [4.0, 9.0, ["State.Busy"]], "values")
	eq([loaded.variants.size(), loaded.get_variant_count(), loaded.find_variant(&"bow")], [2, 1, 0], "variants")
	var merged := loaded.resolve(null, 0)
	eq(merged.range_max, 20.0, "merged")
	var copy: CommandDefinition = loaded.duplicate(true)
	eq(copy.resolve(null, 0).range_max, 20.0, "of a copy")
	copy.variants[0].range_max = 30.0
	eq([copy.resolve(null, 0).range_max, loaded.resolve(null, 0).range_max], [30.0, 20.0], "a copy is on its own")
	DirAccess.remove_absolute(path)


func test_loading_in_a_thread() -> void:
	loads_on_threads()
	var order := CommandDefinition.new()
	order.variants = [_variant(&"bow")]
	var path := "user://command_threaded.tres"
	ResourceSaver.save(order, path)
	ResourceLoader.load_threaded_request(path, "", false, ResourceLoader.CACHE_MODE_IGNORE)
	var loaded: CommandDefinition = ResourceLoader.load_threaded_get(path)
	eq(loaded.resolve(null, 0).id, &"bow", "merged")
	DirAccess.remove_absolute(path)


func test_an_icon_may_stand_for_each_class() -> void:
	for name: StringName in [&"CommandDefinition", &"CommandVariant", &"CommandPalette"]:
		check(ClassDB.is_parent_class(name, &"Resource"), name + " is a resource")
		check(ClassDB.can_instantiate(name), name + " can be made")
