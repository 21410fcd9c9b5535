extends TestCase
## The clock of the evaluator: process callbacks, pause, time_scale, schedule.

const Rig := preload("res://support/action_rig.gd")


func test_advance_needs_manual() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
	rig.use(&"Jab")
	rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	expect_error("advance")
	rig.brain.advance(1.0)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 5.0, 1e-6, "without effect")


func test_bad_deltas() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
	rig.use(&"Jab")
	expect_warning("advance")
	for delta: float in [-1.0, NAN, INF]:
		rig.brain.advance(delta)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 5.0, 1e-6, "no time passed")


func test_physics_and_idle_processing() -> void:
	for mode: int in [ActionEvaluator.PROCESS_PHYSICS, ActionEvaluator.PROCESS_IDLE]:
		var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
		rig.use(&"Jab")
		rig.brain.process_callback = mode
		await physics(31)
		between(rig.brain.get_remaining_cooldown(&"Jab"), 4.3, 4.6, "half a second later, mode %d" % mode)
		rig.agent.queue_free()


func test_manual_does_not_tick_by_itself() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
	rig.use(&"Jab")
	await physics(10)
	near(rig.brain.get_remaining_cooldown(&"Jab"), 5.0, 1e-6, "no time passed")


func test_pause_freezes_everything() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
	rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	rig.brain.execute_action(&"Jab")
	await physics(5)
	get_tree().paused = true
	await physics(1)
	var left: float = rig.brain.get_remaining_cooldown(&"Jab")
	var ran: float = rig.brain.get_running_time()
	await physics(60)
	eq([rig.brain.get_remaining_cooldown(&"Jab"), rig.brain.get_running_time()], [left, ran], "frozen")
	get_tree().paused = false
	await physics(5)
	check(rig.brain.get_remaining_cooldown(&"Jab") < left, "goes on")


func test_engine_time_scale() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
	rig.use(&"Jab")
	rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	Engine.time_scale = 0.25
	await physics(40)
	Engine.time_scale = 1.0
	var used: float = 5.0 - rig.brain.get_remaining_cooldown(&"Jab")
	between(used, 0.14, 0.20, "40 steps at a quarter of the speed")


func test_zero_time_scale_is_a_freeze() -> void:
	var rig: Rig = Rig.new(self, [Rig.quick(&"Jab")])
	rig.brain.auto_evaluate = true
	rig.brain.time_scale = 0.0
	rig.step(20)
	check(not rig.brain.is_executing(), "no decision")
	rig.brain.execute_action(&"Jab")
	rig.step(20)
	check(rig.brain.is_executing(), "the pending end waits")
	rig.brain.time_scale = 1.0
	rig.step(1)
	eq(rig.diary.take("ended"), "ended Jab 0", "performed when time goes on")


func test_negative_time_scale_is_refused() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	expect_warning("time_scale")
	rig.brain.time_scale = -2.0
	check(rig.brain.time_scale >= 0.0, "clamped")


func test_first_evaluation_comes_after_the_agent_is_ready() -> void:
	var guard: EagerGuard = EagerGuard.new()
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.name = "ActionEvaluator"
	guard.add_child(brain)
	add(guard)
	await until(func() -> bool: return guard.started_after_ready != null, "an action starts by itself", 1.0)
	eq(guard.started_after_ready, true, "after the agent's _ready")


## An agent that makes its set in _ready, as a user would.
class EagerGuard:
	extends Node3D
	var is_set_up: bool = false
	var started_after_ready: Variant = null

	func _ready() -> void:
		var brain: ActionEvaluator = get_node("ActionEvaluator")
		brain.action_started.connect(_on_action_started)
		var moves: ActionSet = ActionSet.new()
		moves.actions = [Rig.spec(&"Jab")]
		brain.default_action_set = moves
		is_set_up = true

	func _on_action_started(_id: StringName, _target: Node, _run: int) -> void:
		started_after_ready = is_set_up


## A user's own evaluator; its callbacks must not silence those of the class.
class OwnCallbacks:
	extends ActionEvaluator
	var calls: int = 0

	func _enter_tree() -> void:
		calls += 1

	func _ready() -> void:
		calls += 1

	func _physics_process(_delta: float) -> void:
		calls += 1

	func _exit_tree() -> void:
		calls += 1


func test_scripted_evaluator_with_callbacks_of_its_own() -> void:
	var brain: OwnCallbacks = OwnCallbacks.new()
	var moves: ActionSet = ActionSet.new()
	moves.actions = [Rig.spec(&"Jab")]
	brain.default_action_set = moves
	var agent: Node3D = Node3D.new()
	agent.add_child(brain)
	add(agent)
	var ended: SignalRecord = record(brain.action_ended)
	await until(brain.is_executing, "it starts an action", 1.0)
	await physics(5)
	between(brain.get_running_time(), 0.05, 0.5, "it steps once per frame")
	check(brain.calls > 5, "its own callbacks run too")
	remove_child(agent)
	eq(ended.arguments(1), [ActionEvaluator.END_CANCELLED], "the run ends when it leaves the tree")
	agent.free()
