extends TestCase
## The recipes of the guide to orders run as printed.

const GUIDE := "docs/commands.md"


## The script of the first snippet of the guide that contains `mark`.
func _snippet(mark: String) -> GDScript:
	var path: String = OS.get_environment("RIPOSTE_ROOT").path_join(GUIDE)
	for part: String in FileAccess.get_file_as_string(path).split("```gdscript\n").slice(1):
		var source: String = part.get_slice("```", 0)
		if source.contains(mark):
			return script(RegEx.create_from_string("(?m)^class_name .*$").sub(source, "", true))
	fail("%s has no snippet with %s" % [GUIDE, mark])
	return null


## An agent with the body of the cookbook and orders.
func _walker() -> CharacterBody3D:
	var agent: CharacterBody3D = _snippet("class_name Walker").new()
	agent.set(&"speed", 20.0)
	agent.motion_mode = CharacterBody3D.MOTION_MODE_FLOATING
	var orders: CommandSystem = CommandSystem.new()
	orders.name = "CommandSystem"
	agent.add_child(orders)
	add(agent)
	return agent


func _orders(agent: Node) -> CommandSystem:
	return agent.get_node("CommandSystem")


func _order(id: StringName, shape: int, execution: Resource) -> CommandDefinition:
	var order: CommandDefinition = CommandDefinition.new()
	order.id = id
	order.target_type = shape
	order.execution = execution
	return order


## An execution that walks to the place of its order.
func _walking() -> Resource:
	return script(
		"extends CommandExecution\nfunc _start_execution(h: CommandHandle) -> void:\n\th.agent.walk_to(h.location)\n"
		+ "\tif await h.agent.walk_ended:\n\t\th.succeed()\nfunc _cancel_execution(h: CommandHandle) -> void:\n\th.agent.stop()\n\th.cancelled()\n"
	).new()


## An execution that reports nothing by itself.
func _open() -> Resource:
	return script("extends CommandExecution\nfunc _start_execution(_h: CommandHandle) -> void:\n\tpass\n").new()


func _name(orders: CommandSystem) -> StringName:
	var current: CommandInfo = orders.get_current_command()
	return current.command_name if current else &""


func test_requests_and_receipts() -> void:
	var player: Node = _snippet("func attack_and_tell").new()
	var guard: Node3D = Node3D.new()
	guard.name = "Guard"
	var orders: CommandSystem = CommandSystem.new()
	orders.name = "CommandSystem"
	guard.add_child(orders)
	player.add_child(guard)
	player.set(&"attack", _order(&"Attack", CommandDefinition.TARGET_TYPE_NODE, _open()))
	add(player)
	var foe: Node3D = add(Node3D.new())
	player.call(&"attack_and_tell", foe)
	eq(orders.get_current_command().source, &"player", "source")
	eq(orders.get_current_command().target, foe, "target")
	orders.get_current_handle().succeed()
	check(orders.is_idle(), "over")


func test_dig_by_a_method() -> void:
	var maker: Node = add(_snippet("func make_dig").new())
	var agent: Node = script("extends Node\nvar dug: int = 0\nfunc dig(_h: CommandHandle) -> bool:\n\tdug += 1\n\treturn true\n").new()
	var orders: CommandSystem = CommandSystem.new()
	agent.add_child(orders)
	add(agent)
	orders.issue_command(CommandRequest.simple(maker.call(&"make_dig")))
	eq(agent.get(&"dug"), 1, "called")
	eq(orders.get_last_result().result, CommandSystem.RESULT_SUCCEEDED, "result")


func test_waypoints() -> void:
	var agent: CharacterBody3D = _walker()
	var player: Node = _snippet("func get_waypoints").new()
	player.set(&"move", _order(&"Move", CommandDefinition.TARGET_TYPE_LOCATION, _walking()))
	player.set(&"orders", _orders(agent))
	add(player)
	player.call(&"right_click", Vector3(0, 0, -2), false)
	player.call(&"right_click", Vector3(2, 0, -2), true)
	player.call(&"right_click", Vector3(9, 0, 9), true)
	eq(player.call(&"get_waypoints"), PackedVector3Array([Vector3(0, 0, -2), Vector3(2, 0, -2), Vector3(9, 0, 9)]), "points")
	player.call(&"take_back")
	await until(_orders(agent).is_idle, "it gets there", 3.0)
	near(agent.position, Vector3(2, 0, -2), 0.2, "the last point")
	eq(player.call(&"get_waypoints"), PackedVector3Array(), "no points left")


func test_patrol_goes_on_where_it_was() -> void:
	var agent: CharacterBody3D = _walker()
	var orders: CommandSystem = _orders(agent)
	var patrol: CommandDefinition = _order(&"Patrol", CommandDefinition.TARGET_TYPE_NONE, _snippet("class_name PatrolExecution").new())
	patrol.endless = true
	var request: CommandRequest = CommandRequest.simple(patrol)
	request.payload = {"points": [Vector3(2, 0, 0), Vector3(2, 0, 2)]}
	orders.issue_command(request)
	await until(func() -> bool: return agent.get(&"goal") == Vector3(2, 0, 2), "the second point", 3.0)
	var look: CommandDefinition = _order(&"Look", CommandDefinition.TARGET_TYPE_LOCATION, _walking())
	orders.interrupt_with(CommandRequest.to_location(look, Vector3(-1, 0, 1)))
	eq(_name(orders), &"Look", "interrupted")
	await until(func() -> bool: return _name(orders) == &"Patrol", "it returns", 3.0)
	eq(agent.get(&"goal"), Vector3(2, 0, 2), "to the point that it was heading for")
	await until(func() -> bool: return agent.get(&"goal") == Vector3(2, 0, 0), "and goes on", 3.0)


func test_attack_move() -> void:
	var agent: CharacterBody3D = _walker()
	var orders: CommandSystem = _orders(agent)
	var attack: CommandDefinition = _order(&"Attack", CommandDefinition.TARGET_TYPE_NODE, _open())
	attack.target_lost_policy = CommandDefinition.LOST_SUCCEED
	var execution: Resource = _snippet("class_name AttackMoveExecution").new()
	execution.set(&"attack", attack)
	execution.set(&"sight", 2.0)
	var foe: Node3D = add(Node3D.new())
	foe.position = Vector3(3, 0, 0)
	foe.add_to_group(&"foes")
	var walk: CommandDefinition = _order(&"AttackMove", CommandDefinition.TARGET_TYPE_LOCATION, execution)
	orders.issue_command(CommandRequest.to_location(walk, Vector3(6, 0, 0)))
	eq(_name(orders), &"AttackMove", "nobody in sight")
	await until(func() -> bool: return _name(orders) == &"Attack", "a foe comes into sight", 3.0)
	eq(orders.get_queue_length(), 1, "the walk waits")
	foe.queue_free()
	await until(orders.is_idle, "it arrives", 3.0)
	eq(orders.get_last_result().command_name, &"AttackMove", "last")
	eq(orders.get_last_result().result, CommandSystem.RESULT_SUCCEEDED, "result")
	near(agent.position, Vector3(6, 0, 0), 0.2, "place")


func test_dodge_in_between() -> void:
	var agent: CharacterBody3D = _walker()
	var orders: CommandSystem = _orders(agent)
	orders.insert_only_sources = ["reflex"]
	var dodge: CommandDefinition = _order(&"Dodge", CommandDefinition.TARGET_TYPE_DIRECTION, _open())
	dodge.cancellation_policy = CommandDefinition.NON_CANCELABLE
	var reflex: Node = _snippet("func on_arrow_seen").new()
	reflex.set(&"dodge", dodge)
	reflex.set(&"orders", orders)
	add(reflex)
	var request: CommandRequest = CommandRequest.to_location(_order(&"Move", CommandDefinition.TARGET_TYPE_LOCATION, _walking()), Vector3(0, 0, -40))
	request.source = &"player"
	orders.issue_command(request)
	reflex.call(&"on_arrow_seen", Vector3(5, 0, 0))
	eq(_name(orders), &"Dodge", "it dodges")
	near(orders.get_current_command().direction, Vector3(-1, 0, 0), 0.01, "away from it")
	reflex.call(&"on_arrow_seen", Vector3(5, 0, 0))
	eq(orders.get_queue_length(), 1, "a second one is refused")
	orders.get_current_handle().succeed()
	eq(_name(orders), &"Move", "the old order is back")
	eq(agent.get(&"goal"), Vector3(0, 0, -40), "and runs")


func test_build_menu() -> void:
	var barracks: Node = _snippet("class_name Barracks").new()
	var orders: CommandSystem = CommandSystem.new()
	var execution: MethodExecution = MethodExecution.new()
	execution.method = &"build"
	var palette: CommandPalette = CommandPalette.new()
	var list: Array[CommandDefinition] = []
	for price: int in [60, 200]:
		var order: CommandDefinition = _snippet("class_name BuildOrder").new()
		order.id = "Build%d" % price
		order.display_name = "For %d" % price
		order.set(&"price", price)
		order.set(&"seconds", 0.1)
		order.execution = execution
		list.append(order)
	palette.commands = list
	orders.palette = palette
	barracks.add_child(orders)
	add(barracks)
	var menu: HBoxContainer = _snippet("class_name BuildMenu").new()
	menu.set(&"orders", orders)
	add(menu)
	eq(_off(menu), [false, true], "what costs too much is off")
	eq((menu.get_child(1) as Button).tooltip_text, "too_expensive", "and says why")
	(menu.get_child(0) as Button).pressed.emit()
	await idle(2)
	eq(barracks.get(&"gold"), 40, "paid")
	eq(_off(menu), [true, true], "nothing can be paid now")
	await until(orders.is_idle, "it is built", 3.0)
	eq(barracks.get(&"built"), PackedStringArray(["For 60"]), "built")


func _off(menu: Node) -> Array:
	return menu.get_children().map(func(button: Button) -> bool: return button.disabled)
