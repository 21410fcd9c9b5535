extends TestCase
## One evaluator that is misused at random from every handler and virtual; what must hold holds all the same.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const IDS: Array[StringName] = [&"Jab", &"Kick", &"Slam", &"Wait"]

var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _rig: Rig
## Targets stand apart from the agent, so that they can be freed while the agent is taken out of the tree.
var _field: Node3D = Node3D.new()
var _sets: Array[ActionSet] = []
var _depth: int = 0
var _evaluating: int = 0
var _running: int = 0
var _runs: Dictionary = {}
var _starts: int = 0
var _ends: int = 0
var _complaints: PackedStringArray = []


func test_random_misuse() -> void:
	add(_field)
	for seed_number: int in 12:
		_random.seed = seed_number
		_play(400)
	eq(_complaints.slice(0, 4), PackedStringArray(), "complaints")
	check(_starts > 500, "many starts: %d" % _starts)
	eq(_ends, _starts, "as many ends")


func _play(steps: int) -> void:
	_running = 0
	_runs.clear()
	var specs: Array[ActionSpec] = [
		Rig.cooling(&"Jab", 0.3), Rig.spec(&"Kick", 1.2, 2), Rig.quick(&"Slam", 0.8), Rig.spec(&"Wait", 0.5),
	]
	specs[0].max_consecutive_uses = 2
	specs[0].cooldown_interrupt_refund = 0.5
	specs[0].chain_links = [ChainLink.to(&"Slam")]
	specs[1].scorers = [Doubles.scorer_that(_score)]
	specs[2].gates = [Doubles.gate_that(_gate)]
	Rig.method_of(specs[3]).timeout = 0.5
	# The book-keeping is connected first: what the other handlers do comes after it.
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.action_started.connect(_on_started)
	brain.action_ended.connect(_on_ended)
	_rig = Rig.new(self, specs, brain)
	_rig.brain.jitter_amount = 0.3
	_rig.brain.novelty_penalty = 0.3
	_rig.brain.auto_evaluate = true
	var small: ActionSet = ActionSet.new()
	small.actions = [specs[1], specs[3]]
	_sets = [_rig.moves, small]
	for id: StringName in IDS:
		for line: String in ["can %s", "begin %s", "started %s", "started %s at Foe", "ended %s 0", "ended %s 1", "ended %s 2", "abort %s 1", "abort %s 2", "abort %s 3", "refused %s 4", "ready %s", "tick %s 0.1000"]:
			_rig.diary.on(line % id, _maybe)
	_rig.diary.on("nothing", _maybe)
	for i: int in steps:
		if _random.randf() < 0.3:
			_act()
		if _rig.brain.is_inside_tree():
			_rig.step()
	_rig.diary.reactions.clear()
	_rig.brain.stop()
	eq(_running, 0, "nothing runs after stop")
	_rig.agent.free()
	_sets.clear()


func _score(_me: ActionScorer, _context: DecisionContext) -> float:
	_maybe_inside()
	return _random.randf() * 2.0


func _gate(_me: ActionGate, _context: DecisionContext) -> bool:
	_maybe_inside()
	return _random.randf() < 0.7


func _maybe() -> void:
	if _depth < 3 and _random.randf() < 0.12:
		_depth += 1
		_act()
		_depth -= 1


func _maybe_inside() -> void:
	_evaluating += 1
	_maybe()
	_evaluating -= 1


## One random thing that a game might do. Inside an evaluation those that would be refused with an error are left out.
func _act() -> void:
	var brain: ActionEvaluator = _rig.brain
	match _random.randi() % 13:
		0, 1, 2 when brain.is_started():
			brain.execute_action(_pick_known(), _random.randf() < 0.3)
		3, 4:
			brain.abort_action(ActionEvaluator.END_INTERRUPTED if _random.randf() < 0.5 else ActionEvaluator.END_CANCELLED)
		5:
			if _evaluating == 0:
				brain.evaluate_now()
		6:
			if _evaluating == 0:
				brain.evaluate_best_action()
		7:
			brain.default_action_set = _sets[_random.randi() % _sets.size()]
		8:
			if brain.target != null and _random.randf() < 0.5:
				brain.target.free()
			else:
				brain.target = add(_foe(), _field)
		9:
			brain.stop()
			if not brain.is_started():
				brain.start()
		10:
			brain.set_cooldown(_pick_known(), 0.2)
			brain.set_action_override(_pick_known(), _random.randf() * 2.0)
		11:
			brain.reset_state()
		12:
			if _rig.agent.is_inside_tree() and _depth == 0:
				remove_child(_rig.agent)
				add_child(_rig.agent)


func _foe() -> Node3D:
	var foe: Node3D = Node3D.new()
	foe.name = "Foe"
	foe.position = Vector3(0, 0, -2)
	return foe


func _pick_known() -> StringName:
	var ids: PackedStringArray = _rig.brain.get_action_ids()
	return ids[_random.randi() % ids.size()] if not ids.is_empty() else &"Jab"


func _on_started(id: StringName, _target: Node, run: int) -> void:
	_starts += 1
	if _running != 0:
		_complaints.append("%s started while run %d runs" % [id, _running])
	if _runs.has(run):
		_complaints.append("run %d started twice" % run)
	_running = run
	_runs[run] = true


func _on_ended(id: StringName, _reason: int, run: int) -> void:
	_ends += 1
	if run != _running:
		_complaints.append("%s ended run %d, but %d runs" % [id, run, _running])
	_running = 0
