extends Resource
## What happened, line by line, and what to do when a certain line is written.
##
## A resource, because the private copies that runs make of a scripted method share it by reference.

var lines: PackedStringArray = []
## Line -> Callable that is run when the line is written: the way to misbehave inside handlers and virtuals.
var reactions: Dictionary = {}
## Who wrote the last line, where the writer says so; null when it is gone, as a diary keeps nobody alive.
var writer: Object:
	get:
		return _writer.get_ref() if _writer != null else null
	set(value):
		_writer = weakref(value) if value != null else null

var _writer: WeakRef


func write(line: String) -> void:
	lines.append(line)
	if reactions.has(line):
		var reaction: Callable = reactions[line]
		reaction.call()


func on(line: String, reaction: Callable) -> void:
	reactions[line] = reaction


## As `on`, for the first time only.
func once(line: String, reaction: Callable) -> void:
	reactions[line] = func() -> void:
		reactions.erase(line)
		reaction.call()


## All lines, or those that begin with one of the words; the diary is empty afterwards.
func take(first_words: String = "") -> String:
	var words: PackedStringArray = first_words.split(" ", false)
	var kept: PackedStringArray = []
	for line: String in lines:
		if words.is_empty() or words.has(line.get_slice(" ", 0)):
			kept.append(line)
	lines.clear()
	return ", ".join(kept)


func count(line: String) -> int:
	return lines.count(line)
