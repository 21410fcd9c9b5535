extends TestCase
## BehaviorTreeSequenceMethod with plain scenes: order, ends, time-outs, keys, payload. No addon is needed.

const Rig := preload("res://support/tree_rig.gd")

const ENTER_A := "keys a, enter a"


class ThrowPayload:
	extends BehaviorTreePayload
	@export var windup: float = 0.6


func _rig(trees: Callable, timeout: float = 0.0, goes_on: bool = false) -> Rig:
	var rig: Rig = Rig.new(self)
	rig.method.trees = trees.call(rig)
	rig.method.tree_timeout = timeout
	rig.method.continue_on_failure = goes_on
	rig.step()
	rig.diary.take()
	return rig


## What each of so many steps wrote.
func _steps(rig: Rig, count: int) -> PackedStringArray:
	var found: PackedStringArray = []
	for i: int in count:
		rig.step()
		found.append(rig.diary.take())
	return found


func test_ex_35_e17() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a", 3), on.plain("b", 2)])
	rig.patrol_now()
	eq(rig.diary.take(), ENTER_A + ", started Patrol", "the first one enters with the start")
	eq(_steps(rig, 6), [
		"tick a", "tick a", "tick a, exit a 1, keys b, enter b", "tick b", "tick b, exit b 1", "ended Patrol 0",
	], "the second starts in step 3, they finish in 5, the run ends at 6")
	await idle(2)
	eq(rig.agent.get_child_count(), 1, "both are freed")


func test_ex_35_e18() -> void:
	var failing: Callable = func(on: Rig) -> Array: return [on.plain("a", 2, false), on.plain("b", 2)]
	var rig: Rig = _rig(failing)
	rig.patrol_now()
	rig.diary.take()
	eq(_steps(rig, 3), ["tick a", "tick a, exit a 2", "ended Patrol 4"], "failed at 3")
	var other: Rig = _rig(failing, 0.0, true)
	other.patrol_now()
	other.diary.take()
	eq(_steps(other, 5), [
		"tick a", "tick a, exit a 2, keys b, enter b", "tick b", "tick b, exit b 1", "ended Patrol 0",
	], "the second one starts in step 2")


func test_ex_35_e19() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a")], 0.4)
	rig.patrol_now()
	rig.diary.take()
	eq(_steps(rig, 5), ["tick a", "tick a", "tick a", "exit a 4, ended Patrol 3", ""], "timed out at 4, stopped once")


func test_a_tree_out_of_time_ends_the_run_in_that_step() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a", 1), on.plain("b")], 0.3)
	rig.patrol_now()
	rig.diary.take()
	eq(_steps(rig, 4), [
		"tick a, exit a 1, keys b, enter b", "tick b", "tick b", "exit b 4, ended Patrol 3",
	], "0.3 s for the second tree, before the 0.6 s of the action are over")


func test_without_a_timeout_only_the_hard_one_counts() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a")])
	rig.patrol_now()
	rig.step(299)
	check(rig.brain.is_executing(), "29.9 s")
	rig.step()
	eq(rig.diary.take("exit ended"), "exit a 4, ended Patrol 3", "30 s")


func test_keys_in_their_order() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a"), on.plain("b")])
	var payload: ThrowPayload = ThrowPayload.new()
	rig.method.payload = payload
	rig.step()
	var foe: Node3D = rig.aim_at(Vector3(3, 0, 4))
	rig.patrol_now()
	var keys: Dictionary = rig.runner().keys
	eq(keys.keys(), ["riposte_action_id", "riposte_payload", "riposte_target", "riposte_agent", "riposte_distance"])
	eq(keys.values(), [&"Patrol", payload, foe, rig.agent, 5.0], "values")
	near((keys["riposte_payload"] as ThrowPayload).windup, 0.6, 0.0001, "typed by as")
	eq(typeof(keys["riposte_action_id"]), TYPE_STRING_NAME, "a StringName")
	rig.brain.abort_action()
	rig.method.payload_key = &"order"
	rig.step()
	rig.patrol_now()
	eq(rig.runner().keys.keys()[1], "order", "another key")
	rig.brain.abort_action()
	rig.method.payload_key = &""
	rig.step()
	rig.patrol_now()
	eq(rig.runner().keys.size(), 4, "no key, no payload")


func test_the_payload_from_anywhere() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a", 2)])
	var payload: ThrowPayload = ThrowPayload.new()
	rig.method.payload = payload
	rig.step()
	is_null(rig.brain.get_action_payload(), "nothing runs")
	is_null(BehaviorTreePayload.for_agent(rig.agent), "nothing runs")
	var seen: Array = []
	rig.diary.on("enter a", func() -> void: seen.append(BehaviorTreePayload.for_agent(rig.agent)))
	rig.diary.on("exit a 1", func() -> void: seen.append(BehaviorTreePayload.for_agent(rig.agent)))
	rig.patrol_now()
	eq(rig.brain.get_action_payload(), payload, "of the running action")
	eq(BehaviorTreePayload.for_agent(rig.agent), payload, "of the agent")
	rig.step(2)
	eq(seen, [payload, payload], "from the hooks of the tree too")
	rig.step()
	is_null(BehaviorTreePayload.for_agent(rig.agent), "it is over")
	is_null(BehaviorTreePayload.for_agent(null), "nobody")
	is_null(BehaviorTreePayload.for_agent(self), "no agent")
	var gone: Node = Node.new()
	gone.free()
	is_null(BehaviorTreePayload.for_agent(gone), "a freed node")
	rig.brain.execute_action(&"Other")
	is_null(BehaviorTreePayload.for_agent(rig.agent), "an action without trees")


func test_the_payload_of_a_reaction() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a")])
	var payload: ThrowPayload = ThrowPayload.new()
	rig.method.payload = payload
	var reaction: ReactionSpec = ReactionSpec.new()
	reaction.reaction_id = &"Flinch"
	reaction.execution_method = rig.method
	var reflexes: ReactionEvaluator = ReactionEvaluator.new()
	reflexes.process_callback = ReactionEvaluator.PROCESS_MANUAL
	var reactions: ReactionSet = ReactionSet.new()
	reactions.reactions = [reaction]
	reflexes.default_reaction_set = reactions
	rig.agent.add_child(reflexes)
	ne(reflexes.execute_reaction(&"Flinch"), 0, "it runs")
	eq(BehaviorTreePayload.for_agent(rig.agent), payload, "of the reaction")
	is_null(rig.brain.get_action_payload(), "not of an action")
	reflexes.abort_reaction()


func test_an_abort_removes_the_runner() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a"), on.plain("b")])
	rig.patrol_now()
	rig.step()
	rig.diary.take()
	rig.brain.abort_action()
	eq(rig.diary.take(), "exit a 4, ended Patrol 2", "EXIT_REMOVED, once")
	await idle(2)
	eq(rig.agent.get_child_count(), 1, "freed")


func test_another_target_is_told() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a")])
	rig.moves.get_actions()[0].target_lost_policy = ActionSpec.LOST_RETARGET
	rig.step()
	var first: Node3D = rig.add_foe(Vector3(2, 0, 0))
	rig.brain.target = first
	rig.patrol_now()
	eq(rig.runner().keys["riposte_target"], first, "the first")
	var second: Node3D = rig.add_foe(Vector3(0, 0, 7))
	rig.brain.target = second
	first.free()
	rig.diary.take()
	rig.step()
	eq(rig.diary.take(), "keys a, tick a", "given again")
	eq(rig.runner().keys["riposte_target"], second, "the second")
	near(rig.runner().keys["riposte_distance"], 7.0, 0.0001, "its distance")


func test_a_lost_target_is_null() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a"), on.plain("b")])
	var foe: Node3D = rig.aim_at(Vector3(2, 0, 0))
	rig.patrol_now()
	foe.free()
	rig.diary.take()
	rig.step(2)
	eq(rig.diary.take(), "keys a, tick a, tick a", "told once")
	is_null(rig.runner().keys["riposte_target"], "gone")


func test_the_definition_is_not_changed_by_runs() -> void:
	var rig: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a", 1)])
	var scene: PackedScene = rig.method.trees[0]
	rig.patrol_now()
	rig.method.trees = []
	rig.diary.take()
	rig.step(2)
	eq(rig.diary.take(), "tick a, exit a 1, ended Patrol 0", "the run keeps its copy")
	eq(rig.patrol_now(), 0, "nothing to run")
	eq(rig.diary.take(), "refused Patrol %d" % ActionEvaluator.REFUSAL_NO_METHOD, "no method")
	rig.method.trees = [scene]
	rig.step()
	ne(rig.patrol_now(), 0, "and again")


func test_two_agents_share_one_method() -> void:
	var first: Rig = _rig(func(on: Rig) -> Array: return [on.plain("a", 3)])
	var second: Rig = Rig.new(self)
	second.moves.actions = [Rig.patrol(first.method)]
	second.step()
	first.patrol_now()
	second.patrol_now()
	eq([first.guests(), second.guests()], [1, 1], "each has its own runner")
	first.brain.abort_action()
	eq([first.guests(), second.guests()], [0, 1], "and ends its own")


func test_a_running_set_of_trees_can_be_saved() -> void:
	var method: BehaviorTreeSequenceMethod = BehaviorTreeSequenceMethod.new()
	method.trees = [PackedScene.new(), null]
	method.payload = BehaviorTreePayload.new()
	method.tree_timeout = 3.0
	method.continue_on_failure = true
	var path: String = "user://trees_%d.tres" % Time.get_ticks_usec()
	eq(ResourceSaver.save(method, path), OK, "saved")
	var loaded: BehaviorTreeSequenceMethod = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	eq(loaded.trees.size(), 2, "both rows")
	is_null(loaded.trees[1], "the empty one is kept")
	check(loaded.payload is BehaviorTreePayload, "the payload")
	eq([loaded.tree_timeout, loaded.payload_key, loaded.continue_on_failure], [3.0, &"riposte_payload", true], "the rest")
	check(loaded.trees.is_read_only() and loaded.trees.get_typed_class_name() == &"Resource", "typed and read-only")
	DirAccess.remove_absolute(path)
