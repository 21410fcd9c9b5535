extends TestCase
## Getters of the game that free, stop and decide while numbers are read for a decision.

const Judged := preload("res://support/judged.gd")

const HERO: String = """extends Node3D
var act: Callable = Callable()
var asked: int = 0
var rage: float:
	get:
		asked += 1
		if act.is_valid() and is_inside_tree():
			act.call()
		return 45.0
func get_rage() -> float:
	return rage
func get_health_fraction() -> float:
	return rage / 45.0
"""


func _hero() -> Node3D:
	return script(HERO).new()


func _scorer(attribute: String, source: int) -> AttributeScorer:
	var made: AttributeScorer = AttributeScorer.new()
	made.attribute = attribute
	made.range = Judged.curve(0.0, 90.0, 90.0, 90.0)
	made.source = source
	return made


func _judged(attribute: String, source: int) -> Judged:
	var health: HealthScorer = HealthScorer.new()
	health.source = source
	var judged: Judged = Judged.new(self, _hero(), [_scorer(attribute, source), health, DistanceScorer.new(), AngleScorer.new()])
	judged.jab.target_mode = ActionSpec.TARGET_EACH
	judged.brain.advance(0.001)
	var foes: Array = []
	for i: int in 3:
		var foe: Node3D = add(_hero())
		foe.position = Vector3(0, 0, -2 - i)
		foes.append(foe)
	judged.brain.set_candidate_targets(foes)
	judged.brain.target = foes[1]
	return judged


func test_a_getter_frees_targets() -> void:
	for attribute: String in ["rage", "get_rage()"]:
		var judged: Judged = _judged(attribute, AttributeScorer.SOURCE_TARGET)
		var foes: Array = judged.brain.get_candidate_targets()
		for foe: Node3D in foes:
			foe.set("act", func() -> void: (foes[0] as Node3D).queue_free())
		judged.brain.evaluate_best_action()
		judged.brain.evaluate_now()
		await physics(2)
		judged.brain.evaluate_now()
		check(is_instance_valid(judged.brain), "it goes on")


func test_a_getter_frees_the_agent_at_once() -> void:
	for source: int in [AttributeScorer.SOURCE_AGENT, AttributeScorer.SOURCE_TARGET]:
		var judged: Judged = _judged("get_rage()", source)
		var agent: Node = judged.agent
		var brain: ActionEvaluator = judged.brain
		var asked: Node3D = agent if source == AttributeScorer.SOURCE_AGENT else brain.get_candidate_targets()[0]
		asked.set("act", func() -> void:
			asked.set("act", Callable())
			agent.remove_child(brain)
			brain.queue_free()
			if agent != asked:
				agent.free())
		brain.evaluate_now()
		await physics(2)
		check(not is_instance_valid(brain), "gone")


func test_a_getter_decides_and_stops() -> void:
	var judged: Judged = _judged("rage", AttributeScorer.SOURCE_AGENT)
	expect_error("evaluate_best_action() was called inside a gate or scorer")
	judged.agent.set("act", func() -> void: judged.brain.evaluate_best_action())
	check(judged.brain.evaluate_now(), "the decision goes on")
	judged.brain.abort_action()
	judged.agent.set("act", func() -> void: judged.jab.gates = [])
	judged.brain.evaluate_now()
	judged.brain.abort_action()
	judged.agent.set("act", func() -> void: judged.brain.stop())
	check(not judged.brain.evaluate_now(), "stopped while its world was read")
