extends TestCase
## Orders out and in: the running start that goes on, orders that start anew, what is not there any more.

const RUNNER := "extends CommandExecution\nfunc _start_execution(handle: CommandHandle) -> void:\n\thandle.agent.get_meta(&\"log\").append(\"start %s %s %s\" % [handle.definition.id, handle.is_resumed, handle.resume_data])\nfunc _cancel_execution(handle: CommandHandle) -> void:\n\thandle.agent.get_meta(&\"log\").append(\"cancel %s %s\" % [handle.definition.id, handle.cancel_reason])\n\tif not handle.definition.has_meta(&\"deaf\"):\n\t\thandle.cancelled()\n"

var _log: Array[String] = []
var _known: Array[CommandDefinition] = []
var _agent: Node3D
var _orders: CommandSystem


func _define(id: StringName) -> CommandDefinition:
	var made := CommandDefinition.new()
	made.id = id
	made.execution = script(RUNNER).new()
	_known.append(made)
	return made


func _system() -> CommandSystem:
	_agent = Node3D.new()
	_agent.name = "Unit"
	_agent.set_meta(&"log", _log)
	_orders = CommandSystem.new()
	_orders.name = "Orders"
	_orders.process_callback = CommandSystem.PROCESS_MANUAL
	_orders.commands = _known
	_agent.add_child(_orders)
	add(_agent)
	_orders.command_ended.connect(
		func(command: CommandInfo, result: int, reason: StringName) -> void: _log.append("end %s %d %s" % [command.command_name, result, reason])
	)
	_orders.current_command_changed.connect(
		func(_previous: CommandInfo, current: CommandInfo) -> void: _log.append("cur " + ("-" if current == null else String(current.command_name)))
	)
	_orders.command_queue_changed.connect(func() -> void: _log.append("queue"))
	return _orders


func _take() -> String:
	var text := ", ".join(_log)
	_log.clear()
	return text


func _through_json(state: Dictionary) -> Dictionary:
	return JSON.parse_string(JSON.stringify(state))


func test_the_running_start_goes_on() -> void:
	var dig := _define(&"Dig")
	_system()
	var receipt := _orders.issue_command(CommandRequest.simple(dig))
	_orders.enqueue_command(CommandRequest.simple(_define(&"Rest")))
	_orders.commands = _known
	var handle := _orders.get_current_handle()
	var state := _orders.export_state()
	_take()
	check(_orders.import_state(state), "taken")
	eq(_take(), "", "no hook, no signal")
	check(handle.is_current(), "the execution goes on")
	eq(_orders.export_state(), state, "the same again")
	check(handle.succeed(), "and reports")
	check(receipt.is_ended(), "the receipt hears of it")
	eq(_orders.get_current_command().command_name, &"Rest", "the next one")


func test_orders_start_anew_elsewhere() -> void:
	var move := _define(&"Move")
	move.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	var attack := _define(&"Attack")
	attack.target_type = CommandDefinition.TARGET_TYPE_NODE
	var foe := Node3D.new()
	foe.name = "Foe"
	add(foe)
	_system()
	var request := CommandRequest.to_location(move, Vector3(1, 2, 3))
	request.payload = {"speed": 2.5, "names": ["a", &"b"], "deep": {"x": null}}
	request.source = &"player"
	_orders.issue_command(request)
	_orders.get_current_handle().resume_data = {"step": 3}
	_orders.enqueue_command(CommandRequest.to_node(attack, foe))
	var state := _through_json(_orders.export_state())
	var other := _system()
	other.get_parent().name = "Other"
	_take()
	check(other.import_state(state), "taken")
	eq(_take(), "start Move true { \"step\": 3.0 }, cur Move, queue", "starts anew")
	var current := other.get_current_command()
	eq([current.location, current.payload, current.source, current.command_id], [Vector3(1, 2, 3), {"speed": 2.5, "names": ["a", "b"], "deep": {"x": null}}, &"player", 1], "what was ordered")
	eq(other.get_current_handle().execution_id, 2, "a start of its own")
	eq(other.get_command_queue()[0].target, foe, "targets by path")
	other.get_current_handle().succeed()
	eq(other.get_current_command().command_name, &"Attack", "goes on")
	eq(other.enqueue_command(request).command_id, 3, "numbers are not used again")


func test_a_start_that_the_state_does_not_know_is_stopped() -> void:
	var dig := _define(&"Dig")
	var rest := _define(&"Rest")
	_system()
	_orders.issue_command(CommandRequest.simple(dig))
	var state := _orders.export_state()
	_orders.issue_command(CommandRequest.simple(rest))
	_take()
	check(_orders.import_state(state), "taken")
	eq(_take(), "cancel Rest imported, start Dig true <null>, cur Dig", "stopped without a word of its end")
	check(_orders.import_state(_fresh_state()), "an empty state")
	eq(_take(), "cancel Dig imported, cur -", "nothing is left")
	check(_orders.is_idle(), "idle")


func _fresh_state() -> Dictionary:
	var node := CommandSystem.new()
	var state := node.export_state()
	node.free()
	return state


func test_one_that_was_being_stopped_has_ended() -> void:
	var dig := _define(&"Dig")
	dig.set_meta(&"deaf", true)
	var rest := _define(&"Rest")
	_system()
	_orders.issue_command(CommandRequest.simple(dig))
	_orders.issue_command(CommandRequest.simple(rest))
	var state := _through_json(_orders.export_state())
	_system()
	_take()
	check(_orders.import_state(state), "taken")
	eq(_take(), "end Dig 3 replaced, start Rest false <null>, cur Rest", "its end is told, then the next one starts")


func test_what_is_not_there() -> void:
	var dig := _define(&"Dig")
	var attack := _define(&"Attack")
	attack.target_type = CommandDefinition.TARGET_TYPE_NODE
	var foe := Node3D.new()
	add(foe)
	_system()
	_orders.issue_command(CommandRequest.simple(dig))
	_orders.enqueue_command(CommandRequest.to_node(attack, foe))
	var state := _through_json(_orders.export_state())
	foe.free()
	_known = [attack]
	_system()
	_take()
	expect_warning("import_state() left out the order \"Dig\"", 1)
	check(_orders.import_state(state), "taken")
	eq(_take(), "end Attack 4 target_lost", "no definition, no target")
	check(_orders.is_idle(), "idle")


func test_values_that_are_not_plain() -> void:
	var dig := _define(&"Dig")
	_system()
	var request := CommandRequest.simple(dig)
	request.payload = {"place": Vector2.ONE, "who": self, "n": 1, "far": INF}
	_orders.issue_command(request)
	expect_warning("export_state() left out the payload of \"Dig\".place", 1)
	expect_warning("export_state() left out the payload of \"Dig\".who", 1)
	expect_warning("export_state() left out the payload of \"Dig\".far", 1)
	eq((_orders.export_state().current as Dictionary).payload, {"n": 1}, "what is left")


func test_states_that_are_none() -> void:
	var dig := _define(&"Dig")
	_system()
	_orders.issue_command(CommandRequest.simple(dig))
	var state := _orders.export_state()
	expect_error("import_state() got a state of no version", 1)
	check(not _orders.import_state({}), "empty")
	expect_error("import_state() got a state of version 7", 1)
	check(not _orders.import_state({"version": 7}), "another version")
	expect_error("import_state() got a state with another structure", 1)
	for broken: Dictionary in [{"queue": 3}, {"phase": 9}, {"current": {}}, {"next_command_id": -1}, {"enabled": "yes"}, {"queue": [{}]}]:
		check(not _orders.import_state(state.merged(broken, true)), "structure %s" % [broken])
	check(_orders.get_current_handle().is_current(), "nothing changed")
	_orders.enabled = false
	var off := _orders.export_state()
	_orders.enabled = true
	check(_orders.import_state(off), "taken")
	eq(_orders.enabled, false, "the switch comes along")
