extends TestCase
## What an ActionGraphPlayer tells when the program ends in the middle of a move, seen in a second engine.


## Lines that the second engine prints after `BEGIN what`, up to the next such line.
func _lines(output: String, what: String) -> PackedStringArray:
	var found: PackedStringArray = []
	var inside: bool = false
	for line: String in output.split("\n"):
		if line.begins_with("BEGIN "):
			inside = line.strip_edges() == "BEGIN " + what
		elif inside and not line.strip_edges().is_empty():
			found.append(line.strip_edges())
	return found


func test_the_end_of_the_program_is_quiet() -> void:
	var output: Array = []
	var arguments: PackedStringArray = [
		"--headless", "--path", ProjectSettings.globalize_path("res://"), "--quit-after", "600",
		"res://support/graph_quitter.tscn",
	]
	eq(OS.execute(OS.get_executable_path(), arguments, output, true), 0, "exit code of the second engine")
	var text: String = output[0] if not output.is_empty() else ""
	# 7: END_REMOVED.
	eq(_lines(text, "quitting"), ["_exit 7", "_stop 7", "action_ended slash 7"], "the program ends:\n" + text)
	var leaving: PackedStringArray = _lines(text, "leaving")
	for told: String in ["_exit 7", "_stop 7", "action_ended slash 7", "window_closed", "graph_reset", "locomotion_scale_changed"]:
		has_element(leaving, told, "a character that leaves the tree by itself")
	eq(leaving.count("sequence_ended"), 1, "a sequence ends once")
