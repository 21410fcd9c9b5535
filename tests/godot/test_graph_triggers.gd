extends TestCase
## Payloads that start abilities: by an event and by tag.

const Rig := preload("res://support/moves_rig.gd")

var rig: Rig


class Strike:
	extends GameplayAbility

	static var contexts: Array[ActionContext] = []
	static var ends: Array[int] = []
	@export var at_once := false
	@export var accepts := true

	func _can_activate(_context: ActionContext) -> bool:
		return accepts

	func _activate(context: ActionContext) -> void:
		contexts.append(context)
		if at_once:
			end_ability(true)

	func _end(reason: int) -> void:
		ends.append(reason)


func _payload(payload: Resource) -> void:
	rig = Rig.new(self)
	rig.graph.add_node(&"first", payload)
	var next := DelayPayload.new()
	next.delay_seconds = 0.5
	rig.graph.add_node(&"second", next)
	rig.wire(&"root", &"first", &"Input.Light")
	rig.wire(&"first", &"second", &"Input.Light")


func _strike(tag: String, at_once: bool = false) -> Strike:
	var made := Strike.new()
	made.ability_tags = [tag]
	made.trigger_tags = ["Event.Strike"]
	made.at_once = at_once
	return made


func _system(abilities: Array[GameplayAbility]) -> AbilitySystem:
	Strike.contexts.clear()
	Strike.ends.clear()
	var system := AbilitySystem.new()
	system.process_callback = AbilitySystem.PROCESS_MANUAL
	system.initial_abilities = abilities
	rig.agent.add_child(system)
	return system


func _event(ends: bool = true) -> TriggerPayload:
	var made := TriggerPayload.new()
	made.event_tag = &"Event.Strike"
	made.event_magnitude = 2.5
	made.end_immediately = ends
	return made


func test_trigger_sends_an_event() -> void:
	var payload := _event()
	var object := Resource.new()
	payload.optional_object = object
	_payload(payload)
	_system([_strike("Attack.Heavy")])
	rig.enter()
	var target := add(Node3D.new())
	rig.moves.set_target(target)
	var sent := record(rig.moves.event_sent)
	rig.press(&"Input.Light")
	eq(sent.calls, [[&"Event.Strike", 2.5, object]])
	eq(Strike.contexts.size(), 1, "the ability that the event triggers")
	var context := Strike.contexts[0]
	eq(context.target, target, "its target")
	eq(context.magnitude, 2.5)
	eq(context.optional_object, object)
	eq(context.event_tag, &"Event.Strike")
	eq(rig.path, ["first@0.0", "root@0.0"], "over at once")
	eq(Strike.ends, [], "the ability goes on")


func test_trigger_without_a_system_only_tells() -> void:
	_payload(_event())
	rig.enter()
	var sent := record(rig.moves.event_sent)
	rig.press(&"Input.Light")
	eq(sent.count(), 1)
	eq(rig.path, ["first@0.0", "root@0.0"])


func test_trigger_waits_for_the_first_ability_that_ends() -> void:
	_payload(_event(false))
	var system := _system([_strike("Attack.One"), _strike("Attack.Two")])
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 20)
	eq(rig.node(), &"first", "it waits")
	system.end_ability(system.find_by_tag(&"Attack.Two")[0])
	eq(rig.path, ["first@0.0", "root@2.0"], "in the instant of the end")
	eq(Strike.ends, [0, 2], "the other one is cancelled")


func test_trigger_cancels_what_it_waits_for_when_it_is_left() -> void:
	_payload(_event(false))
	_system([_strike("Attack.One")])
	rig.enter()
	rig.press(&"Input.Light")
	rig.moves.interrupt_for_external()
	eq(Strike.ends, [2])
	eq(rig.node(), &"root")


func test_trigger_whose_ability_ends_in_its_start() -> void:
	_payload(_event(false))
	_system([_strike("Attack.One", true), _strike("Attack.Two")])
	rig.enter()
	rig.press(&"Input.Light")
	eq(rig.path, ["first@0.0", "root@0.0"])


func test_trigger_that_waits_for_nothing_stays() -> void:
	_payload(_event(false))
	_system([])
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(1.0, 10)
	eq(rig.node(), &"first", "until a cancel or a transition")


func test_trigger_whose_system_is_freed() -> void:
	_payload(_event(false))
	var system := _system([_strike("Attack.One")])
	rig.enter()
	rig.press(&"Input.Light")
	system.free()
	rig.step()
	eq(rig.node(), &"root")


func _by_tag(tags: PackedStringArray, ends: bool = true) -> TriggerPayload:
	var made := TriggerPayload.new()
	made.mode = TriggerPayload.TRIGGER_ACTIVATE_BY_TAG
	made.ability_tags = tags
	made.end_immediately = ends
	return made


func test_trigger_activates_by_tag() -> void:
	_payload(_by_tag(["Attack.One", "Shout"]))
	var system := _system([_strike("Attack.One"), _strike("Attack.Two"), _strike("Shout.Loud")])
	rig.enter()
	rig.press(&"Input.Light")
	eq(Strike.contexts.size(), 2, "every ability with any of the tags")
	check(not system.is_active(system.find_by_tag(&"Attack.Two")[0]), "not system.is_active(system.find_by_tag('Attack.Two')[0])")


func test_trigger_with_nothing_to_start_fails() -> void:
	_payload(_by_tag(["Attack.One"]))
	var refusing := _strike("Attack.One")
	refusing.accepts = false
	_system([refusing])
	rig.enter()
	var failed := record(rig.moves.action_failed)
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_DROPPED)
	eq(failed.calls, [[&"first", ActionGraphPlayer.FAIL_PAYLOAD, &"Input.Light"]])
	eq(rig.moves.can_start_node(&"first"), ActionGraphPlayer.FAIL_PAYLOAD)
	eq(rig.path, [], "nothing started")


func test_trigger_by_tag_without_a_system_fails() -> void:
	_payload(_by_tag(["Attack.One"]))
	rig.enter()
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_DROPPED)
