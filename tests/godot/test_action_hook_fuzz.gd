extends TestCase
## Agents with actions, reactions and abilities that are misused at random from every hook, signal and virtual: as many ends
## as starts, each hook called once at each end, tags and combat tokens given back, and no error.

const Actors := preload("res://support/fuzz_actors.gd")
const Method := Actors.Method
const Ability := Actors.Ability
const Hook := Actors.Hook
const Brain := Actors.Brain
const Scorer := Actors.Scorer
const Gate := Actors.Gate
const IDS: Array[StringName] = [&"Jab", &"Kick", &"Slam", &"Wait"]
const TOTAL: int = 20000
const STEPS: int = 60
## On the agent while something runs or is active.
const BUSY: Array[StringName] = [&"State.Fuzzed", &"State.Able", &"State.RotationLocked"]

var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _agent: Node3D
var _brain: Brain
var _reactions: ReactionEvaluator
var _tags: TagContainer
var _abilities: AbilitySystem
var _config: AgentConfig
var _sets: Array[ActionSet] = []
var _foes: Node3D = Node3D.new()
## How deep in misuse, in evaluations, and in code of objects that the engine does not let be freed meanwhile.
var _depth: int = 0
var _scoring: int = 0
var _locked: int = 0
## The agent is on its way out of the tree or into it.
var _moving: bool = false
var _starts: int = 0
var _ends: int = 0
var _vetoes: int = 0
var _freed: int = 0
var _steps: int = 0
var _activations: int = 0
## Abilities that are active, by system and activation.
var _active: Dictionary = {}
var _posts: Dictionary = {"G": 0, "A": 0}
## Runs that go on, by evaluator and run id.
var _open: Dictionary = {}
var _complaints: PackedStringArray = []


func test_misuse_from_everywhere() -> void:
	add(_foes)
	_random.seed = 4711
	while _steps < TOTAL:
		_live()
		# What was freed later is gone before the next one.
		await idle(1)
	eq(_complaints.slice(0, 5), PackedStringArray(), "complaints")
	eq(_open.size(), 0, "nothing runs on")
	eq(_active.size(), 0, "no ability is active")
	check(_starts > 2000, "many starts: %d" % _starts)
	check(_activations > 500, "many abilities: %d" % _activations)
	check(_vetoes > 10, "some vetoes: %d" % _vetoes)
	check(_freed > 10, "some agents that were freed in the middle: %d" % _freed)
	eq(_ends, _starts, "as many ends as starts")
	eq(_posts["G"], _posts["A"], "as many calls of one hook as of the other")
	check(_posts["G"] >= _ends, "at every end")


func _live() -> void:
	_spawn()
	for i: int in STEPS:
		if not _is_alive():
			break
		_steps += 1
		if _random.randf() < 0.4:
			_act(null)
		if _is_alive() and _agent.is_inside_tree():
			_abilities.advance(0.1)
		if _is_alive() and _agent.is_inside_tree():
			_brain.advance(0.1)
		if _is_alive() and _agent.is_inside_tree():
			_reactions.advance(0.1)
	if _is_alive():
		_come_to_rest()
	if _is_alive():
		_moving = true
		_agent.free()
		_moving = false
	else:
		_freed += 1
	_sets.clear()
	_config = null


## Everything ends; then nothing may be left of it.
func _come_to_rest() -> void:
	_depth += 3
	_reactions.cancel_pending()
	_reactions.abort_reaction()
	_brain.abort_action()
	_abilities.cancel_abilities()
	_depth -= 3
	for tag: StringName in BUSY:
		if _tags.get_tag_count(tag) != 0:
			complain("%d of %s are left" % [_tags.get_tag_count(tag), tag])
	for foe: Node in _foes.get_children():
		if not foe.is_queued_for_deletion() and CombatTokens.get_free(foe, &"Token.Attack") != 2:
			complain("%d combat tokens are left" % CombatTokens.get_free(foe, &"Token.Attack"))


func _is_alive() -> bool:
	return is_instance_valid(_agent) and not _agent.is_queued_for_deletion()


func _spawn() -> void:
	_agent = Node3D.new()
	_tags = TagContainer.new()
	_agent.add_child(_tags)
	_spawn_abilities()
	_config = AgentConfig.new()
	_config.global_hook = _hook("G")
	_config.action_recovery_time = 0.1
	var specs: Array[ActionSpec] = []
	for id: StringName in IDS:
		specs.append(_action(id))
	_sets = [_moves(specs), _moves([specs[0], specs[2]]), _moves([])]
	_config.role_action_sets = {&"Role.Flanker": _sets[1]}
	_brain = Brain.new()
	_brain.fuzz = in_virtual
	_set_up(_brain, "action")
	_brain.config = _config
	_brain.random_seed = 1 + _random.randi() % 1000
	_brain.default_action_set = _sets[0]
	_brain.evaluation_interval = 0.1
	_reactions = ReactionEvaluator.new()
	_set_up(_reactions, "reaction")
	_reactions.random_seed = 1
	var reactions: ReactionSet = ReactionSet.new()
	reactions.reactions = [_reaction(&"Parry", 90), _reaction(&"Dodge", 100)]
	_reactions.default_reaction_set = reactions
	_agent.add_child(_brain)
	_agent.add_child(_reactions)
	_moving = true
	add(_agent)
	_moving = false


func _spawn_abilities() -> void:
	_abilities = AbilitySystem.new()
	_abilities.process_callback = AbilitySystem.PROCESS_MANUAL
	var id: int = _abilities.get_instance_id()
	_abilities.ability_activated.connect(func(_handle: int, activation: int) -> void: _on_activated([id, activation]))
	_abilities.ability_ended.connect(func(_handle: int, _reason: int, activation: int) -> void: _on_deactivated([id, activation]))
	for row: Dictionary in _abilities.get_signal_list():
		if not ClassDB.class_has_signal(&"Node", row["name"]):
			Signal(_abilities, row["name"]).connect(in_signal.unbind(row["args"].size()))
	_abilities.initial_abilities = [_ability(), _ability()]
	_agent.add_child(_abilities)


func _ability() -> Ability:
	var made: Ability = Ability.new()
	made.owner_id = get_instance_id()
	made.ability_tags = ["Attack.Fuzz"]
	made.trigger_tags = ["Event.Hit"]
	made.granted_tags = ["State.Able"]
	made.retrigger = _random.randf() < 0.5
	made.lasts = _random.randf() * 0.4
	return made


## How an action runs: by a script or by abilities.
func _any_method() -> Resource:
	match _random.randi() % 5:
		0:
			var by_ability: AbilityMethod = AbilityMethod.new()
			by_ability.ability = _ability()
			return by_ability
		1:
			var by_tag: AbilityByTagMethod = AbilityByTagMethod.new()
			by_tag.activation_tag = &"Attack"
			return by_tag
		2:
			var forgotten: FireAndForgetAbilityMethod = FireAndForgetAbilityMethod.new()
			forgotten.ability = _ability()
			return forgotten
		_:
			return _method()


func _set_up(evaluator: Node, kind: String) -> void:
	evaluator.set("process_callback", ActionEvaluator.PROCESS_MANUAL)
	var id: int = evaluator.get_instance_id()
	# The book-keeping is connected first: what the other handlers do comes after it.
	evaluator.connect(kind + "_started", func(name: StringName, _target: Node, run: int) -> void: _on_started(id, name, run))
	evaluator.connect(kind + "_ended", func(name: StringName, _reason: int, run: int) -> void: _on_ended(id, name, run))
	for row: Dictionary in evaluator.get_signal_list():
		var source: Signal = Signal(evaluator, row["name"])
		if ClassDB.class_has_signal(&"Node", row["name"]) or row["args"].size() > 3 or not evaluator.get_class() in ["ActionEvaluator", "ReactionEvaluator"]:
			continue
		source.connect(in_signal.unbind(row["args"].size()) if row["args"].size() > 0 else in_signal)


func _moves(specs: Array[ActionSpec]) -> ActionSet:
	var made: ActionSet = ActionSet.new()
	made.actions = specs
	return made


func _hook(label: String) -> Hook:
	var made: Hook = Hook.new()
	made.owner_id = get_instance_id()
	made.label = label
	return made


func _method() -> Method:
	var made: Method = Method.new()
	made.owner_id = get_instance_id()
	made.ticks = 1 + _random.randi() % 4
	return made


func _action(id: StringName) -> ActionSpec:
	var made: ActionSpec = ActionSpec.new()
	made.action_id = id
	made.execution_method = _any_method()
	made.add_tags = ["State.Fuzzed"]
	made.hook = _hook("A")
	made.cooldown_duration = _random.randf() * 0.3
	made.cooldown_starts = _random.randi() % 2
	made.interrupt_class = _random.randi() % 4
	made.target_mode = _random.randi() % 3
	made.target_lost_policy = _random.randi() % 3
	made.retarget_policy = _random.randi() % 3
	var scorer: Scorer = Scorer.new()
	scorer.fuzz = in_scorer
	var gate: Gate = Gate.new()
	gate.fuzz = in_scorer
	made.scorers = [scorer]
	made.gates = [gate, CombatTokenGate.new()] if _random.randf() < 0.3 else [gate]
	return made


func _reaction(id: StringName, priority: int) -> ReactionSpec:
	var made: ReactionSpec = ReactionSpec.new()
	made.reaction_id = id
	made.trigger_tags = ["Event.Hit"]
	made.priority = priority
	made.execution_method = _any_method()
	made.add_tags = ["State.Fuzzed"]
	made.hook = _hook("A")
	made.delay = 0.1 if id == &"Dodge" else 0.0
	made.force_interrupt = true
	return made


# Where misuse happens.

func in_signal() -> void:
	_locked += 1
	_maybe(null)
	_locked -= 1


func in_virtual() -> void:
	_locked += 1
	in_scorer()
	_locked -= 1


func in_scorer() -> void:
	_scoring += 1
	_maybe(null)
	_scoring -= 1


func in_hook() -> void:
	_maybe(null)


func in_method(method: ExecutionMethod) -> void:
	_maybe(method)


func in_ability(ability: Ability) -> void:
	if _depth < 3 and _random.randf() < 0.1:
		ability.end_ability(_random.randf() < 0.5)
	_maybe(null)


func posted(label: String) -> void:
	_posts[label] += 1


func complain(what: String) -> void:
	_complaints.append(what)


func vetoes() -> bool:
	var veto: bool = _random.randf() < 0.06
	_vetoes += int(veto)
	return veto


func _maybe(method: ExecutionMethod) -> void:
	if _depth < 3 and _random.randf() < 0.15:
		_depth += 1
		_act(method)
		_depth -= 1


## One random thing that a game might do. What would be refused with an error is left out.
func _act(method: ExecutionMethod) -> void:
	if _moving or not _is_alive() or not _agent.is_inside_tree():
		return
	match _random.randi() % 23:
		0, 1, 2:
			if _brain.is_started():
				var ids: PackedStringArray = _brain.get_action_ids()
				if not ids.is_empty():
					_brain.execute_action(ids[_random.randi() % ids.size()], _random.randf() < 0.3)
		3, 4:
			_brain.abort_action(_random.randi() % 2 + 1)
		5:
			_brain.cancel_action(_brain.get_run_id())
		6, 7:
			if _scoring == 0:
				_brain.evaluate_now()
		8, 9:
			if method != null:
				method.finish_execution(_random.randf() < 0.5)
		10:
			_brain.default_action_set = _sets[_random.randi() % _sets.size()]
		11:
			_brain.role = &"Role.Flanker" if _brain.role == &"" else &""
		12:
			_brain.config.global_hook = _hook("G")
		13:
			if _brain.target != null and _random.randf() < 0.5:
				_brain.target.free()
			else:
				var foe: Node3D = Node3D.new()
				foe.position = Vector3(0, 0, -2)
				_brain.target = add(foe, _foes)
		14:
			_brain.stop()
			# What ended may have freed the agent.
			if is_instance_valid(_brain):
				_brain.start()
		15:
			_reactions.react(&"Event.Hit")
		16:
			_reactions.abort_reaction()
		17:
			if not _brain.is_action_granted(&"Slam"):
				_brain.grant_action(_action(&"Slam"))
			else:
				_brain.clear_granted_actions()
		20:
			_abilities.send_event(&"Event.Hit")
		21:
			_abilities.activate_by_tag(&"Attack")
		22:
			_abilities.cancel_abilities()
		18:
			if _random.randf() < 0.15:
				_freely()
		19:
			if _locked == 0:
				_moving = true
				remove_child(_agent)
				add_child(_agent)
				_moving = false


func _freely() -> void:
	var whom: Node = _agent if _random.randf() < 0.7 else _brain
	if whom == _brain or _locked > 0:
		_agent.queue_free()
	else:
		_moving = true
		_agent.free()
		_moving = false


func _on_activated(which: Array) -> void:
	_activations += 1
	_active[which] = true


func _on_deactivated(which: Array) -> void:
	if not _active.erase(which):
		complain("activation %d ended, which is not active" % which[1])


func _on_started(evaluator: int, id: StringName, run: int) -> void:
	_starts += 1
	for open: Array in _open:
		if open[0] == evaluator:
			complain("%s started while run %d goes on" % [id, open[1]])
	_open[[evaluator, run]] = id


func _on_ended(evaluator: int, id: StringName, run: int) -> void:
	_ends += 1
	if not _open.erase([evaluator, run]):
		complain("%s ended run %d, which does not go on" % [id, run])
