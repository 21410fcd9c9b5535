extends TestCase
## Hooks that do their worst: errors, other values than expected, other scripts, kept contexts, endless wishes.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


func _hook(source: String) -> ActionHook:
	return script("extends ActionHook\n" + source).new() as ActionHook


func _rig(hook: ActionHook) -> Rig:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
	rig.brain.config = AgentConfig.new()
	rig.brain.config.global_hook = hook
	return rig


func test_scripts_with_errors() -> void:
	for virtual: String in ["_pre_execute(context: ActionHookContext)", "_tick_execute(context: ActionHookContext, _delta: float)", "_post_execute(context: ActionHookContext)"]:
		var rig: Rig = _rig(_hook("func %s -> void:\n\tvar nothing: Variant = null if context != null else 1\n\tnothing.explode()\n" % virtual))
		# The engine's own words about the script are of no interest here.
		Engine.print_error_messages = false
		rig.brain.execute_action(&"Jab")
		rig.step()
		check(rig.brain.is_executing(), "an error is no veto, " + virtual)
		rig.brain.abort_action()
		Engine.print_error_messages = true
		eq(rig.diary.take("started ended"), "started Jab, ended Jab 2", "one start, one end, " + virtual)


func test_hook_that_waits() -> void:
	var rig: Rig = _rig(_hook("func _pre_execute(context: ActionHookContext) -> void:\n\tawait context.agent.get_tree().process_frame\n\tcontext.veto_execution = true\n"))
	rig.brain.execute_action(&"Jab")
	check(rig.brain.is_executing(), "nobody waits for it")
	await idle(2)
	rig.step(2)
	check(rig.brain.is_executing(), "and a late veto is none")


func test_hook_without_its_script() -> void:
	var hook: Doubles.Hook = Doubles.Hook.new()
	var rig: Rig = _rig(hook)
	hook.diary = rig.diary
	rig.brain.execute_action(&"Jab")
	hook.set_script(null)
	rig.step()
	rig.brain.abort_action()
	rig.brain.execute_action(&"Jab")
	check(rig.brain.is_executing(), "it serves on without")


func test_kept_contexts() -> void:
	var kept: Array[ActionHookContext] = []
	var hook: Doubles.Hook = Doubles.Hook.new()
	hook.acts = {"pre": func(context: ActionHookContext) -> void: kept.append(context)}
	var rig: Rig = _rig(hook)
	rig.brain.execute_action(&"Jab")
	rig.agent.free()
	var context: ActionHookContext = kept[0]
	is_null(context.agent, "agent")
	is_null(context.evaluator, "evaluator")
	is_null(context.target, "target")
	eq(context.action_id, &"Jab", "id")
	eq(context.end_reason, ActionEvaluator.END_CANCELLED, "reason")
	check(context.tearing_down, "torn down")
	context.data.x = 1
	context.veto_execution = true
	expect_warning("request_recovery_time")
	context.request_recovery_time(1.0)
	hook.acts = {}


func test_context_that_a_script_made() -> void:
	var context: ActionHookContext = ActionHookContext.new()
	is_null(context.agent, "agent")
	is_null(context.action_context, "context")
	eq([context.action_id, context.elapsed, context.end_reason, context.data], [&"", 0.0, -1, {}], "neutral")
	expect_warning("request_recovery_time")
	context.request_recovery_time(1.0)


func test_endless_wishes() -> void:
	var hook: Doubles.Hook = Doubles.Hook.new()
	hook.acts = {"post": func(context: ActionHookContext) -> void:
		for i: int in 3:
			context.request_recovery_time(1e308)}
	var rig: Rig = _rig(hook)
	rig.brain.execute_action(&"Jab")
	rig.brain.abort_action()
	check(is_finite(rig.brain.get_recovery_remaining()), "the recovery is a number")
	rig.brain.clear_recovery()
	rig.step()
	check(not rig.brain.is_action_recovering(), "and can be ended")
	hook.acts = {}


func test_data_of_the_wrong_kind() -> void:
	var hook: Doubles.Hook = Doubles.Hook.new()
	hook.acts = {
		"pre": func(context: ActionHookContext) -> void:
			context.data = {"mine": context}
			context.data.make_read_only(),
		"post": func(context: ActionHookContext) -> void: context.data = {},
	}
	var rig: Rig = _rig(hook)
	rig.brain.execute_action(&"Jab")
	rig.step()
	rig.brain.abort_action()
	eq(rig.diary.take("started ended"), "started Jab, ended Jab 2", "one start, one end")
	hook.acts = {}


func test_hooks_that_start_each_other() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick")])
	var starts: Array[int] = [0]
	for made: ActionSpec in rig.moves.actions:
		var other: StringName = &"Kick" if made.action_id == &"Jab" else &"Jab"
		var hook: Doubles.Hook = Doubles.Hook.new()
		hook.acts = {"pre": func(context: ActionHookContext) -> void:
			starts[0] += 1
			if starts[0] < 50:
				(context.evaluator as ActionEvaluator).execute_action(other)}
		made.hook = hook
	rig.step()
	rig.brain.execute_action(&"Jab")
	eq(starts[0], 50, "each start waited for the one before")
	check(rig.brain.is_executing(), "the last one runs")
	eq(rig.brain.get_run_id(), 50, "number 50")


func test_hook_that_frees_target_scorer_and_set() -> void:
	for word: String in ["pre", "hook", "post"]:
		var jab: ActionSpec = Rig.spec(&"Jab")
		var hook: Doubles.Hook = Doubles.Hook.new()
		jab.hook = hook
		var rig: Rig = Rig.new(self, [jab])
		var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
		hook.acts = {word: func(_context: ActionHookContext) -> void:
			if is_instance_valid(foe):
				foe.free()
			rig.moves.actions = []
			rig.brain.default_action_set = null
			jab.execution_method = null
			jab.hook = null}
		rig.brain.execute_action(&"Jab")
		rig.step()
		rig.brain.abort_action()
		rig.step(2)
		check(not rig.brain.is_executing(), "nothing runs, " + word)
		eq(Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("ended Jab")).size(), 1, "one end, " + word)
		hook.acts = {}


func test_evaluator_freed_in_hooks() -> void:
	for word: String in ["pre", "hook", "post"]:
		var jab: ActionSpec = Rig.spec(&"Jab")
		var hook: Doubles.Hook = Doubles.Hook.new()
		jab.hook = hook
		var rig: Rig = Rig.new(self, [jab])
		hook.diary = rig.diary
		hook.acts = {word: func(_context: ActionHookContext) -> void:
			if is_instance_valid(rig.brain):
				rig.brain.free()}
		rig.brain.execute_action(&"Jab")
		if is_instance_valid(rig.brain):
			rig.step()
		if is_instance_valid(rig.brain):
			rig.brain.abort_action()
		check(not is_instance_valid(rig.brain), "freed in " + word)
		var ends: Array = Array(rig.diary.lines).filter(func(line: String) -> bool: return line.begins_with("ended"))
		eq(ends.size(), rig.diary.count("started Jab"), "as many ends as starts, " + word)
		hook.acts = {}


func test_hook_of_a_file() -> void:
	var config: AgentConfig = AgentConfig.new()
	config.global_hook = _hook("@export var depth: float = 1.5\nfunc _pre_execute(_context: ActionHookContext) -> void:\n\tpass\n")
	config.global_hook.set("depth", 2.5)
	var path: String = "user://hooked_config.tres"
	eq(ResourceSaver.save(config, path), OK, "saved")
	var back: AgentConfig = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	not_null(back.global_hook, "the hook comes back")
	DirAccess.remove_absolute(path)
