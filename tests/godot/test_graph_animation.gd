extends TestCase
## Moves that play real animations: their lengths, their windows, their sections and variants.

const Rig := preload("res://support/moves_rig.gd")

var rig: Rig


## Root to first to second on one tag; second has 1 s and no window.
func _two(seconds: float = 1.0) -> PlayAnimationPayload:
	rig = Rig.new(self)
	var first := rig.move(&"first", seconds)
	rig.move(&"second", 1.0)
	rig.wire(&"root", &"first", &"Input.Light")
	rig.wire(&"first", &"second", &"Input.Light")
	return first


func _first() -> Animation:
	return rig.library.get_animation(&"first")


## Two presses at 0 and 0.2: the path shows where the window opened.
func _played(delta: float = 0.1) -> PackedStringArray:
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(delta, roundi(0.2 / delta))
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_BUFFERED, "the early press waits")
	rig.step(delta, roundi(2.0 / delta))
	return rig.path


func test_window_of_markers() -> void:
	_two()
	_first().add_marker(&"action_window", 0.4)
	_first().add_marker(&"action_window_end", 0.8)
	rig.enter()
	var opened := record(rig.moves.window_opened)
	var closed := record(rig.moves.window_closed)
	rig.press(&"Input.Light")
	eq(rig.animations.current_animation, "first", "it plays")
	rig.step(0.1, 3)
	eq(opened.count(), 0, "not yet")
	rig.step()
	eq(opened.last(), [&""], "the plain window")
	eq(rig.moves.get_action_state().windows, [""], "is open")
	rig.step(0.1, 4)
	eq(closed.last(), [&""], "closed at 0.8")
	rig.step(0.1, 2)
	eq(rig.path, ["first@0.0", "root@1.0"], "and the move ends with its animation")


func test_early_press_waits_for_the_marker() -> void:
	_two()
	_first().add_marker(&"action_window", 0.4)
	_first().add_marker(&"action_window_end", 0.8)
	eq(_played(), ["first@0.0", "second@0.4", "root@1.4"])


func test_without_a_window_the_press_waits_for_the_end() -> void:
	_two()
	eq(_played(), ["first@0.0", "second@1.0", "root@2.0"])


func test_window_without_an_end_marker_lasts_to_the_end() -> void:
	_two()
	_first().add_marker(&"action_window", 0.7)
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 9)
	eq(rig.moves.get_action_state().windows, [""], "open at 0.9")
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_ENTERED, "taken at once")


func test_windows_of_the_payload_go_before_markers() -> void:
	var first := _two()
	_first().add_marker(&"action_window", 0.4)
	var window := ActionWindow.new()
	window.start = 0.6
	window.end = 0.7
	first.windows = [window]
	eq(_played(), ["first@0.0", "second@0.6", "root@1.6"])


func test_markers_go_before_keys() -> void:
	_two()
	_keys(_first(), 0.3, 0.5)
	_first().add_marker(&"action_window", 0.6)
	eq(_played(), ["first@0.0", "second@0.6", "root@1.6"])


func test_windows_of_method_keys_are_read_beforehand() -> void:
	_two()
	_keys(_first(), 0.4, 0.8)
	rig.enter()
	var opened := record(rig.moves.window_opened)
	var closed := record(rig.moves.window_closed)
	rig.press(&"Input.Light")
	# The animation runs ahead of the move and calls its keys, which must not act.
	rig.animations.advance(0.5)
	eq(opened.count(), 0, "the key was called and did nothing")
	check(not rig.moves.open_action_window(), "as any call of the method during this move")
	rig.animations.advance(0.4)
	rig.step(0.1, 4)
	eq(opened.count(), 1, "it opens in the time of the move")
	check(not rig.moves.close_action_window(), "and is not closed by a call")
	eq(closed.count(), 0, "still open")
	rig.step(0.1, 4)
	eq(closed.count(), 1, "until its time")


func test_early_press_waits_for_the_key() -> void:
	_two()
	_keys(_first(), 0.4, 0.8)
	eq(_played(), ["first@0.0", "second@0.4", "root@1.4"])


func test_a_script_opens_a_window_of_a_move_without_keys() -> void:
	_two()
	rig.enter()
	check(not rig.moves.open_action_window(), "nothing runs")
	rig.press(&"Input.Light")
	rig.step(0.1, 2)
	check(rig.moves.open_action_window(), "opened")
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_ENTERED, "and the press is taken")
	eq(rig.path, ["first@0.0", "second@0.2"])


func test_keys_of_a_fading_animation_are_ignored() -> void:
	_two()
	_keys(_first(), 0.3, 0.35)
	_keys(rig.library.get_animation(&"first"), 0.5, 0.55)
	rig.animations.playback_default_blend_time = 0.3
	rig.enter()
	var opened := record(rig.moves.window_opened)
	rig.press(&"Input.Light")
	rig.step(0.1, 3)
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_ENTERED, "second fades in")
	eq(rig.node(), &"second")
	eq(opened.count(), 1, "the window of first")
	opened.clear()
	check(not rig.moves.open_action_window(), "a call in the crossfade may be a key")
	rig.step(0.1, 2)
	eq(opened.count(), 0, "the key of first at 0.5 was called in the crossfade")
	check(not rig.moves.open_action_window(), "still in it")
	rig.step(0.1, 2)
	await idle(3)
	rig.step(0.01)
	check(rig.moves.open_action_window(), "it is over")


func test_kinds_and_numbers() -> void:
	_two()
	_first().add_marker(&"action_window:perfect", 0.2)
	_first().add_marker(&"action_window_end:perfect", 0.3)
	_first().add_marker(&"action_window#2", 0.8)
	_first().add_marker(&"action_window", 0.5)
	_first().add_marker(&"action_window_end", 0.6)
	rig.enter()
	var opened := record(rig.moves.window_opened)
	rig.press(&"Input.Light")
	rig.step(0.05, 19)
	eq(opened.calls, [[&"perfect"], [&""], [&""]])


func test_section_at_a_rate() -> void:
	var first := _two(2.0)
	_first().add_marker(&"from", 0.5)
	_first().add_marker(&"to", 1.5)
	_first().add_marker(&"action_window", 1.1)
	first.section_start = &"from"
	first.section_end = &"to"
	first.play_rate = 2.0
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1)
	near(rig.shown(), 0.7, 0.001, "0.1 s at double speed from 0.5")
	near(float(rig.moves.get_action_state().time_left), 0.4, 0.001, "a move of 0.5 s")
	rig.press(&"Input.Light")
	rig.step(0.1, 3)
	eq(rig.path, ["first@0.0", "second@0.3"], "the window opens at 1.1 of the animation")


func test_section_markers_that_are_missing() -> void:
	var first := _two()
	first.section_start = &"from"
	first.section_end = &"to"
	rig.enter()
	var codes: PackedStringArray = []
	for row: Dictionary in rig.graph.validate(rig.animations):
		codes.append(row.code)
	eq(Array(codes).count("W12"), 2, "both are reported: %s" % codes)
	rig.press(&"Input.Light")
	rig.step(0.1, 10)
	eq(rig.path, ["first@0.0", "root@1.0"], "from the start to the end")


func test_missing_animation_ends_at_once_with_a_warning() -> void:
	_two()
	rig.library.remove_animation(&"first")
	expect_warning("Fighter/Animations. Known: second.")
	rig.enter()
	rig.press(&"Input.Light")
	rig.press(&"Input.Light")
	eq(rig.path.slice(0, 2), PackedStringArray(["first@0.0", "root@0.0"]))


func test_animation_that_comes_later_is_found() -> void:
	_two()
	var first := _first()
	rig.library.remove_animation(&"first")
	rig.enter()
	rig.library.add_animation(&"first", first)
	rig.press(&"Input.Light")
	rig.step(0.1, 5)
	eq(rig.node(), &"first", "it runs")
	rig.step(0.1, 5)
	eq(rig.path, ["first@0.0", "root@1.0"])


func test_animation_that_is_edited_counts() -> void:
	_two()
	rig.enter()
	_first().length = 0.5
	rig.press(&"Input.Light")
	rig.step(0.1, 6)
	eq(rig.path, ["first@0.0", "root@0.5"], "the new length")


func test_agents_with_other_animations_have_other_lengths() -> void:
	_two()
	var graph := rig.graph
	rig.enter()
	var other := Rig.new(self)
	other.animation(&"first", 0.3)
	other.moves.default_graph = graph
	other.enter()
	rig.press(&"Input.Light")
	other.press(&"Input.Light")
	rig.step(0.1, 5)
	other.step(0.1, 5)
	eq(rig.node(), &"first", "1 s")
	eq(other.path, ["first@0.0", "root@0.3"], "0.3 s")


func test_looping_animation_never_completes() -> void:
	_two()
	_first().loop_mode = Animation.LOOP_LINEAR
	_first().add_marker(&"action_window", 0.4)
	_first().add_marker(&"action_window_end", 0.6)
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 25)
	eq(rig.node(), &"first", "2.5 rounds later")
	eq(rig.moves.get_action_state().time_left, -1.0, "endless")
	near(rig.shown(), 0.5, 0.02, "the animation goes round")
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_ENTERED, "its window opens in every round")


func test_variants_against_the_facing() -> void:
	for pair: Array in [
		[Vector2(0, -1), "hop"], [Vector2(0, 1), "hop_back"], [Vector2(-1, 0), "hop_left"],
		[Vector2(1, 0), "hop_right"], [Vector2(0, 0.2), "hop"], [Vector2(0.7071, -0.7071), "hop"],
	]:
		rig = Rig.new(self)
		for named: StringName in [&"hop_back", &"hop_left", &"hop_right"]:
			rig.animation(named, 0.4)
		var hop := rig.move(&"hop", 1.0)
		hop.back_animation = &"hop_back"
		hop.left_animation = &"hop_left"
		hop.right_animation = &"hop_right"
		rig.wire(&"root", &"hop", &"Input.Dodge")
		rig.enter()
		var direction: Vector2 = pair[0]
		rig.moves.process_input(&"Input.Dodge", 0, direction)
		eq(rig.animations.current_animation, pair[1], "towards %s, facing (0, -1)" % direction)
		rig.step(0.1, 5)
		eq(rig.node(), &"hop" if pair[1] == "hop" else &"root", "each has its own length")
		rig.agent.queue_free()


func test_variant_that_is_empty_plays_the_animation() -> void:
	rig = Rig.new(self)
	rig.animation(&"hop_back", 0.4)
	var hop := rig.move(&"hop", 1.0)
	hop.back_animation = &"hop_back"
	rig.wire(&"root", &"hop", &"Input.Dodge")
	rig.enter()
	rig.moves.process_input(&"Input.Dodge", 0, Vector2(-1, 0))
	eq(rig.animations.current_animation, "hop")


func test_markers_are_told() -> void:
	_two()
	_first().add_marker(&"hit", 0.25)
	rig.enter()
	var reached := record(rig.moves.marker_reached)
	rig.press(&"Input.Light")
	rig.step(0.1, 2)
	eq(reached.count(), 0)
	rig.step()
	eq(reached.last(), [&"hit"])


## Keys that open and close the plain window.
func _keys(animation: Animation, opens: float, closes: float) -> void:
	var track := animation.add_track(Animation.TYPE_METHOD)
	animation.track_set_path(track, ^"Moves")
	animation.track_insert_key(track, opens, {"method": "open_action_window", "args": [&""]})
	animation.track_insert_key(track, closes, {"method": "close_action_window", "args": [&""]})
