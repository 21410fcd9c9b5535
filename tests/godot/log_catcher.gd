extends Logger
## Collects errors and warnings while a test runs. Loaded only where the engine has [Logger] (4.5 and later); the scan
## of the log afterwards does without it.

var _lock := Mutex.new()
var _entries: Array[Dictionary] = []


## Returns what was logged since the last call: `kind` ("error", "warning", "script error") and `text`.
func take() -> Array[Dictionary]:
	_lock.lock()
	var taken := _entries
	_entries = []
	_lock.unlock()
	return taken


## Whether a script stopped with an error, which means that a test will not go on.
func has_script_error() -> bool:
	_lock.lock()
	var found := _entries.any(func(entry: Dictionary) -> bool: return entry.kind == "script error")
	_lock.unlock()
	return found


func _log_error(
	_function: String,
	file: String,
	line: int,
	code: String,
	rationale: String,
	_editor_notify: bool,
	error_type: int,
	_script_backtraces: Array[ScriptBacktrace],
) -> void:
	var kind := "error"
	if error_type == Logger.ERROR_TYPE_WARNING:
		kind = "warning"
	elif error_type == Logger.ERROR_TYPE_SCRIPT:
		kind = "script error"
	var text := code if rationale.is_empty() else rationale
	_lock.lock()
	_entries.append({"kind": kind, "text": text, "place": "%s:%d" % [file.get_file(), line]})
	_lock.unlock()
