extends TestCase
## The rules of reactions in a scene: targets, order of refusals, scores, what is replaced, what ends, what is added.

const Kit := preload("res://support/reaction_rig.gd")
const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const HIT: StringName = Kit.HIT


class Judge:
	extends ReactionEvaluator
	var vetoed: StringName = &""
	var factor: float = 1.0
	var asked: PackedStringArray = []

	func _can_execute_reaction(reaction_id: StringName, context: DecisionContext) -> bool:
		asked.append("%s %.1f" % [reaction_id, context.distance])
		return reaction_id != vetoed

	func _modify_reaction_score(_reaction_id: StringName, base_score: float, _context: DecisionContext) -> float:
		return base_score * factor


func _foe(at: Vector3, tags: PackedStringArray = PackedStringArray()) -> Node3D:
	var made: Node3D = Node3D.new()
	made.position = at
	if not tags.is_empty():
		made.add_child(Rig.tag_container(tags))
	return add(made)


## The first refusal of an event that nothing answers.
func _why(kit: Kit, event: StringName = HIT, context: ActionContext = null) -> int:
	eq(kit.reactions.react(event, context), &"", "no answer")
	return kit.refusals()[0]


func test_whom_it_is_aimed_at() -> void:
	var kit: Kit = Kit.new(self, [Kit.reaction()])
	var focus: Node3D = _foe(Vector3(0, 0, -1))
	var named: Node3D = _foe(Vector3(0, 0, -2))
	var over: Node3D = _foe(Vector3(0, 0, -3))
	var targets: SignalRecord = record(kit.reactions.reaction_started)
	kit.brain.target = focus
	for row: Array in [[named, over], [named, null], [null, null]]:
		kit.reactions.react(HIT, ActionContext.create(row[0]), row[1])
		kit.reactions.abort_reaction()
	kit.brain.target = null
	kit.reactions.react(HIT)
	eq(targets.arguments(1), [over, named, focus, null], "override, context, focus, none")
	kit.reactions.abort_reaction()
	var gone: Node3D = Node3D.new()
	var context: ActionContext = ActionContext.create(gone)
	gone.free()
	kit.brain.target = focus
	kit.reactions.react(HIT, context)
	eq(targets.arguments(1)[4], focus, "a freed target counts as none")


func test_the_same_gates_and_scorers_on_a_live_snapshot() -> void:
	var parry: ReactionSpec = Kit.reaction()
	parry.scorers = [DistanceScorer.new(), AngleScorer.new()]
	var gate: Doubles.Gate = Doubles.Gate.new()
	gate.answer = func(_gate: ActionGate, context: DecisionContext) -> bool: return context.distance < 4.9
	parry.gates = [gate]
	var kit: Kit = Kit.new(self, [parry])
	var foe: Node3D = _foe(Vector3(0, 0, -3.75))
	kit.reactions.record_decisions = true
	kit.reactions.react(HIT, null, foe)
	near(kit.reactions.get_last_decision().score, 0.5, 1e-6, "3.75 m on the melee curve")
	kit.reactions.abort_reaction()
	foe.position = Vector3(0, 0, -2)
	kit.reactions.react(HIT, null, foe)
	near(kit.reactions.get_last_decision().score, 1.0, 1e-6, "as it stands at the moment of the event")
	kit.reactions.abort_reaction()
	foe.position = Vector3(2, 0, 0)
	eq(_why(kit, HIT, ActionContext.create(foe)), ReactionEvaluator.REFUSAL_ZERO_SCORE, "at the side")
	foe.position = Vector3(0, 0, -4.95)
	eq(_why(kit, HIT, ActionContext.create(foe)), ReactionEvaluator.REFUSAL_GATE, "its gate")
	eq(_why(kit), ReactionEvaluator.REFUSAL_ZERO_SCORE, "no distance without a target")


func test_vitals_and_speed_of_the_agent_and_of_the_target() -> void:
	var heal: ReactionSpec = Kit.reaction(&"Heal")
	var health: HealthScorer = HealthScorer.new()
	health.range = RangeCurve.low_health()
	heal.scorers = [health]
	var finish: ReactionSpec = Kit.reaction(&"Finish")
	var theirs: HealthScorer = HealthScorer.new()
	theirs.source = HealthScorer.SOURCE_TARGET
	theirs.range = RangeCurve.low_health()
	finish.scorers = [theirs]
	var kit: Kit = Kit.new(self, [heal, finish])
	var own: AgentVitals = _vitals(kit.agent)
	var foe: Node3D = _foe(Vector3(0, 0, -2))
	var other: AgentVitals = _vitals(foe)
	eq(kit.reactions.react(HIT, null, foe), &"", "both are well")
	own.set_value(&"Vital.Health", 20.0)
	eq(kit.reactions.react(HIT, null, foe), &"Heal", "read at the event")
	kit.reactions.abort_reaction()
	own.set_value(&"Vital.Health", 100.0)
	other.set_value(&"Vital.Health", 10.0)
	eq(kit.reactions.react(HIT, null, foe), &"Finish", "of the override")
	kit.reactions.abort_reaction()
	kit.brain.target = _foe(Vector3(0, 0, -1))
	eq(kit.reactions.react(HIT), &"", "the focus is well")


func _vitals(agent: Node) -> AgentVitals:
	var made: AgentVitals = AgentVitals.new()
	var row: AgentVital = AgentVital.new()
	row.tag = &"Vital.Health"
	made.vitals = [row]
	agent.add_child(made)
	return made


func test_the_first_failure_in_order() -> void:
	var parry: ReactionSpec = Kit.reaction()
	var kit: Kit = Kit.new(self, [parry], [Rig.spec(&"Jab")], Judge.new())
	var judge: Judge = kit.reactions
	var tags: TagContainer = Rig.tag_container(["State.ReactionsBlocked"])
	kit.agent.add_child(tags)
	kit.acting.moves.actions[0].interrupt_class = ActionSpec.INTERRUPT_NEVER
	kit.brain.advance(0.1)
	kit.brain.execute_action(&"Jab")
	var gate: Doubles.Gate = Doubles.Gate.new()
	gate.open = false
	var method: ExecutionMethod = parry.execution_method
	parry.enabled = false
	parry.execution_method = null
	parry.require_target = true
	parry.requires_tags = ["Needed"]
	parry.block_tags = ["Blocked"]
	parry.gates = [gate]
	parry.selection_weight = 0.0
	parry.chance = 0.0
	judge.vetoed = &"Parry"
	var foe: Node3D = _foe(Vector3(0, 0, -2), ["Blocked"])
	var mend: Array = [
		[ReactionEvaluator.REFUSAL_DISABLED, func() -> void: parry.enabled = true],
		[ReactionEvaluator.REFUSAL_BLOCKED, func() -> void: tags.remove_tag(&"State.ReactionsBlocked")],
		[ReactionEvaluator.REFUSAL_TRIGGER, func() -> void: parry.trigger_tags = ["Event"]],
		[ReactionEvaluator.REFUSAL_NO_METHOD, func() -> void: parry.execution_method = method],
		[ReactionEvaluator.REFUSAL_COOLDOWN, func() -> void: judge.reset_all_cooldowns()],
		[ReactionEvaluator.REFUSAL_BUSY, func() -> void: parry.force_interrupt = true],
		[ReactionEvaluator.REFUSAL_NO_TARGET, func() -> void: kit.brain.target = foe],
		[ReactionEvaluator.REFUSAL_REQUIRED_TAGS, func() -> void: tags.add_tag(&"Needed")],
		[ReactionEvaluator.REFUSAL_BLOCK_TAGS, func() -> void: parry.block_tags = []],
		[ReactionEvaluator.REFUSAL_GATE, func() -> void: gate.open = true],
		[ReactionEvaluator.REFUSAL_SCRIPT_VETO, func() -> void: judge.vetoed = &""],
		[ReactionEvaluator.REFUSAL_ZERO_SCORE, func() -> void: parry.selection_weight = 1.0],
		[ReactionEvaluator.REFUSAL_CHANCE, func() -> void: parry.chance = 1.0],
	]
	parry.trigger_tags = ["Event.Other"]
	judge.set_cooldown(&"Parry", 100.0)
	for row: Array in mend:
		kit.step()
		eq(_why(kit), row[0], "refusal %d" % row[0])
		(row[1] as Callable).call()
	kit.step()
	eq(judge.react(HIT), &"Parry", "nothing is in its way")
	eq(judge.asked[-1], "Parry 2.0", "asked with the snapshot")


func test_the_script_has_the_last_word_on_the_score() -> void:
	var strong: ReactionSpec = Kit.reaction(&"Strong")
	strong.selection_weight = 2.0
	var kit: Kit = Kit.new(self, [strong, Kit.reaction(&"Weak")], [Rig.spec(&"Jab")], Judge.new())
	(kit.reactions as Judge).factor = 3.0
	kit.reactions.react(HIT)
	near(kit.reactions.get_last_decision().score, 6.0, 1e-6, "its factor")
	kit.reactions.abort_reaction()
	(kit.reactions as Judge).vetoed = &"Strong"
	eq(kit.reactions.react(HIT), &"Weak", "its veto")


func test_scores_know_no_novelty_no_chain_and_no_global_multiplier() -> void:
	var kit: Kit = Kit.new(self, [Kit.reaction()])
	kit.brain.global_multiplier = 0.0
	for n: int in 4:
		eq(kit.reactions.react(HIT), &"Parry", "event %d" % n)
		near(kit.reactions.get_last_decision().score, 1.0, 1e-9, "the same score")
		kit.reactions.abort_reaction()


func test_live_seed_varies_scores_and_the_seed() -> void:
	var kit: Kit = Kit.new(self, [Kit.reaction()])
	var seeds: Array = []
	for live: bool in [false, false, true, true]:
		kit.reactions.live_seed = live
		kit.reactions.react(HIT)
		seeds.append(kit.reactions.get_last_decision().seed)
		kit.reactions.abort_reaction()
	eq(seeds.slice(0, 2), [0, 0], "off: 0")
	check(seeds[2] != 0 and seeds[2] != seeds[3], "on: another one for each event")


func test_chance_is_rolled_for_those_still_standing() -> void:
	var never: ReactionSpec = Kit.reaction(&"Never")
	never.chance = 0.0
	never.selection_weight = 5.0
	var kit: Kit = Kit.new(self, [never, Kit.reaction(&"Sure")])
	eq(kit.reactions.react(HIT), &"Sure", "the next best")
	eq(kit.refusals()[0], ReactionEvaluator.REFUSAL_CHANCE, "the dice")
	kit.reactions.abort_reaction()
	var hits: int = 0
	never.chance = 0.5
	kit.step()
	for n: int in 200:
		hits += 1 if kit.reactions.react(HIT) == &"Never" else 0
		kit.reactions.abort_reaction()
	between(hits, 75, 125, "half of the events")


func test_which_reactions_give_way() -> void:
	# Class and priority of what runs or waits, priority of the new one, whether it takes the place.
	var rows: Array = [
		[ReactionSpec.INTERRUPT_BY_PRIORITY, 100, 100, false],
		[ReactionSpec.INTERRUPT_BY_PRIORITY, 99, 100, true],
		[ReactionSpec.INTERRUPT_NEVER, 0, 100, false],
		[ReactionSpec.INTERRUPT_ANY, 100, 100, true],
		[ReactionSpec.INTERRUPT_ANY, 100, 99, false],
		[ReactionSpec.INTERRUPT_BY_MARGIN, 100, 100, true],
	]
	for waits: bool in [false, true]:
		for row: Array in rows:
			var old: ReactionSpec = Kit.delayed(1.0 if waits else 0.0, &"Old")
			old.interrupt_class = row[0]
			old.priority = row[1]
			var new: ReactionSpec = Kit.reaction(&"New", "Event.Push")
			new.priority = row[2]
			var kit: Kit = Kit.new(self, [old, new])
			kit.reactions.react(HIT)
			kit.took()
			eq(kit.reactions.react(&"Event.Push"), &"New" if row[3] else &"", "%s, waits %s" % [row, waits])
			if not row[3]:
				eq(kit.refusals()[1], ReactionEvaluator.REFUSAL_BUSY, "busy")
				eq(kit.took(), "ignored Event.Push", "told")
			elif not waits:
				eq(kit.took(), "end Old 1, start New", "one after the other")


func test_one_that_waits_loses_its_place_to_one_that_waits() -> void:
	var first: ReactionSpec = Kit.delayed(1.0, &"First")
	first.interrupt_class = ReactionSpec.INTERRUPT_ANY
	var kit: Kit = Kit.new(self, [first, Kit.delayed(0.5, &"Second", "Event.Push")])
	kit.reactions.react(HIT)
	kit.reactions.react(&"Event.Push")
	has_element(kit.lines, "ignored Event.Hit", "the first one's event")
	kit.step(20)
	eq(Array(kit.lines).filter(func(line: String) -> bool: return line.begins_with("start")), ["start Second"], "only the second starts")


func test_which_actions_give_way() -> void:
	# Class and priority of the action, priority of the reaction, whether it starts.
	var rows: Array = [
		[ActionSpec.INTERRUPT_BY_PRIORITY, 99, 100, true],
		[ActionSpec.INTERRUPT_BY_PRIORITY, 100, 100, false],
		[ActionSpec.INTERRUPT_BY_MARGIN, 100, 0, true],
		[ActionSpec.INTERRUPT_ANY, 100, 0, true],
		[ActionSpec.INTERRUPT_NEVER, 0, 100, false],
	]
	for row: Array in rows:
		var jab: ActionSpec = Rig.spec(&"Jab")
		jab.interrupt_class = row[0]
		jab.priority = row[1]
		var parry: ReactionSpec = Kit.reaction()
		parry.priority = row[2]
		var kit: Kit = Kit.new(self, [parry], [jab])
		kit.brain.execute_action(&"Jab")
		kit.reactions.react(HIT)
		eq(kit.took(), "action Jab 1, start Parry" if row[3] else "ignored Event.Hit", "%s" % [row])


func test_beside_the_action() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.interrupt_class = ActionSpec.INTERRUPT_NEVER
	var flinch: ReactionSpec = Kit.reaction(&"Flinch", "Event.Hit", 1)
	flinch.interrupts_action = false
	var kit: Kit = Kit.new(self, [flinch], [jab])
	kit.brain.execute_action(&"Jab")
	eq(kit.reactions.react(HIT), &"Flinch", "runs beside")
	kit.step(2)
	eq(kit.took(), "start Flinch, end Flinch 0", "and ends")
	eq(kit.brain.get_running_action(), &"Jab", "the action does not notice")


func test_a_refused_start_leaves_the_action_alone() -> void:
	var parry: ReactionSpec = Kit.reaction()
	(parry.execution_method as Doubles.Method).may_begin = false
	var kit: Kit = Kit.new(self, [parry])
	kit.brain.execute_action(&"Jab")
	eq(kit.reactions.react(HIT), &"", "checked before")
	eq(kit.took(), "ignored Event.Hit", "nothing ended")
	eq(kit.brain.get_running_action(), &"Jab", "it runs on")
	eq(kit.reactions.get_all_active_cooldowns(), {}, "and it costs nothing")


func test_no_offence_while_it_runs() -> void:
	var parry: ReactionSpec = Kit.reaction(&"Parry", "Event.Hit", 1)
	parry.add_tags = PackedStringArray(["State.ActionsBlocked"])
	var kit: Kit = Kit.new(self, [parry])
	kit.agent.add_child(TagContainer.new())
	kit.reactions.react(HIT)
	check(not kit.brain.evaluate_now(), "nothing is chosen")
	kit.step(2)
	check(kit.brain.evaluate_now(), "and again when it is over")


func test_recovery_is_added_when_it_completes_only() -> void:
	var parry: ReactionSpec = Kit.reaction(&"Parry", "Event.Hit", 1)
	parry.recovery_time = 2.0
	var config: AgentConfig = AgentConfig.new()
	config.action_recovery_time = 7.0
	config.interrupt_recovery_time = 5.0
	var kit: Kit = Kit.new(self, [parry])
	kit.reactions.config = config
	kit.reactions.react(HIT)
	kit.reactions.abort_reaction()
	near(kit.brain.get_recovery_remaining(), 0.0, 1e-6, "cancelled")
	kit.brain.add_recovery(1.0)
	kit.reactions.react(HIT)
	kit.step(2)
	near(kit.brain.get_recovery_remaining(), 3.0, 1e-6, "added to what is left; the config's own plays no part")


func test_it_needs_no_action_evaluator() -> void:
	var agent: Node3D = add(Node3D.new())
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	reactions.process_callback = ReactionEvaluator.PROCESS_MANUAL
	var parry: ReactionSpec = Kit.reaction(&"Parry", "Event.Hit", 1)
	parry.recovery_time = 1.0
	reactions.default_reaction_set = ReactionSet.new()
	reactions.default_reaction_set.reactions = [parry]
	agent.add_child(reactions)
	eq(reactions.react(HIT), &"Parry", "alone")
	reactions.advance(0.1)
	reactions.advance(0.1)
	check(not reactions.is_executing(), "it ends")


func test_cooldowns_repeats_and_spawn() -> void:
	var parry: ReactionSpec = Kit.reaction()
	parry.cooldown_initial = 1.0
	parry.max_consecutive_uses = 2
	var kit: Kit = Kit.new(self, [parry, Kit.reaction(&"Dodge", "Event.Push")])
	kit.reactions.repeat_reset_time = 0.0
	eq(_why(kit), ReactionEvaluator.REFUSAL_COOLDOWN, "at spawn")
	kit.step(10)
	for n: int in 2:
		eq(kit.reactions.react(HIT), &"Parry", "use %d" % n)
		kit.reactions.abort_reaction()
	eq(_why(kit), ReactionEvaluator.REFUSAL_REPEAT_LIMIT, "a third")
	kit.reactions.react(&"Event.Push")
	kit.reactions.abort_reaction()
	eq(kit.reactions.react(HIT), &"Parry", "after another one")


func test_a_bound_number() -> void:
	var parry: ReactionSpec = Kit.reaction()
	var binding: NumberBinding = NumberBinding.new()
	binding.property = &"cooldown_duration"
	binding.attribute = "position:x"
	parry.bindings = [binding]
	parry.cooldown_duration = 9.0
	var kit: Kit = Kit.new(self, [parry])
	kit.agent.position.x = 4.0
	kit.reactions.react(HIT)
	near(kit.reactions.get_remaining_cooldown(&"Parry"), 4.0, 1e-6, "of the agent, at the stamp")


func test_the_record_of_an_event() -> void:
	var kit: Kit = Kit.new(self, [Kit.reaction(), Kit.reaction(&"Dodge", "Event.Push")])
	kit.reactions.record_decisions = true
	kit.reactions.react(HIT)
	kit.reactions.execute_reaction(&"Dodge")
	var history: Array[ActionDecision] = kit.reactions.get_history()
	eq(history.map(func(one: ActionDecision) -> Array: return [one.action_id, one.origin]), [[&"Parry", ActionDecision.ORIGIN_SCORED], [&"Dodge", ActionDecision.ORIGIN_FORCED]], "both")
	eq(history[0].get_candidates()[1].refusal, ReactionEvaluator.REFUSAL_TRIGGER, "and why not the other")
	kit.reactions.clear_history()
	eq(kit.reactions.get_history().size(), 0, "forgotten")
