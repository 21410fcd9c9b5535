extends Node
## Row `actions`: 1,000 agents with 12 actions of 3 scorers and one target each decide in one step, the world read
## included. Ours in the nodes' own steps, between two nodes that note the time, and once more asked from a script;
## against typed GDScript with action and scorer resources, in the agents' own steps too, and against one loop over flat
## packed arrays.

const ROUNDS := 30
const WARM_UP := 3
const STEPS := "1,000 evaluators"
const IDLE := "1,000 evaluators that have nothing to decide"
const RECORDED := "1,000 evaluators that record"
const AFTERWARDS := "1,000 evaluators that have recorded"
const READS := "reading 2,000 transforms from GDScript"
const SCRIPTED := "evaluate_best_action of 100 evaluators with a script scorer per action"
const PLAIN := "evaluate_best_action of 100 evaluators"
const CALLS := "1,200 calls of a script scorer from GDScript"
const FLOOR := "1,200 calls of a script scorer by the library, and nothing beside"
const MARGINAL := "what the script scorers add"
const ASKED := "evaluate_best_action of 1,000 evaluators"
const RESOURCES := "GDScript resources"
const FLAT := "GDScript flat"
## Positions are single precision; what follows from them may differ this much.
const TOLERANCE := 1e-6

var _work := BenchDecisions.new()
var _baselines := BenchBaselines.new()
var _ours := BenchEvaluators.new()
var _some := BenchEvaluators.new()
var _scripted := BenchEvaluators.new()
var _probe: Object = ClassDB.instantiate(&"RiposteCallProbe")
var _before := BenchClock.new()
var _after := BenchClock.new()
var _report := BenchReport.new("actions")
var _differ_flat := 0
var _differ_ours := 0
var _busy := 0
var _compared := 0


func _ready() -> void:
	# Everybody in one step, however many they are.
	ProjectSettings.set_setting("riposte/evaluation/max_per_step", 0)
	_before.process_physics_priority = -1
	_after.process_physics_priority = 1
	for node: Node in [_before, _baselines, _ours, _some, _scripted, _after]:
		add_child(node)
	_some.count = 100
	_scripted.count = 100
	_scripted.script_scorer = BenchScriptScorer.new()
	_baselines.build(_work)
	for ours: BenchEvaluators in [_ours, _some, _scripted]:
		ours.build(_work)
	# Time for everybody to start.
	for i in 3:
		await get_tree().physics_frame
	# Those that are only asked take no part in the steps that are timed.
	_some.process_mode = Node.PROCESS_MODE_DISABLED
	_scripted.process_mode = Node.PROCESS_MODE_DISABLED
	for i in WARM_UP + ROUNDS:
		await _round(i, i >= WARM_UP)
	await _count_busiest_step()
	await _count_compilations()
	_finish()


func _round(number: int, counts: bool) -> void:
	_work.next_round()
	_baselines.place(_work)
	for ours: BenchEvaluators in [_ours, _some, _scripted]:
		ours.place(_work)
	_compared += BenchDecisions.AGENTS
	# Nobody always comes after the same other one.
	for i in 5:
		match (number + i) % 5:
			0:
				_baselines.decide_in_steps(true)
				await _settle()
				await _time_step(RESOURCES, counts)
				_baselines.decide_in_steps(false)
			1:
				_time(FLAT, false, _baselines.decide_flat.bind(0.0))
				_time(FLAT, counts, _baselines.decide_flat.bind(0.0))
			2:
				_time(ASKED, counts, _ours.ask)
			3:
				await _settle()
				await _time_step(IDLE, counts)
				_ours.decide_in_steps(true)
				await _settle()
				await _time_step(STEPS, counts)
				_busy += BenchDecisions.AGENTS - _ours.count_idle_steps()
				_ours.record(true)
				await _settle()
				await _time_step(RECORDED, counts)
				_ours.record(false)
				await _settle()
				await _time_step(AFTERWARDS, counts)
				_ours.decide_in_steps(false)
			4:
				_time(READS, counts, _baselines.read_all)
				_time_scripts(counts)
	_compare()


func _time(contestant: String, counts: bool, run: Callable) -> void:
	var begin := Time.get_ticks_usec()
	run.call()
	if counts:
		_report.add(contestant, Time.get_ticks_usec() - begin)


## What has changed is told and read anew in the first steps; everybody is timed in those that follow.
func _settle() -> void:
	for i in 2:
		await _time_step("", false)


## What a script scorer per action adds to a decision, and as many calls of the script from another script.
func _time_scripts(counts: bool) -> void:
	# Both warm, and none always first.
	for evaluators: BenchEvaluators in [_some, _scripted]:
		evaluators.ask()
	var took: Dictionary[BenchEvaluators, int] = {}
	for evaluators: BenchEvaluators in [_some, _scripted] if _compared % 2000 == 0 else [_scripted, _some]:
		var start := Time.get_ticks_usec()
		evaluators.ask()
		took[evaluators] = Time.get_ticks_usec() - start
	var begin := Time.get_ticks_usec()
	var scorer: BenchScriptScorer = _scripted.script_scorer
	var context := DecisionContext.new()
	var product := 1.0
	for i in _scripted.count * BenchDecisions.ACTIONS:
		product *= scorer._score_multiplier(context)
	var called := Time.get_ticks_usec()
	var objects: Array[Object] = [scorer]
	var floor_usec: float = _probe.time_calls(objects, &"_score_multiplier", [context], _scripted.count * BenchDecisions.ACTIONS)
	if counts:
		_report.add(FLOOR, floor_usec)
		_report.add(PLAIN, took[_some])
		_report.add(SCRIPTED, took[_scripted])
		_report.add(CALLS, called - begin)
		_report.add(MARGINAL, took[_scripted] - took[_some])


## Decisions in the busiest of 600 steps, against the mean.
func _count_busiest_step() -> void:
	_ours.spread(0.1)
	var before := _ours.count_decisions()
	var total := before
	var busiest := 0
	for i in 600:
		await get_tree().physics_frame
		await get_tree().process_frame
		var made := _ours.count_decisions()
		busiest = maxi(busiest, made - total)
		total = made
	_report.print_number("the busiest of 600 steps / their mean", busiest * 600.0 / (total - before), "<= 1.4")


## How often an action is compiled when it is edited and 1,000 agents use it.
func _count_compilations() -> void:
	var spec := _ours.actions.find_action(_work.actions[0].id)
	spec.execution_method = BenchCountingMethod.new()
	await _time_step("", false)
	BenchCountingMethod.compiled = 0
	spec.selection_weight += 0.5
	await _time_step("", false)
	_report.print_number("compilations of an edited action of 1,000 agents", BenchCountingMethod.compiled, "<= 1")


## What lies between the two clocks in the next physics step.
func _time_step(contestant: String, counts: bool) -> void:
	await get_tree().physics_frame
	await get_tree().process_frame
	if counts:
		_report.add(contestant, _after.usec - _before.usec)


func _compare() -> void:
	for i in BenchDecisions.AGENTS:
		var actor := _baselines.actors[i]
		var flat := _baselines.flat.best[i]
		var flat_id: StringName = _work.actions[flat].id if flat >= 0 else &""
		if not _agree(flat_id, _baselines.flat.best_scores[i], actor):
			_differ_flat += 1
		var decision := _ours.decisions[i]
		if not _agree(decision.action_id, decision.score, actor):
			_differ_ours += 1


func _agree(id: StringName, score: float, actor: BenchActor) -> bool:
	var wanted := actor.best_action.id if actor.best_action else &""
	return id == wanted and absf(score - actor.best_score) <= TOLERANCE * maxf(1.0, actor.best_score)


func _finish() -> void:
	_report.print_raw()
	_report.print_ratio(RESOURCES, FLAT)
	_report.print_ratio(RESOURCES, STEPS, ">= 25")
	_report.print_ratio(FLAT, STEPS, ">= 10")
	_report.print_ratio(RESOURCES, ASKED)
	_report.print_ratio(FLAT, ASKED)
	_report.print_ratio(IDLE, STEPS, "<= 0.2")
	_report.print_ratio(RECORDED, STEPS, "<= 5")
	_report.print_ratio(AFTERWARDS, STEPS, "<= 1.02")
	_report.print_ratio(MARGINAL, CALLS, "<= 1.25")
	_report.print_ratio(FLOOR, CALLS)
	_report.print_ratio(STEPS, READS)
	_report.print_same("choice and score, %s and %s" % [RESOURCES, FLAT], _compared, _differ_flat)
	_report.print_same("choice and score, %s and ours" % RESOURCES, _compared, _differ_ours)
	_report.print_same("steps that scored everything and started nothing", _compared, _busy)
	get_tree().quit(1 if _report.failed else 0)
