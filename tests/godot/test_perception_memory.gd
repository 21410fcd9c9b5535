extends TestCase
## Records: how long they last, what they remember, lists and queries.

const Rig := preload("res://support/perception_rig.gd")
const AWAY: Vector3 = Vector3(0, 0, -300)


func test_ex_10_6() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.forget_time = 0.0
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance(8)
	eq(rig.count(&"target_lost"), 0, "not lost while seen in tick 7")
	rig.place(made, AWAY)
	rig.advance()
	eq(rig.ticks_of(&"target_lost"), PackedInt32Array([8]), "lost in tick 8")
	check(not rig.eye.has_target(made), "no record is left")


func test_ex_10_26() -> void:
	var rig: Rig = Rig.new(self)
	var older: StimulusSource3D = rig.source(Vector3(3, 0, -5))
	var younger: StimulusSource3D = rig.source(Vector3(-3, 0, -5))
	rig.advance()
	check(rig.sees(older) and rig.sees(younger), "both are seen")
	check(rig.eye.get_closest_perceived_target() == Rig.agent_of(older), "at equal distance the lower id")
	rig.place(younger, Vector3(-3, 0, -4.9))
	rig.advance()
	check(rig.eye.get_closest_perceived_target() == Rig.agent_of(younger), "else the closer one")


func test_ex_10_32() -> void:
	var half: Rig = Rig.new(self)
	half.eye.time_scale = 0.5
	var made: StimulusSource3D = half.source(Vector3(0, 0, -5))
	half.advance(8)
	half.place(made, AWAY)
	half.advance(98)
	eq(half.count(&"target_lost"), 0, "still known in tick 105")
	half.advance(4)
	eq(half.ticks_of(&"target_lost"), PackedInt32Array([107]), "at half speed, last sensed in tick 7")

	var still: Rig = Rig.new(self)
	var frozen: StimulusSource3D = still.source(Vector3(0, 0, -5))
	still.advance(8)
	still.place(frozen, AWAY)
	still.advance()
	check(not still.sees(frozen), "out of sight in tick 8")
	still.eye.time_scale = 0.0
	still.advance(300)
	eq(still.count(&"target_lost"), 0, "never forgotten while time stands still")
	near(still.eye.get_time_since_sensed(frozen), 0.1, 0.0001, "age stands still too")


func test_ex_10_37() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance(8)
	rig.place(made, AWAY)
	rig.advance(1, 6.0)
	eq(rig.ticks_of(&"target_lost"), PackedInt32Array([8]), "lost in the long tick")
	eq(rig.ticks_of(&"target_sight_lost"), PackedInt32Array([8]), "sight is lost in it as well")
	eq(rig.kinds().slice(-2), PackedStringArray(["target_sight_lost", "target_lost"]), "in this order")


func test_target_seen_in_the_long_tick_is_kept() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance(8)
	rig.place(made, AWAY)
	rig.advance(10)
	rig.place(made, Vector3(0, 0, -5))
	rig.advance(1, 60.0)
	check(rig.sees(made), "sensed in the tick in which it would be forgotten")
	eq(rig.count(&"target_lost"), 0, "not lost")


func test_one_perceived_and_one_lost_for_each_record() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.forget_time = 0.3
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	for round_number: int in 3:
		rig.place(made, Vector3(0, 0, -5))
		rig.advance(2)
		rig.place(made, AWAY)
		rig.advance(4)
	var kinds: PackedStringArray = []
	for i: int in 3:
		kinds.append_array(PackedStringArray(["target_perceived", "target_sight_gained", "target_sight_lost", "target_lost"]))
	eq(rig.kinds(), kinds, "three times known, three times forgotten")
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_FORGOTTEN, "reason")
	eq(rig.first(&"target_lost").sense, PerceptionEvent.SENSE_SIGHT, "the sense of a loss is the last one that sensed")


func test_location_is_frozen_after_loss_of_sight() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	rig.place(made, Vector3(2, 0, -5))
	rig.advance()
	rig.place(made, Vector3(0, 0, -60))
	rig.advance(3)
	eq(rig.eye.get_last_known_location(made), Vector3(2, 0, -5), "where it was last seen")
	eq(rig.first(&"target_sight_lost").location, Vector3(2, 0, -5), "also in the event")
	near(rig.eye.get_time_since_sensed(made), 0.3, 1e-6, "age")


func test_unknown_target() -> void:
	var rig: Rig = Rig.new(self)
	var never: StimulusSource3D = rig.source(AWAY)
	var plain: Node3D = Node3D.new()
	add_child(plain)
	rig.advance()
	for target: Node in [never, plain, null]:
		check(not rig.eye.has_target(target), "has_target")
		check(not rig.eye.can_sense(target), "can_sense")
		eq(rig.eye.get_senses(target), 0, "get_senses")
		eq(rig.eye.get_target_state(target), PerceptionEvent.TARGET_UNKNOWN, "get_target_state")
		check(rig.eye.get_last_known_location(target) == null, "get_last_known_location is null")
		eq(rig.eye.get_last_known_location_or(target, Vector3.ONE), Vector3.ONE, "get_last_known_location_or")
		eq(rig.eye.get_time_since_sensed(target), -1.0, "get_time_since_sensed")
		check(not rig.eye.forget_target(target), "forget_target")
	check(rig.eye.get_closest_perceived_target() == null, "no closest target")
	eq(rig.eye.get_perceived_targets().size(), 0, "no targets")


func test_target_may_be_agent_source_or_a_node_below() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var hand: Node3D = Node3D.new()
	var sword: Node = Node.new()
	hand.add_child(sword)
	Rig.agent_of(made).add_child(hand)
	rig.advance()
	for target: Node in [Rig.agent_of(made), made, hand, sword]:
		check(rig.eye.has_target(target), "has_target")
		check(rig.sees(target), "can_sense")
		eq(rig.eye.get_last_known_location(target), Vector3(0, 0, -5), "location")
	check(not rig.eye.has_target(self), "a node above the agent is not the agent")


func test_senses_are_bit_flags() -> void:
	eq([PerceptionEvent.SENSE_SIGHT, PerceptionEvent.SENSE_HEARING, PerceptionEvent.SENSE_DAMAGE], [1, 2, 4], "bits")
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	PerceptionServer.report_noise(Vector3(0, 0, -5), 1.0, made)
	rig.advance()
	eq(rig.eye.get_senses(made), 3, "seen and heard in one tick")
	check(rig.eye.can_sense(made), "any sense")
	check(rig.eye.can_sense(made, PerceptionEvent.SENSE_HEARING | PerceptionEvent.SENSE_DAMAGE), "any bit of a mask")
	check(not rig.eye.can_sense(made, PerceptionEvent.SENSE_DAMAGE), "not by a sense that is off")
	check(not rig.eye.can_sense(made, 0), "no sense asked for")


func test_list_is_sorted_by_distance() -> void:
	var rig: Rig = Rig.new(self)
	var want: Array[Node3D] = []
	for z: float in [-9.0, -3.0, -6.0]:
		rig.source(Vector3(0, 0, z))
	rig.advance()
	var found: Array[Node3D] = rig.eye.get_perceived_targets()
	var depths: Array = found.map(func(node: Node3D) -> float: return node.position.z)
	eq(depths, [-3.0, -6.0, -9.0], "closest first")
	want.append(found[0])
	check(rig.eye.get_closest_perceived_target() == want[0], "the first of them is the closest")


func test_order_is_by_last_known_location() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 10.0
	var near_one: StimulusSource3D = rig.source(Vector3(0, 0, -4))
	var far_one: StimulusSource3D = rig.source(Vector3(0, 0, -8))
	rig.advance()
	rig.place(near_one, Vector3(0, 0, -19))
	rig.advance()
	check(rig.eye.get_closest_perceived_target() == Rig.agent_of(near_one), "it was last known to be closer")
	rig.eye.scan_now()
	rig.advance()
	check(rig.eye.get_closest_perceived_target() == Rig.agent_of(far_one), "after the scan it is not")


func test_list_into_a_buffer() -> void:
	var rig: Rig = Rig.new(self)
	var buffer: Array = [1, 2, 3, 4]
	eq(rig.eye.fill_perceived_targets(buffer), 0, "nothing known")
	eq(buffer, [], "the buffer is emptied")
	for z: float in [-4.0, -2.0]:
		rig.source(Vector3(0, 0, z))
	rig.advance()
	eq(rig.eye.fill_perceived_targets(buffer), 2, "two known")
	eq(buffer.size(), 2, "the buffer is resized")
	check(buffer[0] == rig.eye.get_perceived_targets()[0] and buffer[1] == rig.eye.get_perceived_targets()[1], "same order")
	buffer.append(null)
	eq(rig.eye.fill_perceived_targets(buffer), 2, "again")
	eq(buffer.size(), 2, "shortened again")
	var typed: Array[Node3D] = []
	eq(rig.eye.fill_perceived_targets(typed), 2, "a typed buffer works too")
	eq(typed.size(), 2, "and is filled")


func test_remembered_targets_are_in_the_list() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	rig.place(made, AWAY)
	rig.advance()
	check(not rig.eye.can_sense(made), "not sensed")
	eq(rig.eye.get_perceived_targets().size(), 1, "but listed")
	check(rig.eye.get_closest_perceived_target() == Rig.agent_of(made), "and the closest")


func test_forget_target_ends_one_record() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 10.0
	var one: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var two: StimulusSource3D = rig.source(Vector3(0, 0, -6))
	rig.advance()
	rig.forget()
	check(rig.eye.forget_target(one), "known")
	rig.advance()
	check(not rig.eye.has_target(one), "forgotten")
	check(rig.eye.has_target(two), "the other is not")
	eq(rig.count(&"target_lost"), 1, "one loss")
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_DISMISSED, "reason")
	check(rig.first(&"target_lost").target == Rig.agent_of(one), "target")
	check(not rig.eye.forget_target(one), "a second time there is nothing to forget")
	eq(rig.eye.forget_all(), 1, "one record was left")
	rig.advance()
	eq(rig.count(&"target_lost"), 2, "two losses in all")
	eq(rig.eye.forget_all(), 0, "none is left")


func test_lower_forget_time_works_at_once() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	rig.place(made, AWAY)
	rig.advance(20)
	rig.eye.forget_time = 1.0
	rig.advance()
	eq(rig.count(&"target_lost"), 1, "forgotten at the next tick")
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_FORGOTTEN, "reason")
