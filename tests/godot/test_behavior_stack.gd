extends TestCase
## BehaviorStack: layers, routes, order of hooks and signals.

const Rig := preload("res://support/behaviors.gd")


func test_ex_40_73() -> void:
	var rig: Rig = Rig.new(self)
	rig.use(&"Unit", "Patrol")
	rig.take()
	rig.use(&"Command", "Order", 1)
	eq(rig.take(), "suspend Patrol, enter Order, suspended Unit 1, entered Command 2, active Unit>Command", "taken over")
	rig.step()
	eq(
		rig.take(),
		"tick Order 0.10, exit Order 1, resume Patrol, exited Command 2 1, resumed Unit 1, active Command>Unit",
		"given back, not ticked yet",
	)
	rig.step()
	eq(rig.take(), "tick Patrol 0.10", "the next tick")


func test_ex_40_74() -> void:
	var rig: Rig = Rig.new(self)
	for i: int in 4:
		rig.use(&"Command", "Older")
	eq(rig.use(&"Command", "Five"), 5, "route")
	rig.take()
	eq(rig.use(&"Command", "Six"), 6, "route")
	eq(rig.take(), "exit Five 3, enter Six, exited Command 5 3, entered Command 6", "replaced")
	check(not rig.stack.remove_behavior(5), "it is gone")
	rig.step()
	eq(rig.take(), "tick Six 0.10", "6 runs on")
	var squad: int = rig.use(&"Squad", "Flank")
	check(rig.stack.remove_behavior(squad), "it was there")
	eq(rig.take(), "", "neither entered nor exited")


func test_queries() -> void:
	var rig: Rig = Rig.new(self)
	eq([rig.stack.get_active_layer(), rig.stack.get_route(&"Unit"), rig.stack.get_route(&"Air")], [&"", 0, 0], "nothing")
	is_null(rig.stack.get_behavior(&"Unit"), "nothing")
	check(not rig.stack.is_layer_active(&"Unit") and not rig.stack.is_layer_active(&""), "nothing")
	var patrol: Rig.State = rig.state("Patrol")
	eq([patrol.get_layer(), patrol.get_route_id()], [&"", 0], "on no layer")
	is_null(patrol.get_agent(), "on no layer")
	is_null(patrol.get_behavior_stack(), "on no layer")
	var route: int = rig.stack.set_behavior(&"Unit", patrol)
	rig.use(&"Command", "Order")
	eq(rig.stack.get_active_layer(), &"Command", "the highest")
	eq([rig.stack.is_layer_active(&"Command"), rig.stack.is_layer_active(&"Unit")], [true, false], "active")
	eq([rig.stack.get_behavior(&"Unit"), rig.stack.get_route(&"Unit")], [patrol, route], "the lower one")
	eq([patrol.get_layer(), patrol.get_route_id(), patrol.get_agent(), patrol.get_behavior_stack()], [&"Unit", route, rig.agent, rig.stack], "its view")
	check(rig.stack.clear_layer(&"Command"), "taken off")
	check(not rig.stack.clear_layer(&"Command") and not rig.stack.clear_layer(&"Air"), "nothing to take off")
	eq(rig.take("exit resume"), "exit Order 4, resume Patrol", "hooks")


func test_finish_from_outside() -> void:
	var rig: Rig = Rig.new(self)
	var patrol: Rig.State = rig.state("Patrol")
	check(not patrol.finish(BehaviorState.STATUS_SUCCEEDED), "on no layer")
	rig.stack.set_behavior(&"Unit", patrol)
	rig.use(&"Squad", "Flank")
	rig.take()
	check(patrol.finish(BehaviorState.STATUS_FAILED), "a waiting one too")
	eq(rig.take(), "exit Patrol 2, exited Unit 1 2", "at once")
	check(not patrol.finish(BehaviorState.STATUS_SUCCEEDED), "over")
	expect_error("finish() got 0. Give STATUS_SUCCEEDED 1 or STATUS_FAILED 2.")
	check(not patrol.finish(BehaviorState.STATUS_RUNNING), "no end")


func test_loop() -> void:
	var rig: Rig = Rig.new(self)
	var patrol: Rig.State = rig.state("Patrol", 1)
	patrol.loop = true
	rig.stack.set_behavior(&"Unit", patrol)
	rig.take()
	rig.step()
	eq(rig.take(), "tick Patrol 0.10, exit Patrol 1, exited Unit 1 1", "it ends")
	eq([rig.stack.get_route(&"Unit"), rig.stack.get_active_layer()], [1, &"Unit"], "and keeps its layer")
	rig.step()
	eq(rig.take(), "enter Patrol, entered Unit 1", "it enters again")
	patrol.loop = false
	rig.step()
	eq(rig.take(), "tick Patrol 0.10, exit Patrol 1, exited Unit 1 1, active Unit>", "no longer")


func test_enabled() -> void:
	var rig: Rig = Rig.new(self)
	rig.use(&"Unit", "Patrol")
	rig.take()
	rig.stack.enabled = false
	eq(rig.take(), "suspend Patrol, suspended Unit 1, active Unit>", "suspended")
	rig.step()
	rig.use(&"Command", "Order")
	eq(rig.take(), "", "nothing enters")
	rig.stack.enabled = true
	eq(rig.take(), "enter Order, entered Command 2, active >Command", "the highest one")


func test_time_scale_and_modes() -> void:
	var rig: Rig = Rig.new(self)
	rig.use(&"Unit", "Patrol")
	rig.take()
	rig.stack.time_scale = 0.5
	rig.step()
	eq(rig.take(), "tick Patrol 0.05", "half")
	rig.stack.time_scale = 0.0
	rig.step()
	eq(rig.take(), "", "frozen")
	rig.use(&"Squad", "Flank")
	eq(rig.take("enter"), "enter Flank", "it can be set all the same")
	rig.stack.time_scale = 1.0
	expect_warning("advance() got -1 s")
	rig.stack.advance(-1.0)
	rig.stack.process_callback = BehaviorStack.PROCESS_PHYSICS
	expect_error("advance() works with process_callback PROCESS_MANUAL only")
	rig.stack.advance(0.1)
	rig.take()
	await physics(2)
	check(rig.diary.lines.size() >= 1 and rig.take().begins_with("tick Flank 0.02"), "ticked by the engine")
	get_tree().paused = true
	rig.take()
	await physics(2)
	eq(rig.take(), "", "paused")
	rig.use(&"Command", "Order")
	eq(rig.take("enter"), "enter Order", "an active pause")
	get_tree().paused = false


func test_processing_only_when_needed() -> void:
	var rig: Rig = Rig.new(self)
	rig.stack.process_callback = BehaviorStack.PROCESS_PHYSICS
	check(not rig.stack.is_physics_processing(), "nothing to do")
	var route: int = rig.use(&"Unit", "Patrol")
	check(rig.stack.is_physics_processing(), "a behaviour")
	rig.stack.enabled = false
	check(not rig.stack.is_physics_processing(), "switched off")
	rig.stack.enabled = true
	rig.stack.process_callback = BehaviorStack.PROCESS_IDLE
	eq([rig.stack.is_physics_processing(), rig.stack.is_processing()], [false, true], "each frame")
	rig.stack.remove_behavior(route)
	check(not rig.stack.is_processing(), "nothing to do")


func test_autostart() -> void:
	var rig: Rig = Rig.new(self)
	rig.agent.remove_child(rig.stack)
	var stack: BehaviorStack = BehaviorStack.new()
	rig.stack.free()
	rig.stack = stack
	stack.process_callback = BehaviorStack.PROCESS_MANUAL
	rig.watch(stack)
	for named: String in ["First", "Patrol", "Flank"]:
		rig.state(named).autostart_layer = &"Squad" if named == "Flank" else &"Unit"
	rig.agent.add_child(stack)
	eq(rig.take(), "enter Flank, entered Squad 3, active >Squad", "the last one of a layer, the highest layer")
	eq(stack.get_behavior(&"Unit").name, &"Patrol", "the last one")
	rig.agent.remove_child(stack)
	eq(rig.take(), "exit Flank 5, exited Squad 3 5, active Squad>", "the one that never entered does not leave")
	rig.agent.add_child(stack)
	await idle(2)
	eq(rig.take(), "enter Flank, entered Squad 6, active >Squad", "back in the tree it begins again")


func test_overrides() -> void:
	var rig: Rig = Rig.new(self)
	var patrol: Rig.State = rig.state("Patrol", 1)
	rig.diary.once("enter Patrol", func() -> void: rig.write("speed %s side %s" % [patrol.speed, patrol.side]))
	rig.diary.once("exit Patrol 1", func() -> void: rig.write("speed %s" % patrol.speed))
	rig.stack.set_behavior(&"Unit", patrol, {"speed": 3.0, &"side": "right"})
	eq(rig.take("enter speed"), "enter Patrol, speed 3.0 side right", "set before it enters")
	rig.use(&"Command", "Order", 1)
	near(patrol.speed, 3.0, 0.0001, "kept while it waits")
	rig.step(2)
	eq(rig.take("speed"), "speed 3.0", "there until its exit")
	eq([patrol.speed, patrol.side], [1.0, "left"], "put back")
	rig.use(&"Command", "Next")
	rig.stack.set_behavior(&"Unit", patrol, {"speed": 5.0})
	near(patrol.speed, 1.0, 0.0001, "not before it enters")
	rig.stack.clear_layer(&"Unit")
	expect_warning("overrides has \"haste\", which BehaviorState \"Patrol\" has not; it is left out.")
	rig.stack.set_behavior(&"Squad", patrol, {"haste": 2})


func test_the_same_node_again_with_other_overrides() -> void:
	var rig: Rig = Rig.new(self)
	var move: Rig.State = rig.state("Move")
	rig.stack.set_behavior(&"Command", move, {"speed": 2.0})
	rig.take()
	rig.diary.once("exit Move 3", func() -> void: rig.write("speed %s" % move.speed))
	rig.diary.once("enter Move", func() -> void: rig.write("speed %s" % move.speed))
	rig.stack.set_behavior(&"Command", move, {"speed": 4.0})
	eq(rig.take("exit enter speed"), "exit Move 3, speed 2.0, enter Move, speed 4.0", "each with its own")
	rig.stack.clear_layer(&"Command")
	near(move.speed, 1.0, 0.0001, "as at first")


func test_scenes_are_instanced_and_freed() -> void:
	var rig: Rig = Rig.new(self)
	var root: Node = preload("res://support/trees/tree_runner.gd").new()
	root.name = "Guest"
	root.diary = rig.diary
	root.ticks = 1
	var scene: PackedScene = PackedScene.new()
	scene.pack(root)
	root.free()
	rig.use(&"Unit", "Patrol")
	rig.take()
	rig.stack.set_behavior(&"Squad", scene, {"label": "g"})
	eq(rig.take("keys enter suspend"), "suspend Patrol, keys g, enter g", "keys and overrides before it enters")
	var guest: Node = rig.stack.get_behavior(&"Squad")
	eq(guest.get_parent(), rig.stack, "below the stack")
	eq(guest.keys.keys(), ["riposte_command", "riposte_agent", "riposte_target"], "keys")
	eq(guest.keys.values(), [null, rig.agent, null], "values")
	rig.step()
	eq(rig.take("tick exit resume"), "tick g, exit g 1, resume Patrol", "a runner without _suspend and _resume")
	await idle()
	check(not is_instance_valid(guest), "freed at its end")
	rig.use(&"Command", "Order")
	rig.stack.set_behavior(&"Squad", scene)
	guest = rig.stack.get_behavior(&"Squad")
	rig.stack.clear_layer(&"Squad")
	await idle()
	check(not is_instance_valid(guest), "freed, though it never entered")
	eq(rig.take("keys exit"), "", "not told")


func test_freed_behaviours() -> void:
	var rig: Rig = Rig.new(self)
	rig.use(&"Unit", "Patrol")
	rig.use(&"Command", "Order")
	rig.stack.get_behavior(&"Command").free()
	is_null(rig.stack.get_behavior(&"Command"), "gone")
	rig.take()
	rig.step()
	eq(rig.take(), "resume Patrol, exited Command 2 6, resumed Unit 1, active Command>Unit", "its route goes in the next tick")
	rig.stack.get_behavior(&"Unit").queue_free()
	await idle()
	rig.step()
	eq(rig.take(), "exited Unit 1 6, active Unit>", "also one that was queued")


func test_leaving_the_tree() -> void:
	var rig: Rig = Rig.new(self)
	rig.use(&"Unit", "Patrol")
	rig.use(&"Command", "Order")
	rig.take()
	remove_child(rig.agent)
	eq(rig.take(), "exit Order 5, exited Command 2 5, exit Patrol 5, exited Unit 1 5, active Command>", "the active one first")
	expect_error("set_behavior() was called outside the tree.")
	eq(rig.stack.set_behavior(&"Unit", rig.stack.get_child(0)), 0, "nothing is set there")
	add_child(rig.agent)
	await idle()
	eq(rig.stack.set_behavior(&"Unit", rig.stack.get_child(0)), 3, "back again")
	eq(rig.take(), "enter Patrol, entered Unit 3, active >Unit", "it enters")


func test_layers() -> void:
	var rig: Rig = Rig.new(self)
	eq(rig.stack.layers, ["Unit", "Squad", "Command"], "the usual ones")
	expect_error("layers[1] is empty; layers stays as it was.")
	rig.stack.layers = ["Low", ""]
	expect_error("layers[2] is \"Low\" once more; layers stays as it was.")
	rig.stack.layers = ["Low", "High", "Low"]
	eq(rig.stack.layers, ["Unit", "Squad", "Command"], "as they were")
	rig.use(&"Unit", "Patrol")
	rig.use(&"Command", "Order")
	rig.take()
	rig.stack.layers = ["Unit", "Air"]
	eq(rig.take(), "exit Order 4, resume Patrol, exited Command 2 4, resumed Unit 1, active Command>Unit", "a layer is gone")
	ne(rig.use(&"Air", "Fly"), 0, "a new one")


func test_bad_behaviours() -> void:
	var rig: Rig = Rig.new(self)
	var gone: Node = Node.new()
	gone.free()
	expect_error("set_behavior() got layer \"Air\", which is not there. Known: Unit, Squad, Command.")
	eq(rig.use(&"Air", "Fly"), 0, "unknown layer")
	expect_error("set_behavior() got null as behavior. Give a node, a scene or a tree.")
	eq(rig.stack.set_behavior(&"Unit", null), 0, "null")
	expect_error("set_behavior() got a freed object as behavior.")
	eq(rig.stack.set_behavior(&"Unit", gone), 0, "freed")
	expect_error("set_behavior() got String as behavior.")
	eq(rig.stack.set_behavior(&"Unit", "Patrol"), 0, "a name")
	expect_error("set_behavior() got a RefCounted as behavior.")
	eq(rig.stack.set_behavior(&"Unit", RefCounted.new()), 0, "no node")
	expect_error("set_behavior() got a behavior that is a Curve, which is no tree.")
	eq(rig.stack.set_behavior(&"Unit", Curve.new()), 0, "no scene")
	expect_error("set_behavior() got \"Guard\", which has no runner: its root lacks _enter, _tick and _exit")
	eq(rig.stack.set_behavior(&"Unit", rig.agent), 0, "no runner")
	var patrol: Rig.State = rig.state("Patrol")
	rig.stack.set_behavior(&"Unit", patrol)
	expect_error("set_behavior() got a node that is on layer \"Unit\" already.")
	eq(rig.stack.set_behavior(&"Command", patrol), 0, "on another layer")
	var other: Rig = Rig.new(self)
	expect_error("which is on a layer of ")
	eq(other.stack.set_behavior(&"Unit", patrol), 0, "on another stack")
	expect_error("which is not in the tree, or about to leave it.")
	var loose: Rig.State = Rig.State.new()
	eq(rig.stack.set_behavior(&"Squad", loose), 0, "outside the tree")
	loose.free()
	eq(rig.stack.get_route(&"Unit"), 1, "nothing changed")


func test_a_tick_that_says_nonsense() -> void:
	var rig: Rig = Rig.new(self)
	var state: BehaviorState = script("extends BehaviorState\nfunc _tick(_delta: float) -> int:\n\treturn 7\n").new()
	rig.stack.add_child(state)
	rig.stack.set_behavior(&"Unit", state)
	rig.take()
	expect_error("_tick() returned 7, which is no status, so it failed. Return STATUS_RUNNING 0, STATUS_SUCCEEDED 1 or STATUS_FAILED 2.")
	rig.step()
	eq(rig.take(), "exited Unit 1 2, active Unit>", "failed")


func test_a_state_without_hooks() -> void:
	var rig: Rig = Rig.new(self)
	var state: BehaviorState = BehaviorState.new()
	rig.stack.add_child(state)
	rig.stack.set_behavior(&"Unit", state)
	rig.step(3)
	rig.use(&"Squad", "Flank")
	rig.stack.clear_layer(&"Squad")
	check(state.finish(BehaviorState.STATUS_SUCCEEDED), "it runs until then")
	eq(rig.take("entered suspended resumed exited"), "entered Unit 1, suspended Unit 1, entered Squad 2, exited Squad 2 4, resumed Unit 1, exited Unit 1 1", "told all the same")


func test_from_another_thread() -> void:
	var rig: Rig = Rig.new(self)
	rig.use(&"Unit", "Patrol")
	rig.take()
	expect_error("remove_behavior() was called from another thread. Use call_deferred().")
	var thread: Thread = Thread.new()
	thread.start(func() -> bool: return rig.stack.remove_behavior(1))
	eq(thread.wait_to_finish(), false, "refused")
	eq(rig.stack.get_route(&"Unit"), 1, "it runs on")
