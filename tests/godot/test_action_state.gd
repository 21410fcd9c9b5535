extends TestCase
## An evaluator's state as plain values and back, and the same decisions whatever is recorded.

const Rig := preload("res://support/action_rig.gd")


var _foe: Node3D


## Four actions with everything that is remembered: cooldowns that vary, chains, repeats, novelty, jitter.
func _busy(record_decisions: bool = false) -> Rig:
	var specs: Array[ActionSpec] = [Rig.spec(&"Jab", 1.0, 2), Rig.spec(&"Heavy", 0.9, 4), Rig.spec(&"Throw", 0.8, 3), Rig.spec(&"Wait", 0.3, 1)]
	for i: int in 2:
		specs[i].cooldown_duration = 1.5
		specs[i].cooldown_randomization = 0.4
		specs[i].cooldown_spawn_chance = 0.5
	specs[0].chain_links = [ChainLink.to(&"Heavy", 1.5)]
	specs[0].max_consecutive_uses = 2
	specs[1].scorers = [DistanceScorer.new()]
	var rig: Rig = Rig.new(self, specs)
	rig.brain.jitter_amount = 0.05
	rig.brain.novelty_penalty = 0.3
	rig.brain.record_decisions = record_decisions
	if _foe == null:
		_foe = rig.add_foe(Vector3(0, 0, -2))
	rig.brain.target = _foe
	return rig


## All events in one text.
func _events(rig: Rig) -> String:
	return "\n".join(rig.diary.lines).sha256_text()


func _play(rig: Rig, steps: int) -> void:
	rig.brain.auto_evaluate = true
	for i: int in steps:
		rig.brain.target.position.z = -1.0 - (i % 37) / 10.0
		rig.step(1, 1.0 / 30.0)


## Lets what runs come to its end.
func _rest(rig: Rig) -> void:
	rig.brain.auto_evaluate = false
	rig.step(20, 1.0 / 30.0)
	check(not rig.brain.is_executing(), "idle")


func test_ex_30_a84() -> void:
	var rig: Rig = _busy()
	_play(rig, 100)
	_rest(rig)
	rig.brain.set_action_override(&"Throw", 1.2)
	rig.brain.global_multiplier = 0.5
	var exported: Dictionary = rig.brain.export_state()
	eq(exported, rig.brain.export_state(), "a pure read")
	eq(exported.running, null, "nothing runs")
	for key: String in ["version", "time", "evaluation_index", "seed", "cooldowns", "spawned", "repeat", "uses", "chain", "target_ordinals", "next_run_id", "next_due", "role", "granted", "recovery_remaining", "recovery_draws", "global_multiplier", "overrides", "running"]:
		has_element(exported, key, "the state")
	eq(typeof(exported.seed), TYPE_STRING, "seed")
	var fresh: Rig = _busy()
	fresh.brain.random_seed = 99
	check(fresh.brain.import_state(JSON.parse_string(JSON.stringify(exported, "", true, true))), "imported")
	eq(fresh.diary.lines, PackedStringArray(), "without a signal")
	eq(fresh.brain.global_multiplier, 0.5, "the factor of all")
	near(fresh.brain.get_action_override(&"Throw"), 1.2, 1e-9, "an override")
	eq(fresh.brain.export_state().uses.size(), exported.uses.size(), "uses")
	rig.diary.lines.clear()
	var decisions: Array = []
	for other: Rig in [rig, fresh]:
		var made: Array = []
		other.brain.auto_evaluate = true
		for i: int in 300:
			other.brain.target.position.z = -1.0 - (i % 37) / 10.0
			other.step(1, 1.0 / 30.0)
			var last: ActionDecision = other.brain.get_last_decision()
			made.append([last.action_id, last.seed, last.evaluation_index, snappedf(last.score, 1e-9), snappedf(last.time, 1e-9), other.brain.get_run_id()])
		decisions.append(made)
	eq(decisions[0], decisions[1], "the same decisions at the same times")
	eq(_events(rig), _events(fresh), "and the same events")
	check(rig.diary.lines.size() > 100, "it was busy")


func test_ex_30_a85() -> void:
	var quiet: Rig = _busy(false)
	var recorded: Rig = _busy(true)
	for rig: Rig in [quiet, recorded]:
		_play(rig, 600)
	eq(_events(recorded), _events(quiet), "recording changes no event")
	check(quiet.diary.lines.size() > 200, "it was busy")
	eq(recorded.brain.get_history().size(), 32, "and was on")
	var workers: Variant = ProjectSettings.get_setting("riposte/threading/workers")
	for count: int in [0, 4]:
		ProjectSettings.set_setting("riposte/threading/workers", count)
		var rig: Rig = _busy(false)
		_play(rig, 600)
		eq(_events(rig), _events(quiet), "nor do %d worker threads" % count)
	ProjectSettings.set_setting("riposte/threading/workers", workers)


func test_import_ends_what_runs() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 4.0), Rig.spec(&"Heavy", 0.5)])
	rig.use(&"Heavy")
	var exported: Dictionary = rig.brain.export_state()
	var run: int = rig.brain.execute_action(&"Jab")
	var busy: Dictionary = rig.brain.export_state()
	eq([busy.running.id, busy.running.target], ["Jab", ""], "what ran")
	rig.diary.lines.clear()
	check(rig.brain.import_state(exported), "imported")
	eq(Array(rig.diary.lines), ["abort Jab 2", "ended Jab 2"], "one end, and no other signal")
	check(not rig.brain.is_executing() and rig.brain.get_remaining_cooldown(&"Jab") == 0.0, "as it was")
	eq(rig.brain.execute_action(&"Jab"), run, "the run ids go on from there")
	check(rig.brain.import_state(busy), "the other one")
	check(not rig.brain.is_executing(), "the run itself does not go on")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 4.0, 1e-6, "its cooldown does")


func test_import_before_the_start() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 4.0)])
	rig.use(&"Jab")
	var exported: Dictionary = rig.brain.export_state()
	var agent: Node3D = add(Node3D.new())
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.auto_start = false
	brain.default_action_set = rig.moves
	agent.add_child(brain)
	check(brain.import_state(exported), "imported")
	brain.start()
	eq(brain.export_state().seed, exported.seed, "the seed is that of the state")
	near(brain.get_remaining_cooldown(&"Jab"), 4.0, 1e-6, "no spawn cooldown over it")


func test_bad_states_change_nothing() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 4.0)])
	rig.use(&"Jab")
	var sound: Dictionary = rig.brain.export_state()
	expect_error("import_state() got a state of version 2. It reads version 1.", 1)
	expect_error("import_state() got a state of no version. It reads version 1.", 1)
	expect_error("import_state() got a state with another structure", 1)
	eq(rig.brain.import_state({}), false, "empty")
	eq(rig.brain.import_state({"version": 2}), false, "of another version")
	var wrong: Dictionary = {"time": "noon", "evaluation_index": -1, "seed": [], "cooldowns": [1], "spawned": {}, "repeat": "x", "uses": [[1]], "chain": [], "target_ordinals": 3, "next_run_id": 0.5, "next_due": INF, "overrides": {"Jab": -1.0}, "role": [1], "granted": {}, "recovery_remaining": -1.0, "recovery_draws": "x", "global_multiplier": NAN}
	for key: String in wrong:
		var state: Dictionary = sound.duplicate(true)
		state[key] = wrong[key]
		eq(rig.brain.import_state(state), false, "%s = %s" % [key, wrong[key]])
		state.erase(key)
		eq(rig.brain.import_state(state), false, "without %s" % key)
	eq(rig.brain.export_state(), sound, "nothing changed")


func test_unknown_names_are_left_out() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 4.0)])
	rig.use(&"Jab")
	var state: Dictionary = rig.brain.export_state()
	state.cooldowns["Gone"] = [3.0, 1]
	state.target_ordinals["/root/Nowhere"] = 1
	expect_warning("there is no action \"Gone\"", 1)
	expect_warning("there is no node at \"/root/Nowhere\"", 1)
	check(rig.brain.import_state(state), "imported all the same")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 4.0, 1e-6, "what is known")


func test_role_and_grants() -> void:
	var path: String = "user://granted.tres"
	var given: ActionSpec = ActionSpec.new()
	given.action_id = &"Given"
	given.execution_method = AnimationMethod.new()
	given.execution_method.animation = &"none"
	ResourceSaver.save(given, path)
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.brain.grant_action(load(path))
	rig.brain.grant_action(Rig.spec(&"Unsaved"))
	rig.brain.role = &"Role.Flanker"
	rig.brain.set_cooldown(&"Given", 3.0)
	var state: Dictionary = JSON.parse_string(JSON.stringify(rig.brain.export_state(), "", true, true))
	eq([state.role, state.granted], ["Role.Flanker", [path]], "by name and path; one without a file is left out")
	var fresh: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var told: SignalRecord = record(fresh.brain.action_set_changed)
	var roles: SignalRecord = record(fresh.brain.role_changed)
	expect_warning("there is no action \"Unsaved\"", 1)
	check(fresh.brain.import_state(state), "imported")
	eq(fresh.brain.get_action_ids(), ["Jab", "Given"], "granted again")
	eq(fresh.brain.role, &"Role.Flanker", "role")
	near(fresh.brain.get_remaining_cooldown(&"Given"), 3.0, 1e-6, "with its cooldown")
	eq([told.count(), roles.count()], [0, 0], "no signal")
	state.granted = ["res://nowhere.tres"]
	state.cooldowns.clear()
	state.spawned = ["Jab"]
	expect_warning("there is no ActionSpec at \"res://nowhere.tres\"", 1)
	check(fresh.brain.import_state(state), "imported all the same")
	eq(fresh.brain.get_action_ids(), ["Jab"], "what was granted before is gone")
	DirAccess.remove_absolute(path)


func test_import_from_handlers_and_virtuals() -> void:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")])
	var state: Dictionary = rig.brain.export_state()
	var answers: Array = []
	rig.brain.action_started.connect(func(_id: StringName, _target: Node, _run: int) -> void: answers.append(rig.brain.import_state(state)))
	rig.brain.action_ended.connect(func(_id: StringName, _reason: int, _run: int) -> void:
		if answers.size() < 3:
			answers.append(rig.brain.import_state(state)))
	expect_error("import_state() was called while the evaluator steps", 1)
	rig.choose()
	eq(answers, [false], "refused inside a start")
	rig.brain.abort_action()
	eq(answers, [false, true], "taken after an end")
	rig.brain.execute_action(&"Jab")
	rig.step(2)
	check(rig.brain.is_executing() or answers.size() > 2, "and life goes on")


func test_a_handler_that_starts_again_at_each_end() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	var state: Dictionary = rig.brain.export_state()
	rig.brain.action_ended.connect(func(_id: StringName, _reason: int, _run: int) -> void: rig.brain.execute_action(&"Jab"))
	rig.choose()
	expect_error("import_state() can't end what runs", 1)
	eq(rig.brain.import_state(state), false, "it gives up")
	check(rig.brain.is_executing(), "and what runs goes on")
