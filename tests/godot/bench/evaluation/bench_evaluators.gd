class_name BenchEvaluators
extends Node
## Our side of the evaluation benchmark: one ActionEvaluator per agent, all with the same ActionSet.

var evaluators: Array[ActionEvaluator] = []
## What they chose in the last round.
var decisions: Array[ActionDecision] = []

var _agents: Array[Node3D] = []
var _targets: Array[Node3D] = []
var _vitals: Array[AgentVitals] = []


func build(work: BenchDecisions) -> void:
	var actions := ActionSet.new()
	actions.actions = work.actions.map(_spec)
	for i in BenchDecisions.AGENTS:
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
		evaluator.process_callback = ActionEvaluator.PROCESS_MANUAL
		evaluator.auto_evaluate = false
		evaluator.jitter_amount = 0.0
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


func decide() -> void:
	for i in evaluators.size():
		decisions[i] = evaluators[i].evaluate_best_action()


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
