extends RefCounted
## One agent with tags and an AbilitySystem on MANUAL, and a diary of its signals and of its abilities' virtuals.

const Diary := preload("res://support/diary.gd")


## An ability that writes down each call.
class Ability:
	extends GameplayAbility
	@export var diary: Resource = null
	@export var label: String = ""
	## Seconds until it ends itself; 0 in its start, below 0 never.
	@export var lasts: float = -1.0
	@export var succeeds: bool = true
	@export var accepts: bool = true
	@export var numbers: Array = [1]
	var ticks: int = 0

	func _can_activate(_context: ActionContext) -> bool:
		_write("can")
		return accepts

	func _on_context_received(_context: ActionContext) -> void:
		_write("received")

	func _activate(_context: ActionContext) -> void:
		numbers.append(2)
		_write("activate")
		if lasts == 0.0:
			end_ability(succeeds)

	func _tick(delta: float) -> void:
		ticks += 1
		_write("tick", " %.2f" % delta)
		if lasts > 0.0 and get_elapsed() >= lasts - 0.000001:
			end_ability(succeeds)

	func _end(reason: int) -> void:
		_write("end", " %d" % reason)

	func _write(word: String, more: String = "") -> void:
		if diary != null:
			(diary as Diary).writer = self
			(diary as Diary).write("%s %s%s" % [word, label, more])


## The same, with a way of its own to answer events.
class EventAbility:
	extends Ability

	func _activate_from_event(event_tag: StringName, _context: ActionContext) -> void:
		_write("event", " %s" % event_tag)
		if lasts == 0.0:
			end_ability(succeeds)


var case: Node
var agent: Node3D
var tags: TagContainer
var system: AbilitySystem
var diary: Diary = Diary.new()
var names: Dictionary = {}


func _init(owner: Node, body: Node3D = null) -> void:
	case = owner
	agent = body if body != null else Node3D.new()
	agent.name = "Guard"
	tags = TagContainer.new()
	tags.name = "Tags"
	agent.add_child(tags)
	system = AbilitySystem.new()
	system.name = "Abilities"
	system.process_callback = AbilitySystem.PROCESS_MANUAL
	agent.add_child(system)
	if not agent.is_inside_tree():
		case.add_child(agent)
	system.ability_granted.connect(func(handle: int) -> void: _say("granted", handle, ""))
	system.ability_revoked.connect(func(handle: int) -> void: _say("revoked", handle, ""))
	system.ability_activated.connect(func(handle: int, _id: int) -> void: _say("activated", handle, ""))
	system.ability_ended.connect(func(handle: int, reason: int, _id: int) -> void: _say("ended", handle, " %d" % reason))
	system.ability_refused.connect(func(handle: int, why: int) -> void: _say("refused", handle, " %d" % why))
	case.tree_exiting.connect(_release)


## An ability without tags on the agent.
func make(label: String, lasts: float = -1.0, carried: PackedStringArray = []) -> Ability:
	return _fill(Ability.new(), label, lasts, carried)


func make_event(label: String, lasts: float = -1.0) -> EventAbility:
	return _fill(EventAbility.new(), label, lasts, []) as EventAbility


func _fill(made: Ability, label: String, lasts: float, carried: PackedStringArray) -> Ability:
	made.diary = diary
	made.label = label
	made.lasts = lasts
	made.ability_tags = carried
	made.lock_rotation = false
	return made


func grant(ability: Ability) -> int:
	# The name has to be known when the signal comes.
	names[system] = ability.label
	var handle: int = system.grant_ability(ability)
	names[handle] = ability.label
	return handle


func step(count: int = 1, delta: float = 0.1) -> void:
	for i: int in count:
		system.advance(delta)


func _say(word: String, handle: int, more: String) -> void:
	diary.write("%s %s%s" % [word, names.get(handle, names.get(system, "?")), more])


func _release() -> void:
	diary.reactions.clear()
	diary.writer = null
	names.clear()
