extends TestCase
## How an evaluator finds its agent and its set, starts by itself, and leaves the game.

const Rig := preload("res://support/action_rig.gd")

class Late extends Node3D:
	var log: PackedStringArray = []
	var brain: ActionEvaluator

	func _ready() -> void:
		log.append("ready, started: %s" % brain.is_started())


func _brain(specs: Array[ActionSpec]) -> ActionEvaluator:
	var made: ActionEvaluator = ActionEvaluator.new()
	made.process_callback = ActionEvaluator.PROCESS_MANUAL
	made.auto_evaluate = false
	made.default_action_set = ActionSet.new()
	made.default_action_set.actions = specs
	return made


func test_starts_by_itself_after_the_agent_is_ready() -> void:
	var agent: Late = Late.new()
	agent.brain = _brain([Rig.spec(&"Jab")])
	agent.add_child(agent.brain)
	var sets: SignalRecord = record(agent.brain.action_set_changed)
	add(agent)
	eq(agent.log, PackedStringArray(["ready, started: false"]), "not before the agent's own _ready")
	check(agent.brain.is_started(), "then by itself")
	eq(sets.count(), 1, "the set is told once")


func test_agent_elsewhere_in_the_tree() -> void:
	var agent: Node3D = Node3D.new()
	agent.name = "Body"
	add(agent)
	var brain: ActionEvaluator = _brain([Rig.spec(&"Jab")])
	brain.agent_path = NodePath("../Body")
	add(brain)
	check(brain.is_started(), "found by its path")
	check(brain.execute_action(&"Jab") > 0, "it acts")
	check(brain.get_running_context().instigator == agent, "for that agent")
	var ended: SignalRecord = record(brain.action_ended)
	remove_child(agent)
	eq(ended.count(), 1, "the run ends when the agent leaves")
	brain.advance(0.1)
	eq(brain.evaluate_now(), false, "and nothing is decided")
	add_child(agent)
	eq(brain.evaluate_now(), true, "until it is back")


func test_agent_that_is_found_later() -> void:
	var brain: ActionEvaluator = _brain([Rig.spec(&"Jab")])
	brain.agent_path = NodePath("../Body")
	add(brain)
	eq(brain.is_started(), false, "there is no agent yet")
	eq(brain.evaluate_now(), false, "nothing is decided")
	var agent: Node3D = Node3D.new()
	agent.name = "Body"
	add(agent)
	brain.agent_path = NodePath("../Body")
	check(brain.is_started(), "found when the path is set again")


func test_set_without_actions_and_a_set_that_is_taken_away() -> void:
	var rig: Rig = Rig.new(self, [])
	eq(rig.brain.evaluate_now(), false, "nothing to choose")
	eq(rig.diary.take("nothing"), "nothing", "told once")
	rig.moves.actions = [Rig.spec(&"Jab")]
	rig.step()
	eq(rig.choose(), &"Jab", "an action that comes later")
	var sets: SignalRecord = record(rig.brain.action_set_changed)
	rig.brain.default_action_set = null
	eq(rig.diary.take("ended"), "ended Jab 2", "without a set nothing runs on")
	eq(sets.count(), 1, "told")
	eq(rig.brain.get_action_set_source(), ActionEvaluator.SET_NONE, "source")


func test_start_waits_for_no_lost_context() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Kick")])
	var far: Node3D = rig.add_foe(Vector3(0, 0, -9))
	rig.diary.once("begin Jab", func() -> void:
		rig.brain.execute_action_with_context(&"Kick", ActionContext.create(far, 0.25)))
	rig.brain.execute_action(&"Jab")
	eq(rig.brain.get_running_action(), &"Kick", "the queued start")
	check(rig.brain.get_running_context().target == far, "with its own target")
	near(rig.brain.get_running_context().magnitude, 0.25, 1e-9, "and number")


func test_facing_method_that_asks_back() -> void:
	var agent: Asking = Asking.new()
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [AngleScorer.new()])], null, agent)
	agent.brain = rig.brain
	rig.aim_at(Vector3(0, 0, -2))
	expect_error("evaluate_best_action")
	near(rig.brain.evaluate_best_action().score, 1.0, 1e-6, "no endless loop")


class Asking extends Node3D:
	var brain: ActionEvaluator

	func get_facing_direction() -> Vector3:
		if brain != null:
			brain.evaluate_best_action()
		return Vector3.FORWARD
