extends TestCase
## Random requests, controls and reports on the built node, also from inside of hooks and handlers: every accepted order
## has one end, current orders form a chain, executions never overlap, tags are given back, all comes to rest.

const ROUNDS: int = 40
const STEPS: int = 150
const SOURCES: Array[StringName] = [&"player", &"ai", &""]


## An execution that reports and calls at random.
class Wild:
	extends CommandExecution
	var fuzz: WeakRef

	func _start_execution(handle: CommandHandle) -> void:
		var owner: Object = fuzz.get_ref()
		if owner != null:
			owner.call(&"_on_start", handle)

	func _cancel_execution(handle: CommandHandle) -> void:
		var owner: Object = fuzz.get_ref()
		if owner != null:
			owner.call(&"_on_cancel", handle)


## An order that may be illegal now, and may call at random.
class Order:
	extends CommandDefinition
	var fuzz: WeakRef
	var legal: bool = true
	var next: Node = null

	func _can_execute(_agent: Node, _request: CommandRequest, _variant: CommandVariant) -> StringName:
		var owner: Object = fuzz.get_ref()
		if owner != null:
			owner.call(&"_perhaps_call")
		return &"" if legal else &"tired"

	func _find_new_target(_agent: Node, _request: CommandRequest) -> Node:
		return next if is_instance_valid(next) else null


var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _agent: Node = null
## Above the targets: the case itself is busy while the agent leaves it.
var _world: Node = null
var _tags: TagContainer = null
var _system: CommandSystem = null
var _orders: Array[Order] = []
var _targets: Array[Node] = []
var _handles: Array[CommandHandle] = []
var _living: CommandHandle = null
var _accepted: Dictionary[int, bool] = {}
var _ended: Dictionary[int, int] = {}
var _told_started: Dictionary[int, int] = {}
var _current: int = 0
var _calls: int = 0
var _calm: bool = false
var _inside: int = 0
## Orders of this round that did not stop in time, and those of the rounds before.
var _slow: Dictionary[StringName, bool] = {}
var _timeouts: int = 0


func test_random_calls() -> void:
	limit_seconds = 1000.0
	for number: int in ROUNDS:
		_random.seed = number
		_begin()
		for step: int in STEPS:
			_calls = 5
			_act()
			if not failures.is_empty():
				fail("round %d, step %d" % [number, step])
				return
		_come_to_rest("round %d" % number)
	expect_warning("did not stop in time", _timeouts)
	check(_ended.size() > 10, "orders ended in the last round")


## A dry run foretells what the request brings, for executions that answer at once, and leaves everything as it is.
func test_a_dry_run_changes_nothing() -> void:
	for number: int in 10:
		_random.seed = 1000 + number
		_begin()
		_calm = true
		for step: int in 100:
			var request: CommandRequest = _request()
			var entry: int = _random.randi_range(0, 3)
			var before: String = _shown()
			var foretold: CommandReceipt = _system.check_command(request, entry)
			eq(_shown(), before, "state after a dry run")
			var receipt: CommandReceipt = _system.submit(request, entry)
			_take(receipt)
			eq(receipt.outcome, foretold.outcome, "outcome, round %d, step %d, %s" % [number, step, receipt.reason])
			if _once_in(2):
				_report()
			_system.advance(0.25)
		_come_to_rest("round %d" % number)


func _begin() -> void:
	_calm = false
	_current = 0
	_living = null
	_slow.clear()
	for table: Dictionary in [_accepted, _ended, _told_started]:
		table.clear()
	_handles.clear()
	_orders.clear()
	_targets.clear()
	_world = add(Node.new())
	_agent = Node.new()
	_tags = TagContainer.new()
	_agent.add_child(_tags)
	_system = CommandSystem.new()
	_system.process_callback = CommandSystem.PROCESS_MANUAL
	_system.max_queue_length = _random.randi_range(3, 8)
	_system.insert_only_sources = ["ai"]
	_agent.add_child(_system)
	add(_agent)
	_connect()
	for i: int in 3:
		_targets.append(add(Node.new(), _world))
	for i: int in 8:
		_orders.append(_definition(i))


func _definition(number: int) -> Order:
	var made: Order = Order.new()
	var wild: Wild = Wild.new()
	wild.fuzz = weakref(self)
	made.fuzz = weakref(self)
	made.id = "Order%d" % number
	made.execution = wild
	made.granted_tags = ["State.Busy"]
	made.cancellation_policy = 1 if _once_in(4) else 0
	made.cancelled_counts_as_success = _once_in(3)
	made.failure_policy = 1 if _once_in(3) else 0
	made.retry_count = 1 if _once_in(3) else 0
	made.retry_delay = 0.25 if _once_in(2) else 0.0
	made.endless = _once_in(4)
	made.endless_policy = _random.randi_range(0, 2)
	made.time_limit = 0.75 if _once_in(4) else 0.0
	made.target_type = CommandDefinition.TARGET_TYPE_NODE if _once_in(3) else CommandDefinition.TARGET_TYPE_NONE
	made.target_lost_policy = _random.randi_range(0, 3)
	made.invalid_policy = _random.randi_range(0, 1)
	made.same_request = _random.randi_range(0, 1)
	return made


func _connect() -> void:
	_system.current_command_changed.connect(_on_current)
	_system.command_started.connect(_on_started)
	_system.command_ended.connect(_on_ended)
	_system.became_idle.connect(_on_idle)
	for told: Signal in [_system.command_resumed, _system.command_suspended, _system.cancel_timed_out, _system.last_result_changed]:
		told.connect(func(_order: CommandInfo) -> void: _perhaps_call())
	_system.command_retried.connect(func(_order: CommandInfo, _attempt: int) -> void: _perhaps_call())
	_system.cancel_timed_out.connect(func(order: CommandInfo) -> void: _slow[order.command_name] = true)
	_system.command_queue_changed.connect(_perhaps_call)
	_system.command_rejected.connect(func(_request: CommandRequest, _reason: StringName) -> void: _perhaps_call())


## Something from outside.
func _act() -> void:
	match _random.randi_range(0, 11):
		0, 1, 2:
			_system.advance([0.0, 0.25, 0.5, 1.0][_random.randi_range(0, 3)])
		3 when _once_in(4):
			remove_child(_agent)
			add_child(_agent)
		_:
			_call_something()


## Something that may come from anywhere.
func _call_something() -> void:
	match _random.randi_range(0, 22):
		0, 1, 2, 3, 4, 5, 6, 7:
			_take(_system.submit(_request(), _random.randi_range(0, 3)))
		8:
			for receipt: CommandReceipt in _system.replace_commands([_request(), _request()]):
				_take(receipt)
		9, 10, 11, 12:
			_report()
		13:
			_system.cancel_command(0 if _once_in(2) else _random.randi_range(1, 40))
		14:
			_system.skip_current()
		15:
			_system.clear_command_queue()
		16:
			_system.clear_commands()
		17:
			_system.remove_range(_random.randi_range(-1, 4), _random.randi_range(0, 3))
		18:
			if not _handles.is_empty():
				_handles[-1].set_cancelable(_once_in(2))
		19:
			_system.enabled = not _once_in(3)
		20:
			_orders[_random.randi_range(0, 7)].legal = not _once_in(3)
		21:
			_lose_a_target()
		22:
			_system.check_command(_request(), _random.randi_range(0, 3))


func _request() -> CommandRequest:
	var order: Order = _orders[_random.randi_range(0, 7)]
	var request: CommandRequest = CommandRequest.simple(order)
	request.source = SOURCES[_random.randi_range(0, 2)]
	if order.target_type == CommandDefinition.TARGET_TYPE_NODE:
		request.target = _targets[_random.randi_range(0, 2)]
		order.next = _targets[_random.randi_range(0, 2)]
	return request


func _lose_a_target() -> void:
	var at: int = _random.randi_range(0, 2)
	_targets[at].queue_free()
	_targets[at] = add(Node.new(), _world)


func _report() -> void:
	if _handles.is_empty():
		return
	var handle: CommandHandle = _handles[-1] if not _once_in(3) else _handles[_random.randi_range(0, _handles.size() - 1)]
	_finish(handle, _random.randi_range(1, 3))


func _finish(handle: CommandHandle, result: int) -> void:
	var lives: bool = _living == handle
	var was: CommandHandle = _living
	if lives:
		_living = null
	var believed: bool = handle.finish(result)
	if believed and not lives:
		check(false, "a report of a start that is over is believed")
	if lives and not believed and was.is_current():
		check(false, "the living start is not believed")


func _take(receipt: CommandReceipt) -> void:
	if receipt.is_accepted():
		_accepted[receipt.command_id] = true


func _on_start(handle: CommandHandle) -> void:
	check(_living == null or not _living.is_current(), "no start while another runs")
	_living = handle
	_handles.append(handle)
	_perhaps_call()
	if not _calm and _once_in(4):
		_finish(handle, _random.randi_range(1, 3))


func _on_cancel(handle: CommandHandle) -> void:
	check(handle.is_current(), "the cancel hook is for a living start")
	_perhaps_call()
	if _calm or not _once_in(3):
		_finish(handle, CommandSystem.RESULT_CANCELLED if _calm or not _once_in(3) else _random.randi_range(1, 2))


func _on_current(previous: CommandInfo, current: CommandInfo) -> void:
	eq(previous.command_id if previous != null else 0, _current, "the chain of current orders")
	_current = current.command_id if current != null else 0
	_perhaps_call()


func _on_started(order: CommandInfo) -> void:
	_told_started[order.command_id] = _told_started.get(order.command_id, 0) + 1
	eq(_told_started[order.command_id], 1, "times that an order is told to have started")
	_perhaps_call()


func _on_ended(order: CommandInfo, result: int, _reason: StringName) -> void:
	_ended[order.command_id] = _ended.get(order.command_id, 0) + 1
	eq(_ended[order.command_id], 1, "ends of an order")
	ne(result, CommandSystem.RESULT_NONE, "result of an end")
	_perhaps_call()


func _on_idle() -> void:
	check(_system.get_current_command() == null and _system.get_queue_length() == 0, "nothing is left at rest")
	_perhaps_call()


func _perhaps_call() -> void:
	if _calm or _calls <= 0 or _inside > 3 or not _once_in(8):
		return
	_calls -= 1
	_inside += 1
	_call_something()
	_inside -= 1


func _come_to_rest(what: String) -> void:
	_calm = true
	_system.enabled = true
	for order: Order in _orders:
		order.legal = true
	for i: int in 200:
		if _system.is_idle():
			break
		if not _handles.is_empty():
			_handles[-1].succeed()
		_system.advance(1.0)
	check(_system.is_idle(), what + " comes to rest")
	eq(_tags.get_tag_count(&"State.Busy"), 0, "tags after " + what)
	for id: int in _accepted:
		eq(_ended.get(id, 0), 1, "ends of order %d, %s" % [id, what])
	for id: int in _ended:
		check(_accepted.has(id), "order %d was accepted, %s" % [id, what])
	_timeouts += _slow.size()
	_agent.free()
	_world.free()


func _shown() -> String:
	var shown: PackedStringArray = [str(_system.get_phase())]
	for info: CommandInfo in [_system.get_current_command()] + _system.get_command_queue():
		if info != null:
			shown.append("%d %d %d %s %s" % [info.command_id, info.execution_id, info.phase, info.is_suspended, info.is_cancelable])
	return ", ".join(shown)


func _once_in(count: int) -> bool:
	return _random.randi_range(1, count) == 1
