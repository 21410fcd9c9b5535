extends TestCase
## AnimationMethod with a real AnimationPlayer that is advanced before the evaluator in each step.

const Rig := preload("res://support/action_rig.gd")

var player: AnimationPlayer


func _animation(seconds: float, looped: bool = false) -> Animation:
	var made: Animation = Animation.new()
	made.length = seconds
	made.loop_mode = Animation.LOOP_LINEAR if looped else Animation.LOOP_NONE
	return made


## A rig whose agent has a player with slash (0.5 s), idle (1 s) and spin (0.4 s, looped).
func _rig(method: AnimationMethod) -> Rig:
	var spec: ActionSpec = Rig.spec(&"Slash")
	spec.execution_method = method
	var rig: Rig = Rig.new(self, [spec, Rig.spec(&"Other")])
	player = AnimationPlayer.new()
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	var library: AnimationLibrary = AnimationLibrary.new()
	var slash: Animation = _animation(0.5)
	slash.add_marker(&"hit", 0.2)
	library.add_animation(&"slash", slash)
	library.add_animation(&"idle", _animation(1.0))
	library.add_animation(&"spin", _animation(0.4, true))
	player.add_animation_library(&"", library)
	rig.agent.add_child(player)
	return rig


func _method(animation: StringName = &"slash") -> AnimationMethod:
	var made: AnimationMethod = AnimationMethod.new()
	made.animation = animation
	return made


## One step: the player, then the evaluator.
func _step(rig: Rig) -> void:
	player.advance(0.1)
	rig.step()


func _steps_until_end(rig: Rig, most: int = 60) -> int:
	for i: int in most:
		_step(rig)
		if not rig.brain.is_executing():
			return i + 1
	return -1


func test_ex_35_e21() -> void:
	var rig: Rig = _rig(_method())
	rig.brain.execute_action(&"Slash")
	eq(player.current_animation, "slash", "it plays")
	eq(_steps_until_end(rig), 6, "0.5 s at speed 1")
	eq(rig.diary.take("ended"), "ended Slash 0", "completed")

	var fast: AnimationMethod = _method()
	fast.speed = 2.0
	rig = _rig(fast)
	rig.brain.execute_action(&"Slash")
	eq(_steps_until_end(rig), 4, "at speed 2")
	eq(rig.diary.take("ended"), "ended Slash 0", "completed")

	rig = _rig(_method())
	rig.brain.execute_action(&"Slash")
	_step(rig)
	player.play(&"idle")
	_step(rig)
	_step(rig)
	eq(rig.diary.take("ended"), "ended Slash 1", "someone else played idle: interrupted in step 3")
	eq(player.current_animation, "idle", "and idle is left alone")


func test_abort_stops_the_animation() -> void:
	var rig: Rig = _rig(_method())
	rig.brain.execute_action(&"Slash")
	_step(rig)
	rig.brain.abort_action()
	check(not player.is_playing(), "stopped")
	var calm: AnimationMethod = _method()
	calm.abort_animation = &"idle"
	rig = _rig(calm)
	rig.brain.execute_action(&"Slash")
	_step(rig)
	rig.brain.abort_action()
	eq(player.current_animation, "idle", "the abort animation is played")


func test_abort_leaves_a_foreign_animation_alone() -> void:
	var rig: Rig = _rig(_method())
	rig.brain.execute_action(&"Slash")
	eq(player.current_animation, "slash", "ours")
	player.play(&"idle")
	rig.brain.abort_action()
	eq(player.current_animation, "idle", "it is not ours")
	check(player.is_playing(), "it plays on")


func test_finish_at_a_marker_or_a_time() -> void:
	var at_marker: AnimationMethod = _method()
	at_marker.finish_at = AnimationMethod.FINISH_MARKER
	at_marker.finish_marker = &"hit"
	var rig: Rig = _rig(at_marker)
	rig.brain.execute_action(&"Slash")
	eq(_steps_until_end(rig), 3, "marker at 0.2 s")
	var at_time: AnimationMethod = _method()
	at_time.finish_at = AnimationMethod.FINISH_TIME
	at_time.finish_time = 0.3
	rig = _rig(at_time)
	rig.brain.execute_action(&"Slash")
	eq(_steps_until_end(rig), 4, "time 0.3 s")


func test_looped_animation_ends_after_its_length() -> void:
	var rig: Rig = _rig(_method(&"spin"))
	rig.brain.execute_action(&"Slash")
	eq(_steps_until_end(rig), 5, "0.4 s")
	eq(rig.diary.take("ended"), "ended Slash 0", "completed")


func test_stopped_player_interrupts() -> void:
	var rig: Rig = _rig(_method())
	rig.brain.execute_action(&"Slash")
	_step(rig)
	player.stop()
	eq(_steps_until_end(rig), 2, "seen in step 2, ended in step 3")
	eq(rig.diary.take("ended"), "ended Slash 1", "interrupted")


func test_animation_timeout() -> void:
	var method: AnimationMethod = _method()
	method.animation_timeout = 0.3
	var rig: Rig = _rig(method)
	rig.brain.execute_action(&"Slash")
	eq(_steps_until_end(rig), 3, "0.3 s")
	eq(rig.diary.take("ended"), "ended Slash 3", "timed out")
	rig = _rig(_method())
	rig.brain.execute_action(&"Slash")
	for i: int in 30:
		if rig.brain.is_executing():
			rig.step()
	eq(rig.diary.take("ended"), "ended Slash 3", "a player that stands still: 2 x 0.5 s + 1 s")


func test_real_player_in_real_frames() -> void:
	var rig: Rig = _rig(_method())
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	rig.brain.execute_action(&"Slash")
	await physics(28)
	check(rig.brain.is_executing(), "28 frames")
	await physics(6)
	eq(rig.diary.take("ended"), "ended Slash 0", "34 frames")


func test_player_is_found_in_the_subtree_or_by_path() -> void:
	var rig: Rig = _rig(_method())
	var model: Node3D = Node3D.new()
	model.name = "Model"
	rig.agent.add_child(model)
	player.name = "Player"
	player.reparent(model)
	ne(rig.brain.execute_action(&"Slash"), 0, "found below a child")
	var by_path: AnimationMethod = _method()
	by_path.player_path = ^"Model/Player"
	rig = _rig(by_path)
	rig.agent.remove_child(player)
	player.name = "Player"
	model = Node3D.new()
	model.name = "Model"
	model.add_child(player)
	rig.agent.add_child(model)
	ne(rig.brain.execute_action(&"Slash"), 0, "found by path from the agent")
	eq(player.current_animation, "slash", "plays")


func test_missing_animation_is_named() -> void:
	var rig: Rig = _rig(_method(&"stab"))
	expect_error("stab")
	eq(rig.brain.execute_action(&"Slash"), 0, "no start")
	eq(rig.diary.take("refused"), "refused Slash %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "refused")


func test_error_of_a_missing_animation_lists_the_known_ones() -> void:
	var rig: Rig = _rig(_method(&"stab"))
	expect_error("idle, slash, spin")
	rig.brain.execute_action(&"Slash")


func test_missing_player_and_marker() -> void:
	var spec: ActionSpec = Rig.spec(&"Slash")
	spec.execution_method = _method()
	var bare: Rig = Rig.new(self, [spec])
	expect_error("AnimationPlayer")
	eq(bare.brain.execute_action(&"Slash"), 0, "no player")
	var method: AnimationMethod = _method()
	method.finish_at = AnimationMethod.FINISH_MARKER
	method.finish_marker = &"miss"
	var rig: Rig = _rig(method)
	expect_error("miss")
	eq(rig.brain.execute_action(&"Slash"), 0, "no such marker")


func test_without_an_animation_there_is_no_valid_data() -> void:
	var rig: Rig = _rig(_method(&""))
	eq(rig.refusal(&"Slash"), ActionEvaluator.REFUSAL_NO_METHOD, "refused")


func test_player_freed_while_playing() -> void:
	var rig: Rig = _rig(_method())
	rig.brain.execute_action(&"Slash")
	_step(rig)
	player.free()
	rig.step(2)
	eq(rig.diary.take("ended"), "ended Slash 1", "nothing plays any more: interrupted")
