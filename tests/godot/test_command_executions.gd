extends TestCase
## What carries orders out: methods, abilities, actions, and scripts.

const Abilities := preload("res://support/ability_rig.gd")
const Actions := preload("res://support/action_rig.gd")
const Diary := preload("res://support/diary.gd")


## The user's agent.
class Miner:
	extends Node3D
	signal whistle(value: Variant)
	var told: PackedStringArray = []
	var answer: Variant = null
	var handle: CommandHandle = null

	func work(given: CommandHandle) -> Variant:
		handle = given
		told.append("work")
		return answer

	func dig(_given: CommandHandle) -> bool:
		await get_tree().create_timer(0.25).timeout
		told.append("dug")
		return false

	func hum(_given: CommandHandle) -> void:
		await get_tree().create_timer(0.25).timeout

	func wait_for_whistle(_given: CommandHandle) -> Signal:
		return whistle

	func stop(given: CommandHandle) -> void:
		told.append("stop %s" % given.cancel_reason)

	func stop_slowly(given: CommandHandle) -> void:
		told.append("stopping %s" % given.is_cancelling())
		await get_tree().create_timer(0.1).timeout
		told.append("stopped")

	func two(_a: CommandHandle, _b: int) -> void:
		pass


var _agent: Node3D
var _orders: CommandSystem
var _ends: PackedStringArray = []


func _system(agent: Node3D = null) -> CommandSystem:
	_agent = agent if agent != null else Miner.new()
	_agent.name = "Guard"
	_orders = CommandSystem.new()
	_orders.name = "Orders"
	_orders.process_callback = CommandSystem.PROCESS_MANUAL
	_agent.add_child(_orders)
	if not _agent.is_inside_tree():
		add(_agent)
	_orders.command_ended.connect(
		func(command: CommandInfo, result: int, reason: StringName) -> void: _ends.append("%s %d %s" % [command.command_name, result, reason])
	)
	return _orders


func _define(execution: Resource, id: StringName = &"Dig") -> CommandDefinition:
	var made := CommandDefinition.new()
	made.id = id
	made.execution = execution
	return made


func _by_method(method: StringName) -> MethodExecution:
	var made := MethodExecution.new()
	made.method = method
	return made


func _issue(execution: Resource, id: StringName = &"Dig") -> CommandReceipt:
	return _orders.issue_command(CommandRequest.simple(_define(execution, id)))


func _miner() -> Miner:
	return _agent as Miner


func _ended() -> String:
	var text := ", ".join(_ends)
	_ends.clear()
	return text

# Methods.


func test_what_a_method_returns_is_the_result() -> void:
	_system()
	var rows: Array[Array] = [
		[null, "Dig 1 "], [true, "Dig 1 "], [1, "Dig 1 "], [&"", "Dig 1 "], ["", "Dig 1 "],
		[false, "Dig 2 method_failed"], [2, "Dig 2 method_failed"], [3, "Dig 3 self_cancelled"],
		[&"no_ore", "Dig 2 no_ore"], ["no_ore", "Dig 2 no_ore"],
	]
	for row: Array in rows:
		_miner().answer = row[0]
		var receipt := _issue(_by_method(&"work"))
		eq(receipt.outcome, CommandSystem.OUTCOME_STARTED, "outcome of %s" % [row[0]])
		eq(_ended(), row[1], "end of %s" % [row[0]])
		check(receipt.is_ended(), "the receipt knows it")
		eq(receipt.result, _orders.get_last_result().result, "result")
		check(_orders.is_idle(), "idle")
	expect_error("MethodExecution: method: \"work\" returned Vector3, so the order failed. Return nothing, true, false, 1 to 3, or a reason.", 1)
	_miner().answer = Vector3.ONE
	_issue(_by_method(&"work"))
	eq(_ended(), "Dig 2 method_failed", "what is no result")


func test_ex_40_72() -> void:
	_system()
	var timer := func() -> bool: return _miner().told.has("dug")
	_issue(_by_method(&"dig"))
	eq(_orders.get_phase(), CommandSystem.PHASE_RUNNING, "waits for the timer")
	await until(timer, "the timer")
	eq(_ended(), "Dig 2 method_failed", "when the timer ends")
	_miner().told.clear()
	_issue(_by_method(&"dig"))
	_issue(_by_method(&"hum"), &"Hum")
	eq(_ended(), "Dig 3 replaced", "replaced before that")
	await until(timer, "the timer")
	await until(func() -> bool: return _orders.is_idle(), "the other one")
	await physics(2)
	eq(_ended(), "Hum 1 ", "the late false has no effect; a coroutine without a value is a success")


func test_a_signal_is_waited_for() -> void:
	_system()
	_issue(_by_method(&"wait_for_whistle"))
	_miner().whistle.emit(&"too_loud")
	eq(_ended(), "Dig 2 too_loud", "what it carries is the result")
	_issue(_by_method(&"wait_for_whistle"))
	_orders.cancel_command()
	_miner().whistle.emit(true)
	eq(_ended(), "Dig 3 cancelled", "once")


func test_cancel_method() -> void:
	_system()
	var execution := _by_method(&"hum")
	execution.cancel_method = &"stop"
	_issue(execution)
	eq(_orders.cancel_command().outcome, CommandSystem.OUTCOME_APPLIED, "at once")
	eq(_miner().told, ["stop cancelled"], "called with the handle")
	execution.cancel_method = &"stop_slowly"
	_miner().told.clear()
	_issue(execution)
	eq(_orders.cancel_command().reason, &"waits_for_cancel", "it awaits")
	eq(_orders.get_phase(), CommandSystem.PHASE_CANCELLING, "phase")
	await until(func() -> bool: return _orders.is_idle(), "the answer")
	eq(_miner().told, ["stopping true", "stopped"], "waited for")
	eq(_ended(), "Dig 3 cancelled, Dig 3 cancelled", "ends")
	# What still awaits is over before the test is.
	await physics(20)


func test_wait_for_report() -> void:
	_system()
	var execution := _by_method(&"work")
	execution.wait_for_report = true
	execution.cancel_method = &"stop"
	_miner().answer = false
	_issue(execution)
	eq(_ended(), "", "the value is ignored")
	check(_miner().handle.succeed(), "the script reports")
	check(not _miner().handle.succeed(), "once")
	eq(_ended(), "Dig 1 ", "the report")
	_issue(execution)
	_orders.cancel_command()
	eq(_orders.get_phase(), CommandSystem.PHASE_CANCELLING, "the answer is the script's too")
	check(_miner().handle.cancelled(), "the answer")
	eq(_ended(), "Dig 3 cancelled", "end")


func test_methods_of_other_nodes() -> void:
	_system()
	var cart := Miner.new()
	cart.name = "Cart"
	_agent.add_child(cart)
	var execution := _by_method(&"hum")
	execution.node_path = ^"Wagon"
	eq(_issue(execution).reason, &"execution_unavailable", "no such node")
	execution.node_path = ^"Cart"
	execution.method = &"sing"
	eq(_issue(execution).reason, &"execution_unavailable", "no such method")
	execution.method = &"work"
	execution.wait_for_report = true
	eq(_issue(execution).outcome, CommandSystem.OUTCOME_STARTED, "accepted")
	cart.free()
	_orders.advance(0.1)
	eq(_ended(), "Dig 2 executor_freed", "freed while it works")
	eq(_issue(MethodExecution.new()).reason, &"execution_unavailable", "without a method")


func test_a_method_that_cannot_be_called() -> void:
	_system()
	expect_error("MethodExecution: method: the call of \"two\" failed", 1)
	_issue(_by_method(&"two"))
	eq(_ended(), "Dig 2 method_failed", "end")

# Abilities.


func _ability_order(ability: GameplayAbility) -> AbilityExecution:
	var made := AbilityExecution.new()
	made.ability = ability
	return made


func test_abilities() -> void:
	var rig := Abilities.new(self)
	_system(rig.agent)
	var dash := rig.make("dash", 0.2)
	_issue(_ability_order(dash))
	eq(rig.system.get_active_handles().size(), 1, "granted and active")
	rig.step(2)
	eq(_ended(), "Dig 1 ", "completed")
	is_null(rig.system.get_ability(1), "the grant went with the order")
	var failing := rig.make("fall", 0.1)
	failing.succeeds = false
	_issue(_ability_order(failing))
	rig.step()
	eq(_ended(), "Dig 2 ability_failed", "failed")
	var refusing := rig.make("no")
	refusing.accepts = false
	_issue(_ability_order(refusing))
	eq(_ended(), "Dig 2 ability_refused", "refused")
	var quick := rig.make("quick", 0.0)
	_issue(_ability_order(quick))
	eq(_ended(), "Dig 1 ", "over in its own start")


func test_abilities_that_others_end() -> void:
	var rig := Abilities.new(self)
	_system(rig.agent)
	var dash := rig.make("dash")
	_issue(_ability_order(dash))
	rig.system.cancel_abilities()
	eq(_ended(), "Dig 3 ability_cancelled", "cancelled by somebody else")
	_issue(_ability_order(dash))
	rig.diary.take()
	eq(_orders.cancel_command().outcome, CommandSystem.OUTCOME_APPLIED, "cancelled")
	eq(_ended(), "Dig 3 cancelled", "end")
	eq(rig.diary.take("end"), "end dash 2", "only its own run was stopped")
	_issue(_ability_order(dash))
	_orders.get_current_handle().succeed()
	eq(rig.diary.take("end"), "end dash 2", "an order that somebody else reported leaves nothing running")
	eq(_ended(), "Dig 1 ", "end")
	_issue(_ability_order(dash))
	rig.system.free()
	eq(_ended(), "Dig 2 executor_freed", "the system was freed")
	eq(_issue(_ability_order(dash)).reason, &"execution_unavailable", "and there is none now")


func test_abilities_by_tag_and_their_context() -> void:
	var rig := Abilities.new(self)
	_system(rig.agent)
	var first := rig.make("first", -1.0, ["Ability.Attack.Light"])
	first.accepts = false
	var second := rig.make("second", -1.0, ["Ability.Attack.Heavy"])
	rig.grant(first)
	var handle := rig.grant(second)
	var execution := AbilityExecution.new()
	eq(_issue(execution).reason, &"execution_unavailable", "neither ability nor tag")
	execution.ability_tag = &"Ability.Attack"
	var definition := _define(execution)
	definition.target_type = CommandDefinition.TARGET_TYPE_NODE
	var foe := Node3D.new()
	add(foe)
	var request := CommandRequest.to_node(definition, foe)
	request.payload = {"magnitude": 2.5, "tags": ["Move.Spin"], "object": execution}
	_orders.issue_command(request)
	check(rig.system.is_active(handle), "the first one that accepts")
	var seen: Array = []
	rig.agent.set_meta(&"seen", seen)
	var probe := script("extends GameplayAbility\nfunc _activate(context: ActionContext) -> void:\n\tcontext.instigator.get_meta(&\"seen\").append_array([context.target, context.magnitude, context.context_tags, context.optional_object])\n")
	var ability: GameplayAbility = probe.new()
	(definition.execution as AbilityExecution).ability = ability
	_orders.clear_commands()
	request.payload = {"magnitude": 2.5, "tags": ["Move.Spin"], "object": execution}
	_orders.issue_command(request)
	eq(seen, [foe, 2.5, PackedStringArray(["Move.Spin"]), execution], "the context of the order")
	seen.clear()
	rig.system.cancel_abilities()

# Actions.


func _action_order(id: StringName) -> ActionExecution:
	var made := ActionExecution.new()
	made.action = id
	return made


func test_actions() -> void:
	var failing := Actions.spec(&"Fall", 1.0, 1)
	Actions.method_of(failing).succeeds = false
	var slow := Actions.spec(&"Slow")
	Actions.method_of(slow).timeout = 0.2
	var rig := Actions.new(self, [Actions.spec(&"Slash", 1.0, 2), failing, slow, Actions.spec(&"Idle")])
	_system(rig.agent)
	_issue(_action_order(&"Slash"))
	eq(rig.brain.get_running_action(), &"Slash", "runs")
	rig.brain.evaluate_now()
	eq(rig.brain.get_running_action(), &"Slash", "the evaluator chooses nothing itself")
	rig.step(4)
	eq(_ended(), "Dig 1 ", "completed")
	eq(rig.choose(), &"Slash", "the hold went with the order")
	rig.brain.abort_action()
	_issue(_action_order(&"Fall"))
	rig.step(4)
	eq(_ended(), "Dig 2 action_failed", "failed")
	_issue(_action_order(&"Slow"))
	rig.step(4)
	eq(_ended(), "Dig 2 timed_out", "timed out")
	expect_error("no action named \"Leap\"", 1)
	_issue(_action_order(&"Leap"))
	eq(_ended(), "Dig 2 action_refused", "refused")


func test_actions_that_others_end() -> void:
	var rig := Actions.new(self, [Actions.spec(&"Slash"), Actions.spec(&"Idle")])
	_system(rig.agent)
	_issue(_action_order(&"Slash"))
	rig.brain.execute_action(&"Idle")
	eq(_ended(), "Dig 3 action_interrupted", "another action")
	eq(rig.brain.get_running_action(), &"Idle", "goes on")
	_issue(_action_order(&"Slash"))
	eq(_orders.cancel_command().outcome, CommandSystem.OUTCOME_APPLIED, "cancelled")
	eq(_ended(), "Dig 3 cancelled", "end")
	check(not rig.brain.is_executing(), "its run was stopped")
	_issue(_action_order(&"Slash"))
	_orders.get_current_handle().fail(&"bored")
	check(not rig.brain.is_executing(), "an order that somebody else reported leaves nothing running")
	eq(_ended(), "Dig 2 bored", "end")
	check(rig.choose() != &"", "and nothing held")
	rig.brain.abort_action()
	_issue(_action_order(&"Slash"))
	rig.brain.free()
	eq(_ended(), "Dig 2 executor_freed", "the evaluator was freed")
	eq(_issue(_action_order(&"Slash")).reason, &"execution_unavailable", "and there is none now")

# Scripts.


func _scripted(body: String) -> CommandExecution:
	return script("extends CommandExecution\n" + body).new()


func test_scripts_refuse_and_answer() -> void:
	_system()
	var execution := _scripted("func _is_available(agent: Node, request: CommandRequest) -> StringName:\n\treturn &\"too_tired\" if agent.has_meta(&\"tired\") and request.source == &\"ai\" else &\"\"\nfunc _start_execution(handle: CommandHandle) -> void:\n\thandle.data[\"n\"] = 1\n")
	_agent.set_meta(&"tired", true)
	var request := CommandRequest.simple(_define(execution))
	request.source = &"ai"
	eq(_orders.issue_command(request).reason, &"too_tired", "asked before acceptance")
	request.source = &"player"
	eq(_orders.issue_command(request).outcome, CommandSystem.OUTCOME_STARTED, "accepted")
	eq(_orders.get_current_handle().data, {"n": 1}, "data of the start")
	eq(_orders.cancel_command().outcome, CommandSystem.OUTCOME_APPLIED, "one without _cancel_execution() answers at once")
	expect_error("CommandExecution: CommandExecution has no _start_execution(), so the order failed. Write one.", 1)
	_issue(CommandExecution.new())
	eq(_ended(), "Dig 3 cancelled, Dig 2 not_implemented", "ends")


func test_a_coroutine_reports_late() -> void:
	_system()
	var waiting := _scripted("func _start_execution(handle: CommandHandle) -> void:\n\tawait handle.agent.get_tree().create_timer(0.2).timeout\n\thandle.agent.set_meta(&\"late\", handle.succeed())\n")
	_issue(waiting)
	_orders.cancel_command()
	await until(func() -> bool: return _agent.has_meta(&"late"), "the timer")
	eq(_agent.get_meta(&"late"), false, "a late report has no effect")
	_issue(waiting)
	await until(func() -> bool: return _orders.is_idle(), "the timer")
	eq(_ended(), "Dig 3 cancelled, Dig 1 ", "ends")


func test_resume_data_and_attempts() -> void:
	_system()
	var execution := _scripted("func _start_execution(handle: CommandHandle) -> void:\n\thandle.agent.set_meta(&\"seen\", [handle.attempt, handle.is_resumed, handle.resume_data])\nfunc _cancel_execution(handle: CommandHandle) -> void:\n\thandle.resume_data = 7 if handle.will_resume else 8\n\thandle.cancelled()\n")
	_issue(execution)
	eq(_agent.get_meta(&"seen"), [1, false, null], "first start")
	_orders.interrupt_with(CommandRequest.simple(_define(execution, &"Dodge")))
	eq(_agent.get_meta(&"seen"), [1, false, null], "another order")
	_orders.get_current_handle().succeed()
	eq(_agent.get_meta(&"seen"), [2, true, 7], "the start after the interruption")
	var handle := _orders.get_current_handle()
	eq([handle.system, handle.agent, handle.definition.id, handle.command_id, handle.execution_id], [_orders, _agent, &"Dig", 1, 3], "identity")
	eq([handle.target, handle.targets, handle.location, handle.direction, handle.last_target_location], [null, [], null, null, null], "aimed at nothing")
	check(handle.is_current() and not handle.is_cancelling(), "it runs")
	_orders.clear_commands()
	check(not handle.is_current(), "it is over")
	var made := CommandHandle.new()
	eq([made.command_id, made.system, made.agent, made.definition, made.settings, made.succeed(), made.is_current()], [0, null, null, null, null, false, false], "one that a script made")


func test_watch() -> void:
	_system()
	var execution := _scripted("func _start_execution(handle: CommandHandle) -> void:\n\thandle.watch(handle.agent.get_node(\"Horse\"))\n")
	var horse := Node.new()
	horse.name = "Horse"
	_agent.add_child(horse)
	_issue(execution)
	_orders.advance(0.1)
	eq(_ended(), "", "it is there")
	_agent.remove_child(horse)
	_orders.advance(0.1)
	eq(_ended(), "Dig 2 executor_freed", "it left")
	var handle := _orders.get_current_handle()
	is_null(handle, "nothing runs")
	_agent.add_child(horse)
	_issue(execution)
	handle = _orders.get_current_handle()
	check(not handle.watch(null), "nothing to watch")
	horse.free()
	_orders.advance(0.1)
	eq(_ended(), "Dig 2 executor_freed", "it was freed")
	check(not handle.watch(_agent), "too late")
