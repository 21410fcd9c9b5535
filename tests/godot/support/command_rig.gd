extends RefCounted
## An agent with tags and a CommandSystem on MANUAL, orders made from the notation of the worked examples, a log of hooks
## and signals in that notation, and what to do when a word of it is written.

const Acting := preload("res://support/command_acting.gd")
const Rig := preload("res://support/command_rig.gd")
const Lines := preload("res://support/command_lines.gd")

const OUTCOMES: PackedStringArray = ["REJECTED", "NO_CHANGE", "QUEUED", "STARTED", "APPLIED", "PENDING"]
const RESULTS: PackedStringArray = ["-", "S", "F", "C", "D"]
const ENTRIES: Dictionary[String, int] = {
	"issue": CommandSystem.ENTRY_ISSUE,
	"enq": CommandSystem.ENTRY_ENQUEUE,
	"next": CommandSystem.ENTRY_INSERT_NEXT,
	"intr": CommandSystem.ENTRY_INTERRUPT,
}

var case: Node
var agent: Node
var tags: TagContainer
var system: CommandSystem
## Name -> CommandDefinition.
var orders: Dictionary[String, CommandDefinition] = {}
## Letter -> Node.
var targets: Dictionary[String, Node] = {}
## Execution id -> CommandHandle of every start so far.
var handles: Dictionary[int, CommandHandle] = {}
## The last start.
var last: CommandHandle = null
## Words of the log since the last `take`.
var words: PackedStringArray = []
## Word or its beginning -> Callable, made once.
var reactions: Dictionary[String, Callable] = {}
## Receipts of all requests, in order.
var receipts: Array[CommandReceipt] = []

var _names: Dictionary[int, String] = {}
var _counts: Dictionary[String, int] = {}
var _last_ended: int = 0


func _init(owner: Node, body: Node = null, orders_of_a_script: CommandSystem = null) -> void:
	case = owner
	agent = body if body != null else Node.new()
	agent.name = "Unit"
	tags = TagContainer.new()
	tags.name = "Tags"
	agent.add_child(tags)
	system = orders_of_a_script if orders_of_a_script != null else CommandSystem.new()
	system.name = "Orders"
	system.process_callback = CommandSystem.PROCESS_MANUAL
	agent.add_child(system)
	listen(system)
	if not agent.is_inside_tree():
		case.add_child(agent)


## Writes the signals of a system into the log from now on.
func listen(from: CommandSystem) -> void:
	from.current_command_changed.connect(
		func(previous: CommandInfo, current: CommandInfo) -> void: write("cur(%s→%s)" % [name_of(previous), name_of(current)])
	)
	from.command_started.connect(func(order: CommandInfo) -> void: write("started(%s)" % name_of(order)))
	from.command_resumed.connect(func(order: CommandInfo) -> void: write("resumed(%s)" % name_of(order)))
	from.command_retried.connect(
		func(order: CommandInfo, attempt: int) -> void: write("retried(%s,%d)" % [name_of(order), attempt])
	)
	from.command_suspended.connect(func(order: CommandInfo) -> void: write("susp(%s)" % name_of(order)))
	from.command_ended.connect(_on_ended)
	from.last_result_changed.connect(_on_last_result)
	from.command_queue_changed.connect(func() -> void: write("queue"))
	from.became_idle.connect(func() -> void: write("idle"))
	from.cancel_timed_out.connect(func(order: CommandInfo) -> void: write("timeout(%s)" % name_of(order)))


## Writes a word, and makes what waits for it.
func write(word: String) -> void:
	words.append(word)
	for wanted: String in reactions.keys():
		if word == wanted or (wanted.ends_with(")") and word.begins_with(wanted.trim_suffix(")") + ",")):
			var reaction: Callable = reactions[wanted]
			reactions.erase(wanted)
			reaction.call()
			return


## Plays lines, and declares the warnings that they cause.
static func play_all(owner: TestCase, lines: Array[Lines.Line]) -> void:
	var timeouts: int = 0
	var held: int = 0
	for line: Lines.Line in lines:
		timeouts += 1 if " ".join(line.results).contains("timeout(") else 0
		held += 1 if " ".join(line.set_up).contains("fill 64") else 0
	if timeouts > 0:
		owner.expect_warning("did not stop in time", timeouts)
	if held > 0:
		owner.expect_warning("max_starts_per_turn", held)
	for line: Lines.Line in lines:
		play(owner, line)


## Plays a line and compares each step, and the state after all where the line names it.
static func play(owner: TestCase, line: Lines.Line) -> void:
	var rig: Rig = Rig.new(owner)
	for text: String in line.set_up:
		rig.perform(text)
	rig.take()
	for at: int in line.steps.size():
		owner.eq(rig.step(line.steps[at]), line.results[at], "step %d of %s" % [at + 1, line.label])
	if not line.state.is_empty():
		owner.eq(rig.state(), line.state, "state after " + line.label)
	rig.agent.free()


## The words since the last call.
func take() -> String:
	var text: String = " ".join(words)
	words.clear()
	return text


## What a step answers and causes, as the examples write it.
func step(text: String) -> String:
	var answer: String = perform(text)
	var log: String = take()
	var both: String = (answer + " " + log).strip_edges()
	return both if not both.is_empty() else "-"


## The current order and the waiting ones: `A[B*,Q]`.
func state() -> String:
	var waiting: PackedStringArray = []
	for info: CommandInfo in system.get_command_queue():
		waiting.append(name_of(info) + ("*" if info.is_suspended else ""))
	return "%s[%s]" % [name_of(system.get_current_command()), ",".join(waiting)]


## Makes a step and gives its answer, "" where it has none.
func perform(text: String) -> String:
	if text.begins_with("when "):
		var later: String = text.get_slice(": ", 1)
		reactions[text.trim_prefix("when ").get_slice(": ", 0)] = func() -> void: words.append("[%s]" % perform(later))
		return ""
	var parts: PackedStringArray = text.split(" ")
	if ENTRIES.has(parts[0]):
		return answer_of(system.submit(request(text.substr(parts[0].length() + 1)), ENTRIES[parts[0]]))
	match parts[0]:
		"cancel":
			return answer_of(system.cancel_command(id_of(parts[1]) if parts.size() > 1 else 0))
		"skip":
			return answer_of(system.skip_current())
		"clearq":
			return answer_of(system.clear_command_queue())
		"clear":
			return answer_of(system.clear_commands())
		"rm":
			if parts.size() == 3:
				return answer_of(system.remove_range(int(parts[1]), int(parts[2])))
			return answer_of(system.remove_at(int(parts[1])))
		"mark":
			return str(last != null and last.set_cancelable(true))
		"fill":
			for i: int in int(parts[1]):
				system.enqueue_command(request("Z="))
			return ""
	return _perform_outside(parts)


## An order of the notation as a request; its definition is made at first mention.
func request(text: String) -> CommandRequest:
	var parts: PackedStringArray = text.split(" ")
	var named: String = parts[0].left(1)
	if not orders.has(named):
		_make(named, parts[0].substr(1), parts)
	var made: CommandRequest = CommandRequest.simple(orders[named])
	if orders[named].target_type == CommandDefinition.TARGET_TYPE_NODE:
		made.target = targets[String(orders[named].get_meta(&"target"))]
	if parts.size() > 2 and parts[1] == "by":
		made.source = parts[2]
	return made


## Makes a definition one of this rig, with an execution that tells it.
func own(named: String, made: CommandDefinition) -> CommandDefinition:
	var acting: Acting = Acting.new()
	acting.rig = weakref(self)
	made.id = named
	made.execution = acting
	orders[named] = made
	return made


## `STARTED`, `QUEUED/in_queue`.
func answer_of(receipt: CommandReceipt) -> String:
	receipts.append(receipt)
	if receipt.command_id != 0:
		_name(receipt.command_id, "")
	return OUTCOMES[receipt.outcome] + ("/" + receipt.reason if not receipt.reason.is_empty() else "")


## The name of an order: its definition's, with a number from the second on.
func name_of(order: CommandInfo) -> String:
	return _name(order.command_id, String(order.command_name)) if order != null else "-"


## The id of the order of this name; one that no system gave when there is none.
func id_of(named: String) -> int:
	for info: CommandInfo in [system.get_current_command()] + system.get_command_queue():
		if info != null and name_of(info) == named:
			return info.command_id
	return 9999


## Called by the execution.
func started(handle: CommandHandle) -> void:
	handles[handle.execution_id] = handle
	last = handle
	write("start(%s)" % _name(handle.command_id, String(handle.definition.id)))


## Called by the execution.
func asked_to_cancel(handle: CommandHandle) -> void:
	write("cancel(%s)" % _name(handle.command_id, String(handle.definition.id)))


func _perform_outside(parts: PackedStringArray) -> String:
	match parts[0]:
		"free":
			targets[parts[1]].free()
		"tick":
			system.advance(float(parts[1]))
		"enable":
			system.enabled = true
		"disable":
			system.enabled = false
		"leave":
			case.remove_child(agent)
		"max":
			system.max_queue_length = int(parts[1])
		"only":
			system.insert_only_sources = [parts[1]]
		_:
			return _report(parts[0])
	return ""


func _report(text: String) -> String:
	var result: int = RESULTS.find(text.left(1))
	var id: int = int(text.get_slice("#", 1)) if text.contains("#") else (last.execution_id if last != null else 1)
	if not handles.has(id):
		return str(system.report_result(id, result))
	match result:
		CommandSystem.RESULT_SUCCEEDED:
			return str(handles[id].succeed())
		CommandSystem.RESULT_FAILED:
			return str(handles[id].fail())
	return str(handles[id].cancelled())


func _make(named: String, marks: String, parts: PackedStringArray) -> void:
	var made: CommandDefinition = own(named, CommandDefinition.new())
	var acting: Acting = made.execution
	if parts.size() > 2 and parts[1] == "(retry_delay":
		made.retry_delay = float(parts[2])
	var at: int = 0
	while at < marks.length():
		at += _mark(made, acting, marks.substr(at))


## Reads the first mark; gives its length.
func _mark(made: CommandDefinition, acting: Acting, marks: String) -> int:
	match marks[0]:
		"~", "=", "≠":
			acting.behavior = marks[0]
		"!":
			made.cancellation_policy = CommandDefinition.NON_CANCELABLE
		"+":
			made.cancelled_counts_as_success = true
		">":
			made.failure_policy = CommandDefinition.FAILURE_CONTINUE
		"@":
			made.same_request = CommandDefinition.SAME_RESTART
		"/":
			made.retry_count = int(marks[1])
			return 2
		".":
			made.time_limit = float(marks[1])
			return 2
		"∞":
			made.endless = true
			made.endless_policy = maxi(0, " wr".find(marks.substr(1, 1))) if marks.length() > 1 else 0
			return 2 if made.endless_policy > 0 else 1
		"(":
			return _target_mark(made, marks)
	return 1


func _target_mark(made: CommandDefinition, marks: String) -> int:
	made.target_type = CommandDefinition.TARGET_TYPE_NODE
	made.set_meta(&"target", marks[1])
	if not targets.has(marks[1]):
		targets[marks[1]] = Node.new()
		case.add_child(targets[marks[1]])
	match marks.substr(3, 1):
		"s":
			made.target_lost_policy = CommandDefinition.LOST_SUCCEED
		"c":
			made.target_lost_policy = CommandDefinition.LOST_CONTINUE
		"r":
			made.target_lost_policy = CommandDefinition.LOST_RETARGET
		"f":
			made.invalid_policy = CommandDefinition.INVALID_FAIL
		_:
			return 3
	return 4


func _name(id: int, named: String) -> String:
	if not _names.has(id):
		if named.is_empty():
			var info: CommandInfo = system.get_command(id)
			if info == null:
				return "?"
			named = String(info.command_name)
		_counts[named] = _counts.get(named, 0) + 1
		_names[id] = named + (str(_counts[named]) if _counts[named] > 1 else "")
	return _names[id]


func _on_ended(order: CommandInfo, result: int, reason: StringName) -> void:
	_last_ended = order.command_id
	var letters: String = "end(%s,%s" % [name_of(order), RESULTS[result]]
	write(letters + (",%s)" % reason if not reason.is_empty() else ")"))


func _on_last_result(order: CommandInfo) -> void:
	if order.command_id != _last_ended:
		write("last_result_changed away from its end")
