extends Node
## Runs every `test_…` method of every `test_*.gd` and ends the program with 0 if all passed.
##
## Arguments after `--`: `filter=TEXT` (part of a file's or test's name), `build=debug|release` (the library that must be
## loaded), `dir=PATH` (where the tests are). Each test prints `BEGIN file test` and `OBJECTS number`, then `PASS file test` or
## `FAIL file test: why`; `cargo xtask test` reads these lines.

const FRAMES_PER_SECOND := 60

var _catcher: Object
var _settings: Dictionary[String, Variant] = {}
var _passed := 0
var _failed := 0


func _ready() -> void:
	if ClassDB.class_exists("Logger"):
		_catcher = (load("res://log_catcher.gd") as GDScript).new()
		OS.call("add_logger", _catcher)
	_settings = _riposte_settings()
	# The tree must be ready before a case is added to it.
	await get_tree().process_frame
	if _report_library(_argument("build")):
		await _run_files(_argument("dir", "res://"), _argument("filter"))
	if _passed + _failed == 0:
		print("no test ran")
	print("%d passed, %d failed" % [_passed, _failed])
	if _catcher != null:
		OS.call("remove_logger", _catcher)
	get_tree().quit(0 if _failed == 0 and _passed > 0 else 1)


func _argument(key: String, default: String = "") -> String:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with(key + "="):
			return argument.trim_prefix(key + "=")
	return default


## Prints which library is loaded and under which engines; false if it is not the one asked for.
func _report_library(wanted: String) -> bool:
	var physics := str(ProjectSettings.get_setting("physics/3d/physics_engine"))
	if ProjectSettings.get_setting("physics/3d/run_on_separate_thread"):
		physics += " on a thread"
	var library := _loaded_library()
	print("ENGINE %s, physics %s" % [Engine.get_version_info().string, physics])
	print("BUILD %s %s" % [wanted, library])
	if not GDExtensionManager.is_extension_loaded("res://addons/riposte/riposte.gdextension"):
		print("FAIL runner library: the addon is not loaded")
		_failed += 1
		return false
	if wanted != "" and library != "" and not library.get_file().contains(".%s." % wanted):
		print("FAIL runner library: wanted the %s build, loaded %s" % [wanted, library])
		_failed += 1
		return false
	return true


## The path of the extension's library where the system tells it (Linux), else nothing.
func _loaded_library() -> String:
	var maps := FileAccess.open("/proc/self/maps", FileAccess.READ)
	if maps == null:
		return ""
	while true:
		var line := maps.get_line()
		if line.contains("riposte.") and line.ends_with(".so"):
			return line.substr(line.find("/"))
		if line.is_empty():
			return ""
	return ""


func _run_files(dir: String, filter: String) -> void:
	var files := DirAccess.get_files_at(dir)
	files.sort()
	for file in files:
		if not file.begins_with("test_") or not file.ends_with(".gd"):
			continue
		var script := load(dir.path_join(file)) as GDScript
		if script == null or not script.can_instantiate():
			_report(file, "load", ["the file does not load (see the error above)"])
			continue
		for method: Dictionary in script.get_script_method_list():
			var test: String = method.name
			var chosen: bool = filter.is_empty() or file.contains(filter) or test.contains(filter)
			if test.begins_with("test_") and chosen:
				await _run_test(script, file, test)


func _run_test(script: GDScript, file: String, test: String) -> void:
	print("BEGIN %s %s" % [file, test])
	# With it the reader of the log finds the test that made what is left at the end.
	print("OBJECTS %d" % ((RefCounted.new().get_instance_id() & 0x7fff_ffff_ffff_ffff) >> 24))
	var orphans := Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT)
	var others := get_tree().root.get_children()
	_take_log()
	var case: TestCase = script.new()
	case.name = test
	add_child(case)
	var state := {"done": false}
	_call_test(case, test, state)
	var ended := await _wait_for(case, state)

	var failures: PackedStringArray = []
	var expected: Array[Dictionary] = []
	if is_instance_valid(case):
		failures = case.failures
		expected = case.expected
		if not ended:
			failures.append("did not end (an error stopped it, or it took longer than %s s)" % case.limit_seconds)
		elif case.checks == 0:
			failures.append("checked nothing")
		case._stop()
		case.queue_free()
	else:
		failures.append("the case was freed")
	await get_tree().process_frame
	await get_tree().process_frame
	failures.append_array(_left_behind(others, orphans))
	await _reset()
	failures.append_array(_judge_log(_take_log(), expected))
	_report(file, test, failures)


func _call_test(case: TestCase, test: String, state: Dictionary) -> void:
	@warning_ignore("redundant_await")
	await case.call(test)
	state.done = true


## Waits for the end of a test; false if it does not come.
func _wait_for(case: TestCase, state: Dictionary) -> bool:
	var frames := 0
	while is_instance_valid(case) and not state.done:
		frames += 1
		var stopped: bool = _catcher != null and _catcher.has_script_error()
		if stopped or frames > case.limit_seconds * FRAMES_PER_SECOND:
			return false
		await get_tree().process_frame
	return state.done


func _left_behind(others: Array[Node], orphans: float) -> PackedStringArray:
	var found: PackedStringArray = []
	for node in get_tree().root.get_children():
		if node not in others:
			found.append("left %s at the root" % node)
			node.queue_free()
	var more := int(Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT) - orphans)
	if more > 0:
		found.append("left %d nodes outside the tree" % more)
	return found


## Puts back what a test may have changed for the next.
func _reset() -> void:
	get_tree().paused = false
	Engine.time_scale = 1.0
	Engine.physics_ticks_per_second = FRAMES_PER_SECOND
	var now := _riposte_settings()
	for key in now:
		if not _settings.has(key):
			ProjectSettings.set_setting(key, null)
	for key in _settings:
		if now.get(key) != _settings[key]:
			ProjectSettings.set_setting(key, _settings[key])
	if Engine.has_singleton("WorldTags"):
		var world := Engine.get_singleton("WorldTags")
		for tag: String in world.call("get_tags"):
			world.call("remove_tag", tag)
	await get_tree().physics_frame


func _riposte_settings() -> Dictionary[String, Variant]:
	var found: Dictionary[String, Variant] = {}
	for info: Dictionary in ProjectSettings.get_property_list():
		var key: String = info.name
		if key.begins_with("riposte/"):
			var value: Variant = ProjectSettings.get_setting(key)
			found[key] = value.duplicate(true) if value is Dictionary or value is Array else value
	return found


func _take_log() -> Array[Dictionary]:
	if _catcher == null:
		return []
	return _catcher.take()


## Compares what was logged with what the test declared.
func _judge_log(entries: Array[Dictionary], expected: Array[Dictionary]) -> PackedStringArray:
	var found: PackedStringArray = []
	var seen: Array[int] = []
	seen.resize(expected.size())
	for entry in entries:
		var at := -1
		for i in expected.size():
			var fits: bool = expected[i].kind == entry.kind and (entry.text as String).contains(expected[i].text)
			if fits and (at < 0 or seen[at] >= expected[at].count):
				at = i
		if at < 0:
			found.append("%s: %s (%s)" % [entry.kind, entry.text, entry.place])
		else:
			seen[at] += 1
	for i in expected.size():
		if _catcher != null and seen[i] != expected[i].count:
			var want: Dictionary = expected[i]
			found.append("%s \"%s\" came %d times, declared %d" % [want.kind, want.text, seen[i], want.count])
	return found


func _report(file: String, test: String, failures: PackedStringArray) -> void:
	if failures.is_empty():
		_passed += 1
		print("PASS %s %s" % [file, test])
	else:
		_failed += 1
		print("FAIL %s %s: %s" % [file, test, "; ".join(failures).replace("\n", " ")])
