extends TestCase
## Orders that run with nothing to do but to wait: their steps are short, and must notice all the same what a long one would.

const RUNNER := "extends CommandExecution\nfunc _start_execution(_handle: CommandHandle) -> void:\n\tpass\n"

var _agent: Node3D
var _target: Node3D
var _orders: CommandSystem
var _ends: PackedStringArray = []


func _system() -> void:
	_agent = Node3D.new()
	_orders = CommandSystem.new()
	_orders.process_callback = CommandSystem.PROCESS_MANUAL
	_agent.add_child(_orders)
	add(_agent)
	_target = Node3D.new()
	add(_target)
	_orders.command_ended.connect(
		func(command: CommandInfo, result: int, reason: StringName) -> void: _ends.append("%s %d %s" % [command.command_name, result, reason])
	)


func _define(id: StringName = &"Follow", aimed: bool = true) -> CommandDefinition:
	var made := CommandDefinition.new()
	made.id = id
	made.execution = script(RUNNER).new()
	made.max_targets = 4
	if aimed:
		made.target_type = CommandDefinition.TARGET_TYPE_NODE
	return made


## Starts an order on the target, and makes the first steps, of 0.1 s each, if they are made by hand.
func _follow(definition: CommandDefinition = null) -> CommandHandle:
	_orders.issue_command(CommandRequest.to_node(definition if definition != null else _define(), _target))
	if _orders.process_callback == CommandSystem.PROCESS_MANUAL:
		_steps(3)
	return _orders.get_current_handle()


func _steps(count: int) -> void:
	for n in count:
		_orders.advance(0.1)


func _take() -> String:
	var text := ", ".join(_ends)
	_ends.clear()
	return text


func _age() -> float:
	return _orders.get_current_command().age


func test_the_time_goes_on() -> void:
	_system()
	var definition := _define()
	_orders.commands = [definition]
	_follow(definition)
	near(_age(), 0.3, 0.0001, "age")
	_steps(4)
	near(_age(), 0.7, 0.0001, "age, asked once in a while")
	_orders.time_scale = 2.0
	_steps(2)
	near(_age(), 1.1, 0.0001, "twice as fast")
	_orders.time_scale = 0.0
	_steps(2)
	near(_age(), 1.1, 0.0001, "it stands")
	_orders.time_scale = 1.0
	var state := _orders.export_state()
	_steps(3)
	near(_age(), 1.4, 0.0001, "after it was saved")
	check(_orders.import_state(state), "taken back")
	near(_age(), 1.1, 0.0001, "saved with all that had passed")
	_steps(2)
	near(_age(), 1.3, 0.0001, "and goes on from there")


func test_a_time_limit() -> void:
	_system()
	var definition := _define()
	definition.time_limit = 1.0
	_follow(definition)
	_steps(6)
	eq(_take(), "", "not yet")
	_steps(1)
	eq(_take(), "Follow 2 timed_out", "in time")
	definition = _define(&"Wait", false)
	definition.time_limit = 1.0
	_orders.issue_command(CommandRequest.simple(definition))
	_steps(9)
	eq(_take(), "", "without a target: not yet")
	_steps(1)
	eq(_take(), "Wait 2 timed_out", "without a target: in time")


func test_a_target_that_is_freed() -> void:
	_system()
	var handle := _follow()
	_target.position = Vector3(1.0, 2.0, 3.0)
	_steps(2)
	_target.position = Vector3(4.0, 5.0, 6.0)
	eq(handle.last_target_location, Vector3(4.0, 5.0, 6.0), "where it is")
	_target.free()
	eq(handle.last_target_location, Vector3(1.0, 2.0, 3.0), "where it was in the last step")
	eq(_take(), "", "not noticed yet")
	_steps(1)
	eq(_take(), "Follow 2 target_lost", "lost")
	eq(handle.last_target_location, Vector3(1.0, 2.0, 3.0), "still known")


func test_a_target_that_will_be_freed() -> void:
	_system()
	_follow()
	_target.queue_free()
	_steps(1)
	eq(_take(), "Follow 2 target_lost", "lost")


func test_a_target_that_leaves() -> void:
	_system()
	_follow()
	var place := _target.get_parent()
	place.remove_child(_target)
	place.add_child(_target)
	_steps(2)
	eq(_take(), "", "it was away between two steps only")
	place.remove_child(_target)
	_steps(1)
	eq(_take(), "Follow 2 target_lost", "lost")
	place.add_child(_target)


func test_a_lost_target_that_does_not_matter() -> void:
	_system()
	var definition := _define()
	definition.target_lost_policy = CommandDefinition.LOST_CONTINUE
	definition.time_limit = 1.0
	var handle := _follow(definition)
	_target.free()
	_steps(6)
	eq([_take(), handle.is_current(), handle.target], ["", true, null], "it goes on")
	_steps(1)
	eq(_take(), "Follow 2 timed_out", "and still counts its time")


func test_one_of_several_targets() -> void:
	_system()
	var other := Node3D.new()
	add(other)
	other.position = Vector3(7.0, 0.0, 0.0)
	_orders.issue_command(CommandRequest.to_nodes(_define(), [_target, other]))
	_steps(3)
	_target.position = Vector3(1.0, 0.0, 0.0)
	_steps(2)
	var handle := _orders.get_current_handle()
	var place := _target.get_parent()
	place.remove_child(_target)
	_steps(2)
	eq(_take(), "", "one is left")
	place.add_child(_target)
	_steps(2)
	_target.position = Vector3(9.0, 0.0, 0.0)
	_steps(2)
	_target.free()
	_steps(2)
	eq(_take(), "", "one is left again")
	other.free()
	eq(handle.last_target_location, Vector3(7.0, 0.0, 0.0), "where the last one was")
	_steps(1)
	eq(_take(), "Follow 2 target_lost", "none is left")


func test_a_watched_node() -> void:
	_system()
	var handle := _follow()
	var horse := Node.new()
	add(horse)
	check(handle.watch(horse), "watched from now on")
	_steps(2)
	eq(_take(), "", "it is there")
	horse.free()
	_steps(1)
	eq(_take(), "Follow 2 executor_freed", "gone")


func test_requests_between_steps() -> void:
	_system()
	var handle := _follow()
	_orders.enqueue_command(CommandRequest.to_node(_define(&"Next"), _target))
	_steps(2)
	check(not handle.set_cancelable(false) or _orders.cancel_command().is_rejected(), "not to be stopped")
	_steps(2)
	check(handle.succeed(), "done")
	eq(_take(), "Follow 1 ", "end")
	_steps(3)
	near(_age(), 0.3, 0.0001, "the next one counts from its start")
	_orders.enabled = false
	_steps(2)
	near(_age(), 0.5, 0.0001, "also while nothing new is taken")
	_orders.cancel_command()
	_steps(2)
	eq([_take(), _orders.get_phase()], ["Next 3 cancelled", CommandSystem.PHASE_IDLE], "end")


func test_stepped_by_the_engine() -> void:
	_system()
	_orders.process_callback = CommandSystem.PROCESS_PHYSICS
	_follow()
	check(_orders.is_physics_processing(), "stepped")
	await physics(2)
	var before := _age()
	await physics(12)
	near(_age() - before, 0.2, 0.02, "one step after another")
	_orders.process_callback = CommandSystem.PROCESS_IDLE
	check(_orders.is_processing() and not _orders.is_physics_processing(), "with each frame")
	before = _age()
	await idle()
	await idle()
	check(_age() > before, "goes on")
	_orders.process_callback = CommandSystem.PROCESS_PHYSICS
	await physics(3)
	_target.free()
	await physics(2)
	eq(_take(), "Follow 2 target_lost", "lost")
	check(not _orders.is_physics_processing(), "not stepped any more")


func test_systems_that_come_and_go() -> void:
	var all: Array[CommandSystem] = []
	var ended: Array[int] = [0]
	for n in 12:
		_system()
		_orders.process_callback = CommandSystem.PROCESS_PHYSICS
		_orders.command_ended.connect(func(_command: CommandInfo, _result: int, reason: StringName) -> void: ended[0] += int(reason == &"target_lost"))
		_follow()
		all.append(_orders)
		if n % 3 == 2:
			await physics(2)
			var old := all.pop_front() as CommandSystem
			old.get_parent().free()
			all[0].get_parent().move_child(all[0], 0)
			move_child(all[1].get_parent(), -1)
	await physics(3)
	var handles := all.map(func(orders: CommandSystem) -> CommandHandle: return orders.get_current_handle())
	eq(ended[0], 0, "none has ended")
	for handle: CommandHandle in handles:
		var target := handle.target
		target.free()
		await physics(1)
	await physics(1)
	eq(ended[0], all.size(), "each has lost its own")


func test_a_script_with_a_step_of_its_own() -> void:
	var source := "extends CommandSystem\nvar stepped := 0\nfunc _physics_process(_delta: float) -> void:\n\tstepped += 1\n"
	_system()
	_agent.remove_child(_orders)
	_orders.free()
	_orders = script(source).new()
	_agent.add_child(_orders)
	_orders.process_callback = CommandSystem.PROCESS_PHYSICS
	_follow()
	await physics(2)
	var before := _age()
	await physics(12)
	near(_age() - before, 0.2, 0.04, "both step")
	check(int(_orders.get(&"stepped")) > 0, "the script's own too")
