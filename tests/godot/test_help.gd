extends TestCase
## Everything that the class reference lists has its text in the help of the editor.

## A field cannot be called so in Rust, and help is written by fields: the text of the class has to tell of it.
const TOLD_BY_ITS_CLASS := ["BehaviorState: member loop"]


func test_everything_has_its_help() -> void:
	if not ClassDB.class_exists(&"RiposteProbe"):
		check(true, "a release library has no help")
		return
	var help: Dictionary[String, Dictionary] = {}
	for text: String in ClassDB.instantiate(&"RiposteProbe").call(&"help") as PackedStringArray:
		help.merge(_read(text))
	var folder: String = OS.get_environment("RIPOSTE_ROOT").path_join("docs/api")
	var files: PackedStringArray = DirAccess.get_files_at(folder)
	check(files.size() > 100, "%d classes" % files.size())
	for file: String in files:
		if file.get_extension() == "xml":
			_compare(_read(FileAccess.get_file_as_string(folder.path_join(file))), help)


func test_what_is_missing_is_found() -> void:
	var listed: Dictionary[String, Dictionary] = _read("<class name=\"A\"><methods><method name=\"f\"><return type=\"int\" /><description></description></method></methods><members><member name=\"m\" type=\"int\">\n</member><member name=\"n\" overrides=\"B\" /></members></class>")
	eq(listed, {"A": {"": "", "method f": "", "member m": ""}})
	var told: Dictionary[String, Dictionary] = _read("<class name=\"A\"><brief_description>An A.</brief_description><methods><method name=\"f\"><description>Does f.</description></method></methods></class>")
	eq(_missing(listed, told), PackedStringArray(["A: member m"]))


func _compare(listed: Dictionary[String, Dictionary], help: Dictionary[String, Dictionary]) -> void:
	for missing: String in _missing(listed, help):
		if missing in TOLD_BY_ITS_CLASS:
			var named: String = missing.get_slice(": ", 0)
			has_element(help[named][""], "[code]%s[/code]" % missing.get_slice(" ", 2), named)
		else:
			fail("no help: %s" % missing)
	checks += 1


func _missing(listed: Dictionary[String, Dictionary], help: Dictionary[String, Dictionary]) -> PackedStringArray:
	var found: PackedStringArray = []
	for named: String in listed:
		for member: String in listed[named]:
			if (help.get(named, {}) as Dictionary).get(member, "") == "":
				found.append("%s: %s" % [named, member])
	return found


## Class -> kind and name of a member -> its text; the class itself under an empty name.
func _read(text: String) -> Dictionary[String, Dictionary]:
	var parser: XMLParser = XMLParser.new()
	parser.open_buffer(text.to_utf8_buffer())
	var members: Dictionary = {"": ""}
	var made: Dictionary[String, Dictionary] = {}
	var at: String = ""
	while parser.read() == OK:
		match parser.get_node_type():
			XMLParser.NODE_ELEMENT:
				var kind: String = parser.get_node_name()
				if kind == "class":
					made[parser.get_named_attribute_value("name")] = members
				elif kind in ["method", "signal", "member", "constant"]:
					at = "%s %s" % [kind, parser.get_named_attribute_value("name")]
					if not parser.has_attribute("overrides"):
						members[at] = ""
			XMLParser.NODE_TEXT:
				if members.has(at):
					members[at] += parser.get_node_data().strip_edges()
	return made
