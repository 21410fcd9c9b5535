extends TestCase
## Random graphs, inputs, calls and edits on the built node, also from inside of every virtual and every signal: each move that
## starts has one end, each hook that enters leaves, no input is used twice, tags are given back, nothing is ever stuck; and
## what is recorded plays again in a world that answers otherwise.

const Fuzz := preload("res://support/graph_fuzz.gd")
const LIVES: int = 40
const STEPS: int = 120
const RECORDINGS: int = 40

var _fuzz: Fuzz = null
var _player: ActionGraphPlayer = null
var _graphs: Array[ActionGraph] = []
var _state: Dictionary = {}
## Tag -> presses that were sent, and moves that presses started.
var _sent: Dictionary[StringName, int] = {}
var _used: Dictionary[StringName, int] = {}
## Calls from inside that may still follow in this step.
var _calls: int = 0
var _frees: bool = false
## Nothing is done that is no part of a recording.
var _recording: bool = false


func test_random_lives() -> void:
	var starts: int = 0
	# Endless circles of moves that end at once are told, and overflowing calls; how often depends on the numbers.
	Engine.print_error_messages = false
	for number: int in LIVES:
		_frees = number % 5 == 4
		_begin(number)
		await _live(number)
		starts += _fuzz.mind.starts
		if is_instance_valid(_fuzz.agent):
			_fuzz.agent.free()
		if not failures.is_empty():
			break
	Engine.print_error_messages = true
	check(starts > LIVES * 5, "%d moves started" % starts)


func _live(number: int) -> void:
	for step: int in STEPS:
		_calls = 4
		_act()
		_judge_step("life %d, step %d" % [number, step])
		if _fuzz.agent.is_queued_for_deletion():
			await idle(2)
			_balance("life %d, freed" % number)
			return
		if not failures.is_empty():
			return
	_come_to_rest("life %d" % number)


## Plays what was done and told in lives without another graph.
func test_random_replays() -> void:
	var moves: int = 0
	Engine.print_error_messages = false
	_recording = true
	for number: int in RECORDINGS:
		_begin(number)
		_fuzz.mind.whims = RandomNumberGenerator.new()
		_fuzz.mind.whims.seed = number
		var told: Array[String] = _tell(_player)
		check(_player.start_recording(), "it records")
		for step: int in STEPS:
			_calls = 4
			_act()
		_calls = 0
		_player.advance(0.1)
		var replay: ActionReplay = _player.stop_recording()
		moves += _fuzz.mind.starts
		told = told.duplicate()
		_fuzz.agent.free()
		_compare(number, replay, told)
		if not failures.is_empty():
			break
	Engine.print_error_messages = true
	check(moves > RECORDINGS * 5, "%d moves started" % moves)


## The same moves again, by another character whose scripts answer otherwise.
func _compare(number: int, replay: ActionReplay, wanted: Array[String]) -> void:
	_begin(number)
	_calls = 0
	_fuzz.mind.whims = RandomNumberGenerator.new()
	_fuzz.mind.whims.seed = number + 1000
	var told: Array[String] = _tell(_player)
	var diverged: SignalRecord = record(_player.replay_diverged)
	check(_player.play_replay(replay, true), "it plays")
	for tick: Dictionary in replay.ticks:
		_player.advance(0.05)
	eq(told, wanted, "moves of recording %d" % number)
	eq(diverged.count(), 0, "recording %d goes its way" % number)
	_fuzz.agent.free()


## Moves that start and end, in their order.
func _tell(player: ActionGraphPlayer) -> Array[String]:
	var told: Array[String] = []
	player.action_started.connect(func(node: StringName, _run: ActionRun) -> void: told.append("+" + node))
	player.action_ended.connect(func(node: StringName, reason: int) -> void: told.append("-%s %d" % [node, reason]))
	return told


func _begin(number: int) -> void:
	_fuzz = Fuzz.new(number)
	_state = {}
	_sent = {}
	_used = {}
	_graphs = [_fuzz.graph(), _fuzz.graph()]
	_fuzz.build(_graphs[0])
	_player = _fuzz.player
	add(_fuzz.agent)
	_player.action_started.connect(_on_started)
	_player.state_imported.connect(_on_imported)
	for told: Signal in [_player.graph_reset, _player.replay_ended]:
		told.connect(_react)
	for told: Signal in [
		_player.graph_changed, _player.window_opened, _player.window_closed, _player.marker_reached, _player.cooldown_expired,
	]:
		told.connect(_react.unbind(1))
	for told: Signal in [
		_player.action_cancelled, _player.action_ended, _player.input_buffered, _player.sequence_ended, _player.cooldown_started,
	]:
		told.connect(_react.unbind(2))
	for told: Signal in [_player.action_failed, _player.input_dropped, _player.locomotion_scale_changed]:
		told.connect(_react.unbind(3))
	_fuzz.mind.always = func(_word: String) -> void: _react()


func _on_started(_node: StringName, run: ActionRun) -> void:
	if not run.input_tag.is_empty() and run.moment == ActionGraphTransition.FIRES_INPUT_PRESSED:
		_used[run.input_tag] = _used.get(run.input_tag, 0) + 1
	_react()


func _on_imported() -> void:
	_fuzz.mind.runs = _player.is_action_running()
	_react()


## Notes a press that may be used once.
func _note(tag: StringName) -> void:
	_sent[tag] = _sent.get(tag, 0) + 1


## Perhaps a call from where we are.
func _react() -> void:
	if _calls > 0 and _fuzz.once_in(10) and is_instance_valid(_player):
		_calls -= 1
		_call()


func _send() -> void:
	var tag: StringName = _fuzz.pick(Fuzz.TAGS)
	var moment: int = _fuzz.pick([0, 0, 0, 1, 1, 2])
	if moment == 0:
		_note(tag)
	_player.process_input(tag, moment)


func _act() -> void:
	match _fuzz.random.randi_range(0, 3):
		0:
			_player.advance(_fuzz.pick([0.0, 0.005, 1.0 / 60.0, 0.1, 0.4]) as float)
		1:
			_send()
		2:
			_player.advance(1.0 / 60.0)
		_:
			_call()


func _call() -> void:
	match _fuzz.random.randi_range(0, 26):
		0, 1, 2, 3:
			_send()
		4:
			_push()
		5:
			_player.interrupt_for_external(&"fuzz")
		6:
			_player.clear_buffer()
		7:
			_player.freeze(_fuzz.pick([0.05, 0.2]) as float)
		8:
			_player.unfreeze()
		9:
			_queue()
		10:
			_player.cancel_input_sequence()
		11:
			_player.open_action_window(_fuzz.pick(Fuzz.KINDS) as StringName)
		12:
			_player.close_action_window(_fuzz.pick(Fuzz.KINDS) as StringName)
		13:
			_fuzz.tags.add_tag(_fuzz.pick([&"State.ActionsBlocked", &"State.Wet"]) as StringName)
		14, 15:
			_dry()
		16:
			_player.set_cooldown(_fuzz.pick([&"n0", &"n1"]) as StringName, 0.3)
		17:
			var run: ActionRun = _player.get_run()
			if run != null:
				run.call(_fuzz.pick([&"finish", &"cancel", &"open_window", &"close_window"]) as StringName)
		18:
			_player.set_move_direction(_fuzz.pick([Vector2.ZERO, Vector2.RIGHT, Vector2.UP]) as Vector2)
		19:
			_player.explain_input(_fuzz.pick(Fuzz.TAGS) as StringName)
			_player.get_offered_inputs()
			_player.get_action_state()
		_:
			if not _recording:
				_upset()


## What is no part of a recording.
func _upset() -> void:
	match _fuzz.random.randi_range(0, 6):
		0:
			_player.set_graph(_fuzz.pick(_graphs) as ActionGraph, _fuzz.pick([&"a", &"b"]) as StringName)
		1:
			_player.clear_graph(_fuzz.pick([&"a", &"b"]) as StringName)
		2:
			_state = _player.export_state()
		3:
			_import()
		4:
			_edit(_fuzz.pick(_graphs) as ActionGraph)
		5:
			if _fuzz.once_in(4):
				_fuzz.agent.remove_child(_player)
				_fuzz.agent.add_child(_player)
		6:
			if _frees and _fuzz.once_in(10):
				_fuzz.agent.queue_free()


func _push() -> void:
	var tag: StringName = _fuzz.pick(Fuzz.TAGS)
	var pressed: bool = _fuzz.once_in(2)
	if pressed:
		_note(tag)
	_player.push_input(tag, pressed)


func _queue() -> void:
	var items: Array = [_fuzz.pick(Fuzz.TAGS), _fuzz.pick(Fuzz.TAGS), _fuzz.pick(Fuzz.TAGS)]
	for tag: StringName in items:
		_note(tag)
	_player.queue_input_sequence(items, _fuzz.random.randi_range(0, 1))


## What waits in a state may be used again.
func _import() -> void:
	if _state.is_empty():
		return
	for waiting: Dictionary in _state["waiting"] as Array:
		_note(waiting["tag"] as StringName)
	if _state["sequence"] is Dictionary:
		for item: Array in (_state["sequence"] as Dictionary)["items"] as Array:
			_note(item[0] as StringName)
	_player.import_state(_state)


func _dry() -> void:
	for tag: StringName in [&"State.ActionsBlocked", &"State.Wet"]:
		_fuzz.tags.remove_tag(tag, maxi(_fuzz.tags.get_tag_count(tag), 1))


func _edit(graph: ActionGraph) -> void:
	var ids: PackedStringArray = graph.get_node_ids()
	var id: StringName = _fuzz.pick(Array(ids))
	var node: ActionGraphNode = graph.get_node_by_id(id)
	match _fuzz.random.randi_range(0, 4):
		0:
			if id != &"root" and ids.size() > 3:
				graph.remove_node(id)
		1:
			if ids.size() < 12:
				var named: StringName = "x%d" % _fuzz.random.randi_range(0, 999)
				if graph.get_node_by_id(named) == null:
					_fuzz.fill(graph.add_node(named, _fuzz.payload()))
					_fuzz.wire(graph, id, named)
		2:
			if id != &"root":
				node.payload = _fuzz.payload()
		3:
			_fuzz.wire(graph, id, _fuzz.pick(Array(ids)) as StringName)
		4:
			if id != &"root":
				node.enabled = not node.enabled


func _judge_step(what: String) -> void:
	if not is_instance_valid(_player):
		return
	if _fuzz.mind.runs != _player.is_action_running():
		fail("told that one runs: %s, one runs: %s, %s" % [_fuzz.mind.runs, _player.is_action_running(), what])
	if not _fuzz.mind.faults.is_empty():
		fail("%s, %s" % [_fuzz.mind.faults, what])
	if _player.is_action_running() != _player.has_action_tag(&"State.ActionRunning"):
		fail("State.ActionRunning, %s" % what)
	for tag: StringName in _used:
		if _used[tag] > _sent.get(tag, 0):
			fail("%s: %d presses, %d used, %s" % [tag, _sent.get(tag, 0), _used[tag], what])
	var presses: int = 0
	for waiting: Dictionary in _player.get_action_state().get("waiting", []) as Array:
		presses += 1 if waiting["moment"] == 0 else 0
	if presses > 1 and not _player.is_frozen():
		fail("%d presses wait, %s" % [presses, what])


func _come_to_rest(what: String) -> void:
	_calls = 0
	_fuzz.mind.always = Callable()
	_dry()
	_player.set_move_direction(Vector2.ZERO)
	_player.unfreeze()
	_player.cancel_input_sequence()
	_player.clear_buffer()
	for i: int in 5:
		_player.advance(0.1)
		_player.interrupt_for_external()
	check(not _player.is_action_running(), "at rest, " + what)
	_balance(what)
	check(not _fuzz.tags.has_tag(&"Move.Some"), "tags of moves, " + what)
	check(not _fuzz.tags.has_tag(&"State.ActionRunning"), "the running tag, " + what)
	eq(_player.get_locomotion_scale(), Vector3.ONE, "locomotion, " + what)


func _balance(what: String) -> void:
	check(not _fuzz.mind.runs, "the last move is told to end, " + what)
	eq(_fuzz.mind.faults, PackedStringArray(), "runs, " + what)
	eq(_fuzz.mind.open.values().count(1), 0, "runs that are entered and not left, " + what)
