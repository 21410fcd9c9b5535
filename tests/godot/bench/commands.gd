extends Node
## Row `commands`: what idle and running orders cost per frame, what an order costs that is done at once, and what a menu costs.

const MANY := 10000
const AGENTS := 1000
const ROUNDS := 30
const WARM_UP := 3
const FRAMES := 60
const WITH_SYSTEMS := "a frame with 10,000 CommandSystems, half of them with a running order"
const WITH_NODES := "a frame with as many plain nodes"
const ISSUED := "an order that its script ends at once"
const CALLED := "a call of that script"
const WATCHED := "a step of 10,000 orders with a living target"
const EMPTY := "a step of 10,000 empty callbacks"
const WATCHED_EACH := "a step of 10,000 orders with a living target each"
const EMPTY_EACH := "a step of 10,000 empty callbacks beside them"
const OPTIONS := "get_options with 32 orders"
const TWICE := "get_options with 64 orders"
const CHECKS := "32 times check_command"

var _report := BenchReport.new("commands")


func _ready() -> void:
	Engine.max_fps = 0
	await get_tree().physics_frame
	await _idle()
	_issues()
	await _targets(false)
	await _targets(true)
	_options()
	_report.print_ratio(WITH_SYSTEMS, WITH_NODES, "<= 1.02")
	_report.print_ratio(ISSUED, CALLED, "<= 25")
	_report.print_ratio(WATCHED, EMPTY, "<= 3")
	_report.print_ratio(WATCHED_EACH, EMPTY_EACH)
	_report.print_ratio(TWICE, OPTIONS, "<= 2.2")
	_report.print_ratio(OPTIONS, CHECKS, "<= 4")
	_report.print_raw()
	get_tree().quit(1 if _report.failed else 0)


func _order(id: StringName, target_type: int, execution: CommandExecution) -> CommandDefinition:
	var made := CommandDefinition.new()
	made.id = id
	made.target_type = target_type
	made.execution = execution
	return made


func _system(parent: Node) -> CommandSystem:
	var agent := Node.new()
	var system := CommandSystem.new()
	system.exit_tree_policy = CommandSystem.EXIT_TREE_KEEP
	agent.add_child(system)
	parent.add_child(agent)
	return system


## W4.
func _idle() -> void:
	var systems := Node.new()
	var plain := Node.new()
	add_child(systems)
	var long := _order(&"Stay", CommandDefinition.TARGET_TYPE_NONE, BenchLongExecution.new())
	var stepped := 0
	for n in MANY:
		var system := _system(systems)
		if n % 2 == 0:
			system.issue_command(CommandRequest.simple(long))
		stepped += int(system.is_physics_processing() or system.is_processing())
		var agent := Node.new()
		agent.add_child(Node.new())
		plain.add_child(agent)
	_report.print_number("10,000 CommandSystems, idle or with an order without limits, that are stepped", stepped, "<= 0")
	remove_child(systems)
	for i in 8:
		for turn in 2:
			var which := [systems, plain][(i + turn) % 2] as Node
			add_child(which)
			await get_tree().process_frame
			await get_tree().process_frame
			var begin := Time.get_ticks_usec()
			for n in FRAMES:
				await get_tree().process_frame
			if i > 0:
				_report.add(WITH_SYSTEMS if which == systems else WITH_NODES, float(Time.get_ticks_usec() - begin) / FRAMES)
			remove_child(which)
	systems.free()
	plain.free()


## W5.
func _issues() -> void:
	var place := Node.new()
	add_child(place)
	var execution := BenchDoneExecution.new()
	var order := _order(&"Do", CommandDefinition.TARGET_TYPE_NONE, execution)
	var request := CommandRequest.simple(order)
	var systems: Array[CommandSystem] = []
	for n in AGENTS:
		systems.append(_system(place))
	var handle := CommandHandle.new()
	var started := 0
	for i in WARM_UP + ROUNDS:
		var begin := Time.get_ticks_usec()
		for n in AGENTS:
			execution._start_execution(handle)
		var middle := Time.get_ticks_usec()
		for system in systems:
			system.issue_command(request)
		var end := Time.get_ticks_usec()
		for system in systems:
			started += int(system.get_last_result().command_id == i + 1 and system.is_idle())
		if i >= WARM_UP:
			_report.add(CALLED, float(middle - begin) / AGENTS)
			_report.add(ISSUED, float(end - middle) / AGENTS)
	var wanted := (WARM_UP + ROUNDS) * AGENTS
	_report.print_same("orders that were done", wanted, absi(wanted - started))
	place.free()


## W6: all in the same step, one group behind the other. The goal is for one target of all; [param each]: one for each order.
func _targets(each: bool) -> void:
	var place := Node.new()
	add_child(place)
	var target: Node3D
	var long := _order(&"Follow", CommandDefinition.TARGET_TYPE_NODE, BenchLongExecution.new())
	var stepped := 0
	var systems: Array[CommandSystem] = []
	for n in MANY:
		if each or not target:
			target = Node3D.new()
			place.add_child(target)
		var system := _system(place)
		system.process_physics_priority = 10
		system.issue_command(CommandRequest.to_node(long, target))
		stepped += int(system.is_physics_processing())
		systems.append(system)
		var empty := BenchEmptyNode.new()
		empty.process_physics_priority = 20
		place.add_child(empty)
	_report.print_same("orders with a target that are stepped", MANY, absi(MANY - stepped))
	var probes: Array[BenchProbe] = []
	for priority: int in [5, 15, 25]:
		probes.append(BenchProbe.new(priority))
		place.add_child(probes[-1])
	for i in WARM_UP + ROUNDS:
		await get_tree().physics_frame
		# The signal comes before the step, which has been made when the next frame is drawn.
		await get_tree().process_frame
		if i >= WARM_UP:
			_report.add(WATCHED_EACH if each else WATCHED, probes[1].at - probes[0].at)
			_report.add(EMPTY_EACH if each else EMPTY, probes[2].at - probes[1].at)
	var behind := 0
	for system in systems:
		behind += int(system.get_current_command().age < (WARM_UP + ROUNDS - 1.0) / Engine.physics_ticks_per_second)
	_report.print_same("orders with a target whose time went on", MANY, behind)
	place.free()


## W7.
func _options() -> void:
	var place := Node.new()
	add_child(place)
	var execution := BenchLongExecution.new()
	var orders: Array[CommandDefinition] = []
	for n in 64:
		orders.append(_order(StringName("Order%d" % n), CommandDefinition.TARGET_TYPE_NONE, execution))
	var small := _system(place)
	small.commands = orders.slice(0, 32)
	var large := _system(place)
	large.commands = orders
	var requests: Array[CommandRequest] = []
	for order: CommandDefinition in orders.slice(0, 32):
		requests.append(CommandRequest.simple(order))
	var found := 0
	for i in WARM_UP + ROUNDS:
		var times: PackedInt64Array = [Time.get_ticks_usec()]
		found += small.get_options().size()
		times.append(Time.get_ticks_usec())
		found += large.get_options().size()
		times.append(Time.get_ticks_usec())
		for request in requests:
			small.check_command(request)
		times.append(Time.get_ticks_usec())
		if i >= WARM_UP:
			_report.add(OPTIONS, times[1] - times[0])
			_report.add(TWICE, times[2] - times[1])
			_report.add(CHECKS, times[3] - times[2])
	var wanted := (WARM_UP + ROUNDS) * 96
	_report.print_same("options", wanted, absi(wanted - found))
	place.free()
