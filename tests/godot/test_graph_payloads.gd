extends TestCase
## Stances, delays, and payloads that are scripts.

const Rig := preload("res://support/moves_rig.gd")

var rig: Rig


class Scripted:
	extends ActionPayload

	static var calls: PackedStringArray = []
	var answer := true
	var may := true
	var animation: StringName = &""
	var delay := -1.0
	var files: PackedStringArray = []
	var rate := 1.0
	var section := &""

	func _execute(run: ActionRun) -> bool:
		calls.append("execute %s" % run.node_id)
		if animation != &"":
			calls.append("played %s" % run.play_animation(animation, rate, section))
		if delay >= 0.0:
			calls.append("waits %s" % run.play_delay(delay))
		return answer

	func _stop(run: ActionRun, reason: int) -> void:
		calls.append("stop %s %d" % [run.node_id, reason])

	func _can_start(run: ActionRun) -> bool:
		calls.append("can %d" % run.run_id)
		return may

	func _get_preload_paths() -> PackedStringArray:
		return files

	func _get_display_name() -> String:
		return "Throw"


func _payload(payload: Resource, id: StringName = &"first") -> void:
	rig = Rig.new(self)
	rig.graph.add_node(id, payload)
	rig.graph.add_node(&"second", _delay(0.5))
	rig.wire(&"root", id, &"Input.Light")
	rig.wire(id, &"second", &"Input.Light")
	Scripted.calls.clear()


func _delay(seconds: float, window: bool = true) -> DelayPayload:
	var made := DelayPayload.new()
	made.delay_seconds = seconds
	made.open_action_window = window
	return made


func _hold(window: bool = true, seconds: float = 0.0) -> HoldPayload:
	var made := HoldPayload.new()
	made.open_action_window = window
	made.max_seconds = seconds
	return made

# ---------------------------------------------------------------------------------------------------------------------
# Hold and delay.


func test_hold_lasts_until_a_transition() -> void:
	_payload(_hold())
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(1.0, 30)
	eq(rig.node(), &"first")
	eq(rig.moves.get_action_state().time_left, -1.0, "endless")
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_ENTERED, "its window is open")
	eq(rig.path, ["first@0.0", "second@30.0"])


func test_hold_without_a_window() -> void:
	_payload(_hold(false))
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 2)
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_BUFFERED)
	rig.step(0.1, 5)
	check(rig.moves.get_run().open_window(), "rig.moves.get_run().open_window()")
	eq(rig.path, ["first@0.0", "second@0.7"], "a script opens it")


func test_hold_with_a_limit() -> void:
	_payload(_hold(true, 0.8))
	rig.moves.action_speed = 2.0
	rig.enter()
	rig.press(&"Input.Light")
	near(float(rig.moves.get_action_state().time_left), 0.8, 0.001)
	rig.step(0.1, 5)
	eq(rig.path, ["first@0.0", "root@0.4"], "completed, in its own time")


func test_delay() -> void:
	_payload(_delay(0.5))
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 5)
	eq(rig.path, ["first@0.0", "root@0.5"], "completes")
	eq(DelayPayload.new().delay_seconds, 0.5, "the default")
	_payload(_delay(0.5))
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 1)
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_ENTERED, "its window is open")


func test_delay_without_a_window() -> void:
	_payload(_delay(0.5, false))
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 1)
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_BUFFERED)
	rig.step(0.1, 4)
	eq(rig.path, ["first@0.0", "second@0.5"])


func test_delay_of_zero_completes_at_once() -> void:
	_payload(_delay(0.0))
	rig.enter()
	rig.press(&"Input.Light")
	eq(rig.path, ["first@0.0", "root@0.0"])


func test_no_payload_ends_at_once() -> void:
	rig = Rig.new(self)
	rig.graph.add_node(&"first").payload = null
	rig.wire(&"root", &"first", &"Input.Light")
	rig.enter()
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_ENTERED)
	eq(rig.path, ["first@0.0", "root@0.0"])


func test_bad_values_are_clamped() -> void:
	var hold := _hold()
	expect_warning("HoldPayload: max_seconds = -1 is read as 0")
	hold.max_seconds = -1.0
	eq(hold.max_seconds, 0.0)
	var delay := _delay(0.5)
	expect_warning("DelayPayload: delay_seconds = NaN is refused, it stays 0.5")
	delay.delay_seconds = NAN
	eq(delay.delay_seconds, 0.5)
	var play := PlayAnimationPayload.new()
	expect_warning("PlayAnimationPayload: play_rate = 0 is read as 0.01")
	play.play_rate = 0.0
	eq(play.play_rate, 0.01)
	expect_error("PlayAnimationPayload: sync = 7 is refused")
	play.sync = 7
	eq(play.sync, PlayAnimationPayload.SYNC_FOLLOW)
	expect_error("windows[0] is DelayPayload; windows stays as it was. Allowed: ActionWindow.")
	play.set(&"windows", [delay])
	eq(play.windows.size(), 0)

# ---------------------------------------------------------------------------------------------------------------------
# Scripts.


func test_script_that_says_no_ends_at_once() -> void:
	var payload := Scripted.new()
	payload.answer = false
	_payload(payload)
	rig.enter()
	rig.press(&"Input.Light")
	eq(rig.path, ["first@0.0", "root@0.0"])
	eq(Scripted.calls, ["can 0", "execute first", "stop first 0"], "one stop for each start")


func test_script_finishes_its_run() -> void:
	_payload(Scripted.new())
	rig.enter()
	var ended := record(rig.moves.action_ended)
	rig.press(&"Input.Light")
	rig.step(0.1, 20)
	eq(rig.node(), &"first", "until it says so")
	check(rig.moves.get_run().finish(), "rig.moves.get_run().finish()")
	eq(ended.calls, [[&"first", ActionGraphPlayer.END_COMPLETED]])
	eq(Scripted.calls, ["can 0", "execute first", "stop first 0"])


func test_script_that_cannot_start() -> void:
	var payload := Scripted.new()
	payload.may = false
	_payload(payload)
	rig.enter()
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_DROPPED)
	eq(Scripted.calls, ["can 0"])


func test_script_plays_an_animation_on_its_run() -> void:
	var payload := Scripted.new()
	payload.animation = &"throw"
	payload.rate = 2.0
	_payload(payload)
	rig.animation(&"throw", 1.0).add_marker(&"action_window", 0.6)
	rig.enter()
	var opened := record(rig.moves.window_opened)
	rig.press(&"Input.Light")
	rig.step(0.1, 2)
	near(rig.shown(), 0.4, 0.001, "double rate")
	eq(opened.count(), 0)
	rig.step(0.1)
	eq(opened.count(), 1, "its window")
	rig.step(0.1, 2)
	eq(rig.path, ["first@0.0", "root@0.5"], "the node ends with it")
	eq(Scripted.calls.slice(1), PackedStringArray(["execute first", "played true", "stop first 0"]))


func test_script_plays_a_delay_on_its_run() -> void:
	var payload := Scripted.new()
	payload.delay = 0.3
	_payload(payload)
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 3)
	eq(rig.path, ["first@0.0", "root@0.3"])


func test_animation_that_a_script_starts_later() -> void:
	var payload := Scripted.new()
	_payload(payload)
	rig.animation(&"throw", 0.5)
	rig.enter()
	rig.press(&"Input.Light")
	rig.step(0.1, 4)
	var run := rig.moves.get_run()
	check(run.play_animation(&"throw"), "run.play_animation('throw')")
	near(float(rig.moves.get_action_state().time_left), 0.5, 0.001)
	rig.step(0.1, 3)
	near(rig.shown(), 0.3, 0.001, "from its start")
	rig.step(0.1, 2)
	eq(rig.path, ["first@0.0", "root@0.9"])
	check(not run.play_animation(&"throw"), "the run is over")


func test_script_plays_an_animation_that_is_not_there() -> void:
	var payload := Scripted.new()
	payload.animation = &"nothing"
	_payload(payload)
	rig.enter()
	expect_warning("play_animation(): there is no animation \"nothing\" in ")
	rig.press(&"Input.Light")
	has_element(Scripted.calls, "played false")
	eq(rig.node(), &"first", "what it answered counts")


func test_bad_arguments_of_a_run() -> void:
	_payload(Scripted.new())
	rig.animation(&"throw", 0.5)
	rig.enter()
	rig.press(&"Input.Light")
	var run := rig.moves.get_run()
	expect_error("play_animation() got the rate NaN")
	check(not run.play_animation(&"throw", NAN), "not run.play_animation('throw', NAN)")
	expect_error("play_delay() got -1")
	check(not run.play_delay(-1.0), "not run.play_delay(-1.0)")
	eq(rig.node(), &"first")


func test_windows_of_a_run() -> void:
	_payload(Scripted.new())
	rig.enter()
	var opened := record(rig.moves.window_opened)
	var closed := record(rig.moves.window_closed)
	rig.press(&"Input.Light")
	var run := rig.moves.get_run()
	check(run.open_window(&"late"), "run.open_window('late')")
	check(run.close_window(&"late"), "run.close_window('late')")
	check(run.open_window(), "run.open_window()")
	eq(rig.press(&"Input.Light"), ActionGraphPlayer.INPUT_ENTERED)
	eq(opened.calls.slice(0, 2), [[&"late"], [&""]])
	eq(closed.calls.slice(0, 2), [[&"late"], [&""]], "closed with the run")


func test_script_without_execute_ends_at_once() -> void:
	_payload(ActionPayload.new())
	rig.enter()
	rig.press(&"Input.Light")
	eq(rig.path, ["first@0.0", "root@0.0"])
	var codes: Array = rig.graph.validate().map(func(row: Dictionary) -> String: return row.code)
	has_element(codes, "W21")


func test_preload() -> void:
	loads_on_threads()
	var payload := Scripted.new()
	payload.files = ["res://bench/execution.tscn", "res://not/there.tres"]
	_payload(payload)
	expect_warning("there is no resource \"res://not/there.tres\" to load for a move")
	rig.enter()
	ne(ResourceLoader.load_threaded_get_status(payload.files[0]), ResourceLoader.THREAD_LOAD_INVALID_RESOURCE, "under way")
	not_null(ResourceLoader.load_threaded_get(payload.files[0]))


func test_what_is_loaded_before_its_move() -> void:
	loads_on_threads()
	var paths: PackedStringArray = ["user://test_preload_own.tres", "user://test_preload_other.tres"]
	for path in paths:
		var effect := Gradient.new()
		effect.set_color(0, Color(0.25, 0.5, 0.75))
		eq(ResourceSaver.save(effect, path), OK)
	var payload := Scripted.new()
	payload.files = [paths[0]]
	_payload(payload)
	var other := Scripted.new()
	other.files = [paths[1]]
	var sword := ActionGraph.new()
	sword.add_node(&"throw", other)
	rig.enter()
	await until_done(_is_loaded.bind(paths[0]), "a file of the moveset that is active")
	eq(ResourceLoader.load_threaded_get_status(paths[1]), ResourceLoader.THREAD_LOAD_INVALID_RESOURCE, "no other")
	rig.moves.set_graph(sword)
	await until_done(_is_loaded.bind(paths[1]), "a file of one that becomes active")
	eq(Scripted.calls, PackedStringArray(), "no move has started")
	for path in paths:
		var loaded: Gradient = ResourceLoader.load_threaded_get(path)
		eq(loaded.get_color(0), Color(0.25, 0.5, 0.75), "what is in it")
		eq(ResourceLoader.get_cached_ref(path), loaded, "loading it is free now")
		DirAccess.remove_absolute(path)


func _is_loaded(path: String) -> bool:
	return ResourceLoader.load_threaded_get_status(path) == ResourceLoader.THREAD_LOAD_LOADED


class Timed:
	extends ActionPayload

	var seconds := 0.8
	var speeds: PackedFloat64Array = []

	func _execute(_run: ActionRun) -> bool:
		return true

	func _get_completion_time(speed: float) -> float:
		speeds.append(speed)
		return seconds / speed


func test_a_script_says_how_long_it_lasts() -> void:
	var payload := Timed.new()
	_payload(payload)
	rig.moves.action_speed = 2.0
	rig.enter()
	rig.press(&"Input.Light")
	near(float(rig.moves.get_action_state().time_left), 0.8, 0.001)
	eq(payload.speeds, PackedFloat64Array([2.0]), "asked with the speed of moves")
	rig.step(0.1)
	near(float(rig.moves.get_action_state().time_left), 0.6, 0.001, "in the time of the node")
	rig.step(0.1, 10)
	eq([rig.node(), rig.moves.get_action_state().time_left], [&"first", 0.0], "the script ends it")
	payload.seconds = -1.0
	eq(rig.moves.get_action_state().time_left, -1.0, "not known")
	payload.seconds = NAN
	eq(rig.moves.get_action_state().time_left, -1.0, "no number")
	rig.moves.action_speed = 0.0
	payload.speeds.clear()
	eq(rig.moves.get_action_state().time_left, -1.0, "nothing is asked at 0")
	eq(payload.speeds.size(), 0)


func test_display_name() -> void:
	_payload(Scripted.new())
	rig.enter()
	eq(String(rig.graph.get_node_by_id(&"first").payload._get_display_name()), "Throw")
