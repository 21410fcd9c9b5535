extends TestCase
## The movement group of AnimationMethod: warp target, windows of the animation, guard, lock of the rotation.

const Rig := preload("res://support/action_rig.gd")
const LOCKED := &"State.RotationLocked"

var rig: Rig
var body: CharacterBody3D
var player: AnimationPlayer
var warp: MotionWarp3D
var guard: LedgeGuard3D
var tags: TagContainer
var foe: Node3D
var told: PackedStringArray = []


func _method() -> AnimationMethod:
	var made: AnimationMethod = AnimationMethod.new()
	made.animation = &"lunge"
	return made


## A body with all nodes and an animation of 1 s with two windows: 0.2 to 0.6 and 0.8 to the end.
func _stage(method: AnimationMethod, with_nodes: bool = true, hook: ActionHook = null,
		lost: int = ActionSpec.LOST_CONTINUE) -> void:
	var ticks: int = Engine.physics_ticks_per_second
	Engine.physics_ticks_per_second = 10
	tree_exiting.connect(func() -> void: Engine.physics_ticks_per_second = ticks)
	body = CharacterBody3D.new()
	var lunge: Animation = Animation.new()
	lunge.length = 1.0
	lunge.add_marker(&"warp_begin_Target", 0.2)
	lunge.add_marker(&"warp_end_Target", 0.6)
	lunge.add_marker(&"warp_begin_Target#2", 0.8)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"lunge", lunge)
	player = AnimationPlayer.new()
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	player.add_animation_library(&"", library)
	body.add_child(player)
	if with_nodes:
		tags = TagContainer.new()
		warp = MotionWarp3D.new()
		guard = LedgeGuard3D.new()
		for node: Node in [tags, warp, guard]:
			body.add_child(node)
		warp.window_started.connect(func(_name: StringName) -> void: told.append("open"))
		warp.window_ended.connect(func(_name: StringName, reached: bool) -> void: told.append("shut %s" % reached))
	var spec: ActionSpec = Rig.spec(&"Lunge")
	spec.execution_method = method
	spec.hook = hook
	spec.target_lost_policy = lost
	rig = Rig.new(self, [spec, Rig.spec(&"Other")], null, body)
	foe = rig.aim_at(Vector3(0, 0, -5))
	await physics()


## Steps as the engine makes them: the physics step, in it the player, and last the evaluator.
func _step(count: int = 1) -> void:
	for i: int in count:
		await physics()
		player.advance(0.1)
		rig.step()


func test_markers_open_windows() -> void:
	await _stage(_method())
	rig.brain.execute_action(&"Lunge")
	check(not warp.is_window_active(), "not yet")
	await _step()
	eq(told, [], "0.1 s")
	await _step()
	eq(told, ["open"], "0.2 s")
	await _step(2)
	near(body.position.z, -2.0, 0.001, "half of the window, half of the way")
	foe.position.z = -6
	await _step(2)
	eq(told, ["open", "shut true"], "0.6 s")
	near(body.position.z, -5.0, 0.001, "in front of the target that moved")
	foe.position.z = -9
	await _step()
	near(body.position.z, -5.0, 0.001, "committed")
	await _step(4)
	eq(told.count("open"), 2, "the second window")
	check(not rig.brain.is_executing(), "ended")
	check(not warp.is_window_active(), "with its window")
	near(warp.get_warp_point(&"Target"), body.position, 0.001, "and its warp target")


func test_speed_and_marker_prefix() -> void:
	var method: AnimationMethod = _method()
	method.speed = 2.0
	await _stage(method)
	rig.brain.execute_action(&"Lunge")
	await _step()
	eq(told, ["open"], "0.2 s of the animation")
	await _step(2)
	near(body.position.z, -4.0, 0.001, "0.4 s of it in two steps")
	rig.brain.abort_action()
	body.position.z = 0
	told.clear()
	warp.marker_prefix = "other_"
	rig.brain.execute_action(&"Lunge")
	await _step(3)
	eq(told, [], "other markers")


func test_everything_is_released_on_every_end() -> void:
	var ends: Dictionary[String, Callable] = {
		"aborted": func() -> void: rig.brain.abort_action(),
		"interrupted": func() -> void: rig.brain.execute_action(&"Other"),
		"replaced": func() -> void: player.stop(),
		"timed out": func() -> void: rig.step(9),
		"stopped": func() -> void: rig.brain.stop(),
	}
	for end: String in ends:
		var method: AnimationMethod = _method()
		method.animation_timeout = 0.9
		await _stage(method)
		rig.brain.execute_action(&"Lunge")
		await _step(3)
		check(tags.has_tag(LOCKED), "%s: locked" % end)
		check(guard.is_guarding(), "%s: guarded" % end)
		check(warp.is_window_active(), "%s: open" % end)
		near(warp.get_warp_point(&"Target"), Vector3(0, 0, -4), 0.001, "%s: aimed" % end)
		ends[end].call()
		await _step(2)
		check(rig.brain.get_running_action() != &"Lunge", "%s: over" % end)
		eq(tags.get_tag_count(LOCKED), 0, "%s: not locked" % end)
		eq(guard.get_hold_count(), 0, "%s: not guarded" % end)
		check(not warp.is_window_active(), "%s: no window" % end)
		near(warp.get_warp_point(&"Target"), body.position, 0.001, "%s: no target" % end)
		body.free()
		foe.free()


func test_a_run_that_is_saved_is_over_after_the_import() -> void:
	await _stage(_method())
	rig.brain.execute_action(&"Lunge")
	await _step(3)
	var state: Dictionary = rig.brain.export_state()
	check(rig.brain.import_state(state), "imported")
	check(not rig.brain.is_executing(), "an animation is not taken up")
	eq([tags.get_tag_count(LOCKED), guard.get_hold_count(), warp.is_window_active()], [0, 0, false], "and holds nothing")
	near(warp.get_warp_point(&"Target"), body.position, 0.001, "nor a target")


func test_a_veto_releases_it() -> void:
	var hook: ActionHook = script("extends ActionHook\nfunc _pre_execute(c: ActionHookContext) -> void:\n\tc.veto_execution = true\n").new()
	await _stage(_method(), true, hook)
	rig.brain.execute_action(&"Lunge")
	eq(rig.diary.take("refused").left(13), "refused Lunge", "refused")
	eq(tags.get_tag_count(LOCKED), 0, "not locked")
	eq(guard.get_hold_count(), 0, "not guarded")


func test_what_is_off_is_not_taken() -> void:
	var method: AnimationMethod = _method()
	method.lock_rotation = false
	method.prevent_ledge_fall = false
	method.warp_target_name = &""
	await _stage(method)
	rig.brain.execute_action(&"Lunge")
	await _step(4)
	check(not tags.has_tag(LOCKED), "not locked")
	check(not guard.is_guarding(), "not guarded")
	check(warp.is_window_active(&"Target"), "the markers still open the window")
	near(body.position.z, 0.0, 0.001, "but it does nothing")


func test_ex_35_e34() -> void:
	var method: AnimationMethod = _method()
	method.warp_skip_distance = 2.0
	await _stage(method)
	foe.position.z = -1.5
	rig.brain.execute_action(&"Lunge")
	near(warp.get_warp_point(&"Target"), Vector3.ZERO, 0.001, "at 1.5 m: no warp target")
	rig.brain.abort_action()
	foe.position.z = -2.5
	rig.brain.execute_action(&"Lunge")
	near(warp.get_warp_point(&"Target"), Vector3(0, 0, -1.5), 0.001, "at 2.5 m: one")


func test_the_offset_and_another_name() -> void:
	var method: AnimationMethod = _method()
	method.warp_offset = 2.0
	method.warp_target_name = &"Throat"
	await _stage(method)
	rig.brain.execute_action(&"Lunge")
	near(warp.get_warp_point(&"Throat"), Vector3(0, 0, -3), 0.001, "2 m in front")
	near(warp.get_warp_point(&"Target"), Vector3.ZERO, 0.001, "nothing under the other name")


func test_another_target_is_followed() -> void:
	await _stage(_method(), true, null, ActionSpec.LOST_RETARGET)
	rig.brain.execute_action(&"Lunge")
	await _step(3)
	var other: Node3D = rig.add_foe(Vector3(0, 0, -8))
	rig.brain.target = other
	foe.free()
	await _step()
	near(warp.get_warp_point(&"Target"), Vector3(0, 0, -7), 0.001, "the other one")


func test_a_target_of_somebody_else_stays() -> void:
	await _stage(_method())
	rig.brain.execute_action(&"Lunge")
	warp.set_target_point(&"Target", Vector3(3, 0, 0))
	rig.brain.abort_action()
	near(warp.get_warp_point(&"Target"), Vector3(3, 0, 0), 0.001, "a script took the name")


func test_without_the_nodes_nothing_happens() -> void:
	await _stage(_method(), false)
	rig.brain.execute_action(&"Lunge")
	await _step(4)
	check(rig.brain.is_executing(), "it runs")
	eq(body.position, Vector3.ZERO, "unmoved")


func test_two_runs_lock_it_twice() -> void:
	await _stage(_method())
	tags.add_tag(LOCKED)
	rig.brain.execute_action(&"Lunge")
	eq(tags.get_tag_count(LOCKED), 2, "counted")
	rig.brain.abort_action()
	eq(tags.get_tag_count(LOCKED), 1, "the other one stays")


func test_nodes_that_go_while_it_runs() -> void:
	await _stage(_method())
	rig.brain.execute_action(&"Lunge")
	await _step(3)
	for node: Node in [tags, warp, guard]:
		node.free()
	await _step(2)
	rig.brain.abort_action()
	check(not rig.brain.is_executing(), "ended in peace")


func test_a_state_of_a_tree_has_windows() -> void:
	var method: AnimationMethod = AnimationMethod.new()
	method.state = &"lunge"
	await _stage(method)
	var library: AnimationLibrary = player.get_animation_library(&"")
	var idle: Animation = Animation.new()
	idle.length = 1.0
	library.add_animation(&"idle", idle)
	var machine: AnimationNodeStateMachine = AnimationNodeStateMachine.new()
	for state: StringName in [&"idle", &"lunge"]:
		var node: AnimationNodeAnimation = AnimationNodeAnimation.new()
		node.animation = state
		machine.add_node(state, node)
	for pair: Array in [[&"Start", &"idle"], [&"idle", &"lunge"]]:
		machine.add_transition(pair[0], pair[1], AnimationNodeStateMachineTransition.new())
	var tree: AnimationTree = AnimationTree.new()
	tree.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	tree.tree_root = machine
	body.add_child(tree)
	tree.anim_player = tree.get_path_to(player)
	tree.active = true
	(tree.get("parameters/playback") as AnimationNodeStateMachinePlayback).start(&"idle")
	tree.advance(0.1)
	rig.brain.execute_action(&"Lunge")
	for i: int in 20:
		await physics()
		tree.advance(0.1)
		rig.step()
	check(not rig.brain.is_executing(), "over")
	eq(told.slice(0, 2), ["open", "shut true"], "the first window")
	near(body.position.z, -4.0, 0.001, "it arrived")
