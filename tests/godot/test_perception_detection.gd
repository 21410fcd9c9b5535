extends TestCase
## Detection over time, several aim points without walls, displaced records: in both dimensions.

const Field := preload("res://support/field.gd")


## A perceiver that takes 2 s to detect and a source 10 m ahead.
func _slow(field: Field) -> Node:
	field.eye.set(&"detection_time", 2.0)
	return field.source(10.0)


## Sources at 1 to 20 m, after one tick.
func _row_of_twenty(field: Field) -> Array:
	for metres: int in range(1, 21):
		field.source(metres)
	field.advance()
	return field.eye.call(&"get_perceived_targets")


func test_ex_10_12() -> void:
	for field: Field in Field.both(self):
		var known: Array = _row_of_twenty(field)
		eq(known.map(_distance.bind(field)), range(1, 17), field.named("1 to 16 m are recorded, closest first"))
		near(_distance(field.eye.call(&"get_closest_perceived_target"), field), 1.0, 0.001, field.named("the closest"))


func test_ex_10_13() -> void:
	for field: Field in Field.both(self):
		var farthest: Node = _row_of_twenty(field)[-1]
		field.forget()
		var late: Node = field.source(0.5)
		field.advance()
		eq(field.kinds(), PackedStringArray(["target_sight_lost", "target_lost", "target_perceived", "target_sight_gained"]), field.named("a closer one displaces the farthest"))
		check(field.first(&"target_lost").target == farthest, field.named("16 m goes"))
		eq(field.first(&"target_lost").reason, PerceptionEvent.LOSS_DISPLACED, field.named("displaced"))
		check(field.first(&"target_perceived").target == field.agent_of(late), field.named("0.5 m comes"))


func test_ex_10_14() -> void:
	for field: Field in Field.both(self):
		for metres: int in range(1, 17):
			field.source(metres)
		field.advance()
		field.forget()
		var late: Node = field.source(15.5, 0.0)
		field.advance(3)
		eq(field.kinds(), PackedStringArray(), field.named("not closer by more than the margin of 1 m: no event"))
		check(not field.eye.call(&"has_target", late), field.named("no record"))
		field.move(late, 14.5)
		field.advance()
		check(field.eye.call(&"has_target", late), field.named("closer by 1.5 m it is"))


func _distance(agent: Node, field: Field) -> float:
	var at: float = agent.get(&"position").length()
	return snappedf(at / field.length(1.0), 0.001)


func test_ex_10_16() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"sight_min_visible_points", 3)
		var made: Node = field.source(5.0)
		field.advance()
		check(field.sees(made), field.named("a source with one point needs no more"))
		eq(field.eye.call(&"get_visible_fraction", made), 1.0, field.named("fraction"))
		eq(field.eye.call(&"get_visible_point_mask", made), 1, field.named("mask"))


func test_ex_10_17() -> void:
	for field: Field in Field.both(self):
		var made: Node = _slow(field)
		field.advance()
		eq(field.kinds(), PackedStringArray(), field.named("nothing at the first check"))
		field.advance()
		eq(field.kinds(), PackedStringArray(["detection_started"]), field.named("in tick 1"))
		check(field.first(&"detection_started").target == field.agent_of(made), field.named("target of the event"))
		near(field.eye.call(&"get_detection", made), 0.03125, 1e-6, field.named("level after 0.1 s at 0.3125 per second"))
		eq(field.eye.call(&"get_target_state", made), PerceptionEvent.TARGET_DETECTING, field.named("state"))
		check(field.eye.call(&"get_detecting_targets") == [field.agent_of(made)], field.named("detecting targets"))
		check(not field.eye.call(&"has_target", made), field.named("no record yet"))
		field.advance(15)
		near(field.eye.call(&"get_detection", made), 0.5, 1e-6, field.named("level in tick 16"))
		field.advance(20)
		eq(field.ticks_of(&"target_perceived"), [32], field.named("perceived in tick 32"))
		eq(field.ticks_of(&"detection_aborted"), [], field.named("not aborted"))
		eq(field.eye.call(&"get_detection", made), 1.0, field.named("1 with a record"))
		eq(field.eye.call(&"get_detecting_targets"), [], field.named("none is being detected"))


func test_ex_10_19() -> void:
	for field: Field in Field.both(self):
		var made: Node = _slow(field)
		field.advance(17)
		near(field.eye.call(&"get_detection", made), 0.5, 1e-6, field.named("half detected"))
		field.move(made, -10.0)
		field.advance(9)
		near(field.eye.call(&"get_detection", made), 0.05, 1e-6, field.named("it takes 2 s from 1 to 0"))
		eq(field.count(&"detection_aborted"), 0, field.named("not yet"))
		field.advance(5)
		eq(field.ticks_of(&"detection_aborted"), [26], field.named("after 10 ticks"))
		eq(field.eye.call(&"get_target_state", made), PerceptionEvent.TARGET_UNKNOWN, field.named("unknown"))
		eq(field.count(&"target_perceived"), 0, field.named("never perceived"))


func test_ex_10_20() -> void:
	for field: Field in Field.both(self):
		var made: Node = _slow(field)
		field.eye.set(&"auto_detect_radius", field.length(10.0))
		field.advance()
		eq(field.ticks_of(&"target_perceived"), [0], field.named("at once"))
		eq(field.count(&"detection_started"), 0, field.named("without a build-up"))
		check(field.sees(made), field.named("seen"))


func test_ex_10_38() -> void:
	for field: Field in Field.both(self):
		var made: Node = _slow(field)
		field.advance(33)
		check(field.sees(made), field.named("detected"))
		field.move(made, 300.0)
		field.advance(60)
		eq(field.count(&"target_lost"), 1, field.named("forgotten"))
		eq(field.eye.call(&"get_detection", made), 0.0, field.named("level 0"))
		field.forget()
		field.move(made, 10.0)
		var first_check: int = field.tick + 1
		field.advance(40)
		eq(field.ticks_of(&"detection_started"), [first_check + 1], field.named("starts over"))
		eq(field.ticks_of(&"target_perceived"), [first_check + 32], field.named("and takes 32 ticks again"))


func test_target_with_a_record_is_seen_again_without_delay() -> void:
	for field: Field in Field.both(self):
		var made: Node = _slow(field)
		field.advance(33)
		field.move(made, -30.0)
		field.advance(5)
		check(not field.sees(made) and field.eye.call(&"has_target", made), field.named("remembered"))
		field.move(made, 10.0)
		field.advance()
		check(field.sees(made), field.named("at once"))


func test_decay_at_once_and_detection_scale() -> void:
	for field: Field in Field.both(self):
		var made: Node = _slow(field)
		made.set(&"detection_scale", 2.0)
		field.eye.set(&"detection_decay_time", 0.0)
		field.advance(3)
		near(field.eye.call(&"get_detection", made), 0.125, 1e-6, field.named("twice as fast"))
		field.move(made, 90.0)
		field.advance()
		eq(field.eye.call(&"get_detection", made), 0.0, field.named("0 at once"))
		eq(field.ticks_of(&"detection_aborted"), [3], field.named("aborted"))


func test_noise_of_a_target_that_is_being_detected() -> void:
	for field: Field in Field.both(self):
		var made: Node = _slow(field)
		field.advance(5)
		field.noise(9.0, 0.0, 1.0, made)
		field.advance()
		eq(field.first(&"target_perceived").event.sense, PerceptionEvent.SENSE_HEARING, field.named("heard: a record"))
		check(not field.eye.call(&"get_detecting_targets").has(field.agent_of(made)), field.named("no longer detecting"))
		eq(field.count(&"detection_aborted"), 0, field.named("which is no abort"))


func test_forgetting_resets_detection() -> void:
	for field: Field in Field.both(self):
		var made: Node = _slow(field)
		field.advance(17)
		field.eye.call(&"forget_all")
		eq(field.eye.call(&"get_detection", made), 0.0, field.named("level"))
		field.advance(40)
		eq(field.ticks_of(&"target_perceived").size(), 1, field.named("perceived later"))
		between(field.ticks_of(&"target_perceived")[0], 16 + 32, 16 + 33, field.named("a whole build-up"))


func test_ex_10_22() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(10.0)
		field.advance()
		eq(field.eye.call(&"get_last_known_velocity", made), field.zero(), field.named("one check gives no velocity"))
		field.move(made, 10.0, 1.0)
		field.advance()
		var wanted: Variant = Vector2(0, 200) if field.planar else Vector3(10, 0, 0)
		near(field.eye.call(&"get_last_known_velocity", made), wanted, 0.01, field.named("1 m in 0.1 s"))
		field.move(made, 90.0)
		field.advance(20)
		near(field.eye.call(&"get_last_known_velocity", made), wanted, 0.01, field.named("kept after the loss"))
		var event: PerceptionEvent = field.first(&"target_sight_lost").event
		near(event.velocity_2d if field.planar else event.velocity, wanted, 0.01, field.named("in the event too"))


func test_ex_10_29() -> void:
	for field: Field in Field.both(self):
		var dark: Node = field.source(10.0)
		var farther: Node = field.source(10.01)
		dark.set(&"sight_range_scale", 0.5)
		farther.set(&"sight_range_scale", 0.5)
		field.advance()
		check(field.sees(dark), field.named("acquired at 10 m"))
		check(not field.sees(farther), field.named("not at 10.01 m"))
		check(field.seen_at(dark, 12.5), field.named("retained at 12.5 m"))
		check(not field.seen_at(dark, 12.51), field.named("not at 12.51 m"))


func test_ex_10_34() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		var other: Node = field.agent(0.0)
		field.advance()
		field.forget()
		field.agent_of(made).reparent(other)
		field.advance()
		eq(field.kinds(), PackedStringArray(), field.named("no signal"))
		check(field.sees(made), field.named("still seen"))


func test_ex_10_39() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"sight_fov_degrees", 360.0)
		var own: Node = field.source_of(field.guard)
		var rider: Node = field.source(1.0, 0.0, field.guard)
		own.call(&"report_noise", 2.0)
		rider.call(&"report_noise", 2.0)
		field.damage(field.guard, field.guard, 5.0)
		field.damage(field.guard, own, 5.0)
		field.advance(3)
		eq(field.kinds(), PackedStringArray(), field.named("own noise, own damage, an agent below: nothing"))
		eq(field.eye.call(&"get_perceived_targets"), [], field.named("no record"))


func test_ex_10_40() -> void:
	var field: Field = Field.new(self, true)
	var body: Node2D = field.agent_of(field.source(0.0)) as Node2D
	for row: Array in [[Vector2(400, 0), true], [Vector2(282, 282), true], [Vector2(283, 283), false], [Vector2(0, 400), false]]:
		body.position = row[0]
		field.eye.call(&"forget_all")
		field.advance()
		eq(field.sees(body), row[1], "a source at %s" % row[0])


func test_flat_facing() -> void:
	var field: Field = Field.new(self, true)
	var right: Node = field.source(5.0)
	var left: Node = field.source(-5.0)
	var below: Node = field.source(0.0, 5.0)
	(field.guard as Node2D).scale.x = -1.0
	field.advance()
	check(field.sees(left) and not field.sees(right), "a mirrored node looks to the left")
	eq(field.eye.call(&"get_forward"), Vector2.LEFT, "forward")
	(field.guard as Node2D).scale.x = 1.0
	field.eye.set(&"facing_offset_degrees", 90.0)
	field.eye.call(&"forget_all")
	field.advance()
	check(field.sees(below) and not field.sees(left), "turned by 90 degrees it looks down")
	near(field.eye.call(&"get_forward"), Vector2.DOWN, 1e-5, "forward")


func test_dimensions_do_not_mix() -> void:
	var fields: Array = Field.both(self)
	var solid: Field = fields[0]
	var flat: Field = fields[1]
	solid.source(5.0)
	flat.source(4.0)
	for field: Field in fields:
		field.eye.set(&"sight_fov_degrees", 360.0)
		field.advance()
		eq(field.eye.call(&"get_perceived_targets").size(), 1, field.named("only its own"))
	solid.forget()
	flat.forget()
	PerceptionServer.report_noise(Vector3.ZERO, 1.0)
	PerceptionServer.report_noise_2d(Vector2.ZERO, 1.0)
	solid.advance()
	flat.advance()
	eq(solid.count(&"noise_heard"), 1, "the noise in 3D")
	eq(flat.count(&"noise_heard"), 1, "the noise in 2D")
