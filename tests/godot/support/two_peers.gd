extends Node
## Two real programs of this project that talk over ENet on the loopback: the test is the server, a second engine that it
## starts is the client.
##
## Both build the same stage: the script that is passed, a Node, at [code]/root/Stage[/code], so that paths, remote calls
## and synchronisers fit. The test works on its own [member stage] directly and on the client's by [method ask].
## [codeblock]
## var peers: TwoPeers = TwoPeers.new(self, "res://support/stages/sensing.gd")
## if await peers.start():
##     peers.stage.place(Vector3(0, 0, -5))
##     await peers.until(&"known", [], ["Thief"], "the client knows")
## await peers.stop()
## [/codeblock]
## Errors and warnings in the client's log, an exit code that is not 0 and an answer that does not come fail the test.
## The client ends itself when the test is gone, so nothing is left when a test is cut off.

## How long the start, an answer and the end may take, in seconds of the clock.
const PATIENCE := 20.0
## Beginnings of lines that the engine writes for errors and warnings.
const COMPLAINTS: PackedStringArray = ["ERROR:", "WARNING:", "SCRIPT ERROR:", "USER ERROR:", "USER WARNING:", "USER SCRIPT ERROR:", "handle_crash:"]

## The server's stage.
var stage: Node
## What the client wrote so far.
var log_lines: PackedStringArray = []
## The client's id on the network.
var client_id := 0

var _case: TestCase
var _script_path := ""
var _pid := 0
var _pipes: Array[FileAccess] = []
var _half_lines: PackedStringArray = ["", ""]
var _server := TCPServer.new()
var _control: StreamPeerTCP
var _answers: Dictionary[int, Variant] = {}
var _last_question := 0
var _allowed: Array[Dictionary] = []


func _init(case: TestCase, stage_script: String) -> void:
	_case = case
	_script_path = stage_script
	case.add_child(self)


func _exit_tree() -> void:
	_abandon()


## Starts the client and waits until both stages stand and are connected; false, with a failed check, if that fails.
func start() -> bool:
	var network := ENetMultiplayerPeer.new()
	# Port 0 lets the system choose a free one.
	_server.listen(0, "127.0.0.1")
	network.create_server(0, 1)
	_tree().get_multiplayer().multiplayer_peer = network
	stage = _make_stage()
	if not _start_program(network.host.get_local_port()):
		_case.fail("the second engine does not start")
		return false
	if not await _wait(func() -> bool: return _control != null and not _tree().get_multiplayer().get_peers().is_empty()):
		_case.fail("the client did not connect: %s" % "\n".join(log_lines))
		return false
	client_id = _tree().get_multiplayer().get_peers()[0]
	# The stage of the client stands once it answers.
	return await ask(&"get_child_count") != null


## Declares that the client's log has exactly `count` lines with `text` that begin an error or a warning.
func expect(text: String, count: int = 1) -> void:
	_allowed.append({"text": text, "count": count, "seen": 0})


## Calls a method of the client's stage and returns its answer; null, with a failed check, if none comes.
func ask(method: StringName, arguments: Array = []) -> Variant:
	if _control == null:
		_case.fail("no client to ask for %s" % method)
		return null
	_last_question += 1
	var number := _last_question
	_control.put_var([number, method, arguments])
	if not await _wait(func() -> bool: return _answers.has(number)):
		_case.fail("no answer to %s; the client wrote:\n%s" % [method, "\n".join(log_lines)])
		return null
	var answer: Variant = _answers[number]
	_answers.erase(number)
	return answer


## Asks the client again and again until it answers `wanted`; fails with the last answer when the time is over.
func until(method: StringName, arguments: Array, wanted: Variant, what: String) -> void:
	var end := Time.get_ticks_msec() + PATIENCE * 1000.0
	var answer: Variant = null
	while Time.get_ticks_msec() < end and _control != null:
		answer = await ask(method, arguments)
		if TestCase.Values.equal(answer, wanted):
			break
	_case.eq(answer, wanted, what)


## Lets both sides run for a while: for what must not happen.
func settle(seconds: float = 0.5) -> void:
	var end := Time.get_ticks_msec() + seconds * 1000.0
	await _wait(func() -> bool: return Time.get_ticks_msec() >= end)


## Ends the client and judges its log. Call it at the end of every test that called [method start].
func stop() -> void:
	if _pid == 0:
		return
	if _control != null:
		_control.put_var([0, &"quit", []])
	var ended := await _wait(func() -> bool: return not OS.is_process_running(_pid))
	_case.check(ended, "the client ends when it is told to")
	if ended:
		_case.eq(OS.get_process_exit_code(_pid), 0, "exit code of the client")
	_drain()
	_abandon()
	_judge()
	# The next pair's stage must get the same name.
	await _tree().process_frame


func _make_stage() -> Node:
	var made: Node = (load(_script_path) as GDScript).new()
	made.name = "Stage"
	_tree().root.add_child(made)
	return made


func _start_program(port: int) -> bool:
	var arguments: PackedStringArray = [
		"--headless", "--path", ProjectSettings.globalize_path("res://"), "--max-fps", "120", "res://support/client.tscn", "--",
		"control=%d" % _server.get_local_port(), "port=%d" % port, "stage=%s" % _script_path,
	]
	var started := OS.execute_with_pipe(OS.get_executable_path(), arguments, false)
	if started.is_empty():
		return false
	_pid = started.pid
	_pipes = [started.stdio, started.stderr]
	return true


## Waits for a condition in real time, with both programs running; false when the time is over or the client is gone.
func _wait(condition: Callable) -> bool:
	var end := Time.get_ticks_msec() + PATIENCE * 1000.0
	while Time.get_ticks_msec() < end:
		_drain()
		_listen()
		if condition.call():
			return true
		if _pid != 0 and not OS.is_process_running(_pid):
			return condition.call()
		OS.delay_msec(5)
		await _tree().process_frame
	return false


func _listen() -> void:
	if _control == null and _server.is_connection_available():
		_control = _server.take_connection()
	if _control == null:
		return
	_control.poll()
	while _control.get_status() == StreamPeerTCP.STATUS_CONNECTED and _control.get_available_bytes() > 0:
		var message: Array = _control.get_var()
		_answers[message[0]] = message[1]


## Takes what the client wrote, so that its pipes never fill.
func _drain() -> void:
	for i in _pipes.size():
		while true:
			var bytes := _pipes[i].get_buffer(4096)
			if bytes.is_empty():
				break
			var lines := (_half_lines[i] + bytes.get_string_from_utf8()).split("\n")
			_half_lines[i] = lines[-1]
			log_lines.append_array(lines.slice(0, -1))


## Takes down what is still up, at once.
func _abandon() -> void:
	if _pid != 0 and OS.is_process_running(_pid):
		OS.kill(_pid)
	_pid = 0
	_pipes.clear()
	_control = null
	_server.stop()
	if is_instance_valid(stage):
		stage.queue_free()
	var api := _tree().get_multiplayer()
	if api.multiplayer_peer is ENetMultiplayerPeer:
		api.multiplayer_peer.close()
		api.multiplayer_peer = OfflineMultiplayerPeer.new()


func _judge() -> void:
	for line in log_lines:
		var text := line.strip_edges()
		if text.contains("panicked at") or Array(COMPLAINTS).any(func(start_: String) -> bool: return text.begins_with(start_)):
			_judge_line(text)
	for allowed in _allowed:
		_case.eq(allowed.seen, allowed.count, "lines of the client with \"%s\"" % allowed.text)


func _judge_line(text: String) -> void:
	for allowed in _allowed:
		if text.contains(allowed.text):
			allowed.seen += 1
			return
	_case.fail("the client wrote: %s" % text)


func _tree() -> SceneTree:
	return Engine.get_main_loop() as SceneTree
