extends RefCounted
## A character whose moves have every virtual overridden, and a run that passes every virtual and every signal of an
## ActionGraphPlayer once at least. Each writes a word, so that a test can do something there.

## What is written by the run.
const PLACES: PackedStringArray = [
	"gate", "condition", "can_pay", "can_start", "pay", "execute", "enter", "started", "tick", "marker", "marker_reached",
	"buffered", "window_opened", "window_closed", "exit", "stop", "ended", "dropped", "failed", "cancelled", "reset",
	"event_sent", "sequence_ended", "cooldown_started", "cooldown_expired", "locomotion", "graph_changed", "state_imported",
	"replay_diverged", "replay_ended", "preload", "set_locomotion",
]
## Places inside a question, that is in the middle of a decision.
const QUESTIONS: PackedStringArray = ["gate", "condition", "can_pay", "can_start"]


class Payload:
	extends ActionPayload
	@export var mind: Resource = null
	@export var animation: StringName = &""
	@export var startable: bool = true

	func _can_start(_run: ActionRun) -> bool:
		mind.call(&"write", "can_start")
		return startable and mind.call(&"says")

	func _execute(run: ActionRun) -> bool:
		mind.call(&"write", "execute")
		return run.play_animation(animation)

	func _stop(_run: ActionRun, _reason: int) -> void:
		mind.call(&"write", "stop")

	func _get_preload_paths() -> PackedStringArray:
		mind.call(&"write", "preload")
		return []


class Body:
	extends Node3D
	var mind: Resource = null

	func _set_locomotion_scale(_speed: float, _acceleration: float, _turn: float) -> void:
		mind.call(&"write", "set_locomotion")


class Hook:
	extends ActionGraphHook
	@export var mind: Resource = null

	func _enter(run: ActionRun) -> void:
		mind.call(&"entered", run)

	func _exit(run: ActionRun, _reason: int) -> void:
		mind.call(&"left", run)

	func _tick(_run: ActionRun, _delta: float) -> void:
		mind.call(&"write", "tick")

	func _marker(_run: ActionRun, _name: StringName) -> void:
		mind.call(&"write", "marker")


class Condition:
	extends TransitionCondition
	@export var mind: Resource = null

	func _evaluate(_run: ActionRun) -> bool:
		mind.call(&"write", "condition")
		return mind.call(&"says")


class Cost:
	extends ActionCost
	@export var mind: Resource = null

	func _can_pay(_run: ActionRun) -> bool:
		mind.call(&"write", "can_pay")
		return mind.call(&"says")

	func _pay(_run: ActionRun) -> void:
		mind.call(&"write", "pay")


class Gate:
	extends ActionGate
	@export var mind: Resource = null

	func _passes_gate(_context: DecisionContext) -> bool:
		mind.call(&"write", "gate")
		return mind.call(&"says")


## What all of them share: the log, and what is to be done at which word.
class Mind:
	extends Resource
	var words: PackedStringArray = []
	## Word -> Callable, called once.
	var reactions: Dictionary[String, Callable] = {}
	## Called at every word.
	var always: Callable = Callable()
	## What answers of scripts go by; null: all say yes.
	var whims: RandomNumberGenerator = null
	## A move was told to start, and not to end.
	var runs: bool = false
	## Moves that were told to start.
	var starts: int = 0
	## run id -> 1 entered, 0 left again.
	var open: Dictionary[int, int] = {}
	var faults: PackedStringArray = []

	func write(word: String) -> void:
		words.append(word)
		if reactions.has(word):
			var reaction: Callable = reactions[word]
			reactions.erase(word)
			reaction.call()
		if always.is_valid():
			always.call(word)

	func says() -> bool:
		return whims == null or whims.randi_range(0, 3) > 0

	## One end for each start, and no start before the end of the one before.
	func told(starting: bool, node: StringName) -> void:
		if runs == starting:
			faults.append("%s is told to %s twice" % [node, "start" if starting else "end"])
		runs = starting
		starts += 1 if starting else 0

	func entered(run: ActionRun) -> void:
		if open.has(run.run_id) and not run.restored:
			faults.append("run %d is entered twice" % run.run_id)
		open[run.run_id] = 1
		write("enter")

	func left(run: ActionRun) -> void:
		# One of a saved state has entered long ago.
		if open.get(run.run_id, 0) != 1 and not run.restored:
			faults.append("run %d is left and was not entered" % run.run_id)
		open[run.run_id] = 0
		write("exit")


var case: TestCase
var agent: Node3D
var player: ActionGraphPlayer
var tags: TagContainer
var graph: ActionGraph
var other: ActionGraph
var mind: Mind = Mind.new()

var _records: bool = false


func _init(owner: TestCase) -> void:
	case = owner
	var body: Body = Body.new()
	body.mind = mind
	agent = body
	agent.name = "Hero"
	tags = TagContainer.new()
	agent.add_child(tags)
	var mixer: AnimationPlayer = AnimationPlayer.new()
	var library: AnimationLibrary = AnimationLibrary.new()
	for id: String in ["l1", "l2", "dodge"]:
		var animation: Animation = Animation.new()
		animation.length = 1.0
		animation.add_marker(&"swing", 0.1)
		animation.add_marker(&"action_window", 0.4)
		animation.add_marker(&"action_window_end", 0.8)
		library.add_animation(id, animation)
	mixer.add_animation_library(&"", library)
	agent.add_child(mixer)
	graph = _graph()
	other = ActionGraph.new()
	other.add_node(&"wait", DelayPayload.new())
	other.add_transition(&"root", &"wait", &"LA")
	player = ActionGraphPlayer.new()
	player.name = "Moves"
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	player.default_graph = graph
	agent.add_child(player)
	case.add_child(agent)
	_connect()


func _graph() -> ActionGraph:
	var made: ActionGraph = ActionGraph.new()
	made.late_input_grace = 0.0
	for id: String in ["L1", "L2", "DODGE"]:
		var payload: Payload = Payload.new()
		payload.mind = mind
		payload.animation = id.to_lower()
		var node: ActionGraphNode = made.add_node(id, payload)
		var hook: Hook = Hook.new()
		hook.mind = mind
		hook.tick = true
		hook.finishes_node = true
		var slow: LocomotionModifierHook = LocomotionModifierHook.new()
		slow.speed_scale = 0.5
		node.hooks = [hook, slow] if id != "DODGE" else [hook]
		var cost: Cost = Cost.new()
		cost.mind = mind
		node.costs = [cost]
		var gate: Gate = Gate.new()
		gate.mind = mind
		node.gates = [gate]
		var cooldown: ActionCooldown = ActionCooldown.new()
		cooldown.seconds = 0.2
		cooldown.charges = 3
		node.cooldown = cooldown
		node.can_be_cancelled = true
		node.applied_tags = ["Move." + id]
	var never: Payload = Payload.new()
	never.mind = mind
	never.startable = false
	made.add_node(&"HEAVY", never)
	var event: TriggerPayload = TriggerPayload.new()
	event.event_tag = &"Event.Boom"
	made.add_node(&"EVENT", event)
	made.add_transition(&"root", &"L1", &"LA")
	made.add_transition(&"root", &"DODGE", &"DG")
	made.add_transition(&"root", &"HEAVY", &"HV")
	made.add_transition(&"root", &"EVENT", &"EV")
	var condition: Condition = Condition.new()
	condition.mind = mind
	made.add_transition(&"L1", &"L2", &"LA").conditions = [condition]
	return made


func _connect() -> void:
	player.action_started.connect(_on_started)
	player.action_ended.connect(_on_ended)
	player.state_imported.connect(_on_imported)
	var told: Dictionary[String, Signal] = {
		"window_opened": player.window_opened,
		"window_closed": player.window_closed,
		"marker_reached": player.marker_reached,
		"buffered": player.input_buffered,
		"dropped": player.input_dropped,
		"failed": player.action_failed,
		"cancelled": player.action_cancelled,
		"reset": player.graph_reset,
		"event_sent": player.event_sent,
		"sequence_ended": player.sequence_ended,
		"cooldown_started": player.cooldown_started,
		"cooldown_expired": player.cooldown_expired,
		"locomotion": player.locomotion_scale_changed,
		"graph_changed": player.graph_changed,
		"state_imported": player.state_imported,
		"replay_diverged": player.replay_diverged,
		"replay_ended": player.replay_ended,
	}
	var shared: Mind = mind
	for word: String in told:
		var count: int = 0
		for info: Dictionary in player.get_signal_list():
			if info["name"] == told[word].get_name():
				count = (info["args"] as Array).size()
		told[word].connect((func() -> void: shared.write(word)).unbind(count) if count > 0 else (func() -> void: shared.write(word)))


func _on_started(node: StringName, _run: ActionRun) -> void:
	mind.told(true, node)
	mind.write("started")


func _on_ended(node: StringName, _reason: int) -> void:
	mind.told(false, node)
	mind.write("ended")


## What runs now was not told to start, and what ran before not to end.
func _on_imported() -> void:
	mind.runs = player.is_action_running()


## Passes every place. Stops when the player is gone.
func run() -> void:
	var steps: PackedStringArray = [
		"LA", "0.15", "LA", "0.3", "XX", "1.2", "HV", "LA", "0.2", "DG", "1.0", "EV", "0.5", "queue", "0.5", "other", "save",
		"0.1", "back", "0.1", "record", "0.1", "LA", "0.1", "replay", "0.1", "0.1", "0.1",
	]
	for step: String in steps:
		if not is_instance_valid(player) or not player.is_inside_tree():
			return
		match step:
			"queue":
				player.queue_input_sequence(["LA", "XX"])
			"other":
				player.set_graph(other, &"other")
			"back":
				player.clear_graph(&"other")
			"save":
				player.import_state(player.export_state())
			"record":
				_records = player.get_graph() != null and player.start_recording()
			"replay":
				_replay()
			_:
				if step.is_valid_float():
					player.advance(step.to_float())
				else:
					player.process_input(step)


## Plays what was recorded, as if it had gone another way at first.
func _replay() -> void:
	if not _records:
		return
	var replay: ActionReplay = player.stop_recording()
	if player.get_graph() == null:
		return
	var ticks: Array = replay.ticks.duplicate(true)
	(ticks[0] as Dictionary)["node"] = "elsewhere"
	replay.ticks = ticks
	player.play_replay(replay)


## Lets everything end, and tries whether the player still plays.
func settle(what: String) -> void:
	mind.reactions.clear()
	mind.always = Callable()
	if not is_instance_valid(player) or not player.is_inside_tree():
		return
	player.unfreeze()
	player.time_scale = 1.0
	player.action_speed = 1.0
	for tag: String in tags.get_tags():
		if tag.begins_with("State.ActionsBlocked"):
			tags.remove_tag(tag, tags.get_tag_count(tag))
	# A replay ends with its last tick.
	for i: int in 5:
		player.advance(0.1)
	player.cancel_input_sequence()
	player.clear_buffer()
	player.advance(0.1)
	player.interrupt_for_external()
	player.advance(0.1)
	case.check(not player.is_action_running(), "at rest, " + what)
	balance(what)
	player.set_graph(other, &"fresh")
	case.eq(player.process_input(&"LA"), ActionGraphPlayer.INPUT_ENTERED, "plays on, " + what)
	player.advance(1.0)
	case.eq(player.get_current_node(), &"root", "and comes back, " + what)
	case.check(not tags.has_tag(&"State.ActionRunning"), "tags are given back, " + what)
	case.eq(Array(tags.get_tags()).filter(func(tag: String) -> bool: return tag.begins_with("Move.")), [], "tags of moves, " + what)


## An end for each start, and no run is left twice.
func balance(what: String) -> void:
	case.check(not mind.runs, "the last move is told to end, " + what)
	case.eq(mind.faults, PackedStringArray(), "runs, " + what)
	case.eq(mind.open.values().count(1), 0, "runs that are entered and not left, " + what)
