extends TestCase
## Orders in the tree: leaving it, coming back, pause, time, and handlers that free things.

## Runs until it is told; stops at once when asked.
const RUNNER := "extends CommandExecution\nfunc _start_execution(handle: CommandHandle) -> void:\n\thandle.agent.get_meta(&\"log\").append(\"start \" + handle.definition.id)\nfunc _cancel_execution(handle: CommandHandle) -> void:\n\thandle.agent.get_meta(&\"log\").append(\"cancel \" + handle.definition.id + \" \" + handle.cancel_reason)\n\thandle.cancelled()\n"
## Never answers.
const DEAF := "extends CommandExecution\nfunc _start_execution(_handle: CommandHandle) -> void:\n\tpass\nfunc _cancel_execution(_handle: CommandHandle) -> void:\n\tpass\n"

var _log: Array[String] = []
var _agent: Node
var _orders: CommandSystem


func _system(agent: Node = null) -> CommandSystem:
	_agent = agent if agent != null else Node.new()
	_agent.name = "Unit"
	_agent.set_meta(&"log", _log)
	_orders = CommandSystem.new()
	_orders.name = "Orders"
	_orders.process_callback = CommandSystem.PROCESS_MANUAL
	_agent.add_child(_orders)
	if not _agent.is_inside_tree():
		add(_agent)
	_orders.command_ended.connect(
		func(command: CommandInfo, result: int, reason: StringName) -> void: _log.append("end %s %d %s" % [command.command_name, result, reason])
	)
	_orders.current_command_changed.connect(
		func(_previous: CommandInfo, current: CommandInfo) -> void: _log.append("cur " + ("-" if current == null else String(current.command_name)))
	)
	_orders.became_idle.connect(func() -> void: _log.append("idle"))
	return _orders


func _order(id: StringName, source: String = RUNNER) -> CommandRequest:
	var made := CommandDefinition.new()
	made.id = id
	made.execution = script(source).new()
	return CommandRequest.simple(made)


func _take() -> String:
	var text := ", ".join(_log)
	_log.clear()
	return text


func test_leaving_the_tree_ends_everything() -> void:
	_system()
	_orders.issue_command(_order(&"A"))
	_orders.enqueue_command(_order(&"B"))
	_take()
	remove_child(_agent)
	eq(_take(), "cancel A agent_removed, end A 3 agent_removed, end B 4 agent_removed, cur -", "while it leaves")
	check(_orders.is_idle(), "idle, without a word")
	eq(_orders.issue_command(_order(&"A")).reason, &"outside_tree", "nothing is taken")
	add_child(_agent)
	eq(_orders.issue_command(_order(&"A")).outcome, CommandSystem.OUTCOME_STARTED, "back in the tree")


func test_an_execution_that_does_not_answer_while_it_leaves() -> void:
	_system()
	_orders.issue_command(_order(&"A", DEAF))
	var handle := _orders.get_current_handle()
	_take()
	remove_child(_agent)
	eq(_take(), "end A 3 agent_removed, cur -", "the answer is not awaited")
	check(not handle.cancelled(), "and comes too late")
	_agent.free()


func test_keep_goes_on_when_it_is_back() -> void:
	_system()
	_orders.exit_tree_policy = CommandSystem.EXIT_TREE_KEEP
	_orders.issue_command(_order(&"A"))
	_orders.enqueue_command(_order(&"B"))
	var handle := _orders.get_current_handle()
	_take()
	remove_child(_agent)
	eq(_take(), "", "nothing happens")
	eq(_orders.enqueue_command(_order(&"C")).reason, &"outside_tree", "nothing is taken")
	check(handle.succeed(), "a report is taken")
	eq(_take(), "end A 1 , cur -", "the next one waits")
	var other := Node.new()
	add(other)
	other.add_child(_agent)
	eq(_take(), "start B, cur B", "and starts in the new place")
	other.remove_child(_agent)
	_agent.free()
	eq(_take(), "", "freed outside the tree: silent")


func test_a_removed_agent_in_a_handler() -> void:
	_system()
	_orders.command_started.connect(func(_command: CommandInfo) -> void: remove_child(_agent), CONNECT_ONE_SHOT)
	eq(_orders.issue_command(_order(&"A")).outcome, CommandSystem.OUTCOME_STARTED, "outcome")
	eq(_take(), "start A, cur A, cancel A agent_removed, end A 3 agent_removed, cur -", "log")
	_agent.free()


func test_freed_in_hooks_and_handlers() -> void:
	for signal_name: StringName in [&"current_command_changed", &"command_started", &"command_ended", &"last_result_changed", &"command_queue_changed", &"became_idle"]:
		_system()
		var agent := _agent
		var receipt := _orders.issue_command(_order(&"A"))
		_orders.enqueue_command(_order(&"B"))
		var gone: Callable = func() -> void: agent.queue_free()
		var count := _argument_count(signal_name)
		_orders.connect(signal_name, gone.unbind(count) if count > 0 else gone, CONNECT_ONE_SHOT)
		if signal_name == &"became_idle":
			_orders.clear_command_queue()
		_orders.get_current_handle().succeed()
		await idle()
		check(not is_instance_valid(agent), "freed in " + signal_name)
		check(receipt.is_ended(), "ended in " + signal_name)
	_log.clear()


func _argument_count(signal_name: StringName) -> int:
	for info: Dictionary in _orders.get_signal_list():
		if info.name == signal_name:
			return (info.args as Array).size()
	return 0


func test_freed_at_once_in_a_start() -> void:
	_system()
	var request := _order(&"A", "extends CommandExecution\nfunc _start_execution(handle: CommandHandle) -> void:\n\thandle.agent.free()\n\thandle.succeed()\n")
	var receipt := _orders.issue_command(request)
	check(not is_instance_valid(_agent), "freed")
	check(not receipt.is_rejected(), "the receipt is there")


func test_processing_only_while_needed() -> void:
	_system()
	_orders.process_callback = CommandSystem.PROCESS_PHYSICS
	check(not _orders.is_physics_processing(), "idle")
	_orders.issue_command(_order(&"A"))
	check(not _orders.is_physics_processing(), "nothing to watch")
	_orders.get_current_handle().watch(self)
	check(_orders.is_physics_processing(), "a watched node")
	_orders.clear_commands()
	check(not _orders.is_physics_processing(), "idle again")
	var limited := _order(&"B")
	limited.definition.time_limit = 10.0
	_orders.issue_command(limited)
	check(_orders.is_physics_processing(), "a time limit")
	_orders.process_callback = CommandSystem.PROCESS_IDLE
	check(_orders.is_processing() and not _orders.is_physics_processing(), "another callback")
	_orders.issue_command(_order(&"C", DEAF))
	check(not _orders.is_processing(), "without a limit")
	_orders.cancel_command()
	check(_orders.is_processing(), "waits for the answer")
	_orders.get_current_handle().cancelled()
	check(not _orders.is_processing(), "idle again")


func test_pause_and_time() -> void:
	_system()
	_orders.process_callback = CommandSystem.PROCESS_PHYSICS
	var limited := _order(&"A")
	limited.definition.time_limit = 0.1
	get_tree().paused = true
	_orders.issue_command(limited)
	eq(_orders.get_phase(), CommandSystem.PHASE_RUNNING, "orders start while the game is paused")
	for i in 20:
		await get_tree().physics_frame
	eq(_orders.get_phase(), CommandSystem.PHASE_RUNNING, "its time stands")
	get_tree().paused = false
	_orders.time_scale = 0.0
	for i in 20:
		await get_tree().physics_frame
	eq(_orders.get_phase(), CommandSystem.PHASE_RUNNING, "at time scale 0 too")
	_orders.time_scale = 1.0
	await until(func() -> bool: return _orders.is_idle(), "the time limit")
	eq(_orders.get_last_result().reason, &"timed_out", "reason")


func test_advance() -> void:
	_system()
	var limited := _order(&"A")
	limited.definition.time_limit = 1.0
	_orders.issue_command(limited)
	_orders.time_scale = 2.0
	_orders.advance(0.25)
	near(_orders.get_current_command().age, 0.5, 0.0001, "age in its own time")
	expect_warning("advance() got -1", 1)
	_orders.advance(-1.0)
	_orders.advance(0.25)
	eq(_orders.get_last_result().reason, &"timed_out", "the limit")
	expect_error("advance() was called from inside", 1)
	_orders.command_started.connect(func(_command: CommandInfo) -> void: _orders.advance(1.0))
	_orders.issue_command(_order(&"B"))
	expect_error("advance() works with process_callback PROCESS_MANUAL only", 1)
	_orders.process_callback = CommandSystem.PROCESS_PHYSICS
	_orders.advance(1.0)


func test_other_threads() -> void:
	_system()
	_orders.issue_command(_order(&"A"))
	var handle := _orders.get_current_handle()
	expect_error("issue_command() was called from another thread. Use call_deferred().", 1)
	expect_error("succeed() was called from another thread. Use call_deferred().", 1)
	var request := _order(&"B")
	var thread := Thread.new()
	thread.start(func() -> Array: return [_orders.issue_command(request).outcome, handle.succeed()])
	eq(thread.wait_to_finish(), [CommandSystem.OUTCOME_REJECTED, false], "neutral values")
	check(handle.is_current(), "nothing happened")
	handle.succeed.call_deferred()
	await idle()
	check(_orders.is_idle(), "the way to do it")


func test_a_script_with_its_own_callbacks() -> void:
	var own: CommandSystem = script("extends CommandSystem\nfunc _ready() -> void:\n\tpass\nfunc _enter_tree() -> void:\n\tpass\nfunc _physics_process(_delta: float) -> void:\n\tpass\n").new()
	_system()
	_orders.free()
	own.name = "Orders"
	_orders = own
	_agent.add_child(own)
	var limited := _order(&"A")
	limited.definition.time_limit = 0.1
	eq(own.issue_command(limited).outcome, CommandSystem.OUTCOME_STARTED, "takes orders")
	await until(func() -> bool: return own.is_idle(), "the time limit")
