extends TestCase
## Sight with real rays and real bodies. Files with _physics_ in their name run under both physics engines.

const Rig := preload("res://support/perception_rig.gd")
const FAR: Vector3 = Vector3(0, 1, -6)
const BETWEEN: Vector3 = Vector3(0, 1, -3)
const ASIDE: Vector3 = Vector3(60, 1, 0)
const SLAB: Vector3 = Vector3(6, 6, 0.4)


## A perceiver on a real body, its eye inside the body.
func _guard() -> Rig:
	var rig: Rig = Rig.new(self, character(Vector3.ZERO, "Guard", 1))
	rig.eye.eye_offset = Vector3(0, 1, 0)
	return rig


func _moved(body: Node3D, to: Vector3) -> void:
	body.global_position = to
	await physics(2)


func test_ex_10_5() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var slab: StaticBody3D = wall(ASIDE, SLAB)
	await physics(2)
	for i: int in 8:
		rig.place(made, FAR + Vector3(0.1 * i, 0, 0))
		rig.advance()
	check(rig.sees(made), "seen in tick 7")
	await _moved(slab, BETWEEN)
	rig.place(made, FAR + Vector3(0.8, 0, 0))
	rig.advance(60)
	eq(rig.ticks_of(&"target_sight_lost"), PackedInt32Array([8]), "sight lost in tick 8")
	eq(rig.ticks_of(&"target_lost"), PackedInt32Array([57]), "forgotten in tick 57")
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_FORGOTTEN, "reason")
	eq(rig.first(&"target_lost").location, FAR + Vector3(0.1 * 7, 0, 0), "location is that of tick 7")


func test_wall_blocks_and_an_opening_does_not() -> void:
	var rig: Rig = _guard()
	var behind: StimulusSource3D = rig.source(FAR)
	var free: StimulusSource3D = rig.source(FAR + Vector3(4, 0, 0))
	var slab: StaticBody3D = wall(BETWEEN, Vector3(2, 6, 0.4))
	await physics(2)
	rig.advance()
	check(not rig.sees(behind), "behind the wall")
	check(rig.sees(free), "beside the wall")
	slab.queue_free()
	await physics(2)
	rig.advance()
	check(rig.sees(behind), "the wall is gone")


func test_low_wall_is_seen_over() -> void:
	var rig: Rig = _guard()
	rig.eye.eye_offset = Vector3(0, 1.6, 0)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -6))
	made.sight_target_offset = Vector3(0, 1, 0)
	wall(Vector3(0, 0.5, -3), Vector3(6, 1, 0.4))
	await physics(2)
	rig.advance()
	check(rig.sees(made), "eye and aim point are above it")
	made.sight_target_offset = Vector3(0, 0.2, 0)
	rig.advance()
	check(not rig.sees(made), "a low aim point is hidden")


func test_blocking_mask_names_the_layers() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var glass: StaticBody3D = wall(BETWEEN, SLAB)
	glass.collision_layer = 2
	await physics(2)
	eq(rig.eye.sight_blocking_mask, 1, "default: layer 1")
	rig.advance()
	check(rig.sees(made), "layer 2 is not in the mask")
	rig.eye.sight_blocking_mask = 3
	rig.advance()
	check(not rig.sees(made), "now it is")
	glass.collision_layer = 4
	await physics(2)
	rig.advance()
	check(rig.sees(made), "the wall changed its layer")
	glass.collision_layer = 1
	rig.eye.sight_blocking_mask = 0
	await physics(2)
	rig.advance()
	check(rig.sees(made), "mask 0: nothing blocks")


func test_own_bodies_do_not_block() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var visor: StaticBody3D = wall(Vector3(0, 1, -1), Vector3(2, 2, 0.1))
	visor.reparent(rig.guard)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "a body below the perceiver's agent is ignored")
	visor.reparent(self)
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "the same body on its own blocks")


func test_bodies_of_the_target_do_not_block() -> void:
	var rig: Rig = _guard()
	var body: CharacterBody3D = character(FAR - Vector3(0, 1, 0), "Prey", 1)
	var made: StimulusSource3D = StimulusSource3D.new()
	body.add_child(made)
	var shield: StaticBody3D = wall(FAR + Vector3(0, 0, 1), Vector3(2, 2, 0.1))
	shield.reparent(body)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "the hit on the target's child collider counts as visible")
	shield.reparent(self)
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "the same body on its own blocks")


func test_areas_do_not_block() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var area: Area3D = Area3D.new()
	var shape: CollisionShape3D = CollisionShape3D.new()
	var box: BoxShape3D = BoxShape3D.new()
	box.size = SLAB
	shape.shape = box
	area.add_child(shape)
	area.position = BETWEEN
	add_child(area)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "an area on the mask does not block")


func test_wall_behind_the_target_does_not_matter() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	wall(FAR + Vector3(0, 0, -1), SLAB)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "the ray ends at the target")


func test_noise_goes_through_walls() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	wall(BETWEEN, SLAB)
	await physics(2)
	PerceptionServer.report_noise(FAR, 1.0, made)
	rig.advance()
	check(not rig.sees(made), "not seen")
	check(rig.hears(made), "but heard")


func test_line_of_sight_ignores_radius_cone_and_tags() -> void:
	var rig: Rig = _guard()
	rig.eye.detectable_tags = ["Team.Blue"]
	rig.eye.enabled = false
	var behind: StimulusSource3D = rig.source(Vector3(0, 1, 80))
	var hidden: StimulusSource3D = rig.source(FAR)
	wall(BETWEEN, SLAB)
	await physics(2)
	check(rig.eye.has_line_of_sight(behind), "far, behind the back, other tags, disabled")
	check(not rig.eye.has_line_of_sight(hidden), "a wall between")
	check(PerceptionServer.has_line_of_sight(rig.guard, Rig.agent_of(behind)), "the server says the same")
	check(not PerceptionServer.has_line_of_sight(rig.guard, Rig.agent_of(hidden)), "for both")
	check(not rig.eye.has_line_of_sight(null), "null")


func test_line_of_sight_between_nodes_without_components() -> void:
	var from: Node3D = Node3D.new()
	var to: Node3D = Node3D.new()
	from.position = Vector3(0, 1, 0)
	to.position = FAR
	add_child(from)
	add_child(to)
	await physics(2)
	check(PerceptionServer.has_line_of_sight(from, to), "free")
	wall(BETWEEN, SLAB)
	await physics(2)
	check(not PerceptionServer.has_line_of_sight(from, to), "blocked")
	check(not PerceptionServer.has_line_of_sight(from, null), "null")


func test_physics_frames_tick_a_guard_with_defaults() -> void:
	var body: CharacterBody3D = character(Vector3.ZERO, "Guard", 1)
	var eye: Perception3D = Perception3D.new()
	body.add_child(eye)
	var player: CharacterBody3D = character(Vector3(0, 0, -6), "Player", 1)
	player.add_child(StimulusSource3D.new())
	var slab: StaticBody3D = wall(ASIDE, SLAB)
	await physics(12)
	check(eye.can_sense(player, PerceptionEvent.SENSE_SIGHT), "seen within two intervals")
	await _moved(slab, BETWEEN)
	await physics(12)
	check(not eye.can_sense(player, PerceptionEvent.SENSE_SIGHT), "hidden by the wall")
	check(eye.has_target(player), "but remembered")
	await physics(330)
	check(not eye.has_target(player), "and forgotten after five seconds")


func test_sight_switches_on_and_off_with_a_door() -> void:
	var rig: Rig = _guard()
	var made: StimulusSource3D = rig.source(FAR)
	var door: StaticBody3D = wall(ASIDE, SLAB)
	await physics(2)
	for i: int in 3:
		rig.advance()
		await _moved(door, BETWEEN)
		rig.advance()
		await _moved(door, ASIDE)
	eq(rig.count(&"target_perceived"), 1, "perceived once")
	eq(rig.count(&"target_sight_gained"), 3, "gained three times")
	eq(rig.count(&"target_sight_lost"), 3, "lost three times")
