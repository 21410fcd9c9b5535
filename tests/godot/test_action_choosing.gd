extends TestCase
## What is chosen: among targets, against what runs, and when nothing is valid.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


class Picky:
	extends ActionEvaluator
	var chosen: Array = []
	var asked: int = 0

	func _get_candidate_targets() -> Array:
		asked += 1
		return chosen


## The farthest of those that it would have without a script.
class Filter:
	extends ActionEvaluator

	func _get_candidate_targets() -> Array:
		return [get_candidate_targets().back()]


class Turning:
	extends ExecutionMethod
	@export var heard: Resource = null

	func _retarget(target: Node) -> void:
		(heard as Heard).targets.append(target)


class Heard:
	extends Resource
	var targets: Array[Node] = []


## Sees which target a candidate is about.
class Watcher:
	extends ActionScorer
	@export var heard: Resource = null

	func _score_multiplier(context: DecisionContext) -> float:
		(heard as Heard).targets.append(context.target)
		return 2.0 if context.distance > 3.0 else 1.0


static func each(spec: ActionSpec) -> ActionSpec:
	spec.target_mode = ActionSpec.TARGET_EACH
	return spec


static func by_margin(spec: ActionSpec) -> ActionSpec:
	spec.interrupt_class = ActionSpec.INTERRUPT_BY_MARGIN
	return spec


func _refusal(rig: Rig, id: StringName, target: Node = null) -> int:
	for row: Dictionary in rig.brain.get_last_decision().get_candidates():
		if row["action_id"] == id and (target == null or row["target"] == target.get_path()):
			return row["refusal"]
	return -1


func test_of_equal_targets_the_first_candidate_wins() -> void:
	var rig: Rig = Rig.new(self, [each(Rig.spec(&"Jab"))])
	var first: Node3D = rig.add_foe(Vector3(0, 0, -3))
	var second: Node3D = rig.add_foe(Vector3(3, 0, 0))
	rig.brain.set_candidate_targets([first, second])
	rig.brain.evaluate_now()
	check(rig.brain.get_running_target() == first, "first of equal candidates")


func test_ex_30_a63() -> void:
	var rig: Rig = Rig.new(self, [by_margin(Rig.spec(&"R", 0.6)), Rig.spec(&"X", 0.1)])
	eq(rig.choose(), &"R", "R runs")
	rig.step(10)
	rig.moves.find_action(&"X").selection_weight = 0.68
	rig.step()
	rig.brain.evaluate_now()
	eq(_refusal(rig, &"X"), ActionEvaluator.REFUSAL_SWITCH_MARGIN, "0.68")
	eq(rig.brain.get_last_decision().outcome, ActionDecision.DECISION_KEPT, "kept")
	rig.moves.find_action(&"X").selection_weight = 0.70
	rig.step()
	var ended: SignalRecord = record(rig.brain.action_ended)
	eq(rig.choose(), &"X", "0.70")
	eq(ended.calls, [[&"R", ActionEvaluator.END_INTERRUPTED, 1]], "R ends")
	eq(rig.brain.get_last_decision().outcome, ActionDecision.DECISION_SWITCHED, "switched")


func test_ex_30_a64() -> void:
	var rig: Rig = Rig.new(self, [by_margin(Rig.spec(&"R", 0.6)), Rig.spec(&"X", 0.1)])
	rig.choose()
	rig.step(2)
	rig.moves.find_action(&"X").selection_weight = 5.0
	rig.brain.evaluate_now()
	rig.step(0)
	rig.moves.find_action(&"X").priority = 0
	rig.step(1, 0.01)
	rig.brain.evaluate_now()
	eq(_refusal(rig, &"X"), ActionEvaluator.REFUSAL_COMMITMENT, "commitment")
	rig.moves.find_action(&"X").selection_weight = 0.1
	rig.moves.find_action(&"X").priority = 1
	rig.step(1, 0.01)
	eq(rig.choose(), &"X", "priority")


func test_ex_30_a65() -> void:
	var never: ActionSpec = Rig.spec(&"R", 1.0)
	never.interrupt_class = ActionSpec.INTERRUPT_NEVER
	var high: ActionSpec = Rig.spec(&"X", 0.5)
	high.priority = 100
	var rig: Rig = Rig.new(self, [never, high])
	eq(rig.choose(), &"R", "R runs")
	high.selection_weight = 100.0
	rig.step(10)
	check(not rig.brain.evaluate_now(), "kept")
	eq(rig.brain.get_running_action(), &"R", "R runs on")
	check(rig.brain.execute_action(&"X") > 0, "forced")
	eq(rig.brain.get_running_action(), &"X", "X runs")


func test_ex_30_a66() -> void:
	var rig: Rig = Rig.new(self, [by_margin(Rig.spec(&"A")), by_margin(Rig.spec(&"B"))])
	rig.brain.jitter_amount = 0.05
	for id: StringName in [&"A", &"B"]:
		Rig.method_of(rig.moves.find_action(id)).timeout = 1000.0
	var started: SignalRecord = record(rig.brain.action_started)
	for i: int in 600:
		rig.step()
		rig.brain.evaluate_now()
	eq(started.count(), 1, "starts")


func test_ex_30_a67() -> void:
	var rig: Rig = Rig.new(self, [each(Rig.scored(Rig.spec(&"Jab"), [DistanceScorer.new()]))])
	var far: Node3D = rig.add_foe(Vector3(0, 0, -4))
	var near_one: Node3D = rig.add_foe(Vector3(0, 0, -2))
	rig.brain.set_candidate_targets([far, near_one])
	rig.brain.evaluate_now()
	var decision: ActionDecision = rig.brain.get_last_decision()
	check(decision.target == near_one, "the near one")
	near(decision.score, 1.0, 1e-6, "score")
	eq(_refusal(rig, &"Jab", far), ActionEvaluator.REFUSAL_OUTSCORED, "the far one")


func test_ex_30_a68() -> void:
	var rig: Rig = Rig.new(self, [each(Rig.spec(&"Jab"))])
	var foes: Array[Node] = []
	for i: int in 12:
		foes.append(rig.add_foe(Vector3(0, 0, -1.0 - i)))
	rig.brain.target = foes[11]
	rig.brain.set_candidate_targets(foes)
	rig.brain.evaluate_now()
	var rows: Array[Dictionary] = rig.brain.get_last_decision().get_candidates()
	eq(rows.size(), 8, "candidates")
	eq(rows[0]["target"], foes[11].get_path(), "the focus is among them")
	eq(rows[7]["target"], foes[6].get_path(), "then the nearest")


func test_ex_30_a69() -> void:
	var spec: ActionSpec = each(by_margin(Rig.cooling(&"R", 10.0)))
	spec.scorers = [DistanceScorer.new()]
	spec.retarget_policy = ActionSpec.RETARGET_SWITCH
	var heard: Heard = Heard.new()
	var method: Turning = Turning.new()
	method.heard = heard
	spec.execution_method = method
	var rig: Rig = Rig.new(self, [spec])
	var first: Node3D = rig.add_foe(Vector3(0, 0, -0.4))
	var other: Node3D = rig.add_foe(Vector3(0, 0, -0.45))
	rig.brain.set_candidate_targets([first])
	rig.brain.evaluate_now()
	rig.step(10)
	rig.brain.set_candidate_targets([first, other])
	check(not rig.brain.evaluate_now(), "0.45 is too little")
	eq(_refusal(rig, &"R", other), ActionEvaluator.REFUSAL_SWITCH_MARGIN, "0.45")
	other.position.z = -0.47
	var turned: SignalRecord = record(rig.brain.action_retargeted)
	var cooled: SignalRecord = record(rig.brain.cooldown_started)
	check(rig.brain.evaluate_now(), "0.47")
	eq(turned.calls, [[&"R", other, 1]], "action_retargeted")
	eq(cooled.count(), 0, "no new cooldown")
	check(rig.brain.get_running_target() == other, "running target")
	check(rig.brain.get_running_context().target == other, "context")
	eq(heard.targets, [other] as Array[Node], "_retarget")


func test_ex_30_a86() -> void:
	var strafe: ActionSpec = Rig.spec(&"Strafe", 0.0)
	strafe.interrupt_class = ActionSpec.INTERRUPT_NEVER
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Heavy"), strafe])
	rig.moves.fallback_action = &"Strafe"
	rig.step()
	for id: StringName in [&"Jab", &"Heavy"]:
		rig.brain.set_cooldown(id, 1.0)
	var nothing: SignalRecord = record(rig.brain.no_valid_action)
	check(rig.brain.evaluate_now(), "the fallback starts")
	eq(rig.brain.get_running_action(), &"Strafe", "Strafe")
	eq(rig.brain.get_last_decision().origin, ActionDecision.ORIGIN_FALLBACK, "origin")
	eq(rig.brain.get_last_decision().outcome, ActionDecision.DECISION_FALLBACK, "outcome")
	rig.step(5)
	rig.brain.evaluate_now()
	eq(rig.brain.get_running_action(), &"Strafe", "still")
	rig.step(5)
	eq(rig.choose(), &"Jab", "replaced")
	eq(nothing.count(), 1, "no_valid_action")


func test_script_chooses_the_candidates() -> void:
	var brain: Picky = Picky.new()
	var rig: Rig = Rig.new(self, [each(Rig.spec(&"Jab"))], brain)
	var foe: Node3D = rig.add_foe(Vector3(0, 0, -4))
	var freed: Node3D = rig.add_foe(Vector3(0, 0, -1))
	brain.chosen = [freed, rig.agent, null, 7, foe, foe]
	freed.free()
	eq(brain.get_candidate_targets(), [foe] as Array[Node], "only live ones, once, without the agent")
	brain.evaluate_now()
	check(brain.get_running_target() == foe, "chosen")
	check(brain.asked > 0, "asked")


func test_candidates_are_told_in_the_order_of_a_decision() -> void:
	var rig: Rig = Rig.new(self, [each(Rig.spec(&"Jab"))])
	var far: Node3D = rig.add_foe(Vector3(0, 0, -4))
	var close: Node3D = rig.add_foe(Vector3(0, 0, -1))
	var middle: Node3D = rig.add_foe(Vector3(0, 0, -2))
	var focus: Node3D = rig.aim_at(Vector3(0, 0, -9))
	rig.brain.set_candidate_targets([far, close, close, focus, middle])
	eq(rig.brain.get_candidate_targets(), [focus, close, middle, far] as Array[Node], "focus, then the nearest")
	rig.brain.max_candidate_targets = 2
	eq(rig.brain.get_candidate_targets(), [focus, close] as Array[Node], "no more than the limit")


func test_script_filters_what_would_be_without_it() -> void:
	var brain: Filter = Filter.new()
	var rig: Rig = Rig.new(self, [each(Rig.spec(&"Jab"))], brain)
	var close: Node3D = rig.add_foe(Vector3(0, 0, -1))
	var far: Node3D = rig.add_foe(Vector3(0, 0, -4))
	brain.set_candidate_targets([close, far])
	eq(brain.get_candidate_targets(), [far] as Array[Node], "told")
	brain.evaluate_now()
	check(brain.get_running_target() == far, "chosen")


func test_nothing_valid_is_not_told_while_recovering() -> void:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab"), Rig.spec(&"Kick", 0.0)])
	rig.brain.add_recovery(1.0)
	var nothing: SignalRecord = record(rig.brain.no_valid_action)
	check(not rig.brain.evaluate_now(), "recovering")
	eq(nothing.count(), 0, "not while it recovers")
	rig.moves.find_action(&"Jab").selection_weight = 0.0
	rig.step(10)
	for i: int in 3:
		rig.brain.evaluate_now()
	eq(nothing.count(), 1, "once")


func test_perceived_targets_are_the_candidates() -> void:
	var rig: Rig = Rig.new(self, [each(Rig.spec(&"Jab"))])
	var eyes: Perception3D = Perception3D.new()
	eyes.process_callback = Perception3D.PROCESS_MANUAL
	rig.agent.add_child(eyes)
	var foe: Node3D = rig.add_foe(Vector3(0, 0, -4))
	foe.add_child(StimulusSource3D.new())
	await physics(2)
	eyes.advance(0.2)
	eq(rig.brain.get_candidate_targets(), [foe] as Array[Node], "perceived")
	rig.brain.use_perception = false
	eq(rig.brain.get_candidate_targets(), [] as Array[Node], "nobody without it")


func test_script_scorers_see_the_target_of_their_candidate() -> void:
	var heard: Heard = Heard.new()
	var watcher: Watcher = Watcher.new()
	watcher.heard = heard
	var rig: Rig = Rig.new(self, [each(Rig.scored(Rig.spec(&"Jab"), [watcher]))])
	var close: Node3D = rig.add_foe(Vector3(0, 0, -1))
	var far: Node3D = rig.add_foe(Vector3(0, 0, -4))
	rig.brain.set_candidate_targets([far, close])
	rig.brain.evaluate_now()
	eq(heard.targets, [close, far] as Array[Node], "in order of distance")
	check(rig.brain.get_running_target() == far, "the scorer decided")


func test_freed_candidate_is_dropped() -> void:
	var rig: Rig = Rig.new(self, [each(Rig.spec(&"Jab"))])
	var foe: Node3D = rig.add_foe(Vector3(0, 0, -1))
	rig.brain.set_candidate_targets([foe])
	foe.free()
	eq(rig.refusal(&"Jab"), ActionDecision.REFUSAL_NO_TARGET, "nobody left")


func test_unknown_constants_are_refused() -> void:
	var spec: ActionSpec = Rig.spec(&"Jab")
	for member: StringName in [&"target_mode", &"retarget_policy", &"interrupt_class"]:
		var before: int = spec.get(member)
		expect_error("%s = 9 is refused, it stays %d. Use one of its constants." % [member, before])
		spec.set(member, 9)
		eq(spec.get(member), before, member)


func test_fallback_that_is_not_listed_is_told() -> void:
	var set: ActionSet = ActionSet.new()
	set.actions = [Rig.spec(&"Jab")]
	set.fallback_action = &"Strafe"
	var found: Array[Dictionary] = set.validate()
	eq(found.size(), 1, "one problem")
	check(str(found[0]["message"]).contains("Strafe"), "named")


## What runs and can't be broken needs no candidates: its script is not asked, and no evaluation is counted.
func test_nobody_is_asked_while_nothing_may_take_over() -> void:
	var strike: ActionSpec = Rig.spec(&"Strike")
	strike.target_mode = ActionSpec.TARGET_EACH
	var guard: ActionSpec = Rig.spec(&"Guard", 0.5)
	var brain: ActionEvaluator = script("""extends ActionEvaluator
var asked: int = 0
var foes: Array = []
func _get_candidate_targets() -> Array:
	asked += 1
	return foes
""").new()
	var rig: Rig = Rig.new(self, [strike, guard], brain)
	brain.set("foes", [rig.add_foe(Vector3(1, 0, 0)), rig.add_foe(Vector3(2, 0, 0))])
	brain.auto_evaluate = true
	brain.evaluation_interval = 0.0
	for running: ActionSpec in [strike, guard]:
		for policy: int in [ActionSpec.RETARGET_KEEP, ActionSpec.RETARGET_SWITCH, ActionSpec.RETARGET_RESTART]:
			running.interrupt_class = ActionSpec.INTERRUPT_NEVER
			running.retarget_policy = policy
			rig.step()
			brain.abort_action()
			brain.execute_action(running.action_id)
			brain.set("asked", 0)
			var index: int = brain.export_state().evaluation_index
			rig.step(5)
			# Only a run that may turn to another of its own targets looks for them.
			var looks: bool = running == strike and policy == ActionSpec.RETARGET_SWITCH
			eq(brain.get("asked"), 5 if looks else 0, "%s, retarget policy %d: candidates asked" % [running.action_id, policy])
			if not looks and policy != ActionSpec.RETARGET_SWITCH:
				eq(brain.export_state().evaluation_index, index, "%s, retarget policy %d: no evaluation" % [running.action_id, policy])
			eq(brain.get_running_action(), running.action_id, "it runs on")
			brain.abort_action()
