extends TestCase
## Perception in 2D: what differs from 3D, and that the two do not mix.


func test_defaults() -> void:
	var eye := Perception2D.new()
	eq(eye.sight_radius, 400.0, "sight_radius")
	eq(eye.lose_sight_radius, 500.0, "lose_sight_radius")
	eq(eye.hearing_radius, 300.0, "hearing_radius")
	eq(eye.displace_margin, 20.0, "displace_margin")
	eq(eye.eye_offset, Vector2.ZERO, "eye_offset")
	eq(eye.facing_offset_degrees, 0.0, "facing_offset_degrees")
	var source := StimulusSource2D.new()
	eq(source.sight_target_offset, Vector2.ZERO, "sight_target_offset")
	eye.free()
	source.free()


func test_noise_is_heard_within_the_radius() -> void:
	var eye := _perceiver()
	var source := _source(Vector2(150, 0))
	check(source.report_noise(0.5), "accepted")
	eye.advance(0.1)
	check(eye.can_sense(source, Perception2D.SENSE_HEARING), "at 300 px x 0.5")
	eq(eye.get_last_known_location(source), Vector2(150, 0), "location")
	eq(eye.get_closest_perceived_target(), source.get_parent(), "closest")
	eq(eye.get_perceived_targets(), [source.get_parent()] as Array[Node2D], "targets")
	var far := _source(Vector2(0, 151))
	far.report_noise(0.5)
	eye.advance(0.1)
	check(not eye.has_target(far), "beyond it")


func test_events_carry_2d_places() -> void:
	var eye := _perceiver()
	var source := _source(Vector2(30, 40))
	var places: Array = []
	eye.noise_heard.connect(func(event: PerceptionEvent) -> void:
		places.append([event.location_2d, event.stimulus_location_2d, event.location, event.stimulus_location]))
	PerceptionServer.report_noise_2d(Vector2(10, 20), 1.0, source)
	PerceptionServer.report_noise_2d(Vector2(-10, 20))
	eye.advance(0.1)
	eq(places, [[Vector2(10, 20), Vector2(10, 20), Vector3.ZERO, Vector3.ZERO],
			[Vector2(-10, 20), Vector2(-10, 20), Vector3.ZERO, Vector3.ZERO]], "of a source, of a place")


func test_damage_tells_where_the_attacker_is() -> void:
	var eye := _perceiver()
	var source := _source(Vector2(9000, 0))
	check(PerceptionServer.report_damage_2d(eye.get_parent(), source.get_parent(), Vector2(1, 1), 5.0), "accepted")
	eye.advance(0.1)
	check(eye.can_sense(source, Perception2D.SENSE_DAMAGE), "at any distance")
	eq(eye.get_last_known_location_or(source, Vector2.ZERO), Vector2(9000, 0), "where it stood")
	eq(PerceptionServer.get_last_known_location(eye, source), Vector2(9000, 0), "by the server")


func test_the_dimensions_do_not_hear_each_other() -> void:
	var flat := _perceiver()
	var solid := Perception3D.new()
	solid.process_callback = Perception3D.PROCESS_MANUAL
	var body := Node3D.new()
	body.add_child(solid)
	add(body)
	var heard: Array[String] = []
	flat.noise_heard.connect(func(_event: PerceptionEvent) -> void: heard.append("2D"))
	solid.noise_heard.connect(func(_event: PerceptionEvent) -> void: heard.append("3D"))
	PerceptionServer.report_noise_2d(Vector2.ZERO)
	flat.advance(0.1)
	solid.advance(0.1)
	eq(heard, ["2D"] as Array[String], "a noise in 2D")
	heard.clear()
	PerceptionServer.report_noise(Vector3.ZERO)
	flat.advance(0.1)
	solid.advance(0.1)
	eq(heard, ["3D"] as Array[String], "a noise in 3D")


func test_forward_is_x_turned_and_mirrored() -> void:
	var eye := _perceiver()
	near(eye.get_forward(), Vector2.RIGHT, 1e-5, "at rest")
	eye.facing_offset_degrees = 90.0
	near(eye.get_forward(), Vector2.DOWN, 1e-5, "turned towards +Y")
	eye.facing_offset_degrees = 0.0
	(eye.get_parent() as Node2D).rotation_degrees = 45.0
	near(eye.get_forward(), Vector2(1, 1).normalized(), 1e-5, "with its parent")
	(eye.get_parent() as Node2D).rotation = 0.0
	eye.scale.x = -1.0
	eye.eye_offset = Vector2(10, 5)
	near(eye.get_forward(), Vector2.LEFT, 1e-5, "mirrored")
	near(eye.get_eye_position(), Vector2(-10, 5), 1e-5, "the eye, too")


func test_register_makes_the_class_of_the_dimension() -> void:
	var agent := Node2D.new()
	add(agent)
	var source: Node = PerceptionServer.register_as_source(agent, &"Team.Red")
	check(source is StimulusSource2D, "a source of 2D")
	eq((source as StimulusSource2D).affiliation_tags, PackedStringArray(["Team.Red"]), "with the tag")
	var eye: Node = PerceptionServer.add_detectable_tag(agent, &"Team.Blue")
	check(eye is Perception2D, "a Perception of 2D")
	eq((eye as Perception2D).detectable_tags, PackedStringArray(["Team.Blue"]), "with the tag")
	eq(PerceptionServer.register_as_source(agent, &"Team.Red"), source, "once")
	check(PerceptionServer.unregister_source(agent), "taken back")
	await idle()
	check(not is_instance_valid(source), "and freed")


func test_another_world_ends_the_record() -> void:
	var eye := _perceiver()
	var source := _source(Vector2(20, 0))
	var lost: Array[int] = []
	eye.target_lost.connect(func(event: PerceptionEvent) -> void: lost.append(event.reason))
	source.report_noise()
	eye.advance(0.1)
	check(eye.has_target(source), "heard")
	var other := SubViewport.new()
	other.world_2d = World2D.new()
	add(other)
	source.get_parent().reparent(other)
	check(not eye.has_target(source), "gone at once")
	eye.advance(0.1)
	eq(lost, [PerceptionEvent.LOSS_GONE] as Array[int], "with that reason")
	PerceptionServer.report_noise_2d(Vector2.ZERO, 1.0, source)
	eye.advance(0.1)
	check(not eye.has_target(source), "not heard from there")


func test_a_world_given_to_the_viewport_ends_the_record() -> void:
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	add(viewport)
	var eye := _perceiver(viewport)
	var source := _source(Vector2(20, 0), viewport)
	var stays := _source(Vector2(20, 0))
	source.report_noise()
	stays.report_noise()
	eye.advance(0.1)
	check(eye.has_target(source) and not eye.has_target(stays), "only the same world is heard")
	viewport.world_2d = get_viewport().world_2d
	stays.report_noise()
	source.report_noise()
	eye.advance(0.1)
	check(eye.has_target(source) and eye.has_target(stays), "all are in one world now")


func test_the_agent_must_have_two_axes() -> void:
	var body := Node3D.new()
	var source := StimulusSource2D.new()
	body.add_child(source)
	add(body)
	var eye := _perceiver()
	source.report_noise()
	eye.advance(0.1)
	check(not eye.has_target(source), "an agent of 3D cannot be sensed")


func _perceiver(parent: Node = self) -> Perception2D:
	var agent := Node2D.new()
	var eye := Perception2D.new()
	eye.process_callback = Perception2D.PROCESS_MANUAL
	agent.add_child(eye)
	add(agent, parent)
	return eye


func _source(at: Vector2, parent: Node = self) -> StimulusSource2D:
	var agent := Node2D.new()
	agent.position = at
	var source := StimulusSource2D.new()
	agent.add_child(source)
	add(agent, parent)
	return source
