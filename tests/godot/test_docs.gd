extends TestCase
## Every GDScript snippet of the guides compiles against the built library.

const GUIDES: PackedStringArray = [
	"README.md", "docs/getting-started.md", "docs/perception.md", "docs/awareness.md", "docs/actions.md",
	"docs/execution.md", "docs/abilities.md", "docs/behaviors.md", "docs/commands.md", "docs/action-graph.md", "docs/moving.md", "docs/agents.md", "docs/cookbook.md", "docs/performance.md", "docs/upgrading.md",
]
## A snippet that has one of these at the start of a line is a script, else it is what stands in a function.
const TOP_LEVEL: String = "(?m)^(extends|class_name|func|var|const|signal|enum|@onready|@export|@tool)\\b"

## The helpers of the cookbooks in docs/actions.md and docs/action-graph.md; tests run those whole.
const HELPERS: PackedStringArray = [
	"func move(_id: StringName, _weight: float = 1.0, _cooldown: float = 0.0) -> ActionSpec:",
	"func within(_least: float, _from: float, _to: float, _most: float) -> DistanceScorer:",
	"func make_combo() -> ActionGraph:",
]
## The constants of the cookbook in docs/action-graph.md.
const INPUT_TAGS: PackedStringArray = ["LIGHT", "HEAVY", "GUARD", "DODGE"]


func test_snippets_of_the_guides_compile() -> void:
	var count: int = 0
	for guide: String in GUIDES:
		for snippet: String in _snippets(guide):
			count += 1
			var script: GDScript = GDScript.new()
			script.source_code = _as_script(snippet)
			check(script.reload() == OK, "a snippet of %s does not compile:\n%s" % [guide, script.source_code])
	check(count >= 10, "only %d snippets found" % count)


func _snippets(guide: String) -> PackedStringArray:
	var path: String = OS.get_environment("RIPOSTE_ROOT").path_join(guide)
	var text: String = FileAccess.get_file_as_string(path)
	check(not text.is_empty(), "cannot read %s" % path)
	var found: PackedStringArray = []
	for part: String in text.split("```gdscript\n").slice(1):
		found.append(part.get_slice("```", 0))
	return found


func _as_script(snippet: String) -> String:
	var source: String = RegEx.create_from_string("(?m)^class_name .*$").sub(snippet, "", true)
	if not RegEx.create_from_string(TOP_LEVEL).search(source):
		source = "func _snippet() -> void:\n" + source.indent("\t")
	if not RegEx.create_from_string("(?m)^extends ").search(source):
		source = "extends CharacterBody3D\n" + source
	# Names that a guide has introduced by then.
	if source.contains("brain.") and not source.contains("var brain"):
		source += "\nvar brain: ActionEvaluator\n"
	for tag: String in INPUT_TAGS:
		if RegEx.create_from_string("\\b%s\\b" % tag).search(source) and not source.contains("const " + tag):
			source += "\nconst %s := &\"Input\"\n" % tag
	for helper: String in HELPERS:
		var call: String = helper.get_slice("(", 0).trim_prefix("func ") + "("
		if source.contains(call) and not source.contains("func " + call):
			source += "\n%s\n\treturn null\n" % helper
	# What the guide leaves to the reader is marked so.
	for own: RegExMatch in RegEx.create_from_string("(\\w+)\\([^)\\n]*\\)\\s+# your function").search_all(source):
		source += "\nfunc %s(_a: Variant = null, _b: Variant = null) -> void:\n\tpass\n" % own.get_string(1)
	return source
