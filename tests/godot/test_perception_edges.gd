extends TestCase
## Crowds, worlds, nodes outside the tree, handlers that reach into other perceivers.

const Rig := preload("res://support/perception_rig.gd")


func test_crowd_agrees_with_a_plain_loop() -> void:
	# With physics on its own thread rays can be cast in the step only.
	await physics()
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 7
	var rigs: Array[Rig] = []
	var agents: Array[Node3D] = []
	for i: int in 120:
		var rig: Rig = Rig.new(self)
		rig.guard.position = Vector3(random.randf_range(-90, 90), random.randf_range(-3, 3), random.randf_range(-90, 90))
		rig.guard.rotation.y = random.randf() * TAU
		rig.eye.update_interval = 0.0
		rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
		rigs.append(rig)
		agents.append(Rig.agent_of(rig.source(Vector3(random.randf_range(-90, 90), random.randf_range(-3, 3), random.randf_range(-90, 90)))))
	PerceptionServer.advance(0.1)
	var seen: int = 0
	for rig: Rig in rigs:
		var wanted: Array = agents.filter(func(agent: Node3D) -> bool: return _in_view(rig, agent.position))
		var found: Array = rig.eye.get_perceived_targets()
		found.sort_custom(func(a: Node3D, b: Node3D) -> bool: return agents.find(a) < agents.find(b))
		eq(found, wanted, "targets of a perceiver at %s" % rig.guard.position)
		seen += wanted.size()
	check(seen > 50, "enough pairs to mean something: %d" % seen)
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS


func _in_view(rig: Rig, at: Vector3) -> bool:
	var offset: Vector3 = at - rig.guard.position
	return offset.length() <= 20.0 and rad_to_deg(offset.angle_to(-rig.guard.basis.z)) <= 45.0


func test_worlds_do_not_mix() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var stage: SubViewport = SubViewport.new()
	stage.own_world_3d = true
	add(stage)
	var twin: StimulusSource3D = Rig.add_source(stage, Vector3(1, 0, -5))
	rig.advance()
	check(rig.sees(made), "the one in the same world")
	check(not rig.sees(twin), "not the one in another world")
	rig.forget()
	Rig.agent_of(made).reparent(stage)
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_sight_lost", "target_lost"]), "a record across worlds ends")
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, "reason")
	PerceptionServer.report_noise(Vector3(0, 0, 1), 1.0, made)
	rig.advance()
	eq(rig.count(&"noise_heard"), 0, "a noise is in the world of its instigator")
	PerceptionServer.report_noise(Vector3(0, 0, 1), 1.0, null, &"", rig.guard.get_world_3d())
	rig.advance()
	eq(rig.count(&"noise_heard"), 1, "or in the one that is named")


func test_components_outside_the_tree() -> void:
	var eye: Perception3D = Perception3D.new()
	var made: StimulusSource3D = StimulusSource3D.new()
	var target: Node3D = Node3D.new()
	eq(eye.get_perceived_targets().size(), 0, "no targets")
	is_null(eye.get_closest_perceived_target(), "no closest target")
	check(not eye.can_sense(target) and not eye.has_line_of_sight(target), "senses nothing")
	is_null(eye.get_agent(), "no agent")
	is_null(made.get_agent(), "no agent of a source")
	eq(eye.forget_all(), 0, "nothing to forget")
	check(eye.add_detectable_tag(&"Team.Red"), "tags can be set")
	check(made.add_affiliation_tag(&"Team.Red"), "tags can be set")
	expect_error("report_noise")
	check(not made.report_noise(1.0), "no noise from nowhere")
	for node: Node in [eye, made, target]:
		node.free()


func test_advance_outside_the_tree_is_an_error() -> void:
	var eye: Perception3D = Perception3D.new()
	eye.process_callback = Perception3D.PROCESS_MANUAL
	expect_error("advance")
	eye.advance(0.1)
	eye.free()


func test_shorter_interval_works_at_once() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 5.0
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -90))
	rig.advance()
	rig.place(made, Vector3(0, 0, -5))
	rig.advance(5)
	check(not rig.sees(made), "the next scan is far away")
	rig.eye.update_interval = 0.2
	rig.advance(3)
	check(rig.sees(made), "it comes within the new interval")


func test_handler_frees_another_perceiver() -> void:
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	var rigs: Array[Rig] = []
	for i: int in 3:
		var rig: Rig = Rig.new(self)
		rig.eye.update_interval = 0.0
		rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
		rigs.append(rig)
	rigs[0].source(Vector3(0, 0, -5))
	rigs[0].reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"target_perceived":
			rigs[1].guard.free()
	PerceptionServer.advance(0.1)
	eq(rigs[0].count(&"target_sight_gained"), 1, "the first gets all its events")
	eq(rigs[1].kinds(), PackedStringArray(), "the freed one gets none")
	eq(rigs[2].count(&"target_perceived"), 1, "the third is served")
	PerceptionServer.advance(0.1)
	eq(rigs[2].kinds().size(), 2, "the next tick is quiet")
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS


func test_handler_may_advance_another_perceiver() -> void:
	var one: Rig = Rig.new(self)
	var two: Rig = Rig.new(self)
	var made: StimulusSource3D = one.source(Vector3(0, 0, -5))
	one.reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"target_perceived":
			two.advance()
	one.advance()
	check(two.sees(made), "it ticked")
	eq(two.count(&"target_perceived"), 1, "and told so")
	eq(one.count(&"target_sight_gained"), 1, "the first one goes on")


func test_handler_starts_and_stops_nodes() -> void:
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	var rig: Rig = Rig.new(self)
	rig.eye.update_interval = 0.0
	rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"target_perceived":
			rig.eye.enabled = false
			made.enabled = false
			PerceptionServer.register_as_source(rig.guard)
			PerceptionServer.add_detectable_tag(Rig.agent_of(made), &"Team.Red")
	PerceptionServer.advance(0.1)
	PerceptionServer.advance(0.1)
	eq(rig.count(&"target_lost"), 1, "the record ended")
	check(not rig.eye.has_target(made), "nothing is known")
	rig.eye.enabled = true
	made.enabled = true
	PerceptionServer.advance(0.1)
	eq(rig.count(&"target_perceived"), 2, "perceived again")
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS


func test_server_advance_inside_its_own_tick_is_an_error() -> void:
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	var rig: Rig = Rig.new(self)
	rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
	rig.eye.update_interval = 0.0
	rig.source(Vector3(0, 0, -5))
	rig.reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"target_perceived":
			PerceptionServer.advance(0.1)
	expect_error("advance")
	PerceptionServer.advance(0.1)
	eq(rig.count(&"target_perceived"), 1, "one tick")
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS


func test_many_come_and_go_in_one_frame() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.sight_fov_degrees = 360.0
	for i: int in 50:
		var agent: Node3D = Rig.agent_of(rig.source(Vector3(0, 0, -3)))
		if i % 2 == 0:
			agent.free()
	rig.advance()
	eq(rig.eye.get_perceived_targets().size(), 16, "as many as a perceiver keeps")
	for entry: Rig.Raised in rig.raised:
		not_null(entry.target, "target")


func test_first_perception_of_an_agent_answers_for_it() -> void:
	var rig: Rig = Rig.new(self)
	var second: Perception3D = Perception3D.new()
	second.process_callback = Perception3D.PROCESS_MANUAL
	second.sight_enabled = false
	rig.guard.add_child(second)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	second.advance(0.1)
	check(PerceptionServer.can_sense(rig.guard, made), "the first in child order")
	check(not PerceptionServer.can_sense(second, made), "the second one alone")
	rig.guard.move_child(second, 0)
	check(not PerceptionServer.can_sense(rig.guard, made), "now the other one is first")
