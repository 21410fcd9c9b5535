extends RefCounted
## One agent with an ActionEvaluator and a ReactionEvaluator, both on MANUAL, and what their signals say.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const HIT: StringName = &"Event.Hit"

var acting: Rig
var agent: Node3D
var brain: ActionEvaluator
var reactions: ReactionEvaluator
var moves: ReactionSet = ReactionSet.new()
var lines: PackedStringArray = []


func _init(owner: Node, specs: Array[ReactionSpec], actions: Array[ActionSpec] = [Rig.spec(&"Jab")], evaluator: ReactionEvaluator = null) -> void:
	acting = Rig.new(owner, actions)
	agent = acting.agent
	brain = acting.brain
	reactions = evaluator if evaluator != null else ReactionEvaluator.new()
	reactions.name = "Reactions"
	reactions.process_callback = ReactionEvaluator.PROCESS_MANUAL
	reactions.random_seed = Rig.SEED
	moves.reactions = specs
	reactions.default_reaction_set = moves
	agent.add_child(reactions)
	_listen()


## A reaction whose scripted method runs until it is told to end, without cooldown spread and tags.
static func reaction(id: StringName = &"Parry", trigger: String = "Event.Hit", finish_in_tick: int = -1) -> ReactionSpec:
	var made: ReactionSpec = ReactionSpec.new()
	made.reaction_id = id
	made.trigger_tags = PackedStringArray([trigger])
	made.cooldown_randomization = 0.0
	made.add_tags = PackedStringArray()
	var method: Doubles.Method = Doubles.Method.new()
	method.finish_in_tick = finish_in_tick
	made.execution_method = method
	return made


## As `reaction`, with a delay.
static func delayed(seconds: float, id: StringName = &"Parry", trigger: String = "Event.Hit") -> ReactionSpec:
	var made: ReactionSpec = reaction(id, trigger)
	made.delay = seconds
	made.delay_randomization = 0.0
	return made


static func set_of(ids: Array) -> ReactionSet:
	var made: ReactionSet = ReactionSet.new()
	var specs: Array[ReactionSpec] = []
	for id: StringName in ids:
		specs.append(reaction(id))
	made.reactions = specs
	return made


## What the signals said since the last time.
func took() -> String:
	var said: String = ", ".join(lines)
	lines.clear()
	return said


## The refusal of each candidate of the last event, in the order of the set.
func refusals() -> Array:
	return reactions.get_last_decision().get_candidates().map(func(row: Dictionary) -> int: return row.refusal)


func step(count: int = 1, delta: float = 0.1) -> void:
	for n: int in count:
		reactions.advance(delta)


func _listen() -> void:
	brain.action_ended.connect(func(id: StringName, reason: int, _run: int) -> void: lines.append("action %s %d" % [id, reason]))
	reactions.reaction_started.connect(func(id: StringName, _target: Node, _run: int) -> void: lines.append("start %s" % id))
	reactions.reaction_ended.connect(func(id: StringName, reason: int, _run: int) -> void: lines.append("end %s %d" % [id, reason]))
	reactions.reaction_pending.connect(func(id: StringName, delay: float) -> void: lines.append("wait %s %.2f" % [id, delay]))
	reactions.reaction_refused.connect(func(tag: StringName) -> void: lines.append("ignored %s" % tag))
