extends TestCase
## MotionWarp3D on bodies that move by themselves, ten physics steps a second.

const Mover := preload("res://support/mover.gd")

var body: Mover
var warp: MotionWarp3D
var foe: Node3D
var told: PackedStringArray = []


func _stage(target: Vector3 = Vector3(0, 0, -5), walk: Vector3 = Vector3(3, 0, 2)) -> void:
	var ticks: int = Engine.physics_ticks_per_second
	Engine.physics_ticks_per_second = 10
	tree_exiting.connect(func() -> void: Engine.physics_ticks_per_second = ticks)
	body = Mover.new()
	body.motion_mode = CharacterBody3D.MOTION_MODE_FLOATING
	body.walk = walk
	body.add_child(_collision_3d(SphereShape3D.new()))
	warp = MotionWarp3D.new()
	body.add_child(warp)
	warp.window_started.connect(func(named: StringName) -> void: told.append("started %s" % named))
	warp.window_ended.connect(func(named: StringName, reached: bool) -> void: told.append("ended %s %s" % [named, reached]))
	add(body)
	foe = Node3D.new()
	foe.position = target
	add(foe)
	await physics()
	body.position = Vector3.ZERO


func _z(steps: int) -> Array[float]:
	var found: Array[float] = []
	for i: int in steps:
		await physics()
		found.append(body.position.z)
	return found


func test_ex_35_e29() -> void:
	await _stage(Vector3(3, 0, -4))
	warp.set_target(&"Target", foe, 1.0)
	near(warp.get_warp_point(&"Target"), Vector3(2.4, 0, -3.2), 0.0001, "warp point")
	eq(warp.get_warp_point(&"Nobody"), Vector3.ZERO, "unknown: the agent's place")


func test_ex_35_e30() -> void:
	await _stage()
	warp.set_target(&"Target", foe)
	check(warp.begin_window(&"Target", 0.5), "opened")
	near(await _z(5), [-0.8, -1.6, -2.4, -3.2, -4.0], 0.001, "its own velocity does not count")
	near(body.position.x, 0.0, 0.001, "neither does what goes sideways")
	eq(told, ["started Target", "ended Target true"], "signals")
	await physics()
	near(body.position, Vector3(0.3, 0, -3.8), 0.001, "after the window it moves by itself")


func test_ex_35_e31() -> void:
	await _stage()
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	near(await _z(2), [-0.8, -1.6], 0.001, "before")
	foe.position.z = -6
	near(await _z(3), [-2.733333, -3.866667, -5.0], 0.001, "it follows the target")


func test_ex_35_e32() -> void:
	await _stage(Vector3(0, 0, -20))
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	near(await _z(5), [-2.0, -4.0, -6.0, -8.0, -10.0], 0.001, "max_speed")
	eq(told, ["started Target", "ended Target false"], "not reached")


func test_ex_35_e33() -> void:
	await _stage(Vector3(-5, 0, 0), Vector3.ZERO)
	var tags: TagContainer = TagContainer.new()
	tags.initial_tags = ["State.RotationLocked"]
	body.add_child(tags)
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	var left: Array[float] = []
	for i: int in 5:
		await physics()
		left.append(90.0 - rad_to_deg(body.rotation.y))
	near(left, [72.0, 54.0, 36.0, 18.0, 0.0], 0.01, "although its rotation is locked")


func test_the_agent_may_be_turned_by_itself_only() -> void:
	await _stage(Vector3(-5, 0, 0), Vector3.ZERO)
	warp.warp_rotation = false
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	await physics(5)
	eq(body.rotation.y, 0.0, "not turned")
	near(body.position, Vector3(-4, 0, 0), 0.001, "but moved")


func test_ex_35_e34() -> void:
	await _stage(Vector3(0, 0, -0.5), Vector3(1, 0, 0))
	warp.set_target(&"Target", foe, 0.0)
	warp.begin_window(&"Target", 0.5)
	near(await _z(5), [-0.1, -0.2, -0.3, -0.4, -0.5], 0.001, "offset 0 at 0.5 m: no pause")
	body.position = Vector3.ZERO
	warp.set_target(&"Target", foe, 1.0)
	warp.begin_window(&"Target", 0.5)
	near(await _z(3), [0.0, 0.0, 0.0], 0.001, "offset 1: it waits")
	near(body.position.x, 0.0, 0.001, "and does not move by itself")


func test_manual_mode() -> void:
	await _stage()
	warp.mode = MotionWarp3D.MODE_MANUAL
	body.warp = warp
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	near(await _z(5), [-0.8, -1.6, -2.4, -3.2, -4.0], 0.001, "the script asks for its velocity")
	eq(told, ["started Target", "ended Target true"], "signals")
	await physics()
	near(body.position, Vector3(0.3, 0, -3.8), 0.001, "its own velocity again")


func test_root_motion() -> void:
	await _stage(Vector3(0, 0, -5), Vector3.ZERO)
	body.set_script(script("""extends CharacterBody3D
func _physics_process(delta: float) -> void:
	var player: AnimationPlayer = get_node("Player")
	player.advance(delta)
	velocity = player.get_root_motion_position() / delta
	move_and_slide()
"""))
	var bone: Node3D = Node3D.new()
	bone.name = "Root"
	body.add_child(bone)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	var lunge: Animation = Animation.new()
	lunge.length = 1.0
	var track: int = lunge.add_track(Animation.TYPE_POSITION_3D)
	lunge.track_set_path(track, ^"Root")
	lunge.position_track_insert_key(track, 0.0, Vector3.ZERO)
	lunge.position_track_insert_key(track, 1.0, Vector3(0, 0, -2))
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"lunge", lunge)
	player.add_animation_library(&"", library)
	body.add_child(player)
	player.root_motion_track = ^"Root"
	player.play(&"lunge")
	await physics(2)
	near(body.position.z, -0.4, 0.01, "root motion alone")
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	near(await _z(5), [-1.12, -1.84, -2.56, -3.28, -4.0], 0.01, "it is corrected")
	await physics()
	near(body.position.z, -4.2, 0.01, "root motion alone again")


func test_a_freed_target_keeps_its_place() -> void:
	await _stage()
	warp.set_target(&"Target", foe)
	foe.position.z = -6
	foe.free()
	near(warp.get_warp_point(&"Target"), Vector3(0, 0, -5), 0.001, "where it was last, also while no window is open")
	warp.begin_window(&"Target", 0.2)
	near(await _z(2), [-2.0, -4.0], 0.001, "steps")
	near(warp.get_warp_point(&"Target"), Vector3(0, 0, -5), 0.001, "from its other side as well")


func test_a_window_without_a_target_does_nothing() -> void:
	await _stage(Vector3(0, 0, -5), Vector3(0, 0, -1))
	warp.begin_window(&"Target", 0.4)
	near(await _z(2), [-0.1, -0.2], 0.001, "it moves by itself")
	warp.set_target(&"Target", foe)
	near(await _z(2), [-2.1, -4.0], 0.001, "the window was remembered")


func test_the_first_window_wins() -> void:
	await _stage()
	warp.set_target(&"A", foe)
	warp.set_target_point(&"B", Vector3(9, 0, 0))
	warp.begin_window(&"A", 0.2)
	warp.begin_window(&"B", 0.4)
	near(await _z(2), [-2.0, -4.0], 0.001, "A was opened first")
	await physics(2)
	near(body.position, Vector3(0, 0, -4) + Vector3(9, 0, 4).normalized() * 4.0, 0.01, "then B, as fast as it may")
	eq(told, ["started A", "started B", "ended A true", "ended B false"], "signals")


func test_calls() -> void:
	await _stage()
	check(not warp.is_window_active(), "none")
	check(not warp.end_window(&"A"), "not open")
	check(not warp.clear_target(&"A"), "not set")
	expect_warning("begin_window() got 0 s", 1)
	check(not warp.begin_window(&"A", 0.0), "no time")
	check(not warp.begin_window(&"A", -1.0), "no time")
	warp.set_target_point(&"A", Vector3.ONE)
	check(warp.begin_window(&"A", 1.0), "opened")
	check(warp.is_window_active(&"A") and warp.is_window_active() and not warp.is_window_active(&"B"), "A is")
	check(warp.end_window(&"A"), "ended")
	check(warp.clear_target(&"A"), "cleared")
	eq(told, ["started A", "ended A false"], "signals")
	expect_error("set_target() got no Node3D", 1)
	warp.set_target(&"A", null)
	var gone: Node3D = Node3D.new()
	gone.free()
	warp.set_target(&"A", gone)
	expect_warning("set_target() got the offset -1", 1)
	warp.set_target(&"A", foe, -1.0)
	near(warp.get_warp_point(&"A"), foe.position, 0.001, "read as 0")
	expect_error("offset that is not finite", 1)
	warp.set_target(&"A", foe, NAN)
	expect_error("point that is not finite", 1)
	warp.set_target_point(&"A", Vector3(NAN, 0, 0))
	expect_error("warp_velocity() got 0", 1)
	eq(warp.warp_velocity(Vector3.ONE, 0.0), Vector3.ONE, "as it was")


func test_time() -> void:
	await _stage()
	warp.time_scale = 2.0
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.4)
	near(await _z(2), [-2.0, -4.0], 0.001, "twice as fast")
	body.position = Vector3.ZERO
	warp.time_scale = 0.0
	warp.begin_window(&"Target", 0.4)
	near(await _z(3), [0.0, 0.0, 0.0], 0.001, "time stands still, and so does the way")
	check(warp.is_window_active(), "still open")
	warp.time_scale = 1.0
	get_tree().paused = true
	await physics(3)
	get_tree().paused = false
	check(warp.is_window_active(), "a pause takes no time")
	near(await _z(4), [-1.0, -2.0, -3.0, -4.0], 0.001, "and then it goes on")


func test_walls_stop_it() -> void:
	await _stage(Vector3(0, 0, -5), Vector3.ZERO)
	wall(Vector3(0, 0, -3), Vector3(6, 4, 1))
	await physics()
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	await physics(5)
	near(body.position.z, -2.0, 0.02, "in front of the wall")
	eq(told, ["started Target", "ended Target false"], "not reached")


func test_vertical() -> void:
	await _stage(Vector3(0, 2, -5), Vector3.ZERO)
	warp.warp_vertical = true
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	await physics(5)
	near(body.position, Vector3(0, 2, -4), 0.001, "its height too")


func test_nothing_is_processed_without_a_window() -> void:
	var others: int = get_tree().physics_frame.get_connections().size()
	await _stage()
	warp.set_target(&"Target", foe)
	check(not warp.is_physics_processing(), "idle")
	eq(get_tree().physics_frame.get_connections().size(), others, "nor before the step")
	warp.begin_window(&"Target", 0.2)
	check(warp.is_physics_processing(), "open")
	await physics(2)
	check(not warp.is_physics_processing(), "idle again")
	eq(get_tree().physics_frame.get_connections().size(), others, "nor before the step")


func test_an_agent_with_a_later_priority() -> void:
	await _stage()
	body.process_physics_priority = 5
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	near(await _z(5), [-0.8, -1.6, -2.4, -3.2, -4.0], 0.001, "still after the agent")


func test_a_script_of_its_own() -> void:
	await _stage()
	warp.queue_free()
	await physics()
	warp = script("extends MotionWarp3D\nvar steps := 0\nfunc _physics_process(_d: float) -> void:\n\tsteps += 1\n").new()
	body.add_child(warp)
	body.position = Vector3.ZERO
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	near(await _z(5), [-0.8, -1.6, -2.4, -3.2, -4.0], 0.001, "warped all the same")
	check(warp.get("steps") > 0, "and its own step runs")


func test_handlers_may_do_anything() -> void:
	await _stage()
	warp.set_target(&"Target", foe)
	warp.window_ended.connect(func(_n: StringName, _r: bool) -> void: warp.begin_window(&"Target", 0.2), CONNECT_ONE_SHOT)
	warp.begin_window(&"Target", 0.1)
	await physics()
	check(warp.is_window_active(), "opened again by its own end")
	warp.window_ended.connect(func(_n: StringName, _r: bool) -> void: body.queue_free())
	await physics(3)
	check(not is_instance_valid(body), "freed")


func test_an_agent_without_a_body() -> void:
	var agent: Node3D = Node3D.new()
	warp = MotionWarp3D.new()
	agent.add_child(warp)
	add(agent)
	has_element("".join(warp.get_configuration_warnings()) if warp.has_method("get_configuration_warnings") \
			else "is no CharacterBody3D", "is no CharacterBody3D", "configuration warning")
	warp.set_target_point(&"A", Vector3(0, 0, -5))
	warp.begin_window(&"A", 0.1)
	await until(func() -> bool: return not warp.is_window_active(), "the window runs out")
	eq(agent.position, Vector3.ZERO, "nothing moves")


func test_leaving_the_tree_ends_its_windows() -> void:
	await _stage()
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 5.0)
	await physics()
	remove_child(body)
	eq(told, ["started Target", "ended Target false"], "exactly one end")
	add_child(body)
	body.position = Vector3.ZERO
	warp.begin_window(&"Target", 0.5)
	near(await _z(5), [-0.8, -1.6, -2.4, -3.2, -4.0], 0.001, "as before")


func test_authority_does_not_matter() -> void:
	await _stage()
	body.set_multiplayer_authority(77)
	warp.set_target(&"Target", foe)
	warp.begin_window(&"Target", 0.5)
	near(await _z(5), [-0.8, -1.6, -2.4, -3.2, -4.0], 0.001, "it runs where it is called")
