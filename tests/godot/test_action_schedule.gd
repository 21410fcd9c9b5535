extends TestCase
## When evaluators decide: interval, phase, distance to the viewer, the budget of all.

const Rig := preload("res://support/action_rig.gd")
const STEP: float = 1.0 / 60.0
const LIMIT: String = "riposte/evaluation/max_per_step"


## In which of the next steps it decided.
func _deciding_steps(rig: Rig, steps: int) -> Array[int]:
	var found: Array[int] = []
	for number: int in range(1, steps + 1):
		var before: int = _decisions(rig.brain)
		rig.brain.advance(STEP)
		if _decisions(rig.brain) > before:
			found.append(number)
	return found


func _decisions(brain: ActionEvaluator) -> int:
	var last: ActionDecision = brain.get_last_decision()
	return 0 if last.get_candidates().is_empty() else last.evaluation_index + 1


## An evaluator that never finds anything to do, not started yet.
func _idler(interval: float, callback: int = ActionEvaluator.PROCESS_MANUAL) -> ActionEvaluator:
	var brain: ActionEvaluator = ActionEvaluator.new()
	var moves: ActionSet = ActionSet.new()
	moves.actions = [Rig.spec(&"Jab", 0.0)]
	brain.default_action_set = moves
	brain.evaluation_interval = interval
	brain.random_phase = false
	brain.process_callback = callback
	brain.random_seed = Rig.SEED
	return brain


func _rig_of(brain: ActionEvaluator) -> Rig:
	return Rig.new(self, [Rig.spec(&"Jab", 0.0)], brain)


func test_ex_30_a75() -> void:
	var brain: ActionEvaluator = ActionEvaluator.new()
	var rig: Rig = _rig_of(brain)
	brain.stop()
	brain.auto_evaluate = true
	brain.evaluation_interval = 0.1
	brain.random_phase = true
	brain.start()
	eq(_deciding_steps(rig, 20), [3, 9, 15], "phase 0.045245 s, then every 0.1 s")


func test_ex_30_a76() -> void:
	var brain: ActionEvaluator = ActionEvaluator.new()
	var rig: Rig = _rig_of(brain)
	var viewer: Node3D = add(Node3D.new())
	viewer.add_to_group(&"riposte_viewer")
	viewer.position = Vector3(0.0, 0.0, 40.0)
	brain.stop()
	brain.auto_evaluate = true
	brain.random_phase = false
	brain.evaluation_interval = 0.1
	brain.lod_enabled = true
	eq([brain.lod_near, brain.lod_far, brain.lod_max_scale], [20.0, 60.0, 4.0], "defaults")
	brain.start()
	eq(_deciding_steps(rig, 50), [1, 15, 30, 45], "every 0.25 s")
	viewer.position.z = 10.0
	eq(_deciding_steps(rig, 22), [10, 16, 22], "near: every 0.1 s after the interval that goes on")
	brain.lod_enabled = false
	viewer.position.z = 1000.0
	eq(_deciding_steps(rig, 12), [6, 12], "switched off")


func test_lod_counts_metres_in_2d_and_asks_the_closest_viewer() -> void:
	var body: Node2D = Node2D.new()
	var brain: ActionEvaluator = _idler(0.1)
	brain.auto_start = false
	body.add_child(brain)
	add(body)
	brain.lod_enabled = true
	for place: Vector2 in [Vector2(90000.0, 0.0), Vector2(0.0, 4000.0)]:
		var viewer: Node2D = add(Node2D.new())
		viewer.add_to_group(&"riposte_viewer")
		viewer.position = place
	# Of another dimension, and so nowhere near.
	(add(Node3D.new()) as Node3D).add_to_group(&"riposte_viewer")
	brain.start()
	var steps: Array[int] = []
	for number: int in range(1, 31):
		var before: int = _decisions(brain)
		brain.advance(STEP)
		if _decisions(brain) > before:
			steps.append(number)
	eq(steps, [1, 15, 30], "4000 px are 40 m")


func test_lod_without_a_viewer_changes_nothing() -> void:
	var brain: ActionEvaluator = ActionEvaluator.new()
	var rig: Rig = _rig_of(brain)
	brain.stop()
	brain.auto_evaluate = true
	brain.random_phase = false
	brain.evaluation_interval = 0.1
	brain.lod_enabled = true
	brain.start()
	eq(_deciding_steps(rig, 13), [1, 6, 12], "every 0.1 s")


func test_bad_lod_numbers() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	for member: String in ["lod_near", "lod_far", "lod_max_scale"]:
		expect_warning(member)
	rig.brain.lod_near = -1.0
	rig.brain.lod_far = NAN
	rig.brain.lod_max_scale = 0.0
	eq([rig.brain.lod_near, rig.brain.lod_far, rig.brain.lod_max_scale], [0.0, 60.0, 1.0], "clamped or refused")


func test_ex_30_a77() -> void:
	var brains: Array[ActionEvaluator] = []
	for i: int in 1000:
		var brain: ActionEvaluator = _idler(100.0, ActionEvaluator.PROCESS_PHYSICS)
		brain.auto_start = false
		var agent: Node3D = Node3D.new()
		agent.add_child(brain)
		add(agent)
		brains.append(brain)
	await physics(1)
	brains.map(func(brain: ActionEvaluator) -> void: brain.start())
	var counts: Array[int] = []
	var before: int = 0
	for step: int in 5:
		await physics(1)
		var made: int = 0
		for brain: ActionEvaluator in brains:
			made += _decisions(brain)
		counts.append(made - before)
		before = made
	eq(counts, [256, 256, 256, 232, 0], "four steps")
	for brain: ActionEvaluator in brains:
		if _decisions(brain) != 1:
			eq(_decisions(brain), 1, "each once")


func test_the_budget_is_a_project_setting_and_evaluate_now_is_outside_of_it() -> void:
	var before: int = ProjectSettings.get_setting(LIMIT)
	eq(before, 256, "default")
	ProjectSettings.set_setting(LIMIT, 2)
	var brains: Array[ActionEvaluator] = []
	for i: int in 5:
		var brain: ActionEvaluator = _idler(100.0, ActionEvaluator.PROCESS_PHYSICS)
		brain.auto_start = false
		var agent: Node3D = Node3D.new()
		agent.add_child(brain)
		add(agent)
		brains.append(brain)
	await physics(1)
	brains.map(func(brain: ActionEvaluator) -> void: brain.start())
	await physics(1)
	eq(brains.map(_decisions), [1, 1, 0, 0, 0], "two in the first step")
	brains[4].evaluate_now()
	eq(_decisions(brains[4]), 1, "at once")
	# Who is freed takes no place of those who wait.
	brains[2].get_parent().free()
	await physics(1)
	eq(_decisions(brains[3]), 1, "the next")
	ProjectSettings.set_setting(LIMIT, before)


func test_ex_30_a78() -> void:
	for every: int in [1, 10]:
		for pause: bool in [false, true]:
			var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 0.5)])
			rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
			rig.brain.use_perception = false
			await physics(1)
			rig.use(&"Jab")
			var free: int = -1
			for step: int in range(1, 41):
				if pause and step == 12:
					rig.brain.process_mode = Node.PROCESS_MODE_DISABLED
					await physics(120)
					rig.brain.process_mode = Node.PROCESS_MODE_INHERIT
				await physics(1)
				if step % every == 0:
					rig.brain.evaluate_best_action()
				if free < 0 and not rig.brain.is_action_on_cooldown(&"Jab"):
					free = step
			eq(free, 30, "evaluated every %d, paused %s" % [every, pause])
			rig.agent.free()
