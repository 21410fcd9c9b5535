extends RefCounted
## One perceiver on MANUAL at the origin without eye offset, sources to put around it, and a list of what it raised.

const DT: float = 0.1
const KINDS: Array[StringName] = [
	&"target_sight_lost", &"target_lost", &"target_perceived", &"target_sight_gained", &"noise_heard", &"damage_sensed",
]


## One signal of the perceiver, read while it was raised.
class Raised:
	extends RefCounted
	var kind: StringName = &""
	var tick: int = -1
	var perceiver: Node = null
	var target: Node = null
	var target_id: int = -1
	var location: Vector3 = Vector3.INF
	var stimulus_location: Vector3 = Vector3.INF
	var sense: int = -1
	var senses: int = -1
	var strength: float = -1.0
	var tag: StringName = &""
	var reason: int = -1
	var time: float = -1.0

	static func read(named: StringName, event: PerceptionEvent, at_tick: int) -> Raised:
		var entry: Raised = Raised.new()
		entry.kind = named
		entry.tick = at_tick
		entry.perceiver = event.perceiver
		entry.target = event.target
		entry.target_id = event.target_id
		entry.location = event.location
		entry.stimulus_location = event.stimulus_location
		entry.sense = event.sense
		entry.senses = event.senses
		entry.strength = event.strength
		entry.tag = event.tag
		entry.reason = event.reason
		entry.time = event.time
		return entry


var case: Node
var guard: Node3D
var eye: Perception3D
var raised: Array[Raised] = []
## Number of the last tick; the first one is 0.
var tick: int = -1
## Called with each entry while the signal is raised.
var reaction: Callable = Callable()
var _agents: Array = []


func _init(owner: Node, body: Node3D = null) -> void:
	case = owner
	guard = body if body != null else Node3D.new()
	eye = Perception3D.new()
	eye.process_callback = Perception3D.PROCESS_MANUAL
	eye.eye_offset = Vector3.ZERO
	guard.add_child(eye)
	if not guard.is_inside_tree():
		case.add_child(guard)
	for kind: StringName in KINDS:
		eye.connect(kind, _on_raised.bind(kind))
	# A reaction usually captures the rig; the cycle is broken when the test is over.
	case.tree_exiting.connect(_release)


## A source without aim offset on a new agent.
func source(at: Vector3, tags: PackedStringArray = PackedStringArray()) -> StimulusSource3D:
	var made: StimulusSource3D = add_source(case, at, tags)
	_agents.append(agent_of(made))
	return made


## Frees the perceiver and the agents that were made here.
func clear() -> void:
	for node: Variant in _agents + [guard]:
		if is_instance_valid(node):
			(node as Node).free()


static func add_source(parent: Node, at: Vector3, tags: PackedStringArray = PackedStringArray()) -> StimulusSource3D:
	var agent: Node3D = Node3D.new()
	agent.position = at
	var made: StimulusSource3D = StimulusSource3D.new()
	made.sight_target_offset = Vector3.ZERO
	made.affiliation_tags = tags
	agent.add_child(made)
	parent.add_child(agent)
	return made


static func agent_of(component: Node) -> Node3D:
	return component.get_parent() as Node3D


func place(made: StimulusSource3D, at: Vector3) -> void:
	agent_of(made).global_position = at


## The source is put there, then one tick; true if it is seen after it.
func seen_at(made: StimulusSource3D, at: Vector3) -> bool:
	place(made, at)
	advance()
	return sees(made)


func advance(count: int = 1, delta: float = DT) -> void:
	for i: int in count:
		tick += 1
		eye.advance(delta)


func sees(target: Node) -> bool:
	return eye.can_sense(target, PerceptionEvent.SENSE_SIGHT)


func hears(target: Node) -> bool:
	return eye.can_sense(target, PerceptionEvent.SENSE_HEARING)


func kinds() -> PackedStringArray:
	var list: PackedStringArray = []
	for entry: Raised in raised:
		list.append(entry.kind)
	return list


func all(kind: StringName) -> Array[Raised]:
	return raised.filter(func(entry: Raised) -> bool: return entry.kind == kind)


func count(kind: StringName) -> int:
	return all(kind).size()


## The first signal of that kind; a blank one if there is none, so that a test fails and goes on.
func first(kind: StringName) -> Raised:
	for entry: Raised in raised:
		if entry.kind == kind:
			return entry
	return Raised.new()


func ticks_of(kind: StringName) -> PackedInt32Array:
	var list: PackedInt32Array = []
	for entry: Raised in all(kind):
		list.append(entry.tick)
	return list


func forget() -> void:
	raised.clear()


func _release() -> void:
	reaction = Callable()


func _on_raised(event: PerceptionEvent, kind: StringName) -> void:
	var entry: Raised = Raised.read(kind, event, tick)
	raised.append(entry)
	if reaction.is_valid():
		reaction.call(entry)
