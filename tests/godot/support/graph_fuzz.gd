extends RefCounted
## Random moves for tests of an ActionGraphPlayer: graphs whose scripted parts speak to a mind, and a character for them.

const Talker := preload("res://support/graph_talker.gd")
const TAGS: Array[StringName] = [&"In.A", &"In.A.Child", &"In.B", &"In.C", &"In.None"]
const KINDS: Array[StringName] = [&"", &"", &"early", &"perfect"]

var random: RandomNumberGenerator = RandomNumberGenerator.new()
## What the scripted parts speak to.
var mind: Talker.Mind = Talker.Mind.new()
var agent: Node3D = Node3D.new()
var tags: TagContainer = TagContainer.new()
var player: ActionGraphPlayer = ActionGraphPlayer.new()


func _init(number: int) -> void:
	random.seed = number


## The character, outside of the tree: vitals, animations and a player on MANUAL.
func build(graph: ActionGraph) -> void:
	agent.add_child(tags)
	var vitals: AgentVitals = AgentVitals.new()
	var stamina: AgentVital = AgentVital.new()
	stamina.tag = &"Vital.Stamina"
	stamina.max_value = 100.0
	stamina.regen_per_second = 20.0
	vitals.vitals = [stamina]
	agent.add_child(vitals)
	var mixer: AnimationPlayer = AnimationPlayer.new()
	var library: AnimationLibrary = AnimationLibrary.new()
	for at: int in 4:
		var animation: Animation = Animation.new()
		animation.length = [0.0, 0.2, 0.5, 1.0][at] as float + 0.1
		animation.add_marker(&"swing", 0.05)
		library.add_animation("move%d" % at, animation)
	mixer.add_animation_library(&"", library)
	agent.add_child(mixer)
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	player.default_graph = graph
	agent.add_child(player)
	player.action_started.connect(func(node: StringName, _run: ActionRun) -> void: mind.told(true, node))
	player.action_ended.connect(func(node: StringName, _reason: int) -> void: mind.told(false, node))


## True once in so many times.
func once_in(count: int) -> bool:
	return random.randi_range(1, count) == 1


## One of them.
func pick(from: Array) -> Variant:
	return from[random.randi_range(0, from.size() - 1)]


## A graph of 2 to 8 moves.
func graph() -> ActionGraph:
	var made: ActionGraph = ActionGraph.new()
	made.default_input_buffer_mode = random.randi_range(0, 2)
	made.late_input_grace = pick([0.0, 0.25])
	made.held_input_restart_window = pick([0.0, 0.1, 0.35])
	made.combo_input_lifetime = pick([0.0, 0.2])
	var count: int = random.randi_range(2, 8)
	var ids: Array[StringName] = [&"root"]
	for at: int in count:
		var id: StringName = "n%d" % at
		ids.append(id)
		fill(made.add_node(id, payload()))
	for from: StringName in ids:
		for i: int in random.randi_range(0, 4):
			wire(made, from, pick(ids) as StringName)
	wire(made, &"root", ids[1])
	return made


## Any payload; null too.
func payload() -> Resource:
	match random.randi_range(0, 5):
		0:
			var delay: DelayPayload = DelayPayload.new()
			delay.delay_seconds = pick([0.0, 0.1, 0.5])
			delay.open_action_window = once_in(2)
			return delay
		1:
			var hold: HoldPayload = HoldPayload.new()
			hold.open_action_window = once_in(2)
			hold.max_seconds = pick([0.0, 0.3])
			return hold
		2:
			return null
		3:
			var scripted: Talker.Payload = Talker.Payload.new()
			scripted.mind = mind
			scripted.animation = "move%d" % random.randi_range(0, 4)
			scripted.startable = not once_in(3)
			return scripted
	var played: PlayAnimationPayload = PlayAnimationPayload.new()
	played.animation = "move%d" % random.randi_range(0, 3)
	var windows: Array[ActionWindow] = []
	for i: int in random.randi_range(0, 2):
		var window: ActionWindow = ActionWindow.new()
		window.start = random.randf_range(0.0, 0.5)
		window.end = window.start + random.randf_range(0.05, 0.3)
		window.kind = pick(KINDS)
		windows.append(window)
	played.windows = windows
	return played


## Any settings of a node.
func fill(node: ActionGraphNode) -> void:
	var hook: Talker.Hook = Talker.Hook.new()
	hook.mind = mind
	hook.tick = once_in(2)
	hook.finishes_node = once_in(2)
	var hooks: Array = [hook]
	if once_in(4):
		hooks.append(LocomotionModifierHook.new())
		(hooks.back() as LocomotionModifierHook).speed_scale = 0.5
	if once_in(6):
		hooks.append(DrainVitalHook.new())
		(hooks.back() as DrainVitalHook).per_second = 60.0
		(hooks.back() as DrainVitalHook).end_behavior = random.randi_range(0, 2)
	if once_in(6):
		hooks.append(CancelOnMovementHook.new())
	node.hooks = hooks
	if once_in(3):
		var cost: VitalCost = VitalCost.new()
		cost.amount = 15.0
		node.costs = [cost]
	if once_in(3):
		var cooldown: ActionCooldown = ActionCooldown.new()
		cooldown.seconds = pick([0.1, 0.5])
		cooldown.charges = random.randi_range(1, 2)
		cooldown.interrupt_refund = pick([0.0, 0.5])
		cooldown.starts = random.randi_range(0, 1)
		node.cooldown = cooldown
	if once_in(4):
		var gate: Talker.Gate = Talker.Gate.new()
		gate.mind = mind
		node.gates = [gate]
	node.when_no_window = random.randi_range(0, 1)
	node.buffer_override = random.randi_range(-1, 2)
	node.retrigger_from_root_on_failed_start = once_in(3)
	node.mash_lock = once_in(4)
	node.can_be_cancelled = once_in(2)
	node.cancel_window_start = pick([0.0, 0.1])
	node.cancel_needs_root_move = not once_in(3)
	node.applied_tags = ["Move.Some"] if once_in(2) else []


## Any transition from one node to the other.
func wire(made: ActionGraph, from: StringName, to: StringName) -> void:
	var fires: int = pick([0, 0, 0, 0, 1, 2, 3, 4])
	var wire: ActionGraphTransition = made.add_transition(from, to, pick(TAGS) as StringName if fires < 3 else &"", fires)
	wire.priority = random.randi_range(-1, 1)
	if fires < 3:
		wire.timing = 1 if once_in(5) else 0
		if once_in(6):
			wire.window_kinds = [pick(["early", "perfect"])]
			wire.accept_buffered = once_in(2)
	if once_in(6):
		var condition: Talker.Condition = Talker.Condition.new()
		condition.mind = mind
		wire.conditions = [condition]
	if once_in(10):
		wire.blocked_tags = ["State.Wet"]
