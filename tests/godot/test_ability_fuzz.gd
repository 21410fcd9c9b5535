extends TestCase
## Random calls, also from inside of virtuals and signals: every start has one end, tags are back at zero.

const Rig := preload("res://support/ability_rig.gd")
const LABELS: Array[String] = ["A", "B", "C", "D"]
const PLACES: Array[String] = ["received", "can", "activated", "activate", "end", "ended", "granted", "revoked", "refused"]
const STEPS: int = 20000

var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _abilities: Array[Rig.Ability] = []
var _rig: Rig = null
var _started: Dictionary = {}
var _ended: Dictionary = {}
var _depth: int = 0


func test_random_calls() -> void:
	limit_seconds = 1000.0
	_random.seed = 7
	_rig = Rig.new(self)
	_rig.system.ability_activated.connect(_on_activated)
	_rig.system.ability_ended.connect(_on_ended)
	for n: int in LABELS.size():
		var made: Rig.Ability = _rig.make(LABELS[n], [0.0, 0.2, 0.5, -1.0][n], ["Attack." + LABELS[n]])
		made.granted_tags = ["State.Busy"]
		made.trigger_tags = ["Hit"]
		made.cancel_tags = ["Attack.A"] if n == 2 else []
		made.cooldown = 0.3 if n == 1 else 0.0
		made.retrigger = n >= 2
		made.diary = self_diary()
		_abilities.append(made)
	for step: int in STEPS:
		_act()
		_rig.step()
		_rig.diary.lines.clear()
		if _rig.tags.get_tag_count(&"State.Busy") != _rig.system.get_active_handles().size():
			fail("step %d: %d tags, %d active" % [step, _rig.tags.get_tag_count(&"State.Busy"), _rig.system.get_active_handles().size()])
			break
	_rig.diary.reactions.clear()
	_rig.system.cancel_abilities()
	check(_ended.size() > 500, "something happened: %d" % _ended.size())
	check(_started.values().all(func(times: int) -> bool: return times == 1), "each start is told once")
	check(_ended.values().all(func(times: int) -> bool: return times == 1), "each end is told once")
	var starts: Array = _started.keys()
	var ends: Array = _ended.keys()
	starts.sort()
	ends.sort()
	check(starts == ends, "one end per start")
	eq(_rig.tags.get_tag_count(&"State.Busy"), 0, "tags")
	eq(_rig.system.get_active_handles().size(), 0, "active")
	_abilities.clear()
	_rig = null


## A diary that misbehaves at random in any line.
func self_diary() -> Resource:
	for label: String in LABELS:
		for place: String in PLACES:
			for more: String in ["", " 0", " 1", " 2", " 4"]:
				_rig.diary.on("%s %s%s" % [place, label, more], _misbehave)
	return _rig.diary


func _misbehave() -> void:
	if _depth < 3 and _random.randf() < 0.08:
		_depth += 1
		_act()
		_depth -= 1


func _act() -> void:
	var system: AbilitySystem = _rig.system
	var handle: int = _handle()
	match _random.randi_range(0, 11):
		0, 1, 2:
			system.activate(handle)
		3:
			system.activate_by_tag(&"Attack")
		4:
			system.send_event(&"Hit.Head")
		5:
			system.cancel_abilities(["Attack.B"] if _random.randf() < 0.5 else [])
		6:
			system.end_ability(handle, _random.randf() < 0.5)
		7:
			system.revoke_ability(handle)
		8, 9, 10:
			_rig.grant(_abilities[_random.randi_range(0, 3)])
		11:
			if _random.randf() < 0.1 and _depth == 0:
				_rig.agent.remove_child(system)
				_rig.agent.add_child(system)


func _handle() -> int:
	var known: PackedInt64Array = _rig.system.find_by_tag(&"Attack")
	return -1 if known.is_empty() else known[_random.randi_range(0, known.size() - 1)]


func _on_activated(_handle_of: int, id: int) -> void:
	# The rig hears it first and may have ended it already.
	_started[id] = int(_started.get(id, 0)) + 1


func _on_ended(_handle_of: int, _reason: int, id: int) -> void:
	_ended[id] = int(_ended.get(id, 0)) + 1
