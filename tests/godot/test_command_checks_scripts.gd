extends "res://support/command_checks.gd"
## Which requests a CommandSystem accepts: what scripts have a say in, which orders are the same, and the check of those that waited.


func test_scripts_are_asked_in_order_with_copies() -> void:
	_set_up(null, script(SYSTEM).new() as CommandSystem)
	var scripted: CommandDefinition = script(SCRIPTED).new()
	scripted.execution = order.execution
	order = scripted
	var form := CommandVariant.new()
	form.id = &"only"
	order.variants = [form]
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	var target: Node = add(Node.new())
	var request := CommandRequest.to_node(order, target)
	eq(_reason(request, CommandSystem.ENTRY_INSERT_NEXT), &"", "fine")
	eq(scripted.get(&"log"), [["target", agent, target, &"only"], ["execute", 0], ["execution"]], "asked")
	eq(system.get(&"log"), [[order, CommandSystem.ENTRY_INSERT_NEXT]], "the system")
	scripted.set(&"execute_says", &"bag_full")
	system.set(&"answer", &"mounted")
	eq(_reason(request), &"bag_full", "the order says no before the system")
	scripted.set(&"target_says", "not_edible")
	eq(_reason(request), &"not_edible", "the target before all, by String")
	scripted.set(&"target_says", &"")
	scripted.set(&"execute_says", &"")
	eq(_reason(request), &"mounted", "the system")
	eq(CommandSystem.describe_reason(&"mounted"), "mounted", "a name of the game's own")
	system.set(&"answer", &"")
	expect_error("_can_execute() returned bool, which is left aside. Return a StringName, &\"\" for yes.", 1)
	scripted.set(&"execute_says", false)
	eq(_reason(request), &"", "a wrong type counts as the default")
	eq(_reason(request), &"", "and is told once")
	agent.free()


func test_the_choice_of_the_execution() -> void:
	_set_up()
	var scripted: CommandDefinition = script(SCRIPTED).new()
	scripted.execution = order.execution
	var request := CommandRequest.simple(scripted)
	eq(_reason(request), &"", "that of the settings")
	scripted.execution = null
	system.default_execution = order.execution
	eq(_reason(request), &"", "that of the system is in the settings, too")
	scripted.set(&"says_picks", true)
	eq(_reason(request), &"no_execution", "null")
	expect_error("_get_execution() returned Curve, which is left aside. Return one of ", 1)
	scripted.set(&"picks", Curve.new())
	eq(_reason(request), &"no_execution", "a wrong class")
	var picky: CommandExecution = script(PICKY).new()
	scripted.set(&"picks", picky)
	eq(_reason(request), &"", "available")
	picky.set(&"answer", &"no_legs")
	eq(_reason(request), &"no_legs", "its own reason")
	eq(system.issue_command(request).reason, &"no_legs", "for real")
	check(system.is_idle(), "nothing happened")
	agent.free()


func test_disabled_variants_and_wrong_indices() -> void:
	_set_up()
	var off := CommandVariant.new()
	off.enabled = false
	order.variants = [CommandVariant.new(), off]
	var request := CommandRequest.simple(order)
	request.location = Vector3.ONE
	for index: int in [1, 2, -2]:
		request.variant = index
		eq([_reason(request), _detail(request)], [&"bad_variant", str(index)], "variant %d, before the shape" % index)
	request.variant = 0
	eq(_reason(request), &"location_unexpected", "variant 0")
	agent.free()


func test_an_agent_freed_in_a_hook() -> void:
	_set_up()
	var killer: CommandDefinition = script("extends CommandDefinition\nfunc _can_execute(agent: Node, _r: CommandRequest, _v: CommandVariant) -> StringName:\n\tagent.queue_free()\n\treturn &\"\"\n").new()
	killer.execution = order.execution
	eq(system.issue_command(CommandRequest.simple(killer)).reason, &"agent_missing", "the agent")
	check(system.is_idle(), "nothing happened")
	await idle()
	_set_up()
	var thief: CommandDefinition = script("extends CommandDefinition\nfunc _validate_target(_a: Node, request: CommandRequest, _v: CommandVariant) -> StringName:\n\trequest.target.queue_free()\n\treturn &\"\"\n").new()
	thief.execution = order.execution
	thief.target_type = CommandDefinition.TARGET_TYPE_NODE
	eq(system.issue_command(CommandRequest.to_node(thief, add(Node.new()) as Node)).reason, &"target_lost", "the target")
	agent.free()


func test_a_hook_frees_one_of_many_at_once() -> void:
	_set_up()
	# At once: nothing holds on to a system that is reached by a static call.
	var killer: CommandDefinition = script("extends CommandDefinition\nfunc _can_execute(agent: Node, _r: CommandRequest, _v: CommandVariant) -> StringName:\n\tif agent.name == &\"First\":\n\t\tagent.free()\n\treturn &\"\"\n").new()
	killer.execution = order.execution
	agent.name = "First"
	var other: Node = add(Node.new())
	var others: CommandSystem = CommandSystem.new()
	other.add_child(others)
	var receipts: Array[CommandReceipt] = CommandSystem.submit_many([agent, other, agent], CommandRequest.simple(killer), CommandSystem.ENTRY_ISSUE)
	eq(receipts.map(func(receipt: CommandReceipt) -> StringName: return receipt.reason), [&"agent_missing", &"", &"agent_missing"], "one receipt each")
	eq(receipts[1].outcome, CommandSystem.OUTCOME_STARTED, "the others are served")
	check(not is_instance_valid(system), "the first is gone")
	other.free()


func test_checks_inside_of_checks_have_an_end() -> void:
	_set_up()
	var deep: CommandDefinition = script("""
extends CommandDefinition
var depth := 0
var reason: StringName = &"none"
func _can_execute(agent: Node, request: CommandRequest, _v: CommandVariant) -> StringName:
	depth += 1
	var orders: CommandSystem = agent.get_child(1)
	var receipt := orders.check_command(request)
	if receipt.is_rejected() and reason == &"none":
		reason = receipt.reason
	return &""
""").new()
	deep.execution = order.execution
	expect_error("orders were given from inside the checks of orders, 8 deep; this one is refused.", 1)
	eq(_reason(CommandRequest.simple(deep)), &"", "the outermost")
	eq([deep.get(&"depth"), deep.get(&"reason")], [8, &"recursion_limit"], "eight, and then no more")
	agent.free()


func test_a_hook_cannot_change_the_order() -> void:
	_set_up()
	var meddler: CommandDefinition = script("""
extends CommandDefinition
func _can_execute(_agent: Node, request: CommandRequest, variant: CommandVariant) -> StringName:
	request.payload["amount"] = 99
	(request.payload["list"] as Array).append(1)
	request.location = Vector3.ONE
	variant.range_max = 1.0
	return &""
""").new()
	meddler.execution = order.execution
	meddler.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	var request := CommandRequest.to_location(meddler, Vector3.ZERO)
	request.payload = {"amount": 1, "list": []}
	system.issue_command(request)
	var current := system.get_current_command()
	eq([current.payload, current.location], [{"amount": 1, "list": []}, Vector3.ZERO], "the order")
	eq(request.payload, {"amount": 1, "list": []}, "the request")
	request.payload["list"].append(2)
	request.location = Vector3.UP
	eq([system.get_current_command().payload, system.get_current_command().location], [{"amount": 1, "list": []}, Vector3.ZERO], "edited afterwards")
	agent.free()


func test_equal_requests() -> void:
	_set_up()
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	order.max_targets = 2
	var a: Node = add(Node3D.new())
	var b: Node = add(Node3D.new())
	var first := CommandRequest.to_nodes(order, [a, b])
	first.payload = {"list": [1, {"x": 2}]}
	first.location = Vector3(1, 2, 3)
	first.source = &"player"
	system.issue_command(first)
	var outcome := func(change: Callable) -> int:
		var again := CommandRequest.to_nodes(order, [a, b])
		again.payload = {"list": [1, {"x": 2}]}
		again.location = Vector3(1, 2, 3)
		change.call(again)
		return system.check_command(again).outcome
	var same := CommandReceipt.OUTCOME_NO_CHANGE
	eq(outcome.call(func(_r: CommandRequest) -> void: pass), same, "the same")
	eq(outcome.call(func(r: CommandRequest) -> void: r.source = &"ai"), same, "another source")
	eq(outcome.call(func(r: CommandRequest) -> void: r.location = Vector3(1.000001, 2, 3)), same, "about the same place")
	eq(outcome.call(func(r: CommandRequest) -> void: r.variant = 3), same, "a variant of a simple order")
	var other := CommandReceipt.OUTCOME_STARTED
	eq(outcome.call(func(r: CommandRequest) -> void: r.targets = [b, a]), other, "another order of targets")
	eq(outcome.call(func(r: CommandRequest) -> void: r.targets = [a]), other, "fewer targets")
	eq(outcome.call(func(r: CommandRequest) -> void: r.location = null), other, "no place")
	eq(outcome.call(func(r: CommandRequest) -> void: r.location = Vector3(1.1, 2, 3)), other, "another place")
	eq(outcome.call(func(r: CommandRequest) -> void: r.payload = {"list": [1, {"x": 3}]}), other, "another payload")
	eq(outcome.call(func(r: CommandRequest) -> void: r.definition = r.definition.duplicate()), other, "another definition")
	agent.free()


func test_the_best_form_is_chosen_when_the_order_is_accepted() -> void:
	_set_up()
	var bow := CommandVariant.new()
	bow.base_score = 0.9
	bow.agent_required_tags = ["Weapon.Bow"]
	var sword := CommandVariant.new()
	sword.base_score = 0.4
	order.variants = [sword, bow]
	var request := CommandRequest.simple(order)
	request.variant = CommandRequest.VARIANT_AUTO
	system.enqueue_command(request)
	eq(system.get_current_command().variant, 0, "the only one that is allowed")
	tags.add_tag(&"Weapon.Bow")
	system.enqueue_command(request)
	eq(system.get_command_queue()[0].variant, 1, "the best")
	bow.base_score = 0.0
	sword.enabled = false
	system.issue_command(request)
	eq(system.get_current_command().variant, 1, "a score of 0 is allowed")
	bow.enabled = false
	eq(_reason(request), &"bad_variant", "none is")
	agent.free()


func test_scores_of_scripts() -> void:
	_set_up()
	var scored: CommandDefinition = script("""
extends CommandDefinition
var scores: Array = []
@warning_ignore("untyped_declaration")
func _score(_agent: Node, request: CommandRequest, _variant: CommandVariant):
	return scores[request.variant]
""").new()
	scored.execution = order.execution
	scored.variants = [CommandVariant.new(), CommandVariant.new(), CommandVariant.new()]
	scored.id = &"scored"
	var request := CommandRequest.simple(scored)
	request.variant = CommandRequest.VARIANT_AUTO
	var chosen := func(scores: Array) -> int:
		scored.set(&"scores", scores)
		system.issue_command(request)
		return system.get_current_command().variant
	eq(chosen.call([0.1, 3, 2.0]), 1, "whole numbers too")
	expect_warning("_score() returned -5, which is read as 0. Return 0 or more.", 1)
	eq(chosen.call([-5.0, 0.1, 0.0]), 1, "negative")
	eq(chosen.call([NAN, INF, 0.2]), 2, "not finite")
	expect_error("_score() returned String, which is left aside. Return a number.", 1)
	eq(chosen.call(["x", 0.5, 0.5]), 0, "no number: the base score")
	agent.free()


func test_a_waiting_order_is_checked_again() -> void:
	_set_up()
	order.id = &"go"
	var guarded: CommandDefinition = script(SCRIPTED).new()
	guarded.id = &"guarded"
	guarded.execution = order.execution
	var ended: Array = []
	system.command_ended.connect(func(info: CommandInfo, result: int, why: StringName) -> void: ended.append([info.command_name, result, why]))
	system.issue_command(CommandRequest.simple(order))
	system.enqueue_command(CommandRequest.simple(guarded))
	guarded.set(&"execute_says", &"tired")
	system.get_current_handle().succeed()
	eq(ended, [[&"go", CommandReceipt.RESULT_SUCCEEDED, &""], [&"guarded", CommandReceipt.RESULT_DROPPED, &"tired"]], "ends")
	check(system.is_idle(), "nothing is left")
	agent.free()


func test_dead_targets_of_a_waiting_order_fall_out() -> void:
	_set_up()
	var aimed: CommandDefinition = order.duplicate()
	aimed.id = &"aimed"
	aimed.target_type = CommandDefinition.TARGET_TYPE_NODE
	aimed.max_targets = 3
	var a: Node = add(Node.new())
	var b: Node = add(Node.new())
	system.issue_command(CommandRequest.simple(order))
	system.enqueue_command(CommandRequest.to_nodes(aimed, [a, b]))
	a.free()
	system.get_current_handle().succeed()
	eq(system.get_current_command().targets, [b], "the others are left")
	system.issue_command(CommandRequest.simple(order))
	system.enqueue_command(CommandRequest.to_node(aimed, b))
	b.free()
	system.get_current_handle().succeed()
	eq([system.get_last_result().command_name, system.is_idle()], [&"order", true], "with none left it never starts")
	agent.free()


func test_reasons_in_words() -> void:
	eq(CommandSystem.describe_reason(&"too_far"), "The target is too far away.", "a reason of ours")
	eq(CommandSystem.describe_reason(&""), "", "none")
	eq(CommandSystem.describe_reason(&"bag_full"), "bag_full", "a name of the game's own")
	var words := Translation.new()
	words.locale = "de"
	words.add_message("The target is too far away.", "Das Ziel ist zu weit weg.")
	TranslationServer.add_translation(words)
	var before := TranslationServer.get_locale()
	TranslationServer.set_locale("de")
	eq(CommandSystem.describe_reason(&"too_far"), "Das Ziel ist zu weit weg.", "translated")
	TranslationServer.set_locale(before)
	TranslationServer.remove_translation(words)
