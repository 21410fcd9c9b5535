extends RefCounted
## A perceiver on MANUAL at the origin and what it may sense, in one dimension, for tests that hold in both.
##
## Places are metres ahead of the perceiver and to its right. In 2D a metre is 20 px here, which makes the default radii
## of both dimensions the same. Node properties are reached by name, because the classes of the dimensions are not related.

const DT: float = 0.1
const PIXELS: float = 20.0
const KINDS: Array[StringName] = [
	&"target_sight_lost", &"target_lost", &"target_perceived", &"target_sight_gained", &"noise_heard", &"damage_sensed",
	&"detection_started", &"detection_aborted",
]


## One signal of a perceiver, read while it was raised.
class Raised:
	extends RefCounted
	var kind: StringName = &""
	var tick: int = -1
	var target: Node = null
	var target_id: int = -1
	var reason: int = -1
	var event: PerceptionEvent = null


var case: TestCase
var planar: bool
var guard: Node
var eye: Node
## What the perceiver raised.
var raised: Array[Raised] = []
## Number of the last tick; the first one is 0.
var tick: int = -1
## Called with each entry while the signal is raised.
var reaction: Callable = Callable()
var _made: Array[Node] = []


func _init(owner: TestCase, in_2d: bool, body: Node = null) -> void:
	case = owner
	planar = in_2d
	guard = body if body != null else agent(0.0)
	eye = perceiver(guard)
	watch(eye)
	# A reaction usually captures this object; the cycle is broken when the test is over.
	case.tree_exiting.connect(_release)


## One field for each dimension.
static func both(owner: TestCase) -> Array:
	var made: GDScript = load("res://support/field.gd") as GDScript
	return [made.new(owner, false), made.new(owner, true)]


## A field whose perceiver stands on a real body.
static func on_a_body(owner: TestCase, in_2d: bool) -> RefCounted:
	var made: GDScript = load("res://support/field.gd") as GDScript
	var body: Node = CharacterBody2D.new() if in_2d else CharacterBody3D.new()
	var field: RefCounted = made.new(owner, in_2d, body)
	field.call(&"box", body, 0.8, 0.8)
	field.call(&"put", body, 0.0)
	return field


## For the message of a check.
func named(what: String) -> String:
	return "%s: %s" % ["2D" if planar else "3D", what]


func place(ahead: float, right: float = 0.0) -> Variant:
	if planar:
		return Vector2(ahead, right) * PIXELS
	return Vector3(right, 0, -ahead)


func length(metres: float) -> float:
	return metres * PIXELS if planar else metres


func zero() -> Variant:
	return place(0.0) if planar else Vector3.ZERO


func new_node() -> Node:
	return Node2D.new() if planar else Node3D.new()


func new_perception() -> Node:
	return Perception2D.new() if planar else Perception3D.new()


func new_source() -> Node:
	return StimulusSource2D.new() if planar else StimulusSource3D.new()


## Any node with a place, put there.
func put(node: Node, ahead: float, right: float = 0.0, parent: Node = case) -> Node:
	node.set(&"position", place(ahead, right))
	parent.add_child(node)
	_made.append(node)
	return node


func agent(ahead: float, right: float = 0.0, parent: Node = case) -> Node:
	return put(new_node(), ahead, right, parent)


## A MANUAL perceiver without eye offset, with these properties before it enters the tree.
func perceiver(body: Node, properties: Dictionary = {}) -> Node:
	var made: Node = new_perception()
	made.set(&"process_callback", PerceptionServer.PROCESS_MANUAL)
	made.set(&"eye_offset", zero())
	for key: StringName in properties:
		made.set(key, properties[key])
	made.name = "Eye"
	body.add_child(made)
	return made


## A source without aim offset on the agent.
func source_of(body: Node) -> Node:
	var made: Node = new_source()
	made.set(&"sight_target_offset", zero())
	made.name = "Source"
	body.add_child(made)
	return made


func source(ahead: float, right: float = 0.0, parent: Node = case) -> Node:
	return source_of(agent(ahead, right, parent))


func agent_of(component: Node) -> Node:
	return component.get_parent()


## Moves the agent of a component.
func move(component: Node, ahead: float, right: float = 0.0) -> void:
	agent_of(component).set(&"global_position", place(ahead, right))


## A static box, `width` across and `depth` along the view.
func wall(ahead: float, right: float = 0.0, width: float = 1.0, depth: float = 0.4, layer: int = 1) -> Node:
	return put(box(StaticBody2D.new() if planar else StaticBody3D.new(), width, depth, layer), ahead, right)


## A body or area with a box shape.
func box(body: Node, width: float, depth: float, layer: int = 1) -> Node:
	body.set(&"collision_layer", layer)
	if planar:
		var flat: RectangleShape2D = RectangleShape2D.new()
		flat.size = Vector2(depth, width) * PIXELS
		var collision: CollisionShape2D = CollisionShape2D.new()
		collision.shape = flat
		body.add_child(collision)
	else:
		var solid: BoxShape3D = BoxShape3D.new()
		solid.size = Vector3(width, 4, depth)
		var collision: CollisionShape3D = CollisionShape3D.new()
		collision.shape = solid
		body.add_child(collision)
	return body


## A character body of 0.4 m, not yet in the tree.
func new_character(layer: int = 1) -> Node:
	return box(CharacterBody2D.new() if planar else CharacterBody3D.new(), 0.8, 0.8, layer)


func noise(ahead: float, right: float = 0.0, loudness: float = 1.0, instigator: Node = null, tag: StringName = &"") -> bool:
	if planar:
		return PerceptionServer.report_noise_2d(place(ahead, right), loudness, instigator, tag)
	return PerceptionServer.report_noise(place(ahead, right), loudness, instigator, tag)


func damage(victim: Node, instigator: Node, amount: float, ahead: float = 0.0, right: float = 0.0) -> bool:
	if planar:
		return PerceptionServer.report_damage_2d(victim, instigator, place(ahead, right), amount)
	return PerceptionServer.report_damage(victim, instigator, place(ahead, right), amount)


func advance(count: int = 1, delta: float = DT) -> void:
	for i: int in count:
		tick += 1
		eye.call(&"advance", delta)


## The source is put there, then one tick; true if it is seen after it.
func seen_at(made: Node, ahead: float, right: float = 0.0) -> bool:
	move(made, ahead, right)
	advance()
	return sees(made)


func sees(target: Node) -> bool:
	return eye.call(&"can_sense", target, PerceptionEvent.SENSE_SIGHT)


func hears(target: Node) -> bool:
	return eye.call(&"can_sense", target, PerceptionEvent.SENSE_HEARING)


## Adds the signals of a perceiver to the list.
func watch(perception: Node) -> void:
	for kind: StringName in KINDS:
		perception.connect(kind, _on_raised.bind(kind))


func location_of(entry: Raised) -> Variant:
	return entry.event.get(&"location_2d" if planar else &"location")


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
	var blank: Raised = Raised.new()
	blank.event = PerceptionEvent.new()
	return blank


func ticks_of(kind: StringName) -> Array[int]:
	var list: Array[int] = []
	for entry: Raised in all(kind):
		list.append(entry.tick)
	return list


func forget() -> void:
	raised.clear()


## Frees what was made here.
func clear() -> void:
	for node: Variant in _made:
		if is_instance_valid(node):
			(node as Node).free()
	_made.clear()


func _release() -> void:
	reaction = Callable()


func _on_raised(event: PerceptionEvent, kind: StringName) -> void:
	var entry: Raised = Raised.new()
	entry.kind = kind
	entry.tick = tick
	entry.target = event.target
	entry.target_id = event.target_id
	entry.reason = event.reason
	entry.event = event
	raised.append(entry)
	if reaction.is_valid():
		reaction.call(entry)
