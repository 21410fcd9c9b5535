extends TestCase
## Sight without walls: radius, cone, hysteresis, the scan interval, the switches.

const Rig := preload("res://support/perception_rig.gd")


func test_ex_10_1() -> void:
	var rig: Rig = Rig.new(self)
	var inside: StimulusSource3D = rig.source(Vector3(0, 0, -20))
	var outside: StimulusSource3D = rig.source(Vector3(0, 0, -20.01))
	rig.advance()
	check(rig.sees(inside), "20 m is within the radius")
	check(not rig.sees(outside), "20.01 m is not")
	eq(rig.ticks_of(&"target_perceived"), PackedInt32Array([0]), "perceived in tick 0")


func test_ex_10_2() -> void:
	var rig: Rig = Rig.new(self)
	var inside: StimulusSource3D = rig.source(Vector3(14, 0, -14))
	var outside: StimulusSource3D = rig.source(Vector3(14.1, 0, -14))
	rig.advance()
	check(rig.sees(inside), "45 degrees is within the cone")
	check(not rig.sees(outside), "45.2 degrees is not")


func test_ex_10_3() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	check(rig.seen_at(made, Vector3(0, 0, -10)), "acquired in front")
	check(rig.seen_at(made, Vector3(0, 0, 10)), "kept behind the back")
	check(rig.seen_at(made, Vector3(0, 0, 25)), "kept at the lose radius")
	check(not rig.seen_at(made, Vector3(0, 0, 25.01)), "lost beyond it")
	eq(rig.eye.get_target_state(made), PerceptionEvent.TARGET_REMEMBERED, "state")
	near(rig.eye.get_time_since_sensed(made), 0.1, 0.0001, "age")


func test_ex_10_4() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	for z: float in [-10.0, 10.0, 25.0, 25.01]:
		rig.seen_at(made, Vector3(0, 0, z))
	eq(rig.count(&"target_perceived"), 1, "perceived by the first sighting")
	rig.forget()
	check(not rig.seen_at(made, Vector3(0, 0, 22)), "inside the lose radius, but it must be acquired again")
	check(not rig.seen_at(made, Vector3(0, 0, -22)), "in front, but beyond the radius")
	check(rig.seen_at(made, Vector3(0, 0, -19)), "acquired again")
	eq(rig.kinds(), PackedStringArray(["target_sight_gained"]), "sight gained once, not perceived again")


func test_ex_10_9() -> void:
	var rig: Rig = Rig.new(self)
	var defaults: Perception3D = Perception3D.new()
	var default_source: StimulusSource3D = StimulusSource3D.new()
	eq(defaults.eye_offset, Vector3(0, 1.6, 0), "default eye offset")
	eq(default_source.sight_target_offset, Vector3(0, 1, 0), "default aim point")
	rig.eye.eye_offset = defaults.eye_offset
	defaults.free()
	default_source.free()
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -1))
	made.sight_target_offset = Vector3(0, 1, 0)
	rig.place(made, Vector3(0, 0, -0.5))
	rig.advance()
	check(not rig.sees(made), "50.19 degrees down is outside the cone")
	check(rig.seen_at(made, Vector3(0, 0, -1)), "30.96 degrees down is inside")

	var close: Rig = Rig.new(self)
	close.eye.eye_offset = Vector3(0, 1.6, 0)
	rig.guard.queue_free()
	rig.place(made, Vector3(0, 0, -0.5))
	close.advance()
	check(not close.sees(made), "not without the automatic radius")
	close.eye.auto_detect_radius = 1.0
	close.advance()
	check(close.sees(made), "inside the automatic radius the cone does not matter")


func test_ex_10_24() -> void:
	eq(_scan_ticks(0.04, 11), PackedInt32Array([0, 3, 5, 8, 10]), "ticks shorter than the interval")
	eq(_scan_ticks(0.25, 5), PackedInt32Array([0, 1, 2, 3, 4]), "ticks longer than the interval: one scan each")


## The ticks in which the perceiver scanned: a target that changes sides before each tick shows each scan.
func _scan_ticks(delta: float, count: int) -> PackedInt32Array:
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 0.1
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var scans: PackedInt32Array = []
	for i: int in count:
		var was_seen: bool = rig.sees(made)
		rig.place(made, Vector3(0, 0, 100) if was_seen else Vector3(0, 0, -5))
		rig.advance(1, delta)
		if rig.sees(made) != was_seen:
			scans.append(i)
	rig.guard.queue_free()
	return scans


func test_ex_10_27() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.use_model_front = true
	var plus_z: StimulusSource3D = rig.source(Vector3(0, 0, 10))
	var minus_z: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	rig.advance()
	check(rig.sees(plus_z), "forward is +Z")
	check(not rig.sees(minus_z), "and -Z is behind")
	near(rig.eye.get_forward().z, 1.0, 0.0001, "get_forward")


func test_ex_10_28() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.eye_offset = Vector3(0, 1.6, 0)
	rig.eye.scale = Vector3(3, 3, 3)
	near(rig.eye.get_eye_position().y, 1.6, 0.0001, "the node's scale does not move the eye")


func test_eye_offset_turns_with_the_node() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.eye_offset = Vector3(0, 1.6, -0.5)
	rig.guard.position = Vector3(4, 0, 0)
	rig.guard.rotation_degrees = Vector3(0, 90, 0)
	near(rig.eye.get_eye_position().distance_to(Vector3(3.5, 1.6, 0)), 0.0, 0.0001, "eye position")
	near(rig.eye.get_forward().distance_to(Vector3(-1, 0, 0)), 0.0, 0.0001, "forward")


func test_lose_radius_below_the_radius_counts_as_the_radius() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.lose_sight_radius = 5.0
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -20))
	check(rig.seen_at(made, Vector3(0, 0, -20)), "acquired")
	check(rig.seen_at(made, Vector3(0, 0, 20)), "kept at 20 m")
	check(not rig.seen_at(made, Vector3(0, 0, 20.01)), "lost beyond")


func test_full_circle_and_zero_cone() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.sight_fov_degrees = 360.0
	var behind: StimulusSource3D = rig.source(Vector3(0, 0, 10))
	rig.advance()
	check(rig.sees(behind), "360 degrees see behind")
	var narrow: Rig = Rig.new(self)
	narrow.eye.sight_fov_degrees = 0.0
	var ahead: StimulusSource3D = narrow.source(Vector3(0, 0, -6))
	var beside: StimulusSource3D = narrow.source(Vector3(0.1, 0, -6))
	narrow.advance()
	check(narrow.sees(ahead), "a cone of 0 degrees sees straight ahead")
	check(not narrow.sees(beside), "and nothing beside it")


func test_sight_is_sticky_between_scans() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 1.0
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	rig.advance()
	rig.place(made, Vector3(0, 0, -200))
	rig.advance(9)
	check(rig.sees(made), "the verdict stays until the next check")
	eq(rig.eye.get_last_known_location(made), Vector3(0, 0, -10), "so does the location")
	near(rig.eye.get_time_since_sensed(made), 0.0, 0.0001, "no age while sensed")
	rig.advance()
	check(not rig.sees(made), "the next check, 1 s later, says otherwise")


func test_scan_now_scans_in_the_next_tick() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 5.0
	rig.advance()
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	rig.advance(3)
	check(not rig.sees(made), "the next scan is far away")
	rig.eye.scan_now()
	check(not rig.sees(made), "nothing happens at the call")
	rig.advance()
	check(rig.sees(made), "but in the tick after it")


func test_zero_interval_scans_every_tick() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 0.0
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	for i: int in 6:
		var want: bool = i % 2 == 0
		rig.place(made, Vector3(0, 0, -10) if want else Vector3(0, 0, -90))
		rig.advance(1, 0.001)
		eq(rig.sees(made), want, "tick %d" % i)


func test_sight_switched_off_and_on() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	rig.advance()
	rig.eye.sight_enabled = false
	rig.advance()
	check(not rig.sees(made), "the bit goes at the next tick")
	eq(rig.eye.get_target_state(made), PerceptionEvent.TARGET_REMEMBERED, "the record stays")
	near(rig.eye.get_time_since_sensed(made), 0.1, 0.0001, "and ages")
	rig.eye.sight_enabled = true
	rig.advance()
	check(rig.sees(made), "seen again")
	eq(rig.count(&"target_perceived"), 1, "perceived once in all")


func test_registered_senses_restrict_sight() -> void:
	var rig: Rig = Rig.new(self)
	var heard_only: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	heard_only.registered_senses = StimulusSource3D.SENSE_HEARING
	var seen_only: StimulusSource3D = rig.source(Vector3(0, 0, -6))
	seen_only.registered_senses = StimulusSource3D.SENSE_SIGHT
	rig.advance()
	check(not rig.sees(heard_only), "without the Sight bit it is not seen")
	check(rig.sees(seen_only), "with it it is")
	heard_only.registered_senses = StimulusSource3D.SENSE_SIGHT | StimulusSource3D.SENSE_HEARING
	rig.advance()
	check(rig.sees(heard_only), "the next check uses the new bits")


func test_events_of_a_sighting() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(1, 0, -10))
	made.sight_target_offset = Vector3(0, 2, 0)
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_perceived", "target_sight_gained"]), "signals")
	var entry: Rig.Raised = rig.first(&"target_perceived")
	check(entry.perceiver == rig.guard, "perceiver is the agent that senses")
	check(entry.target == Rig.agent_of(made), "target is the agent of the source")
	eq(entry.sense, PerceptionEvent.SENSE_SIGHT, "sense")
	eq(entry.senses, PerceptionEvent.SENSE_SIGHT, "senses")
	eq(entry.strength, 0.0, "strength is 0 for sight")
	eq(entry.location, Vector3(1, 0, -10), "location is the source's origin")
	eq(entry.stimulus_location, Vector3(1, 2, -10), "stimulus location is the visible aim point")
	eq(entry.reason, PerceptionEvent.LOSS_NONE, "no loss")
	near(entry.time, 0.1, 0.0001, "time includes this tick's delta")


func test_ticks_without_change_raise_nothing() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	rig.advance()
	rig.forget()
	for i: int in 30:
		rig.place(made, Vector3(0.1 * i, 0, -10))
		rig.advance()
	eq(rig.kinds(), PackedStringArray(), "a target that stays in view")
	eq(rig.eye.get_last_known_location(made), Vector3(0.1 * 29, 0, -10), "is followed")


func test_own_agent_is_never_sensed() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.sight_fov_degrees = 360.0
	var own: StimulusSource3D = StimulusSource3D.new()
	rig.guard.add_child(own)
	var rider: StimulusSource3D = Rig.add_source(rig.guard, Vector3(0, 0, -2))
	var other: StimulusSource3D = rig.source(Vector3(0, 0, -3))
	rig.advance()
	check(not rig.sees(own) and not rig.sees(rider), "neither itself nor an agent below it")
	check(rig.sees(other), "others are seen")


func test_disabled_source_is_not_seen() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	made.enabled = false
	rig.advance()
	check(not rig.eye.has_target(made), "off")
	made.enabled = true
	rig.advance()
	check(rig.sees(made), "on")


func test_hidden_or_stopped_source_is_still_seen() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	Rig.agent_of(made).visible = false
	made.process_mode = Node.PROCESS_MODE_DISABLED
	rig.advance()
	check(rig.sees(made), "visible and process_mode have no influence")


func test_first_enabled_source_of_an_agent_counts() -> void:
	var rig: Rig = Rig.new(self)
	var first: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var second: StimulusSource3D = StimulusSource3D.new()
	Rig.agent_of(first).add_child(second)
	rig.advance()
	eq(rig.eye.get_perceived_targets().size(), 1, "one target")
	rig.forget()
	first.free()
	rig.advance()
	eq(rig.kinds(), PackedStringArray(), "the other takes over, the record continues")
	check(rig.sees(second), "still seen")
