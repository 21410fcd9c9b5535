extends TestCase
## Hooks around runs: what they are given, what they may stop, what they may ask for.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


func _hooked(specs: Array[ActionSpec]) -> Rig:
	var rig: Rig = Rig.new(self, specs)
	for made: ActionSpec in specs:
		made.hook = _hook(rig, "A")
	rig.brain.advance(0.0001)
	return rig


func _hook(rig: Rig, label: String) -> Doubles.Hook:
	var made: Doubles.Hook = Doubles.Hook.new()
	made.diary = rig.diary
	made.label = label
	return made


func _hook_of(rig: Rig, id: StringName) -> Doubles.Hook:
	return rig.moves.find_action(id).hook as Doubles.Hook


func test_calls_of_the_hook_of_an_action() -> void:
	var rig: Rig = _hooked([Rig.cooling(&"Jab", 5.0)])
	Rig.method_of(rig.moves.actions[0]).finish_in_tick = 2
	rig.brain.advance(0.0001)
	rig.brain.execute_action(&"Jab")
	eq(rig.diary.take(), "can Jab, begin Jab, pre A Jab, cooling Jab 5.0000, started Jab", "start")
	rig.step(2)
	eq(rig.diary.take(), "tick Jab 0.1000, hook A Jab, tick Jab 0.1000, hook A Jab", "steps")
	rig.step()
	eq(rig.diary.take(), "post A Jab 0, ended Jab 0", "end")


func test_veto_of_the_hook_of_an_action() -> void:
	var rig: Rig = _hooked([Rig.cooling(&"Jab", 5.0)])
	rig.moves.actions[0].max_consecutive_uses = 1
	rig.moves.actions[0].add_tags = ["State.MovementBlocked"]
	rig.brain.advance(0.0001)
	var hook: Doubles.Hook = _hook_of(rig, &"Jab")
	hook.vetoes = true
	eq(rig.brain.execute_action(&"Jab"), 0, "no run")
	eq(rig.diary.take(), "can Jab, begin Jab, pre A Jab, abort Jab 2, refused Jab %d" % ActionEvaluator.REFUSAL_HOOK_VETO, "undone")
	check(not rig.brain.is_action_on_cooldown(&"Jab"), "no stamp")
	check(not rig.brain.evaluate_now(), "vetoed again")
	hook.vetoes = false
	check(rig.brain.evaluate_now(), "no use was counted, it competes again")
	eq(rig.brain.get_last_decision().outcome, ActionDecision.DECISION_STARTED, "started")


func test_context_of_a_hook() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	var seen: Array[ActionHookContext] = []
	var facts: Array = []
	_hook_of(rig, &"Jab").acts = {
		"pre": func(context: ActionHookContext) -> void:
			seen.append(context)
			facts.append([context.end_reason, context.elapsed, context.tearing_down]),
		"hook": func(context: ActionHookContext) -> void: facts.append(context.elapsed),
		"post": func(context: ActionHookContext) -> void: facts.append(context.end_reason),
	}
	var given: ActionContext = ActionContext.create(foe, 0.5, null, ["Quick"])
	rig.brain.execute_action_with_context(&"Jab", given)
	rig.step()
	var context: ActionHookContext = seen[0]
	eq([context.agent, context.target, context.evaluator], [rig.agent, foe, rig.brain], "nodes")
	eq(context.action_id, &"Jab", "id")
	eq(context.action_context, rig.brain.get_running_context(), "the context of the run")
	eq(context.action_context.magnitude, 0.5, "what it was started with")
	rig.brain.abort_action()
	eq(facts[0], [-1, 0.0, false], "before the run")
	near(facts[1], 0.1, 0.0001, "seconds since the start")
	eq(facts[2], ActionEvaluator.END_CANCELLED, "after the run")
	near(context.elapsed, 0.1, 0.0001, "a context that is kept")
	foe.free()
	is_null(context.target, "a freed target is none")
	rig.agent.free()
	is_null(context.agent, "a freed agent is none")
	is_null(context.evaluator, "a freed evaluator is none")


func test_data_belongs_to_one_run() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	var seen: Array = []
	_hook_of(rig, &"Jab").acts = {
		"pre": func(context: ActionHookContext) -> void:
			seen.append(context.data.duplicate())
			context.data.x = 1,
		"hook": func(context: ActionHookContext) -> void: seen.append(context.data.x),
		"post": func(context: ActionHookContext) -> void: seen.append(context.data.x),
	}
	rig.brain.execute_action(&"Jab")
	rig.step()
	rig.brain.execute_action(&"Jab")
	eq(seen, [{}, 1, 1, {}], "the second run begins with nothing")


func test_veto_after_the_start_has_no_effect() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	_hook_of(rig, &"Jab").acts = {"hook": func(context: ActionHookContext) -> void: context.veto_execution = true}
	rig.brain.execute_action(&"Jab")
	rig.step(2)
	check(rig.brain.is_executing(), "it runs on")


func test_wishes_for_recovery_elsewhere_are_ignored() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	var kept: Array[ActionHookContext] = []
	_hook_of(rig, &"Jab").acts = {
		"pre": func(context: ActionHookContext) -> void:
			kept.append(context)
			context.request_recovery_time(5.0),
	}
	expect_warning("request_recovery_time")
	rig.brain.execute_action(&"Jab")
	rig.brain.abort_action()
	kept[0].request_recovery_time(5.0)
	check(rig.choose() == &"Jab", "no recovery")


func test_wishes_for_recovery_that_are_none() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	_hook_of(rig, &"Jab").acts = {
		"post": func(context: ActionHookContext) -> void:
			for seconds: float in [0.0, -1.0, NAN, INF]:
				context.request_recovery_time(seconds),
	}
	expect_warning("request_recovery_time")
	rig.brain.execute_action(&"Jab")
	rig.brain.abort_action()
	check(rig.choose() == &"Jab", "no recovery")


func test_hook_that_overrides_nothing() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	rig.moves.actions[0].hook = ActionHook.new()
	rig.step()
	rig.brain.execute_action(&"Jab")
	rig.step()
	eq(rig.diary.take(), "can Jab, begin Jab, started Jab, tick Jab 0.1000", "nothing of it")
	eq(rig.moves.actions[0].hook._get_display_name() if rig.moves.actions[0].hook.has_method("_get_display_name") else "ActionHook", "ActionHook", "its name")


func test_hook_that_is_replaced_while_it_runs() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	rig.moves.actions[0].hook = null
	rig.step()
	rig.brain.abort_action()
	eq(rig.diary.take("hook post"), "hook A Jab, post A Jab 2", "the run keeps its hook")
	rig.brain.execute_action(&"Jab")
	eq(rig.diary.take("pre"), "", "the next one has none")


func test_ends_of_every_kind_call_the_hook_once() -> void:
	var ends: Dictionary = {
		0: func(rig: Rig) -> void: Rig.method_of(rig.moves.actions[0]).finish_in_tick = 1,
		1: func(rig: Rig) -> void: rig.brain.execute_action(&"Kick"),
		2: func(rig: Rig) -> void: rig.brain.abort_action(),
		3: func(rig: Rig) -> void: rig.step(2, 600.0),
	}
	for reason: int in ends:
		var rig: Rig = _hooked([Rig.spec(&"Jab", 1.0, 1 if reason == 0 else -1), Rig.spec(&"Kick")])
		rig.brain.execute_action(&"Jab")
		var end: Callable = ends[reason]
		end.call(rig)
		rig.step(2)
		eq(rig.diary.count("post A Jab %d" % reason), 1, "hook, reason %d" % reason)
		eq(rig.diary.count("ended Jab %d" % reason), 1, "signal, reason %d" % reason)


func test_agent_that_leaves_the_tree_is_torn_down() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	remove_child(rig.agent)
	eq(rig.diary.take(), "abort Jab 2, post A Jab 2 torn, ended Jab 2", "taken out")
	add_child(rig.agent)
	rig.step()
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	rig.agent.free()
	eq(rig.diary.take(), "abort Jab 2, post A Jab 2 torn, ended Jab 2", "freed")


func test_agent_freed_inside_hooks() -> void:
	for word: String in ["pre", "hook", "post"]:
		var rig: Rig = _hooked([Rig.spec(&"Jab")])
		_hook_of(rig, &"Jab").acts = {word: func(_context: ActionHookContext) -> void: rig.agent.free()}
		rig.brain.execute_action(&"Jab")
		if is_instance_valid(rig.brain):
			rig.step()
		if is_instance_valid(rig.brain):
			rig.brain.abort_action()
		check(not is_instance_valid(rig.brain), "freed in " + word)
		var ends: Array = Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("ended Jab"))
		eq(ends.size(), rig.diary.count("started Jab"), "as many ends as starts in " + word)


func test_start_inside_a_hook_waits() -> void:
	for word: String in ["pre", "post"]:
		var rig: Rig = _hooked([Rig.spec(&"Jab"), Rig.spec(&"Kick")])
		var runs: Array[int] = []
		_hook_of(rig, &"Jab").acts = {word: func(context: ActionHookContext) -> void: runs.append((context.evaluator as ActionEvaluator).execute_action(&"Kick"))}
		rig.brain.execute_action(&"Jab")
		if word == "post":
			rig.brain.abort_action()
		eq(runs, [2], "its run id, from " + word)
		eq(rig.brain.get_run_id(), 2, "it runs")


func test_ex_35_e23() -> void:
	var lost: Array = [
		[ActionSpec.LOST_CONTINUE, true, "", true],
		[ActionSpec.LOST_FAIL, true, "abort Jab 4, ended Jab 4", false],
		[ActionSpec.LOST_RETARGET, true, "turned Other", true],
		[ActionSpec.LOST_RETARGET, false, "abort Jab 4, ended Jab 4", false],
	]
	for row: Array in lost:
		var made: ActionSpec = Rig.spec(&"Jab")
		made.target_mode = ActionSpec.TARGET_EACH
		made.target_lost_policy = row[0]
		var rig: Rig = Rig.new(self, [made])
		rig.brain.action_retargeted.connect(func(_id: StringName, target: Node, _run: int) -> void: rig.diary.write("turned " + ("Other" if target.name.begins_with("Other") else "elsewhere")))
		var foe: Node3D = rig.add_foe(Vector3(0, 0, -2))
		var targets: Array = [foe]
		if row[1]:
			var other: Node3D = rig.add_foe(Vector3(0, 0, -3))
			other.name = "Other"
			targets.append(other)
		rig.brain.set_candidate_targets(targets)
		eq(rig.choose(), &"Jab", "started")
		eq(rig.brain.get_running_target(), foe, "at the nearest")
		rig.step()
		rig.diary.once("tick Jab 0.1000", func() -> void: foe.free())
		rig.step()
		rig.diary.take()
		rig.step()
		eq(rig.diary.take("abort ended turned"), row[2], "policy %d" % row[0])
		eq(rig.brain.is_executing(), row[3], "runs, policy %d" % row[0])
		if row[0] == ActionSpec.LOST_CONTINUE:
			is_null(rig.brain.get_running_context().target, "no target any more")


func test_target_that_leaves_the_tree_is_lost() -> void:
	var made: ActionSpec = Rig.spec(&"Jab")
	made.target_lost_policy = ActionSpec.LOST_FAIL
	var rig: Rig = Rig.new(self, [made])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	rig.brain.execute_action(&"Jab")
	rig.step()
	remove_child(foe)
	rig.step()
	eq(rig.diary.take("ended"), "ended Jab 4", "out of the tree")
	add_child(foe)
	rig.brain.execute_action(&"Jab")
	foe.queue_free()
	rig.step()
	eq(rig.diary.take("ended"), "ended Jab 4", "about to be freed")


func test_target_lost_policy_takes_its_constants_only() -> void:
	var made: ActionSpec = Rig.spec(&"Jab")
	expect_error("target_lost_policy")
	made.target_lost_policy = 7
	eq(made.target_lost_policy, ActionSpec.LOST_CONTINUE, "the old value")
