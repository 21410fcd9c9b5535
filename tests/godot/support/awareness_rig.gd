extends RefCounted
## One guard at the origin with a perceiver on MANUAL and an AgentAwareness, targets to put around it, and a list of what
## its awareness raised.

const PerceptionRig := preload("res://support/perception_rig.gd")
const DT: float = 0.1
const KINDS: Array[StringName] = [
	&"belief_state_changed", &"threat_level_changed", &"highest_threat_changed", &"attention_changed",
]


## One signal of the awareness, read while it was raised.
class Raised:
	extends RefCounted
	var kind: StringName = &""
	var tick: int = -1
	var target: Node = null
	var record: AwarenessRecord = null
	var state: int = -1
	var previous: Variant = null
	var current: Variant = null
	var reason: int = -1


var case: TestCase
var senses: PerceptionRig
var guard: Node3D
var eye: Perception3D
var mind: AgentAwareness
var profile: AwarenessProfile
var raised: Array[Raised] = []
## Called with each entry while the signal is raised.
var reaction: Callable = Callable()

## Number of the last tick; the first one is 0.
var tick: int:
	get: return senses.tick


func _init(owner: TestCase, body: Node3D = null, hostile: bool = true) -> void:
	case = owner
	senses = PerceptionRig.new(owner, body)
	guard = senses.guard
	eye = senses.eye
	profile = AwarenessProfile.new()
	if hostile:
		profile.default_relationship = AwarenessProfile.RELATION_HOSTILE
	mind = AgentAwareness.new()
	mind.profile = profile
	guard.add_child(mind)
	mind.belief_state_changed.connect(_on_belief_state_changed)
	mind.threat_level_changed.connect(_on_threat_level_changed)
	mind.highest_threat_changed.connect(_on_highest_threat_changed)
	mind.attention_changed.connect(_on_attention_changed)
	case.tree_exiting.connect(_release)


## The agent of a new source.
func target(at: Vector3, tags: PackedStringArray = PackedStringArray()) -> Node3D:
	return PerceptionRig.agent_of(senses.source(at, tags))


static func source_of(agent: Node) -> StimulusSource3D:
	for child: Node in agent.get_children():
		if child is StimulusSource3D:
			return child
	return null


func advance(count: int = 1, delta: float = DT) -> void:
	senses.advance(count, delta)


func all(kind: StringName) -> Array[Raised]:
	return raised.filter(func(entry: Raised) -> bool: return entry.kind == kind)


func count(kind: StringName) -> int:
	return all(kind).size()


## `[tick, state]` of each change of state.
func states() -> Array:
	return all(&"belief_state_changed").map(func(entry: Raised) -> Array: return [entry.tick, entry.state])


## `[tick, previous, current, reason]` of each change of attention.
func attentions() -> Array:
	return all(&"attention_changed").map(
		func(entry: Raised) -> Array: return [entry.tick, entry.previous, entry.current, entry.reason])


func forget() -> void:
	raised.clear()


func _entry(kind: StringName, record: AwarenessRecord, previous: Variant) -> Raised:
	var made: Raised = Raised.new()
	made.kind = kind
	made.tick = senses.tick
	made.record = record
	made.previous = previous
	if record != null:
		made.target = record.target
		made.state = record.state
	return made


func _add(entry: Raised) -> void:
	raised.append(entry)
	if reaction.is_valid():
		reaction.call(entry)


func _on_belief_state_changed(record: AwarenessRecord, previous_state: int) -> void:
	_add(_entry(&"belief_state_changed", record, previous_state))


func _on_threat_level_changed(record: AwarenessRecord, previous_level: int) -> void:
	_add(_entry(&"threat_level_changed", record, previous_level))


func _on_highest_threat_changed(level: int, previous_level: int) -> void:
	var entry: Raised = _entry(&"highest_threat_changed", null, previous_level)
	entry.current = level
	_add(entry)


func _on_attention_changed(previous: Node, current: Node, reason: int) -> void:
	var entry: Raised = _entry(&"attention_changed", null, previous)
	entry.current = current
	entry.reason = reason
	_add(entry)


func _release() -> void:
	reaction = Callable()
