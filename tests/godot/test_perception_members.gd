extends TestCase
## Members of perceivers, sources and the server beyond sight, noise and damage: detection, custom senses, aim points, who
## senses whom, lists of paths.

const Rig := preload("res://support/perception_rig.gd")


func test_detection_is_told_and_can_be_asked() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detection_time = 2.0
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	var told: Array[StringName] = []
	rig.eye.detection_started.connect(func(event: PerceptionEvent) -> void:
		told.append(&"started")
		eq(event.target, made.get_parent(), "target of the event"))
	rig.eye.detection_aborted.connect(func(_event: PerceptionEvent) -> void: told.append(&"aborted"))
	rig.advance(3)
	eq(told, [&"started"] as Array[StringName], "started once")
	eq(rig.eye.get_target_state(made), Perception3D.TARGET_DETECTING, "state")
	between(rig.eye.get_detection(made), 0.01, 0.99, "level")
	eq(rig.eye.get_detecting_targets(), [made.get_parent()] as Array[Node3D], "targets")
	check(not rig.eye.has_target(made), "not known yet")
	rig.place(made, Vector3(0, 0, 10))
	rig.advance(20)
	eq(told, [&"started", &"aborted"] as Array[StringName], "aborted once")
	eq(rig.eye.get_detection(made), 0.0, "nothing is left")
	rig.place(made, Vector3(0, 0, -10))
	made.detection_scale = 4.0
	rig.advance(10)
	check(rig.eye.has_target(made), "four times as fast")
	eq(rig.eye.get_detection(made), 1.0, "known")
	eq(rig.eye.get_detecting_targets(), [] as Array[Node3D], "none is made out any more")


func test_a_custom_sense() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, 300), ["Team.Red"])
	rig.eye.detectable_tags = ["Team.Blue"]
	check(PerceptionServer.report_stimulus(rig.guard, made, &"smell", 0.5), "accepted")
	rig.advance()
	check(rig.eye.can_sense(made, Perception3D.SENSE_CUSTOM), "sensed at any distance, whatever its tags")
	var first: Rig.Raised = rig.first(&"target_perceived")
	eq(first.sense, Perception3D.SENSE_CUSTOM, "sense")
	eq(first.tag, &"smell", "tag")
	near(first.strength, 0.5, 1e-6, "strength")
	eq(first.location, Vector3(0, 0, 300), "the target's place")
	rig.advance()
	check(not rig.eye.can_sense(made), "momentary")
	check(not PerceptionServer.report_stimulus(rig.eye, made, &"smell", 0.0), "no strength")
	check(not PerceptionServer.report_stimulus(rig.eye, rig.guard, &"smell"), "not of itself")


func test_who_senses_me() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	eq(made.get_perceivers(), [] as Array[Node], "nobody yet")
	rig.advance()
	eq(made.get_perceivers(), [rig.guard] as Array[Node], "seen")
	eq(made.get_perceivers(StimulusSource3D.SENSE_HEARING), [] as Array[Node], "not heard")
	eq(PerceptionServer.get_perceivers_of(made.get_parent()), [rig.guard] as Array[Node], "asked of the server")
	rig.place(made, Vector3(0, 0, 50))
	rig.advance()
	eq(made.get_perceivers(), [] as Array[Node], "out of sight")
	eq(made.get_perceivers(0), [rig.guard] as Array[Node], "but known")
	eq(PerceptionServer.get_perceivers_of(null), [] as Array[Node], "of nothing")
	eq(PerceptionServer.get_perceivers_of(self), [] as Array[Node], "of no target")


func test_aim_points_of_offsets_and_nodes() -> void:
	var agent := Node3D.new()
	var source := StimulusSource3D.new()
	var head := Marker3D.new()
	head.name = "Head"
	agent.add_child(head)
	agent.add_child(source)
	source.extra_aim_points = [Vector3(1, 0, 0)]
	source.aim_point_paths = [^"../Head", ^"../Nowhere"]
	eq(source.get_aim_points(), PackedVector3Array(), "none outside the tree")
	agent.position = Vector3(10, 0, 0)
	head.position = Vector3(0, 2, 0)
	add(agent)
	agent.scale = Vector3(3, 3, 3)
	near(source.get_aim_points(), PackedVector3Array([Vector3(10, 1, 0), Vector3(11, 0, 0), Vector3(10, 6, 0)]), 1e-4,
			"offset, extra, node")
	source.stance = StimulusSource3D.STANCE_CROUCHED
	source.auto_detect_stance = false
	near(source.get_aim_points()[0], Vector3(10, 0.6, 0), 1e-4, "lowered when crouched")
	near(source.get_aim_points()[2], Vector3(10, 6, 0), 1e-4, "a node is where it is")
	var untyped: Variant = source
	untyped.aim_point_paths = ["../Head"]
	eq(source.aim_point_paths, [^"../Head"], "texts are paths")
	var many: Array[NodePath] = []
	many.resize(20)
	many.fill(^"../Head")
	source.aim_point_paths = many
	eq(source.get_aim_points().size(), 16, "16 at the most")


func test_a_wrong_path_is_refused() -> void:
	var eye := Perception3D.new()
	add(eye)
	eye.sight_exclude_paths = [^"."]
	expect_error("sight_exclude_paths[1] is int")
	var untyped: Variant = eye
	untyped.sight_exclude_paths = ["a", 5]
	eq(eye.sight_exclude_paths, [^"."], "unchanged")


func test_a_marker_that_is_seen() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	made.extra_aim_points = [Vector3(0, 3, 0)]
	wall(Vector3(0, 0, -5), Vector3(2, 1, 1))
	await physics()
	rig.advance()
	check(rig.sees(made), "over the wall")
	near(rig.eye.get_visible_fraction(made), 0.5, 1e-6, "half of it")
	eq(rig.eye.get_visible_point_mask(made), 2, "the upper point")


func test_constants_out_of_range_are_refused() -> void:
	var source := StimulusSource3D.new()
	expect_error("stance = 3")
	source.stance = 3
	eq(source.stance, StimulusSource3D.STANCE_UNREPORTED, "unchanged")
	expect_error("blocks_sight = -1")
	source.blocks_sight = -1
	eq(source.blocks_sight, StimulusSource3D.BLOCKS_AUTO, "unchanged")
	expect_warning("crouched_point_scale = 2")
	source.crouched_point_scale = 2.0
	eq(source.crouched_point_scale, 1.0, "clamped")
	expect_warning("extra_aim_points")
	source.extra_aim_points = [Vector3(NAN, 0, 0)]
	eq(source.extra_aim_points, PackedVector3Array(), "unchanged")
	source.free()


func test_the_tags_of_the_container_count() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = ["Team.Blue"]
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5), ["Team.Red"])
	rig.advance()
	check(not rig.sees(made), "not of the team")
	var tags := TagContainer.new()
	made.get_parent().add_child(tags)
	tags.add_tag(&"Team.Blue")
	eq(made.get_identity_tags(), PackedStringArray(["Team.Red", "Team.Blue"]), "both")
	rig.advance()
	check(rig.sees(made), "by the tag of its container")
	made.use_agent_tags = false
	eq(made.get_identity_tags(), PackedStringArray(["Team.Red"]), "its own alone")
	rig.advance()
	check(not rig.sees(made), "not by that any more")
	made.use_agent_tags = true
	tags.remove_tag(&"Team.Blue")
	rig.advance()
	check(not rig.sees(made), "the tag is gone")
	tags.add_tag(&"Team.Blue")
	rig.advance()
	check(rig.sees(made), "and back")
	tags.free()
	rig.advance()
	check(not rig.sees(made), "with the container")


func test_ignored_tags_win() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.ignored_tags = ["Team.Red"]
	var red: StimulusSource3D = rig.source(Vector3(0, 0, -5), ["Team.Red.Medic"])
	var blue: StimulusSource3D = rig.source(Vector3(0, 0, -6), ["Team.Blue"])
	rig.advance()
	check(not rig.sees(red) and rig.sees(blue), "never seen")
	red.report_noise()
	rig.advance()
	check(not rig.eye.has_target(red), "never heard")


func test_noises_by_their_tag() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.hearing_noise_tags = ["Noise.Shot"]
	var heard: Array[StringName] = []
	rig.eye.noise_heard.connect(func(event: PerceptionEvent) -> void: heard.append(event.tag))
	PerceptionServer.report_noise(Vector3.ZERO, 1.0, null, &"Noise.Step")
	PerceptionServer.report_noise(Vector3.ZERO, 1.0, null, &"Noise.Shot.Loud")
	PerceptionServer.report_noise(Vector3.ZERO)
	rig.advance()
	eq(heard, [&"Noise.Shot.Loud"] as Array[StringName], "only what the list finds")


func test_no_event_is_made_for_nobody() -> void:
	var rig: Rig = Rig.new(self)
	for kind: StringName in Rig.KINDS:
		for connection: Dictionary in rig.eye.get_signal_connection_list(kind):
			rig.eye.disconnect(kind, connection["callable"] as Callable)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	var before := Performance.get_monitor(Performance.OBJECT_COUNT)
	rig.eye.forget_all()
	rig.advance()
	check(rig.sees(made), "lost and seen again")
	eq(Performance.get_monitor(Performance.OBJECT_COUNT), before, "no object was made")
	var by: Array[Node] = []
	made.perceived_by.connect(func(perceiver: Node) -> void: by.append(perceiver))
	rig.eye.forget_all()
	rig.advance()
	eq(by, [rig.guard] as Array[Node], "the source is told all the same")


func test_a_list_with_an_invalid_tag_is_refused() -> void:
	var eye := Perception3D.new()
	add(eye)
	eye.detectable_tags = ["Team.Red"]
	expect_error("detectable_tags: ")
	eye.detectable_tags = ["Team.Blue", "not a tag"]
	eq(eye.detectable_tags, PackedStringArray(["Team.Red"]), "unchanged")
