extends TestCase
## The movesets of the demo (demo-project/moveset) are sound, read and written as they are, and play as they should.

const LIGHT: StringName = &"Input.LightAttack"
const HEAVY: StringName = &"Input.HeavyAttack"
const GUARD: StringName = &"Input.Guard"
const DODGE: StringName = &"Input.Dodge"
const FOLDER: String = "user://moveset"
const GRAPHS: PackedStringArray = ["common", "sword", "two_handed", "unarmed"]
const STEP: float = 0.05

const BODY: String = "
extends CharacterBody3D
func strike(_amount: float, _reach: float, _half_angle: float = 60.0) -> void:
	pass
func finish_off() -> void:
	pass
"

var _lines: PackedStringArray = []
var _time: float = 0.0


# --- The files --------------------------------------------------------------------------------


## Copies the resources of the demo into this project's own folder, where their paths lead to each other.
func _copy() -> void:
	var root: String = OS.get_environment("RIPOSTE_ROOT").path_join("demo-project/moveset")
	DirAccess.make_dir_recursive_absolute(FOLDER + "/graphs")
	for file: String in ["moves.tres", "finishers.tres", "controls.tres"]:
		_copy_file(root.path_join(file), FOLDER.path_join(file))
	for graph: String in GRAPHS:
		_copy_file(root.path_join("graphs/%s.tres" % graph), FOLDER.path_join("graphs/%s.tres" % graph))


func _copy_file(from: String, to: String) -> void:
	var text: String = FileAccess.get_file_as_string(from)
	check(not text.is_empty(), "cannot read %s" % from)
	var file: FileAccess = FileAccess.open(to, FileAccess.WRITE)
	file.store_string(text.replace("res://moveset", FOLDER))
	file.close()


func _graph(name: String) -> ActionGraph:
	return load(FOLDER.path_join("graphs/%s.tres" % name))


## A champion of the demo without its script.
func _champion(graph: String, callback: int = ActionGraphPlayer.PROCESS_MANUAL) -> ActionGraphPlayer:
	_copy()
	var agent: CharacterBody3D = script(BODY).new()
	agent.name = "Champion"
	var place: Node = agent
	for part: String in ["Figure", "Torso"]:
		var node: Node3D = Node3D.new()
		node.name = part
		place.add_child(node)
		place = node
	for arm: String in ["RightArm", "LeftArm"]:
		var node: Node3D = Node3D.new()
		node.name = arm
		place.add_child(node)
	var tags: TagContainer = TagContainer.new()
	tags.name = "TagContainer"
	agent.add_child(tags)
	var mixer: AnimationPlayer = AnimationPlayer.new()
	mixer.name = "AnimationPlayer"
	mixer.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	mixer.add_animation_library(&"", load(FOLDER + "/moves.tres"))
	agent.add_child(mixer)
	var approach: AttackApproach3D = AttackApproach3D.new()
	approach.name = "AttackApproach3D"
	approach.apply_motion = true
	agent.add_child(approach)
	var moves: ActionGraphPlayer = ActionGraphPlayer.new()
	moves.name = "Moves"
	moves.process_callback = callback
	moves.default_graph = _graph(graph)
	moves.input_map = load(FOLDER + "/controls.tres")
	moves.action_started.connect(func(node: StringName, _run: ActionRun) -> void: _note(node))
	moves.graph_reset.connect(func() -> void: _note(&"root"))
	agent.add_child(moves)
	add(agent)
	return moves


func _note(node: StringName) -> void:
	_lines.append("%s@%s" % [node, ("%.2f" % _time).rstrip("0").rstrip(".")])


func _to(time: float, moves: ActionGraphPlayer) -> void:
	while _time < time - 0.001:
		_time += STEP
		moves.advance(STEP)


## Presses and releases at their times, then the rest until `end`. A tag with a `-` before it is released.
func _play(moves: ActionGraphPlayer, inputs: Array, end: float) -> String:
	_time = 0.0
	_lines.clear()
	for input: Array in inputs:
		_to(input[0], moves)
		var text: String = input[1]
		moves.push_input(text.trim_prefix("-"), not text.begins_with("-"))
	_to(end, moves)
	return " ".join(_lines)


func _mixer(moves: ActionGraphPlayer) -> AnimationPlayer:
	return moves.get_node("../AnimationPlayer")


func test_graphs_are_sound() -> void:
	var moves: ActionGraphPlayer = _champion("unarmed")
	for name: String in GRAPHS:
		# This project declares no tags; the demo does. What is in `common` for others has no way to it there.
		var expected_codes: Array = ["W1", "W2"] if name == "common" else ["W1"]
		var found: Array = _graph(name).validate(_mixer(moves)).filter(
			func(finding: Dictionary) -> bool: return finding["code"] not in expected_codes)
		eq(found, [], name)


func test_files_are_written_as_they_were() -> void:
	_copy()
	for name: String in GRAPHS:
		var path: String = FOLDER.path_join("graphs/%s.tres" % name)
		var before: String = FileAccess.get_file_as_string(path)
		var graph: ActionGraph = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		eq(ResourceSaver.save(graph, path), OK, "saved")
		eq(FileAccess.get_file_as_string(path), before, name)


func test_sword_chain_is_one_animation_in_sections() -> void:
	var moves: ActionGraphPlayer = _champion("sword")
	# A press waits for the end of the section.
	var presses: Array = [[0.0, LIGHT], [0.05, "-" + LIGHT], [0.3, LIGHT], [0.35, "-" + LIGHT], [0.7, LIGHT], [0.75, "-" + LIGHT]]
	eq(_play(moves, presses, 3.0), "light_1@0 light_2@0.55 light_3@1.1 root@1.85")
	eq(_play(moves, [[0.0, LIGHT]], 1.0), "light_1@0 root@0.55", "alone")


func test_sword_guard_is_raised_held_and_lowered() -> void:
	var moves: ActionGraphPlayer = _champion("sword")
	_play(moves, [[0.0, GUARD]], 0.5)
	check(moves.has_action_tag(&"State.Guarding") and not moves.has_action_tag(&"State.Parrying"), "it guards")
	moves.push_input(GUARD, false)
	_to(2.0, moves)
	eq(" ".join(_lines), "guard_raise@0 guard_hold@0.25 guard_lower@0.5 root@0.7", "held")
	eq(_play(moves, [[0.0, GUARD], [0.1, "-" + GUARD]], 2.0), "guard_raise@0 guard_lower@0.25 root@0.45", "tapped")
	_play(moves, [[0.0, GUARD]], 0.1)
	check(moves.has_action_tag(&"State.Parrying"), "it parries while it is raised")
	eq(moves.process_input(&"Event.Parried"), ActionGraphPlayer.INPUT_ENTERED, "a parried blow")
	eq(moves.get_current_node(), &"riposte")


func test_two_handed_has_windows() -> void:
	var moves: ActionGraphPlayer = _champion("two_handed")
	var window: String = "0.65"  # it opens at 0.62, within the step before
	eq(_play(moves, [[0.0, LIGHT], [0.05, "-" + LIGHT], [0.2, LIGHT]], 1.0), "sweep_1@0 sweep_2@" + window)
	moves.interrupt_for_external()
	eq(_play(moves, [[0.0, HEAVY], [0.5, "-" + HEAVY]], 1.2), "charge@0 slam@0.5 recover@1.1", "let go early")
	moves.interrupt_for_external()
	eq(_play(moves, [[0.0, HEAVY]], 2.0), "charge@0 slam_full@1.2 recover@1.9", "held to the end")
	eq(_play(moves, [[0.3, DODGE]], 0.3), "hop@0.3", "a dodge cuts the recovery")


func test_unarmed_has_windows() -> void:
	var moves: ActionGraphPlayer = _champion("unarmed")
	var presses: Array = [[0.0, LIGHT], [0.05, "-" + LIGHT], [0.1, LIGHT], [0.15, "-" + LIGHT], [0.4, LIGHT]]
	# From 0.26 s of each blow: the first by its animation, the second by its payload.
	eq(_play(moves, presses, 1.5), "punch_1@0 punch_2@0.3 uppercut@0.55 recover@1.3")


func test_weapons_bring_their_moves() -> void:
	var moves: ActionGraphPlayer = _champion("unarmed")
	var seen: SignalRecord = record(moves.graph_changed)
	var sword: ActionGraphGrant = ActionGraphGrant.new()
	sword.graph = _graph("sword")
	var shield: ActionGraphGrant = ActionGraphGrant.new()
	shield.applied_tags = ["Weapon.Shield"]
	var hand: Node = moves.get_node("../Figure/Torso/RightArm")
	hand.add_child(sword)
	eq(moves.get_graph(), sword.graph, "the sword's")
	eq(_play(moves, [[0.0, LIGHT], [0.05, "-" + LIGHT], [0.1, HEAVY], [0.15, "-" + HEAVY]], 0.6), "light_1@0 heavy_2@0.55", "without a shield")
	moves.interrupt_for_external()
	hand.add_child(shield)
	eq(moves.get_graph(), sword.graph, "the shield brings none")
	eq(_play(moves, [[0.0, LIGHT], [0.05, "-" + LIGHT], [0.1, HEAVY], [0.15, "-" + HEAVY]], 0.6), "light_1@0 shield_bash@0.55", "with a shield")
	shield.free()
	sword.free()
	eq(moves.get_graph(), moves.default_graph, "bare hands")
	eq(seen.count(), 2, "changes")


func test_hop_in_four_directions() -> void:
	var moves: ActionGraphPlayer = _champion("unarmed")
	for way: Array in [
		[Vector2(0, -1), "hop_forward"], [Vector2(0, 1), "hop_back"], [Vector2(-1, 0), "hop_left"], [Vector2(1, 0), "hop_right"],
	]:
		eq(moves.process_input(DODGE, ActionGraphTransition.FIRES_INPUT_PRESSED, way[0]), ActionGraphPlayer.INPUT_ENTERED, "hops")
		eq(_mixer(moves).current_animation, way[1], "animation")
		moves.interrupt_for_external()


func test_weak_enemy_at_half_speed() -> void:
	var moves: ActionGraphPlayer = _champion("sword")
	moves.action_speed = 0.5
	eq(
		_play(moves, [[0.0, LIGHT], [0.05, "-" + LIGHT], [0.3, LIGHT]], 5.0), "light_1@0 light_2@1.1 root@2.2", "twice as long")


func test_shield_bash_has_its_own_stop_distance() -> void:
	var moves: ActionGraphPlayer = _champion("sword", ActionGraphPlayer.PROCESS_PHYSICS)
	var agent: Node3D = moves.get_parent()
	var grant: ActionGraphGrant = ActionGraphGrant.new()
	grant.applied_tags = ["Weapon.Shield"]
	grant.stop_distance = 1.7
	agent.add_child(grant)
	var foe: Node3D = add(Node3D.new())
	foe.position = Vector3(0, 0, -1.6)
	moves.set_target(foe)
	moves.push_input(LIGHT, true)
	await physics(10)
	near(agent.position, Vector3.ZERO, 0.01, "the weapon stops at 1.7 m")
	moves.push_input(HEAVY, true)
	await until(func() -> bool: return moves.get_current_node() == &"shield_bash", "it bashes", 2.0)
	await until(func() -> bool: return moves.get_current_node() != &"shield_bash", "it is over", 2.0)
	near(agent.global_position.distance_to(foe.global_position), 0.25, 0.05, "the bash at 0.25 m")
