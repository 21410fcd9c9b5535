extends TestCase
## What is seen of orders from outside: who gives them, signals and getters, the last result, receipts, many agents, the log.

## Runs until it is told.
const RUNNER := "extends CommandExecution\nfunc _start_execution(_handle: CommandHandle) -> void:\n\tpass\n"
## Writes the agent's name and what it ran by.
const NAMED := "extends CommandExecution\n@export var mark: String\nfunc _start_execution(handle: CommandHandle) -> void:\n\thandle.agent.set_meta(&\"ran\", mark)\n\thandle.succeed()\n"
## An order whose execution depends on who carries it out.
const CHOOSING := "extends CommandDefinition\n@export var by_player: CommandExecution\nfunc _get_execution(agent: Node, _request: CommandRequest, variant: CommandVariant) -> Resource:\n\treturn by_player if agent.is_in_group(&\"players\") else variant.execution\n"

const SOURCES: Array[StringName] = [&"player", &"ui", &"script", &"squad", &"ai"]

var _runner: CommandExecution


func _orders(agent: Node) -> CommandSystem:
	var system := CommandSystem.new()
	system.name = "Orders"
	system.process_callback = CommandSystem.PROCESS_MANUAL
	agent.add_child(system)
	if not agent.is_inside_tree():
		add(agent)
	return system


func _order(id: StringName, execution: CommandExecution = null) -> CommandDefinition:
	var made := CommandDefinition.new()
	made.id = id
	if _runner == null:
		_runner = script(RUNNER).new()
	made.execution = execution if execution != null else _runner
	return made


func _marked(mark: String) -> CommandExecution:
	var made: CommandExecution = script(NAMED).new()
	made.set(&"mark", mark)
	return made


func test_one_entry_for_every_source() -> void:
	var move := _order(&"Move")
	for source in SOURCES:
		var system := _orders(Node.new())
		var request := CommandRequest.simple(move)
		request.source = source
		eq(system.issue_command(request).outcome, CommandSystem.OUTCOME_STARTED, "order by %s" % source)
		eq(system.get_current_command().source, source, "who gave it")
		eq(system.get_current_handle().source, source, "what the execution sees")
		eq(system.get_phase(), CommandSystem.PHASE_RUNNING, "phase")


func test_an_order_moves_and_decides_nothing_by_itself() -> void:
	var body := Node3D.new()
	body.position = Vector3(1, 2, 3)
	var system := _orders(body)
	system.process_callback = CommandSystem.PROCESS_PHYSICS
	var move := _order(&"Move")
	move.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	move.range_max = 2.0
	system.issue_command(CommandRequest.to_location(move, Vector3(9, 0, 0)))
	await physics(5)
	eq(body.global_position, Vector3(1, 2, 3), "where the agent stands")
	eq(body.get_child_count(), 1, "children of the agent")
	eq(system.get_current_command().command_name, &"Move", "still the order that was given")
	eq(system.get_queue_length(), 0, "nothing was added")


func test_any_node_is_an_agent() -> void:
	var move := _order(&"Move")
	move.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	var places: Array[Variant] = [Vector3(1, 0, 2), Vector3(1, 0, 2), Vector2(3, 4), Vector2(3, 4), Vector2(3, 4), Vector3(1, 0, 2)]
	var agents: Array[Node] = [Node3D.new(), CharacterBody3D.new(), Node2D.new(), CharacterBody2D.new(), Control.new(), Node.new()]
	for i in agents.size():
		var system := _orders(agents[i])
		var receipt := system.issue_command(CommandRequest.to_location(move, places[i]))
		eq(receipt.outcome, CommandSystem.OUTCOME_STARTED, agents[i].get_class())
		eq(system.get_current_handle().agent, agents[i], "agent of the handle")
		eq(system.get_current_command().location, places[i], "where to")


func test_players_use_another_execution() -> void:
	var attack: CommandDefinition = script(CHOOSING).new()
	attack.id = &"Attack"
	attack.execution = _marked("ai")
	attack.set(&"by_player", _marked("player"))
	var hero := Node.new()
	hero.add_to_group(&"players")
	var guard := Node.new()
	for agent: Node in [hero, guard]:
		_orders(agent).issue_command(CommandRequest.simple(attack))
	eq(hero.get_meta(&"ran"), "player", "the player's agent")
	eq(guard.get_meta(&"ran"), "ai", "the other one")
	# Without an execution of the order the system of each agent says by what.
	var wait := CommandDefinition.new()
	wait.id = &"Wait"
	for agent: Node in [hero, guard]:
		var system: CommandSystem = agent.get_node("Orders")
		system.default_execution = _marked("default of " + ("hero" if agent == hero else "guard"))
		system.issue_command(CommandRequest.simple(wait))
	eq(hero.get_meta(&"ran"), "default of hero", "the player's agent")
	eq(guard.get_meta(&"ran"), "default of guard", "the other one")


func test_signals_and_getters() -> void:
	var system := _orders(Node.new())
	var changes: Array[String] = []
	var queues: Array[int] = []
	var results: Array[String] = []
	var name_of := func(command: CommandInfo) -> String: return "-" if command == null else String(command.command_name)
	system.current_command_changed.connect(
		func(previous: CommandInfo, current: CommandInfo) -> void: changes.append("%s→%s" % [name_of.call(previous), name_of.call(current)])
	)
	system.command_queue_changed.connect(func() -> void: queues.append(system.get_queue_length()))
	system.last_result_changed.connect(
		func(command: CommandInfo) -> void: results.append("%s %d %s" % [command.command_name, command.result, command.reason])
	)
	check(system.is_idle() and system.get_current_command() == null and system.get_current_handle() == null, "idle")
	is_null(system.get_last_result(), "no result yet")
	for id: StringName in [&"A", &"B", &"C"]:
		system.enqueue_command(CommandRequest.simple(_order(id)))
	eq(changes, ["-→A"], "current order")
	eq(queues, [1, 2], "lengths of the queue as told")
	eq(system.get_command_queue().map(func(info: CommandInfo) -> StringName: return info.command_name), [&"B", &"C"], "who waits")
	check(not system.is_idle(), "busy")
	system.get_current_handle().succeed()
	system.get_current_handle().fail(&"tired")
	eq(changes, ["-→A", "A→B", "B→-"], "a chain")
	eq(results, ["A %d " % CommandSystem.RESULT_SUCCEEDED, "B %d tired" % CommandSystem.RESULT_FAILED], "results in order")
	eq(queues, [1, 2, 1, 0], "lengths of the queue as told")
	check(system.is_idle() and system.get_command_queue().is_empty(), "idle again")


func test_the_last_result_and_no_history() -> void:
	var system := _orders(Node.new())
	var first := system.issue_command(CommandRequest.simple(_order(&"A"))).command_id
	system.get_current_handle().fail(&"no_path")
	var last := system.get_last_result()
	eq([last.command_id, last.result, last.reason], [first, CommandSystem.RESULT_FAILED, &"no_path"], "the result")
	eq(system.get_command(first).reason, &"no_path", "by its id")
	var second := system.issue_command(CommandRequest.simple(_order(&"B"))).command_id
	eq(system.get_last_result().command_id, first, "a running order has none yet")
	system.get_current_handle().succeed()
	eq(system.get_last_result().command_id, second, "the newer one")
	is_null(system.get_command(first), "the older one")
	# An order that never started leaves the last result as it is.
	system.issue_command(CommandRequest.simple(_order(&"C")))
	var waiting := system.enqueue_command(CommandRequest.simple(_order(&"D")))
	system.remove_last()
	check(waiting.is_ended(), "it ended")
	eq(system.get_last_result().command_id, second, "last result")


func test_receipts_tell_the_end() -> void:
	var system := _orders(Node.new())
	var running := system.issue_command(CommandRequest.simple(_order(&"A")))
	var waiting := system.enqueue_command(CommandRequest.simple(_order(&"B")))
	check(running.is_accepted() and waiting.is_accepted() and not running.is_rejected(), "both are accepted")
	check(not running.is_ended() and not waiting.is_ended(), "neither has ended")
	var told: Array[String] = []
	system.command_ended.connect(func(command: CommandInfo, _result: int, _reason: StringName) -> void: told.append("ended " + command.command_name))
	running.ended.connect(func(result: int, reason: StringName) -> void: told.append("A %d %s" % [result, reason]))
	waiting.ended.connect(func(result: int, reason: StringName) -> void: told.append("B %d %s" % [result, reason]))
	system.get_current_handle().fail(&"stuck")
	eq(
		told,
		["ended A", "A %d stuck" % CommandSystem.RESULT_FAILED, "ended B", "B %d chain_failed" % CommandSystem.RESULT_DROPPED],
		"each right after its command_ended"
	)
	check(running.is_ended() and waiting.is_ended(), "both have ended")
	eq([running.result, running.end_reason], [CommandSystem.RESULT_FAILED, &"stuck"], "what the receipt keeps")
	eq([waiting.result, waiting.end_reason], [CommandSystem.RESULT_DROPPED, &"chain_failed"], "what the receipt keeps")
	var refused := system.cancel_command()
	eq([refused.outcome, refused.reason, refused.command_id], [CommandSystem.OUTCOME_NO_CHANGE, &"no_current", 0], "nothing to cancel")


func test_one_order_to_many_agents() -> void:
	var first := _orders(Node.new())
	var second := _orders(Node3D.new())
	var bare := Node.new()
	add(bare)
	var gone := Node.new()
	gone.free()
	var agents: Array = [first.get_parent(), second, bare, gone, null, 7]
	var receipts := CommandSystem.submit_many(agents, CommandRequest.simple(_order(&"Go")), CommandSystem.ENTRY_ISSUE)
	var outcomes := receipts.map(func(receipt: CommandReceipt) -> int: return receipt.outcome)
	var started := CommandSystem.OUTCOME_STARTED
	var rejected := CommandSystem.OUTCOME_REJECTED
	eq(outcomes, [started, started, rejected, rejected, rejected, rejected], "one receipt for each")
	for i in range(2, agents.size()):
		eq(receipts[i].reason, &"agent_missing", "element %d" % i)
	eq(first.get_current_command().command_name, &"Go", "the first one's order")
	eq(second.get_current_command().command_name, &"Go", "the second one's order")
	var more := CommandSystem.submit_many([first, second], CommandRequest.simple(_order(&"Then")), CommandSystem.ENTRY_ENQUEUE)
	eq(more[0].outcome, CommandSystem.OUTCOME_QUEUED, "behind the first one")
	eq(second.get_queue_length(), 1, "orders that wait")


func test_the_log_says_what_happens() -> void:
	if not ClassDB.class_exists(&"Logger"):
		check(true, "the engine has no loggers")
		return
	var catcher: Object = (load("res://support/message_catcher.gd") as GDScript).new()
	OS.call("add_logger", catcher)
	var system := _orders(Node.new())
	system.debug_log_execution = true
	system.issue_command(CommandRequest.simple(_order(&"A")))
	system.enqueue_command(CommandRequest.simple(_order(&"B")))
	system.get_current_handle().fail(&"stuck")
	system.debug_log_execution = false
	system.issue_command(CommandRequest.simple(_order(&"C")))
	OS.call("remove_logger", catcher)
	var text := "\n".join(catcher.call("take") as PackedStringArray)
	for wanted: String in ["start(A#1)", "cur(-→A#1)", "started(A#1)", "queue", "end(A#1,F,stuck)", "end(B#2,D,chain_failed)", "idle"]:
		check(text.contains(wanted), "%s in the log:\n%s" % [wanted, text])
	check(not text.contains("C#3"), "nothing when it is off")
