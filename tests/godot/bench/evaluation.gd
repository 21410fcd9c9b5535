extends Node
## Row `evaluation`: 1,000 agents with 12 actions of 3 scorers and one target each decide in one tick, the world read
## included. Ours against typed GDScript with action and scorer resources, and against flat packed arrays.

const ROUNDS := 30
const WARM_UP := 3
const OURS := "1,000 evaluators"
const RESOURCES := "GDScript resources"
const FLAT := "GDScript flat"
## Their positions are single precision; what follows from them may differ this much.
const TOLERANCE := 1e-6

var _work := BenchDecisions.new()
var _baselines := BenchBaselines.new()
var _ours: Node
var _report := BenchReport.new("evaluation")
var _differ_resources := 0
var _differ_flat := 0
var _compared := 0


func _ready() -> void:
	add_child(_baselines)
	_baselines.build(_work)
	if ClassDB.class_exists("ActionEvaluator"):
		_ours = (load("res://bench/evaluation/bench_evaluators.gd") as GDScript).new()
		add_child(_ours)
		_ours.build(_work)
	await get_tree().physics_frame
	await get_tree().physics_frame
	for i in WARM_UP + ROUNDS:
		await get_tree().physics_frame
		_round(i, i >= WARM_UP)
	_finish()


func _round(number: int, counts: bool) -> void:
	_work.next_round()
	_baselines.place(_work)
	if _ours:
		_ours.place(_work)
	# No contestant always runs after the same other one.
	for i in 3:
		var contestant := (number + i) % 3
		var begin := Time.get_ticks_usec()
		match contestant:
			0:
				_baselines.decide_with_resources(0.0)
			1:
				_baselines.decide_flat(0.0)
			2:
				if _ours:
					_ours.decide()
		var usec := float(Time.get_ticks_usec() - begin)
		if counts and (contestant != 2 or _ours):
			_report.add([RESOURCES, FLAT, OURS][contestant], usec)
	_compare()


func _compare() -> void:
	for i in BenchDecisions.AGENTS:
		var actor := _baselines.actors[i]
		_compared += 1
		var flat := _baselines.flat.best[i]
		var flat_id: StringName = _work.actions[flat].id if flat >= 0 else &""
		if not _agree(flat_id, _baselines.flat.best_scores[i], actor):
			_differ_flat += 1
		if _ours:
			var decision: RefCounted = _ours.decisions[i]
			if not _agree(decision.get(&"action_id"), decision.get(&"score"), actor):
				_differ_resources += 1


func _agree(id: StringName, score: float, actor: BenchActor) -> bool:
	var wanted := actor.best_action.id if actor.best_action else &""
	return id == wanted and absf(score - actor.best_score) <= TOLERANCE * maxf(1.0, actor.best_score)


func _finish() -> void:
	_report.print_raw()
	_report.print_ratio(RESOURCES, FLAT)
	_report.print_ratio(RESOURCES, OURS, ">= 25")
	_report.print_ratio(FLAT, OURS, ">= 10")
	_report.print_same("choice and score, resources and flat", _compared, _differ_flat)
	if _ours:
		_report.print_same("choice and score, resources and ours", _compared, _differ_resources)
	get_tree().quit(1 if _report.failed else 0)
