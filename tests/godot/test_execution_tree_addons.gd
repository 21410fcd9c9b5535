extends TestCase
## Trees of LimboAI and Beehave, with stand-ins that have the names and the values of both addons.

const Rig := preload("res://support/tree_rig.gd")
const NoteAction := preload("res://support/trees/note_action.gd")
const NoteLeaf := preload("res://support/trees/note_leaf.gd")

var rig: Rig


func _tree(label: String, ticks: int = -1, succeeds: bool = true, plan: Dictionary = {}) -> BehaviorTree:
	var task: NoteAction = NoteAction.new()
	NoteAction.diary = rig.diary
	task.label = label
	task.ticks = ticks
	task.succeeds = succeeds
	var made: BehaviorTree = BehaviorTree.new()
	made.root_task = task
	made.plan = plan
	return made


## A scene with a player somewhere below its root.
func _player_scene(tree: BehaviorTree, active: bool = true) -> PackedScene:
	var root: Node = Node.new()
	root.name = "Deep"
	var player: BTPlayer = BTPlayer.new()
	player.name = "Player"
	player.behavior_tree = tree
	player.active = active
	root.add_child(player)
	return Rig.pack(root)


func _leaf(label: String, ticks: int, succeeds: bool) -> NoteLeaf:
	var leaf: NoteLeaf = NoteLeaf.new()
	leaf.name = "Leaf"
	leaf.diary = rig.diary
	leaf.label = label
	leaf.ticks = ticks
	leaf.succeeds = succeeds
	return leaf


func _beehave_scene(label: String, ticks: int = -1, succeeds: bool = true, declared: Dictionary = {}) -> PackedScene:
	var tree: BeehaveTree = BeehaveTree.new()
	tree.name = "Bees"
	tree.add_child(_leaf(label, ticks, succeeds))
	if declared.is_empty():
		return Rig.pack(tree)
	var root: Node = Node.new()
	root.name = "Hive"
	var board: Blackboard = Blackboard.new()
	board.name = "Board"
	board.blackboard = declared
	root.add_child(board)
	root.add_child(tree)
	tree.blackboard = board
	return Rig.pack(root)


func _use(trees: Array) -> void:
	rig.method.trees = trees
	rig.step()
	rig.diary.take()


func _steps(count: int) -> PackedStringArray:
	var found: PackedStringArray = []
	for i: int in count:
		rig.step()
		found.append(rig.diary.take())
	return found


func _player() -> BTPlayer:
	for node: Node in rig.agent.find_children("*", "Node", true, false):
		if node is BTPlayer and not node.is_queued_for_deletion() and not node.get_parent().is_queued_for_deletion():
			return node
	return null


func _bees() -> BeehaveTree:
	for node: Node in rig.agent.find_children("*", "Node", true, false):
		if node is BeehaveTree and not node.is_queued_for_deletion() and not node.get_parent().is_queued_for_deletion():
			return node
	return null


func test_a_limboai_tree_resource() -> void:
	rig = Rig.new(self)
	_use([_tree("a", 2), _tree("b", 1)])
	ne(rig.patrol_now(), 0, "it begins")
	eq(rig.diary.take(), "setup a, started Patrol", "a player is made for it")
	var player: BTPlayer = _player()
	eq([player.get_parent(), player.update_mode], [rig.agent, BTPlayer.UpdateMode.MANUAL], "under the agent, manual")
	eq(player.get_bt_instance().get_agent(), rig.agent, "its agent")
	eq(player.get_bt_instance().get_root_task().scene_root, rig.agent, "its scene root")
	eq(_steps(4), ["enter a, tick a", "tick a, exit a, setup b", "enter b, tick b, exit b", "ended Patrol 0"])
	await physics(2)
	eq(rig.agent.get_child_count(), 1, "both players are gone")


func test_a_scene_with_a_player() -> void:
	rig = Rig.new(self)
	_use([_player_scene(_tree("a", 1)), _player_scene(_tree("b", 2, false), false)])
	rig.patrol_now()
	eq(_player().get_bt_instance().get_agent(), rig.agent, "the agent, wherever the player stands")
	await physics(2)
	eq(rig.diary.count("tick a"), 0, "it does not step by itself")
	rig.diary.take()
	eq(_steps(4), ["enter a, tick a, exit a, setup b", "enter b, tick b", "tick b, exit b", "ended Patrol 4"], "an inactive one too")


func test_a_limboai_tree_is_aborted() -> void:
	rig = Rig.new(self)
	_use([_tree("a")])
	rig.patrol_now()
	rig.step()
	var player: BTPlayer = _player()
	rig.diary.take()
	rig.brain.abort_action()
	eq(rig.diary.take(), "exit a, ended Patrol 2", "its root task was aborted")
	check(not player.active, "the player is off")
	rig.patrol_now()
	rig.diary.take()
	rig.brain.abort_action()
	eq(rig.diary.take(), "ended Patrol 2", "a task that never ran is not told")


func test_the_time_of_a_limboai_tree_is_over() -> void:
	rig = Rig.new(self)
	rig.method.tree_timeout = 0.2
	_use([_tree("a"), _tree("b")])
	rig.patrol_now()
	rig.diary.take()
	eq(_steps(2), ["enter a, tick a", "exit a, ended Patrol 3"], "timed out")


func test_keys_of_a_limboai_tree() -> void:
	rig = Rig.new(self)
	var payload: BehaviorTreePayload = BehaviorTreePayload.new()
	rig.method.payload = payload
	_use([_tree("a")])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, 5))
	rig.patrol_now()
	var board: LimboBoard = _player().get_blackboard()
	eq(board.list_vars(), [
		&"riposte_action_id", &"riposte_payload", &"riposte_target", &"riposte_agent", &"riposte_distance",
	], "in this order")
	eq(board.get_var(&"riposte_action_id"), &"Patrol", "action")
	eq(board.get_var(&"riposte_payload"), payload, "payload")
	eq([board.get_var(&"riposte_target"), board.get_var(&"riposte_agent")], [foe, rig.agent], "nodes")
	near(board.get_var(&"riposte_distance"), 5.0, 0.0001, "distance")
	foe.free()
	rig.step()
	is_null(board.get_var(&"riposte_target"), "a lost target")


func test_a_missing_key_is_named_once() -> void:
	rig = Rig.new(self)
	rig.method.payload = BehaviorTreePayload.new()
	_use([_tree("a", 1, true, {&"speed": 3.0})])
	expect_warning("the blackboard does not declare the key \"riposte_payload\"")
	for i: int in 3:
		rig.patrol_now()
		eq(_player().get_blackboard().get_var(&"riposte_payload"), rig.method.payload, "given anyway")
		rig.brain.abort_action()
	_use([_tree("a", 1, true, {&"speed": 3.0, &"riposte_payload": null}), _tree("b")])
	rig.patrol_now()
	rig.step()
	eq(rig.diary.count("setup b"), 1, "declared, or nothing declared at all: no warning")


func test_a_missing_key_of_a_beehave_blackboard_is_named_once() -> void:
	rig = Rig.new(self)
	rig.method.payload = BehaviorTreePayload.new()
	_use([_beehave_scene("a", 1, true, {"speed": 3.0})])
	expect_warning("the blackboard does not declare the key \"riposte_payload\"")
	for i: int in 3:
		rig.patrol_now()
		eq(_bees().blackboard.get_value("riposte_payload"), rig.method.payload, "given anyway")
		rig.brain.abort_action()
	_use([_beehave_scene("b", 1, true, {"riposte_payload": null}), _beehave_scene("c")])
	rig.patrol_now()
	rig.step()
	check(_bees() != null, "declared, or nothing declared at all: no warning")


func test_a_beehave_tree() -> void:
	rig = Rig.new(self)
	rig.method.payload = BehaviorTreePayload.new()
	_use([_beehave_scene("a", 2), _beehave_scene("b", 1, false)])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, 5))
	rig.patrol_now()
	var tree: BeehaveTree = _bees()
	eq([tree.actor, tree.process_thread], [rig.agent, BeehaveTree.ProcessThread.MANUAL], "its actor, manual")
	eq(tree.blackboard.get_value("riposte_target"), foe, "a key")
	eq(tree.blackboard.get_value(&"riposte_agent"), rig.agent, "another")
	eq(tree.blackboard.get_value("riposte_payload"), rig.method.payload, "the payload")
	await physics(2)
	eq(rig.diary.take(), "started Patrol at Foe", "it does not step by itself")
	eq(_steps(4), ["enter a, tick a", "tick a, exit a", "enter b, tick b, exit b", "ended Patrol 4"], "no interrupt of what is over")


func test_a_beehave_tree_is_interrupted() -> void:
	rig = Rig.new(self)
	_use([_beehave_scene("a")])
	rig.patrol_now()
	rig.step()
	rig.diary.take()
	rig.brain.abort_action()
	eq(rig.diary.take(), "interrupt a, ended Patrol 2", "once")


func test_all_kinds_in_one_row() -> void:
	rig = Rig.new(self)
	_use([rig.plain("a", 1), _tree("b", 1), _beehave_scene("c", 1), _player_scene(_tree("d", 1))])
	rig.patrol_now()
	rig.step(5)
	eq(rig.diary.take("tick ended"), "tick a, tick b, tick c, tick d, ended Patrol 0", "one after the other")
	eq(rig.guests(), 0, "nothing is left")


func test_trees_without_anything_to_run() -> void:
	rig = Rig.new(self)
	expect_error("trees[0] has a BTPlayer without a tree that can run.")
	_use([_player_scene(null)])
	eq(rig.patrol_now(), 0, "no tree")
	_use([BehaviorTree.new()])
	expect_error("BTPlayer: Initialization failed")
	eq(rig.patrol_now(), 0, "no root task")
	eq(rig.guests(), 0, "nothing is left")


func test_two_trees_in_one_scene() -> void:
	rig = Rig.new(self)
	var root: Node = Node.new()
	root.add_child(BTPlayer.new())
	var bees: BeehaveTree = BeehaveTree.new()
	bees.add_child(_leaf("a", 1, true))
	root.add_child(bees)
	_use([Rig.pack(root)])
	expect_error("trees[0] has 2 behavior trees, and only one can run.")
	eq(rig.patrol_now(), 0, "which one?")


func test_a_scene_with_the_node_of_an_absent_addon() -> void:
	rig = Rig.new(self)
	var text: String = "[gd_scene format=3]\n[node name=\"Root\" type=\"Node3D\"]\n[node name=\"Player\" type=\"%s\" parent=\".\"]\n"
	var path: String = "user://absent_%d.tscn" % Time.get_ticks_usec()
	# The engine itself says that it puts a placeholder in its place.
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text % "BTPlayer")
	file.close()
	var scene: PackedScene = load(path)
	expect_warning("BTPlayer", 1)
	expect_error("Cannot get class 'BTPlayer'")
	expect_error("trees[0] needs the class BTPlayer, which is not there. Install LimboAI")
	_use([scene])
	eq(rig.patrol_now(), 0, "no addon, no tree")
	DirAccess.remove_absolute(path)


func test_trees_freed_while_they_run() -> void:
	rig = Rig.new(self)
	_use([_tree("a")])
	rig.patrol_now()
	_player().free()
	rig.diary.take()
	eq(_steps(2), ["", "ended Patrol 4"], "failed")
	_use([_beehave_scene("a")])
	rig.patrol_now()
	rig.step()
	_bees().free()
	rig.diary.take()
	eq(_steps(2), ["", "ended Patrol 4"], "failed")


func test_a_player_that_loses_its_tree() -> void:
	rig = Rig.new(self)
	_use([_tree("a")])
	rig.patrol_now()
	_player().active = false
	rig.diary.take()
	eq(_steps(3), ["", "", ""], "switched off, it waits")
	rig.brain.abort_action()
	eq(rig.guests(), 0, "nothing is left")
