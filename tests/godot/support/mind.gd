extends "res://support/field.gd"
## A field whose perceiver has an AgentAwareness that takes everyone for hostile, and a list of what that raised.
##
## The project's pixels per metre are those of the field, so that the profile's metres are the field's too.


## One signal of the awareness.
class Note:
	extends RefCounted
	var kind: StringName = &""
	var tick: int = -1
	var target: Node = null
	var before: Variant = null
	var after: Variant = null
	var reason: int = -1

	func text() -> String:
		return "%s %s > %s (tick %d)" % [kind, before, after, tick]


var awareness: AgentAwareness = AgentAwareness.new()
var profile: AwarenessProfile = AwarenessProfile.new()
var notes: Array[Note] = []
## Called with each note while the signal is raised.
var response: Callable = Callable()


func _init(owner: TestCase, in_2d: bool, body: Node = null) -> void:
	ProjectSettings.set_setting("riposte/2d/pixels_per_meter", PIXELS)
	super(owner, in_2d, body)
	profile.default_relationship = AgentAwareness.RELATION_HOSTILE
	awareness.profile = profile
	awareness.belief_state_changed.connect(_on_state)
	awareness.threat_level_changed.connect(_on_level)
	awareness.highest_threat_changed.connect(_on_highest)
	awareness.attention_changed.connect(_on_attention)
	guard.add_child(awareness)


## One for each dimension.
static func both(owner: TestCase) -> Array:
	var made: GDScript = load("res://support/mind.gd") as GDScript
	return [made.new(owner, false), made.new(owner, true)]


## A slot whose value is its reading at once, without hold or fade.
static func slot(id: StringName, weight: float = 1.0) -> AwarenessSense:
	var made: AwarenessSense = AwarenessSense.new()
	made.sense_id = id
	made.weight = weight
	made.rise_time = 0.0
	made.fall_time = 0.0
	made.hold_time = 0.0
	made.max_confidence = 1.0
	made.far_confidence = 1.0
	return made


## Slots without inertia, so that a belief is what is sensed now.
func sharp() -> void:
	profile.senses = [slot(&"Sight"), slot(&"Hearing"), slot(&"Damage"), slot(&"Smell")]
	profile.update_interval = 0.0


## A report of the custom sense of [method sharp].
func smell(target: Node, strength: float, id: StringName = &"Smell") -> void:
	PerceptionServer.report_stimulus(eye, target, id, strength)


## The configuration warnings of an awareness; a hidden class of the debug build asks for them, elsewhere there are none.
static func warnings(of: AgentAwareness) -> PackedStringArray:
	if not ClassDB.class_exists(&"RiposteProbe"):
		return ["", "", "", ""]
	return ClassDB.instantiate(&"RiposteProbe").call(&"awareness_warnings", of)


func state(target: Node) -> int:
	return awareness.get_state(target)


func confidence(target: Node) -> float:
	return awareness.get_confidence(target)


## The state changes: [before, after, tick].
func states() -> Array:
	return changes(&"state")


func changes(kind: StringName) -> Array:
	return noted(kind).map(func(note: Note) -> Array: return [note.before, note.after, note.tick])


func noted(kind: StringName) -> Array[Note]:
	return notes.filter(func(note: Note) -> bool: return note.kind == kind)


## The attention changes: [previous, current, reason, tick].
func turns() -> Array:
	return noted(&"attention").map(func(note: Note) -> Array: return [note.before, note.after, note.reason, note.tick])


func _release() -> void:
	super()
	response = Callable()


func _on_state(belief: AwarenessRecord, previous: int) -> void:
	_note(&"state", belief.target, previous, belief.state, -1)


func _on_level(belief: AwarenessRecord, previous: int) -> void:
	_note(&"level", belief.target, previous, belief.threat_level, -1)


func _on_highest(level: int, previous: int) -> void:
	_note(&"highest", null, previous, level, -1)


func _on_attention(previous: Node, current: Node, reason: int) -> void:
	_note(&"attention", current, previous, current, reason)


func _note(kind: StringName, target: Node, before: Variant, after: Variant, reason: int) -> void:
	var note: Note = Note.new()
	note.kind = kind
	note.tick = tick
	note.target = target
	note.before = before
	note.after = after
	note.reason = reason
	notes.append(note)
	if response.is_valid():
		response.call(note)
