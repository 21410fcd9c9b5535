class_name BenchEvaluators
extends Node
## Our side of the evaluation benchmark: one ActionEvaluator per agent, all with the same ActionSet.

var evaluators: Array[ActionEvaluator] = []
## What they chose in the last [method ask].
var decisions: Array[ActionDecision] = []

## One more scorer for every action, if there is one.
var script_scorer: ActionScorer
var count: int = BenchDecisions.AGENTS
var actions := ActionSet.new()

var _agents: Array[Node3D] = []
var _targets: Array[Node3D] = []
var _vitals: Array[AgentVitals] = []
## The number of each evaluator's decision when [method decide_in_steps] was called last.
var _decided: PackedInt64Array = []


func build(work: BenchDecisions) -> void:
	actions.actions = work.actions.map(_spec)
	for i in count:
		var target := _agent(BenchDecisions.TARGET_TAGS)
		_targets.append(target)
		var agent := _agent(BenchDecisions.AGENT_TAGS)
		_agents.append(agent)
		var vitals := AgentVitals.new()
		var health := AgentVital.new()
		health.tag = &"Vital.Health"
		vitals.vitals = [health]
		agent.add_child(vitals)
		_vitals.append(vitals)
		var evaluator := ActionEvaluator.new()
		evaluator.evaluation_interval = 0.0
		evaluator.random_phase = false
		evaluator.jitter_amount = 0.0
		evaluator.auto_evaluate = false
		evaluator.default_action_set = actions
		agent.add_child(evaluator)
		evaluator.target = target
		evaluators.append(evaluator)
	decisions.resize(evaluators.size())


func place(work: BenchDecisions) -> void:
	for i in evaluators.size():
		_agents[i].global_transform = work.agent_transforms[i]
		_targets[i].global_position = work.target_positions[i]
		_vitals[i].set_value(&"Vital.Health", work.healths[i])


## Everybody is asked for a decision, from a script.
func ask() -> void:
	for i in evaluators.size():
		decisions[i] = evaluators[i].evaluate_best_action()


## On: every step decides, and as the last factor of every score is 0, nothing starts. Off: no step decides.
func decide_in_steps(on: bool) -> void:
	_decided.clear()
	for evaluator in evaluators:
		_decided.append(evaluator.get_last_decision().evaluation_index)
		evaluator.global_multiplier = 0.0 if on else 1.0
		evaluator.auto_evaluate = on


## Whether every decision is kept with all its factors.
func record(on: bool) -> void:
	for evaluator in evaluators:
		evaluator.record_decisions = on
		evaluator.clear_history()


## From now on everybody decides in an interval of its own, and starts nothing.
func spread(interval: float) -> void:
	for evaluator in evaluators:
		evaluator.stop()
		evaluator.evaluation_interval = interval
		evaluator.random_phase = true
		evaluator.global_multiplier = 0.0
		evaluator.auto_evaluate = true
		evaluator.start()


## How many decisions everybody has made.
func count_decisions() -> int:
	var made := 0
	for evaluator in evaluators:
		made += evaluator.get_last_decision().evaluation_index
	return made


## Whether all steps since [method decide_in_steps] have scored all actions, and started none.
func count_idle_steps() -> int:
	var idle := 0
	for i in evaluators.size():
		var evaluator := evaluators[i]
		var decision := evaluator.get_last_decision()
		var rows := decision.get_candidates()
		var zero := func(row: Dictionary) -> bool: return row.refusal == ActionEvaluator.REFUSAL_ZERO_SCORE
		# The first decision of all has the number that nobody's has too.
		var anew := decision.evaluation_index > _decided[i] or _decided[i] == 0
		if anew and rows.size() == BenchDecisions.ACTIONS and rows.all(zero) and not evaluator.is_executing():
			idle += 1
	return idle


func _agent(tags: Array[StringName]) -> Node3D:
	var agent := Node3D.new()
	var container := TagContainer.new()
	container.initial_tags = PackedStringArray(tags)
	agent.add_child(container)
	add_child(agent)
	return agent


func _spec(row: Dictionary) -> ActionSpec:
	var spec := ActionSpec.new()
	spec.action_id = row.id
	spec.selection_weight = row.weight
	spec.risk_penalty = row.risk
	spec.requires_tags = PackedStringArray([BenchDecisions.REQUIRED])
	spec.block_tags = PackedStringArray([BenchDecisions.BLOCKING])
	var distance := DistanceScorer.new()
	distance.range = _curve(row.distance, row)
	var angle := AngleScorer.new()
	angle.range = _curve(row.angle, row)
	var health := HealthScorer.new()
	health.range = _curve(row.health, row)
	spec.scorers = [distance, angle, health]
	if script_scorer:
		spec.scorers = [distance, angle, health, script_scorer]
	var method := CallMethod.new()
	method.method = &"is_inside_tree"
	method.pass_context = false
	spec.execution_method = method
	return spec


func _curve(values: PackedFloat64Array, row: Dictionary) -> RangeCurve:
	var curve := RangeCurve.new()
	curve.min_value = values[0]
	curve.optimal_min = values[1]
	curve.optimal_max = values[2]
	curve.max_value = values[3]
	curve.exponent = row.exponent
	curve.clamp_to_zero = false
	curve.floor_value = BenchDecisions.FLOOR
	return curve
