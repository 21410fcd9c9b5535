extends TestCase
## The table of edge cases of an evaluator, one test for each of its lines.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


class Weapon:
	extends Node
	var weapon_action_set: ActionSet


func _hook(rig: Rig) -> Doubles.Hook:
	var made: Doubles.Hook = Doubles.Hook.new()
	made.diary = rig.diary
	made.label = "A"
	return made


func _hooked(specs: Array[ActionSpec]) -> Rig:
	var rig: Rig = Rig.new(self, specs)
	for made: ActionSpec in specs:
		made.hook = _hook(rig)
	rig.brain.advance(0.0001)
	return rig


func _hook_of(rig: Rig) -> Doubles.Hook:
	return rig.moves.actions[0].hook as Doubles.Hook


static func _set_of(ids: Array[StringName]) -> ActionSet:
	var made: ActionSet = ActionSet.new()
	var specs: Array[ActionSpec] = []
	for id: StringName in ids:
		specs.append(Rig.spec(id))
	made.actions = specs
	return made


func test_agent_or_evaluator_leaves_the_tree_or_is_freed() -> void:
	var ways: Dictionary = {
		"agent taken out": func(rig: Rig) -> void: remove_child(rig.agent),
		"agent freed": func(rig: Rig) -> void: rig.agent.free(),
		"agent freed later": func(rig: Rig) -> void: rig.agent.queue_free(),
		"evaluator taken out": func(rig: Rig) -> void: rig.agent.remove_child(rig.brain),
		"evaluator freed": func(rig: Rig) -> void: rig.brain.free(),
		"evaluator freed later": func(rig: Rig) -> void: rig.brain.queue_free(),
	}
	for way: String in ways:
		var body: Node3D = Node3D.new()
		var before: Node = add(Node.new(), body)
		var jab: ActionSpec = Rig.spec(&"Jab")
		var rig: Rig = Rig.new(self, [jab], null, body)
		jab.hook = _hook(rig)
		rig.step()
		var after: Node = add(Node.new(), rig.agent)
		var seen: Array = []
		_hook_of(rig).acts = {"post": func(context: ActionHookContext) -> void:
			seen.append([context.tearing_down, before.is_inside_tree(), after.is_inside_tree()])}
		rig.brain.auto_evaluate = true
		rig.brain.execute_action(&"Jab")
		rig.diary.take()
		var leave: Callable = ways[way]
		leave.call(rig)
		await idle(2)
		eq(rig.diary.take(), "abort Jab 2, post A Jab 2 torn, ended Jab 2", "one end, " + way)
		var agent_left: bool = way.begins_with("agent")
		eq(seen, [[true, true, not agent_left]], "what its hook sees, " + way)
		_hook_of(rig).acts = {}
		if is_instance_valid(rig.brain):
			rig.brain.queue_free()
		if is_instance_valid(rig.agent):
			rig.agent.queue_free()


func test_re_entering_the_tree() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0), Rig.spec(&"Kick")])
	rig.brain.execute_action(&"Jab")
	rig.step(10)
	remove_child(rig.agent)
	eq(rig.brain.get_running_action(), &"", "idle outside")
	expect_error("execute_action")
	eq(rig.brain.execute_action(&"Kick"), 0, "nothing starts outside")
	rig.diary.take()
	add_child(rig.agent)
	eq(rig.diary.take(), "", "nothing happens by itself")
	check(not rig.brain.is_executing(), "idle")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 4.0, 1e-6, "its cooldown is kept")
	rig.step(10)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 3.0, 1e-6, "and runs on")
	eq(rig.choose(), &"Kick", "it decides")


func test_target_freed() -> void:
	var each: ActionSpec = Rig.spec(&"Jab")
	each.target_mode = ActionSpec.TARGET_EACH
	var rig: Rig = Rig.new(self, [each])
	var foe: Node3D = rig.add_foe(Vector3(0, 0, -2))
	var other: Node3D = rig.add_foe(Vector3(0, 0, -3))
	rig.brain.set_candidate_targets([foe, other])
	rig.brain.target = foe
	eq(rig.choose(), &"Jab", "it runs")
	eq(rig.brain.get_running_target(), foe, "on the focus")
	foe.free()
	is_null(rig.brain.target, "the property")
	is_null(rig.brain.get_focus_target(), "the focus")
	is_null(rig.brain.get_running_target(), "the run")
	is_null(rig.brain.get_running_context().target, "its context")
	eq(rig.brain.get_candidate_targets(), [other], "the candidates")
	rig.step(3)
	check(rig.brain.is_executing(), "the policy is to go on")
	rig.brain.abort_action()
	eq(rig.choose(), &"Jab", "again")
	eq(rig.brain.get_running_target(), other, "on the one that is left")


func test_paused_disabled_and_time_scale_zero() -> void:
	var freezes: Dictionary = {
		"paused": [func(_rig: Rig) -> void: get_tree().paused = true, func(_rig: Rig) -> void: get_tree().paused = false],
		"disabled": [
			func(rig: Rig) -> void: rig.agent.process_mode = Node.PROCESS_MODE_DISABLED,
			func(rig: Rig) -> void: rig.agent.process_mode = Node.PROCESS_MODE_INHERIT,
		],
		"time_scale": [func(rig: Rig) -> void: rig.brain.time_scale = 0.0, func(rig: Rig) -> void: rig.brain.time_scale = 1.0],
	}
	for way: String in freezes:
		var jab: ActionSpec = Rig.cooling(&"Jab", 5.0)
		Rig.method_of(jab).timeout = 0.4
		var rig: Rig = Rig.new(self, [jab])
		rig.brain.auto_evaluate = true
		rig.brain.execute_action(&"Jab")
		rig.brain.add_recovery(3.0)
		rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
		await physics(2)
		var turns: Array = freezes[way]
		(turns[0] as Callable).call(rig)
		await physics(1)
		var then: Array = _clock(rig)
		rig.diary.take()
		await physics(60)
		eq(_clock(rig), then, "frozen together, " + way)
		eq(rig.diary.take(), "", "nothing ends, " + way)
		check(rig.brain.is_executing(), "it still runs, " + way)
		(turns[1] as Callable).call(rig)
		await physics(40)
		eq(rig.diary.take("ended"), "ended Jab 3", "it goes on, " + way)


static func _clock(rig: Rig) -> Array:
	return [rig.brain.get_running_time(), rig.brain.get_remaining_cooldown(&"Jab"), rig.brain.get_recovery_remaining()]


func test_set_role_weapon_config_changed_inside_a_sequence() -> void:
	var other: ActionSet = _set_of([&"Slam"])
	var config: AgentConfig = AgentConfig.new()
	config.role_action_sets = {&"Role.Tank": other}
	var weapon: Weapon = Weapon.new()
	weapon.weapon_action_set = other
	add(weapon)
	var by_config: AgentConfig = AgentConfig.new()
	by_config.action_set = other
	var changes: Dictionary = {
		"default set": func(rig: Rig) -> void: rig.brain.default_action_set = other,
		"override": func(rig: Rig) -> void: rig.brain.set_runtime_override(other),
		"provided": func(rig: Rig) -> void: rig.brain.set_provided_action_set(other),
		"role": func(rig: Rig) -> void: rig.brain.role = &"Role.Tank",
		"weapon": func(rig: Rig) -> void: rig.brain.set_weapon(weapon),
		"config": func(rig: Rig) -> void: rig.brain.config = by_config,
	}
	# Place -> whether the run of Jab began when it is over.
	var places: Dictionary = {
		"begin Jab": true, "pre A Jab": true, "cooling Jab 5.0000": true, "started Jab": true, "tick Jab 0.1000": true,
		"hook A Jab": true, "post A Jab 1": false, "abort Jab 1": false, "ended Jab 1": false,
	}
	for change: String in changes:
		for place: String in places:
			var rig: Rig = _hooked([Rig.cooling(&"Jab", 5.0), Rig.spec(&"Kick")])
			if change == "role":
				rig.brain.config = config
			var turn: Callable = changes[change]
			var here: String = "%s in %s" % [change, place]
			rig.diary.once(place, func() -> void:
				turn.call(rig)
				eq(rig.brain.get_action_ids(), PackedStringArray(["Slam"]), "data changes at once, " + here)
				check(place.begins_with("ended") or rig.diary.count("ended Jab 2") == 0, "the end waits, " + here))
			rig.brain.execute_action(&"Jab")
			if places[place]:
				rig.step()
				eq(rig.diary.take("ended"), "ended Jab 2", "cancelled when the sequence returned, " + here)
			else:
				rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
				eq(rig.diary.take("ended"), "ended Jab 1", "the end in progress is the only one, " + here)
			check(not rig.brain.is_executing(), "nothing runs, " + here)
			rig.brain.execute_action(&"Slam")
			eq(rig.brain.get_running_action(), &"Slam", "the new list serves, " + here)
			rig.agent.free()


func test_starts_and_evaluations_inside_a_sequence_are_queued() -> void:
	# Place -> what has happened by then that the queued start waits for.
	var places: Dictionary = {
		"can Jab": 1, "begin Jab": 1, "pre A Jab": 1, "started Jab": 1, "abort Jab 2": 2, "post A Jab 2": 2, "ended Jab 2": 2,
	}
	for place: String in places:
		var rig: Rig = _hooked([Rig.spec(&"Jab"), Rig.spec(&"Kick"), Rig.spec(&"Slam")])
		var answers: Array = []
		rig.diary.once(place, func() -> void:
			answers.append(rig.brain.execute_action(&"Kick"))
			answers.append(rig.brain.evaluate_now())
			answers.append(rig.brain.execute_action(&"Slam"))
			answers.append(rig.brain.get_running_action() in [&"", &"Jab"]))
		rig.brain.execute_action(&"Jab")
		if places[place] == 2:
			rig.brain.abort_action()
		if place.begins_with("ended"):
			# The end is told last: there is no sequence left to wait for, and each start takes effect at once.
			eq(answers[0], 2, "a run, " + place)
		else:
			eq(answers, [2, true, 3, true], "reserved and accepted, nothing performed yet, " + place)
			eq(rig.diary.count("refused Kick %d" % ActionEvaluator.REFUSAL_BUSY), 1, "the replaced one is refused, " + place)
		eq(rig.brain.get_running_action(), &"Slam", "the last one wins, " + place)
		eq(rig.diary.count("started Slam"), 1, "once, " + place)


func test_a_queued_start_that_is_refused_says_so() -> void:
	var stuck: ActionSpec = Rig.spec(&"Kick")
	Rig.method_of(stuck).begins = false
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), stuck])
	var refused: SignalRecord = record(rig.brain.start_refused)
	var runs: Array[int] = []
	rig.diary.once("begin Jab", func() -> void: runs.append(rig.brain.execute_action(&"Kick")))
	rig.brain.execute_action(&"Jab")
	eq(runs, [2], "reserved")
	eq(refused.count(), 1, "told once")
	eq(refused.last(), [&"Kick", ActionEvaluator.REFUSAL_BEGIN_FAILED, 2], "with that run id")


func test_evaluations_inside_scorers_gates_and_virtuals_are_refused() -> void:
	for place: String in ["scorer", "gate", "_can_execute_action", "_modify_action_score", "_get_candidate_targets"]:
		var asked: Array[ActionEvaluator] = []
		var answers: Array = []
		var misuse: Callable = func() -> void:
			if answers.is_empty():
				answers.append(asked[0].evaluate_best_action().is_valid())
				answers.append(asked[0].score_action(&"Jab"))
				answers.append(asked[0].evaluate_now())
		var brain: ActionEvaluator = _misused(place, misuse) if place.begins_with("_") else ActionEvaluator.new()
		var jab: ActionSpec = Rig.quick(&"Jab")
		if place == "_get_candidate_targets":
			jab.target_mode = ActionSpec.TARGET_EACH
		if place == "scorer":
			jab.scorers = [Doubles.scorer_that(func(_me: ActionScorer, _context: DecisionContext) -> float:
				misuse.call()
				return 1.0)]
		if place == "gate":
			jab.gates = [Doubles.gate_that(func(_me: ActionGate, _context: DecisionContext) -> bool:
				misuse.call()
				return true)]
		var rig: Rig = Rig.new(self, [jab], brain)
		rig.aim_at(Vector3(0, 0, -1))
		asked.append(rig.brain)
		expect_error("evaluate_best_action")
		expect_error("score_action")
		expect_error("evaluate_now")
		eq(rig.choose(), &"Jab", "the evaluation goes on, " + place)
		eq(answers, [false, 0.0, false], "neutral answers, " + place)
		rig.brain.auto_evaluate = true
		rig.brain.evaluation_interval = 1000.0
		rig.diary.take()
		rig.step(2)
		ne(rig.diary.take("started"), "", "evaluate_now became a request, " + place)
		asked.clear()


## An evaluator whose script does `act` in one of its virtuals.
func _misused(place: String, act: Callable) -> ActionEvaluator:
	var bodies: Dictionary = {
		"_can_execute_action": "func _can_execute_action(_id: StringName, _context: DecisionContext) -> bool:\n\tact.call()\n\treturn true\n",
		"_modify_action_score": "func _modify_action_score(_id: StringName, score: float, _context: DecisionContext) -> float:\n\tact.call()\n\treturn score\n",
		"_get_candidate_targets": "func _get_candidate_targets() -> Array:\n\tact.call()\n\treturn [target]\n",
	}
	var body: String = bodies[place]
	var made: ActionEvaluator = script("extends ActionEvaluator\nvar act: Callable\n" + body).new()
	made.set("act", act)
	return made


func test_starts_inside_an_evaluation_are_queued() -> void:
	var asked: Array[ActionEvaluator] = []
	var runs: Array[int] = []
	var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, _context: DecisionContext) -> float:
		if runs.is_empty():
			runs.append(asked[0].execute_action(&"Kick"))
		return 1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab", 5.0), [scorer]), Rig.spec(&"Kick")])
	asked.append(rig.brain)
	rig.brain.evaluate_now()
	eq(rig.diary.take("started ended"), "started Jab, ended Jab 1, started Kick", "performed when the evaluation returns")
	eq(rig.brain.get_run_id(), runs[0], "under the reserved run id")
	asked.clear()


func test_state_changed_by_a_scorer() -> void:
	# What the scorer does to the evaluator -> the action that runs in the end.
	var changes: Dictionary = {
		"override": [func(rig: Rig) -> void: rig.brain.set_action_override(&"Jab", 0.0), &"Jab"],
		"cooldown": [func(rig: Rig) -> void: rig.brain.set_cooldown(&"Jab", 9.0), &"Kick"],
		"recovery": [func(rig: Rig) -> void: rig.brain.add_recovery(9.0), &""],
		"grant": [func(rig: Rig) -> void: rig.brain.grant_action(Rig.spec(&"Slam", 100.0)), &"Jab"],
		"set": [func(rig: Rig) -> void: rig.brain.default_action_set = _set_of([&"Slam"]), &""],
		"target freed": [func(rig: Rig) -> void:
			if rig.brain.target != null:
				rig.brain.target.free(), &""],
		"stop": [func(rig: Rig) -> void: rig.brain.stop(), &""],
		"abort": [func(rig: Rig) -> void: rig.brain.abort_action(), &"Jab"],
		"freed": [func(rig: Rig) -> void:
			if is_instance_valid(rig.agent):
				rig.agent.free(), &""],
	}
	for change: String in changes:
		var rigs: Array[Rig] = []
		var turn: Callable = changes[change][0]
		var scorer: Doubles.Scorer = Doubles.scorer_that(func(_me: ActionScorer, _context: DecisionContext) -> float:
			turn.call(rigs[0])
			return 1.0)
		var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab", 5.0), [scorer]), Rig.spec(&"Kick")])
		rigs.append(rig)
		rig.aim_at(Vector3(0, 0, -1))
		rig.brain.evaluate_now()
		var runs: StringName = rig.brain.get_running_action() if is_instance_valid(rig.brain) else &""
		eq(runs, changes[change][1], "with its snapshot, the winner looked at again: " + change)
		if change == "override":
			eq(rig.brain.get_action_override(&"Jab"), 0.0, "the state holds")
		if change == "grant":
			has_element(rig.brain.get_action_ids(), "Slam", "the state holds")
		if change == "cooldown":
			near(rig.brain.get_remaining_cooldown(&"Jab"), 9.0, 1e-6, "the state holds")
		rigs.clear()


func test_resource_edited_while_it_runs() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 5.0)
	jab.add_tags = ["State.MovementBlocked"]
	jab.cooldown_interrupt_refund = 0.0
	var rig: Rig = _hooked([jab, Rig.spec(&"Kick")])
	var tags: TagContainer = Rig.tag_container([])
	rig.agent.add_child(tags)
	var run: int = rig.brain.execute_action(&"Jab")
	var old: Doubles.Hook = _hook_of(rig)
	old.label = "Old"
	jab.add_tags = ["State.Paired"]
	jab.cooldown_duration = 1.0
	jab.cooldown_interrupt_refund = 1.0
	jab.hook = _hook(rig)
	Rig.method_of(jab).timeout = 0.05
	rig.diary.take()
	rig.step(2)
	eq(rig.diary.take("hook ended"), "hook Old Jab, hook Old Jab", "the run keeps its hook and its time-out")
	eq(rig.brain.get_run_id(), run, "and goes on")
	rig.brain.abort_action()
	eq(tags.get_tags(), PackedStringArray(), "it takes away the tags that it gave")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 4.8, 1e-6, "it has the refund that it began with")
	rig.brain.reset_cooldown(&"Jab")
	rig.diary.take()
	rig.brain.execute_action(&"Jab")
	eq(tags.get_tags(), PackedStringArray(["State.Paired"]), "the next run has the new tags")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 1.0, 1e-6, "the new cooldown")
	eq(rig.diary.take("pre"), "pre A Jab", "and the new hook")
