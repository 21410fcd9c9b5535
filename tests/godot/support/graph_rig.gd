extends RefCounted
## A character with an ActionGraphPlayer on MANUAL that plays a row of the worked examples of the action graph, with real
## animations, and writes what its signals tell in the notation of the rows.

const Rows := preload("res://support/graph_rows.gd")
const Rig := preload("res://support/graph_rig.gd")
const Builder := preload("res://support/graph_builder.gd")

const TICKS: Array = [1.0 / 60.0, 0.1, 0.013]
const RESULTS: PackedStringArray = ["ENTERED", "BUFFERED", "DROPPED", "BLOCKED", "FORWARDED"]
const FAILS: PackedStringArray = ["", "gate", "cooldown", "cost", "payload", "disabled", "loop", "unknown"]
const MARKS: PackedStringArray = ["", "↑", "↟"]
## Reasons to drop that only what waited has.
const WAITED: PackedInt32Array = [
	ActionGraphPlayer.DROP_REPLACED, ActionGraphPlayer.DROP_WINDOW_OPENED, ActionGraphPlayer.DROP_EXPIRED,
	ActionGraphPlayer.DROP_CLEARED, ActionGraphPlayer.DROP_SUPERSEDED,
]
## Seconds around an instant that has to be met exactly.
const NEAR: float = 0.0005


## A word of the log and the stretch of time in which it was written.
class Word:
	var text: String = ""
	var timed: bool = false
	var start: float = 0.0
	var end: float = 0.0

	func _to_string() -> String:
		if not timed:
			return text
		return "%s@%.4f–%.4f" % [text, start, end]


var case: TestCase
var row: Dictionary
## What the character was made by.
var builder: Builder
var agent: Node3D
var mixer: AnimationPlayer
var tags: TagContainer
var vitals: AgentVitals
var graph: ActionGraph
var player: ActionGraphPlayer
var words: Array[Word] = []
var answers: PackedStringArray = []
## Game time, and that of the start of the advance that runs.
var now: float = 0.0
var before: float = 0.0

## "tag moment" of a key whose answer is not known -> when.
var _keys: Dictionary[String, float] = {}
var _within: Array = []
## "tag moment" of the input that a call sends, whose result is the answer.
var _calling: String = ""
var _queueing: bool = false


## Plays a row with each way to write windows and each tick, and compares.
static func play(owner: TestCase, named: String) -> void:
	var wanted: Dictionary = Rows.row(named)
	var runs: int = 0
	for way: Builder.Authoring in [Builder.Authoring.MARKERS, Builder.Authoring.LIST, Builder.Authoring.KEYS]:
		if way != Builder.Authoring.LIST and _is_edited(wanted):
			continue
		for tick: float in wanted.get("ticks", TICKS) as Array:
			for exact: bool in [false, true]:
				# A tick of its own around each instant would change what is told per tick.
				if exact and wanted.has("ticks"):
					continue
				var rig: Rig = Rig.new(owner, wanted, way)
				rig.run(tick, exact)
				rig.judge("%s, %s, ticks of %.4f%s" % [named, Builder.Authoring.keys()[way], tick, ", exact" if exact else ""])
				rig.agent.free()
				runs += 1
	if wanted.get("loop_error", false):
		owner.expect_error("X", runs)


static func _is_edited(wanted: Dictionary) -> bool:
	for entry: Array in wanted["input"] as Array:
		if (entry[1] as Array)[0] == "Edit":
			return true
	return false


func _init(owner: TestCase, wanted: Dictionary, way: Builder.Authoring = Builder.Authoring.MARKERS) -> void:
	case = owner
	row = wanted
	builder = Builder.new(row, way)
	agent = Node3D.new()
	agent.name = "Hero"
	mixer = builder.mixer
	agent.add_child(mixer)
	tags = TagContainer.new()
	agent.add_child(tags)
	vitals = builder.make_vitals()
	if vitals != null:
		agent.add_child(vitals)
	graph = builder.make_graph()
	player = ActionGraphPlayer.new()
	player.name = "Moves"
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	player.action_speed = row.get("speed", 1.0)
	player.default_graph = graph
	player.input_map = builder.make_input_map()
	agent.add_child(player)
	case.add_child(agent)
	for tag: String in row.get("tags", []) as Array:
		tags.add_tag(tag)
	var stick: Array = row.get("stick", [])
	if not stick.is_empty():
		player.set_move_direction(Vector2(stick[0] as float, stick[1] as float))
	_within = (row.get("within", []) as Array).duplicate()
	_connect()


func _connect() -> void:
	player.action_started.connect(_on_started)
	player.action_ended.connect(_on_ended)
	player.graph_reset.connect(func() -> void: write("Root", true))
	player.action_failed.connect(_on_failed)
	player.input_buffered.connect(_on_buffered)
	player.input_dropped.connect(_on_dropped)
	player.sequence_ended.connect(_on_sequence_ended)


func write(text: String, timed: bool) -> void:
	var word: Word = Word.new()
	word.text = text
	word.timed = timed
	word.start = before
	word.end = now
	words.append(word)


func _on_started(node: StringName, run: ActionRun) -> void:
	case.eq(run.node_id, node, "the node of the run that is told")
	write(node, true)
	if not _within.is_empty() and (_within[0] as Array)[0] == String(node):
		var deed: Array = (_within.pop_front() as Array)[1]
		var tag: String = deed[1]
		_answer(tag, 0, player.process_input(tag))


func _on_ended(node: StringName, reason: int) -> void:
	if reason == ActionGraphPlayer.END_CANCELLED:
		write("(%s CANCELLED)" % node, false)
	elif reason == ActionGraphPlayer.END_REMOVED:
		write("(%s REMOVED)" % node, false)


func _on_failed(node: StringName, fail: int, _tag: StringName) -> void:
	if fail != ActionGraphPlayer.FAIL_LOOP:
		write("[%s:%s fails" % [node, FAILS[fail]], true)


func _on_buffered(tag: StringName, moment: int) -> void:
	var key: String = "%s %d" % [tag, moment]
	if _keys.has(key):
		answers.append("%s%s@%s BUFFERED" % [tag, MARKS[moment], seconds(_keys[key])])
		_keys.erase(key)
	elif _calling != key:
		answers.append("%s%s@%s BUFFERED" % [tag, MARKS[moment], seconds(before)])


func _on_dropped(tag: StringName, moment: int, why: int) -> void:
	var key: String = "%s %d" % [tag, moment]
	if _keys.has(key):
		answers.append("%s%s@%s DROPPED" % [tag, MARKS[moment], seconds(_keys[key])])
		_keys.erase(key)
	elif _queueing:
		answers.append("%s@%s DROPPED" % [tag, seconds(now)])
	elif why in WAITED or _calling != key:
		write("%s%s %s" % [tag, MARKS[moment], "expires" if why == ActionGraphPlayer.DROP_EXPIRED else "dropped"], true)


func _on_sequence_ended(_handle: int, reason: int) -> void:
	if reason != ActionGraphPlayer.END_COMPLETED:
		write("sequence aborted", true)


func _answer(tag: String, moment: int, result: int) -> void:
	if result != ActionGraphPlayer.INPUT_ENTERED:
		answers.append("%s%s@%s %s" % [tag, MARKS[moment], seconds(now), RESULTS[result]])


static func seconds(value: float) -> String:
	return String.num(snappedf(value, 0.001)).trim_suffix(".0")


## Plays the whole row. `exact`: ticks end shortly before and after each instant that is wanted.
func run(tick: float, exact: bool) -> void:
	var inputs: Array = row["input"]
	var stops: Array[float] = []
	var last: float = 0.0
	for entry: Array in inputs:
		stops.append(entry[0])
		last = maxf(last, entry[0] as float)
	for word: String in row["expect"] as Array:
		var at: float = _time_of(word)
		last = maxf(last, at)
		if exact and at > 0.0:
			stops.append_array([at - NEAR, at + NEAR])
	stops.sort()
	var next: int = 0
	var ticks: int = 0
	while now < last + 0.5:
		while next < inputs.size() and ((inputs[next] as Array)[0] as float) <= now + 1e-7:
			perform((inputs[next] as Array)[1] as Array)
			next += 1
		while not stops.is_empty() and stops[0] <= now + 1e-7:
			stops.pop_front()
		while (ticks + 1) * tick <= now + 1e-7:
			ticks += 1
		var to: float = (ticks + 1) * tick
		if not stops.is_empty():
			to = minf(to, stops[0])
		advance(to)


## Lets time pass until then.
func advance(to: float) -> void:
	before = now
	var delta: float = to - now
	now = to
	player.advance(delta)
	before = now


## Lets time pass until then in ticks of a sixtieth of a second.
func run_to(until: float) -> void:
	while now < until - 1e-7:
		advance(minf(now + 1.0 / 60.0, until))


func perform(deed: Array) -> void:
	match deed[0]:
		"Press", "Release", "Early":
			var moment: int = ["Press", "Release", "Early"].find(deed[0])
			var tag: String = deed[1]
			_calling = "%s %d" % [tag, moment]
			_answer(tag, moment, player.process_input(tag, moment))
			_calling = ""
		"Down", "Up":
			_press_key(deed[1] as String, deed[0] == "Down")
		"Interrupt":
			case.check(player.interrupt_for_external(), "the move is cut")
		"AddTag":
			tags.add_tag(deed[1] as String)
		"RemoveTag":
			tags.remove_tag(deed[1] as String)
		"TimeScale":
			player.time_scale = deed[1]
		"Freeze":
			player.freeze(deed[1] as float)
		"Queue":
			_queueing = true
			var chain: bool = (deed[1] as Array)[0] == "Chain"
			var mode: int = ActionGraphPlayer.SEQUENCE_CHAIN if chain else ActionGraphPlayer.SEQUENCE_DISCRETE
			case.check(player.queue_input_sequence(deed[2] as Array, mode) > 0, "a handle of the sequence")
			_queueing = false
		"OpenWindow":
			case.check((player.get_meta(&"hook_run") as ActionRun).open_window(deed[1] as String), "the hook opens a window")
		"CancelRun":
			var done: bool = (player.get_meta(&"hook_run") as ActionRun).cancel()
			answers.append("cancel@%s %s" % [seconds(now), done])
		"Edit":
			for id: String in deed[1] as Dictionary:
				var edit: Dictionary = (deed[1] as Dictionary)[id]
				builder.write_windows(builder.payloads[id] as PlayAnimationPayload, null, edit["windows"] as Array)
		"Delete":
			case.check(graph.remove_node(deed[1] as String), "the node goes")
		_:
			case.fail("no deed %s" % deed[0])


func _press_key(tag: String, down: bool) -> void:
	var event: InputEventKey = InputEventKey.new()
	event.keycode = Builder.key_of(tag)
	event.pressed = down
	for moment: int in 3:
		_keys["%s %d" % [tag, moment]] = now
	agent.get_viewport().push_input(event)


static func _time_of(word: String) -> float:
	return word.get_slice("@", 1).to_float() if word.contains("@") else 0.0


## Compares what was written with what the row tells.
func judge(label: String) -> void:
	judge_words(label)
	case.eq(answers, PackedStringArray(row.get("answers", []) as Array), "answers of " + label)
	for tag: String in row.get("vitals_after", {}) as Dictionary:
		case.near(vitals.get_value(tag), (row["vitals_after"] as Dictionary)[tag], 0.001, "%s after %s" % [tag, label])


## Compares the sequence only.
func judge_words(label: String) -> void:
	var wanted: PackedStringArray = []
	for word: String in row["expect"] as Array:
		if word.contains("×"):
			for i: int in word.get_slice("×", 0).to_int():
				wanted.append(word.get_slice("×", 1))
		else:
			wanted.append(word)
	var same: bool = wanted.size() == words.size()
	for at: int in mini(wanted.size(), words.size()):
		same = same and _is_same(words[at], wanted[at])
	case.check(same, "%s: %s, wanted %s" % [label, words, wanted])


static func _is_same(word: Word, wanted: String) -> bool:
	if not word.timed:
		return word.text == wanted
	var at: float = _time_of(wanted)
	return word.text == wanted.get_slice("@", 0) and at >= word.start - 1e-4 and at <= word.end + 1e-4
