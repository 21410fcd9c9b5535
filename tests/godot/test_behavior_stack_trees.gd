extends TestCase
## Trees of LimboAI and Beehave on layers of a stack, with stand-ins of the same names.

const Rig := preload("res://support/behaviors.gd")
const TreeRig := preload("res://support/tree_rig.gd")
const NoteAction := preload("res://support/trees/note_action.gd")
const NoteLeaf := preload("res://support/trees/note_leaf.gd")

var rig: Rig


func _tree(label: String, ticks: int = -1, succeeds: bool = true) -> BehaviorTree:
	var task: NoteAction = NoteAction.new()
	NoteAction.diary = rig.diary
	task.label = label
	task.ticks = ticks
	task.succeeds = succeeds
	var made: BehaviorTree = BehaviorTree.new()
	made.root_task = task
	return made


func _player(tree: BehaviorTree) -> BTPlayer:
	var player: BTPlayer = BTPlayer.new()
	player.name = "Player"
	player.behavior_tree = tree
	return player


func _bees(label: String, ticks: int = -1, succeeds: bool = true) -> BeehaveTree:
	var leaf: NoteLeaf = NoteLeaf.new()
	leaf.diary = rig.diary
	leaf.label = label
	leaf.ticks = ticks
	leaf.succeeds = succeeds
	var tree: BeehaveTree = BeehaveTree.new()
	tree.name = "Bees"
	tree.add_child(leaf)
	return tree


func test_a_limboai_resource() -> void:
	rig = Rig.new(self)
	rig.use(&"Unit", "Patrol")
	rig.take()
	rig.stack.set_behavior(&"Command", _tree("a", 2))
	eq(rig.take(), "setup a, suspend Patrol, suspended Unit 1, entered Command 2, active Unit>Command", "a player is made for it")
	var player: BTPlayer = rig.stack.get_behavior(&"Command")
	eq([player.get_parent(), player.update_mode], [rig.stack, BTPlayer.UpdateMode.MANUAL], "below the stack")
	eq(player.get_bt_instance().get_agent(), rig.agent, "its agent is the stack's")
	eq(player.get_bt_instance().get_root_task().scene_root, rig.agent, "its scene root")
	eq(player.blackboard.list_vars(), [&"riposte_command", &"riposte_agent", &"riposte_target"], "keys")
	eq(player.blackboard.get_var(&"riposte_agent"), rig.agent, "the agent")
	rig.step(2)
	eq(rig.take("enter tick exit resume exited"), "enter a, tick a, tick a, exit a, resume Patrol, exited Command 2 1", "succeeded")
	await idle()
	check(not is_instance_valid(player), "freed at its end")


func test_a_suspended_tree_is_not_ticked() -> void:
	rig = Rig.new(self)
	rig.stack.set_behavior(&"Unit", _tree("a"))
	rig.step()
	rig.use(&"Command", "Order", 2)
	rig.take()
	rig.step(2)
	eq(rig.diary.count("tick a"), 0, "it waits")
	rig.take()
	rig.step()
	eq(rig.take(), "tick a", "it goes on where it was")
	rig.stack.clear_layer(&"Unit")
	eq(rig.take("exit exited"), "exit a, exited Unit 1 4", "aborted")


func test_a_player_of_the_game() -> void:
	rig = Rig.new(self)
	var root: Node = Node.new()
	root.name = "Holder"
	root.add_child(_player(_tree("a", 1, false)))
	var holder: Node = TreeRig.pack(root).instantiate()
	rig.stack.add_child(holder)
	var player: BTPlayer = holder.get_child(0)
	eq(player.get_bt_instance().get_agent(), holder, "made when it was ready, for its own path")
	rig.take()
	rig.stack.set_behavior(&"Unit", holder)
	eq(rig.stack.get_behavior(&"Unit"), holder, "as it was given")
	eq(player.get_bt_instance().get_agent(), rig.agent, "made anew for the agent")
	rig.step()
	eq(rig.take("tick exited"), "tick a, exited Unit 1 2", "failed")
	check(is_instance_valid(player) and not player.active, "it stays, switched off")
	rig.stack.set_behavior(&"Unit", holder)
	rig.step()
	eq(rig.take("tick exited"), "tick a, exited Unit 2 2", "again")


func test_a_beehave_tree_of_the_game() -> void:
	rig = Rig.new(self)
	rig.stack.free()
	rig.stack = BehaviorStack.new()
	rig.stack.process_callback = BehaviorStack.PROCESS_MANUAL
	rig.watch(rig.stack)
	var tree: BeehaveTree = _bees("a", 2)
	rig.stack.add_child(tree)
	rig.agent.add_child(rig.stack)
	await idle()
	await physics(2)
	eq(rig.diary.count("tick a"), 0, "below the stack it does not step by itself")
	rig.stack.set_behavior(&"Unit", tree)
	eq([tree.actor, tree.process_thread], [rig.agent, BeehaveTree.ProcessThread.MANUAL], "its actor, manual")
	rig.step(2)
	eq(rig.take("tick exit exited"), "tick a, tick a, exit a, exited Unit 1 1", "succeeded")
	rig.stack.set_behavior(&"Unit", tree)
	rig.step()
	rig.stack.clear_layer(&"Unit")
	eq(rig.diary.count("interrupt a"), 1, "cut short")
	eq(tree.blackboard.get_value("riposte_agent"), rig.agent, "a key")


func test_two_trees_are_none() -> void:
	rig = Rig.new(self)
	var hive: Node = Node.new()
	hive.name = "Hive"
	for i: int in 2:
		var tree: BeehaveTree = _bees("a")
		tree.process_thread = BeehaveTree.ProcessThread.MANUAL
		hive.add_child(tree)
	rig.stack.add_child(hive)
	expect_error("set_behavior() got \"Hive\", which has 2 behavior trees, and only one can run.")
	eq(rig.stack.set_behavior(&"Unit", hive), 0, "refused")


func test_a_player_without_a_tree() -> void:
	rig = Rig.new(self)
	var player: BTPlayer = _player(null)
	rig.stack.add_child(player)
	rig.use(&"Unit", "Patrol")
	rig.take()
	expect_error("the behavior on layer \"Command\" has a BTPlayer without a tree that can run.")
	rig.stack.set_behavior(&"Command", player)
	eq(rig.take("exited resume"), "resume Patrol, exited Command 2 2", "failed at once")


func test_a_state_in_a_sequence_of_trees() -> void:
	var diary: TreeRig = TreeRig.new(self)
	var root: Rig.State = Rig.State.new()
	root.name = "Inner"
	var made: PackedScene = TreeRig.pack(root)
	eq(made.can_instantiate(), true, "a scene")
	var plain: BehaviorState = BehaviorState.new()
	diary.method.trees = [TreeRig.pack(plain)]
	diary.step()
	ne(diary.patrol_now(), 0, "a state is a runner there too")
	diary.step(2)
	check(diary.brain.is_executing(), "it runs on without hooks")
