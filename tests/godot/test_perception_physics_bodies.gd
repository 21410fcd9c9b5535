extends TestCase
## What rays go through and what stops them. Files with _physics_ in their name run under both physics engines, on the
## main thread and on a thread of their own.

const Rig := preload("res://support/perception_rig.gd")

const EYE: Vector3 = Vector3(0, 1, 0)
const FAR: Vector3 = Vector3(0, 1, -10)
const SLAB: Vector3 = Vector3(6, 6, 0.4)


## A perceiver on a real body, its eye inside the body.
func _guard() -> Rig:
	var rig: Rig = Rig.new(self, character(Vector3.ZERO, "Guard", 1))
	rig.eye.eye_offset = EYE
	return rig


## A source whose agent is a character at this distance ahead.
func _person(z: float, named: String = "Person") -> StimulusSource3D:
	var made: StimulusSource3D = StimulusSource3D.new()
	character(Vector3(0, 0, -z), named, 1).add_child(made)
	return made


## A source whose agent is a wall at this distance ahead.
func _crate(z: float) -> StimulusSource3D:
	var made: StimulusSource3D = StimulusSource3D.new()
	wall(Vector3(0, 1, -z), SLAB).add_child(made)
	return made


func _rays() -> int:
	return PerceptionServer.get_stats().rays


func test_casts_through_two_agents() -> void:
	var rig: Rig = _guard()
	_person(3)
	_person(6)
	var target: StimulusSource3D = _person(9, "Target")
	target.get_parent().get_child(0).queue_free()
	rig.eye.detectable_tags = ["Team.Red"]
	target.affiliation_tags = ["Team.Red"]
	await physics(2)
	rig.advance()
	check(rig.sees(target), "seen through two agents")
	eq(_rays(), 3, "casts")
	rig.eye.sight_blocked_by_agents = true
	rig.advance()
	check(not rig.sees(target), "agents block now")
	eq(_rays(), 1, "the first hit blocks")


func test_looked_through_four_times_at_the_most() -> void:
	var rig: Rig = _guard()
	rig.eye.detectable_tags = ["Team.Red"]
	var made: StimulusSource3D = rig.source(FAR, ["Team.Red"])
	for i: int in 4:
		_person(2 + i)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "through four")
	eq(_rays(), 5, "casts")
	_person(7)
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "not through five")
	eq(_rays(), 5, "no sixth cast")


func test_each_ray_looks_through_anew() -> void:
	var rig: Rig = _guard()
	rig.eye.detectable_tags = ["Team.Red"]
	var made: StimulusSource3D = rig.source(FAR, ["Team.Red"])
	made.extra_aim_points = PackedVector3Array([Vector3(0, 0.1, 0)])
	_person(4)
	await physics(2)
	rig.advance()
	eq(rig.eye.get_visible_fraction(made), 1.0, "both points")
	eq(_rays(), 4, "every cast counts")


func test_blocks_sight_decides() -> void:
	var rig: Rig = _guard()
	rig.eye.detectable_tags = ["Team.Red"]
	var made: StimulusSource3D = rig.source(FAR, ["Team.Red"])
	var crate: StimulusSource3D = _crate(4)
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "a thing that can be sensed blocks")
	crate.blocks_sight = StimulusSource3D.BLOCKS_NEVER
	rig.advance()
	check(rig.sees(made), "unless it never does")
	crate.blocks_sight = StimulusSource3D.BLOCKS_AUTO
	var senses: Perception3D = Perception3D.new()
	senses.process_callback = Perception3D.PROCESS_MANUAL
	crate.get_parent().add_child(senses)
	rig.advance()
	check(rig.sees(made), "or it has senses of its own")
	senses.free()
	rig.advance()
	check(not rig.sees(made), "it lost them")
	crate.get_parent().queue_free()
	var person: StimulusSource3D = _person(4)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "a character does not block")
	person.blocks_sight = StimulusSource3D.BLOCKS_ALWAYS
	rig.advance()
	check(not rig.sees(made), "unless it always does")
	person.enabled = false
	rig.advance()
	check(not rig.sees(made), "off or not")
	person.free()
	rig.advance()
	check(not rig.sees(made), "a character that nobody senses is a wall")


func test_a_wall_that_joins_and_leaves_an_agent() -> void:
	var rig: Rig = _guard()
	rig.eye.detectable_tags = ["Team.Red"]
	var made: StimulusSource3D = rig.source(FAR, ["Team.Red"])
	var person: StimulusSource3D = _person(4)
	var slab: StaticBody3D = wall(Vector3(0, 1, -6), SLAB)
	var holder: Node3D = Node3D.new()
	add_child(holder)
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "a wall")
	slab.reparent(holder)
	holder.reparent(person.get_parent())
	await physics(2)
	rig.advance()
	check(rig.sees(made), "carried by an agent it is looked through")
	holder.reparent(self)
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "thrown away it is a wall again")


func test_excluded_paths() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var cover: Node3D = Node3D.new()
	cover.name = "Cover"
	add_child(cover)
	var slab: StaticBody3D = wall(Vector3(0, 1, -3), SLAB)
	slab.reparent(cover)
	rig.eye.sight_exclude_paths = [NodePath("../../Cover"), NodePath("../../Later")] as Array[NodePath]
	await physics(2)
	rig.advance()
	check(rig.sees(made), "below an excluded node")
	eq(_rays(), 1, "it is not even hit")
	var second: StaticBody3D = wall(Vector3(0, 1, -4), SLAB)
	second.name = "Later"
	await physics(2)
	rig.advance()
	check(rig.sees(made), "a path that leads somewhere now")
	slab.reparent(self)
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "what left the excluded node blocks")
	slab.free()
	rig.eye.sight_exclude_paths = [] as Array[NodePath]
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "nothing is excluded any more")


func test_areas_block_if_asked_to() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var area: Area3D = Area3D.new()
	area.position = Vector3(0, 1, -3)
	area.add_child(_box_shape(SLAB))
	add_child(area)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "by default they do not")
	rig.eye.sight_hit_areas = true
	rig.advance()
	check(not rig.sees(made), "now they do")
	area.reparent(rig.guard)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "its own do not")


func test_bodies_without_a_node_block() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var shape: RID = PhysicsServer3D.box_shape_create()
	PhysicsServer3D.shape_set_data(shape, SLAB / 2.0)
	var body: RID = PhysicsServer3D.body_create()
	PhysicsServer3D.body_set_mode(body, PhysicsServer3D.BODY_MODE_STATIC)
	PhysicsServer3D.body_add_shape(body, shape)
	PhysicsServer3D.body_set_state(body, PhysicsServer3D.BODY_STATE_TRANSFORM, Transform3D(Basis(), Vector3(0, 1, -3)))
	PhysicsServer3D.body_set_space(body, get_viewport().world_3d.space)
	await physics(3)
	rig.advance()
	check(not rig.sees(made), "blocked")
	PhysicsServer3D.free_rid(body)
	PhysicsServer3D.free_rid(shape)
	await physics(3)
	rig.advance()
	check(rig.sees(made), "free again")


func test_grid_maps_and_csg_block() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var box: CSGBox3D = CSGBox3D.new()
	box.size = SLAB
	box.position = Vector3(0, 1, -3)
	box.use_collision = true
	add_child(box)
	await physics(3)
	rig.advance()
	check(not rig.sees(made), "CSG")
	box.reparent(rig.guard)
	await physics(3)
	rig.advance()
	check(rig.sees(made), "its own CSG does not block")
	box.queue_free()
	var map: GridMap = GridMap.new()
	map.mesh_library = _one_box()
	map.cell_size = Vector3(2, 2, 2)
	add_child(map)
	map.set_cell_item(Vector3i(0, 0, -3), 0)
	map.set_cell_item(Vector3i(-1, 0, -3), 0)
	await physics(3)
	rig.advance()
	check(not rig.sees(made), "a GridMap")
	map.clear()
	await physics(3)
	rig.advance()
	check(rig.sees(made), "an empty one does not")


func test_eye_inside_a_shape_sees_out_of_it() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.eye_offset = EYE
	var made: StimulusSource3D = rig.source(FAR)
	wall(Vector3(0, 1, 0), Vector3(2, 2, 2))
	await physics(2)
	rig.advance()
	check(rig.sees(made), "out of a box")


func test_mask_of_nothing_casts_nothing() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	wall(Vector3(0, 1, -3), SLAB)
	rig.eye.sight_blocking_mask = 0
	await physics(2)
	rig.advance()
	check(rig.sees(made), "nothing blocks")
	eq(_rays(), 0, "rays")


func test_aim_points_that_are_nodes() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var marker: Marker3D = Marker3D.new()
	marker.name = "Head"
	marker.position = Vector3(0, 4, 0)
	Rig.agent_of(made).add_child(marker)
	made.aim_point_paths = [NodePath("../Head"), NodePath("../Nobody")] as Array[NodePath]
	wall(Vector3(0, 1, -5), Vector3(6, 2, 0.4))
	await physics(2)
	rig.advance()
	check(rig.sees(made), "the head is seen")
	near(rig.eye.get_visible_fraction(made), 0.5, 0.0001, "one of the two points that there are")
	eq(rig.eye.get_visible_point_mask(made), 2, "the second")
	marker.free()
	rig.advance()
	check(not rig.sees(made), "without it there is nothing to see")


func test_line_of_sight_counts_and_needs_the_minimum() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	made.extra_aim_points = PackedVector3Array([Vector3(0, 4, 0)])
	wall(Vector3(0, 1, -5), Vector3(6, 2, 0.4))
	await physics(2)
	rig.advance()
	var before: int = _rays()
	check(rig.eye.has_line_of_sight(made), "one point is enough")
	eq(_rays(), before + 2, "rays are counted")
	rig.eye.sight_min_visible_points = 2
	check(not rig.eye.has_line_of_sight(made), "two are needed")
	check(not PerceptionServer.has_line_of_sight(rig.guard, made), "of the server, too")


func test_casts_of_a_muffled_noise() -> void:
	var rig: Rig = _guard()
	rig.eye.hearing_occlusion = true
	rig.eye.sight_enabled = false
	var made: StimulusSource3D = rig.source(Vector3(0, 1, -14))
	wall(Vector3(0, 1, -5), SLAB)
	await physics(2)
	PerceptionServer.report_noise(Vector3(0, 1, -14), 2.0, made)
	rig.advance()
	check(rig.hears(made), "behind one wall")
	eq(_rays(), 2, "one hit, and one to see that there is no more")
	wall(Vector3(0, 1, -8), SLAB)
	await physics(2)
	PerceptionServer.report_noise(Vector3(0, 1, -14), 2.0, made)
	rig.advance()
	check(not rig.hears(made), "not behind two")


func test_bodies_of_who_makes_and_who_hears_a_noise_do_not_muffle_it() -> void:
	var rig: Rig = _guard()
	rig.eye.hearing_occlusion = true
	rig.eye.sight_enabled = false
	var made: StimulusSource3D = _person(14)
	for holder: Node3D in [made.get_parent() as Node3D, rig.guard] as Array[Node3D]:
		var near_it: float = -12.0 if holder == made.get_parent() else -2.0
		for i: int in 3:
			wall(Vector3(0, 1, near_it + 0.5 * i), SLAB).reparent(holder)
	wall(Vector3(0, 1, -6), SLAB)
	await physics(2)
	PerceptionServer.report_noise(Vector3(0, 1, -14), 2.0, made)
	rig.advance()
	check(rig.hears(made), "one wall counts")
	rig.eye.hearing_occlusion_mask = 0
	PerceptionServer.report_noise(Vector3(0, 1, -14), 2.0, made)
	rig.advance()
	check(rig.hears(made), "with no layer nothing muffles")
	eq(_rays(), 0, "and nothing is cast")


func test_noise_on_a_surface_is_not_muffled_by_it() -> void:
	var rig: Rig = _guard()
	rig.eye.hearing_occlusion = true
	rig.eye.sight_enabled = false
	wall(Vector3(0, -0.5, 0), Vector3(40, 1, 40))
	await physics(2)
	check(PerceptionServer.report_noise(Vector3(0, 0, -12)), "reported")
	rig.advance()
	eq(rig.count(&"noise_heard"), 1, "a step on the floor")
	wall(Vector3(0, 1, -6), SLAB)
	await physics(2)
	PerceptionServer.report_noise(Vector3(0, 0, -12))
	rig.advance()
	eq(rig.count(&"noise_heard"), 1, "but by a wall before it")


func test_rays_of_two_dimensions() -> void:
	var eye: Perception2D = _flat_eye()
	var target: StimulusSource2D = _flat_source(Vector2(300, 0))
	var slab: StaticBody2D = _flat_wall(Vector2(150, 0))
	await physics(2)
	eye.advance(0.1)
	check(not eye.can_sense(target, 1), "a wall blocks")
	check(not eye.has_line_of_sight(target), "the line of sight, too")
	eye.sight_exclude_paths = [eye.get_path_to(slab)] as Array[NodePath]
	eye.advance(0.1)
	check(eye.can_sense(target, 1), "unless it is excluded")
	eye.sight_exclude_paths = [] as Array[NodePath]
	slab.collision_layer = 2
	await physics(2)
	eye.advance(0.1)
	check(eye.can_sense(target, 1), "or on another layer")
	eye.sight_blocking_mask = 2
	eye.advance(0.1)
	check(not eye.can_sense(target, 1), "that is in the mask now")
	slab.reparent(eye.get_parent())
	await physics(2)
	eye.advance(0.1)
	check(eye.can_sense(target, 1), "its own body does not block")


func test_agents_of_two_dimensions_are_seen_through() -> void:
	var eye: Perception2D = _flat_eye()
	var target: StimulusSource2D = _flat_source(Vector2(300, 0))
	var other: CharacterBody2D = CharacterBody2D.new()
	other.position = Vector2(150, 0)
	other.add_child(_flat_shape())
	var between_them: StimulusSource2D = StimulusSource2D.new()
	between_them.affiliation_tags = ["Team.Blue"]
	other.add_child(between_them)
	add_child(other)
	eye.ignored_tags = ["Team.Blue"]
	await physics(2)
	eye.advance(0.1)
	check(eye.can_sense(target, 1), "through a character")
	eq(_rays(), 2, "casts")
	eye.sight_blocked_by_agents = true
	eye.advance(0.1)
	check(not eye.can_sense(target, 1), "not any more")


func test_noise_of_two_dimensions_is_muffled() -> void:
	var eye: Perception2D = _flat_eye()
	eye.hearing_occlusion = true
	var target: StimulusSource2D = _flat_source(Vector2(-280, 0))
	await physics(2)
	PerceptionServer.report_noise_2d(Vector2(-280, 0), 1.0, target)
	eye.advance(0.1)
	check(eye.can_sense(target, 2), "free")
	_flat_wall(Vector2(-150, 0))
	await physics(2)
	PerceptionServer.report_noise_2d(Vector2(-280, 0), 1.0, target)
	eye.advance(0.1)
	check(not eye.can_sense(target, 2), "behind a wall")


func test_outside_the_physics_step() -> void:
	var threaded: bool = ProjectSettings.get_setting_with_override("physics/3d/run_on_separate_thread")
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var unknown: StimulusSource3D = rig.source(FAR + Vector3(0, 0, 25))
	var slab: StaticBody3D = wall(Vector3(60, 1, 0), SLAB)
	await physics(2)
	rig.advance()
	slab.global_position = Vector3(0, 1, -3)
	await physics(2)
	await idle()
	check(not Engine.is_in_physics_frame(), "outside")
	if threaded:
		expect_warning("has_line_of_sight() outside the physics step", 1)
		check(rig.eye.has_line_of_sight(made), "the last check saw it")
		check(not rig.eye.has_line_of_sight(unknown), "and knows nothing of others")
		rig.advance()
		check(rig.sees(made), "the verdict stays")
	else:
		check(not rig.eye.has_line_of_sight(made), "rays can be cast")
		rig.advance()
		check(not rig.sees(made), "at any time")
	await physics()
	check(not rig.eye.has_line_of_sight(made), "in the step")
	rig.advance()
	check(not rig.sees(made), "the wall counts")


func _box_shape(size: Vector3) -> CollisionShape3D:
	var box: BoxShape3D = BoxShape3D.new()
	box.size = size
	var shape: CollisionShape3D = CollisionShape3D.new()
	shape.shape = box
	return shape


func _one_box() -> MeshLibrary:
	var library: MeshLibrary = MeshLibrary.new()
	library.create_item(0)
	var box: BoxShape3D = BoxShape3D.new()
	box.size = Vector3(2, 2, 2)
	library.set_item_shapes(0, [box, Transform3D()])
	return library


func _flat_shape() -> CollisionShape2D:
	var box: RectangleShape2D = RectangleShape2D.new()
	box.size = Vector2(20, 200)
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = box
	return shape


func _flat_wall(at: Vector2) -> StaticBody2D:
	var body: StaticBody2D = StaticBody2D.new()
	body.position = at
	body.add_child(_flat_shape())
	add_child(body)
	return body


func _flat_eye() -> Perception2D:
	var body: CharacterBody2D = CharacterBody2D.new()
	body.add_child(_flat_shape())
	var eye: Perception2D = Perception2D.new()
	eye.process_callback = Perception2D.PROCESS_MANUAL
	body.add_child(eye)
	add_child(body)
	return eye


func _flat_source(at: Vector2) -> StimulusSource2D:
	var agent: Node2D = Node2D.new()
	agent.position = at
	var made: StimulusSource2D = StimulusSource2D.new()
	agent.add_child(made)
	add_child(agent)
	return made
