extends TestCase
## How an animation keeps up with its move: speeds, freezes, being set right, being driven step by step, and what is given back.

const Rig := preload("res://support/moves_rig.gd")

var rig: Rig


func _one(seconds: float = 1.0, process: int = ActionGraphPlayer.PROCESS_MANUAL) -> PlayAnimationPayload:
	rig = Rig.new(self, process)
	var swing := rig.move(&"swing", seconds)
	rig.wire(&"root", &"swing", &"Input.Light")
	rig.wire(&"swing", &"swing", &"Input.Light")
	return swing


func test_action_speed_scales_animation_and_move() -> void:
	_one()
	rig.moves.action_speed = 0.5
	rig.animations.speed_scale = 3.0
	rig.enter()
	rig.press(&"Input.Light")
	near(rig.animations.speed_scale, 0.5, 0.0001, "from the start")
	rig.step(0.1, 10)
	near(rig.shown(), 0.5, 0.001, "half as far after 1 s")
	rig.moves.action_speed = 1.0
	near(rig.animations.speed_scale, 1.0, 0.0001, "at once")
	rig.step(0.1, 5)
	eq(rig.path, ["swing@0.0", "root@1.5"], "the move too")
	near(rig.animations.speed_scale, 3.0, 0.0001, "given back")


func test_time_scale_and_play_rate() -> void:
	var swing := _one()
	swing.play_rate = 2.0
	rig.moves.time_scale = 0.5
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 5)
	near(rig.shown(), 0.5, 0.001, "0.5 s at half time and double rate")
	rig.step(0.1, 5)
	eq(rig.path, ["swing@0.0", "root@1.0"], "0.5 s of node time take 1 s")


func test_a_frozen_move_stands_still() -> void:
	_one()
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 3)
	rig.moves.freeze(0.2)
	eq(rig.animations.speed_scale, 0.0, "frozen")
	rig.step(0.1, 2)
	near(rig.shown(), 0.3, 0.001, "the pose is held")
	rig.step(0.1)
	near(rig.animations.speed_scale, 1.0, 0.0001, "it goes on")
	rig.step(0.1, 6)
	eq(rig.path, ["swing@0.0", "root@1.2"])


func test_time_scale_of_zero() -> void:
	_one()
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 3)
	rig.moves.time_scale = 0.0
	rig.step(0.1, 5)
	near(rig.shown(), 0.3, 0.001)
	eq(rig.node(), &"swing")


func test_an_animation_that_is_off_is_set_right() -> void:
	_one()
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 2)
	rig.animations.seek(0.24, true)
	rig.by_hand = false
	rig.step(0.0)
	near(rig.animations.current_animation_position, 0.24, 0.001, "0.04 s are nothing")
	rig.animations.seek(0.8, true)
	rig.step(0.1)
	near(rig.animations.current_animation_position, 0.3, 0.001, "0.5 s are")


func test_another_animation_is_left_alone() -> void:
	_one()
	rig.animation(&"taunt", 3.0)
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 2)
	rig.animations.play(&"taunt")
	rig.step(0.1, 8)
	eq(rig.path, ["swing@0.0", "root@1.0"], "the move ends in its own time")
	eq(rig.animations.current_animation, "taunt", "and the taunt goes on")
	check(rig.animations.is_playing(), "rig.animations.is_playing()")


func test_the_end_of_the_animation_is_not_waited_for() -> void:
	_one()
	rig.enter()
	rig.press(&"Input.Light")
	rig.by_hand = false
	rig.animations.stop()
	rig.step(0.1, 10)
	eq(rig.path, ["swing@0.0", "root@1.0"], "somebody stopped it")
	rig.press(&"Input.Light")
	rig.animations.advance(0.99)
	rig.animations.advance(0.02)
	check(not rig.animations.is_playing(), "it is over early")
	rig.step(0.1, 9)
	eq(rig.node(), &"swing", "the move is not")
	rig.step()
	eq(rig.path, ["swing@0.0", "root@1.0", "swing@1.0", "root@2.0"])


func test_a_freed_player_of_animations() -> void:
	_one()
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 2)
	rig.animations.free()
	rig.step(0.1, 8)
	eq(rig.path, ["swing@0.0", "root@1.0"], "the length that was bound")


func test_the_same_animation_again_begins_at_its_start() -> void:
	_one()
	rig.library.get_animation(&"swing").add_marker(&"action_window", 0.4)
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 5)
	rig.press(&"Input.Light")
	eq(rig.path, ["swing@0.0", "swing@0.5"])
	rig.step(0.1, 2)
	near(rig.shown(), 0.2, 0.001)


func test_a_move_that_is_cut_is_held_where_it_is() -> void:
	_one()
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 3)
	check(rig.moves.interrupt_for_external(&"hit"), "rig.moves.interrupt_for_external('hit')")
	check(not rig.animations.is_playing(), "it does not swing on")
	# A step by hand would move it though it is paused.
	rig.by_hand = false
	rig.step(0.1, 3)
	near(rig.shown(), 0.3, 0.001, "the pose is kept")


func test_what_plays_in_graph_reset_is_left_alone() -> void:
	_one()
	rig.animation(&"idle", 2.0)
	rig.enter()
	rig.moves.graph_reset.connect(func() -> void: rig.animations.play(&"idle"))
	rig.press(&"Input.Light")
	rig.step(0.1, 3)
	rig.moves.interrupt_for_external()
	eq(rig.animations.current_animation, "idle")
	check(rig.animations.is_playing(), "rig.animations.is_playing()")
	rig.agent.queue_free()


func test_blend_time() -> void:
	var swing := _one()
	swing.blend_time = 0.4
	rig.animation(&"idle", 2.0)
	rig.enter()
	rig.animations.play(&"idle")
	rig.animations.advance(1.0)
	near(rig.shown(), 1.0, 0.001)
	rig.press(&"Input.Light")
	rig.step(0.1)
	check(rig.shown() > 0.5, "still mostly idle: %s" % rig.shown())
	rig.step(0.1, 5)
	near(rig.shown(), 0.6, 0.001, "blended in")


func test_advance_moves_the_animation_by_exactly_the_time_of_the_move() -> void:
	var swing := _one()
	swing.sync = PlayAnimationPayload.SYNC_ADVANCE
	rig.by_hand = false
	rig.animations.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	rig.moves.action_speed = 0.5
	rig.enter()
	rig.press(&"Input.Light")
	eq(rig.animations.callback_mode_process, AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL, "ours for the run")
	rig.step(0.1)
	near(rig.shown(), 0.05, 0.0001)
	rig.step(0.013)
	near(rig.shown(), 0.0565, 0.0001)
	rig.moves.freeze(1.0)
	rig.step(0.1, 5)
	near(rig.shown(), 0.0565, 0.0001, "frozen")
	rig.moves.unfreeze()
	rig.moves.action_speed = 1.0
	rig.step(0.5)
	near(rig.shown(), 0.5565, 0.0001)
	rig.step(0.9)
	near(rig.shown(), 1.0, 0.0001, "to its end, in the middle of the step")
	eq(rig.node(), &"root")
	eq(rig.animations.callback_mode_process, AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS, "given back")


func test_advance_over_a_chain_in_one_step() -> void:
	var swing := _one()
	swing.sync = PlayAnimationPayload.SYNC_ADVANCE
	rig.by_hand = false
	var second := rig.move(&"second", 1.0)
	second.sync = PlayAnimationPayload.SYNC_ADVANCE
	var wire := rig.wire(&"swing", &"second", &"Input.Heavy")
	check(wire != null, "wire != null")
	rig.library.get_animation(&"swing").add_marker(&"action_window", 0.4)
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.2)
	rig.press(&"Input.Heavy")
	rig.step(0.5)
	eq(rig.node(), &"second")
	near(rig.shown(), 0.3, 0.0001, "0.2 s for the window, 0.3 s of second")


func test_follow_in_real_frames() -> void:
	_one(0.5, ActionGraphPlayer.PROCESS_PHYSICS)
	rig.enter()
	await physics(2)
	rig.press(&"Input.Light")
	for i in 20:
		await physics()
		near(rig.shown(), float(rig.moves.get_run().node_time), 0.0501, "step %d" % i)
	await physics(14)
	eq(rig.node(), &"root")
	check(not rig.moves.is_physics_processing() or rig.moves.get_action_state().grace_left > 0.0, "nothing to do")


func test_saved_in_the_middle() -> void:
	_one()
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 6)
	var state := rig.moves.export_state()
	rig.step(0.1, 4)
	check(rig.moves.import_state(state), "rig.moves.import_state(state)")
	eq(rig.node(), &"swing")
	near(rig.animations.current_animation_position, 0.6, 0.001, "the animation is where it was")
	rig.step(0.1, 4)
	eq(rig.node(), &"root")
