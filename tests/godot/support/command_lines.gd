extends RefCounted
## The worked examples and the truth table of orders, from the files that the Rust tests read too.
## How their notation is read stands in rust/core/tests/command/notation.rs.


## A line: steps of the set-up, steps, what each answers and causes, the state after all (or "").
class Line:
	var label: String = ""
	var set_up: PackedStringArray = []
	var steps: PackedStringArray = []
	var results: PackedStringArray = []
	var state: String = ""


## The lines of a worked example.
static func example(number: int) -> Array[Line]:
	var found: Array[Line] = []
	for text: String in _read("examples.txt"):
		var cells: PackedStringArray = text.split("|")
		if cells[0].strip_edges() != str(number):
			continue
		var line: Line = Line.new()
		line.label = text
		line.set_up = _split(cells[1].get_slice("‖", 0), ",")
		line.steps = _split(cells[1].get_slice("‖", 1), ";")
		line.results = _split(cells[2], ";")
		found.append(line)
	return found


## The cells of a column of the truth table.
static func column(named: String) -> Array[Line]:
	return _group("table.txt", named)


## The lines of a group of rules.
static func rules(named: String) -> Array[Line]:
	return _group("rules.txt", named)


static func _group(file: String, named: String) -> Array[Line]:
	var found: Array[Line] = []
	var set_up: PackedStringArray = []
	var inside: bool = false
	for text: String in _read(file):
		if text.begins_with("["):
			inside = text.begins_with("[%s]" % named)
			set_up = _split(text.get_slice("]", 1), ",")
			continue
		if not inside:
			continue
		var cells: PackedStringArray = text.split("|")
		var line: Line = Line.new()
		line.label = "[%s] %s" % [named, text]
		line.set_up = set_up.duplicate()
		if cells[0].contains("‖"):
			line.set_up.append_array(_split(cells[0].get_slice("‖", 0), ","))
		line.steps = _split(cells[0].get_slice("‖", 1) if cells[0].contains("‖") else cells[0], ";")
		line.results = _split(cells[1], ";")
		line.state = cells[2].strip_edges()
		found.append(line)
	return found


static func _read(file: String) -> PackedStringArray:
	var lines: PackedStringArray = []
	for text: String in FileAccess.get_file_as_string("res://fixtures/commands/" + file).split("\n"):
		if not text.is_empty() and not text.begins_with("#"):
			lines.append(text)
	return lines


static func _split(text: String, separator: String) -> PackedStringArray:
	var parts: PackedStringArray = []
	for part: String in text.split(separator):
		if not part.strip_edges().is_empty():
			parts.append(part.strip_edges())
	return parts
