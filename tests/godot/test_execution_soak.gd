extends TestCase
## A hundred agents that come and go for 2,000 steps: no error line, every start has its end.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const Agent := preload("res://support/soak_agent.gd")
const Ledger := preload("res://support/soak_ledger.gd")
const COUNT: int = 100
const STEPS: int = 2000
const HALF_SIDE: float = 30.0

var _agents: Array[Agent] = []
var _ledger: Ledger = Ledger.new()


func test_a_hundred_agents_that_come_and_go() -> void:
	limit_seconds = 120.0
	_ledger.random.seed = 20260101
	var moves: ActionSet = _moves()
	for x: float in [-15.0, 0.0, 15.0]:
		wall(Vector3(x, 2, 0), Vector3(1, 4, 20))
	var before: int = hash(moves.actions.map(func(spec: ActionSpec) -> Array: return [spec.action_id, spec.selection_weight, spec.cooldown_duration]))
	var spawned: int = 0
	for i: int in STEPS:
		_agents = _agents.filter(func(agent: Variant) -> bool: return is_instance_valid(agent) and not agent.is_queued_for_deletion())
		while _agents.size() < COUNT:
			_spawn(moves)
			spawned += 1
		if _ledger.chance(0.3):
			_remove(_agents[_ledger.random.randi() % _agents.size()])
		await physics()
	check(spawned > COUNT + 200, "agents came and went: %d" % spawned)
	check(_ledger.starts > 1000, "actions were started: %d" % _ledger.starts)
	check(_ledger.gains > 1000, "targets were perceived: %d" % _ledger.gains)
	for reason: int in [ActionEvaluator.END_COMPLETED, ActionEvaluator.END_CANCELLED, ActionEvaluator.END_TIMED_OUT, ActionEvaluator.END_FAILED]:
		check(_ledger.reasons.has(reason), "some ended with reason %d" % reason)
	for agent: Agent in _agents:
		if is_instance_valid(agent):
			agent.queue_free()
	# Longer than the calls wait: a timer that is still awaited at the end of the program is a leak.
	await physics(12)
	eq(_ledger.ends, _ledger.starts, "every start has its end")
	eq(_ledger.open_runs(), 0, "no run is left open")
	eq(_ledger.complaints.slice(0, 5), PackedStringArray(), "complaints")
	eq(hash(moves.actions.map(func(spec: ActionSpec) -> Array: return [spec.action_id, spec.selection_weight, spec.cooldown_duration])), before, "the shared set is untouched")


func _spawn(moves: ActionSet) -> void:
	var agent: Agent = Agent.new()
	agent.position = Vector3(_ledger.random.randf_range(-HALF_SIDE, HALF_SIDE), 0, _ledger.random.randf_range(-HALF_SIDE, HALF_SIDE))
	agent.set_up(_ledger, moves)
	add_child(agent)
	_agents.append(agent)


## The ways in which a node can leave a game.
func _remove(agent: Agent) -> void:
	match _ledger.random.randi() % 4:
		0:
			agent.free()
		1:
			agent.queue_free()
		2:
			remove_child(agent)
			agent.queue_free()
		3:
			remove_child(agent)
			add_child(agent)


func _moves() -> ActionSet:
	var bite: ActionSpec = Rig.scored(Rig.spec(&"Bite", 1.0, 3), [DistanceScorer.new(), AngleScorer.new()])
	bite.cooldown_duration = 0.3
	var slow: ActionSpec = Rig.spec(&"Slow", 0.5)
	Rig.method_of(slow).timeout = 0.4
	slow.add_tags = ["State.MovementBlocked"]
	var shout: ActionSpec = Rig.spec(&"Shout", 0.6)
	var call_it: CallMethod = CallMethod.new()
	call_it.method = &"shout"
	call_it.pass_context = false
	shout.execution_method = call_it
	shout.max_consecutive_uses = 1
	var scripted: ActionSpec = Rig.scored(Rig.quick(&"Scripted", 0.7), [Doubles.scorer_that(func(me: ActionScorer, context: DecisionContext) -> float:
		return me.seeded_random(context))])
	var made: ActionSet = ActionSet.new()
	made.actions = [bite, slow, shout, scripted]
	return made
