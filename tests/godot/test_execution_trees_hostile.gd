extends TestCase
## BehaviorTreeSequenceMethod with what it should not be given, and with hooks that misbehave.

const Rig := preload("res://support/tree_rig.gd")


class Mute:
	extends Node

	func _enter() -> void:
		pass

	func _tick(_delta: float) -> void:
		pass

	func _exit(_reason: int) -> void:
		pass


class Odd:
	extends Node

	func _enter() -> void:
		pass

	func _tick() -> int:
		return 0

	func _exit(_reason: int) -> void:
		pass


func _started(tree: Callable, ticks: int = -1) -> Rig:
	var rig: Rig = Rig.new(self)
	rig.method.trees = [rig.plain("a", ticks)] if tree.is_null() else tree.call(rig)
	rig.step()
	rig.diary.take()
	return rig


func _refused(trees: Array, text: String) -> void:
	expect_error(text)
	var rig: Rig = Rig.new(self, trees)
	rig.brain.execute_action(&"Other")
	rig.diary.take()
	eq(rig.patrol_now(), 0, "no run")
	rig.patrol_now()
	var refusal: String = "refused Patrol %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED
	eq(rig.diary.take(), refusal + ", " + refusal, "refused, and Other was not interrupted")
	eq(rig.brain.get_running_action(), &"Other", "still runs")
	eq(rig.guests(), 0, "nothing is left")


func test_null_tree() -> void:
	_refused([null], "BehaviorTreeSequenceMethod: trees[0] is null. Set a scene")


func test_null_tree_behind_a_good_one() -> void:
	var rig: Rig = Rig.new(self)
	_refused([rig.plain("a"), null], "trees[1] is null.")


func test_scene_without_a_runner() -> void:
	_refused([Rig.pack(Node3D.new())], "trees[0] has no runner: its root lacks _enter, _tick and _exit")


func test_scene_without_nodes() -> void:
	_refused([PackedScene.new()], "trees[0] is a scene without nodes.")


func test_resource_that_is_no_tree() -> void:
	_refused([Gradient.new()], "trees[0] is a Gradient, which is no tree.")


func test_wrong_values_are_refused_in_words() -> void:
	var method: BehaviorTreeSequenceMethod = BehaviorTreeSequenceMethod.new()
	var node: Node = add(Node.new())
	expect_error("BehaviorTreeSequenceMethod: trees[0] is Node; trees stays as it was. Allowed: Resource.")
	var wrong: Array = [node]
	method.trees = wrong
	eq(method.trees.size(), 0, "unchanged")
	expect_error("BehaviorTreeSequenceMethod: payload is Gradient; payload stays as it was.")
	method.payload = Gradient.new()
	is_null(method.payload, "unchanged")
	expect_warning("tree_timeout = -1 is read as 0.")
	method.tree_timeout = -1.0
	expect_warning("tree_timeout = NaN is read as 0")
	method.tree_timeout = NAN
	eq(method.tree_timeout, 0.0, "no time-out")


func test_an_agent_that_is_not_ready() -> void:
	var rig: Rig = _started(Callable())
	expect_error("trees[0] can't begin: the agent is not ready.")
	var second: Node3D = Node3D.new()
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.default_action_set = rig.moves
	second.add_child(brain)
	brain.ready.connect(func() -> void:
		brain.start()
		eq(brain.execute_action(&"Patrol"), 0, "too early"))
	add(second)


func test_a_tick_that_says_nothing() -> void:
	expect_error("trees[0] has a runner whose _tick() returned <null>, which is no status, so it failed.")
	var rig: Rig = Rig.new(self, [Rig.pack(Mute.new())])
	rig.patrol_now()
	rig.step(2)
	eq(rig.diary.take("ended"), "ended Patrol 4", "failed")


func test_a_tick_with_other_parameters() -> void:
	expect_error("trees[0] has a runner")
	var rig: Rig = Rig.new(self, [Rig.pack(Odd.new())])
	rig.patrol_now()
	rig.step(2)
	eq(rig.diary.take("ended"), "ended Patrol 4", "failed")


func test_a_runner_that_is_freed() -> void:
	var rig: Rig = _started(Callable())
	rig.patrol_now()
	rig.runner().free()
	rig.diary.take()
	rig.step(2)
	eq(rig.diary.take(), "ended Patrol 4", "counts as failed, without a word")
	rig.patrol_now()
	rig.diary.once("tick a", func() -> void: rig.runner().free.call_deferred())
	rig.step()
	await idle()
	rig.diary.take()
	rig.step(2)
	eq(rig.diary.take(), "ended Patrol 4", "in the middle of it")


func test_a_runner_that_is_freed_before_an_abort() -> void:
	var rig: Rig = _started(Callable())
	rig.patrol_now()
	rig.runner().free()
	check(rig.brain.abort_action(), "aborted")
	eq(rig.diary.count("exit a 4"), 0, "nobody to tell")


func test_abort_from_every_hook() -> void:
	for line: String in ["keys a", "enter a", "tick a", "exit a 1"]:
		var rig: Rig = _started(func(on: Rig) -> Array: return [on.plain("a", 1), on.plain("b")])
		rig.diary.once(line, func() -> void: rig.brain.abort_action())
		rig.patrol_now()
		rig.step()
		check(not rig.brain.is_executing(), line + ": over")
		eq(rig.diary.count("enter b"), 0, line + ": the next one does not begin")
		var entered: int = rig.diary.count("enter a")
		eq(rig.diary.count("exit a 1") + rig.diary.count("exit a 4"), entered, line + ": one exit per enter")
		eq(rig.diary.count("started Patrol"), rig.diary.count("ended Patrol 2"), line + ": one end per start")
		eq(rig.guests(), 0, line + ": nothing is left")


func test_another_start_from_every_hook() -> void:
	for line: String in ["keys a", "enter a", "tick a", "exit a 1", "exit b 4"]:
		var rig: Rig = _started(func(on: Rig) -> Array: return [on.plain("a", 2), on.plain("b")])
		rig.diary.once(line, func() -> void: rig.brain.execute_action(&"Other"))
		rig.patrol_now()
		rig.step(2)
		if line == "exit b 4":
			rig.brain.abort_action()
		rig.step()
		eq(rig.brain.get_running_action(), &"Other", line + ": Other runs")
		eq(rig.diary.count("enter a"), rig.diary.count("exit a 1") + rig.diary.count("exit a 4"), line + ": one exit per enter")
		eq(rig.diary.count("enter b"), rig.diary.count("exit b 4"), line + ": of the second too")
		eq(rig.guests(), 0, line + ": nothing is left")


func test_the_agent_is_freed_in_every_hook() -> void:
	for line: String in ["keys a", "enter a", "tick a", "exit a 1", "keys b", "enter b"]:
		var rig: Rig = _started(func(on: Rig) -> Array: return [on.plain("a", 1), on.plain("b")])
		rig.diary.once(line, func() -> void: rig.agent.queue_free())
		rig.patrol_now()
		rig.step()
		await idle()
		check(not is_instance_valid(rig.agent), line + ": gone")
		for label: String in ["a", "b"]:
			var ends: int = rig.diary.count("exit %s 1" % label) + rig.diary.count("exit %s 4" % label)
			eq(ends, rig.diary.count("enter " + label), "%s: one exit per enter of %s" % [line, label])
		eq(rig.diary.count("started Patrol"), rig.diary.count("ended Patrol 2"), line + ": one end")


func test_the_agent_is_freed_at_once_in_a_tick() -> void:
	var rig: Rig = _started(Callable())
	rig.patrol_now()
	# The runner's own tick is on the stack, so the parent goes from a deferred call of another node.
	rig.diary.once("tick a", func() -> void: rig.agent.get_parent().remove_child(rig.agent))
	rig.step()
	check(not rig.brain.is_executing(), "over")
	eq(rig.diary.count("ended Patrol 2"), 1, "one end")
	eq(rig.diary.count("exit a 4"), 0, "no call on a method that is on the stack")
	eq(rig.guests(), 0, "and no runner is left under the agent")
	rig.agent.free()


func test_the_evaluator_leaves_the_tree_in_every_hook() -> void:
	for line: String in ["keys a", "enter a", "exit a 1"]:
		var rig: Rig = _started(func(on: Rig) -> Array: return [on.plain("a", 1), on.plain("b")])
		rig.diary.once(line, func() -> void: rig.agent.remove_child(rig.brain))
		rig.patrol_now()
		if rig.brain.is_inside_tree():
			rig.step()
		check(not rig.brain.is_executing(), line + ": over")
		eq(rig.diary.count("started Patrol"), rig.diary.count("ended Patrol 2"), line + ": one end")
		await idle()
		eq(rig.guests(), 0, line + ": nothing is left")
		rig.brain.free()


func test_trees_are_replaced_while_they_run() -> void:
	var rig: Rig = _started(func(on: Rig) -> Array: return [on.plain("a", 2), on.plain("b", 1)])
	rig.diary.once("tick a", func() -> void:
		rig.method.trees = [null]
		rig.method.tree_timeout = 0.1
		rig.moves.actions = [])
	rig.patrol_now()
	rig.step(2)
	check(rig.diary.count("exit a 1") + rig.diary.count("exit a 4") == 1, "one exit")
	rig.brain.abort_action()
	eq(rig.guests(), 0, "nothing is left")


func test_a_scene_that_lost_its_runner_fails_when_its_turn_comes() -> void:
	var rig: Rig = _started(func(on: Rig) -> Array: return [on.plain("a", 1), on.plain("b")])
	rig.patrol_now()
	expect_error("trees[1] has no runner")
	(rig.method.trees[1] as PackedScene).pack(add(Node.new()))
	rig.diary.take()
	rig.step(2)
	eq(rig.diary.take(), "tick a, exit a 1, ended Patrol 4", "the second one failed")


func test_pause_holds_trees() -> void:
	var rig: Rig = _started(Callable())
	rig.brain.time_scale = 0.0
	rig.patrol_now()
	rig.diary.take()
	rig.step(5)
	eq(rig.diary.take("tick"), "", "no tick while time stands") 
