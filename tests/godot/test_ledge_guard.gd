extends TestCase
## LedgeGuard3D on a platform whose edge is a straight line along x, ten physics steps a second.

const Mover := preload("res://support/mover.gd")
const RAYS := "riposte/ledge_guard_rays"

var body: Mover
var guard: LedgeGuard3D
var told: PackedStringArray = []


## A platform 2 m high that ends at z = `edge`, over a pit, and a body on it at the origin.
func _stage(edge: float, walk: Vector3 = Vector3.ZERO) -> void:
	var ticks: int = Engine.physics_ticks_per_second
	Engine.physics_ticks_per_second = 10
	tree_exiting.connect(func() -> void: Engine.physics_ticks_per_second = ticks)
	wall(Vector3(0, -1, edge + 10), Vector3(40, 2, 20))
	await physics(2)
	body = Mover.new()
	body.gravity = 10.0
	body.collision_layer = 2
	var foot: CollisionShape3D = _collision_3d(CylinderShape3D.new())
	(foot.shape as CylinderShape3D).radius = 0.05
	(foot.shape as CylinderShape3D).height = 1.0
	foot.position.y = 0.5
	body.add_child(foot)
	guard = LedgeGuard3D.new()
	body.add_child(guard)
	guard.guard_changed.connect(func(active: bool) -> void: told.append("active %s" % active))
	guard.edge_stopped.connect(func() -> void: told.append("edge"))
	body.position.y = 0.02
	add(body)
	await physics(3)
	check(body.is_on_floor(), "it stands")
	body.walk = walk


func _rays() -> int:
	return int(Performance.get_custom_monitor(RAYS))


## The step that the guard allows instead of 0.3 m straight ahead.
func _ahead() -> Vector3:
	return guard.constrain(Vector3(0, 0, -0.3))


func test_ex_35_e35() -> void:
	await _stage(-0.2)
	guard.acquire_key(&"test")
	near(_ahead(), Vector3(-0.15, 0, -0.15), 0.0001, "edge at -0.2")
	body.position.z = -0.15
	near(_ahead(), Vector3(-0.075, 0, -0.020096), 0.0001, "edge at -0.05")
	body.position.z = -0.2
	eq(_ahead(), Vector3.ZERO, "edge at 0")
	eq(_rays(), 6 + 10 + 11, "rays: one per angle until one has floor")


func test_ex_35_e36() -> void:
	await _stage(-5.0)
	var a: Node = Node.new()
	var b: RefCounted = RefCounted.new()
	var first: int = guard.acquire(a)
	var second: int = guard.acquire(b)
	check(first > 0 and second > 0 and first != second, "handles")
	eq(guard.get_hold_count(), 2, "both")
	check(guard.release(first), "A gives back")
	check(guard.is_guarding(), "B still holds")
	check(not guard.release(first), "only once")
	b = null
	check(guard.is_guarding(), "not before the next step")
	await physics()
	check(not guard.is_guarding(), "B is gone")
	eq(told, ["active true", "active false"], "told once each")
	a.free()


func test_ex_35_e37() -> void:
	await _stage(-0.05)
	guard.acquire_key(&"test")
	body.velocity.y = 3.0
	eq(_ahead(), Vector3(0, 0, -0.3), "it rises")
	body.velocity.y = 0.0
	eq(guard.constrain(Vector3(0, 0.3, -0.3)), Vector3(0, 0.3, -0.3), "so does the step")
	check(_ahead().z > -0.05, "else it is constrained")
	body.walk = Vector3(0, 0, -3)
	body.jump = 3.0
	await physics(12)
	check(body.position.z < -1.0 and body.position.y < 0.0, "a jump over the edge is not held back")


func test_a_dodge_slides_along_the_edge() -> void:
	await _stage(-1.0, Vector3(1, 0, -4))
	guard.acquire_key(&"dodge")
	await physics(20)
	check(body.position.z >= -1.001, "it did not fall: z = %s" % body.position.z)
	near(body.position.y, 0.0, 0.02, "it stands")
	check(body.position.x > 0.3, "and slid to the right: x = %s" % body.position.x)
	check(body.is_on_floor(), "as the game sees it")
	eq(told.count("edge"), 1, "told once")
	guard.release_key(&"dodge")
	await physics(5)
	check(body.position.y < -0.3, "without the guard it falls")


func test_straight_at_the_edge_it_stops() -> void:
	await _stage(-1.0, Vector3(0, 0, -4))
	guard.acquire_key(&"dodge")
	await physics(20)
	check(body.position.z >= -1.001, "it did not fall: z = %s" % body.position.z)
	near(body.position.y, 0.0, 0.02, "it stands")
	body.walk = Vector3(0, 0, 3)
	await physics(3)
	check(body.position.z > -0.3, "and walks back freely")
	body.walk = Vector3(0, 0, -4)
	await physics(6)
	eq(told.count("edge"), 2, "told again at the next visit")


func test_manual_mode() -> void:
	await _stage(-1.0, Vector3(1, 0, -4))
	guard.mode = LedgeGuard3D.MODE_MANUAL
	body.guard = guard
	guard.acquire_key(&"dodge")
	await physics(20)
	check(body.position.z >= -1.001, "it did not fall: z = %s" % body.position.z)
	check(body.position.x > 0.3 and body.position.y > -0.02, "it slid")
	guard.release_key(&"dodge")
	await physics(5)
	check(body.position.y < -0.3, "without a hold it falls")


func test_stairs_are_no_ledge() -> void:
	await _stage(-1.0, Vector3(0, 0, -3))
	wall(Vector3(0, -1.4, -6), Vector3(40, 2, 10))
	guard.acquire_key(&"dodge")
	await physics(12)
	check(body.position.z < -2.0, "down the step of 0.4 m: z = %s" % body.position.z)
	near(body.position.y, -0.4, 0.02, "it stands on the next one")


func test_a_body_whose_origin_is_in_its_middle() -> void:
	await _stage(-1.0, Vector3(0, 0, -4))
	(body.get_child(0) as Node3D).position.y = 0.0
	body.position.y = 0.6
	body.walk = Vector3.ZERO
	await physics(3)
	body.walk = Vector3(0, 0, -4)
	guard.acquire_key(&"dodge")
	await physics(10)
	check(body.position.z >= -1.001 and body.position.z < -0.8, "to the edge: z = %s" % body.position.z)


func test_rays_are_counted_and_few() -> void:
	var others: int = get_tree().physics_frame.get_connections().size()
	await _stage(-1.0)
	check(not guard.is_physics_processing(), "no hold: not processed")
	eq(get_tree().physics_frame.get_connections().size(), others, "nor before the step")
	body.walk = Vector3(0, 0, -0.5)
	await physics()
	eq(_rays(), 0, "no hold, no ray")
	body.walk = Vector3.ZERO
	guard.acquire_key(&"dodge")
	check(guard.is_physics_processing(), "held: processed")
	await physics()
	eq(_rays(), 0, "it stands: no ray")
	body.walk = Vector3(0, 0, -0.5)
	await physics()
	eq(_rays(), 1, "one ray on free ground")
	body.walk = Vector3(0, 0, -40)
	var most: int = 0
	for i: int in 6:
		await physics()
		most = maxi(most, _rays())
	eq(most, 11, "never more than 11 at the edge")
	guard.release_key(&"dodge")
	check(not guard.is_physics_processing(), "released: not processed")


func test_a_warp_does_not_pull_it_over() -> void:
	for guard_first: bool in [true, false]:
		await _stage(-1.0)
		var warp: MotionWarp3D = MotionWarp3D.new()
		body.add_child(warp)
		if not guard_first:
			body.move_child(warp, 0)
		guard.acquire_key(&"lunge")
		warp.set_target_point(&"Target", Vector3(0, 0, -6))
		warp.begin_window(&"Target", 1.0)
		var most: int = 0
		for i: int in 12:
			await physics()
			most = maxi(most, _rays())
		check(body.position.z >= -1.001, "it did not fall: z = %s" % body.position.z)
		check(body.position.z < -0.5, "but came to the edge: z = %s" % body.position.z)
		near(body.position.y, 0.0, 0.02, "it stands")
		check(most > 1 and most <= 11, "with 11 rays a step at the most: %s" % most)
		body.free()


func test_holds() -> void:
	await _stage(-5.0)
	expect_error("acquire() got no holder", 1)
	eq(guard.acquire(null), 0, "nobody")
	var gone: Node = Node.new()
	gone.free()
	eq(guard.acquire(gone), 0, "freed")
	check(not guard.release(0) and not guard.release(99), "unknown")
	check(not guard.release_key(&"never"), "unknown")
	guard.acquire_key(&"a")
	guard.acquire_key(&"a")
	eq(guard.get_hold_count(), 1, "one hold per key")
	guard.acquire_key(&"b")
	check(guard.release_key(&"a") and not guard.release_key(&"a") and guard.is_guarding(), "b still holds")
	check(guard.release_key(&"b") and not guard.is_guarding(), "nobody holds")
	expect_error("displacement that is not finite", 1)
	eq(guard.constrain(Vector3(NAN, 0, 0)), Vector3.ZERO, "refused")
	eq(guard.constrain(Vector3(1, 2, 3)), Vector3(1, 2, 3), "as it was")


func test_a_track_holds_it() -> void:
	await _stage(-5.0)
	guard.name = "Guard"
	var dodge: Animation = Animation.new()
	dodge.length = 0.5
	var track: int = dodge.add_track(Animation.TYPE_METHOD)
	dodge.track_set_path(track, ^"Guard")
	dodge.track_insert_key(track, 0.0, {"method": &"acquire_key", "args": [&"dodge"]})
	dodge.track_insert_key(track, 0.3, {"method": &"release_key", "args": [&"dodge"]})
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"dodge", dodge)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.callback_mode_method = AnimationMixer.ANIMATION_CALLBACK_MODE_METHOD_IMMEDIATE
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	player.add_animation_library(&"", library)
	body.add_child(player)
	player.play(&"dodge")
	player.advance(0.1)
	check(guard.is_guarding(), "acquired by the track")
	player.advance(0.3)
	check(not guard.is_guarding(), "released by the track")


func test_handlers_may_free_it() -> void:
	await _stage(-0.5, Vector3(0, 0, -4))
	guard.acquire_key(&"dodge")
	guard.edge_stopped.connect(func() -> void: body.queue_free())
	await physics(6)
	check(not is_instance_valid(body), "freed at the edge")
	await _stage(-0.5)
	guard.guard_changed.connect(func(active: bool) -> void:
		if active:
			guard.release_key(&"again"))
	guard.acquire_key(&"again")
	check(not guard.is_guarding(), "released by its own signal")


func test_leaving_the_tree_keeps_the_holds() -> void:
	await _stage(-1.0, Vector3(0, 0, -4))
	guard.acquire_key(&"dodge")
	remove_child(body)
	check(guard.is_guarding(), "still held")
	add_child(body)
	await physics(15)
	check(body.position.z >= -1.001 and body.position.y > -0.02, "and it guards again")


func test_authority_does_not_matter() -> void:
	await _stage(-1.0, Vector3(0, 0, -4))
	body.set_multiplayer_authority(77)
	guard.acquire_key(&"dodge")
	await physics(15)
	check(body.position.z >= -1.001 and body.position.y > -0.02, "it guards where it is called")
