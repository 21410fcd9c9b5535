extends RefCounted
## Forty evaluators on MANUAL that are spawned, freed, given other sets, edited, saved and restored at random, also from
## their own signals, and a book that every start and end has to balance.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const Ledger := preload("res://support/soak_ledger.gd")
const IDS: Array[StringName] = [&"Jab", &"Heavy", &"Throw", &"Shout", &"Wait"]

var ledger: Ledger = Ledger.new()
var case: TestCase
var brains: Array[ActionEvaluator] = []
var sets: Array[ActionSet] = []
var foes: Array[Node3D] = []
var spawned: int = 0
## How often each thing was done.
var deeds: Dictionary[String, int] = {}
var _saved: Array[Dictionary] = []


func _init(owner: TestCase, random_seed: int) -> void:
	case = owner
	ledger.random.seed = random_seed
	for i: int in 3:
		sets.append(_new_set(i))
	for i: int in 4:
		foes.append(_new_foe())


func _new_set(skipped: int) -> ActionSet:
	var made: ActionSet = ActionSet.new()
	var specs: Array[ActionSpec] = []
	for i: int in IDS.size():
		if i != skipped:
			specs.append(_new_spec(IDS[i], i))
	made.actions = specs
	made.fallback_action = IDS[(skipped + 1) % IDS.size()]
	return made


func _new_spec(id: StringName, number: int) -> ActionSpec:
	var made: ActionSpec = Rig.spec(id, 1.0 - number * 0.1, -1 if number == 3 else number)
	Rig.method_of(made).timeout = 0.4
	Rig.method_of(made).succeeds = number != 2
	made.cooldown_duration = 0.2 * number
	made.cooldown_interrupt_refund = 0.5
	made.interrupt_class = number % 4
	made.priority = number % 3
	made.target_mode = number % 3
	made.retarget_policy = number % 3
	made.add_tags = ["State.MovementBlocked"]
	made.chain_links = [ChainLink.to(IDS[(number + 1) % IDS.size()])]
	if number == 1:
		made.scorers = [DistanceScorer.new(), Doubles.scorer_that(func(me: ActionScorer, context: DecisionContext) -> float:
			return me.seeded_random(context))]
	return made


func _new_foe() -> Node3D:
	var made: Node3D = Node3D.new()
	made.position = Vector3(ledger.random.randf_range(-5, 5), 0, ledger.random.randf_range(-5, 5))
	case.add_child(made)
	return made


func keep(count: int) -> void:
	brains = brains.filter(func(brain: Variant) -> bool:
		return is_instance_valid(brain) and (brain as Node).is_inside_tree() and not (brain as Node).get_parent().is_queued_for_deletion())
	while brains.size() < count:
		_spawn()


func _spawn() -> void:
	spawned += 1
	var agent: Node3D = Node3D.new()
	var tags: TagContainer = TagContainer.new()
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.random_seed = spawned
	brain.evaluation_interval = 0.05
	brain.default_action_set = _any_set()
	brain.record_decisions = ledger.chance(0.3)
	brain.history_size = 4
	brain.action_started.connect(func(_id: StringName, _target: Node, run: int) -> void:
		ledger.started(brain, run)
		_maybe(brain))
	brain.action_ended.connect(func(_id: StringName, reason: int, run: int) -> void:
		ledger.ended(brain, run, reason)
		_maybe(brain))
	brain.cooldown_expired.connect(func(_id: StringName) -> void: _maybe(brain))
	agent.add_child(tags)
	agent.add_child(brain)
	case.add_child(agent)
	brain.target = _any_foe()
	brains.append(brain)


func _any_set() -> ActionSet:
	return sets[ledger.random.randi() % sets.size()]


func _any_foe() -> Node3D:
	var at: int = ledger.random.randi() % foes.size()
	if not is_instance_valid(foes[at]) or foes[at].is_queued_for_deletion():
		foes[at] = _new_foe()
	return foes[at]


func _any_id() -> StringName:
	return IDS[ledger.random.randi() % IDS.size()]


## Handlers do what a game does, too. Only `free()` of the node that emits is forbidden by the engine itself.
func _maybe(brain: ActionEvaluator) -> void:
	if not ledger.chance(0.05):
		return
	match ledger.random.randi() % 8:
		0:
			_do("freed in a handler")
			brain.get_parent().queue_free()
		1:
			_do("forced in a handler")
			_execute(brain)
		2:
			_do("aborted in a handler")
			brain.abort_action()
		3:
			_do("set in a handler")
			brain.default_action_set = _any_set()
		4:
			_do("evaluated in a handler")
			brain.evaluate_now()
		5:
			_do("removed in a handler")
			_leave.call_deferred(brain.get_parent().get_instance_id())
		6:
			_do("override in a handler")
			brain.set_runtime_override(_any_set() if ledger.chance(0.5) else null)
		7:
			_do("cancelled in a handler")
			brain.cancel_action(brain.get_run_id())


## Others may have taken the agent away meanwhile.
func _leave(agent_id: int) -> void:
	var agent: Node = instance_from_id(agent_id) as Node
	if agent != null and agent.get_parent() != null:
		agent.get_parent().remove_child(agent)
		agent.queue_free()


func _execute(brain: ActionEvaluator) -> void:
	var known: PackedStringArray = brain.get_action_ids()
	if not known.is_empty() and brain.is_started() and brain.is_inside_tree():
		brain.execute_action(known[ledger.random.randi() % known.size()], ledger.chance(0.3))


func _do(what: String) -> void:
	deeds[what] = int(deeds.get(what, 0)) + 1


## One random thing that a game might do.
func act() -> void:
	var found: Variant = brains[ledger.random.randi() % brains.size()]
	if not is_instance_valid(found):
		return
	var brain: ActionEvaluator = found
	match ledger.random.randi() % 16:
		0:
			_do("freed")
			_remove(brain.get_parent())
		1:
			_do("set")
			brain.default_action_set = _any_set() if ledger.chance(0.9) else null
		2:
			_do("edited")
			_edit()
		3:
			_do("target")
			brain.target = _any_foe() if ledger.chance(0.8) else null
		4:
			_do("target freed")
			_any_foe().free()
		5:
			_do("forced")
			_execute(brain)
		6:
			_do("aborted")
			brain.abort_action(ActionEvaluator.END_INTERRUPTED)
		7:
			_do("saved")
			if _saved.size() < 8:
				_saved.append(brain.export_state())
			else:
				_saved[ledger.random.randi() % 8] = brain.export_state()
		8:
			_do("restored")
			_restore(brain)
		9:
			_do("stopped")
			brain.stop()
			if ledger.chance(0.5):
				brain.get_running_action()
			brain.start()
		10:
			_do("granted")
			brain.grant_action(_any_set().actions[0])
		11:
			_do("revoked")
			brain.clear_granted_actions()
		12:
			_do("candidates")
			brain.set_candidate_targets(foes.filter(func(foe: Variant) -> bool: return is_instance_valid(foe)))
		13:
			_do("reset")
			brain.reset_state()
		14:
			_do("asked")
			brain.evaluate_best_action().to_text()
			brain.get_history()
			brain.sync_state.size()
		15:
			_do("moved")
			var agent: Node = brain.get_parent()
			agent.get_parent().remove_child(agent)
			case.add_child(agent)


func _edit() -> void:
	var actions: Array[ActionSpec] = _any_set().actions
	var spec: ActionSpec = actions[ledger.random.randi() % actions.size()]
	spec.selection_weight = ledger.random.randf_range(0.0, 2.0)
	spec.cooldown_duration = ledger.random.randf_range(0.0, 1.0)
	spec.enabled = ledger.chance(0.9)


## What the state names and this evaluator never met is left out with a warning, so only its own kind is taken.
func _restore(brain: ActionEvaluator) -> void:
	if _saved.is_empty():
		return
	var state: Dictionary = _saved[ledger.random.randi() % _saved.size()].duplicate(true)
	state.target_ordinals = {}
	state.granted = []
	for key: String in ["cooldowns", "overrides"]:
		state[key] = {}
	for key: String in ["spawned", "uses"]:
		state[key] = []
	for key: String in ["repeat", "chain"]:
		state[key] = null
	# Run ids of the evaluator go on: the book tells runs apart by them.
	state.next_run_id = brain.export_state().next_run_id + 1
	brain.import_state(state)


func _remove(agent: Node) -> void:
	match ledger.random.randi() % 3:
		0:
			agent.free()
		1:
			agent.queue_free()
		2:
			agent.get_parent().remove_child(agent)
			agent.queue_free()
