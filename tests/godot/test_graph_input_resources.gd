extends TestCase
## ActionInputMap and its parts as resources: defaults, what setters refuse, storing.

const PATH := "user://input_map.tres"


func _made(tag: StringName, actions: PackedStringArray) -> ActionInput:
	var input := ActionInput.new()
	input.tag = tag
	input.actions = actions
	return input


func test_the_defaults() -> void:
	var input := ActionInput.new()
	eq([input.tag, input.actions, input.trigger], [&"", PackedStringArray(), ActionInput.TRIGGER_PRESS], "input")
	eq([input.hold_seconds, input.press_threshold, input.release_threshold], [0.3, 0.5, 0.3], "times and thresholds")
	eq([input.chord_seconds, input.in_freeze, input.in_pause, input.handle_event], [0.0, 0, 0, false], "policies")
	eq([ActionInput.POLICY_KEEP, ActionInput.POLICY_AGE, ActionInput.POLICY_DROP], [0, 1, 2], "constants of policies")
	var sequence := ActionInputSequence.new()
	eq([sequence.output_tag, sequence.steps, sequence.max_step_gap], [&"", PackedStringArray(), 0.2], "sequence")
	eq([sequence.max_total, sequence.mirror, sequence.strict], [0.6, ActionInputSequence.MIRROR_NONE, false], "sequence")
	var map := ActionInputMap.new()
	eq([map.inputs.size(), map.sequences.size(), map.stick_deadzone], [0, 0, 0.2], "map")
	eq([map.move_left, map.move_right, map.move_up, map.move_down], [&"", &"", &"", &""], "stick")


func test_bad_values_are_refused_or_clamped() -> void:
	var input := ActionInput.new()
	expect_error("tag", 1)
	input.tag = &"Input..Attack"
	eq(input.tag, &"", "a name that is no tag")
	expect_error("trigger = 7 is refused, it stays 0.", 1)
	input.trigger = 7
	expect_warning("hold_seconds = -1", 1)
	input.hold_seconds = -1.0
	eq(input.hold_seconds, 0.0, "hold_seconds")
	expect_warning("hold_seconds = NaN is refused", 1)
	input.hold_seconds = NAN
	eq(input.hold_seconds, 0.0, "hold_seconds")
	expect_warning("press_threshold = 0 is read as 0.001", 1)
	input.press_threshold = 0.0
	expect_warning("release_threshold = 1.5 is read as 1", 1)
	input.release_threshold = 1.5
	expect_warning("chord_seconds = -0.1", 1)
	input.chord_seconds = -0.1
	expect_error("in_freeze = 3 is refused", 1)
	input.in_freeze = 3
	expect_error("in_pause = 1 is refused, it stays 0. Use POLICY_KEEP or POLICY_DROP.", 1)
	input.in_pause = ActionInput.POLICY_AGE
	input.in_pause = ActionInput.POLICY_DROP
	eq(input.in_pause, 2, "in_pause")
	var sequence := ActionInputSequence.new()
	expect_error("mirror = 2 is refused", 1)
	sequence.mirror = 2
	expect_warning("max_step_gap = -1", 1)
	sequence.max_step_gap = -1.0
	var map := ActionInputMap.new()
	expect_warning("stick_deadzone = inf is refused", 1)
	map.stick_deadzone = INF
	expect_error("inputs[0] is ActionInputSequence", 1)
	var untyped: Variant = map
	untyped.inputs = [sequence]
	eq(map.inputs.size(), 0, "inputs")


func test_a_map_is_stored_and_loaded() -> void:
	var map := ActionInputMap.new()
	map.inputs = [_made(&"Input.Test.Light", ["attack"]), null, _made(&"Input.Test.Bash", ["attack", "guard"])]
	map.inputs[2].chord_seconds = 0.06
	var sequence := ActionInputSequence.new()
	sequence.output_tag = &"Input.Test.Fireball"
	sequence.steps = ["down", "down_forward", "back*0.8", "Input.Test.Light"]
	map.sequences = [sequence]
	map.move_left = &"left"
	eq(ResourceSaver.save(map, PATH), OK, "save")
	var loaded: ActionInputMap = ResourceLoader.load(PATH, "", ResourceLoader.CACHE_MODE_IGNORE)
	eq(loaded.inputs.size(), 3, "the null stays")
	is_null(loaded.inputs[1], "null")
	eq(loaded.inputs[2].actions, PackedStringArray(["attack", "guard"]), "chord")
	eq(loaded.sequences[0].steps, sequence.steps, "steps")
	eq(loaded.move_left, &"left", "stick")
	var text := FileAccess.get_file_as_string(PATH)
	check(not text.contains("press_threshold"), "defaults are not written")


func test_an_edit_of_an_element_is_an_edit_of_the_map() -> void:
	var input := _made(&"Input.Test.Light", ["attack"])
	var map := ActionInputMap.new()
	map.inputs = [input]
	var edits := [0]
	map.changed.connect(func() -> void: edits[0] += 1)
	input.hold_seconds = 0.5
	eq(edits[0], 1, "after the element's")
	map.inputs = []
	eq(edits[0], 2, "assigned")
	input.hold_seconds = 0.6
	eq(edits[0], 2, "it is not in the map any more")


func test_maps_load_on_a_thread() -> void:
	loads_on_threads()
	var map := ActionInputMap.new()
	map.inputs = [_made(&"Input.Test.Light", ["attack"])]
	ResourceSaver.save(map, PATH)
	ResourceLoader.load_threaded_request(PATH, "", false, ResourceLoader.CACHE_MODE_IGNORE)
	while ResourceLoader.load_threaded_get_status(PATH) == ResourceLoader.THREAD_LOAD_IN_PROGRESS:
		await get_tree().process_frame
	var loaded: ActionInputMap = ResourceLoader.load_threaded_get(PATH)
	eq(loaded.inputs[0].tag, &"Input.Test.Light", "tag")
