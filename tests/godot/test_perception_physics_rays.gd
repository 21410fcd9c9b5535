extends TestCase
## What rays hit and what they pass, with real bodies in both dimensions. Runs under both physics engines, also with
## physics on a thread of its own.

const Field := preload("res://support/field.gd")


## A perceiver on a real body.
func _field(in_2d: bool) -> Field:
	return Field.on_a_body(self, in_2d)


## Waits until bodies that were made, moved or changed are in the space.
func _settled() -> void:
	await physics(3)


func test_ex_10_15() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		field.eye.set(&"sight_min_visible_points", 2)
		var made: Node = field.source(10.0)
		made.set(&"extra_aim_points", PackedVector2Array([field.place(0, 2), field.place(0, 4)]) if in_2d else PackedVector3Array([Vector3(2, 0, 0), Vector3(4, 0, 0)]))
		field.wall(9.0, 3.6, 0.5, 0.2)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("two of three points are enough"))
		near(field.eye.call(&"get_visible_fraction", made), 0.6667, 0.0001, field.named("fraction"))
		eq(field.eye.call(&"get_visible_point_mask", made), 3, field.named("points 0 and 1"))
		near(field.first(&"target_perceived").event.visible_fraction, 0.6667, 0.0001, field.named("in the event"))
		field.eye.set(&"sight_min_visible_points", 3)
		field.advance()
		check(not field.sees(made), field.named("but not when three are needed"))
		eq(field.eye.call(&"get_visible_fraction", made), 0.0, field.named("0 when not seen"))
		field.clear()


func test_ex_10_18() -> void:
	var field: Field = Field.new(self, false)
	field.eye.set(&"detection_time", 2.0)
	var angle: float = deg_to_rad(22.5)
	var made: Node = field.source(10.0 * cos(angle), 10.0 * sin(angle))
	made.set(&"extra_aim_points", PackedVector3Array([Vector3(0, 2, 0), Vector3(0, -2, 0)]))
	# A slab on the way to the lower point, a metre below the other two.
	wall(Vector3(5.0 * sin(angle), -1.0, -5.0 * cos(angle)), Vector3(2, 0.4, 2))
	await _settled()
	field.advance(33)
	near(field.eye.call(&"get_detection", made), 0.5, 1e-5, "0.15625 per second")
	field.advance(35)
	eq(field.ticks_of(&"detection_started"), [1], "started")
	eq(field.ticks_of(&"target_perceived"), [64], "perceived in tick 64")
	near(field.eye.call(&"get_visible_fraction", made), 0.6667, 0.0001, "fraction")


func test_ex_10_21() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		field.eye.set(&"hearing_occlusion", true)
		field.eye.set(&"sight_enabled", false)
		var made: Node = field.source(14.0)
		field.wall(6.0, 0.0, 4.0)
		await _settled()
		field.noise(14.0, 0.0, 2.0, made)
		field.advance()
		eq(field.count(&"noise_heard"), 1, field.named("one wall halves 30 to 15: heard"))
		eq(field.first(&"noise_heard").event.strength, 2.0, field.named("strength is the loudness as reported"))
		field.wall(9.0, 0.0, 4.0)
		await _settled()
		field.noise(14.0, 0.0, 2.0, made)
		field.advance()
		eq(field.count(&"noise_heard"), 1, field.named("two walls leave 7.5: not heard"))
		field.eye.set(&"hearing_max_occluders", 1)
		field.noise(14.0, 0.0, 2.0, made)
		field.advance()
		eq(field.count(&"noise_heard"), 2, field.named("only one is counted: heard"))
		field.eye.set(&"hearing_occlusion", false)
		field.eye.set(&"hearing_max_occluders", 4)
		field.noise(14.0, 0.0, 2.0, made)
		field.advance()
		eq(field.count(&"noise_heard"), 3, field.named("switched off: heard"))
		field.clear()


func test_occluders_that_do_not_count() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		field.eye.set(&"hearing_occlusion", true)
		field.eye.set(&"hearing_occlusion_factor", 0.0)
		field.eye.set(&"sight_enabled", false)
		var body: Node = field.put(field.new_character(), 10.0)
		field.source_of(body)
		var glass: Node = field.wall(5.0, 0.0, 4.0, 0.4, 2)
		await _settled()
		field.noise(10.0, 0.0, 1.0, body)
		field.advance()
		eq(field.count(&"noise_heard"), 1, field.named("neither the bodies of both agents nor another layer"))
		field.eye.set(&"hearing_occlusion_mask", 3)
		field.noise(10.0, 0.0, 1.0, body)
		field.advance()
		eq(field.count(&"noise_heard"), 1, field.named("a layer of the mask with factor 0 silences"))
		glass.free()
		await _settled()
		field.noise(10.0, 0.0, 1.0, body)
		field.advance()
		eq(field.count(&"noise_heard"), 2, field.named("gone, it does not"))
		field.clear()


func test_ex_10_36() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		for ahead: float in [3.0, 6.0]:
			var body: Node = field.put(field.new_character(), ahead)
			# Agents that cannot be seen, so that all rays go to the target.
			field.source_of(body).set(&"registered_senses", PerceptionEvent.SENSE_HEARING)
		var made: Node = field.source(9.0)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("seen through two agents"))
		eq(PerceptionServer.get_stats().rays, 3, field.named("with 3 casts"))
		field.eye.set(&"sight_blocked_by_agents", true)
		field.advance()
		check(not field.sees(made), field.named("not when agents block"))
		field.clear()


func test_five_casts_at_most() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		for i: int in 4:
			var body: Node = field.put(field.new_character(), 2.0 + 1.5 * i)
			field.source_of(body).set(&"registered_senses", 0)
		var made: Node = field.source(15.0)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("four agents are passed"))
		var fifth: Node = field.put(field.new_character(), 11.0)
		field.source_of(fifth).set(&"registered_senses", 0)
		await _settled()
		field.advance()
		check(not field.sees(made), field.named("five are not"))
		eq(PerceptionServer.get_stats().rays, 5, field.named("casts"))
		field.clear()


func test_blocks_sight() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var crate: Node = field.box(StaticBody2D.new() if in_2d else StaticBody3D.new(), 2.0, 1.0)
		field.put(crate, 4.0)
		var thing: Node = field.source_of(crate)
		thing.set(&"registered_senses", 0)
		var pawn: Node = field.put(field.new_character(), 4.0, 8.0)
		var pawn_source: Node = field.source_of(pawn)
		pawn_source.set(&"registered_senses", 0)
		var behind_crate: Node = field.source(8.0)
		var behind_pawn: Node = field.source(8.0, 16.0)
		await _settled()
		field.eye.set(&"sight_fov_degrees", 180.0)
		field.advance()
		eq([field.sees(behind_crate), field.sees(behind_pawn)], [false, true], field.named("AUTO: things block, characters do not"))
		thing.set(&"blocks_sight", 1)
		pawn_source.set(&"blocks_sight", 2)
		field.advance()
		eq([field.sees(behind_crate), field.sees(behind_pawn)], [true, false], field.named("NEVER and ALWAYS"))
		thing.set(&"blocks_sight", 0)
		field.perceiver(crate)
		field.advance()
		check(field.sees(behind_crate), field.named("AUTO: an agent with a Perception does not block"))
		field.clear()


func test_areas() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var made: Node = field.source(8.0)
		field.put(field.box(Area2D.new() if in_2d else Area3D.new(), 4.0, 0.5), 4.0)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("an area does not block"))
		field.eye.set(&"sight_hit_areas", true)
		field.advance()
		check(not field.sees(made), field.named("unless areas count"))
		field.clear()


func test_own_and_excluded_bodies() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var made: Node = field.source(8.0)
		var shield: Node = field.put(field.box(StaticBody2D.new() if in_2d else StaticBody3D.new(), 3.0, 0.2), 1.0, 0.0, field.guard)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("own bodies do not block"))
		shield.reparent(self)
		await _settled()
		field.advance()
		check(not field.sees(made), field.named("what was let go does"))
		var rack: Node = field.agent(0.0)
		shield.reparent(rack)
		field.eye.set(&"sight_exclude_paths", [field.eye.get_path_to(rack)] as Array[NodePath])
		await _settled()
		field.advance()
		check(field.sees(made), field.named("unless its subtree is excluded"))
		field.eye.set(&"sight_exclude_paths", [] as Array[NodePath])
		field.advance()
		check(not field.sees(made), field.named("and no longer"))
		field.clear()


func test_bodies_of_the_target() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var body: Node = field.put(field.new_character(), 8.0)
		field.source_of(body)
		var plate: Node = field.put(field.box(StaticBody2D.new() if in_2d else StaticBody3D.new(), 2.0, 0.2), -1.5, 0.0, body)
		await _settled()
		field.advance()
		check(field.sees(body), field.named("a hit on the target's own body is a sighting"))
		plate.reparent(self)
		await _settled()
		field.advance()
		check(not field.sees(body), field.named("the same plate on its own blocks"))
		field.clear()


func test_aim_points_by_path() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var made: Node = field.source(8.0)
		var body: Node = field.agent_of(made)
		var head: Node = field.put(Marker2D.new() if in_2d else Marker3D.new(), 0.0, 3.0, body)
		head.name = "Head"
		field.wall(7.0, 0.0, 1.0, 0.2)
		await _settled()
		field.advance()
		check(not field.sees(made), field.named("aim point 0 is hidden"))
		made.set(&"aim_point_paths", [NodePath("../Head")] as Array[NodePath])
		field.advance()
		check(field.sees(made), field.named("the head is not"))
		eq(field.eye.call(&"get_visible_point_mask", made), 2, field.named("point 1"))
		eq(made.call(&"get_aim_points").size(), 2, field.named("two points"))
		head.set(&"position", field.place(0.0))
		field.advance()
		check(not field.sees(made), field.named("it follows the node"))
		head.set(&"position", field.place(0.0, 3.0))
		head.queue_free()
		await _settled()
		field.advance()
		check(not field.sees(made), field.named("a path that does not resolve is left out"))
		eq(made.call(&"get_aim_points").size(), 1, field.named("one point is left"))
		field.clear()


func test_eye_inside_a_closed_shape() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var made: Node = field.source(8.0)
		field.wall(0.0, 0.0, 3.0, 3.0)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("it sees out of it"))
		field.clear()


func test_shapes_of_a_server_body_block() -> void:
	var field: Field = _field(false)
	var made: Node = field.source(8.0)
	var shape: RID = PhysicsServer3D.box_shape_create()
	PhysicsServer3D.shape_set_data(shape, Vector3(2, 2, 0.2))
	var body: RID = PhysicsServer3D.body_create()
	PhysicsServer3D.body_set_mode(body, PhysicsServer3D.BODY_MODE_STATIC)
	PhysicsServer3D.body_add_shape(body, shape)
	PhysicsServer3D.body_set_space(body, get_viewport().world_3d.space)
	PhysicsServer3D.body_set_state(body, PhysicsServer3D.BODY_STATE_TRANSFORM, Transform3D(Basis.IDENTITY, Vector3(0, 0, -4)))
	await _settled()
	field.advance()
	check(not field.sees(made), "a body without a node blocks")
	PhysicsServer3D.free_rid(body)
	PhysicsServer3D.free_rid(shape)
	await _settled()
	field.advance()
	check(field.sees(made), "and is gone without a trace")


func test_csg_and_grid_map_block() -> void:
	var field: Field = _field(false)
	var made: Node = field.source(8.0)
	var block: CSGBox3D = CSGBox3D.new()
	block.use_collision = true
	block.position = Vector3(0, 0, -4)
	add(block)
	await _settled()
	await idle(2)
	await _settled()
	field.advance()
	check(not field.sees(made), "CSG")
	block.free()
	var library: MeshLibrary = MeshLibrary.new()
	library.create_item(0)
	var cube: BoxShape3D = BoxShape3D.new()
	cube.size = Vector3(2, 2, 2)
	library.set_item_shapes(0, [cube, Transform3D.IDENTITY])
	var grid: GridMap = GridMap.new()
	grid.mesh_library = library
	add(grid)
	grid.set_cell_item(Vector3i(-1, -1, -3), 0)
	grid.set_cell_item(Vector3i(0, 0, -3), 0)
	grid.set_cell_item(Vector3i(-1, 0, -3), 0)
	grid.set_cell_item(Vector3i(0, -1, -3), 0)
	await _settled()
	await idle(2)
	await _settled()
	field.advance()
	check(not field.sees(made), "GridMap")
	grid.clear()
	await _settled()
	await idle(2)
	await _settled()
	field.advance()
	check(field.sees(made), "an empty GridMap does not")


func test_line_of_sight_at_any_time() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var free: Node = field.source(-40.0)
		var hidden: Node = field.source(8.0)
		field.wall(4.0, 0.0, 3.0)
		await _settled()
		check(field.eye.call(&"has_line_of_sight", free), field.named("free, behind the back"))
		check(not field.eye.call(&"has_line_of_sight", hidden), field.named("hidden"))
		field.advance()
		# Outside the physics step: with physics on its own thread the last check answers, with a warning.
		await get_tree().process_frame
		if ProjectSettings.get_setting("physics/%s/run_on_separate_thread" % ("2d" if in_2d else "3d")):
			expect_warning("has_line_of_sight")
		check(not field.eye.call(&"has_line_of_sight", hidden), field.named("hidden, asked in a frame"))
		await physics()
		field.clear()


func test_a_tick_outside_the_physics_step() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var made: Node = field.source(8.0)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("seen"))
		await get_tree().process_frame
		field.advance(3)
		check(field.sees(made), field.named("rays that cannot be cast leave the last verdict"))
		await physics()
		field.wall(4.0, 0.0, 3.0)
		await _settled()
		field.advance()
		check(not field.sees(made), field.named("hidden again"))
		field.clear()


func test_many_frames_of_real_time() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		field.eye.set(&"process_callback", PerceptionServer.PROCESS_PHYSICS)
		field.eye.set(&"update_interval", 0.0)
		var made: Node = field.source(8.0)
		var door: Node = field.wall(4.0, 30.0, 3.0)
		await _settled()
		for i: int in 4:
			door.set(&"position", field.place(4.0))
			await _settled()
			check(not field.sees(made), field.named("closed"))
			door.set(&"position", field.place(4.0, 30.0))
			await _settled()
			check(field.sees(made), field.named("open"))
		eq(field.count(&"target_sight_gained") - field.count(&"target_sight_lost"), 1, field.named("in turns"))
		field.clear()


func test_layers_of_the_mask() -> void:
	for in_2d: bool in [false, true]:
		var field: Field = _field(in_2d)
		var made: Node = field.source(8.0)
		var glass: Node = field.wall(4.0, 0.0, 3.0, 0.4, 2)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("layer 2 is not in the mask"))
		field.eye.set(&"sight_blocking_mask", 2)
		field.advance()
		check(not field.sees(made), field.named("now it is"))
		glass.set(&"collision_layer", 1 << 31)
		await _settled()
		field.advance()
		check(field.sees(made), field.named("the last layer"))
		field.eye.set(&"sight_blocking_mask", 0x80000000)
		field.advance()
		check(not field.sees(made), field.named("can be in it"))
		field.eye.set(&"sight_blocking_mask", 0)
		field.advance()
		check(field.sees(made), field.named("nothing blocks with mask 0"))
		field.clear()
