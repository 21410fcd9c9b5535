extends TestCase
## BehaviorStackExecution: orders that run behaviours of a stack.

const Rig := preload("res://support/behaviors.gd")

var rig: Rig
var system: CommandSystem


## An agent with a patrol, a stack and orders.
func _begin(execution: Resource = null) -> void:
	rig = Rig.new(self)
	system = CommandSystem.new()
	system.process_callback = CommandSystem.PROCESS_MANUAL
	system.default_execution = execution
	rig.agent.add_child(system)
	system.command_started.connect(func(order: CommandInfo) -> void: rig.write("started " + order.command_name))
	system.command_resumed.connect(func(order: CommandInfo) -> void: rig.write("back " + order.command_name))
	system.command_suspended.connect(func(order: CommandInfo) -> void: rig.write("kept " + order.command_name))
	system.command_ended.connect(
		func(order: CommandInfo, result: int, why: StringName) -> void: rig.write("end %s %d %s" % [order.command_name, result, why]))
	rig.use(&"Unit", "Patrol")
	rig.take()


func _order(id: StringName, with: Resource = null) -> CommandRequest:
	var made: CommandDefinition = CommandDefinition.new()
	made.id = id
	made.execution = with
	return CommandRequest.simple(made)


func _execution(layer: StringName = &"Command", named: StringName = &"", overrides: Dictionary = {}) -> BehaviorStackExecution:
	var made: BehaviorStackExecution = BehaviorStackExecution.new()
	made.layer = layer
	made.behavior_name = named
	made.overrides = overrides
	return made


func test_the_default_execution_runs_the_child_of_that_name() -> void:
	_begin()
	var move: Rig.State = rig.state("Move", 1)
	var receipt: CommandReceipt = system.issue_command(_order(&"Move"))
	eq(receipt.outcome, CommandSystem.OUTCOME_STARTED, "started")
	eq(
		rig.take(),
		"suspend Patrol, enter Move, suspended Unit 1, entered Command 2, active Unit>Command, started Move",
		"on the layer Command",
	)
	eq(move.get_command(), system.get_current_handle(), "it reads its order")
	rig.step()
	eq(
		rig.take(),
		"tick Move 0.10, exit Move 1, end Move 1 , resume Patrol, exited Command 2 1, resumed Unit 1, active Command>Unit",
		"success",
	)
	is_null(move.get_command(), "outside an order")
	rig.step()
	eq(rig.take(), "tick Patrol 0.10", "the patrol goes on")


func test_failure() -> void:
	_begin()
	var move: Rig.State = rig.state("Move", 1)
	move.status = BehaviorState.STATUS_FAILED
	system.issue_command(_order(&"Move"))
	rig.step()
	eq(rig.take("end exit"), "exit Move 2, end Move 2 behavior_failed", "failed")


func test_cancel_and_replace() -> void:
	_begin()
	rig.state("Move")
	rig.state("Wait")
	system.issue_command(_order(&"Move"))
	rig.take()
	eq(system.cancel_command().outcome, CommandSystem.OUTCOME_APPLIED, "at once")
	eq(rig.take("exit end resume"), "exit Move 4, resume Patrol, end Move 3 cancelled", "removed")
	system.issue_command(_order(&"Move"))
	rig.take()
	eq(system.issue_command(_order(&"Wait")).outcome, CommandSystem.OUTCOME_STARTED, "at once")
	eq(rig.take("exit enter end started resume"), "exit Move 4, resume Patrol, end Move 3 replaced, enter Wait, started Wait", "off, then the next")


func test_queued_orders_follow_without_a_patrol_between() -> void:
	_begin()
	rig.state("Move", 1)
	rig.state("Wait", 1)
	system.issue_command(_order(&"Move"))
	system.enqueue_command(_order(&"Wait"))
	rig.take()
	rig.step()
	eq(
		rig.take("tick exit enter end resume suspend started"),
		"tick Move 0.10, exit Move 1, end Move 1 , started Wait, enter Wait",
		"one after the other",
	)
	rig.step()
	eq(rig.take("tick exit end resume"), "tick Wait 0.10, exit Wait 1, end Wait 1 , resume Patrol", "then the patrol")


func test_the_same_behavior_for_the_next_order() -> void:
	_begin()
	var move: Rig.State = rig.state("Move")
	system.issue_command(_order(&"Move"))
	rig.take()
	system.issue_command(_order(&"Move", _execution(&"Command", &"Move", {"speed": 4.0})))
	eq(rig.take("exit enter end"), "exit Move 4, end Move 3 replaced, enter Move", "out and in")
	near(move.speed, 4.0, 0.0001, "the overrides of the second")
	system.cancel_command()
	near(move.speed, 1.0, 0.0001, "put back")


func test_interrupted_and_resumed() -> void:
	_begin()
	rig.state("Move")
	rig.state("Dodge", 1)
	system.issue_command(_order(&"Move"))
	rig.take()
	system.interrupt_with(_order(&"Dodge"))
	eq(rig.take("exit enter kept started end"), "exit Move 4, kept Move, enter Dodge, started Dodge", "taken off")
	rig.step()
	eq(rig.take("exit enter end back"), "exit Dodge 1, end Dodge 1 , back Move, enter Move", "and set again")


func test_a_behavior_replaced_or_removed_by_others() -> void:
	_begin()
	rig.state("Move")
	system.issue_command(_order(&"Move"))
	rig.use(&"Command", "Intruder")
	eq(rig.take("exit end enter").split(", ").slice(1), ["exit Move 3", "end Move 3 behavior_replaced", "enter Intruder"], "replaced")
	rig.stack.clear_layer(&"Command")
	system.issue_command(_order(&"Move"))
	rig.take()
	rig.stack.clear_layer(&"Command")
	eq(rig.take("exit end"), "exit Move 4, end Move 3 behavior_replaced", "removed")


func test_a_behavior_or_a_stack_that_is_gone() -> void:
	_begin()
	var move: Rig.State = rig.state("Move")
	system.issue_command(_order(&"Move"))
	move.free()
	rig.take()
	rig.step()
	eq(rig.take("end exited resume"), "end Move 2 executor_freed, resume Patrol, exited Command 2 6", "freed")
	rig.state("Move")
	system.issue_command(_order(&"Move"))
	rig.take()
	rig.stack.free()
	eq(rig.take("end exit"), "exit Move 5, end Move 2 executor_freed, exit Patrol 5", "the stack is gone")
	eq(system.issue_command(_order(&"Move")).reason, &"execution_unavailable", "no stack")


func test_the_agent_leaves() -> void:
	_begin()
	rig.state("Move")
	system.issue_command(_order(&"Move"))
	rig.take()
	rig.agent.queue_free()
	await idle()
	eq(rig.diary.lines.count("exit Move 4"), 1, "the order's behaviour left with the order")
	eq(rig.diary.lines.count("end Move 3 agent_removed"), 1, "ended")
	eq(rig.diary.lines.count("exit Patrol 5"), 1, "the patrol with the stack")


func test_not_available() -> void:
	_begin()
	var receipt: CommandReceipt = system.issue_command(_order(&"Move"))
	eq([receipt.outcome, receipt.reason], [CommandSystem.OUTCOME_REJECTED, &"execution_unavailable"], "no child of that name")
	rig.state("Move")
	receipt = system.issue_command(_order(&"Move", _execution(&"Air")))
	eq(receipt.reason, &"execution_unavailable", "no such layer")
	eq(system.issue_command(_order(&"Go", _execution(&"Command", &"Move"))).outcome, CommandSystem.OUTCOME_STARTED, "another name")
	rig.stack.set_behavior(&"Squad", rig.state("Rest"))
	expect_error("the order \"Rest\" got a node that is on layer \"Squad\" already.")
	system.issue_command(_order(&"Rest"))
	eq(rig.diary.lines.count("end Rest 2 execution_unavailable"), 1, "it can't be set")


func test_a_scene_for_each_order() -> void:
	_begin()
	var execution: BehaviorStackExecution = _execution()
	execution.behavior_scene = load("res://support/stages/guest.tscn")
	system.issue_command(_order(&"Any", execution))
	var guest: BehaviorState = rig.stack.get_behavior(&"Command")
	eq([guest.get_parent(), guest.get_command().definition.id], [rig.stack, &"Any"], "below the stack")
	system.cancel_command()
	await idle()
	check(not is_instance_valid(guest), "freed at its end")


func test_keys_of_an_order() -> void:
	_begin()
	var foe: Node3D = Node3D.new()
	add(foe)
	var root: Node = preload("res://support/trees/tree_runner.gd").new()
	root.name = "Attack"
	root.diary = rig.diary
	rig.stack.add_child(root)
	var attack: CommandDefinition = CommandDefinition.new()
	attack.id = &"Attack"
	attack.target_type = CommandDefinition.TARGET_TYPE_NODE
	system.issue_command(CommandRequest.to_node(attack, foe))
	eq(root.keys.values(), [system.get_current_handle(), rig.agent, foe], "handle, agent and target")


func test_a_behavior_reads_its_order_and_reports() -> void:
	_begin()
	var seen: Array = []
	var move: Rig.State = rig.state("Move")
	rig.diary.once("enter Move", func() -> void:
		var handle: CommandHandle = move.get_command()
		seen.append_array([handle.definition.id, handle.variant, handle.location, handle.agent, handle.payload, handle.settings.range_max]))
	rig.diary.once("tick Move 0.10", func() -> void: move.get_command().fail(&"out_of_ammo"))
	var order: CommandDefinition = CommandDefinition.new()
	order.id = &"Move"
	order.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	order.range_max = 30.0
	var request: CommandRequest = CommandRequest.to_location(order, Vector3(1, 2, 3))
	request.payload = {"careful": true}
	system.issue_command(request)
	eq(seen, [&"Move", 0, Vector3(1, 2, 3), rig.agent, {"careful": true}, 30.0], "all of it")
	rig.take()
	rig.step()
	eq(rig.take(), "tick Move 0.10, end Move 2 out_of_ammo, exit Move 4, resume Patrol, exited Command 2 4, resumed Unit 1, active Command>Unit", "its own reason, then it leaves")


func test_the_last_word_of_a_behavior_that_just_finished() -> void:
	_begin()
	var move: Rig.State = rig.state("Move")
	rig.diary.once("tick Move 0.10", func() -> void:
		move.finish(BehaviorState.STATUS_SUCCEEDED)
		system.cancel_command())
	system.issue_command(_order(&"Move"))
	rig.step()
	eq(rig.diary.lines.count("end Move 1 "), 1, "it had succeeded before it was cancelled")


func test_a_script_sets_a_behavior_for_an_order() -> void:
	_begin(script("extends CommandExecution\nfunc _start_execution(handle: CommandHandle) -> void:\n\tvar stack: BehaviorStack = handle.agent.get_node(\"Stack\")\n\thandle.data.route = stack.set_behavior(&\"Squad\", stack.get_node(\"Dig\"), {}, handle)\nfunc _cancel_execution(handle: CommandHandle) -> void:\n\t(handle.agent.get_node(\"Stack\") as BehaviorStack).remove_behavior(handle.data.route)\n").new())
	var dig: Rig.State = rig.state("Dig", 1)
	system.issue_command(_order(&"Anything"))
	eq(dig.get_command(), system.get_current_handle(), "its order")
	rig.step()
	eq(rig.take("exit end"), "exit Dig 1, end Anything 1 ", "its end is that of the order")
	system.issue_command(_order(&"Anything"))
	rig.take()
	system.cancel_command()
	eq(rig.take("exit end"), "exit Dig 4, end Anything 3 cancelled", "and taking it off answers the cancel")


func test_an_order_is_not_in_the_state_of_the_stack() -> void:
	_begin()
	rig.state("Move")
	system.issue_command(_order(&"Move"))
	var saved: Dictionary = rig.stack.export_state()
	eq(saved["layers"], [["Unit", {"node": "Patrol"}]], "the patrol only")
	rig.take()
	check(rig.stack.import_state(saved), "taken")
	eq([rig.take(), rig.stack.get_active_layer()], ["", &"Command"], "the order goes on")


func test_restart_from_every_hook() -> void:
	for place: String in ["enter Move", "tick Move 0.10", "exit Move 1", "exit Move 4", "started Move", "end Move 1 "]:
		_begin()
		rig.state("Move", 2)
		rig.state("Wait", 1)
		rig.diary.once(place, func() -> void: system.issue_command(_order(&"Wait")))
		system.issue_command(_order(&"Move"))
		rig.step(2)
		if rig.diary.lines.count("exit Move 4") == 0 and place == "exit Move 4":
			system.cancel_command()
		rig.step(4)
		check(system.is_idle(), "all is done, at " + place)
		eq(rig.diary.lines.count("started Wait"), rig.diary.lines.count("enter Wait"), "started once, at " + place)
		eq(rig.diary.lines.count("enter Wait"), rig.diary.lines.count("exit Wait 1") + rig.diary.lines.count("exit Wait 4"), "left, at " + place)
		eq(rig.stack.get_active_layer(), &"Unit", "the patrol, at " + place)
		rig.diary.reactions.clear()
		rig.agent.free()


func test_configuration_warnings() -> void:
	_begin()
	if not system.has_method(&"get_configuration_warnings"):
		check(true, "the engine does not tell them to scripts")
		return
	system.commands = [_order(&"Move").definition, _order(&"Fly", _execution(&"Air")).definition]
	var text: String = "\n".join(system.call(&"get_configuration_warnings") as PackedStringArray)
	has_element(text, "Order \"Move\": the BehaviorStack has no child \"Move\".", "no child")
	has_element(text, "Order \"Fly\": the BehaviorStack has no layer \"Air\".", "no layer")
	rig.stack.free()
	text = "\n".join(system.call(&"get_configuration_warnings") as PackedStringArray)
	has_element(text, "Order \"Move\": there is no BehaviorStack. Add one to the agent.", "no stack")


func test_an_ability_inside_a_behavior() -> void:
	_begin()
	var abilities: AbilitySystem = AbilitySystem.new()
	abilities.process_callback = AbilitySystem.PROCESS_MANUAL
	rig.agent.add_child(abilities)
	var strike: GameplayAbility = script("extends GameplayAbility\nfunc _tick(_delta: float) -> void:\n\tif get_elapsed() >= 0.2:\n\t\tend_ability()\n").new()
	strike.ability_tags = ["Attack"]
	abilities.grant_ability(strike)
	# Walk there, then strike: the state of the guide.
	var state: BehaviorState = script(
		"extends BehaviorState\nvar _strike: int = 0\nvar _steps: int = 0\nfunc _tick(_delta: float) -> int:\n"
		+ "\t_steps += 1\n\tif _steps < 2:\n\t\treturn STATUS_RUNNING\n"
		+ "\tvar abilities: AbilitySystem = get_agent().get_node(\"Abilities\")\n"
		+ "\tif _strike == 0:\n\t\t_strike = abilities.activate_first(&\"Attack\")\n"
		+ "\t\treturn STATUS_FAILED if _strike == 0 else STATUS_RUNNING\n"
		+ "\treturn STATUS_SUCCEEDED if abilities.get_active_handles().is_empty() else STATUS_RUNNING\n"
	).new()
	abilities.name = "Abilities"
	state.name = "Attack"
	rig.stack.add_child(state)
	system.issue_command(_order(&"Attack"))
	rig.step(2)
	check(abilities.is_active(1), "it strikes")
	rig.take()
	for i: int in 3:
		abilities.advance(0.1)
		rig.step()
	eq(rig.take("end resume"), "end Attack 1 , resume Patrol", "and is done")


func test_orders_that_are_kept_outside_the_tree() -> void:
	_begin()
	rig.state("Move", 2)
	system.exit_tree_policy = CommandSystem.EXIT_TREE_KEEP
	system.issue_command(_order(&"Move"))
	var handle: CommandHandle = system.get_current_handle()
	rig.take()
	remove_child(rig.agent)
	eq(rig.take("exit end"), "exit Move 5, exit Patrol 5", "the behaviours leave, the order stays")
	add_child(rig.agent)
	await idle(2)
	eq(rig.take("enter started"), "enter Move", "it enters anew")
	eq(system.get_current_handle(), handle, "for the same start")
	rig.step(2)
	eq(rig.take("exit end"), "exit Move 1, end Move 1 ", "and ends as always")
	system.issue_command(_order(&"Move"))
	remove_child(rig.agent)
	rig.agent.free()
	check(not is_instance_valid(rig.stack), "freed outside the tree")
