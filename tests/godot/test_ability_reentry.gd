extends TestCase
## Calls from every virtual and signal of an ability; nodes that go in the middle.

const Rig := preload("res://support/ability_rig.gd")
const PLACES: Array[String] = ["received Dash", "can Dash", "activated Dash", "activate Dash", "tick Dash 0.10", "end Dash 0", "ended Dash 0"]


func _rig() -> Rig:
	var rig: Rig = Rig.new(self)
	var dash: Rig.Ability = rig.make("Dash", 0.2)
	dash.granted_tags = ["State.Dashing"]
	rig.grant(dash)
	rig.diary.take()
	return rig


func _run(rig: Rig) -> void:
	rig.system.activate(1)
	for i: int in 4:
		if is_instance_valid(rig.system):
			rig.step()


func _balanced(rig: Rig, place: String) -> void:
	var ends: int = 0
	for reason: int in 5:
		ends += rig.diary.count("ended Dash %d" % reason)
	eq(ends, rig.diary.count("activated Dash"), "ends, at " + place)
	if is_instance_valid(rig.tags):
		eq(rig.tags.get_tag_count(&"State.Dashing"), 0, "tags, at " + place)


func test_cancel_everywhere() -> void:
	for place: String in PLACES:
		var rig: Rig = _rig()
		rig.diary.once(place, func() -> void: rig.system.cancel_abilities())
		_run(rig)
		_balanced(rig, place)


func test_end_from_the_copy_everywhere() -> void:
	for place: String in PLACES:
		var rig: Rig = _rig()
		rig.diary.once(place, func() -> void: (rig.diary.writer as GameplayAbility).end_ability(false))
		_run(rig)
		_balanced(rig, place)


func test_revoke_everywhere() -> void:
	for place: String in PLACES:
		var rig: Rig = _rig()
		rig.diary.once(place, func() -> void: rig.system.revoke_ability(1))
		_run(rig)
		_balanced(rig, place)
		eq(rig.diary.count("revoked Dash"), 1, "revoked, at " + place)


func test_start_everywhere() -> void:
	for place: String in PLACES:
		var rig: Rig = _rig()
		rig.diary.once(place, func() -> void: rig.system.activate(1))
		_run(rig)
		rig.step(4)
		_balanced(rig, place)


func test_agent_freed_everywhere() -> void:
	for place: String in PLACES:
		var rig: Rig = _rig()
		rig.diary.once(place, func() -> void: rig.agent.queue_free())
		_run(rig)
		await idle()
		_balanced(rig, place)
		check(not is_instance_valid(rig.system), "gone, at " + place)


func test_agent_freed_at_once_everywhere() -> void:
	for place: String in PLACES:
		# Who frees what is telling a signal is told so by the engine.
		if place.begins_with("activated") or place.begins_with("ended"):
			continue
		var rig: Rig = _rig()
		rig.diary.once(place, func() -> void: rig.agent.free())
		_run(rig)
		_balanced(rig, place)
		check(not is_instance_valid(rig.system), "gone, at " + place)


func test_system_taken_out_everywhere() -> void:
	for place: String in PLACES:
		var rig: Rig = _rig()
		rig.diary.once(place, func() -> void: rig.agent.remove_child(rig.system))
		_run(rig)
		_balanced(rig, place)
		rig.agent.add_child(rig.system)
		rig.diary.take()
		check(rig.system.activate(1) > 0, "back, at " + place)
		rig.agent.free()


func test_leaving_the_tree() -> void:
	var rig: Rig = _rig()
	rig.system.activate(1)
	rig.diary.take()
	remove_child(rig.agent)
	eq(rig.diary.take(), "end Dash 2, ended Dash 2", "cancelled")
	expect_error("activated without an agent")
	eq(rig.system.activate(1), 0, "nothing starts")
	add(rig.agent)
	check(rig.system.activate(1) > 0, "starts again")


func test_starts_without_end() -> void:
	var rig: Rig = Rig.new(self)
	var dash: Rig.Ability = rig.make("Dash", 0.0)
	var handle: int = rig.grant(dash)
	expect_error("abilities start each other without end")
	rig.diary.on("ended Dash 0", func() -> void: rig.system.activate(handle))
	check(rig.system.activate(handle) > 0, "the first one started")
	_balanced(rig, "deep")


func test_freed_system_as_argument() -> void:
	var rig: Rig = _rig()
	rig.system.activate(1)
	var copy: GameplayAbility = rig.diary.writer
	rig.agent.free()
	is_null(copy.get_ability_system(), "freed")
	is_null(copy.get_agent(), "freed")
	copy.end_ability()
	check(not copy.is_active(), "over")


func test_nothing_in_a_resting_system_steps() -> void:
	var rig: Rig = _rig()
	rig.system.process_callback = AbilitySystem.PROCESS_PHYSICS
	check(not rig.system.is_physics_processing(), "resting")
	rig.system.activate(1)
	check(rig.system.is_physics_processing(), "running")
	await physics(20)
	check(not rig.system.is_physics_processing(), "resting again")
