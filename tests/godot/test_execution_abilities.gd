extends TestCase
## Actions that run abilities of the agent's AbilitySystem.

const Rig := preload("res://support/action_rig.gd")
const Abilities := preload("res://support/ability_rig.gd")

var _own: Abilities
var _rig: Rig


## An agent with an AbilitySystem before its evaluator; both share a diary.
func _set_up(specs: Array[ActionSpec]) -> void:
	_own = Abilities.new(self) if _own == null else _own
	_rig = Rig.new(self, specs, null, _own.agent)


func _ability(label: String, lasts: float = -1.0, carried: PackedStringArray = []) -> Abilities.Ability:
	if _own == null:
		_own = Abilities.new(self)
	return _own.make(label, lasts, carried)


func _by(method: Resource, id: StringName = &"Slash") -> ActionSpec:
	var made: ActionSpec = Rig.spec(id)
	made.execution_method = method
	return made


func _method(ability: GameplayAbility, timeout: float = 0.0) -> AbilityMethod:
	var made: AbilityMethod = AbilityMethod.new()
	made.ability = ability
	made.ability_timeout = timeout
	return made


## Both nodes in the order in which they stand.
func _step(count: int = 1) -> void:
	for i: int in count:
		_own.step()
		_rig.step()


func _steps_until_end(most: int = 20) -> int:
	for i: int in most:
		_step()
		if not _rig.brain.is_executing():
			return i + 1
	return -1


func _handle() -> int:
	var active: PackedInt64Array = _own.system.get_active_handles()
	return active[0] if not active.is_empty() else 0


func test_ability_runs_and_ends_with_the_action() -> void:
	_set_up([_by(_method(_ability("Slash", 0.3)))])
	_rig.brain.execute_action(&"Slash")
	check(_handle() != 0, "granted by the set, and active")
	eq(_steps_until_end(), 4, "seen in step 3, ended in the next")
	eq(_rig.diary.take(), "started Slash, ended Slash 0", "completed")
	eq(_own.diary.take("end ended"), "end Slash 0, ended ? 0", "the ability was not cut short")


func test_failed_revoked_and_timed_out() -> void:
	var failing: Abilities.Ability = _ability("Slash", 0.1)
	failing.succeeds = false
	_set_up([_by(_method(failing))])
	_rig.brain.execute_action(&"Slash")
	_steps_until_end()
	eq(_rig.diary.take("ended"), "ended Slash 4", "failed")
	_rig.moves.actions = [_by(_method(_ability("Long"), 0.3))]
	_rig.step()
	_own.diary.take()
	_rig.brain.execute_action(&"Slash")
	eq(_steps_until_end(), 3, "timed out")
	eq(_rig.diary.take("ended"), "ended Slash 3", "the action")
	eq(_own.diary.take("end"), "end Long 3", "the ability is told the same reason")
	_rig.brain.execute_action(&"Slash")
	_own.system.revoke_ability(_handle())
	_step(2)
	eq(_rig.diary.take("ended"), "ended Slash 2", "revoked: cancelled")
	eq(_rig.brain.execute_action(&"Slash") > 0, true, "and granted anew by the next start")


func test_abort_ends_the_ability() -> void:
	_set_up([_by(_method(_ability("Slash"))), Rig.spec(&"Jab")])
	_rig.brain.execute_action(&"Slash")
	_step()
	_rig.brain.abort_action()
	eq(_own.diary.take("end ended"), "end Slash 2, ended ? 2", "cancelled")
	_rig.brain.execute_action(&"Slash")
	_rig.brain.execute_action(&"Jab")
	eq(_own.diary.take("end ended"), "end Slash 1, ended ? 1", "interrupted")
	eq(_own.system.get_active_handles().size(), 0, "nothing is left")


func test_ex_35_e12() -> void:
	var slash: ActionSpec = _by(FireAndForgetAbilityMethod.new())
	(slash.execution_method as FireAndForgetAbilityMethod).ability = _ability("Slash")
	slash.add_tags = ["State.MovementBlocked"]
	_set_up([slash])
	_rig.brain.execute_action(&"Slash")
	eq(_rig.diary.take(), "started Slash, ended Slash 0", "started and finished in one step")
	check(_handle() != 0, "the ability is active")
	eq(_own.tags.get_tag_count(&"State.MovementBlocked"), 0, "the tag is back at 0")
	_step(5)
	check(_handle() != 0, "and goes on")


func test_ex_35_e13() -> void:
	_own = Abilities.new(self)
	_own.grant(_ability("Short", 0.3, ["Attack.Short"]))
	_own.grant(_ability("Long", 0.5, ["Attack.Long"]))
	var method: AbilityByTagMethod = AbilityByTagMethod.new()
	method.activation_tag = &"Attack"
	_set_up([_by(method)])
	_own.diary.take()
	_rig.brain.execute_action(&"Slash")
	eq(_own.diary.take("activate"), "activate Short, activate Long", "both start")
	eq(_steps_until_end(), 4, "ends in step 4")
	eq(_rig.diary.take("ended"), "ended Slash 0", "completed")
	eq(_own.diary.take("ended"), "ended Short 0", "the other one goes on")
	_step()
	eq(_own.diary.take("ended"), "ended Long 0", "and ends by itself in step 5")


func test_ex_35_e14() -> void:
	var refusing: Abilities.Ability = _ability("Slash")
	refusing.accepts = false
	var slash: ActionSpec = _by(_method(refusing))
	slash.cooldown_duration = 5.0
	_set_up([Rig.spec(&"Jab"), slash])
	_rig.brain.execute_action(&"Jab")
	_rig.diary.take()
	eq(_rig.brain.execute_action(&"Slash"), 0, "no run")
	eq(_rig.diary.take(), "refused Slash %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "refused")
	eq(_rig.brain.get_running_action(), &"Jab", "Jab still runs")
	check(not _rig.brain.is_action_on_cooldown(&"Slash"), "no cooldown")


func test_refused_in_a_decision_costs_nothing() -> void:
	var tired: Abilities.Ability = _ability("Slash")
	tired.required_tags = ["State.Armed"]
	var slash: ActionSpec = _by(_method(tired))
	slash.cooldown_duration = 5.0
	slash.selection_weight = 3.0
	slash.max_consecutive_uses = 1
	_set_up([slash, Rig.spec(&"Jab")])
	_rig.choose()
	eq(_rig.diary.take("started refused"), "refused Slash %d, started Jab" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "the next best is tried")
	check(not _rig.brain.is_action_on_cooldown(&"Slash"), "no cooldown")
	_rig.brain.abort_action()
	_own.tags.add_tag(&"State.Armed")
	eq(_rig.choose(), &"Slash", "no use was counted: it is chosen as soon as it can start")


const READER := """extends GameplayAbility
%s
func _read(name: String, context: ActionContext) -> void:
	get_agent().set_meta(&"read", [name, context.target, context.magnitude, Array(context.context_tags), context.instigator, context.action_id, get_target()])
"""
const PLAIN := """func _activate(context: ActionContext) -> void:
	_read("activate", context)
"""
const EVENT := """func _activate_from_event(event_tag: StringName, context: ActionContext) -> void:
	_read("event " + event_tag, context)
"""


func _reader(body: String) -> GameplayAbility:
	var made: GameplayAbility = script(READER % body).new()
	made.lock_rotation = false
	return made


func _read() -> Array:
	var read: Array = _own.agent.get_meta(&"read", [])
	_own.agent.remove_meta(&"read")
	return read


func test_ex_35_e15() -> void:
	_set_up([_by(_method(_reader(PLAIN + EVENT)), &"Both"), _by(_method(_reader(PLAIN)), &"Plain")])
	var focus: Node3D = _rig.aim_at(Vector3(0, 0, -2))
	var other: Node3D = _rig.add_foe(Vector3(0, 0, -5))
	var context: ActionContext = ActionContext.create(other, 0.5, null, ["QuickVariant"])
	_rig.brain.execute_action_with_context(&"Both", context)
	eq(_read(), ["event ", other, 0.5, ["QuickVariant"], _own.agent, &"Both", other], "by the event route")
	_rig.brain.execute_action_with_context(&"Plain", context)
	eq(_read(), ["activate", other, 0.5, ["QuickVariant"], _own.agent, &"Plain", other], "or by _activate")
	_rig.brain.execute_action_with_context(&"Plain", ActionContext.create(null, 0.5, null, ["QuickVariant"]))
	eq(_read(), ["activate", focus, 0.5, ["QuickVariant"], _own.agent, &"Plain", focus], "without a target: the focus")
	_rig.brain.execute_action(&"Both")
	eq(_read(), ["activate", focus, 0.0, [], _own.agent, &"Both", focus], "a plain start goes the direct way")


func test_routes() -> void:
	var method: AbilityMethod = _method(_reader(EVENT))
	var both: AbilityMethod = _method(_reader(PLAIN + EVENT))
	both.route = AbilityMethod.ROUTE_EVENT
	both.event_tag = &"Event.Slash"
	var direct: AbilityMethod = _method(_reader(PLAIN + EVENT))
	direct.route = AbilityMethod.ROUTE_DIRECT
	_set_up([_by(method, &"Only"), _by(both, &"Event"), _by(direct, &"Direct")])
	_rig.brain.execute_action(&"Only")
	eq(_read()[0], "event ", "a script with nothing else is called by its event")
	_rig.brain.execute_action(&"Event")
	eq(_read()[0], "event Event.Slash", "the event of the method")
	_rig.brain.execute_action_with_context(&"Direct", ActionContext.create(null))
	eq(_read()[0], "activate", "the direct way, whatever started it")
	expect_error("route = 7", 1)
	method.route = 7
	eq(method.route, AbilityMethod.ROUTE_AUTO, "stays as it was")


func test_ex_35_e16() -> void:
	_set_up([_by(_method(_ability("Slash")))])
	var config: AgentConfig = AgentConfig.new()
	config.interrupt_recovery_time = 1.5
	config.action_recovery_randomization = 0.0
	_rig.brain.config = config
	_rig.brain.execute_action(&"Slash")
	_step()
	_own.step()
	_own.system.cancel_abilities()
	_rig.step()
	check(_rig.brain.is_executing(), "step 2 is over")
	_step()
	check(not _rig.brain.is_executing(), "ends in step 3")
	eq(_rig.diary.take("ended"), "ended Slash 1", "interrupted")
	near(_rig.brain.get_recovery_remaining(), 1.5, 1e-6, "the recovery of interruptions applies")


func test_an_action_that_starts_anew() -> void:
	_set_up([_by(_method(_ability("Slash"))), _by(_method(_ability("Bash")), &"Bash")])
	_rig.brain.execute_action(&"Slash")
	_own.diary.take()
	ne(_rig.brain.execute_action(&"Slash"), 0, "what its own run started is over by then")
	eq(_own.diary.take("end activate"), "end Slash 1, activate Slash", "one ends, one starts")
	eq(_own.system.get_active_handles().size(), 1, "one is active")
	var handle: int = _handle()
	_rig.brain.abort_action()
	_own.system.activate(handle)
	eq(_rig.brain.execute_action(&"Slash"), 0, "what somebody else started is active")


func test_no_ability_system() -> void:
	var rig: Rig = Rig.new(self, [_by(_method(GameplayAbility.new()))])
	expect_warning("has no AbilitySystem, so nothing starts", 1)
	eq(rig.brain.execute_action(&"Slash"), 0, "no run")
	eq(rig.diary.take(), "refused Slash %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "refused")
	var late: AbilitySystem = AbilitySystem.new()
	late.process_callback = AbilitySystem.PROCESS_MANUAL
	rig.agent.add_child(late)
	rig.step()
	ne(rig.brain.execute_action(&"Slash"), 0, "a system that comes later is used")


func test_missing_data() -> void:
	for method: Resource in [AbilityMethod.new(), AbilityByTagMethod.new(), FireAndForgetAbilityMethod.new()]:
		var spec: ActionSpec = _by(method)
		var moves: ActionSet = ActionSet.new()
		moves.actions = [spec]
		var rows: Array[Dictionary] = moves.validate()
		eq([rows.size(), rows[0].severity], [1, "error"], method.get_class())
		check((rows[0].message as String).contains(method.get_class()), rows[0].message)


func test_sets_grant_and_release() -> void:
	var slash: Abilities.Ability = _ability("Slash")
	var first: ActionSet = ActionSet.new()
	first.actions = [_by(_method(slash)), _by(_method(slash), &"Twin")]
	var scripted: ActionSpec = Rig.spec(&"Scripted")
	scripted.execution_method = script("extends ExecutionMethod\n@export var ability: GameplayAbility\nfunc _get_ability_to_grant() -> GameplayAbility:\n\treturn ability\n").new()
	scripted.execution_method.set(&"ability", _ability("Bash", -1.0, ["Attack.Bash"]))
	var second: ActionSet = ActionSet.new()
	second.actions = [scripted, _by(_method(slash))]
	_set_up([Rig.spec(&"Jab")])
	eq(_own.system.find_by_tag(&"Attack").size(), 0, "nothing yet")
	var granted: SignalRecord = record(_own.system.ability_granted)
	var revoked: SignalRecord = record(_own.system.ability_revoked)
	_rig.brain.default_action_set = first
	eq(granted.calls.size(), 1, "granted once")
	_rig.brain.default_action_set = second
	eq([granted.calls.size(), revoked.calls.size()], [2, 0], "what both sets use stays, what a script names comes")
	eq(_own.system.find_by_tag(&"Attack").size(), 1, "the scripted one")
	_rig.brain.execute_action(&"Slash")
	_rig.brain.default_action_set = null
	_step(3)
	eq(_own.system.get_active_handles().size(), 0, "what ran is over")
	eq(revoked.calls.size(), 2, "both are given back")
	_rig.brain.default_action_set = first
	eq(granted.calls.size(), 3, "granted again")
	_rig.brain.get_parent().remove_child(_rig.brain)
	eq(revoked.calls.size(), 3, "an evaluator that leaves takes its grants along")
	_own.agent.add_child(_rig.brain)
	_rig.step()
	eq(granted.calls.size(), 4, "and brings them back")


func test_release_waits_for_what_runs() -> void:
	var slash: Abilities.Ability = _ability("Slash", 0.3)
	var method: FireAndForgetAbilityMethod = FireAndForgetAbilityMethod.new()
	method.ability = slash
	_set_up([_by(method)])
	var revoked: SignalRecord = record(_own.system.ability_revoked)
	_rig.brain.execute_action(&"Slash")
	_rig.brain.default_action_set = null
	eq([revoked.calls.size(), _handle() != 0], [0, true], "it runs on")
	_own.step(4)
	eq([revoked.calls.size(), _handle()], [1, 0], "given back when it has ended by itself")
	eq(_own.diary.take("end"), "end Slash 0", "which was completed")


func test_granted_actions_and_a_system_that_comes_late() -> void:
	var rig: Rig = Rig.new(self, [_by(_method(GameplayAbility.new()))])
	var late: AbilitySystem = AbilitySystem.new()
	var granted: SignalRecord = record(late.ability_granted)
	rig.agent.add_child(late)
	rig.step()
	eq(granted.calls.size(), 1, "the set grants in the next step")
	rig.brain.grant_action(_by(_method(GameplayAbility.new()), &"Extra"))
	eq(granted.calls.size(), 2, "an action that is granted")


func test_end_of_an_ability_in_its_own_start() -> void:
	_set_up([_by(_method(_ability("Slash", 0.0)))])
	_rig.brain.execute_action(&"Slash")
	eq(_own.diary.take("activate end"), "activate Slash, end Slash 0", "over at once")
	_step(2)
	eq(_rig.diary.take(), "started Slash, ended Slash 0", "the action ends with it")


func test_hostile_abilities() -> void:
	for deed: String in ["get_agent().get_node(\"Brain\").abort_action()", "get_agent().get_node(\"Brain\").execute_action(&\"Jab\")", "get_agent().get_node(\"Brain\").default_action_set = null", "get_agent().get_node(\"Brain\").queue_free()", "get_ability_system().queue_free()", "for handle: int in get_ability_system().get_active_handles(): get_ability_system().revoke_ability(handle)", "get_agent().get_parent().remove_child(get_agent())", "get_agent().queue_free()", "cancel_ability()"]:
		for hook: String in ["_activate(_context: ActionContext)", "_tick(_delta: float)", "_end(_reason: int)"]:
			_own = null
			var ability: GameplayAbility = script("extends GameplayAbility\nvar done := false\nfunc %s -> void:\n\tif not done and get_agent() != null:\n\t\tdone = true\n\t\t%s\n" % [hook, deed]).new()
			_set_up([_by(_method(ability)), Rig.spec(&"Jab")])
			var agent: Node = _own.agent
			var brain: ActionEvaluator = _rig.brain
			var system: AbilitySystem = _own.system
			var counts: Dictionary = {"begun": 0, "over": 0, "active": 0}
			brain.action_started.connect(func(_id: StringName, _target: Node, _run: int) -> void: counts.begun += 1)
			brain.action_ended.connect(func(_id: StringName, _reason: int, _run: int) -> void: counts.over += 1)
			system.ability_activated.connect(func(_handle: int, _id: int) -> void: counts.active += 1)
			system.ability_ended.connect(func(_handle: int, _reason: int, _id: int) -> void: counts.active -= 1)
			brain.execute_action(&"Slash")
			for i: int in 3:
				if is_instance_valid(system) and system.is_inside_tree():
					system.advance(0.1)
				if is_instance_valid(brain) and brain.is_inside_tree() and brain.is_started():
					brain.advance(0.1)
			if is_instance_valid(brain) and brain.is_inside_tree():
				brain.abort_action()
			if is_instance_valid(agent):
				agent.queue_free()
				if agent.is_inside_tree():
					remove_child(agent)
			eq([counts.begun - counts.over, counts.active], [0, 0], "%s in %s: everything that began has ended" % [deed, hook])
			await idle(1)


func test_ex_35_e38() -> void:
	_own = Abilities.new(self)
	var text: String = """[gd_resource type="ActionSet" format=3]

[sub_resource type="GameplayAbility" id="slash"]

[sub_resource type="RangeCurve" id="near"]

[sub_resource type="RangeCurve" id="any"]
always_one = true

[sub_resource type="ActionSpec" id="spec"]
action_id = &"Slash"
ability = SubResource("slash")
timeout = 4.0
distance_range = SubResource("near")
speed_range = SubResource("any")
stamina_cost = 20.0

[resource]
format_version = 0
actions = Array[ActionSpec]([SubResource("spec")])
"""
	var path: String = "user://version_0.tres"
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	expect_warning("the file has an older format", 1)
	for turn: String in ["first", "second"]:
		var moves: ActionSet = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_REPLACE_DEEP)
		var spec: ActionSpec = moves.actions[0]
		var method: AbilityMethod = spec.execution_method as AbilityMethod
		check(method != null and method.ability is GameplayAbility, turn + ": AbilityMethod with the ability")
		near(method.ability_timeout, 4.0, 1e-6, turn + ": 4 s")
		eq([spec.scorers.size(), spec.scorers[0].get_class()], [1, "DistanceScorer"], turn + ": no SpeedScorer")
		eq([spec.gates.size(), spec.gates[0].get_class()], [1, "StaminaGate"], turn + ": a gate")
		near((spec.gates[0] as StaminaGate).min_stamina, 20.0, 1e-6, turn + ": of 20")
		await idle(2)
	eq(FileAccess.get_file_as_string(path), text, "no file was written")
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))


func test_compact_methods() -> void:
	var spec: ActionSpec = ActionSpec.new()
	var ability: GameplayAbility = GameplayAbility.new()
	spec.set(&"ability_tag", "Attack.Light")
	spec.set(&"timeout", 2)
	eq([(spec.execution_method as AbilityByTagMethod).activation_tag, (spec.execution_method as AbilityByTagMethod).ability_timeout], [&"Attack.Light", 2.0], "by tag")
	spec.set(&"wait_for_end", false)
	eq((spec.execution_method as FireAndForgetAbilityMethod).activation_tag, &"Attack.Light", "left alone")
	spec.set(&"ability", ability)
	eq([(spec.execution_method as FireAndForgetAbilityMethod).ability, (spec.execution_method as FireAndForgetAbilityMethod).activation_tag], [ability, &""], "the ability counts")
	spec.set(&"wait_for_end", true)
	eq([(spec.execution_method as AbilityMethod).ability, (spec.execution_method as AbilityMethod).ability_timeout], [ability, 2.0], "an ability to its end")
	var own: CallMethod = CallMethod.new()
	spec.execution_method = own
	spec.set(&"timeout", 3.0)
	eq(spec.execution_method, own, "a method that a script assigned stays")
	expect_error("ability is Object; it stays as it was. Allowed: GameplayAbility.", 1)
	spec.set(&"ability", own)


func test_context_names_the_ability_system() -> void:
	var seen: Array = []
	var gate: ActionGate = script("extends ActionGate\nvar seen: Array\nfunc _passes_gate(context: DecisionContext) -> bool:\n\tseen.append([context.ability_system, context.copy().ability_system])\n\treturn true\n").new()
	gate.set(&"seen", seen)
	_own = Abilities.new(self)
	_set_up([Rig.gated(Rig.spec(&"Jab"), [gate])])
	_rig.choose()
	eq(seen, [[_own.system, _own.system]], "the agent's")
	var made: DecisionContext = DecisionContext.new()
	is_null(made.ability_system, "of a new one")
	made.agent = _own.agent
	eq(made.ability_system, _own.system, "found by its agent")
	made.ability_system = null
	is_null(made.ability_system, "unless a script says otherwise")


func test_events_are_answered_by_reactions() -> void:
	var ability: Abilities.Ability = _ability("Stagger")
	ability.trigger_tags = ["Event.Hit"]
	_own.grant(ability)
	_set_up([Rig.spec(&"Jab")])
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	reactions.name = "Reactions"
	reactions.process_callback = ReactionEvaluator.PROCESS_MANUAL
	var parry: ReactionSpec = ReactionSpec.new()
	parry.reaction_id = &"Parry"
	parry.trigger_tags = ["Event.Hit"]
	parry.add_tags = []
	parry.execution_method = Rig.spec(&"X").execution_method
	var answers: ReactionSet = ReactionSet.new()
	answers.reactions = [parry]
	reactions.default_reaction_set = answers
	_own.agent.add_child(reactions)
	reactions.reaction_started.connect(func(id: StringName, target: Node, _run: int) -> void: _own.diary.write("reacted %s %s" % [id, target.name if target != null else &"nobody"]))
	var foe: Node3D = _rig.add_foe(Vector3(0, 0, -2))
	_own.diary.take()
	eq(_own.system.send_event(&"Event.Hit.Head", ActionContext.create(foe, 3.0)), 1, "one ability starts")
	eq(_own.diary.take("activate reacted"), "activate Stagger, reacted Parry Foe", "the reaction comes after it, at the same target")
	reactions.abort_reaction()
	reactions.listen_to_events = false
	_own.system.cancel_abilities()
	_own.system.send_event(&"Event.Hit")
	eq(_own.diary.take("reacted"), "", "switched off")
	reactions.listen_to_events = true
	_own.agent.remove_child(reactions)
	_own.system.send_event(&"Event.Hit")
	eq(_own.diary.take("reacted"), "", "a node that has left does not listen, and it is no error")
	reactions.queue_free()
