extends "res://support/command_checks.gd"
## Which requests a CommandSystem accepts: the checks in their order, and what they tell.


func test_a_request_without_an_order_is_an_error() -> void:
	_set_up()
	expect_error("CommandSystem (", 2)
	eq(system.issue_command(null).reason, &"invalid_request", "null")
	eq(system.issue_command(CommandRequest.new()).reason, &"invalid_request", "no definition")
	check(system.is_idle(), "nothing happened")


func test_what_has_nothing_to_do_with_the_order() -> void:
	_set_up()
	var request := CommandRequest.simple(order)
	eq(_reason(request), &"", "fine")
	request.location = Vector3.ONE
	eq(_reason(request), &"location_unexpected", "shape")
	tags.add_tag(&"State.CommandsBlocked.Stunned")
	eq(_reason(request), &"agent_blocked", "blocked")
	eq(_detail(request), "State.CommandsBlocked", "by this tag")
	system.enabled = false
	eq(_reason(request), &"disabled", "disabled first")
	system.enabled = true
	tags.remove_tag(&"State.CommandsBlocked.Stunned")
	system.restrict_to_palette = true
	eq(_reason(request), &"not_in_palette", "before the shape")
	eq(_detail(request), "order", "which")
	system.commands = [order]
	eq(_reason(request), &"location_unexpected", "known")
	system.agent_path = ^"../nobody"
	eq(_reason(request), &"agent_missing", "no agent")
	agent.remove_child(system)
	eq(_reason(request), &"outside_tree", "outside")
	system.free()
	agent.free()


func test_shapes() -> void:
	_set_up()
	var target: Node = add(Node.new())
	var requests: Dictionary[String, CommandRequest] = {
		"none": CommandRequest.simple(order),
		"node": CommandRequest.to_node(order, target),
		"place": CommandRequest.to_location(order, Vector3.ONE),
		"way": CommandRequest.to_direction(order, Vector3.ONE),
	}
	var wanted := {
		CommandDefinition.TARGET_TYPE_NONE: [&"", &"target_unexpected", &"location_unexpected", &"direction_unexpected"],
		CommandDefinition.TARGET_TYPE_NODE: [&"target_missing", &"", &"target_missing", &"target_missing"],
		CommandDefinition.TARGET_TYPE_LOCATION: [&"location_missing", &"target_unexpected", &"", &"location_missing"],
		CommandDefinition.TARGET_TYPE_DIRECTION: [&"direction_missing", &"target_unexpected", &"location_unexpected", &""],
	}
	for kind: int in wanted:
		order.target_type = kind
		var reasons: Array = requests.values().map(func(request: CommandRequest) -> StringName: return _reason(request))
		eq(reasons, wanted[kind], "target type %d" % kind)
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	requests.node.location = Vector3.ONE
	eq(_reason(requests.node), &"", "a point on the target")
	requests.node.location = Vector2.ONE
	eq(_reason(requests.node), &"wrong_dimension", "of the wrong dimension")
	requests.node.location = Vector3(NAN, 0, 0)
	eq(_reason(requests.node), &"not_finite", "not finite")
	eq(_detail(requests.node), "location", "which")
	agent.free()


func test_dimensions_of_agents() -> void:
	for row: Array in [[Node3D.new(), &"", &"wrong_dimension"], [Node2D.new(), &"wrong_dimension", &""],
			[Control.new(), &"wrong_dimension", &""], [Node.new(), &"", &""]]:
		var body: Node = row[0]
		var orders := CommandSystem.new()
		body.add_child(orders)
		add(body)
		system = orders
		order = CommandDefinition.new()
		order.execution = script(ALWAYS).new()
		order.target_type = CommandDefinition.TARGET_TYPE_LOCATION
		eq(_reason(CommandRequest.to_location(order, Vector3.ONE)), row[1], "Vector3 for " + body.get_class())
		eq(_reason(CommandRequest.to_location(order, Vector2.ONE)), row[2], "Vector2 for " + body.get_class())
		body.free()


func test_targets() -> void:
	_set_up()
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	var a: Node = add(Node3D.new())
	var b: Node = add(Node3D.new())
	var outside := Node.new()
	eq(_reason(CommandRequest.to_nodes(order, [a, b])), &"too_many_targets", "two of one")
	eq(_detail(CommandRequest.to_nodes(order, [a, b])), "2 of 1", "how many")
	order.max_targets = 2
	eq(_reason(CommandRequest.to_nodes(order, [a, b])), &"", "two of two")
	eq(_reason(CommandRequest.to_nodes(order, [a, outside])), &"target_lost", "outside the tree")
	eq(_detail(CommandRequest.to_nodes(order, [a, outside])), "targets[1]", "which")
	eq(_reason(CommandRequest.to_node(order, agent)), &"target_is_self", "self")
	order.allow_self = true
	eq(_reason(CommandRequest.to_node(order, agent)), &"", "self allowed")
	order.target_groups = ["ore", "wood"]
	eq(_reason(CommandRequest.to_nodes(order, [a, b])), &"target_not_in_group", "no group")
	a.add_to_group(&"wood")
	eq(_detail(CommandRequest.to_nodes(order, [a, b])), "targets[1]", "the second")
	b.add_to_group(&"ore")
	eq(_reason(CommandRequest.to_nodes(order, [a, b])), &"", "each in one")
	a.queue_free()
	eq(_reason(CommandRequest.to_nodes(order, [a, b])), &"target_lost", "queued for deletion")
	b.free()
	eq(_reason(CommandRequest.to_node(order, b)), &"target_lost", "freed")
	outside.free()
	agent.free()


func test_tags_come_after_targets_and_before_the_range() -> void:
	_set_up()
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	order.agent_required_tags = ["Weapon"]
	order.agent_blocked_tags = ["State.Stunned"]
	order.target_required_tags = ["Team"]
	order.target_blocked_tags = ["State.Dead"]
	order.range_max = 5.0
	order.range_rule = CommandDefinition.RANGE_AT_ISSUE
	var target := Node3D.new()
	target.position.x = 9.0
	var marks := TagContainer.new()
	target.add_child(marks)
	add(target)
	var request := CommandRequest.to_node(order, target)
	eq([_reason(request), _detail(request)], [&"agent_missing_tag", "Weapon"], "nothing")
	tags.add_tag(&"Weapon.Bow")
	tags.add_tag(&"State.Stunned.Long")
	eq([_reason(request), _detail(request)], [&"agent_blocked_tag", "State.Stunned"], "a weapon")
	tags.remove_tag(&"State.Stunned.Long")
	eq([_reason(request), _detail(request)], [&"target_missing_tag", "Team"], "not stunned")
	marks.add_tag(&"Team.Red")
	marks.add_tag(&"State.Dead")
	eq([_reason(request), _detail(request)], [&"target_blocked_tag", "State.Dead"], "a team")
	marks.remove_tag(&"State.Dead")
	eq([_reason(request), _detail(request)], [&"too_far", "9"], "alive")
	target.position.x = 5.0
	eq(_reason(request), &"", "near")
	target.free()
	agent.free()


func test_when_the_range_counts() -> void:
	_set_up()
	order.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	order.range_max = 10.0
	order.range_rule = CommandDefinition.RANGE_AT_START
	var entries: PackedInt32Array = [CommandSystem.ENTRY_ISSUE, CommandSystem.ENTRY_ENQUEUE, CommandSystem.ENTRY_INSERT_NEXT, CommandSystem.ENTRY_INTERRUPT]
	for entry: int in entries:
		eq(_reason(_at(11), entry), &"too_far", "idle, entry %d" % entry)
	system.issue_command(_at(1))
	var found: Array = []
	for entry: int in entries:
		found.append(_reason(_at(11), entry))
	eq(found, [&"too_far", &"", &"", &"too_far"], "while another runs")
	order.range_rule = CommandDefinition.RANGE_AT_ISSUE
	for entry: int in entries:
		eq(_reason(_at(11), entry), &"too_far", "at issue, entry %d" % entry)
	agent.free()


func test_ranges_in_2d_are_metres() -> void:
	var body := Node2D.new()
	_set_up(body)
	order.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	order.range_max = 2.0
	order.range_rule = CommandDefinition.RANGE_AT_ISSUE
	eq(_reason(CommandRequest.to_location(order, Vector2(200, 0))), &"", "200 px")
	eq(_reason(CommandRequest.to_location(order, Vector2(201, 0))), &"too_far", "201 px")
	order.in_pixels = true
	eq(_reason(CommandRequest.to_location(order, Vector2(0, 2))), &"", "2 px")
	eq(_reason(CommandRequest.to_location(order, Vector2(0, 3))), &"too_far", "3 px")
	body.free()


func test_who_has_no_position_is_in_range() -> void:
	_set_up()
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	order.range_min = 1.0
	order.range_max = 2.0
	order.range_rule = CommandDefinition.RANGE_AT_ISSUE
	eq(_reason(CommandRequest.to_node(order, add(Node.new()) as Node)), &"", "a plain target")
	eq(_reason(CommandRequest.to_node(order, add(Node2D.new()) as Node)), &"", "a target in 2D")
	agent.free()
