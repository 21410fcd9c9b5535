extends TestCase
## The orders that an agent offers: order, reasons, scores, forms, the best one, and the warnings about them.

const ALWAYS := "extends CommandExecution\nfunc _start_execution(_handle: CommandHandle) -> void:\n\tpass\n"

var agent: Node3D
var system: CommandSystem
var execution: CommandExecution


func _set_up() -> void:
	agent = Node3D.new()
	agent.add_child(TagContainer.new())
	system = CommandSystem.new()
	system.process_callback = CommandSystem.PROCESS_MANUAL
	agent.add_child(system)
	add(agent)
	execution = script(ALWAYS).new()


func _order(id: StringName, type: int = CommandDefinition.TARGET_TYPE_NONE) -> CommandDefinition:
	var made := CommandDefinition.new()
	made.id = id
	made.target_type = type
	made.execution = execution
	return made


func _rows(target: Variant = null, expand: bool = false, refused: bool = true) -> Array:
	var rows: Array = []
	for option: CommandOption in system.get_options(target, expand, refused):
		eq(option.allowed, option.reason.is_empty(), "allowed")
		rows.append([option.definition.id, option.variant, option.reason, option.score])
	return rows


func test_known_orders_are_listed_in_their_order() -> void:
	_set_up()
	var first := _order(&"first")
	first.sort_order = -1
	var twin := _order(&"b")
	twin.base_score = 9.0
	system.palette = CommandPalette.new()
	system.palette.commands = [_order(&"a"), null, _order(&"b")]
	system.commands = [twin, first]
	system.add_command(_order(&"c"))
	eq(_rows(), [[&"first", 0, &"", 1.0], [&"a", 0, &"", 1.0], [&"b", 0, &"", 1.0], [&"c", 0, &"", 1.0]], "options")
	agent.free()


func test_a_target_goes_to_every_order_of_its_shape() -> void:
	_set_up()
	system.commands = [_order(&"stop"), _order(&"hit", 1), _order(&"go", 2), _order(&"throw", 3)]
	var reasons := func(target: Variant) -> Array: return _rows(target).map(func(row: Array) -> StringName: return row[2])
	eq(reasons.call(null), [&"", &"target_missing", &"location_missing", &"direction_missing"], "nothing")
	var other: Node = add(Node3D.new())
	eq(reasons.call(other), [&"", &"", &"location_missing", &"direction_missing"], "a node")
	eq(reasons.call(Vector3(0, 0, 5)), [&"", &"target_missing", &"", &""], "a place")
	eq(reasons.call(Vector2(0, 5)), [&"", &"target_missing", &"wrong_dimension", &"direction_missing"], "a place of the wrong dimension")
	agent.position.z = 1.0
	var option: CommandOption = system.get_options(Vector3(0, 0, 5))[3]
	eq(option.make_request().direction, Vector3(0, 0, 4), "the way from the agent")
	eq(system.get_options(Vector3(0, 0, 5))[2].make_request().location, Vector3(0, 0, 5), "the place")
	eq(system.get_options(other)[1].make_request().target, other, "the target")
	other.free()
	eq(reasons.call(other), [&"", &"target_lost", &"location_missing", &"direction_missing"], "a freed node")
	expect_error("get_options() got int as the target, which is left aside.", 1)
	eq(reasons.call(5), [&"", &"target_missing", &"location_missing", &"direction_missing"], "what is no target")
	agent.free()


func test_refused_options_may_be_left_out() -> void:
	_set_up()
	var rich := _order(&"rich")
	rich.agent_required_tags = ["Gold"]
	system.commands = [rich, _order(&"poor")]
	eq(_rows(null, false, false), [[&"poor", 0, &"", 1.0]], "without refused ones")
	var option: CommandOption = system.get_options()[0]
	eq([option.reason, option.detail, option.score], [&"agent_missing_tag", "Gold", 0.0], "the refused one")
	agent.free()


func test_forms_are_one_option_or_one_each() -> void:
	_set_up()
	var attack := _order(&"attack")
	attack.display_name = "Attack"
	attack.description = "Hits."
	var sword := CommandVariant.new()
	sword.base_score = 0.4
	sword.display_name = "Cut"
	var bow := CommandVariant.new()
	bow.base_score = 0.9
	bow.target_type = CommandVariant.TARGET_TYPE_LOCATION
	attack.variants = [sword, bow]
	system.commands = [attack]
	eq(_rows(), [[&"attack", -1, &"", 0.4]], "the best that is allowed")
	eq(_rows(Vector3.ONE), [[&"attack", -1, &"", 0.9]], "with a place")
	eq(_rows(null, true), [[&"attack", 0, &"", 0.4], [&"attack", 1, &"location_missing", 0.0]], "one each")
	var option: CommandOption = system.get_options()[0]
	eq([option.display_name, option.description], ["Attack", "Hits."], "the order is shown")
	option = system.get_options(null, true)[0]
	eq([option.display_name, option.description], ["Cut", "Hits."], "the form is shown")
	option = system.get_options(Vector3.ONE)[0]
	eq(option.make_request().variant, CommandRequest.VARIANT_AUTO, "the request leaves the choice")
	system.issue_command(option.make_request())
	eq([system.get_current_command().variant, system.get_current_command().location], [1, Vector3.ONE], "and it is the same")
	sword.agent_required_tags = ["Gold"]
	eq(_rows(), [[&"attack", -1, &"agent_missing_tag", 0.0]], "none allowed: the reason of the first")
	agent.free()


func test_the_best_option() -> void:
	_set_up()
	is_null(system.get_best_option(), "no orders")
	var good := _order(&"good")
	good.base_score = 3.0
	var equal := _order(&"equal")
	equal.base_score = 3.0
	var never := _order(&"never", 1)
	never.base_score = 9.0
	system.commands = [_order(&"a"), good, equal, never]
	eq(system.get_best_option().definition, good, "the first of the best")
	eq(system.get_best_option(add(Node.new()) as Node).definition, never, "with a target")
	var nothing := _order(&"nothing")
	nothing.base_score = 0.0
	system.commands = [nothing]
	is_null(system.get_best_option(), "a score of 0 is no default")
	agent.free()


func test_options_are_as_an_issue_would_be() -> void:
	_set_up()
	system.commands = [_order(&"a")]
	eq(_rows(), [[&"a", 0, &"", 1.0]], "idle")
	system.issue_command(CommandRequest.simple(_order(&"b")))
	eq(_rows(), [[&"a", 0, &"", 1.0]], "while another runs")
	system.enabled = false
	eq(_rows(), [[&"a", 0, &"disabled", 0.0]], "disabled")
	agent.free()


func _warnings() -> PackedStringArray:
	return system.call(&"get_configuration_warnings")


## Older engines have no such method for scripts.
func _can_be_asked() -> bool:
	check(true, "asked")
	return system.has_method(&"get_configuration_warnings")


func _warned(order: CommandDefinition, text: String) -> void:
	system.commands = [order]
	var found := "\n".join(_warnings())
	check(found.contains(text), "%s is not in %s" % [text, found])


func test_warnings_of_orders() -> void:
	_set_up()
	if not _can_be_asked():
		return
	system.commands = [_order(&"fine")]
	eq(_warnings(), [], "a sound order")
	system.commands = [_order(&"a"), null]
	has_element("\n".join(_warnings()), "commands: an empty element is left out.", "null")
	system.commands = [_order(&"a"), _order(&"a")]
	has_element("\n".join(_warnings()), "commands: there are two orders with the id \"a\".", "twins")
	var order := _order(&"a")
	order.variants = [null]
	_warned(order, "Order \"a\": variants: an empty element is left out.")
	order = _order(&"a")
	order.max_targets = 3
	_warned(order, "Order \"a\": max_targets counts only for TARGET_TYPE_NODE.")
	order = _order(&"a")
	order.target_groups = ["x"]
	_warned(order, "Order \"a\": target_groups counts only for TARGET_TYPE_NODE.")
	order = _order(&"a", 3)
	order.range_max = 3.0
	_warned(order, "Order \"a\": it has a range, which counts only for")
	order = _order(&"a")
	order.endless = true
	order.cancellation_policy = CommandDefinition.NON_CANCELABLE
	_warned(order, "Order \"a\": it is endless, has no time_limit and is NON_CANCELABLE")
	order.time_limit = 2.0
	system.commands = [order]
	eq(_warnings(), [], "with a time limit")
	order = _order(&"a")
	order.retry_delay = 1.0
	_warned(order, "Order \"a\": retry_delay counts only with a retry_count")
	order = _order(&"a")
	order.granted_tags = ["State.Movmentblocked"]
	_warned(order, "granted_tags: tag \"State.Movmentblocked\" is not declared.")
	agent.free()


func test_warnings_about_the_agent() -> void:
	var plain := Node.new()
	system = CommandSystem.new()
	plain.add_child(system)
	add(plain)
	execution = script(ALWAYS).new()
	if not _can_be_asked():
		return
	var order := _order(&"a", 1)
	order.range_max = 2.0
	_warned(order, "Order \"a\": it has a range, and the agent has no position")
	order = _order(&"a")
	order.granted_tags = ["State.Paired"]
	_warned(order, "Order \"a\": its tags need a TagContainer, and the agent has none.")
	plain.free()
