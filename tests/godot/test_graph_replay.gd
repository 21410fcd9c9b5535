extends TestCase
## Recordings of the worked examples are played again, states go out and in, and the start of a replay clears what waits.

const Rig := preload("res://support/graph_rig.gd")
const Rows := preload("res://support/graph_rows.gd")
const LIST: Rig.Builder.Authoring = Rig.Builder.Authoring.LIST
## Recorded with ticks of -> played with deltas of, which do not count.
const PACES: Dictionary[float, float] = {1.0 / 60.0: 0.1, 0.1: 0.013, 0.013: 1.0 / 60.0}


## What a row's own player does, written down.
func _recorded(named: String, tick: float) -> Rig:
	var rig: Rig = Rig.new(self, Rows.row(named), LIST)
	check(rig.player.start_recording(), "recording of " + named)
	rig.run(tick, false)
	rig.player.set_meta(&"replay", rig.player.stop_recording())
	return rig


## Plays a recording to its end where nothing of the row is done.
func _play(rig: Rig, replay: ActionReplay, delta: float, answers: bool) -> void:
	check(rig.player.play_replay(replay, answers), "the recording is played")
	rig.words.clear()
	for tick: Dictionary in replay.ticks:
		rig.before = rig.now
		rig.now += tick["delta"] as float
		rig.player.advance(delta)
	rig.before = rig.now


## All that became of moves is the same, at times that fit.
func _compare(again: Rig, first: Rig, what: String) -> void:
	var found: Array[Rig.Word] = _moves(again)
	var wanted: Array[Rig.Word] = _moves(first)
	var same: bool = found.size() == wanted.size()
	for at: int in mini(found.size(), wanted.size()):
		var one: Rig.Word = found[at]
		var other: Rig.Word = wanted[at]
		same = same and one.text == other.text and one.start <= other.start + 1e-4 and one.end >= other.end - 1e-4
	check(same, "%s: %s, recorded %s" % [what, found, wanted])


## A rig writes drops of what its own calls send down as answers, not as words.
func _moves(rig: Rig) -> Array[Rig.Word]:
	return rig.words.filter(func(word: Rig.Word) -> bool: return not word.text.ends_with(" dropped"))


func test_ex_50_r1() -> void:
	var moves: int = 0
	for number: int in range(1, 87):
		var named: String = "M%d" % number
		for tick: float in PACES:
			var first: Rig = _recorded(named, tick)
			var again: Rig = Rig.new(self, Rows.row(named), LIST)
			var diverged: SignalRecord = record(again.player.replay_diverged)
			var ended: SignalRecord = record(again.player.replay_ended)
			_play(again, first.player.get_meta(&"replay") as ActionReplay, PACES[tick], true)
			_compare(again, first, "%s, recorded with ticks of %.4f" % [named, tick])
			eq(diverged.count(), 0, named + " goes its way")
			eq(ended.count(), 1, named + " ends")
			moves += again.words.size()
			first.agent.free()
			again.agent.free()
	check(moves > 86 * 3, "moves were played")


func test_ex_50_r2() -> void:
	for tick: float in Rig.TICKS:
		var first: Rig = Rig.new(self, Rows.row("M1"))
		first.player.process_input(&"LA")
		first.advance(0.2)
		first.player.process_input(&"LA")
		first.advance(0.3)
		var text: String = JSON.stringify(first.player.export_state())
		var fresh: Rig = Rig.new(self, Rows.row("M1"))
		var imported: SignalRecord = record(fresh.player.state_imported)
		fresh.now = 0.3
		fresh.before = 0.3
		check(fresh.player.import_state(JSON.parse_string(text) as Dictionary), "it is taken")
		eq(imported.count(), 1, "the state is told once")
		eq(fresh.words.size(), 0, "no start of L1 is told")
		eq(fresh.player.get_current_node(), &"L1", "the move that runs")
		check(fresh.player.is_buffered(&"LA"), "what waited waits")
		while fresh.now < 1.9:
			fresh.advance(fresh.now + tick)
		fresh.row = {"expect": ["L2@0.4", "Root@1.4"]}
		fresh.judge_words("what follows, ticks of %.4f" % tick)
		first.agent.free()
		fresh.agent.free()


## What waits in the player that plays a recording is gone with its start, and nothing of it comes later.
func test_the_start_of_a_replay_clears_what_waits() -> void:
	var first: Rig = Rig.new(self, Rows.row("M1"), LIST)
	check(first.player.start_recording(), "it records")
	first.advance(0.1)
	first.player.process_input(&"HV")
	first.advance(1.5)
	var replay: ActionReplay = first.player.stop_recording()
	var second: Rig = Rig.new(self, Rows.row("M1"), LIST)
	second.player.process_input(&"LA")
	second.advance(0.2)
	eq(second.player.process_input(&"LA"), ActionGraphPlayer.INPUT_BUFFERED, "a press waits")
	check(second.player.is_buffered(&"LA"), "it is there")
	second.now = 0.0
	_play(second, replay, 0.1, false)
	check(not second.player.is_buffered(&"LA"), "it is gone")
	eq(second.player.get_action_state()["waiting"], [], "nothing waits")
	_compare(second, first, "only what was recorded")
	eq(second.words.map(func(word: Rig.Word) -> String: return word.text), ["HEAVY", "Root"], "the recorded move")
	# A press that was held back is not walked in the replay either.
	second.player.process_input(&"LA")
	second.advance(second.now + 0.1)
	second.player.freeze(0.5)
	eq(second.player.process_input(&"LA"), ActionGraphPlayer.INPUT_BUFFERED, "it waits for the end of the freeze")
	_play(second, replay, 0.1, false)
	check(not second.player.is_frozen(), "the state of the recording has no freeze")
	eq(second.words.map(func(word: Rig.Word) -> String: return word.text), ["HEAVY", "Root"], "again only that")
	first.agent.free()
	second.agent.free()


func test_another_way_is_told_once() -> void:
	var first: Rig = _recorded("M1", 0.1)
	var replay: ActionReplay = first.player.get_meta(&"replay")
	var second: Rig = Rig.new(self, Rows.row("M1"), LIST)
	second.graph.get_node_by_id(&"L2").enabled = false
	var diverged: SignalRecord = record(second.player.replay_diverged)
	var ended: SignalRecord = record(second.player.replay_ended)
	_play(second, replay, 0.1, false)
	eq(diverged.count(), 1, "told once")
	# L2 begins at 0.4, in the tick from 0.3 to 0.4 or the one after it.
	between(diverged.arguments()[0] as float, 3.0, 4.0, "its tick")
	eq(ended.count(), 1, "it goes on to its end")
	first.agent.free()
	second.agent.free()


func test_a_recording_survives_a_file() -> void:
	var first: Rig = _recorded("M82", 0.013)
	var replay: ActionReplay = first.player.get_meta(&"replay")
	eq(ResourceSaver.save(replay, "user://graph_replay.tres"), OK, "saved")
	var loaded: ActionReplay = ResourceLoader.load("user://graph_replay.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	var second: Rig = Rig.new(self, Rows.row("M82"), LIST)
	_play(second, loaded, 0.013, true)
	_compare(second, first, "M82 from its file")
	DirAccess.remove_absolute("user://graph_replay.tres")
	first.agent.free()
	second.agent.free()


## A recording that is begun and ended inside of signals, in the middle of a tick, plays at the same times.
func test_recordings_from_inside() -> void:
	var first: Rig = Rig.new(self, Rows.row("M1"), LIST)
	var player: ActionGraphPlayer = first.player
	var made: Array[ActionReplay] = []
	var begin: Callable = func(node: StringName, _run: ActionRun) -> void:
		if node == &"L1":
			check(player.start_recording(), "it records from the start of L1")
	player.action_started.connect(begin)
	player.graph_reset.connect(func() -> void: made.append(player.stop_recording()))
	player.process_input(&"LA")
	player.process_input(&"LA")
	first.advance(5.0)
	eq(made.size(), 1, "recordings")
	var second: Rig = Rig.new(self, Rows.row("M1"), LIST)
	var diverged: SignalRecord = record(second.player.replay_diverged)
	_play(second, made[0], 0.1, true)
	eq(diverged.count(), 0, "it goes its way")
	eq(second.words.map(func(word: Rig.Word) -> String: return word.text), ["L2", "Root"], "what came after the start of L1")
	var seconds: float = 0.0
	for tick: Dictionary in made[0].ticks:
		seconds += tick["delta"] as float
	near(seconds, 1.4, 0.0001, "it ends with the move, in the middle of the tick")
	first.agent.free()
	second.agent.free()


## A replay that is called for inside of a signal begins when all of it is told; what was left of that tick is dropped.
func test_a_replay_from_inside() -> void:
	var first: Rig = _recorded("M1", 0.1)
	var replay: ActionReplay = first.player.get_meta(&"replay")
	var second: Rig = Rig.new(self, Rows.row("M1"), LIST)
	var player: ActionGraphPlayer = second.player
	var again: Callable = func(_node: StringName, _reason: int) -> void:
		check(player.play_replay(replay, true), "taken from inside")
	player.action_ended.connect(again, CONNECT_ONE_SHOT)
	player.process_input(&"DG")
	second.advance(3.0)
	eq(player.get_current_node(), &"root", "the state of the recording")
	second.words.clear()
	second.now = 0.0
	for tick: Dictionary in replay.ticks:
		second.before = second.now
		second.now += tick["delta"] as float
		player.advance(0.01)
	_compare(second, first, "M1 from inside")
	first.agent.free()
	second.agent.free()
