class_name BenchBaselines
extends Node
## Both baselines of the evaluation benchmark on the same agents: with resources, and flat.

var actors: Array[BenchActor] = []
var flat := BenchFlat.new()

var _bits: Dictionary[StringName, int] = {}


func build(work: BenchDecisions) -> void:
	var actions: Array[BenchAction] = []
	for row in work.actions:
		actions.append(_action(row))
		flat.weights.append(float(row.weight) / float(row.risk))
		flat.requires.append(_bit(BenchDecisions.REQUIRED))
		flat.blocks.append(_bit(BenchDecisions.BLOCKING))
		for curve: PackedFloat64Array in [row.distance, row.angle, row.health]:
			flat.curves.append_array(curve)
			flat.curves.append_array([row.exponent, BenchDecisions.FLOOR])
	for i in BenchDecisions.AGENTS:
		var actor := _actor(BenchDecisions.AGENT_TAGS)
		actor.target = _actor(BenchDecisions.TARGET_TAGS)
		actor.actions = actions
		actors.append(actor)
		flat.tag_bits.append(_mask(BenchDecisions.AGENT_TAGS) | _mask(BenchDecisions.TARGET_TAGS))
	flat.actors = actors
	flat.ready_at.resize(actors.size() * actions.size())
	flat.best.resize(actors.size())
	flat.best_scores.resize(actors.size())


func place(work: BenchDecisions) -> void:
	for i in actors.size():
		actors[i].global_transform = work.agent_transforms[i]
		actors[i].target.global_position = work.target_positions[i]
		actors[i].health = work.healths[i]


## On: every actor decides in each of its steps.
func decide_in_steps(on: bool) -> void:
	for actor in actors:
		actor.set_physics_process(on)


func decide_flat(now: float) -> void:
	flat.decide_all(now)


## Only what everybody reads: one transform per agent and one per target.
func read_all() -> void:
	var sum := Vector3.ZERO
	for actor in actors:
		sum += actor.global_transform.origin + actor.target.global_transform.origin


func _actor(tags: Array[StringName]) -> BenchActor:
	var actor := BenchActor.new()
	for tag in tags:
		actor.tags[tag] = true
	add_child(actor)
	return actor


func _action(row: Dictionary) -> BenchAction:
	var action := BenchAction.new()
	action.id = row.id
	action.weight = row.weight
	action.risk = row.risk
	action.requires_tags = [BenchDecisions.REQUIRED]
	action.block_tags = [BenchDecisions.BLOCKING]
	action.scorers = [
		_scorer(BenchDistanceScorer.new(), row.distance, row),
		_scorer(BenchAngleScorer.new(), row.angle, row),
		_scorer(BenchHealthScorer.new(), row.health, row),
	]
	return action


func _scorer(scorer: BenchScorer, values: PackedFloat64Array, row: Dictionary) -> BenchScorer:
	var curve := BenchCurve.new()
	curve.min_value = values[0]
	curve.optimal_min = values[1]
	curve.optimal_max = values[2]
	curve.max_value = values[3]
	curve.exponent = row.exponent
	curve.floor_value = BenchDecisions.FLOOR
	scorer.curve = curve
	return scorer


func _mask(tags: Array[StringName]) -> int:
	var mask := 0
	for tag in tags:
		mask |= _bit(tag)
	return mask


func _bit(tag: StringName) -> int:
	if not _bits.has(tag):
		_bits[tag] = 1 << _bits.size()
	return _bits[tag]
