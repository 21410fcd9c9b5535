@tool
extends EditorPlugin
## Runs every `test_…` method of every `test_editor_*.gd` in a real editor and ends it with 0 if all passed.
##
## Only when the editor was started with `-- editor-tests`. The lines it prints are those of the game's test runner.

const FOLDER := "res://editor"

var _passed := 0
var _failed := 0


func _enter_tree() -> void:
	if "editor-tests" in OS.get_cmdline_user_args():
		_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	# The editor opens its layout some frames after the scan.
	for i in 10:
		await get_tree().process_frame
	for file in DirAccess.get_files_at(FOLDER):
		if file.begins_with("test_editor_") and file.ends_with(".gd"):
			await _run_file(file)
	print("%d passed, %d failed" % [_passed, _failed])
	get_tree().quit(0 if _failed == 0 and _passed > 0 else 1)


func _run_file(file: String) -> void:
	var script := load(FOLDER.path_join(file)) as GDScript
	if script == null or not script.can_instantiate():
		_report(file, "load", ["the file does not load (see the error above)"])
		return
	for method in script.get_script_method_list():
		var test: String = method.name
		if test.begins_with("test_"):
			print("BEGIN %s %s" % [file, test])
			var case: Node = script.new()
			case.set(&"plugin", self)
			EditorInterface.get_base_control().add_child(case)
			await case.call(test)
			var failures: PackedStringArray = case.get(&"failures")
			if case.get(&"checks") == 0:
				failures.append("checked nothing")
			case.queue_free()
			await get_tree().process_frame
			_report(file, test, failures)


func _report(file: String, test: String, failures: PackedStringArray) -> void:
	if failures.is_empty():
		_passed += 1
		print("PASS %s %s" % [file, test])
	else:
		_failed += 1
		print("FAIL %s %s: %s" % [file, test, "; ".join(failures)])
