extends Node
## Row `graph`: what movesets cost beside plain nodes, beside a moveset that is written by hand in GDScript, and beside the
## engine's own loading.

const ROUNDS := 7
## Of what takes less than a millisecond.
const CALL_ROUNDS := 30
const FRAMES := 600
const IDLE := 10000
const PLAYERS := 1000
const INPUTS := 1000

var _report := BenchReport.new("graph")


func _ready() -> void:
	await get_tree().physics_frame
	await _idle()
	await _moves()
	await _animated()
	await _inputs()
	await _scripted()
	_files()
	await _edits()
	await _saved()
	_report.print_raw()
	get_tree().quit(1 if _report.failed else 0)


## Microseconds of so many frames.
func _frames(count: int) -> float:
	await get_tree().physics_frame
	var begin := Time.get_ticks_usec()
	for i in count:
		await get_tree().physics_frame
	return Time.get_ticks_usec() - begin


func _agent(parent: Node, component: Node) -> void:
	var agent := Node3D.new()
	agent.add_child(component)
	parent.add_child(agent)


## Root to `one` on Input.Light; a move of a minute with a window at its end.
func _graph() -> ActionGraph:
	var graph := ActionGraph.new()
	var payload := DelayPayload.new()
	payload.delay_seconds = 60.0
	payload.open_action_window = false
	graph.add_node(&"one", payload)
	graph.add_transition(&"root", &"one", &"Input.Light")
	return graph


func _player(graph: ActionGraph) -> ActionGraphPlayer:
	var player := ActionGraphPlayer.new()
	player.input_mode = ActionGraphPlayer.INPUT_MODE_OFF
	player.default_graph = graph
	return player


## 10,000 players with nothing to do.
func _idle() -> void:
	var graph := _graph()
	var players := Node.new()
	var plain := Node.new()
	for i in IDLE:
		_agent(players, _player(graph))
		_agent(plain, Node.new())
	add_child(players)
	await get_tree().physics_frame
	var stepped := 0
	for agent in players.get_children():
		stepped += int(agent.get_child(0).is_processing() or agent.get_child(0).is_physics_processing())
	_report.print_number("10,000 idle players that are stepped", stepped, "<= 0")
	remove_child(players)
	for i in ROUNDS + 1:
		for contestant: String in ["a frame with 10,000 idle players", "a frame with 10,000 plain nodes"]:
			var scene := players if contestant.contains("players") else plain
			add_child(scene)
			await _frames(10)
			var took := await _frames(FRAMES)
			remove_child(scene)
			if i > 0:
				_report.add(contestant, took / FRAMES)
	_report.print_ratio("a frame with 10,000 idle players", "a frame with 10,000 plain nodes", "<= 1.02")
	players.free()
	plain.free()


## 1,000 players in a move.
func _moves() -> void:
	var groups: Dictionary[String, Node] = {}
	var graph := _graph()
	var players: Array[ActionGraphPlayer] = []
	var baselines: Array[BenchGraphBaseline] = []
	for contestant: String in ["1,000 moves", "1,000 moves by hand", "1,000 empty steps", "nothing"]:
		groups[contestant] = Node.new()
		add_child(groups[contestant])
	for i in PLAYERS:
		var player := _player(graph)
		_agent(groups["1,000 moves"], player)
		players.append(player)
		var baseline := BenchGraphBaseline.new()
		baseline.transitions = {&"root": [{input = &"Input.Light", to = &"one", priority = 0, conditions = []}]}
		baseline.lengths = {&"one": 60.0}
		_agent(groups["1,000 moves by hand"], baseline)
		baselines.append(baseline)
		_agent(groups["1,000 empty steps"], BenchPlain.new())
	await get_tree().physics_frame
	var took: Dictionary[String, float] = {}
	for i in ROUNDS + 1:
		for player in players:
			player.interrupt_for_external()
			player.process_input(&"Input.Light")
		for baseline in baselines:
			baseline._enter(&"root")
			baseline.press(&"Input.Light")
		for contestant in groups:
			for other in groups:
				groups[other].process_mode = PROCESS_MODE_INHERIT if other == contestant else PROCESS_MODE_DISABLED
			await _frames(10)
			took[contestant] = await _frames(FRAMES)
		if i > 0:
			for contestant in groups:
				if contestant != "nothing":
					_report.add("a tick of " + contestant, (took[contestant] - took["nothing"]) / FRAMES)
	var wrong := 0
	for at in PLAYERS:
		var by_hand := 0.0 if baselines[at].node == &"root" else baselines[at].time
		wrong += int(absf(float(players[at].get_action_state().node_time) - by_hand) > 0.001)
	_report.print_same("node times", PLAYERS, wrong)
	_report.print_ratio("a tick of 1,000 moves", "a tick of 1,000 empty steps", "<= 3")
	_report.print_ratio("a tick of 1,000 moves", "a tick of 1,000 moves by hand", "<= 0.5")
	for contestant in groups:
		groups[contestant].free()


## An agent with an AnimationPlayer that moves a node for a minute.
func _animate(parent: Node, library: AnimationLibrary, player: ActionGraphPlayer) -> AnimationPlayer:
	var agent := Node3D.new()
	var body := Node3D.new()
	body.name = "Body"
	agent.add_child(body)
	var mixer := AnimationPlayer.new()
	mixer.add_animation_library(&"", library)
	agent.add_child(mixer)
	if player != null:
		agent.add_child(player)
	parent.add_child(agent)
	return mixer


## What moves cost beside the animations that they play.
func _animated() -> void:
	var animation := Animation.new()
	animation.length = 60.0
	var track := animation.add_track(Animation.TYPE_POSITION_3D)
	animation.track_set_path(track, ^"Body")
	animation.position_track_insert_key(track, 0.0, Vector3.ZERO)
	animation.position_track_insert_key(track, 60.0, Vector3.ONE)
	var library := AnimationLibrary.new()
	library.add_animation(&"swing", animation)
	var graph := _graph()
	var payload := PlayAnimationPayload.new()
	payload.animation = &"swing"
	graph.get_node_by_id(&"one").payload = payload
	var groups: Array[Node] = [Node.new(), Node.new()]
	groups.map(add_child)
	var players: Array[ActionGraphPlayer] = []
	var mixers: Array[AnimationPlayer] = []
	for i in PLAYERS:
		players.append(_player(graph))
		_animate(groups[0], library, players[i])
		mixers.append(_animate(groups[1], library, null))
	await get_tree().physics_frame
	for i in ROUNDS + 1:
		for at in PLAYERS:
			players[at].interrupt_for_external()
			players[at].process_input(&"Input.Light")
			mixers[at].stop()
			mixers[at].play(&"swing")
		var took: Array[float] = []
		for at in 2:
			groups[at].process_mode = PROCESS_MODE_INHERIT
			groups[1 - at].process_mode = PROCESS_MODE_DISABLED
			await _frames(10)
			took.append(await _frames(FRAMES))
		if i > 0:
			_report.add("a tick of 1,000 moves beside their animations", (took[0] - took[1]) / FRAMES)
			_report.add("a tick of 1,000 animations", took[1] / FRAMES)
	var wrong := 0
	for at in PLAYERS:
		wrong += int(players[at].get_current_node() != &"one")
	_report.print_same("animated moves that go on", PLAYERS, wrong)
	_report.print_ratio("a tick of 1,000 moves beside their animations", "a tick of 1,000 empty steps")
	_report.print_ratio("a tick of 1,000 moves beside their animations", "a tick of 1,000 animations")
	for group in groups:
		group.free()


## A move with so many transitions on Input.Heavy, and Root; each with a condition that passes and one that does not.
func _asked(own: int, at_root: int) -> ActionGraph:
	var graph := _graph()
	graph.default_input_buffer_mode = ActionGraph.BUFFER_IGNORE
	(graph.get_node_by_id(&"one").payload as DelayPayload).open_action_window = true
	var one := graph.get_node_by_id(&"one")
	one.can_be_cancelled = true
	one.cancel_window_start = 0.0
	var neutral := DirectionCondition.new()
	neutral.directions = DirectionCondition.DIRECTION_NEUTRAL
	var rested := VitalThresholdCondition.new()
	rested.value = 60.0
	for i in own + at_root:
		var wire := graph.add_transition(&"one" if i < own else &"root", &"one", &"Input.Heavy")
		wire.conditions = [neutral, rested]
	return graph


func _tired(player: ActionGraphPlayer) -> void:
	var vitals := AgentVitals.new()
	var stamina := AgentVital.new()
	stamina.tag = &"Vital.Stamina"
	stamina.start_value = 50.0
	vitals.vitals = [stamina]
	var agent := Node3D.new()
	agent.add_child(vitals)
	agent.add_child(player)
	add_child(agent)


## One input that everything is asked about, in the engine and by hand.
func _inputs() -> void:
	var player := _player(_asked(8, 16))
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	_tired(player)
	await get_tree().physics_frame
	player.process_input(&"Input.Light")
	player.advance(1.0)
	var baseline := BenchGraphBaseline.new()
	var neutral := baseline.is_neutral
	var rested := baseline.is_rested
	for from: StringName in [&"one", &"root"]:
		var all: Array = []
		for i in 8 if from == &"one" else 16:
			all.append({input = &"Input.Heavy", to = &"one", priority = 0, conditions = [neutral, rested]})
		baseline.transitions[from] = all
	baseline.lengths = {&"one": 60.0}
	baseline.cancellable = {&"one": true}
	baseline._enter(&"one")
	baseline.window_open = true
	var wrong := 0
	for i in ROUNDS + 1:
		var begin := Time.get_ticks_usec()
		for n in INPUTS:
			wrong += int(player.process_input(&"Input.Heavy") != ActionGraphPlayer.INPUT_DROPPED)
		var middle := Time.get_ticks_usec()
		for n in INPUTS:
			wrong += int(baseline.press(&"Input.Heavy"))
		var end := Time.get_ticks_usec()
		if i > 0:
			_report.add("1,000 inputs with process_input", middle - begin)
			_report.add("1,000 inputs by hand", end - middle)
	_report.print_same("inputs that are dropped", 2 * INPUTS * (ROUNDS + 1), wrong)
	_report.print_ratio("1,000 inputs with process_input", "1,000 inputs by hand")
	baseline.free()
	player.get_parent().free()


## A player in a move whose one transition on Input.Heavy has no condition, or so many that scripts decide: the last one fails.
func _asking(scripted: int) -> ActionGraphPlayer:
	var graph := _asked(1, 0)
	var wire: ActionGraphTransition = graph.get_node_by_id(&"one").transitions[0]
	var conditions: Array[TransitionCondition] = []
	for i in scripted:
		var condition := BenchCondition.new()
		condition.passes = i < scripted - 1
		conditions.append(condition)
	wire.conditions = conditions
	if scripted == 0:
		wire.required_tags = ["State.Never"]
	var player := _player(graph)
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	_agent(self, player)
	player.process_input(&"Input.Light")
	player.advance(1.0)
	return player


## One scripted condition more, beside a bare call of it. The first one of an input also makes the run that they are asked about.
func _scripted() -> void:
	var players: Array[ActionGraphPlayer] = []
	for scripted in 3:
		players.append(_asking(scripted))
	await get_tree().physics_frame
	var condition := BenchCondition.new()
	var run := players[1].get_run()
	BenchCondition.asked = 0
	var probe: Object = ClassDB.instantiate(&"RiposteCallProbe")
	var objects: Array[Object] = [condition]
	for i in CALL_ROUNDS + 1:
		var took: Array[float] = []
		for player in players:
			var begin := Time.get_ticks_usec()
			for n in INPUTS:
				player.process_input(&"Input.Heavy")
			took.append(Time.get_ticks_usec() - begin)
		var from := Time.get_ticks_usec()
		for n in INPUTS:
			condition.call(&"_evaluate", run)
		var called := Time.get_ticks_usec()
		var least: float = probe.time_calls(objects, &"_evaluate", [run], INPUTS)
		if i > 0:
			_report.add("1,000 calls by the library, and nothing beside", least)
			_report.add("1,000 first scripted conditions", took[1] - took[0])
			_report.add("1,000 scripted conditions more", took[2] - took[1])
			_report.add("1,000 bare calls", called - from)
	var wanted := 5 * INPUTS * (CALL_ROUNDS + 1)
	_report.print_same("calls of conditions", wanted, absi(wanted - BenchCondition.asked))
	_report.print_ratio("1,000 scripted conditions more", "1,000 bare calls", "<= 1.25")
	_report.print_ratio("1,000 first scripted conditions", "1,000 bare calls")
	_report.print_ratio("1,000 calls by the library, and nothing beside", "1,000 bare calls")
	for player in players:
		player.get_parent().free()


## A graph of 200 nodes and 600 transitions with two conditions each.
func _big(nodes: int) -> ActionGraph:
	var graph := ActionGraph.new()
	for i in nodes:
		graph.add_node(&"node_%d" % i).payload.animation = &"swing_%d" % i
	for i in nodes:
		for n in 3:
			var wire := graph.add_transition(&"node_%d" % i, &"node_%d" % ((i * 7 + n * 13) % nodes), &"Input.Number%d" % ((i + n) % 16))
			wire.conditions = [DirectionCondition.new(), VitalThresholdCondition.new()]
	return graph


## Compiling beside loading, and reading animations.
func _files() -> void:
	var path := "user://bench_graph.tres"
	ResourceSaver.save(_big(200), path)
	var graph: ActionGraph = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	var bigger := _big(400)
	for i in ROUNDS + 1:
		var begin := Time.get_ticks_usec()
		ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		var loaded := Time.get_ticks_usec()
		graph.get_node_by_id(&"node_0").transitions[0].priority = i + 1
		var from := Time.get_ticks_usec()
		var good := graph.compile()
		var compiled := Time.get_ticks_usec()
		bigger.get_node_by_id(&"node_0").transitions[0].priority = i + 1
		var again := Time.get_ticks_usec()
		good = bigger.compile() and good
		var end := Time.get_ticks_usec()
		if i == 0:
			_report.print_same("graphs that compile", 2, 0 if good else 1)
			continue
		_report.add("load 200 nodes", loaded - begin)
		_report.add("compile 200 nodes in the engine", compiled - from)
		_report.add("compile 400 nodes in the engine", end - again)
	_report.print_ratio("compile 200 nodes in the engine", "load 200 nodes", "<= 1")
	_report.print_ratio("compile 400 nodes in the engine", "compile 200 nodes in the engine", "<= 2.2")
	DirAccess.remove_absolute(path)


## One edit of a graph that 1,000 players play, and their animations.
func _edits() -> void:
	var graph := _graph()
	var wire := graph.add_transition(&"one", &"one", &"Input.Heavy")
	wire.conditions = [BenchCondition.new()]
	var group := Node.new()
	for i in PLAYERS:
		_agent(group, _player(graph))
	add_child(group)
	await get_tree().physics_frame
	for agent in group.get_children():
		(agent.get_child(0) as ActionGraphPlayer).process_input(&"Input.Light")
	await get_tree().physics_frame
	BenchCondition.named = 0
	graph.compile()
	wire.priority = 1
	graph.compile()
	var once := BenchCondition.named
	BenchCondition.named = 0
	wire.priority = 2
	await get_tree().physics_frame
	await get_tree().physics_frame
	_report.print_same("names asked by one edit with 1,000 players", once, absi(BenchCondition.named - once))
	group.free()


## A state out and in, beside an input.
func _saved() -> void:
	var player := _player(_asked(8, 16))
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	_tired(player)
	await get_tree().physics_frame
	player.process_input(&"Input.Light")
	player.advance(1.0)
	var wrong := 0
	for i in ROUNDS + 1:
		var begin := Time.get_ticks_usec()
		for n in INPUTS:
			player.process_input(&"Input.Heavy")
		var middle := Time.get_ticks_usec()
		for n in INPUTS:
			wrong += int(not player.import_state(player.export_state()))
		var end := Time.get_ticks_usec()
		if i > 0:
			_report.add("1,000 inputs of a player to save", middle - begin)
			_report.add("1,000 exports and imports", end - middle)
	_report.print_same("imports", INPUTS * (ROUNDS + 1), wrong)
	_report.print_ratio("1,000 exports and imports", "1,000 inputs of a player to save", "<= 20")
	player.get_parent().free()
