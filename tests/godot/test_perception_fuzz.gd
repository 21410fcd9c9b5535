extends TestCase
## Perceivers and sources that are changed at random, also from every handler; what must hold holds all the same.

const Rig := preload("res://support/perception_rig.gd")
const PERCEIVERS: int = 3
const SOURCES: int = 6

var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _rigs: Array[Rig] = []
var _agents: Array[Node3D] = []
## Perceivers and agents stand under two nodes, so that they can be moved from one to the other.
var _fields: Array[Node3D] = []
## What each perceiver was told to know: [rig number, target id] -> true while it is seen.
var _known: Dictionary = {}
var _events: int = 0
var _depth: int = 0
var _complaints: PackedStringArray = []


func test_random_changes() -> void:
	for i: int in 2:
		_fields.append(add(Node3D.new()))
	for seed_number: int in 12:
		_random.seed = seed_number
		_play(300)
	eq(_complaints.slice(0, 4), PackedStringArray(), "complaints")
	check(_events > 1500, "many events: %d" % _events)


func _play(steps: int) -> void:
	_known.clear()
	for i: int in PERCEIVERS:
		var rig: Rig = Rig.new(self)
		rig.guard.reparent(_field())
		rig.eye.forget_time = 0.4
		rig.eye.sight_fov_degrees = 270.0
		rig.reaction = _on_raised.bind(i)
		_rigs.append(rig)
	for i: int in SOURCES:
		_spawn()
	for step: int in steps:
		if _random.randf() < 0.7:
			_act()
		for i: int in PERCEIVERS:
			if is_instance_valid(_rigs[i].eye) and _rigs[i].eye.is_inside_tree():
				_rigs[i].advance()
				_compare(i)
	for agent: Node3D in _agents:
		agent.free()
	_agents.clear()
	for i: int in PERCEIVERS:
		_rigs[i].reaction = _book.bind(i)
		_rigs[i].eye.enabled = true
		_rigs[i].advance(2)
		eq(_rigs[i].eye.get_perceived_targets().size(), 0, "nothing is known when all are gone")
		check(_known.keys().all(func(key: Array) -> bool: return key[0] != i), "every record had its end")
		_rigs[i].reaction = Callable()
		_rigs[i].guard.free()
	_rigs.clear()


## The list of the perceiver holds what its signals said, less what is gone meanwhile.
func _compare(number: int) -> void:
	for target: Node3D in _rigs[number].eye.get_perceived_targets():
		if not is_instance_valid(target):
			_complaints.append("a freed target is listed")
		elif not _known.has([number, target.get_instance_id()]):
			_complaints.append("listed, but not perceived: %s" % target)


func _on_raised(entry: Rig.Raised, number: int) -> void:
	_book(entry, number)
	if _depth < 2 and _random.randf() < 0.2:
		_depth += 1
		_act()
		_depth -= 1


func _book(entry: Rig.Raised, number: int) -> void:
	_events += 1
	var key: Array = [number, entry.target_id]
	match entry.kind:
		&"target_perceived":
			if _known.has(key):
				_complaints.append("perceived twice")
			_known[key] = false
		&"target_lost":
			if not _known.erase(key):
				_complaints.append("lost, but not perceived (reason %d)" % entry.reason)
		&"target_sight_gained":
			if not _known.has(key) or _known[key]:
				_complaints.append("sight gained of what was %s" % ("not perceived" if not _known.has(key) else "seen already"))
			_known[key] = true
		&"target_sight_lost":
			if not _known.get(key, false):
				_complaints.append("sight lost of what was not seen")
			_known[key] = false


## One random thing that a game might do.
func _act() -> void:
	var rig: Rig = _rigs[_random.randi() % _rigs.size()]
	var at: int = _random.randi() % _agents.size()
	var agent: Node3D = _agents[at]
	var made: StimulusSource3D = agent.get_child(0)
	match _random.randi() % 12:
		0, 1, 2:
			agent.position = _spot()
		3:
			agent.free()
			_agents.remove_at(at)
			_spawn()
		4:
			made.enabled = not made.enabled
		5:
			rig.eye.enabled = not rig.eye.enabled
		6:
			agent.reparent(_field())
		7:
			rig.guard.reparent(_field())
		8:
			made.report_noise(_random.randf() * 2.0)
			PerceptionServer.report_damage(rig.guard, agent, Vector3.ZERO, 1.0)
		9:
			if _random.randf() < 0.5:
				rig.eye.forget_all()
			else:
				rig.eye.forget_target(agent)
		10:
			rig.eye.sight_enabled = not rig.eye.sight_enabled
			rig.eye.detectable_tags = ["Team.Red"] if _random.randf() < 0.3 else []
		11:
			made.affiliation_tags = ["Team.Red"] if _random.randf() < 0.5 else ["Team.Blue"]


func _spawn() -> void:
	_agents.append(Rig.agent_of(Rig.add_source(_field(), _spot(), ["Team.Red"])))


func _field() -> Node3D:
	return _fields[_random.randi() % _fields.size()]


func _spot() -> Vector3:
	return Vector3(_random.randf_range(-25, 25), 0, _random.randf_range(-25, 25))
