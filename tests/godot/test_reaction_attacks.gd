extends TestCase
## Reactions under hostile use: handlers that react, floods, freed nodes, pause, a clock that stands.

const Kit := preload("res://support/reaction_rig.gd")
const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")
const HIT: StringName = Kit.HIT


func _balanced(kit: Kit) -> void:
	var starts: int = Array(kit.lines).filter(func(line: String) -> bool: return line.begins_with("start")).size()
	var ends: int = Array(kit.lines).filter(func(line: String) -> bool: return line.begins_with("end")).size()
	eq(starts - ends, 1 if kit.reactions.is_executing() else 0, "one end per start")


func test_events_from_every_signal_of_every_class() -> void:
	for class_: int in [ReactionSpec.INTERRUPT_NEVER, ReactionSpec.INTERRUPT_BY_PRIORITY, ReactionSpec.INTERRUPT_ANY]:
		var parry: ReactionSpec = Kit.reaction(&"Parry", "Event", 1)
		parry.interrupt_class = class_
		parry.cooldown_duration = 0.05
		var slow: ReactionSpec = Kit.delayed(0.15, &"Slow", "Event.Slow")
		slow.interrupt_class = class_
		slow.selection_weight = 2.0
		var kit: Kit = Kit.new(self, [parry, slow])
		var budget: Array[int] = [200]
		var again: Callable = func(_a: Variant = null, _b: Variant = null, _c: Variant = null) -> void:
			budget[0] -= 1
			if budget[0] > 0:
				kit.reactions.react(HIT if budget[0] % 3 else &"Event.Slow")
		for name: StringName in [&"reaction_started", &"reaction_ended", &"reaction_pending", &"reaction_refused", &"cooldown_started", &"cooldown_expired", &"reaction_set_changed"]:
			kit.reactions.connect(name, again)
		kit.brain.action_ended.connect(again)
		kit.brain.execute_action(&"Jab")
		kit.reactions.react(HIT)
		for n: int in 10:
			kit.step()
			kit.brain.execute_action(&"Jab")
		budget[0] = 0
		_balanced(kit)
		kit.reactions.abort_reaction()
		kit.reactions.cancel_pending()
		kit.reactions.reset_state()
		eq(kit.reactions.react(HIT), &"Parry", "it still answers")


func test_every_method_from_every_signal() -> void:
	var calls: Dictionary[String, Callable] = {
		"react": func(kit: Kit) -> void: kit.reactions.react(HIT),
		"execute": func(kit: Kit) -> void: kit.reactions.execute_reaction(&"Parry"),
		"abort": func(kit: Kit) -> void: kit.reactions.abort_reaction(),
		"cancel": func(kit: Kit) -> void: kit.reactions.cancel_pending(),
		"reset": func(kit: Kit) -> void: kit.reactions.reset_state(),
		"override": func(kit: Kit) -> void: kit.reactions.set_runtime_override(Kit.set_of([&"Other"])),
		"default": func(kit: Kit) -> void: kit.reactions.default_reaction_set = null,
		"grant": func(kit: Kit) -> void: kit.reactions.grant_reaction(Kit.reaction(&"More")),
		"role": func(kit: Kit) -> void: kit.reactions.role = &"Role.Other",
		"config": func(kit: Kit) -> void: kit.brain.config = AgentConfig.new(),
		"seed": func(kit: Kit) -> void: kit.reactions.random_seed = 7,
		"export": func(kit: Kit) -> void: kit.reactions.export_state(),
		"cooldown": func(kit: Kit) -> void: kit.reactions.set_cooldown(&"Parry", 1.0),
		"act": func(kit: Kit) -> void: kit.brain.execute_action(&"Jab"),
		"stop acting": func(kit: Kit) -> void: kit.brain.stop(),
		"out": func(kit: Kit) -> void: kit.agent.remove_child(kit.reactions),
		"no actions": func(kit: Kit) -> void: kit.brain.queue_free(),
	}
	for name: StringName in [&"reaction_started", &"reaction_ended", &"reaction_pending", &"reaction_refused", &"cooldown_started"]:
		for what: String in calls:
			var parry: ReactionSpec = Kit.reaction(&"Parry", "Event.Hit", 1)
			parry.cooldown_duration = 0.1
			var kit: Kit = Kit.new(self, [parry, Kit.delayed(0.1, &"Slow", "Event.Slow")])
			var budget: Array[int] = [3]
			kit.reactions.connect(name, func(_a: Variant = null, _b: Variant = null, _c: Variant = null) -> void:
				budget[0] -= 1
				if budget[0] >= 0 and kit.reactions.is_inside_tree():
					calls[what].call(kit))
			kit.brain.execute_action(&"Jab")
			for event: StringName in [&"Event.None", HIT, &"Event.Slow"]:
				if kit.reactions.is_inside_tree():
					kit.reactions.react(event)
			for n: int in 3:
				if kit.reactions.is_inside_tree():
					kit.step()
			_balanced(kit)
			if not kit.reactions.is_inside_tree():
				kit.reactions.free()
			kit.agent.queue_free()
	await idle()


func test_a_thousand_events_in_a_frame() -> void:
	var parry: ReactionSpec = Kit.reaction()
	var kit: Kit = Kit.new(self, [parry, Kit.delayed(0.5, &"Slow", "Event.Slow")])
	kit.reactions.record_decisions = true
	for n: int in 1000:
		kit.reactions.react(HIT, ActionContext.create(null, n))
	eq(kit.lines.count("start Parry"), 1, "one starts")
	eq(kit.lines.count("ignored Event.Hit"), 999, "each of the others is told of")
	eq(kit.reactions.get_history().size(), 32, "the ring keeps its size")
	kit.reactions.abort_reaction()
	kit.lines.clear()
	parry.interrupt_class = ReactionSpec.INTERRUPT_ANY
	kit.step()
	for n: int in 1000:
		kit.reactions.react(HIT, ActionContext.create(null, n))
	eq([kit.lines.count("start Parry"), kit.lines.count("end Parry 1")], [1000, 999], "one after the other")
	eq(kit.reactions.get_running_context().magnitude, 999.0, "the last one's context")
	kit.reactions.abort_reaction()
	kit.lines.clear()
	for n: int in 1000:
		kit.reactions.react(&"Event.Slow")
	eq(kit.lines.count("ignored Event.Slow"), 999, "one waits")
	kit.step(6)
	eq(kit.reactions.get_running_reaction(), &"Slow", "and starts")


func test_a_thousand_events_inside_a_start() -> void:
	var kit: Kit = Kit.new(self, [Kit.reaction(&"Parry", "Event.Hit", 1), Kit.reaction(&"Last", "Event.Last")])
	kit.reactions.reaction_started.connect(func(id: StringName, _target: Node, _run: int) -> void:
		if id == &"Parry":
			for n: int in 1000:
				kit.reactions.react(HIT)
			kit.reactions.react(&"Event.Last"))
	kit.moves.reactions[0].interrupt_class = ReactionSpec.INTERRUPT_ANY
	kit.step()
	kit.reactions.react(HIT)
	eq(kit.lines.count("ignored Event.Hit"), 1000, "each that lost its place is told of")
	eq(kit.reactions.get_running_reaction(), &"Last", "the last one wins")
	_balanced(kit)


func test_freed_instigators_targets_and_objects() -> void:
	var parry: ReactionSpec = Kit.delayed(0.15)
	var kit: Kit = Kit.new(self, [parry, Kit.reaction(&"Now", "Event.Now")])
	var foe: Node3D = Node3D.new()
	add_child(foe)
	var item: Node = Node.new()
	kit.reactions.react(HIT, ActionContext.create(foe, 1.0, item))
	foe.free()
	item.free()
	kit.step(2)
	eq(kit.took(), "wait Parry 0.15, start Parry", "it starts without them")
	var context: ActionContext = kit.reactions.get_running_context()
	is_null(context.target, "target")
	is_null(context.optional_object, "object")
	is_null(kit.reactions.get_running_target(), "of the run")
	kit.reactions.abort_reaction()
	parry.require_target = true
	kit.step()
	foe = Node3D.new()
	add_child(foe)
	kit.took()
	kit.reactions.react(HIT, ActionContext.create(foe))
	foe.free()
	kit.step(2)
	eq(kit.took(), "wait Parry 0.15, ignored Event.Hit", "or not, if it needs one")
	kit.reactions.react(&"Event.Now")
	var kept: ActionContext = kit.reactions.get_running_context()
	kit.agent.free()
	is_null(kept.instigator, "the agent of a context that a script kept")


func test_the_agent_is_freed_while_one_waits() -> void:
	var kit: Kit = Kit.new(self, [Kit.delayed(0.15)])
	kit.reactions.react(HIT)
	kit.agent.get_parent().remove_child(kit.agent)
	expect_error("react() was called outside of the tree")
	eq(kit.reactions.react(HIT), &"", "outside of the tree")
	add_child(kit.agent)
	kit.step(5)
	eq(kit.took(), "wait Parry 0.15", "forgotten when it left the tree")
	eq(kit.reactions.react(HIT), &"Parry", "and answers again")
	kit.agent.free()


func test_nulls_and_wrong_classes_in_arrays() -> void:
	var parry: ReactionSpec = Kit.reaction()
	parry.scorers = [null, DistanceScorer.new(), null]
	parry.gates = [null]
	parry.bindings = [null]
	expect_error("stays as it was")
	parry.set("scorers", [ReactionSpec.new()])
	eq(parry.scorers.size(), 3, "refused")
	var moves: ReactionSet = ReactionSet.new()
	moves.reactions = [null, parry, null]
	expect_error("stays as it was")
	moves.set("reactions", [ActionSpec.new()])
	eq(moves.reactions.size(), 3, "refused too")
	var said: PackedStringArray = moves.validate().map(func(row: Dictionary) -> String: return row.message)
	for member: String in ["scorers", "gates", "bindings"]:
		check(Array(said).any(func(line: String) -> bool: return line.begins_with(member + ": an empty element")), member)
	var kit: Kit = Kit.new(self, [])
	kit.reactions.default_reaction_set = moves
	var foe: Node3D = add(Node3D.new())
	foe.position = Vector3(0, 0, -2)
	eq(kit.reactions.react(HIT, null, foe), &"Parry", "it works without them")


func test_absurd_numbers() -> void:
	var spec: ReactionSpec = Kit.reaction()
	expect_warning("is refused")
	spec.min_magnitude = NAN
	expect_warning("is refused")
	spec.delay = INF
	expect_warning("delay = -1")
	spec.delay = -1.0
	expect_warning("priority = 1000")
	spec.priority = 1000
	eq([spec.min_magnitude, spec.delay, spec.priority], [0.0, 0.0, 100], "as before, or clamped")
	var kit: Kit = Kit.new(self, [spec])
	eq(kit.reactions.react(HIT, ActionContext.create(null, NAN)), &"", "no magnitude")
	eq(kit.reactions.react(HIT, ActionContext.create(null, INF)), &"", "too much")
	spec.max_magnitude = 1.0
	spec.min_magnitude = 2.0
	kit.step()
	eq(kit.reactions.react(HIT, ActionContext.create(null, 1.5)), &"", "no event fits")
	has_element(kit.moves.validate().map(func(row: Dictionary) -> bool: return "min_magnitude is above" in row.message), true, "told")


func test_a_standing_clock_and_pause() -> void:
	var kit: Kit = Kit.new(self, [Kit.delayed(0.25), Kit.reaction(&"Now", "Event.Now", 2)])
	kit.reactions.time_scale = 0.0
	eq(kit.reactions.react(HIT), &"Parry", "waits")
	kit.step(10)
	eq(kit.took(), "wait Parry 0.25", "for ever, while the clock stands")
	kit.reactions.time_scale = 0.5
	kit.step(5)
	eq(kit.took(), "start Parry", "twice as long at half the speed")
	kit.reactions.abort_reaction()
	kit.reactions.time_scale = 0.0
	eq(kit.reactions.react(&"Event.Now"), &"Now", "events are answered while it stands")
	kit.step(10)
	eq(kit.reactions.get_running_reaction(), &"Now", "and run on")
	kit.reactions.time_scale = 1.0
	kit.reactions.abort_reaction()
	kit.took()
	kit.reactions.process_callback = ReactionEvaluator.PROCESS_PHYSICS
	kit.agent.process_mode = Node.PROCESS_MODE_DISABLED
	kit.reactions.react(HIT)
	await physics(30)
	eq(kit.took(), "wait Parry 0.25", "paused")
	kit.agent.process_mode = Node.PROCESS_MODE_INHERIT
	await physics(20)
	eq(kit.took(), "start Parry", "goes on")


func test_events_inside_scorers_and_gates() -> void:
	var parry: ReactionSpec = Kit.reaction()
	var scorer: Doubles.Scorer = Doubles.Scorer.new()
	var kit: Kit = Kit.new(self, [parry])
	scorer.answer = func(_scorer: ActionScorer, _context: DecisionContext) -> float:
		eq(kit.reactions.react(HIT), &"", "refused")
		kit.brain.execute_action(&"Jab")
		return 1.0
	parry.scorers = [scorer]
	kit.step()
	expect_error("react() was called inside a gate or scorer")
	kit.reactions.react(HIT)
	check(kit.reactions.is_executing(), "the outer one starts")
	scorer.answer = Callable()


func test_the_set_is_emptied_inside_a_scorer() -> void:
	var parry: ReactionSpec = Kit.reaction()
	var scorer: Doubles.Scorer = Doubles.Scorer.new()
	var kit: Kit = Kit.new(self, [parry])
	scorer.answer = func(_scorer: ActionScorer, _context: DecisionContext) -> float:
		kit.reactions.set_runtime_override(ReactionSet.new())
		return 1.0
	parry.scorers = [scorer]
	kit.step()
	eq(kit.reactions.react(HIT), &"", "the winner has left the list")
	eq(kit.took(), "ignored Event.Hit", "told")
	scorer.answer = Callable()


func test_two_evaluators_interrupt_each_other() -> void:
	# A reaction whose end starts an action, and an action whose end sends an event.
	var parry: ReactionSpec = Kit.reaction(&"Parry", "Event.Hit", 1)
	parry.interrupt_class = ReactionSpec.INTERRUPT_ANY
	var kit: Kit = Kit.new(self, [parry])
	var budget: Array[int] = [50]
	kit.reactions.reaction_started.connect(func(_id: StringName, _target: Node, _run: int) -> void:
		budget[0] -= 1
		if budget[0] > 0:
			kit.brain.execute_action(&"Jab"))
	kit.brain.action_started.connect(func(_id: StringName, _target: Node, _run: int) -> void:
		budget[0] -= 1
		if budget[0] > 0:
			kit.reactions.react(HIT))
	kit.brain.execute_action(&"Jab")
	for n: int in 5:
		kit.step()
	budget[0] = 0
	_balanced(kit)
	check(budget[0] == 0, "no endless loop")
