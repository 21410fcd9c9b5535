extends TestCase
## The hook of all actions of an agent, beside that of one action.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


## One agent with a global hook G and a hook A of each action.
func _hooked(specs: Array[ActionSpec]) -> Rig:
	var rig: Rig = Rig.new(self, specs)
	rig.brain.config = _config(rig)
	for made: ActionSpec in specs:
		made.hook = _hook(rig, "A")
	rig.brain.advance(0.0001)
	return rig


func _config(rig: Rig) -> AgentConfig:
	var made: AgentConfig = AgentConfig.new()
	made.global_hook = _hook(rig, "G")
	return made


func _hook(rig: Rig, label: String) -> Doubles.Hook:
	var made: Doubles.Hook = Doubles.Hook.new()
	made.diary = rig.diary
	made.label = label
	return made


func _global(rig: Rig) -> Doubles.Hook:
	return rig.brain.config.global_hook as Doubles.Hook


func _own(rig: Rig, id: StringName = &"Jab") -> Doubles.Hook:
	return rig.moves.find_action(id).hook as Doubles.Hook


static func _refused(id: String, why: int) -> String:
	return "refused %s %d" % [id, why]


func test_ex_35_e7() -> void:
	var rig: Rig = _hooked([Rig.cooling(&"Jab", 5.0)])
	_global(rig).vetoes = true
	eq(rig.brain.execute_action(&"Jab"), 0, "no run")
	eq(rig.diary.take(), "can Jab, begin Jab, pre G Jab, pre A Jab, abort Jab 2, " + _refused("Jab", ActionEvaluator.REFUSAL_HOOK_VETO), "both are asked")
	check(not rig.brain.is_action_on_cooldown(&"Jab"), "no cooldown")


func test_veto_of_one_hook_is_not_taken_back_by_the_other() -> void:
	var rig: Rig = _hooked([Rig.cooling(&"Jab", 5.0)])
	_global(rig).vetoes = true
	_own(rig).acts = {"pre": func(context: ActionHookContext) -> void: context.veto_execution = false}
	eq(rig.brain.execute_action(&"Jab"), 0, "one veto is enough")
	_global(rig).vetoes = false
	_own(rig).acts = {}
	_own(rig).vetoes = true
	eq(rig.brain.execute_action(&"Jab"), 0, "of either")
	_own(rig).vetoes = false
	ne(rig.brain.execute_action(&"Jab"), 0, "no veto, no trace of the last one")


func test_ex_35_e8() -> void:
	var rig: Rig = _hooked([Rig.cooling(&"Jab", 5.0)])
	Rig.method_of(rig.moves.actions[0]).finish_in_tick = 2
	rig.brain.advance(0.0001)
	rig.brain.execute_action(&"Jab")
	eq(rig.diary.take(), "can Jab, begin Jab, pre G Jab, pre A Jab, cooling Jab 5.0000, started Jab", "start")
	rig.step(2)
	eq(rig.diary.take(), "tick Jab 0.1000, hook G Jab, hook A Jab, tick Jab 0.1000, hook G Jab, hook A Jab", "steps")
	rig.step()
	eq(rig.diary.take(), "post G Jab 0, post A Jab 0, ended Jab 0", "end")


func test_ex_30_a46() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 5.0)
	jab.max_consecutive_uses = 1
	var rig: Rig = _hooked([jab])
	Rig.method_of(jab).begins = false
	rig.brain.advance(0.0001)
	check(not rig.brain.evaluate_now(), "begin says no")
	check(not rig.brain.is_action_on_cooldown(&"Jab"), "no stamp")
	Rig.method_of(jab).begins = true
	_global(rig).vetoes = true
	check(not rig.brain.evaluate_now(), "the hook says no")
	check(not rig.brain.is_action_on_cooldown(&"Jab"), "no stamp")
	_global(rig).vetoes = false
	check(rig.brain.evaluate_now(), "it competes again, and this is its first use")
	eq(rig.brain.get_running_action(), &"Jab", "it runs")


func test_ex_30_a52() -> void:
	for row: Array in [[true, 4.5], [false, 0.0]]:
		var jab: ActionSpec = Rig.quick(&"Jab")
		Rig.method_of(jab).succeeds = row[0]
		var rig: Rig = _hooked([jab])
		rig.brain.config.action_recovery_time = 3.0
		_global(rig).acts = {"post": func(context: ActionHookContext) -> void: context.request_recovery_time(0.5)}
		_own(rig).acts = {"post": func(context: ActionHookContext) -> void: context.request_recovery_time(1.0)}
		rig.brain.execute_action(&"Jab")
		rig.step()
		near(rig.brain.get_recovery_remaining(), row[1], 1e-6, "success: %s" % row[0])


func test_ex_35_e9() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.add_tags = ["State.MovementBlocked"]
	var rig: Rig = _hooked([jab])
	var tags: TagContainer = Rig.tag_container([])
	rig.agent.add_child(tags)
	var ended: SignalRecord = record(rig.brain.action_ended)
	var run: int = rig.brain.execute_action(&"Jab")
	check(tags.has_tag(&"State.MovementBlocked"), "the tag is there")
	var blocked: Array[bool] = []
	_own(rig).acts = {"post": func(_context: ActionHookContext) -> void: blocked.append(tags.has_tag(&"State.MovementBlocked"))}
	rig.diary.take()
	check(rig.brain.abort_action(), "aborted")
	eq(rig.diary.take(), "abort Jab 2, post G Jab 2, post A Jab 2, ended Jab 2", "the order")
	eq(blocked, [false], "the tags are gone before the hooks")
	eq(ended.last(), [&"Jab", ActionEvaluator.END_CANCELLED, run], "the signal")
	check(not rig.brain.abort_action(), "nothing to abort any more")
	check(not rig.brain.cancel_action(run), "nor to cancel")


func test_ex_35_e10() -> void:
	var ways: Dictionary = {
		"completed": func(rig: Rig) -> void: Rig.method_of(rig.moves.actions[0]).finish_in_tick = 1,
		"failed": func(rig: Rig) -> void:
			Rig.method_of(rig.moves.actions[0]).finish_in_tick = 1
			Rig.method_of(rig.moves.actions[0]).succeeds = false,
		"timed out": func(rig: Rig) -> void: Rig.method_of(rig.moves.actions[0]).timeout = 0.1,
		"interrupted": func(rig: Rig) -> void: rig.diary.once("tick Jab 0.1000", func() -> void: rig.brain.execute_action(&"Kick")),
		"cancelled": func(rig: Rig) -> void: rig.diary.once("tick Jab 0.1000", func() -> void: rig.brain.abort_action()),
		"freed": func(rig: Rig) -> void: rig.diary.once("tick Jab 0.1000", func() -> void: rig.agent.queue_free()),
		"set swap": func(rig: Rig) -> void: rig.diary.once("tick Jab 0.1000", func() -> void: rig.brain.set_runtime_override(ActionSet.new())),
		"reaction": func(rig: Rig) -> void: rig.diary.once("tick Jab 0.1000", func() -> void:
			(rig.agent.get_node("Reactions") as ReactionEvaluator).react(&"Event.Hit")),
	}
	for way: String in ways:
		var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick")])
		rig.brain.config = _config(rig)
		var prepare: Callable = ways[way]
		prepare.call(rig)
		_reactor(rig)
		rig.brain.advance(0.0001)
		rig.brain.execute_action(&"Jab")
		rig.step(2)
		await idle(2)
		var posts: Array = Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("post G Jab"))
		var ends: Array = Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("ended Jab"))
		eq(posts.size(), 1, "one hook, " + way)
		eq(ends.size(), 1, "one signal, " + way)


func test_ex_35_e11() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.add_tags = ActionSpec.new().add_tags
	eq(jab.add_tags, PackedStringArray(["State.MovementBlocked"]), "the default")
	var rig: Rig = Rig.new(self, [jab])
	var tags: TagContainer = Rig.tag_container([])
	rig.agent.add_child(tags)
	tags.add_tag(&"State.MovementBlocked")
	rig.brain.execute_action(&"Jab")
	eq(tags.get_tag_count(&"State.MovementBlocked"), 2, "two holders")
	rig.brain.abort_action()
	eq(tags.get_tag_count(&"State.MovementBlocked"), 1, "one is left")
	check(tags.has_tag(&"State.MovementBlocked"), "the tag is still there")


func test_ex_35_e24() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	var seen: Array = []
	var reads: Callable = func(context: ActionHookContext) -> void: seen.append(context.data.get("x"))
	_global(rig).acts = {
		"pre": func(context: ActionHookContext) -> void:
			seen.append(context.data.duplicate())
			context.data.x = 1,
		"hook": reads, "post": reads,
	}
	_own(rig).acts = {"hook": reads, "post": reads}
	rig.brain.execute_action(&"Jab")
	rig.step()
	rig.brain.abort_action()
	eq(seen, [{}, 1, 1, 1, 1], "one dictionary for both")
	seen.clear()
	rig.brain.execute_action(&"Jab")
	eq(seen, [{}], "the next run begins with an empty one")


func _reactor(rig: Rig, hook: ActionHook = null) -> ReactionEvaluator:
	var parry: ReactionSpec = ReactionSpec.new()
	parry.reaction_id = &"Parry"
	parry.trigger_tags = ["Event.Hit"]
	parry.add_tags = []
	var method: Doubles.Method = Doubles.Method.new()
	method.diary = rig.diary
	parry.execution_method = method
	parry.hook = hook
	var moves: ReactionSet = ReactionSet.new()
	moves.reactions = [parry]
	var made: ReactionEvaluator = ReactionEvaluator.new()
	made.name = "Reactions"
	made.process_callback = ReactionEvaluator.PROCESS_MANUAL
	made.default_reaction_set = moves
	made.reaction_started.connect(func(id: StringName, _target: Node, _run: int) -> void: rig.diary.write("started %s" % id))
	made.reaction_ended.connect(func(id: StringName, reason: int, _run: int) -> void: rig.diary.write("ended %s %d" % [id, reason]))
	rig.agent.add_child(made)
	return made


func test_hooks_of_a_reaction() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	var hook: Doubles.Hook = _hook(rig, "R")
	var reactions: ReactionEvaluator = _reactor(rig, hook)
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	eq(reactions.react(&"Event.Hit"), &"Parry", "it reacts")
	eq(rig.diary.take(), "can Parry, abort Jab 1, post G Jab 1, post A Jab 1, ended Jab 1, begin Parry, pre G Parry, pre R Parry, started Parry", "both hooks of both")
	reactions.advance(0.1)
	eq(rig.diary.take(), "tick Parry 0.1000, hook G Parry, hook R Parry", "a step")
	var evaluators: Array = []
	hook.acts = {"post": func(context: ActionHookContext) -> void:
		evaluators.append_array([context.evaluator, context.agent])
		context.request_recovery_time(2.0)}
	reactions.abort_reaction()
	eq(rig.diary.take(), "abort Parry 2, post G Parry 2, post R Parry 2, ended Parry 2", "an end")
	eq(evaluators, [reactions, rig.agent], "who runs it")
	check(not rig.brain.is_action_recovering(), "a reaction stamps no recovery but its own")
	hook.vetoes = true
	eq(reactions.react(&"Event.Hit"), &"", "vetoed")
	eq(rig.diary.take("pre abort started"), "pre G Parry, pre R Parry, abort Parry 2", "undone")
	check(not reactions.is_executing(), "nothing runs")


func test_target_lost_by_a_reaction() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var reactions: ReactionEvaluator = _reactor(rig)
	reactions.default_reaction_set.reactions[0].target_lost_policy = ReactionSpec.LOST_FAIL
	reactions.advance(0.1)
	var foe: Node3D = rig.add_foe(Vector3(0, 0, -2))
	reactions.react(&"Event.Hit", null, foe)
	foe.free()
	reactions.advance(0.1)
	eq(rig.diary.take("ended"), "ended Parry 4", "failed")


func test_fallback_has_hooks() -> void:
	var idle_about: ActionSpec = Rig.spec(&"Idle", 0.0)
	var rig: Rig = _hooked([idle_about])
	rig.moves.fallback_action = &"Idle"
	rig.brain.advance(0.0001)
	rig.brain.evaluate_now()
	eq(rig.diary.take("pre started"), "pre G Idle, pre A Idle, started Idle", "both")


func test_config_that_is_swapped_or_edited_while_it_runs() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	rig.brain.execute_action(&"Jab")
	var old: AgentConfig = rig.brain.config
	rig.brain.config = null
	rig.step()
	eq(rig.diary.take("hook"), "hook G Jab, hook A Jab", "the run keeps its hooks")
	rig.brain.abort_action()
	rig.diary.take()
	rig.brain.execute_action(&"Jab")
	eq(rig.diary.take("pre"), "pre A Jab", "the next one has none of it")
	rig.brain.config = old
	old.global_hook = _hook(rig, "H")
	rig.brain.execute_action(&"Jab")
	eq(rig.diary.take("pre post"), "post A Jab 1, pre H Jab, pre A Jab", "the config's hook of now")


func test_one_hook_in_both_places_is_called_twice() -> void:
	var rig: Rig = _hooked([Rig.spec(&"Jab")])
	rig.moves.actions[0].hook = _global(rig)
	rig.brain.advance(0.0001)
	rig.brain.execute_action(&"Jab")
	eq(rig.diary.take("pre"), "pre G Jab, pre G Jab", "twice")


func test_a_hundred_agents_on_one_hook() -> void:
	var config: AgentConfig = AgentConfig.new()
	var hook: Doubles.Hook = Doubles.Hook.new()
	config.global_hook = hook
	var owners: Dictionary = {}
	hook.acts = {
		"pre": func(context: ActionHookContext) -> void: context.data.owner = context.agent.get_instance_id(),
		"post": func(context: ActionHookContext) -> void: owners[context.agent.get_instance_id()] = context.data.owner,
	}
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.hook = hook
	var rigs: Array[Rig] = []
	for n: int in 100:
		var rig: Rig = Rig.new(self, [jab])
		rig.brain.config = config
		rig.brain.execute_action(&"Jab")
		rigs.append(rig)
	for rig: Rig in rigs:
		rig.step()
		rig.brain.abort_action()
	eq(owners.size(), 100, "each had its own run")
	for owner: int in owners:
		eq(owners[owner], owner, "and its own data")
	hook.acts.clear()


func test_agent_freed_inside_the_global_hook() -> void:
	for word: String in ["pre", "hook", "post"]:
		var rig: Rig = _hooked([Rig.spec(&"Jab")])
		_global(rig).acts = {word: func(_context: ActionHookContext) -> void: rig.agent.free()}
		var own: Doubles.Hook = _own(rig)
		rig.brain.execute_action(&"Jab")
		if is_instance_valid(rig.brain):
			rig.step()
		if is_instance_valid(rig.brain):
			rig.brain.abort_action()
		check(not is_instance_valid(rig.brain), "freed in " + word)
		var own_posts: Array = Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("post A"))
		eq(own_posts.size(), rig.diary.count("started Jab"), "the other hook is called once if it started, in " + word)
		var ends: Array = Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("ended"))
		eq(ends.size(), rig.diary.count("started Jab"), "and the end is told, in " + word)
		own.acts = {}


func test_hook_that_is_no_script_and_wrong_values() -> void:
	var config: AgentConfig = AgentConfig.new()
	config.global_hook = ActionHook.new()
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.config = config
	rig.brain.execute_action(&"Jab")
	rig.step()
	eq(rig.diary.take(), "can Jab, begin Jab, started Jab, tick Jab 0.1000", "it does nothing")
	config.global_hook = null
	rig.brain.execute_action(&"Jab")
	check(rig.brain.is_executing(), "none")
