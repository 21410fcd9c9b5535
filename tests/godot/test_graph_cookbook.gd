extends TestCase
## The recipes of the guide to the action graph play as they are printed.

const GUIDE: String = "docs/action-graph.md"
const LIGHT: StringName = &"Input.LightAttack"
const HEAVY: StringName = &"Input.HeavyAttack"
const GUARD: StringName = &"Input.Guard"
const DODGE: StringName = &"Input.Dodge"
const STEP: float = 0.05

var _time: float = 0.0
var _lines: PackedStringArray = []


# --- What the reader has ----------------------------------------------------------------------


func _text() -> String:
	return FileAccess.get_file_as_string(OS.get_environment("RIPOSTE_ROOT").path_join(GUIDE))


## All recipes that build a graph, in one script with the helpers of the cookbook.
func _cookbook() -> RefCounted:
	var source: String = "extends RefCounted\n"
	for part: String in _text().get_slice("## Cookbook", 1).split("```gdscript\n").slice(1):
		var snippet: String = part.get_slice("```", 0)
		if not snippet.contains("class_name "):
			source += snippet
	return script(source).new()


## The script of the first snippet of the guide that contains `mark`.
func _snippet(mark: String) -> GDScript:
	for part: String in _text().split("```gdscript\n").slice(1):
		var source: String = part.get_slice("```", 0)
		if source.contains(mark):
			source = RegEx.create_from_string("(?m)^class_name .*$").sub(source, "", true)
			return script(source if source.contains("extends ") else "extends Node\n" + source)
	fail("%s has no snippet with %s" % [GUIDE, mark])
	return null


## An agent with an AnimationPlayer and a graph player that the test moves on. Each animation: its length, the times of
## its window, those of a window of the kind `perfect`.
func _agent(graph: ActionGraph, animations: Dictionary, agent_name: String = "Agent") -> ActionGraphPlayer:
	var agent: Node3D = Node3D.new()
	agent.name = agent_name
	agent.add_child(_mixer(animations))
	var tags: TagContainer = TagContainer.new()
	tags.name = "TagContainer"
	agent.add_child(tags)
	var moves: ActionGraphPlayer = ActionGraphPlayer.new()
	moves.name = "Moves"
	moves.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	moves.default_graph = graph
	moves.action_started.connect(func(node: StringName, _run: ActionRun) -> void: _note(node, moves))
	moves.graph_reset.connect(func() -> void: _note(&"root", moves))
	agent.add_child(moves)
	add(agent)
	return moves


func _mixer(animations: Dictionary) -> AnimationPlayer:
	var library: AnimationLibrary = AnimationLibrary.new()
	for id: String in animations:
		var times: Array = animations[id]
		var animation: Animation = Animation.new()
		animation.length = times[0]
		if times.size() > 1:
			animation.add_marker(&"action_window", times[1])
			animation.add_marker(&"action_window_end", times[2])
		if times.size() > 3:
			animation.add_marker(&"action_window:perfect", times[3])
			animation.add_marker(&"action_window_end:perfect", times[4])
		library.add_animation(id, animation)
	var mixer: AnimationPlayer = AnimationPlayer.new()
	mixer.name = "AnimationPlayer"
	mixer.add_animation_library(&"", library)
	return mixer


func _note(node: StringName, moves: ActionGraphPlayer) -> void:
	var who: String = "" if moves.get_parent().name == &"Agent" else "%s " % moves.get_parent().name
	_lines.append("%s%s@%s" % [who, node, ("%.2f" % _time).rstrip("0").rstrip(".")])


## Moves time on to `time`; everything that this test has in it starts and ends on a step.
func _to(time: float, players: Array) -> void:
	while _time < time - 0.001:
		_time += STEP
		for moves: ActionGraphPlayer in players:
			moves.advance(STEP)


## Presses and releases at their times, then the rest until `end`. A tag with a `-` before it is released.
func _play(moves: ActionGraphPlayer, inputs: Array, end: float) -> String:
	_time = 0.0
	_lines.clear()
	for input: Array in inputs:
		_to(input[0], [moves])
		var text: String = input[1]
		moves.push_input(text.trim_prefix("-"), not text.begins_with("-"))
	_to(end, [moves])
	return " ".join(_lines)


const BLOWS: Dictionary = {
	"light_1": [1.0, 0.4, 0.8], "light_2": [1.0, 0.4, 0.8], "light_3": [1.0], "parry": [0.4],
	"finisher": [1.0],
}

# --- The recipes ------------------------------------------------------------------------------


func test_quick_start() -> void:
	var moves: ActionGraphPlayer = _agent(null, BLOWS)
	moves.name = "ActionGraphPlayer"
	add(_snippet("moves.default_graph = graph").new(), moves.get_parent())
	eq(_play(moves, [[0.0, LIGHT], [0.1, "-" + LIGHT], [0.2, LIGHT]], 3.0), "light_1@0 light_2@0.4 root@1.4")
	eq(moves.input_map.inputs.size(), 1, "buttons")


## The five presses of the picture at "What happens to one input".
func test_when_a_press_comes() -> void:
	for row: Array in [
		[0.2, "light_1@0 light_2@0.4 root@1.4"], [0.5, "light_1@0 light_2@0.5 root@1.5"],
		[0.85, "light_1@0 light_2@1 root@2"], [1.1, "light_1@0 root@1 light_2@1.1 root@2.1"],
		[1.3, "light_1@0 root@1 light_1@1.3 root@2.3"],
	]:
		var graph: ActionGraph = _cookbook().call(&"make_combo")
		var moves: ActionGraphPlayer = _agent(graph, BLOWS)
		eq(_play(moves, [[0.0, LIGHT], [0.05, "-" + LIGHT], [row[0], LIGHT]], 4.0), row[1], "pressed at %s" % row[0])
		moves.get_parent().free()


func test_perfect_window() -> void:
	var recipe: Node = add(_snippet("func add_perfect").new())
	for press: float in [0.2, 0.3]:
		var graph: ActionGraph = _cookbook().call(&"make_combo")
		var payload: PlayAnimationPayload = PlayAnimationPayload.new()
		payload.animation = &"light_3"
		graph.add_node(&"light_2_perfect", payload)
		recipe.call(&"add_perfect", graph)
		var animations: Dictionary = BLOWS.duplicate()
		animations["light_1"] = [1.0, 0.4, 0.8, 0.3, 0.39]
		var moves: ActionGraphPlayer = _agent(graph, animations)
		var wanted: String = "light_2@0.4" if press < 0.3 else "light_2_perfect@0.3"
		has_element(_play(moves, [[0.0, LIGHT], [0.05, "-" + LIGHT], [press, LIGHT]], 1.0), wanted, "pressed at %s" % press)
		moves.get_parent().free()


func test_combo_in_code_and_as_file() -> void:
	var path: String = "user://graph_cookbook_combo.tres"
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	file.store_string(_text().get_slice("```tres\n", 1).get_slice("```", 0))
	file.close()
	var read: ActionGraph = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	var built: ActionGraph = _cookbook().call(&"make_combo")
	eq(read.get_node_ids(), built.get_node_ids(), "nodes")
	for graph: ActionGraph in [built, read]:
		var moves: ActionGraphPlayer = _agent(graph, BLOWS)
		var presses: Array = [[0.0, LIGHT], [0.1, "-" + LIGHT], [0.2, LIGHT], [0.3, "-" + LIGHT], [0.9, LIGHT]]
		eq(_play(moves, presses, 3.0), "light_1@0 light_2@0.4 light_3@0.9 root@1.9", "plays")
		moves.get_parent().free()
	# What the guide prints is what is written.
	eq(ResourceSaver.save(built, path), OK, "saved")
	eq(_blocks(FileAccess.get_file_as_string(path)), _blocks(_text().get_slice("```tres\n", 1).get_slice("```", 0)), "file")
	DirAccess.remove_absolute(path)


## All but the first line, which is the engine's: it may have a uid and a count.
func _blocks(text: String) -> String:
	return text.substr(text.find("\n")).strip_edges()


func test_parry_cancel() -> void:
	for row: Array in [[0.15, "light_1@0 parry@0.15 root@0.55"], [0.05, "light_1@0 parry@0.4 root@0.8"]]:
		var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_parry"), BLOWS)
		eq(_play(moves, [[0.0, LIGHT], [row[0], GUARD]], 2.0), row[1], "pressed at %s" % row[0])
		moves.get_parent().free()
	var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_parry"), BLOWS)
	_play(moves, [[0.0, GUARD]], 0.2)
	check(moves.has_action_tag(&"State.Parrying"), "it parries")
	_to(0.5, [moves])
	check(not moves.has_action_tag(&"State.Parrying"), "it is over")


func test_held_guard() -> void:
	var animations: Dictionary = {"guard_raise": [0.3], "guard_lower": [0.2]}
	var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_guard"), animations)
	var tags: TagContainer = moves.get_node("../TagContainer")
	var changes: SignalRecord = record(tags.tags_changed)
	_play(moves, [[0.0, GUARD]], 0.5)
	check(tags.has_tag(&"State.Guarding"), "guards")
	near(moves.get_locomotion_scale().x, 0.4, 0.0001, "walks slowly")
	_to(1.0, [moves])
	moves.push_input(GUARD, false)
	_to(2.0, [moves])
	eq(" ".join(_lines), "guard_raise@0 guard_hold@0.3 guard_lower@1 root@1.2", "held")
	await physics(2)
	lacks_element(Array(changes.calls).map(func(seen: Array) -> bool: return "State.Guarding" in seen[1] and "State.Guarding" in seen[0]), true, "no blink")
	eq(_play(moves, [[0.0, GUARD], [0.2, "-" + GUARD]], 1.0), "guard_raise@0 guard_lower@0.3 root@0.5", "tapped")


func test_guard_ends_without_stamina() -> void:
	var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_guard"), {"guard_raise": [0.3], "guard_lower": [0.2]})
	var vitals: AgentVitals = AgentVitals.new()
	var stamina: AgentVital = AgentVital.new()
	stamina.tag = &"Vital.Stamina"
	stamina.max_value = 8.0
	var rows: Array[AgentVital] = [stamina]
	vitals.vitals = rows
	moves.add_sibling(vitals)
	eq(_play(moves, [[0.0, GUARD]], 2.0), "guard_raise@0 guard_hold@0.3 guard_lower@1.3 root@1.5", "a second of 8 each")


func test_charge_attack() -> void:
	var animations: Dictionary = {"jab": [0.4], "charge": [1.0], "slam": [0.5], "slam_full": [0.5]}
	for row: Array in [
		[0.1, "jab@0.1 root@0.5"], [0.6, "charge@0.2 slam@0.6 root@1.1"], [9.0, "charge@0.2 slam_full@1.2 root@1.7"],
	]:
		var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_charge"), animations)
		moves.input_map = _cookbook().call(&"make_charge_buttons")
		eq(_play(moves, [[0.0, HEAVY], [minf(row[0], 3.0), "-" + HEAVY]], 3.5), row[1], "let go at %s" % row[0])
		moves.get_parent().free()


func test_dodge_out_of_recovery() -> void:
	var animations: Dictionary = {"heavy": [1.0], "recover": [0.6], "dodge": [0.5]}
	for row: Array in [
		[0.3, "heavy@0 recover@1 root@1.6"], [0.8, "heavy@0 dodge@1 root@1.5"], [1.2, "heavy@0 recover@1 dodge@1.2 root@1.7"],
	]:
		var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_recovery"), animations)
		eq(_play(moves, [[0.0, HEAVY], [row[0], DODGE]], 3.0), row[1], "pressed at %s" % row[0])
		moves.get_parent().free()
	var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_recovery"), animations)
	_play(moves, [[0.0, HEAVY]], 0.5)
	moves.set_move_direction(Vector2(0, -1))
	_to(3.0, [moves])
	eq(" ".join(_lines), "heavy@0 recover@1 root@1.1", "walking cuts it")


func test_finisher() -> void:
	var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_finisher"), BLOWS)
	var foe: Node3D = Node3D.new()
	foe.position = Vector3(0, 0, -1)
	var mixer: AnimationPlayer = _mixer({"finished": [1.0]})
	foe.add_child(mixer)
	var tags: TagContainer = TagContainer.new()
	foe.add_child(tags)
	add(foe)
	moves.set_target(foe)
	eq(_play(moves, [[0.0, LIGHT], [0.05, "-" + LIGHT]], 2.0), "light_1@0 root@1", "it stands firm")
	tags.add_tag(&"State.Staggered")
	_time = 0.0
	_lines.clear()
	_to(0.5, [moves])
	moves.push_input(LIGHT, true)
	eq(" ".join(_lines), "finisher@0.5", "it staggers")
	check(moves.has_action_tag(&"State.Paired") and tags.has_tag(&"State.Paired"), "both are paired")
	eq(mixer.current_animation, "finished", "the partner's part")
	_to(2.0, [moves])
	eq(" ".join(_lines), "finisher@0.5 root@1.5", "it ends")
	check(not tags.has_tag(&"State.Paired"), "and lets go")


func test_ai_presses_the_same_buttons() -> void:
	var cookbook: RefCounted = _cookbook()
	var foe: ActionGraphPlayer = _agent(cookbook.call(&"make_combo"), BLOWS, "Foe")
	var graph: ActionGraph = cookbook.call(&"make_guard")
	graph.includes = [cookbook.call(&"make_combo")]
	var animations: Dictionary = BLOWS.duplicate()
	animations.merge({"guard_raise": [0.3], "guard_lower": [0.2]})
	var moves: ActionGraphPlayer = _agent(graph, animations, "Partner")
	var partner: Node = _snippet("class_name SparringPartner").new()
	partner.set(&"moves", moves)
	partner.set(&"foe", foe)
	add(partner)
	foe.process_input(LIGHT)
	_to(2.0, [foe, moves])
	eq(
		_lines, ["Foe light_1@0", "Partner guard_raise@0", "Partner guard_hold@0.3", "Foe root@1", "Partner guard_lower@1", "Partner root@1.15"],
		"it guards while its foe strikes")
	_lines.clear()
	_time = 0.0
	partner.call(&"strike")
	_to(4.0, [foe, moves])
	eq(
		_lines, ["Partner light_1@0", "Partner light_2@0.4", "Partner light_3@0.8", "Partner root@1.8"], "and strikes by a combo")


func test_hit_stop() -> void:
	var moves: ActionGraphPlayer = _agent(_cookbook().call(&"make_combo"), BLOWS)
	var foe: ActionGraphPlayer = _agent(_cookbook().call(&"make_combo"), BLOWS, "Foe")
	var game: Node = add(_snippet("func on_hit").new())
	_play(moves, [[0.0, LIGHT]], 0.2)
	game.call(&"on_hit", moves, foe)
	check(moves.is_frozen() and foe.is_frozen(), "both stand")
	_to(0.25, [moves])
	near(moves.get_action_state()["node_time"], 0.2, 0.0001, "no time passes")
	_to(0.4, [moves])
	near(moves.get_action_state()["node_time"], 0.32, 0.0001, "0.08 s are missing")
