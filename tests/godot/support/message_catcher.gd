extends Logger
## Collects what is printed while it is added to the engine, errors and warnings left out.

var _lock: Mutex = Mutex.new()
var _lines: PackedStringArray = []


## Returns what was printed since the last call, a line each.
func take() -> PackedStringArray:
	_lock.lock()
	var taken: PackedStringArray = _lines
	_lines = []
	_lock.unlock()
	return taken


func _log_message(message: String, error: bool) -> void:
	if error:
		return
	_lock.lock()
	_lines.append_array(message.strip_edges().split("\n"))
	_lock.unlock()
