extends TestCase
## The table of edge cases and bad input of runs, abilities and movement: a test for each of its lines.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const Diary := preload("res://support/diary.gd")
const AbilityRig := preload("res://support/ability_rig.gd")
const TreeRig := preload("res://support/tree_rig.gd")


## Writes down every call of a virtual.
class Mortal:
	extends ExecutionMethod
	@export var diary: Resource = null
	@export var timeout: float = 1000.0

	func _preload_assets(_agent: Node) -> void:
		_write("preload")

	func _get_ability_to_grant() -> GameplayAbility:
		_write("grant")
		return null

	func _get_execution_timeout() -> float:
		_write("timeout")
		return timeout

	func _can_begin(_context: ActionContext) -> bool:
		_write("can")
		return true

	func _begin_execute(_context: ActionContext) -> bool:
		_write("begin")
		return true

	func _tick_execute(_delta: float) -> void:
		_write("tick")

	func _retarget(_target: Node) -> void:
		_write("retarget")

	func _abort_execute(_reason: int) -> void:
		_write("abort")

	func _export_state() -> Dictionary:
		_write("export")
		return {"a": 1}

	func _import_state(_state: Dictionary) -> bool:
		_write("import")
		return true

	func _write(line: String) -> void:
		if diary != null:
			(diary as Diary).write(line)


func _mortal(rig_diary: Diary = null) -> ActionSpec:
	var spec: ActionSpec = Rig.spec(&"Jab")
	var method: Mortal = Mortal.new()
	method.diary = rig_diary
	spec.execution_method = method
	return spec


## An agent whose action has a hook, and two targets; everything writes into one diary.
func _rig() -> Rig:
	var spec: ActionSpec = _mortal()
	spec.target_mode = ActionSpec.TARGET_EACH
	spec.target_lost_policy = ActionSpec.LOST_RETARGET
	var rig: Rig = Rig.new(self, [spec])
	var hook: Doubles.Hook = Doubles.Hook.new()
	hook.diary = rig.diary
	spec.hook = hook
	(spec.execution_method as Mortal).diary = rig.diary
	rig.step()
	rig.diary.take()
	return rig


## Goes through all virtuals of a run: a start, a tick, another target, a look at its state, an end.
func _live(rig: Rig) -> void:
	var brain: ActionEvaluator = rig.brain
	var foes: Array[Node3D] = [rig.add_foe(Vector3(0, 0, -2)), rig.add_foe(Vector3(0, 0, -3))]
	brain.set_candidate_targets(foes)
	var context: ActionContext = ActionContext.create(foes[0])
	var states: Array[Dictionary] = []
	var steps: Array[Callable] = [
		func() -> void: brain.execute_action_with_context(&"Jab", context),
		func() -> void: brain.advance(0.1),
		func() -> void: foes[0].free(),
		func() -> void: brain.advance(0.1),
		func() -> void: states.append(brain.export_state()),
		func() -> void: brain.import_state(states[0]),
		func() -> void: brain.advance(0.1),
		func() -> void: brain.abort_action(),
	]
	for one: Callable in steps:
		if is_instance_valid(brain) and brain.is_inside_tree():
			one.call()
	for foe: Node3D in foes:
		if is_instance_valid(foe):
			foe.free()


func test_the_agent_is_freed_inside_any_virtual() -> void:
	# What is written after the line in which it is freed.
	var places: Dictionary = {
		"can": "", "begin": "", "timeout": "", "pre A Jab": "",
		"tick": "post A Jab 2 torn, ended Jab 2", "hook A Jab": "post A Jab 2 torn, ended Jab 2",
		"retarget": "post A Jab 2 torn, ended Jab 2", "export": "post A Jab 2 torn, ended Jab 2",
		"abort": "post A Jab 2 torn, ended Jab 2", "post A Jab 2": "ended Jab 2",
		"import": "",
	}
	for place: String in places:
		var rig: Rig = _rig()
		rig.diary.once(place, func() -> void:
			rig.diary.lines.clear()
			rig.agent.free())
		_live(rig)
		check(not is_instance_valid(rig.brain), "freed in " + place)
		eq(rig.diary.take(), places[place], "after it was freed in " + place)
	await idle(1)


func test_the_agent_is_freed_by_its_definition() -> void:
	for place: String in ["preload", "grant"]:
		var spec: ActionSpec = _mortal(Diary.new())
		var diary: Diary = (spec.execution_method as Mortal).diary
		var agent: Node3D = Node3D.new()
		var brain: ActionEvaluator = ActionEvaluator.new()
		brain.process_callback = ActionEvaluator.PROCESS_MANUAL
		var moves: ActionSet = ActionSet.new()
		moves.actions = [spec]
		brain.default_action_set = moves
		agent.add_child(AbilitySystem.new())
		agent.add_child(brain)
		diary.once(place, func() -> void: agent.queue_free())
		add_child(agent)
		check(agent.is_queued_for_deletion(), "freed in " + place)
		has_element(diary.lines, place, "asked: " + place)
		await idle(2)
		check(not is_instance_valid(brain), "gone: " + place)


func test_abort_in_a_tick_ends_at_once_after_it() -> void:
	var rig: Rig = _rig()
	rig.diary.once("tick", func() -> void:
		check(rig.brain.abort_action(), "taken")
		eq(rig.diary.count("ended Jab 2"), 0, "not in the middle of the call"))
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	rig.step()
	eq(rig.diary.take(), "tick, abort, post A Jab 2, ended Jab 2", "in the same step, and the hook's tick is left out")


func test_abort_in_a_post_hook_does_nothing() -> void:
	var rig: Rig = _rig()
	var answers: Array = []
	rig.diary.once("post A Jab 1", func() -> void:
		answers.append(rig.brain.abort_action())
		answers.append(rig.brain.cancel_action(rig.brain.get_run_id())))
	rig.brain.execute_action(&"Jab")
	rig.diary.take()
	rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
	eq(answers, [false, false], "refused")
	eq(rig.diary.take(), "abort, post A Jab 1, ended Jab 1", "one end, with the first reason")


func test_a_result_and_a_timeout_in_one_step() -> void:
	var spec: ActionSpec = Rig.spec(&"Jab", 1.0, 2)
	Rig.method_of(spec).timeout = 0.3
	var rig: Rig = Rig.new(self, [spec])
	rig.brain.execute_action(&"Jab")
	rig.step(3)
	eq(rig.diary.take("ended"), "ended Jab 0", "the result comes first")


func test_a_start_that_awaits_counts_as_started() -> void:
	var spec: ActionSpec = Rig.spec(&"Jab")
	spec.execution_method = script("""extends ExecutionMethod
@warning_ignore("untyped_declaration")
func _begin_execute(_context: ActionContext):
	await get_agent().get_tree().process_frame
	return false
""").new()
	var rig: Rig = Rig.new(self, [spec])
	expect_warning("_begin_execute() awaits, so it counts as started. Use CallMethod", 1)
	for i: int in 2:
		check(rig.brain.execute_action(&"Jab") > 0, "started")
		await idle(2)
		check(rig.brain.is_executing(), "what it returns later is not looked at")
		rig.brain.abort_action()


func test_the_method_is_edited_replaced_or_dropped_while_it_runs() -> void:
	var deeds: Dictionary = {
		"edited": func(method: Mortal, _spec: ActionSpec) -> void: method.timeout = 0.05,
		"replaced": func(_method: Mortal, spec: ActionSpec) -> void: spec.execution_method = CallMethod.new(),
		"emptied": func(_method: Mortal, spec: ActionSpec) -> void: spec.execution_method = null,
		"without its script": func(method: Mortal, _spec: ActionSpec) -> void: method.set_script(null),
	}
	for deed: String in deeds:
		var rig: Rig = _rig()
		var spec: ActionSpec = rig.moves.actions[0]
		rig.brain.execute_action(&"Jab")
		var turn: Callable = deeds[deed]
		turn.call(spec.execution_method as Mortal, spec)
		rig.diary.take()
		rig.step(3)
		eq(rig.diary.take("tick abort ended"), "tick, tick, tick", "it goes on: " + deed)
		rig.brain.abort_action()
		eq(rig.diary.take("tick abort ended"), "abort, ended Jab 2", "and ends: " + deed)
		rig.agent.free()


func test_a_dropped_method_is_kept_by_its_run() -> void:
	var rig: Rig = _rig()
	var kept: WeakRef = weakref(rig.moves.actions[0].execution_method)
	rig.brain.execute_action(&"Jab")
	rig.moves.actions[0].execution_method = null
	rig.step(3)
	not_null(kept.get_ref(), "while it runs")
	rig.brain.abort_action()
	rig.step(2)
	is_null(kept.get_ref(), "and no longer")


func test_a_call_is_edited_while_it_waits() -> void:
	var mage: Mage = Mage.new()
	var spec: ActionSpec = Rig.spec(&"Cast")
	var method: CallMethod = CallMethod.new()
	method.method = &"cast"
	method.abort_method = &"stop"
	method.call_timeout = 0.35
	spec.execution_method = method
	var rig: Rig = Rig.new(self, [spec], null, mage)
	rig.brain.execute_action(&"Cast")
	method.method = &"nothing"
	method.abort_method = &"nothing"
	method.call_timeout = 0.1
	rig.step(3)
	check(rig.brain.is_executing(), "with the time-out that it began with")
	rig.step()
	eq(mage.told, ["cast", "stop 3"], "and the methods")


## Casts for ever.
class Mage:
	extends Node3D
	signal never
	var told: Array = []

	func cast(_context: ActionContext) -> Signal:
		told.append("cast")
		return never

	func stop(reason: int) -> void:
		told.append("stop %d" % reason)


func test_nothing_ends_while_time_stands() -> void:
	var freezes: Dictionary = {
		"paused": [func(_rig: Rig) -> void: get_tree().paused = true, func(_rig: Rig) -> void: get_tree().paused = false],
		"time_scale": [func(rig: Rig) -> void: rig.brain.time_scale = 0.0, func(rig: Rig) -> void: rig.brain.time_scale = 1.0],
	}
	for way: String in freezes:
		var finished: ActionSpec = Rig.spec(&"Finished", 1.0, 1)
		var late: ActionSpec = Rig.spec(&"Late")
		Rig.method_of(late).timeout = 0.02
		var rig: Rig = Rig.new(self, [finished, late])
		rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
		for id: StringName in [&"Finished", &"Late"]:
			rig.brain.execute_action(id)
			await physics()
			rig.diary.take()
			var freeze: Callable = freezes[way][0]
			freeze.call(rig)
			await physics(10)
			eq(rig.diary.take(), "", "no tick, no time-out, no pending end of %s: %s" % [id, way])
			var thaw: Callable = freezes[way][1]
			thaw.call(rig)
			await physics(3)
			ne(rig.diary.take("ended"), "", "then %s ends: %s" % [id, way])
		rig.agent.free()


func test_abilities_stand_while_time_stands() -> void:
	var own: AbilityRig = AbilityRig.new(self)
	own.system.process_callback = AbilitySystem.PROCESS_PHYSICS
	var dash: AbilityRig.Ability = own.make("Dash", 0.05)
	dash.cooldown = 10.0
	var handle: int = own.grant(dash)
	own.system.activate(handle)
	var left: float = own.system.get_remaining_cooldown(handle)
	own.diary.take()
	get_tree().paused = true
	await physics(10)
	eq([own.diary.take(), own.system.get_remaining_cooldown(handle)], ["", left], "paused")
	get_tree().paused = false
	own.system.time_scale = 0.0
	await physics(10)
	eq([own.diary.take(), own.system.get_remaining_cooldown(handle)], ["", left], "time_scale 0")
	own.system.time_scale = 1.0
	await physics(8)
	eq(own.diary.take("ended"), "ended Dash 0", "then it ends")


func test_two_evaluators_share_methods() -> void:
	var spec: ActionSpec = Rig.spec(&"Cast")
	var method: CallMethod = CallMethod.new()
	method.method = &"cast"
	spec.execution_method = method
	var scripted: ActionSpec = Rig.spec(&"Jab", 1.0, 3)
	var rigs: Array[Rig] = []
	for i: int in 2:
		rigs.append(Rig.new(self, [spec, scripted], null, Mage.new()))
	for rig: Rig in rigs:
		rig.brain.execute_action(&"Cast")
	rigs[0].brain.abort_action()
	check(rigs[1].brain.is_executing(), "the call of the second waits on")
	var never: Signal = (rigs[1].agent as Mage).never
	never.emit()
	rigs[1].step()
	check(not rigs[1].brain.is_executing(), "and hears its own signal")
	rigs[0].brain.execute_action(&"Jab")
	rigs[0].step(2)
	rigs[1].brain.execute_action(&"Jab")
	rigs[0].step(2)
	rigs[1].step(2)
	eq([rigs[0].brain.is_executing(), rigs[1].brain.is_executing()], [false, true], "each counts its own ticks")


func test_bad_timeouts_are_read_as_0() -> void:
	for made: Array in [[AbilityMethod.new(), "ability_timeout"], [AbilityByTagMethod.new(), "ability_timeout"], [BehaviorTreeSequenceMethod.new(), "tree_timeout"], [AnimationMethod.new(), "animation_timeout"], [CallMethod.new(), "call_timeout"]]:
		var method: Resource = made[0]
		var member: String = made[1]
		method.set(member, 3.0)
		expect_warning("%s: %s = -1 is read as 0" % [method.get_class(), member], 1)
		method.set(member, -1.0)
		eq(method.get(member), 0.0, "negative")
		expect_warning("%s: %s = NaN is read as 0" % [method.get_class(), member], 1)
		for value: float in [NAN, INF, -INF]:
			method.set(member, 3.0)
			method.set(member, value)
			eq(method.get(member), 0.0, "not finite")
	for seconds: float in [-1.0, NAN, INF]:
		var spec: ActionSpec = _mortal(Diary.new())
		(spec.execution_method as Mortal).timeout = seconds
		var rig: Rig = Rig.new(self, [spec])
		expect_warning("the method of action \"Jab\" has a time-out of", 1)
		rig.brain.execute_action(&"Jab")
		rig.step(20)
		check(rig.brain.is_executing(), "that of a script: %s" % seconds)
		rig.agent.free()


func test_trees_that_are_none() -> void:
	var wrong: Dictionary = {
		"trees[1] is null": null, "trees[1] has no runner": TreeRig.pack(Node.new()), "trees[1] is a Gradient": Gradient.new(),
		"trees[1] is a scene without nodes": PackedScene.new(),
	}
	for words: String in wrong:
		var rig: TreeRig = TreeRig.new(self)
		rig.method.trees = [rig.plain("a"), wrong[words]]
		rig.step()
		rig.brain.execute_action(&"Other")
		rig.diary.take()
		expect_error(words, 1)
		eq(rig.patrol_now(), 0, words)
		eq(rig.diary.take(), "refused Patrol %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "and nothing was interrupted")
		eq(rig.guests(), 0, "nothing is left of the good one")


func test_unknown_handles_and_names() -> void:
	var own: AbilityRig = AbilityRig.new(self)
	var handle: int = own.grant(own.make("Dash"))
	var system: AbilitySystem = own.system
	for unknown: int in [0, -1, handle + 1, 9223372036854775807, -9223372036854775808]:
		eq([system.activate(unknown), system.can_activate(unknown), system.revoke_ability(unknown), system.end_ability(unknown), system.cancel_activation(unknown), system.is_active(unknown), system.get_remaining_cooldown(unknown)],
			[0, false, false, false, false, false, 0.0], "handle %d" % unknown)
		is_null(system.get_ability(unknown), "ability %d" % unknown)
	check(system.revoke_ability(handle) and not system.revoke_ability(handle), "revoked twice")
	eq([system.activate_by_tag(&"Nobody"), system.activate_first(&"Nobody"), system.send_event(&"Nobody"), system.cancel_abilities(["Nobody"])], [0, 0, 0, 0], "tags that none has")
	var warp: MotionWarp3D = MotionWarp3D.new()
	var guard: LedgeGuard3D = LedgeGuard3D.new()
	var body: CharacterBody3D = character(Vector3(1, 2, 3), "Body")
	add(warp, body)
	add(guard, body)
	for unknown: StringName in [&"", &"Nobody"]:
		eq([warp.clear_target(unknown), warp.end_window(unknown), warp.is_window_active(unknown), warp.get_warp_point(unknown), guard.release_key(unknown)],
			[false, false, false, Vector3(1, 2, 3), false], "name \"%s\"" % unknown)
	var hold: int = guard.acquire(body)
	check(guard.release(hold) and not guard.release(hold), "released twice")
	guard.acquire_key(&"a")
	check(guard.release_key(&"a") and not guard.release_key(&"a"), "released twice")
	eq([guard.release(0), guard.release(-5), guard.get_hold_count()], [false, false, 0], "no hold")


func test_what_had_no_effect_is_noted_for_those_who_log() -> void:
	if not ClassDB.class_exists(&"Logger"):
		check(true, "this engine has no Logger")
		return
	var own: AbilityRig = AbilityRig.new(self)
	var body: CharacterBody3D = character()
	var warp: MotionWarp3D = add(MotionWarp3D.new(), body)
	var guard: LedgeGuard3D = add(LedgeGuard3D.new(), body)
	var catcher: Object = (load("res://support/message_catcher.gd") as GDScript).new()
	OS.call("add_logger", catcher)
	for logs: bool in [false, true]:
		ProjectSettings.set_setting("riposte/debug/log_execution", logs)
		await idle(2)
		own.system.activate(77)
		own.system.revoke_ability(77)
		own.system.end_ability(77)
		own.system.cancel_activation(77)
		warp.clear_target(&"Nobody")
		warp.end_window(&"Nobody")
		guard.release(77)
		guard.release_key(&"Nobody")
		var lines: PackedStringArray = catcher.call(&"take")
		var wanted: Array = [
			"activate() got the handle 77", "revoke_ability() got the handle 77", "end_ability() got the handle 77",
			"cancel_activation() got the activation 77", "clear_target() got the name \"Nobody\"",
			"end_window() got the name \"Nobody\"", "release() got the handle 77", "release_key() got the key \"Nobody\""]
		eq(lines.size(), wanted.size() if logs else 0, "a line each when it is on: %s" % [lines])
		for n: int in mini(lines.size(), wanted.size()):
			has_element(lines[n], wanted[n], "line")
	ProjectSettings.set_setting("riposte/debug/log_execution", false)
	await idle(2)
	OS.call("remove_logger", catcher)


func test_grants_of_what_is_no_ability() -> void:
	var own: AbilityRig = AbilityRig.new(self)
	expect_error("grant_ability() got no GameplayAbility", 1)
	for wrong: Variant in [null, Resource.new(), CallMethod.new(), add(Node.new())]:
		eq(own.system.grant_ability(wrong), 0, "%s" % [wrong])


func test_windows_without_a_time() -> void:
	var warp: MotionWarp3D = add(MotionWarp3D.new(), character())
	var started: SignalRecord = record(warp.window_started)
	expect_warning("begin_window() got", 1)
	for seconds: float in [0.0, -1.0, NAN, INF, -INF]:
		check(not warp.begin_window(&"Target", seconds), "%s s" % seconds)
	eq([started.count(), warp.is_window_active()], [0, false], "nothing opened")


func test_a_hook_without_a_script_is_warned_of() -> void:
	var spec: ActionSpec = Rig.spec(&"Jab")
	var rig: Rig = Rig.new(self, [spec])
	rig.brain.config = AgentConfig.new()
	spec.hook = ActionHook.new()
	rig.brain.config.global_hook = ActionHook.new()
	has_element("%s" % [rig.moves.validate()], "hook: an ActionHook without a script does nothing.")
	if ClassDB.class_exists(&"RiposteProbe"):
		var probe: Object = ClassDB.instantiate(&"RiposteProbe")
		has_element("%s" % [probe.call(&"evaluator_warnings", rig.brain)], "global_hook: an ActionHook without a script does nothing.")
	spec.hook = Doubles.Hook.new()
	lacks_element("%s" % [rig.moves.validate()], "without a script")
