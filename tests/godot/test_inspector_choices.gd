extends TestCase
## What the inspector offers for properties that are one of several constants.


func test_choices_are_written_as_words() -> void:
	var seen := 0
	var joined := RegEx.create_from_string("[a-z][A-Z]|_")
	for title in ClassDB.get_class_list():
		if ClassDB.class_get_api_type(title) != ClassDB.API_EXTENSION:
			continue
		for info: Dictionary in ClassDB.class_get_property_list(title, true):
			if info.type != TYPE_INT or info.hint != PROPERTY_HINT_ENUM:
				continue
			seen += 1
			var names := String(info.hint_string)
			check(joined.search(names) == null, "%s.%s: %s" % [title, info.name, names])
	check(seen > 12, "choices seen: %d" % seen)


func test_choices_stand_for_their_constants() -> void:
	eq(_offered(&"ActionSpec", "interrupt_class"), "Never:0,By Priority:1,By Margin:2,Any:3", "actions")
	eq(_offered(&"ReactionSpec", "interrupt_class"), "Never:0,By Priority:1,By Margin:2,Any:3", "reactions")
	eq(_offered(&"ActionSpec", "cooldown_starts"), "On Start:0,On End:1", "cooldown")
	eq(_offered(&"ActionEvaluator", "set_change_policy"), "End if Missing:0,Let Finish:1,End Always:2", "change of the set")


func _offered(title: StringName, property: String) -> String:
	for info: Dictionary in ClassDB.class_get_property_list(title, true):
		if info.name == property:
			return info.hint_string
	return ""
