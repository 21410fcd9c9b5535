extends TestCase
## Noise and damage.

const Rig := preload("res://support/perception_rig.gd")
const BEHIND: Vector3 = Vector3(0, 0, 300)


func _noise(at: Vector3, loudness: float, by: Node = null) -> bool:
	return PerceptionServer.report_noise(at, loudness, by)


func test_ex_10_7() -> void:
	var rig: Rig = Rig.new(self)
	var soft: StimulusSource3D = rig.source(BEHIND)
	var softer: StimulusSource3D = rig.source(BEHIND)
	var loud: StimulusSource3D = rig.source(BEHIND)
	var mute: StimulusSource3D = rig.source(BEHIND)
	check(_noise(Vector3(0, 0, 7.5), 0.5, soft), "accepted")
	check(_noise(Vector3(0, 0, 7.51), 0.5, softer), "accepted, though nobody will hear it")
	check(_noise(Vector3(0, 0, 45), 3.0, loud), "accepted")
	check(not _noise(Vector3.ZERO, 0.0, mute), "no loudness, no noise")
	rig.advance()
	check(rig.hears(soft), "0.5 at 7.5 m")
	check(not rig.hears(softer), "0.5 at 7.51 m")
	check(rig.hears(loud), "3 at 45 m")
	check(not rig.hears(mute), "0 at 0 m")
	eq(rig.count(&"noise_heard"), 2, "two noises heard")


func test_ex_10_8() -> void:
	var rig: Rig = Rig.new(self)
	var hidden: StimulusSource3D = rig.source(BEHIND)
	rig.advance(4)
	_noise(Vector3(3, 0, 4), 1.0, hidden)
	rig.advance()
	check(rig.hears(hidden), "heard in tick 4")
	rig.advance()
	check(not rig.hears(hidden), "hearing lasts one tick")
	rig.advance(60)
	eq(rig.ticks_of(&"target_lost"), PackedInt32Array([54]), "lost 5 s later")
	eq(rig.first(&"target_lost").location, Vector3(3, 0, 4), "last known location is that of the noise")
	eq(rig.first(&"target_lost").sense, PerceptionEvent.SENSE_HEARING, "last sense")


func test_ex_10_11() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = PackedStringArray(["Team.Blue"])
	var attacker: StimulusSource3D = rig.source(Vector3(0, 0, 300), PackedStringArray(["Team.Red"]))
	check(PerceptionServer.report_damage(rig.guard, Rig.agent_of(attacker), Vector3(0, 1, 0), 25.0), "accepted")
	rig.advance()
	eq(rig.ticks_of(&"target_perceived"), PackedInt32Array([0]), "perceived at once")
	var entry: Rig.Raised = rig.first(&"target_perceived")
	eq(entry.sense, PerceptionEvent.SENSE_DAMAGE, "sense")
	eq(entry.strength, 25.0, "strength is the amount")
	eq(entry.location, Vector3(0, 0, 300), "location is the attacker's origin")
	check(rig.eye.can_sense(attacker, PerceptionEvent.SENSE_DAMAGE), "sensed by damage")
	rig.advance()
	eq(rig.eye.get_senses(attacker), 0, "the bit is gone in the next tick")
	rig.advance(60)
	eq(rig.ticks_of(&"target_lost"), PackedInt32Array([50]), "lost 50 ticks later")


func test_ex_10_30() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	_noise(Vector3(2, 0, 2), 1.0, made)
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_perceived", "target_sight_gained", "noise_heard"]), "signals")
	var entry: Rig.Raised = rig.first(&"target_perceived")
	eq(entry.sense, PerceptionEvent.SENSE_SIGHT, "sight comes first")
	eq(entry.strength, 0.0, "strength of sight")
	eq(entry.senses, 3, "both senses")
	eq(entry.location, Vector3(0, 0, -5), "location is the source's origin")
	eq(rig.first(&"noise_heard").stimulus_location, Vector3(2, 0, 2), "the noise tells its own place")


func test_ex_10_31() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	_noise(Vector3(0, 0, 5), 1.0, made)
	rig.advance()
	check(rig.hears(made), "heard")
	eq(rig.eye.get_last_known_location(made), Vector3(0, 0, -5), "while it is seen only sight moves the record")
	var unseen: StimulusSource3D = rig.source(BEHIND)
	_noise(Vector3(0, 0, 5), 1.0, unseen)
	rig.advance()
	eq(rig.eye.get_last_known_location(unseen), Vector3(0, 0, 5), "a noise moves the record of an unseen one")


func test_ex_10_39() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.sight_fov_degrees = 360.0
	var own: StimulusSource3D = StimulusSource3D.new()
	rig.guard.add_child(own)
	var rider: StimulusSource3D = Rig.add_source(rig.guard, Vector3(0, 0, -2))
	_noise(Vector3(0, 0, 1), 1.0, rig.guard)
	_noise(Vector3(0, 0, 1), 1.0, Rig.agent_of(rider))
	PerceptionServer.report_damage(rig.guard, rig.guard, Vector3.ZERO, 5.0)
	rig.advance(3)
	eq(rig.kinds(), PackedStringArray(), "own noise, own damage, a source on a child agent: nothing")
	eq(rig.eye.get_perceived_targets().size(), 0, "no record")
	var other: StimulusSource3D = rig.source(Vector3(0, 0, -3))
	rig.advance()
	eq(rig.eye.get_perceived_targets(), [Rig.agent_of(other)], "others are sensed")


func test_event_of_a_noise() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(BEHIND)
	PerceptionServer.report_noise(Vector3(0, 0, 4), 2.5, Rig.agent_of(made), &"Noise.Gun")
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_perceived", "noise_heard"]), "signals")
	for kind: StringName in [&"target_perceived", &"noise_heard"]:
		var entry: Rig.Raised = rig.first(kind)
		eq(entry.sense, PerceptionEvent.SENSE_HEARING, "sense of " + kind)
		eq(entry.strength, 2.5, "strength is the loudness as reported")
		eq(entry.tag, &"Noise.Gun", "tag")
		eq(entry.location, Vector3(0, 0, 4), "location")
		check(entry.target == Rig.agent_of(made), "target")


func test_noise_by_a_node_below_the_agent() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(BEHIND)
	var gun: Node3D = Node3D.new()
	Rig.agent_of(made).add_child(gun)
	_noise(Vector3(0, 0, 4), 1.0, gun)
	rig.advance()
	check(rig.hears(made), "the gun belongs to its agent")


func test_source_reports_its_own_noise() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, 6))
	check(made.report_noise(1.0, &"Noise.Step"), "accepted")
	rig.advance()
	check(rig.hears(made), "heard")
	eq(rig.first(&"noise_heard").location, Vector3(0, 0, 6), "at its origin")
	check(not made.report_noise(0.0), "without loudness it is refused")


func test_each_hearer_hears_a_noise_once() -> void:
	var first: Rig = Rig.new(self)
	var second: Rig = Rig.new(self)
	var made: StimulusSource3D = first.source(BEHIND)
	_noise(Vector3(0, 0, 4), 1.0, made)
	first.advance(3)
	second.advance(3)
	eq(first.ticks_of(&"noise_heard"), PackedInt32Array([0]), "the first hearer")
	eq(second.ticks_of(&"noise_heard"), PackedInt32Array([0]), "the second hearer")


func test_perceiver_that_registers_later_does_not_hear_it() -> void:
	var made: StimulusSource3D = Rig.add_source(self, BEHIND)
	var early: Rig = Rig.new(self)
	_noise(Vector3(0, 0, 4), 1.0, made)
	var late: Rig = Rig.new(self)
	early.advance()
	late.advance()
	eq(early.count(&"noise_heard"), 1, "it was there")
	eq(late.count(&"noise_heard"), 0, "it was not")


func test_every_noise_of_a_known_target_is_raised() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(BEHIND)
	_noise(Vector3(0, 0, 4), 1.0, made)
	_noise(Vector3(0, 0, 5), 1.0, made)
	rig.advance()
	eq(rig.count(&"target_perceived"), 1, "one record")
	eq(rig.count(&"noise_heard"), 2, "two noises")
	eq(rig.all(&"noise_heard")[0].stimulus_location, Vector3(0, 0, 4), "in order of arrival")
	eq(rig.eye.get_last_known_location(made), Vector3(0, 0, 5), "the last reported noise counts")


func test_noise_without_a_target() -> void:
	var rig: Rig = Rig.new(self)
	var plain: Node3D = Node3D.new()
	add_child(plain)
	check(_noise(Vector3(0, 0, 4), 1.0, null), "a noise of a place")
	check(_noise(Vector3(0, 0, 3), 1.0, plain), "a noise of something that is no source")
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["noise_heard", "noise_heard"]), "heard, but no record")
	check(rig.first(&"noise_heard").target == null, "without a target")
	eq(rig.first(&"noise_heard").location, Vector3(0, 0, 4), "location is the stimulus")


func test_instigator_freed_before_the_tick() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(BEHIND)
	_noise(Vector3(0, 0, 4), 1.0, made)
	Rig.agent_of(made).free()
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["noise_heard"]), "it becomes a noise of a place")
	check(rig.first(&"noise_heard").target == null, "without a target")


func test_instigator_that_cannot_be_heard() -> void:
	var rig: Rig = Rig.new(self)
	var silent: StimulusSource3D = rig.source(BEHIND)
	silent.registered_senses = StimulusSource3D.SENSE_SIGHT
	var off: StimulusSource3D = rig.source(BEHIND)
	off.enabled = false
	_noise(Vector3(0, 0, 4), 1.0, silent)
	_noise(Vector3(0, 0, 4), 1.0, off)
	rig.advance()
	eq(rig.kinds(), PackedStringArray(), "neither without the Hearing bit nor with a disabled source")
	off.enabled = true
	_noise(Vector3(0, 0, 4), 1.0, silent)
	_noise(Vector3(0, 0, 4), 1.0, off)
	rig.advance()
	eq([rig.hears(silent), rig.hears(off)], [false, true], "the enabled one is heard")


func test_hearing_and_damage_switched_off() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(BEHIND)
	rig.eye.hearing_enabled = false
	rig.eye.damage_enabled = false
	_noise(Vector3(0, 0, 4), 1.0, made)
	PerceptionServer.report_damage(rig.guard, Rig.agent_of(made), Vector3.ZERO, 5.0)
	rig.advance()
	eq(rig.kinds(), PackedStringArray(), "both off")
	rig.eye.hearing_enabled = true
	rig.eye.damage_enabled = true
	_noise(Vector3(0, 0, 4), 1.0, made)
	PerceptionServer.report_damage(rig.guard, Rig.agent_of(made), Vector3.ZERO, 5.0)
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_perceived", "noise_heard", "damage_sensed"]), "both on")
	eq(rig.first(&"target_perceived").sense, PerceptionEvent.SENSE_DAMAGE, "damage comes before hearing")


func test_reports_do_not_wait_for_a_scan() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 5.0
	var made: StimulusSource3D = rig.source(BEHIND)
	rig.advance(3)
	_noise(Vector3(0, 0, 4), 1.0, made)
	rig.advance()
	eq(rig.ticks_of(&"noise_heard"), PackedInt32Array([3]), "heard in the next tick")


func test_damage_through_a_hurt_box() -> void:
	var rig: Rig = Rig.new(self)
	var hurt_box: Area3D = Area3D.new()
	rig.guard.add_child(hurt_box)
	var attacker: StimulusSource3D = rig.source(BEHIND)
	var arrow: Node3D = Node3D.new()
	Rig.agent_of(attacker).add_child(arrow)
	check(PerceptionServer.report_damage(hurt_box, arrow, Vector3(0, 1, 0.2), 4.0), "accepted")
	rig.advance()
	var entry: Rig.Raised = rig.first(&"damage_sensed")
	check(entry.target == Rig.agent_of(attacker), "the arrow's agent is the target")
	eq(entry.stimulus_location, Vector3(0, 1, 0.2), "hit location")
	eq(entry.strength, 4.0, "amount")


func test_every_damage_report_is_raised() -> void:
	var rig: Rig = Rig.new(self)
	var attacker: StimulusSource3D = rig.source(BEHIND)
	for amount: float in [1.0, 2.0, 3.0]:
		PerceptionServer.report_damage(rig.guard, Rig.agent_of(attacker), Vector3.ZERO, amount)
	rig.advance()
	eq(rig.count(&"target_perceived"), 1, "one record")
	var amounts: Array = rig.all(&"damage_sensed").map(func(entry: Rig.Raised) -> float: return entry.strength)
	eq(amounts, [1.0, 2.0, 3.0], "three reports in order")


func test_damage_without_an_attacker() -> void:
	var rig: Rig = Rig.new(self)
	check(PerceptionServer.report_damage(rig.guard, null, Vector3(0, 1, 0), 4.0), "accepted")
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["damage_sensed"]), "sensed without a record")
	check(rig.first(&"damage_sensed").target == null, "no target")


func test_damage_by_something_without_a_source() -> void:
	var rig: Rig = Rig.new(self)
	var trap: Node3D = Node3D.new()
	trap.position = Vector3(2, 0, 2)
	add_child(trap)
	PerceptionServer.report_damage(rig.guard, trap, Vector3.ZERO, 4.0)
	rig.advance()
	check(rig.eye.has_target(trap), "it is itself the target")
	eq(rig.eye.get_last_known_location(trap), Vector3(2, 0, 2), "where it stands")


func test_damage_to_an_agent_without_perception() -> void:
	var plain: Node3D = Node3D.new()
	add_child(plain)
	check(not PerceptionServer.report_damage(plain, self, Vector3.ZERO, 4.0), "nobody senses it, silently")
	plain.add_child(Perception3D.new())
	check(PerceptionServer.report_damage(plain, self, Vector3.ZERO, 4.0), "now somebody does")


func test_damage_to_another_agent_is_not_sensed() -> void:
	var rig: Rig = Rig.new(self)
	var other: Rig = Rig.new(self)
	var attacker: StimulusSource3D = rig.source(BEHIND)
	PerceptionServer.report_damage(other.guard, Rig.agent_of(attacker), Vector3.ZERO, 4.0)
	rig.advance()
	other.advance()
	eq(rig.kinds(), PackedStringArray(), "not by this one")
	eq(other.count(&"damage_sensed"), 1, "by the victim only")


func test_hidden_attacker_is_not_revealed_when_switched_off() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.damage_reveals_attacker = false
	var attacker: StimulusSource3D = rig.source(BEHIND)
	PerceptionServer.report_damage(rig.guard, Rig.agent_of(attacker), Vector3(0, 1, 0.3), 4.0)
	rig.advance()
	eq(rig.eye.get_last_known_location(attacker), Vector3(0, 1, 0.3), "the hit location instead")


func test_attacker_location_is_that_of_the_report() -> void:
	var rig: Rig = Rig.new(self)
	var attacker: StimulusSource3D = rig.source(BEHIND)
	PerceptionServer.report_damage(rig.guard, Rig.agent_of(attacker), Vector3.ZERO, 4.0)
	rig.place(attacker, Vector3(50, 0, 300))
	rig.advance()
	eq(rig.eye.get_last_known_location(attacker), BEHIND, "where it was when it hit")


func test_momentary_senses_do_not_stop_sight() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	PerceptionServer.report_damage(rig.guard, Rig.agent_of(made), Vector3.ZERO, 4.0)
	rig.advance()
	eq(rig.eye.get_senses(made), PerceptionEvent.SENSE_SIGHT | PerceptionEvent.SENSE_DAMAGE, "both")
	rig.advance()
	eq(rig.eye.get_senses(made), PerceptionEvent.SENSE_SIGHT, "sight stays")


func test_reports_are_applied_while_time_stands_still() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.time_scale = 0.0
	var made: StimulusSource3D = rig.source(BEHIND)
	_noise(Vector3(0, 0, 4), 1.0, made)
	rig.advance()
	check(rig.hears(made), "heard with time_scale 0")
	var still: Rig = Rig.new(self)
	_noise(Vector3(0, 0, 4), 1.0, made)
	still.advance(1, 0.0)
	check(still.hears(made), "heard with a delta of 0")
