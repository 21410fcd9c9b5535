extends RefCounted
## The crowd of the perception soak: perceivers and sources of both dimensions that come, go, move and stop at random,
## and a book that every beginning and end has to balance.

const SIDE: float = 160.0
const PIXELS: float = 20.0

var random: RandomNumberGenerator = RandomNumberGenerator.new()
var case: TestCase
var eyes: Array[Node] = []
var sources: Array[Node] = []
## What went wrong, one line each.
var complaints: PackedStringArray = []
var gains: int = 0
var losses: int = 0
## Ends by LOSS_*.
var reasons: Dictionary = {}
var attention_turns: int = 0
var belief_changes: int = 0
## Records whose perceiver left the tree, which ends them without a word.
var dropped: int = 0
## Targets that were told and are not over, by perceiver: id -> {target id: true}.
var _known: Dictionary[int, Dictionary] = {}
var _levels: Array[Node] = []
var _stage: SubViewport
var _profile: AwarenessProfile = AwarenessProfile.new()


func _init(owner: TestCase, random_seed: int) -> void:
	case = owner
	random.seed = random_seed
	_stage = SubViewport.new()
	_stage.own_world_3d = true
	_stage.world_2d = World2D.new()
	case.add(_stage)
	_levels = [_new_level(), _new_level(), _stage]
	_profile.default_relationship = AgentAwareness.RELATION_HOSTILE
	_profile.expired_retention = 1.0


func chance(probability: float) -> bool:
	return random.randf() < probability


func _new_level() -> Node:
	return case.add(Node.new())


func _level() -> Node:
	return _levels[0 if chance(0.5) else (1 if chance(0.9) else 2)]


func _spot(in_2d: bool) -> Variant:
	var x: float = (random.randf() - 0.5) * SIDE
	var y: float = (random.randf() - 0.5) * SIDE
	return Vector2(x, y) * PIXELS if in_2d else Vector3(x, random.randf(), y)


func _body(in_2d: bool) -> Node:
	var body: Node = Node2D.new() if in_2d else Node3D.new()
	body.set(&"position", _spot(in_2d))
	if in_2d:
		body.set(&"rotation", random.randf() * TAU)
	else:
		body.set(&"rotation", Vector3(0, random.randf() * TAU, 0))
	return body


func spawn_perceiver() -> void:
	var in_2d: bool = chance(0.5)
	var body: Node = _body(in_2d)
	var eye: Node = Perception2D.new() if in_2d else Perception3D.new()
	eye.set(&"forget_time", 0.5 + random.randf())
	eye.set(&"max_perceived_targets", 2 + random.randi() % 15)
	eye.set(&"update_interval", 0.1 + 0.3 * random.randf())
	if chance(0.3):
		eye.set(&"detection_time", random.randf())
	if chance(0.2):
		eye.set(&"detectable_tags", PackedStringArray(["Team.Red"]))
	body.add_child(eye)
	if chance(0.4):
		var mind: AgentAwareness = AgentAwareness.new()
		mind.profile = _profile if chance(0.7) else null
		mind.attention_changed.connect(_on_attention_changed)
		mind.belief_state_changed.connect(_on_belief_state_changed)
		body.add_child(mind)
	if chance(0.3):
		body.add_child(StimulusSource2D.new() if in_2d else StimulusSource3D.new())
	eye.connect(&"target_perceived", _on_perceived.bind(eye.get_instance_id()))
	eye.connect(&"target_lost", _on_lost.bind(eye.get_instance_id()))
	_level().add_child(body)
	eyes.append(eye)


func spawn_source() -> void:
	var in_2d: bool = chance(0.5)
	var body: Node = _body(in_2d)
	var made: Node = StimulusSource2D.new() if in_2d else StimulusSource3D.new()
	if chance(0.5):
		made.set(&"affiliation_tags", PackedStringArray(["Team.Red"]))
	if chance(0.3):
		made.set(&"extra_aim_points", PackedVector2Array([Vector2(8, 0)]) if in_2d else PackedVector3Array([Vector3(0.4, 0, 0)]))
	body.add_child(made)
	_level().add_child(body)
	sources.append(made)


func keep(perceivers: int, targets: int) -> void:
	eyes = eyes.filter(_alive)
	sources = sources.filter(_alive)
	while eyes.size() < perceivers:
		spawn_perceiver()
	while sources.size() < targets:
		spawn_source()


func _alive(node: Variant) -> bool:
	return is_instance_valid(node) and not (node as Node).is_queued_for_deletion() and (node as Node).is_inside_tree() \
		and not (node as Node).get_parent().is_queued_for_deletion()


func _any(list: Array[Node]) -> Node:
	var found: Variant = list[random.randi() % list.size()]
	return found if _alive(found) else null


## One random thing that a game might do.
func act() -> void:
	var source: Node = _any(sources)
	var eye: Node = _any(eyes)
	if source == null or eye == null:
		return
	var body: Node = source.get_parent()
	match random.randi() % 16:
		0, 1, 2, 3:
			body.set(&"position", _spot(body is Node2D))
		4:
			_remove(body)
		5:
			_remove(eye.get_parent())
		6:
			body.reparent(_level(), false)
		7:
			eye.get_parent().reparent(_level(), false)
		8:
			source.set(&"enabled", not source.get(&"enabled"))
		9:
			eye.set(&"enabled", not eye.get(&"enabled"))
		10:
			source.call(&"report_noise", random.randf() * 3.0)
		11:
			_hurt(eye, body)
		12:
			PerceptionServer.report_stimulus(eye, body, &"Smell", random.randf())
		13:
			if chance(0.5):
				eye.call(&"forget_all")
			else:
				eye.call(&"forget_target", body)
		14:
			eye.set(&"sight_enabled", not eye.get(&"sight_enabled"))
		15:
			_change_parts(eye)


func _hurt(eye: Node, body: Node) -> void:
	if eye.get_parent() is Node2D:
		PerceptionServer.report_damage_2d(eye.get_parent(), body, Vector2.ZERO, 3.0)
	else:
		PerceptionServer.report_damage(eye.get_parent(), body, Vector3.ZERO, 3.0)


func _change_parts(eye: Node) -> void:
	for part: Node in eye.get_parent().get_children():
		if part is AgentAwareness:
			(part as AgentAwareness).enabled = not (part as AgentAwareness).enabled
			if chance(0.2):
				part.queue_free()


func _remove(body: Node) -> void:
	match random.randi() % 3:
		0:
			body.free()
		1:
			body.queue_free()
		2:
			body.get_parent().remove_child(body)
			body.queue_free()


## A level goes with all that is in it, as at the change of a scene.
func change_scene() -> void:
	var at: int = random.randi() % 2
	_levels[at].free()
	_levels[at] = _new_level()


## To be called right before a tick: whoever is out of the tree now has lost its records in silence.
func close_books() -> void:
	for eye_id: int in _known.keys():
		var eye: Node = instance_from_id(eye_id) as Node
		if eye == null or not eye.is_inside_tree():
			dropped += _known[eye_id].size()
			_known.erase(eye_id)


func open_records() -> int:
	var sum: int = 0
	for targets: Dictionary in _known.values():
		sum += targets.size()
	return sum


## The records that perceivers really have.
func listed_records() -> int:
	var sum: int = 0
	for eye: Node in eyes:
		if _alive(eye):
			sum += (eye.call(&"get_perceived_targets") as Array).size()
	return sum


func clear() -> void:
	for level: Node in _levels:
		if is_instance_valid(level):
			level.free()


func _on_perceived(event: PerceptionEvent, eye_id: int) -> void:
	gains += 1
	var targets: Dictionary = _known.get_or_add(eye_id, {})
	if targets.has(event.target_id):
		complaints.append("perceived twice")
	targets[event.target_id] = true
	_maybe_act()


func _on_lost(event: PerceptionEvent, eye_id: int) -> void:
	losses += 1
	reasons[event.reason] = int(reasons.get(event.reason, 0)) + 1
	var targets: Dictionary = _known.get(eye_id, {})
	if not targets.erase(event.target_id):
		complaints.append("lost, but not perceived (reason %d)" % event.reason)
	_maybe_act()


func _on_attention_changed(_previous: Node, _current: Node, _reason: int) -> void:
	attention_turns += 1
	_maybe_act()


func _on_belief_state_changed(_belief: AwarenessRecord, _previous: int) -> void:
	belief_changes += 1
	_maybe_act()


## Handlers do what a game does, too. Only `free()` of the node that emits is forbidden by the engine itself.
func _maybe_act() -> void:
	if not chance(0.02):
		return
	var source: Node = _any(sources)
	if source != null:
		match random.randi() % 4:
			0:
				source.get_parent().queue_free()
			1:
				source.get_parent().reparent(_level(), false)
			2:
				source.set(&"enabled", false)
			3:
				spawn_source()
