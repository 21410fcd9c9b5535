extends TestCase
## Combat tokens: who gets them, who gives them back, and the gate that asks for them.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const ATTACK := &"Token.Attack"
const POOLS := "riposte/combat_tokens/pools"
const DEFAULT := "riposte/combat_tokens/default_capacity"

var _heard: PackedStringArray = []


func _gate(cost: int = 1, tag: StringName = ATTACK) -> CombatTokenGate:
	var made: CombatTokenGate = CombatTokenGate.new()
	made.cost = cost
	made.token_tag = tag
	return made


func _jab(cost: int = 1, weight: float = 1.0) -> ActionSpec:
	return Rig.gated(Rig.spec(&"Jab", weight), [_gate(cost)])


func _rig(specs: Array[ActionSpec], foe: Node, named: String = "Guard") -> Rig:
	var rig: Rig = Rig.new(self, specs)
	rig.agent.name = named
	rig.brain.target = foe
	return rig


func _foe(at: Vector3 = Vector3(0, 0, -2)) -> Node3D:
	var foe: Node3D = Node3D.new()
	foe.name = "Foe"
	foe.position = at
	add_child(foe)
	return foe


func _free(foe: Node) -> int:
	return CombatTokens.get_free(foe, ATTACK)


func _listen() -> void:
	_heard.clear()
	CombatTokens.token_acquired.connect(_on_acquired)
	CombatTokens.token_released.connect(_on_released)


func _deafen() -> void:
	CombatTokens.token_acquired.disconnect(_on_acquired)
	CombatTokens.token_released.disconnect(_on_released)


func _on_acquired(target: Node, tag: StringName, holder: Node) -> void:
	_heard.append("+ %s %s %s" % [target.name, tag, holder.name])


func _on_released(target: Node, tag: StringName, holder: Node) -> void:
	_heard.append("- %s %s %s" % [target.name, tag, holder.name])


func test_ex_30_a74() -> void:
	var foe: Node3D = _foe()
	var a: Rig = _rig([_jab()], foe, "A")
	var b: Rig = _rig([_jab()], foe, "B")
	var c: Rig = _rig([_jab(1), Rig.gated(Rig.spec(&"Slam"), [_gate(2)])], foe, "C")
	eq([a.choose(), b.choose()], [&"Jab", &"Jab"], "two slots, two attackers")
	eq(CombatTokens.get_holders(foe, ATTACK), [a.agent, b.agent], "holders")
	eq(c.refusal(&"Jab"), ActionEvaluator.REFUSAL_GATE, "C asks while A and B hold")
	eq(c.row(&"Jab").get("detail"), "CombatTokenGate Token.Attack x1", "which gate")
	a.brain.abort_action()
	eq(c.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "A ended")
	eq(c.refusal(&"Slam"), ActionEvaluator.REFUSAL_GATE, "a cost of two with one free")


func test_defaults_and_checks_of_the_gate() -> void:
	var gate: CombatTokenGate = CombatTokenGate.new()
	eq([gate.token_tag, gate.cost], [ATTACK, 1], "defaults")
	expect_warning("CombatTokenGate: cost = 0 is read as 1.")
	gate.cost = 0
	eq(gate.cost, 1, "cost")
	expect_error("CombatTokenGate: token_tag")
	gate.token_tag = &"Token..Attack"
	eq(gate.token_tag, ATTACK, "an invalid tag is refused")


func test_the_gate_needs_a_target_and_costs_add_up() -> void:
	var foe: Node3D = _foe()
	var rig: Rig = _rig([Rig.gated(Rig.spec(&"Combo"), [_gate(1), _gate(2)]), _jab()], null)
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_GATE, "without a target")
	rig.brain.target = foe
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "with one")
	eq(rig.refusal(&"Combo"), ActionEvaluator.REFUSAL_GATE, "three of two")
	CombatTokens.set_target_capacity(foe, ATTACK, 3)
	eq(rig.refusal(&"Combo"), ActionEvaluator.REFUSAL_NONE, "three of three")
	rig.brain.execute_action(&"Combo")
	eq(_free(foe), 0, "all three are taken")


func test_capacities() -> void:
	var foe: Node3D = _foe()
	eq(CombatTokens.get_capacity(foe, ATTACK), 2, "default")
	ProjectSettings.set_setting(DEFAULT, 4)
	ProjectSettings.set_setting(POOLS, {"Token.Heavy": 1})
	eq([CombatTokens.get_capacity(foe, ATTACK), CombatTokens.get_capacity(foe, &"Token.Heavy")], [4, 1], "project")
	CombatTokens.set_pool_capacity(&"Token.Heavy", 3)
	eq(CombatTokens.get_capacity(foe, &"Token.Heavy"), 3, "pool at run time")
	CombatTokens.set_target_capacity(foe, &"Token.Heavy", 0)
	eq(CombatTokens.get_capacity(foe, &"Token.Heavy"), 0, "this target")
	eq(CombatTokens.get_capacity(null, &"Token.Heavy"), 3, "any other")
	CombatTokens.set_target_capacity(foe, &"Token.Heavy", -1)
	CombatTokens.set_pool_capacity(&"Token.Heavy", -1)
	eq(CombatTokens.get_capacity(foe, &"Token.Heavy"), 1, "project again")
	ProjectSettings.set_setting(DEFAULT, 2)
	ProjectSettings.set_setting(POOLS, {})


func test_pools_with_nonsense() -> void:
	var foe: Node3D = _foe()
	ProjectSettings.set_setting(POOLS, {
		"Token.A": -3, "Token.B": "many", "Token.C": NAN, "Token.D": 1e30, "Token.E": null, "Token.F": 3.0,
		"": 4, "Token..G": 4, 7: 1, "Token.H": 0,
	})
	for tag: String in ["A", "B", "C", "D", "E"]:
		expect_warning("CombatTokens: project setting riposte/combat_tokens/pools, \"Token.%s\"" % tag)
	expect_warning("pools, \"Token..G\": it is no tag")
	expect_warning("pools: it is no tag")
	for tag: String in ["A", "B", "C", "D", "E"]:
		eq(CombatTokens.get_capacity(foe, "Token." + tag), 2, tag + " has the default")
	eq(CombatTokens.get_capacity(foe, &"Token.F"), 3, "a whole float is a number")
	eq(CombatTokens.get_capacity(foe, &"Token.H"), 0, "none at all is allowed")
	ProjectSettings.set_setting(POOLS, {})


func test_calls_with_nonsense() -> void:
	var foe: Node3D = _foe()
	var gone: Node3D = Node3D.new()
	gone.free()
	var outside: Node3D = Node3D.new()
	for nobody: Variant in [null, gone, outside]:
		check(not CombatTokens.acquire(nobody, foe, ATTACK), "no holder")
		check(not CombatTokens.acquire(foe, nobody, ATTACK), "no target")
	for nobody: Variant in [null, gone]:
		eq(CombatTokens.get_free(nobody, ATTACK), 0, "free")
		eq(CombatTokens.get_holders(nobody, ATTACK), [], "holders")
		eq([CombatTokens.release(nobody, foe, ATTACK), CombatTokens.release_all(nobody)], [0, 0], "released")
		CombatTokens.set_target_capacity(nobody, ATTACK, 9)
	outside.free()
	expect_error("CombatTokens: acquire() got -1 slots, so nothing changed. Give 1 to 1000000.")
	expect_error("CombatTokens: set_pool_capacity() got -2 slots")
	expect_error("CombatTokens: set_target_capacity() got 99999999999 slots")
	expect_error("CombatTokens: get_free: ")
	check(not CombatTokens.acquire(self, foe, ATTACK, -1), "a negative cost")
	CombatTokens.set_pool_capacity(ATTACK, -2)
	CombatTokens.set_target_capacity(foe, ATTACK, 99_999_999_999)
	eq(CombatTokens.get_free(foe, &"not a tag"), 0, "no tag")
	eq(CombatTokens.get_capacity(foe, ATTACK), 2, "nothing changed")


func test_scripts_take_and_give_back() -> void:
	var foe: Node3D = _foe()
	_listen()
	check(CombatTokens.acquire(self, foe, ATTACK), "one")
	check(not CombatTokens.acquire(self, foe, ATTACK, 2), "two of one: nothing is taken")
	eq(_free(foe), 1, "free")
	check(CombatTokens.acquire(self, foe, ATTACK), "another")
	eq(CombatTokens.get_holders(foe, ATTACK), [self], "each holder once")
	eq(CombatTokens.release(self, foe, ATTACK), 2, "both")
	eq(CombatTokens.release_all(self), 0, "nothing left")
	_deafen()
	var got: String = "+ Foe Token.Attack %s" % name
	var gave: String = "- Foe Token.Attack %s" % name
	eq(_heard, [got, got, gave, gave], "signals")


func test_a_run_takes_its_slots_before_it_begins_and_gives_them_back_for_any_reason() -> void:
	var foe: Node3D = _foe()
	var rig: Rig = _rig([_jab()], foe)
	_listen()
	rig.diary.on("begin Jab", func() -> void: _heard.append("begin %d" % _free(foe)))
	rig.brain.action_ended.connect(func(_id: StringName, _why: int, _run: int) -> void: _heard.append("ended %d" % _free(foe)))
	rig.choose()
	rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
	_deafen()
	eq(_heard, ["+ Foe Token.Attack Guard", "begin 1", "- Foe Token.Attack Guard", "ended 2"], "order")


func test_a_refused_start_gives_them_back() -> void:
	var foe: Node3D = _foe()
	var jab: ActionSpec = _jab()
	var rig: Rig = _rig([jab], foe)
	Rig.method_of(jab).begins = false
	eq(rig.choose(), &"", "the method does not begin")
	eq(_free(foe), 2, "free")
	Rig.method_of(jab).begins = true
	rig.diary.once("begin Jab", func() -> void: rig.brain.abort_action())
	eq(rig.choose(), &"", "aborted in its start")
	eq(_free(foe), 2, "free")


func test_a_forced_run_goes_on_without_them_unless_it_respects_gates() -> void:
	var foe: Node3D = _foe()
	CombatTokens.set_target_capacity(foe, ATTACK, 1)
	var first: Rig = _rig([_jab()], foe, "First")
	var second: Rig = _rig([_jab()], foe, "Second")
	first.choose()
	eq(second.brain.execute_action(&"Jab", true), 0, "respects gates")
	has_element(second.diary.take("refused"), "refused Jab %d" % ActionEvaluator.REFUSAL_GATE, "why")
	ne(second.brain.execute_action(&"Jab"), 0, "forced")
	eq(CombatTokens.get_holders(foe, ATTACK), [first.agent], "it holds none")
	second.brain.abort_action()
	eq(_free(foe), 0, "and gives back none")
	first.brain.abort_action()
	eq(_free(foe), 1, "only the one that took it")


func test_slots_of_what_ends_for_it_count_as_free() -> void:
	var foe: Node3D = _foe()
	CombatTokens.set_target_capacity(foe, ATTACK, 1)
	var slam: ActionSpec = Rig.gated(Rig.spec(&"Slam", 5.0), [_gate()])
	slam.priority = 1
	slam.enabled = false
	var rig: Rig = _rig([_jab(), slam], foe)
	eq(rig.choose(), &"Jab", "first")
	slam.enabled = true
	rig.step()
	eq(rig.choose(), &"Slam", "breaks the other one and gets its slot")
	eq([_free(foe), CombatTokens.get_holders(foe, ATTACK)], [0, [rig.agent]], "held once")
	rig.brain.abort_action()
	eq(_free(foe), 1, "balanced")


func test_a_reservation_serves_the_run_and_stays() -> void:
	var foe: Node3D = _foe()
	CombatTokens.set_target_capacity(foe, ATTACK, 1)
	var rig: Rig = _rig([_jab()], foe)
	check(CombatTokens.acquire(rig.agent, foe, ATTACK), "reserved")
	eq(rig.choose(), &"Jab", "own slots count as free")
	rig.brain.abort_action()
	eq(CombatTokens.get_holders(foe, ATTACK), [rig.agent], "the run gave back only what it took")
	eq(CombatTokens.release(rig.agent, foe, ATTACK), 1, "one slot")


func test_a_retarget_moves_them_or_does_not_happen() -> void:
	var near_foe: Node3D = _foe(Vector3(0, 0, -3))
	var other: Node3D = _foe(Vector3(0, 0, -4))
	near_foe.name = "Near"
	other.name = "Other"
	var shot: ActionSpec = Rig.scored(_jab(), [Doubles.scorer_that(func(_scorer: Resource, context: DecisionContext) -> float:
		return context.target.get_meta(&"worth", 0.5) if context.target != null else 0.0)])
	shot.target_mode = ActionSpec.TARGET_EACH
	shot.retarget_policy = ActionSpec.RETARGET_SWITCH
	shot.commitment_time = 0.0
	var rig: Rig = _rig([shot], near_foe)
	rig.brain.set_candidate_targets([near_foe, other])
	near_foe.set_meta(&"worth", 1.0)
	rig.choose()
	eq(CombatTokens.get_holders(near_foe, ATTACK), [rig.agent], "on the first")
	other.set_meta(&"worth", 9.0)
	check(CombatTokens.acquire(self, other, ATTACK, 2), "the other one is taken")
	rig.step()
	rig.brain.evaluate_now()
	eq(rig.brain.get_running_target(), near_foe, "no slot there: the target stays")
	eq(CombatTokens.get_holders(near_foe, ATTACK), [rig.agent], "and so does the slot")
	CombatTokens.release_all(self)
	rig.brain.evaluate_now()
	eq(rig.brain.get_running_target(), other, "it moves")
	eq(CombatTokens.get_holders(near_foe, ATTACK), [], "nothing on the first")
	eq(CombatTokens.get_holders(other, ATTACK), [rig.agent], "one on the other")
	rig.brain.abort_action()
	eq([_free(near_foe), _free(other)], [2, 2], "balanced")


func test_who_is_gone_holds_nothing() -> void:
	var foe: Node3D = _foe()
	var rig: Rig = _rig([_jab()], foe, "Dies")
	var plain: Node = add(Node.new())
	plain.name = "Plain"
	rig.choose()
	CombatTokens.acquire(plain, foe, ATTACK)
	_listen()
	rig.agent.queue_free()
	await idle(2)
	eq(_free(foe), 1, "the agent was freed")
	plain.free()
	eq(_free(foe), 2, "a holder was freed in the middle of a frame")
	_deafen()
	eq(_heard, ["- Foe Token.Attack Dies", "- Foe Token.Attack Plain"], "told with the nodes")


func test_leaving_the_tree_gives_them_back() -> void:
	var foe: Node3D = _foe()
	var rig: Rig = _rig([_jab()], foe)
	rig.choose()
	remove_child(rig.agent)
	eq(_free(foe), 2, "the agent waits outside the tree")
	add_child(rig.agent)
	rig.choose()
	eq(_free(foe), 1, "and is back")
	remove_child(foe)
	eq([_free(foe), CombatTokens.get_holders(foe, ATTACK)], [2, []], "the target left")
	foe.free()
	rig.brain.abort_action()


func test_a_freed_target_takes_its_slots_with_it() -> void:
	var foe: Node3D = _foe()
	var rig: Rig = _rig([_jab()], foe)
	rig.choose()
	CombatTokens.set_target_capacity(foe, ATTACK, 7)
	foe.free()
	eq(rig.brain.get_running_action(), &"Jab", "the run goes on")
	rig.step(2)
	is_null(rig.brain.get_running_target(), "without a target")
	rig.brain.abort_action()
	eq(CombatTokens.release_all(rig.agent), 0, "nothing is held")


func test_handlers_may_do_anything() -> void:
	var foe: Node3D = _foe()
	var rig: Rig = _rig([_jab()], foe)
	var meddle: Callable = func(_target: Node, _tag: StringName, _holder: Node) -> void:
		rig.brain.abort_action()
		rig.brain.execute_action(&"Jab")
		CombatTokens.release_all(rig.agent)
	CombatTokens.token_acquired.connect(meddle, CONNECT_ONE_SHOT)
	rig.choose()
	rig.step(2)
	rig.brain.abort_action()
	eq(_free(foe), 2, "balanced")
	var end: Callable = func(_target: Node, _tag: StringName, _holder: Node) -> void: rig.agent.free()
	CombatTokens.token_acquired.connect(end, CONNECT_ONE_SHOT)
	rig.brain.evaluate_now()
	eq(_free(foe), 2, "the agent was freed while its run began")


func test_a_target_that_is_freed_by_a_handler() -> void:
	var foe: Node3D = _foe()
	var rig: Rig = _rig([_jab()], foe)
	CombatTokens.token_acquired.connect(func(target: Node, _tag: StringName, _holder: Node) -> void: target.free(), CONNECT_ONE_SHOT)
	rig.brain.evaluate_now()
	rig.step(2)
	rig.brain.abort_action()
	eq(CombatTokens.release_all(rig.agent), 0, "nothing is held")


func test_a_reaction_gets_the_slot_of_the_action_that_ends_for_it() -> void:
	var foe: Node3D = _foe()
	CombatTokens.set_target_capacity(foe, ATTACK, 1)
	var rig: Rig = _rig([_jab()], foe)
	var riposte: ReactionSpec = ReactionSpec.new()
	riposte.reaction_id = &"Riposte"
	riposte.trigger_tags = ["Event.Attack"]
	riposte.execution_method = Doubles.Method.new()
	riposte.gates = [_gate()]
	var reactions: ReactionSet = ReactionSet.new()
	reactions.reactions = [riposte]
	var node: ReactionEvaluator = ReactionEvaluator.new()
	node.process_callback = ReactionEvaluator.PROCESS_MANUAL
	node.default_reaction_set = reactions
	rig.agent.add_child(node)
	await idle()
	rig.choose()
	eq(node.react(&"Event.Attack"), &"Riposte", "answers")
	eq([rig.brain.is_executing(), node.is_executing()], [false, true], "in place of the action")
	eq(CombatTokens.get_holders(foe, ATTACK), [rig.agent], "with its slot")
	node.abort_reaction()
	eq(_free(foe), 1, "balanced")


func test_two_hundred_agents_over_one_target() -> void:
	var foe: Node3D = _foe()
	CombatTokens.set_target_capacity(foe, ATTACK, 5)
	var jab: ActionSpec = Rig.gated(Rig.quick(&"Jab"), [_gate()])
	var rigs: Array[Rig] = []
	for i: int in 200:
		rigs.append(_rig([jab], foe, "Agent%d" % i))
	var most: int = 0
	for turn: int in 6:
		for rig: Rig in rigs:
			rig.brain.evaluate_now()
		var holders: Array[Node] = CombatTokens.get_holders(foe, ATTACK)
		most = maxi(most, holders.size())
		eq(holders.size() + _free(foe), 5, "every slot is held or free")
		for i: int in 5:
			if turn % 2 == 0:
				rigs.pop_front().agent.free()
		for rig: Rig in rigs:
			rig.step()
	eq(most, 5, "as many as there are slots attack")


func test_a_set_that_is_swapped_while_slots_are_held() -> void:
	var foe: Node3D = _foe()
	var rig: Rig = _rig([_jab()], foe)
	rig.choose()
	var other: ActionSet = ActionSet.new()
	other.actions = [Rig.gated(Rig.spec(&"Stab"), [_gate(2)])]
	rig.brain.set_runtime_override(other)
	rig.step()
	eq([rig.brain.get_running_action(), _free(foe)], [&"", 2], "the run is cancelled and gave its slot back")
	eq(rig.choose(), &"Stab", "the new action needs two")
	eq(_free(foe), 0, "and has them")
	rig.brain.clear_runtime_override()
	eq(_free(foe), 2, "swapped back")


func test_an_edited_gate_does_not_change_what_a_run_gives_back() -> void:
	var foe: Node3D = _foe()
	var jab: ActionSpec = _jab()
	var rig: Rig = _rig([jab], foe)
	rig.choose()
	var gates: Array = jab.gates
	gates[0].cost = 2
	rig.step()
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "two free, its own included")
	jab.gates = []
	rig.step()
	rig.brain.abort_action()
	eq(_free(foe), 2, "the run gave back what it took")


func test_too_dear_is_a_configuration_warning() -> void:
	var set: ActionSet = ActionSet.new()
	set.actions = [Rig.gated(Rig.spec(&"Horde"), [_gate(2), _gate(1)]), _jab(2), Rig.gated(Rig.spec(&"Odd"), [_gate(1, &"")])]
	var messages: Array = set.validate().map(func(row: Dictionary) -> String: return "%s: %s" % [row.action, row.message])
	eq(messages.filter(func(text: String) -> bool: return text.begins_with("Horde: gates: CombatTokenGate takes 3 of Token.Attack, and a target has 2")).size(), 1, "summed")
	eq(messages.filter(func(text: String) -> bool: return text.begins_with("Jab")), [], "as many as there are is allowed")
	has_element(messages, "Odd: gates[0]: token_tag is empty, so the gate has no effect. Set a tag, or remove the gate.", "no tag")
	CombatTokens.set_pool_capacity(ATTACK, 3)
	check(not str(set.validate()).contains("takes 3"), "a larger pool")
	CombatTokens.set_pool_capacity(ATTACK, -1)
