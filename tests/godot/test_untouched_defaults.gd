extends TestCase
## Nodes of which nobody set anything: what their settings say by default holds.


func _agent(part: Node) -> TagContainer:
	var agent: Node3D = Node3D.new()
	var tags: TagContainer = TagContainer.new()
	agent.add_child(tags)
	agent.add_child(part)
	add(agent)
	return tags


func test_a_player_marks_its_moves_and_is_blocked() -> void:
	var graph: ActionGraph = ActionGraph.new()
	graph.add_node(&"blow", DelayPayload.new())
	graph.add_transition(&"root", &"blow", &"Input.Blow")
	var player: ActionGraphPlayer = ActionGraphPlayer.new()
	player.default_graph = graph
	var tags: TagContainer = _agent(player)
	eq(player.process_input(&"Input.Blow"), ActionGraphPlayer.INPUT_ENTERED, "a move")
	check(tags.has_tag(&"State.ActionRunning"), "is told by the tag")
	player.interrupt_for_external()
	check(not tags.has_tag(&"State.ActionRunning"), "until its end")
	tags.add_tag(&"State.ActionsBlocked")
	eq(player.process_input(&"Input.Blow"), ActionGraphPlayer.INPUT_BLOCKED, "and blocked by the other one")
	tags.get_parent().free()


func test_orders_are_blocked() -> void:
	var orders: CommandSystem = CommandSystem.new()
	var tags: TagContainer = _agent(orders)
	var order: CommandDefinition = CommandDefinition.new()
	order.id = &"Wait"
	order.execution = ClassDB.instantiate(&"MethodExecution")
	tags.add_tag(&"State.CommandsBlocked")
	eq(orders.check_command(CommandRequest.simple(order)).reason, &"agent_blocked", "by default")
	tags.get_parent().free()
