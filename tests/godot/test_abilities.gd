extends TestCase
## Abilities: granting, starting, ending, in which order.

const Rig := preload("res://support/ability_rig.gd")


func test_a_start_and_an_end() -> void:
	var rig: Rig = Rig.new(self)
	var dash: Rig.Ability = rig.make("Dash", 0.2)
	dash.granted_tags = ["State.Dashing"]
	var handle: int = rig.grant(dash)
	eq(rig.diary.take(), "granted Dash", "granted")
	check(rig.system.activate(handle) > 0, "activation id")
	eq(rig.diary.take(), "received Dash, can Dash, activated Dash, activate Dash", "start")
	check(rig.system.is_active(handle), "active")
	eq(rig.tags.get_tag_count(&"State.Dashing"), 1, "tag")
	rig.step()
	eq(rig.diary.take(), "tick Dash 0.10", "step")
	rig.step()
	eq(rig.diary.take(), "tick Dash 0.10, end Dash 0, ended Dash 0", "end")
	check(not rig.system.is_active(handle), "not active")
	eq(rig.tags.get_tag_count(&"State.Dashing"), 0, "tag gone")
	eq(dash.numbers, [1], "the definition is untouched")
	eq(dash.ticks, 0, "the definition did not run")


func test_ex_35_e26() -> void:
	var rig: Rig = Rig.new(self)
	for label: String in ["Light", "Heavy", "Shout"]:
		rig.grant(rig.make(label, -1.0, ["Shout"] if label == "Shout" else ["Attack." + label]))
	rig.diary.take()
	eq(rig.system.activate_by_tag(&"Attack"), 2, "started")
	eq(rig.diary.take("activated"), "activated Light, activated Heavy", "in grant order")


func test_ex_35_e27() -> void:
	var rig: Rig = Rig.new(self)
	var flinch: Rig.Ability = rig.make("Flinch", 0.0)
	flinch.trigger_tags = ["Hit"]
	flinch.cooldown = 1.0
	rig.grant(flinch)
	rig.diary.take()
	eq(rig.system.send_event(&"Hit.Head"), 1, "started")
	eq(rig.diary.take("activated activate end ended"), "activated Flinch, activate Flinch, end Flinch 0, ended Flinch 0", "order")
	rig.step(5)
	eq(rig.system.send_event(&"Hit.Head"), 0, "not again")
	eq(rig.diary.take(), "refused Flinch %d" % AbilitySystem.ABILITY_COOLDOWN, "refused")
	rig.step(5)
	eq(rig.system.send_event(&"Hit.Head"), 1, "after the cooldown")


func test_ex_35_e28() -> void:
	var rig: Rig = Rig.new(self)
	var light: int = rig.grant(rig.make("Light", -1.0, ["Attack.Light"]))
	var dodge: Rig.Ability = rig.make("Dodge")
	dodge.cancel_tags = ["Attack"]
	var handle: int = rig.grant(dodge)
	rig.system.activate(light)
	rig.diary.take()
	check(rig.system.activate(handle) > 0, "started")
	eq(rig.diary.take(), "received Dodge, can Dodge, end Light 1, ended Light 1, activated Dodge, activate Dodge", "order")


func test_ex_35_e25() -> void:
	# Two sets: what leaves with a set waits, a script's revoke_ability does not; the counting is the same.
	var rig: Rig = Rig.new(self)
	var dash: Rig.Ability = rig.make("Dash")
	var handle: int = rig.grant(dash)
	eq(rig.grant(dash), handle, "the same handle")
	eq(rig.diary.take(), "granted Dash", "told once")
	check(rig.system.revoke_ability(handle), "one goes")
	eq(rig.diary.take(), "", "still granted")
	not_null(rig.system.get_ability(handle), "ability")
	rig.system.activate(handle)
	rig.diary.take()
	check(rig.system.revoke_ability(handle), "the last one goes")
	eq(rig.diary.take(), "end Dash 2, ended Dash 2, revoked Dash", "cancelled")
	is_null(rig.system.get_ability(handle), "gone")
	check(not rig.system.revoke_ability(handle), "nothing left")
	eq(rig.system.activate(handle), 0, "not granted")
	eq(rig.diary.take(), "refused Dash %d" % AbilitySystem.ABILITY_UNKNOWN, "refused")


func test_refusals() -> void:
	var rig: Rig = Rig.new(self)
	var strike: Rig.Ability = rig.make("Strike")
	strike.required_tags = ["State.Armed"]
	strike.blocked_tags = ["State.Stunned"]
	var handle: int = rig.grant(strike)
	rig.diary.take()
	rig.tags.add_tag(&"State.Stunned.Hard")
	eq(rig.system.activate(handle), 0, "unarmed")
	eq(rig.diary.take(), "refused Strike %d" % AbilitySystem.ABILITY_REQUIRED_TAGS, "unarmed")
	rig.tags.add_tag(&"State.Armed")
	check(not rig.system.can_activate(handle), "stunned")
	eq(rig.system.activate(handle), 0, "stunned")
	eq(rig.diary.take(), "refused Strike %d" % AbilitySystem.ABILITY_BLOCKED_TAGS, "stunned")
	rig.tags.remove_tag(&"State.Stunned.Hard")
	strike.accepts = false
	check(not rig.system.can_activate(handle), "the script says no")
	eq(rig.diary.take(), "can Strike", "asked, and nothing told")
	eq(rig.system.activate(handle), 0, "the script says no")
	eq(rig.diary.take(), "received Strike, can Strike, refused Strike %d" % AbilitySystem.ABILITY_SCRIPT, "script")
	strike.accepts = true
	check(rig.system.can_activate(handle), "can")
	check(rig.system.activate(handle) > 0, "starts")
	rig.diary.take()
	check(not rig.system.can_activate(handle), "runs already")
	eq(rig.system.activate(handle), 0, "runs already")
	eq(rig.diary.take(), "refused Strike %d" % AbilitySystem.ABILITY_ALREADY_ACTIVE, "active")
	eq(rig.system.activate(77), 0, "unknown handle")
	eq(rig.system.get_remaining_cooldown(77), 0.0, "unknown handle")
	check(not rig.system.is_active(77), "unknown handle")
	check(not rig.system.can_activate(77), "unknown handle")
	check(not rig.system.end_ability(77), "unknown handle")
	check(not rig.system.cancel_activation(77), "unknown activation")


func test_wrong_arguments() -> void:
	var rig: Rig = Rig.new(self)
	expect_error("grant_ability() got no GameplayAbility")
	eq(rig.system.grant_ability(null), 0, "null")
	var wrong: Variant = Resource.new()
	eq(rig.system.grant_ability(wrong), 0, "wrong class")
	expect_error("tag \"A..B\" has an empty segment", 3)
	eq(rig.system.activate_by_tag(&"A..B"), 0, "no tag")
	eq(rig.system.send_event(&"A..B"), 0, "no tag")
	eq(rig.system.find_by_tag(&"A..B").size(), 0, "no tag")
	var dash: Rig.Ability = rig.make("Dash")
	expect_warning("cooldown = -1 is read as 0")
	dash.cooldown = -1.0
	expect_warning("cooldown = NaN is refused")
	dash.cooldown = NAN
	eq(dash.cooldown, 0.0, "cooldown")
	expect_warning("advance() got -1 s")
	rig.system.advance(-1.0)
	rig.system.process_callback = AbilitySystem.PROCESS_PHYSICS
	expect_error("advance() works with process_callback PROCESS_MANUAL only")
	rig.system.advance(0.1)


func test_queries_and_ends() -> void:
	var rig: Rig = Rig.new(self)
	var light: int = rig.grant(rig.make("Light", -1.0, ["Attack.Light"]))
	var heavy: int = rig.grant(rig.make("Heavy", -1.0, ["Attack.Heavy"]))
	var shout: int = rig.grant(rig.make("Shout", -1.0, ["Shout"]))
	eq(Array(rig.system.find_by_tag(&"Attack")), [light, heavy], "found")
	var first: int = rig.system.activate_first(&"Attack")
	check(first > 0 and rig.system.is_active(light), "the first")
	check(rig.system.activate_first(&"Attack") > 0 and rig.system.is_active(heavy), "the first that accepts")
	eq(rig.system.activate_first(&"Attack"), 0, "none accepts")
	rig.system.activate(shout)
	eq(Array(rig.system.get_active_handles()), [light, heavy, shout], "active")
	rig.diary.take()
	check(rig.system.cancel_activation(first), "cancelled")
	check(not rig.system.cancel_activation(first), "stale")
	check(rig.system.end_ability(heavy, false), "failed")
	check(not rig.system.end_ability(heavy), "over")
	eq(rig.diary.take("ended"), "ended Light 2, ended Heavy 4", "reasons")
	rig.system.activate_by_tag(&"Attack")
	rig.diary.take()
	eq(rig.system.cancel_abilities(["Attack"]), 2, "by tag")
	eq(rig.system.cancel_abilities(), 1, "all")
	eq(rig.diary.take("ended"), "ended Light 2, ended Heavy 2, ended Shout 2", "reasons")
	rig.tags.add_tag(&"Team.Red")
	eq(Array(rig.system.get_owned_tags()), ["Team.Red"], "owned tags")


func test_retrigger() -> void:
	var rig: Rig = Rig.new(self)
	var channel: Rig.Ability = rig.make("Channel")
	channel.retrigger = true
	var handle: int = rig.grant(channel)
	var first: int = rig.system.activate(handle)
	rig.step(2)
	rig.diary.take()
	var second: int = rig.system.activate(handle)
	check(second > first, "another activation")
	eq(rig.diary.take("can end ended activated activate"), "can Channel, end Channel 1, ended Channel 1, activated Channel, activate Channel", "order")
	rig.step()
	eq(rig.diary.take(), "tick Channel 0.10", "one of them runs")


func test_events() -> void:
	var rig: Rig = Rig.new(self)
	var own: Rig.EventAbility = rig.make_event("Own")
	own.trigger_tags = ["Hit"]
	var plain: Rig.Ability = rig.make("Plain")
	plain.trigger_tags = ["Hit.Head"]
	var other: Rig.Ability = rig.make("Other")
	other.trigger_tags = ["Hit.Leg", "Fall"]
	for ability: Rig.Ability in [own, plain, other]:
		rig.grant(ability)
	rig.diary.take()
	var received: SignalRecord = record(rig.system.event_received)
	var foe: Node3D = add(Node3D.new())
	foe.position = Vector3(0, 0, -4)
	var context: ActionContext = ActionContext.create(foe, 7.0, null, ["Quick"])
	rig.diary.on("event Own Hit.Head", func() -> void:
		var running: GameplayAbility = rig.diary.writer
		var got: ActionContext = running.get_action_context()
		eq([got.target, got.magnitude, got.event_tag, got.instigator], [foe, 7.0, &"Hit.Head", rig.agent], "payload on the first frame")
		near([got.distance, got.direction], [4.0, Vector3(0, 0, -1)], 0.001, "way")
		check(got.has_tag(&"Quick"), "tags")
		check(got != context, "a copy"))
	eq(rig.system.send_event(&"Hit.Head", context), 2, "started")
	eq(rig.diary.take("event activate"), "event Own Hit.Head, activate Plain", "own way, plain way")
	eq(received.count(), 1, "event told")
	eq(received.last()[0], &"Hit.Head", "event told")
	eq(context.event_tag, &"", "what was given is untouched")
	eq(rig.system.send_event(&"Nobody"), 0, "nobody listens")


func test_what_a_copy_knows() -> void:
	var rig: Rig = Rig.new(self)
	var handle: int = rig.grant(rig.make("Dash"))
	var foe: Node3D = add(Node3D.new())
	rig.system.activate(handle, ActionContext.create(foe))
	var copy: GameplayAbility = rig.diary.writer
	eq([copy.get_agent(), copy.get_target(), copy.get_ability_system()], [rig.agent, foe, rig.system], "nodes")
	check(copy.is_active(), "active")
	rig.step(3)
	near(copy.get_elapsed(), 0.3, 0.0001, "elapsed")
	ne(copy, rig.system.get_ability(handle), "private")
	foe.free()
	is_null(copy.get_target(), "freed target")
	rig.system.cancel_abilities()
	check(not copy.is_active(), "over")
	for answer: Variant in [copy.get_agent(), copy.get_target(), copy.get_ability_system(), copy.get_action_context()]:
		is_null(answer, "neutral")
	eq(copy.get_elapsed(), 0.0, "neutral")
	copy.end_ability()
	copy.cancel_ability()
	eq(rig.diary.count("ended Dash 2"), 1, "one end")
	rig.system.get_ability(handle).end_ability()


func test_focus_is_the_target() -> void:
	var rig: Rig = Rig.new(self)
	var brain: ActionEvaluator = ActionEvaluator.new()
	rig.agent.add_child(brain)
	var foe: Node3D = add(Node3D.new())
	brain.set_target(foe)
	rig.system.activate(rig.grant(rig.make("Dash")))
	eq((rig.diary.writer as GameplayAbility).get_target(), foe, "focus")


func test_rotation_lock() -> void:
	var rig: Rig = Rig.new(self)
	var dash: Rig.Ability = rig.make("Dash", 0.2)
	dash.lock_rotation = true
	rig.system.activate(rig.grant(dash))
	eq(rig.tags.get_tag_count(&"State.RotationLocked"), 1, "while it is active")
	rig.step(3)
	eq(rig.tags.get_tag_count(&"State.RotationLocked"), 0, "and not longer")


func test_clock() -> void:
	var rig: Rig = Rig.new(self)
	var dash: Rig.Ability = rig.make("Dash", 0.0)
	dash.cooldown = 1.0
	var handle: int = rig.grant(dash)
	rig.system.activate(handle)
	rig.system.time_scale = 0.0
	rig.step(20)
	near(rig.system.get_remaining_cooldown(handle), 1.0, 0.0001, "stands still")
	rig.system.time_scale = 2.0
	rig.step(2)
	near(rig.system.get_remaining_cooldown(handle), 0.6, 0.0001, "twice as fast")
	dash.cooldown = 9.0
	near(rig.system.get_remaining_cooldown(handle), 0.6, 0.0001, "an edit does not touch what runs")
	rig.step(3)
	check(rig.system.can_activate(handle), "over")
	rig.system.activate(handle)
	near(rig.system.get_remaining_cooldown(handle), 9.0, 0.0001, "the next one is the edited one")


func test_edits_and_initial_abilities() -> void:
	var rig: Rig = Rig.new(self)
	var agent: Node3D = Node3D.new()
	var system: AbilitySystem = AbilitySystem.new()
	system.initial_abilities = [rig.make("A", -1.0, ["Attack"]), null, rig.make("B", -1.0, ["Shout"])]
	agent.add_child(system)
	eq(system.find_by_tag(&"Attack").size(), 0, "not before it is ready")
	add(agent)
	var handles: PackedInt64Array = system.find_by_tag(&"Attack")
	eq(handles.size(), 1, "granted")
	system.get_ability(handles[0]).ability_tags = ["Shout.Loud"]
	eq(system.find_by_tag(&"Attack").size(), 0, "edited")
	eq(system.find_by_tag(&"Shout").size(), 2, "edited")


func test_the_first_tick_comes_in_the_next_frame() -> void:
	# Whoever starts an ability before or after its system steps: the same.
	for first: bool in [true, false]:
		var rig: Rig = Rig.new(self)
		rig.system.process_callback = AbilitySystem.PROCESS_PHYSICS
		var handle: int = rig.grant(rig.make("Dash"))
		var starter: Node = (load("res://support/stepper.gd") as GDScript).new()
		starter.process_physics_priority = -10 if first else 10
		add(starter)
		var seen: Array[float] = []
		starter.does = func() -> void:
			if not rig.system.is_active(handle):
				rig.system.activate(handle)
			seen.append((rig.diary.writer as GameplayAbility).get_elapsed())
		await physics(4)
		starter.queue_free()
		var step: float = 1.0 / Engine.physics_ticks_per_second
		near(seen[0], 0.0, 0.0001, "start")
		near(seen[3], 3.0 * step if not first else 2.0 * step, 0.0001, "three frames later")
		eq(rig.diary.count("tick Dash %.2f" % step), 3, "ticks")
		rig.agent.free()


func test_state() -> void:
	var rig: Rig = Rig.new(self)
	var dash: Rig.Ability = rig.make("Dash", 0.0)
	dash.cooldown = 2.0
	var handle: int = rig.grant(dash)
	var roll: int = rig.grant(rig.make("Roll"))
	rig.system.activate(handle)
	rig.step(5)
	rig.diary.take()
	var state: Dictionary = JSON.parse_string(JSON.stringify(rig.system.export_state()))
	eq(rig.diary.take(), "", "a pure read")
	rig.step(10)
	rig.system.activate(roll)
	rig.diary.take()
	check(rig.system.import_state(state), "imported")
	eq(rig.diary.take(), "end Roll 2, ended Roll 2", "what runs ends")
	near(rig.system.get_remaining_cooldown(handle), 1.5, 0.0001, "cooldown")
	expect_error("import_state() got a state of version 9")
	check(not rig.system.import_state({"version": 9}), "version")
	expect_error("another structure")
	check(not rig.system.import_state({"version": 1, "cooldowns": 3, "granted": []}), "structure")
	near(rig.system.get_remaining_cooldown(handle), 1.5, 0.0001, "unchanged")
	expect_warning("left out \"res://gone.tres\"")
	check(rig.system.import_state({"version": 1, "cooldowns": [["res://gone.tres", 1.0]], "granted": [["res://gone.tres", 1]]}), "unknown names")


func test_warnings() -> void:
	var agent: Node3D = add(Node3D.new())
	var system: AbilitySystem = AbilitySystem.new()
	var dash: GameplayAbility = GameplayAbility.new()
	dash.ability_tags = ["Event.Undeclared.Thing"]
	system.initial_abilities = [dash, null]
	agent.add_child(system)
	if not system.has_method(&"get_configuration_warnings"):
		eq(system.initial_abilities.size(), 2, "this engine tells warnings to the editor only")
		return
	var text: String = "\n".join(system.call(&"get_configuration_warnings") as PackedStringArray)
	has_element(text, "an element is empty", "null element")
	has_element(text, "has no TagContainer", "tags without a container")
	has_element(text, "\"Event.Undeclared.Thing\" is not declared", "undeclared tag")
