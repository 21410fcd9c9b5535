extends RefCounted
## The worked examples of the action graph, from the files that the Rust tests read too (`tests/fixtures/graph`, whose
## README tells what they say). Reads as much of RON as those files use: structs become dictionaries, tuples and lists
## arrays, an enum with a payload an array that begins with its name, a bare word a StringName.

const FILES: PackedStringArray = [
	"windows", "grace", "waiting", "cutting", "starting", "choosing", "blocking", "held", "following", "clocks", "tiers",
	"sequences", "living",
]

static var _rows: Dictionary[String, Dictionary] = {}

var _text: String = ""
var _at: int = 0


## The row of this name, with what it has from its bases.
static func row(named: String) -> Dictionary:
	return all()[named]


## Name -> row.
static func all() -> Dictionary[String, Dictionary]:
	if _rows.is_empty():
		var bases: Dictionary = read("bases.ron")
		for file: String in FILES:
			for found: Dictionary in read(file + ".ron") as Array:
				_rows[found["row"] as String] = _resolve(bases, found)
	return _rows


## What a file of the fixtures holds.
static func read(file: String) -> Variant:
	var reader: RefCounted = new()
	return reader.call(&"parse", FileAccess.get_file_as_string("res://fixtures/graph".path_join(file)))


static func _resolve(bases: Dictionary, row: Dictionary) -> Dictionary:
	if not row.has("base"):
		return row.duplicate(true)
	var made: Dictionary = _resolve(bases, bases[row["base"]] as Dictionary)
	for key: String in row:
		match key:
			"nodes":
				var nodes: Dictionary = made.get_or_add("nodes", {})
				for id: String in row["nodes"] as Dictionary:
					var node: Dictionary = nodes.get_or_add(id, {})
					node.merge((row["nodes"] as Dictionary)[id] as Dictionary, true)
			"vitals":
				(made.get_or_add("vitals", {}) as Dictionary).merge(row["vitals"] as Dictionary, true)
			"wires", "map":
				(made.get_or_add(key, []) as Array).append_array(row[key] as Array)
			_:
				made[key] = row[key]
	var dropped: Array = row.get("without", [])
	made["wires"] = (made["wires"] as Array).filter(func(wire: Dictionary) -> bool: return wire["wire"] not in dropped)
	return made


## The value that a text in RON stands for.
func parse(text: String) -> Variant:
	_text = text
	_at = 0
	return _value()


func _value() -> Variant:
	_skip()
	match _text[_at]:
		"(":
			return _fields()
		"[":
			return _list("]")
		"{":
			return _map()
		"\"":
			return _string()
	if _text[_at] in "-.0123456789":
		return _number()
	var word: String = _word()
	if word in ["true", "false"]:
		return word == "true"
	if _at < _text.length() and _text[_at] == "(":
		var inner: Variant = _fields()
		return [word, inner] if inner is Dictionary else [word] + (inner as Array)
	return [word]


func _fields() -> Variant:
	var start: int = _at
	_at += 1
	_skip()
	var word: String = _word()
	_skip()
	var named: bool = not word.is_empty() and _text[_at] == ":"
	_at = start
	if not named:
		return _list(")")
	_at += 1
	var made: Dictionary = {}
	while not _closes(")"):
		var key: String = _word()
		_skip()
		_at += 1
		made[key] = _value()
	return made


func _list(end: String) -> Array:
	_at += 1
	var made: Array = []
	while not _closes(end):
		made.append(_value())
	return made


func _map() -> Dictionary:
	_at += 1
	var made: Dictionary = {}
	while not _closes("}"):
		var key: String = _string()
		_skip()
		_at += 1
		made[key] = _value()
	return made


## True, and behind it, if here is the end of a list. Steps over commas.
func _closes(end: String) -> bool:
	_skip()
	if _text[_at] == ",":
		_at += 1
		_skip()
	if _text[_at] != end:
		return false
	_at += 1
	return true


func _string() -> String:
	var end: int = _text.find("\"", _at + 1)
	var found: String = _text.substr(_at + 1, end - _at - 1)
	_at = end + 1
	return found


func _number() -> float:
	var start: int = _at
	while _text[_at] in "-+.eE0123456789":
		_at += 1
	return _text.substr(start, _at - start).to_float()


func _word() -> String:
	var start: int = _at
	while _at < _text.length() and (_text[_at] == "_" or _text[_at].is_valid_identifier() or _text[_at] in "0123456789"):
		_at += 1
	return _text.substr(start, _at - start)


## Steps over blanks, comments and the line of extensions.
func _skip() -> void:
	while _at < _text.length():
		if _text[_at] in " \t\r\n":
			_at += 1
		elif _text.substr(_at, 2) in ["//", "#!"]:
			_at = _text.find("\n", _at)
		else:
			return
