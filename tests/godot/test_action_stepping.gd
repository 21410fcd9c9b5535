extends TestCase
## All evaluators are stepped together, as each would step by itself: order of the tree, priority, pause, places.

const Rig := preload("res://support/action_rig.gd")

var _told: PackedStringArray = []


## An agent that tells by its name when it finds nothing to do.
func _agent(called: String) -> ActionEvaluator:
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.quick(&"Jab"), [DistanceScorer.new()])])
	rig.agent.name = called
	rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	rig.brain.evaluation_interval = 0.0
	rig.brain.no_valid_action.connect(func() -> void: _told.append(called))
	return rig.brain


func _decide(brains: Array[ActionEvaluator]) -> void:
	for brain: ActionEvaluator in brains:
		brain.auto_evaluate = true


func test_order_of_the_tree() -> void:
	var first: ActionEvaluator = _agent("First")
	var last: ActionEvaluator = _agent("Last")
	var middle: ActionEvaluator = _agent("Middle")
	var agent: Node = middle.get_parent()
	remove_child(agent)
	first.get_parent().add_child(agent)
	_decide([last, middle, first])
	await physics(8)
	eq(_told, ["First", "Middle", "Last"], "as they stand in the tree, not as they came")


func test_priority_of_its_own() -> void:
	var brains: Array[ActionEvaluator] = [_agent("A"), _agent("B"), _agent("C")]
	brains[0].process_physics_priority = 3
	brains[2].process_physics_priority = -3
	await physics(2)
	_decide(brains)
	await physics(2)
	eq(_told, ["C", "B", "A"], "the lower priority first")
	for brain: ActionEvaluator in brains:
		brain.process_physics_priority = 0
	await physics(3)
	_told.clear()
	var clocks: Array = brains.map(func(brain: ActionEvaluator) -> float: return brain.export_state()["time"])
	await physics(6)
	for at: int in 3:
		var passed: float = float(brains[at].export_state()["time"]) - float(clocks[at])
		near(passed, 0.1, 1e-6, "each steps once per step, evaluator %d" % at)


func test_disabled_and_out_of_the_tree() -> void:
	var brains: Array[ActionEvaluator] = [_agent("A"), _agent("B"), _agent("C")]
	await physics(2)
	var time := func(at: int) -> float: return brains[at].export_state()["time"]
	brains[0].process_mode = Node.PROCESS_MODE_DISABLED
	var out: Node = brains[1].get_parent()
	remove_child(out)
	var before: Array = [time.call(0), time.call(1), time.call(2)]
	await physics(6)
	near([time.call(0), time.call(1)], [before[0], before[1]], 1e-9, "these stand still")
	near(time.call(2), before[2] + 0.1, 1e-6, "this goes on")
	brains[0].process_mode = Node.PROCESS_MODE_INHERIT
	add_child(out)
	await physics(6)
	near([time.call(0), time.call(1)], [before[0] + 0.1, before[1] + 0.1], 1e-6, "and they go on")


func test_one_always_runs_while_the_tree_is_paused() -> void:
	var brains: Array[ActionEvaluator] = [_agent("A"), _agent("B")]
	brains[1].process_mode = Node.PROCESS_MODE_ALWAYS
	brains[0].process_mode = Node.PROCESS_MODE_PAUSABLE
	await physics(2)
	get_tree().paused = true
	_decide(brains)
	await physics(3)
	eq(_told, ["B"], "only who is not paused")
	get_tree().paused = false
	await physics(2)
	eq(_told, ["B", "A"], "then the other")


class Certain:
	extends ActionScorer

	func _score_multiplier(_context: DecisionContext) -> float:
		return 0.0


func test_many_agents_are_not_looked_through_again() -> void:
	if not ClassDB.class_exists(&"RiposteProbe"):
		check(true, "only debug builds count")
		return
	var probe: Object = ClassDB.instantiate(&"RiposteProbe")
	var brains: Array[ActionEvaluator] = []
	for i: int in 300:
		brains.append(_agent("Agent%d" % i))
	# The last one steps alone, as a script is asked.
	var last: Rig = Rig.new(self, [Rig.scored(Rig.quick(&"Jab"), [Certain.new()])])
	last.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	last.brain.evaluation_interval = 0.0
	_decide(brains + ([last.brain] as Array[ActionEvaluator]))
	await physics(4)
	var before: int = probe.call("agents_found_out")
	check(before >= 300, "each was looked through once")
	await physics(5)
	eq(int(probe.call("agents_found_out")), before, "and not again")


class Busy:
	extends ActionEvaluator

	var steps := 0

	func _physics_process(_delta: float) -> void:
		steps += 1


func test_a_script_has_its_own_step_too() -> void:
	var busy: Busy = Busy.new()
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")], busy)
	rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	await physics(2)
	var before: float = rig.brain.export_state()["time"]
	var steps: int = busy.steps
	await physics(6)
	eq(busy.steps, steps + 6, "the script's")
	near(rig.brain.export_state()["time"], before + 0.1, 1e-6, "and the evaluator's")


func test_what_an_action_changes_counts_for_those_after_it() -> void:
	var mover: Rig = Rig.new(self, [Rig.quick(&"Push")])
	mover.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	var follower: ActionEvaluator = _agent("Follower")
	var foe: Node3D = mover.add_foe(Vector3(0.0, 0.0, -20.0))
	follower.target = foe
	var seen: Array[float] = []
	follower.action_started.connect(func(_id: StringName, target: Node3D, _run: int) -> void:
		seen.append(target.position.z))
	await physics(2)
	mover.brain.action_started.connect(func(_id: StringName, _target: Node, _run: int) -> void:
		foe.position.z = -2.0)
	_decide([follower])
	await physics(2)
	eq(_told, ["Follower"], "too far away")
	mover.brain.request_evaluation()
	await physics(1)
	eq(seen, [-2.0], "near in the step in which it was moved")


func test_nodes_are_read_once_per_step() -> void:
	if not ClassDB.class_exists(&"RiposteProbe"):
		check(true, "only debug builds count")
		return
	var probe: Object = ClassDB.instantiate(&"RiposteProbe")
	var foe: Node3D = Node3D.new()
	add_child(foe)
	var brains: Array[ActionEvaluator] = []
	for called: String in ["A", "B", "C", "D"]:
		var brain: ActionEvaluator = _agent(called)
		brain.target = foe
		brain.global_multiplier = 0.0
		brains.append(brain)
	_decide(brains)
	await physics(3)
	var before: int = probe.call("step_readings")
	await physics(10)
	eq(int(probe.call("step_readings")) - before, 50, "four agents and their one target in each step")
