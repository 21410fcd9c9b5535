extends "res://case.gd"
## Reactions in the game: events, refusals, delays, what they do to the agent's action, and handlers that do their worst.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")

const HIT: StringName = &"Event.Hit"

var _rig: Rig
var _reactions: ReactionEvaluator
var _log: PackedStringArray = []


## One agent with a running or idle ActionEvaluator and these reactions, both on MANUAL.
func _agent(specs: Array[ReactionSpec], actions: Array[ActionSpec] = [Rig.spec(&"Jab")]) -> void:
	_rig = Rig.new(self, actions)
	_reactions = ReactionEvaluator.new()
	_reactions.name = "Reactions"
	_reactions.process_callback = ReactionEvaluator.PROCESS_MANUAL
	_reactions.random_seed = Rig.SEED
	var moves: ReactionSet = ReactionSet.new()
	moves.reactions = specs
	_reactions.default_reaction_set = moves
	_rig.agent.add_child(_reactions)
	_log.clear()
	_rig.brain.action_ended.connect(func(id: StringName, reason: int, _run: int) -> void: _log.append("action %s %d" % [id, reason]))
	_reactions.reaction_started.connect(func(id: StringName, _target: Node, _run: int) -> void: _log.append("start %s" % id))
	_reactions.reaction_ended.connect(func(id: StringName, reason: int, _run: int) -> void: _log.append("end %s %d" % [id, reason]))
	_reactions.reaction_pending.connect(func(id: StringName, delay: float) -> void: _log.append("wait %s %.2f" % [id, delay]))
	_reactions.reaction_refused.connect(func(tag: StringName) -> void: _log.append("ignored %s" % tag))


func _took() -> String:
	var lines: String = ", ".join(_log)
	_log.clear()
	return lines


static func _parry(id: StringName = &"Parry", trigger: String = "Event.Hit", finish_in_tick: int = -1) -> ReactionSpec:
	var made: ReactionSpec = ReactionSpec.new()
	made.reaction_id = id
	made.trigger_tags = PackedStringArray([trigger])
	made.cooldown_randomization = 0.0
	made.add_tags = PackedStringArray()
	var method: Doubles.Method = Doubles.Method.new()
	method.finish_in_tick = finish_in_tick
	made.execution_method = method
	return made


class SeededScorer:
	extends ActionScorer
	var seen: PackedFloat64Array = []

	func _score_multiplier(context: DecisionContext) -> float:
		seen.append_array([seeded_random(context, 0), seeded_random(context, 1)])
		return 1.0


func test_ex_30_a23() -> void:
	var parry: ReactionSpec = _parry()
	var scorer: SeededScorer = SeededScorer.new()
	parry.scorers = [scorer]
	_agent([parry])
	for n: int in 2:
		eq(_reactions.react(HIT), &"Parry", "event %d" % n)
		_reactions.abort_reaction()
	eq(scorer.seen.size(), 4, "two numbers per event")
	for n: int in 2:
		near(scorer.seen[2 * n], 0.652448, 0.000001, "salt 0")
		near(scorer.seen[2 * n + 1], 0.368190, 0.000001, "salt 1")


func test_ex_30_a79() -> void:
	var parry: ReactionSpec = _parry()
	parry.chance = 0.8
	_agent([parry])
	eq(_reactions.react(HIT), &"Parry", "chance 0.8")
	parry = _parry()
	parry.chance = 0.7
	_agent([parry])
	eq(_reactions.react(HIT), &"", "chance 0.7")
	eq(_took(), "ignored Event.Hit", "told")


func test_ex_30_a80() -> void:
	_agent([_parry()])
	_rig.brain.add_recovery(3.0)
	eq(_reactions.react(HIT), &"Parry", "at once")
	near(_rig.brain.get_recovery_remaining(), 3.0, 0.000001, "the recovery goes on")


func test_ex_30_a81() -> void:
	for row: Array in [[ActionSpec.INTERRUPT_BY_PRIORITY, false, true], [ActionSpec.INTERRUPT_NEVER, false, false], [ActionSpec.INTERRUPT_NEVER, true, true]]:
		var jab: ActionSpec = Rig.spec(&"Jab")
		jab.interrupt_class = row[0]
		var parry: ReactionSpec = _parry()
		parry.force_interrupt = row[1]
		_agent([parry], [jab])
		_rig.brain.execute_action(&"Jab")
		var answer: StringName = _reactions.react(HIT)
		if row[2]:
			eq(answer, &"Parry", "%s" % [row])
			eq(_took(), "action Jab 1, start Parry", "%s" % [row])
		else:
			eq(answer, &"", "%s" % [row])
			eq(_took(), "ignored Event.Hit", "%s" % [row])
			check(_rig.brain.is_executing(), "it runs on")
			var rows: Array[Dictionary] = _reactions.get_last_decision().get_candidates()
			eq(rows[0].refusal, ReactionEvaluator.REFUSAL_BUSY, "busy")


func test_the_context_and_the_target_reach_the_method() -> void:
	var parry: ReactionSpec = _parry()
	parry.min_magnitude = 2.0
	_agent([parry])
	var attacker: Node3D = Node3D.new()
	var other: Node3D = Node3D.new()
	add_child(attacker)
	add_child(other)
	eq(_reactions.react(HIT, ActionContext.create(attacker, 1.0)), &"", "too weak")
	eq(_reactions.react(&"Event.Hit.Heavy", ActionContext.create(attacker, 2.0)), &"Parry", "by hierarchy")
	var context: ActionContext = _reactions.get_running_context()
	eq(context.event_tag, &"Event.Hit.Heavy", "event")
	eq(context.magnitude, 2.0, "magnitude")
	eq(context.target, attacker, "target")
	eq(context.action_id, &"Parry", "id")
	_reactions.abort_reaction()
	_reactions.react(HIT, ActionContext.create(attacker, 2.0), other)
	eq(_reactions.get_running_target(), other, "the override wins")
	_reactions.abort_reaction()
	_rig.brain.target = other
	_reactions.react(HIT, ActionContext.create(null, 2.0))
	eq(_reactions.get_running_target(), other, "the focus of the ActionEvaluator")
	attacker.free()
	other.free()


func test_a_delay_and_its_end() -> void:
	var parry: ReactionSpec = _parry()
	parry.delay = 0.25
	parry.delay_randomization = 0.0
	_agent([parry])
	eq(_reactions.react(HIT), &"Parry", "waits")
	_reactions.advance(0.1)
	_reactions.advance(0.1)
	eq(_took(), "wait Parry 0.25", "not yet")
	_reactions.advance(0.1)
	eq(_took(), "start Parry", "now")
	_reactions.abort_reaction()
	_reactions.react(HIT)
	check(_reactions.cancel_pending(), "cancelled")
	check(not _reactions.cancel_pending(), "once")
	_reactions.advance(1.0)
	eq(_took(), "end Parry 2, wait Parry 0.25, ignored Event.Hit", "never starts")


func test_tags_cooldown_and_recovery_of_a_reaction() -> void:
	var parry: ReactionSpec = _parry(&"Parry", "Event.Hit", 1)
	parry.add_tags = PackedStringArray(["State.ActionsBlocked"])
	parry.cooldown_duration = 5.0
	parry.recovery_time = 2.0
	_agent([parry])
	var tags: TagContainer = TagContainer.new()
	_rig.agent.add_child(tags)
	_reactions.react(HIT)
	check(tags.has_tag(&"State.ActionsBlocked"), "no offence meanwhile")
	near(_reactions.get_remaining_cooldown(&"Parry"), 5.0, 0.000001, "cooldown")
	_reactions.advance(0.1)
	_reactions.advance(0.1)
	eq(_took(), "start Parry, end Parry 0", "over")
	check(not tags.has_tag(&"State.ActionsBlocked"), "tags are off")
	near(_rig.brain.get_recovery_remaining(), 2.0, 0.000001, "its own recovery")
	eq(_reactions.react(HIT), &"", "on cooldown")


func test_forced_reactions() -> void:
	var parry: ReactionSpec = _parry()
	parry.enabled = false
	_agent([parry])
	eq(_reactions.react(HIT), &"", "off")
	eq(_reactions.execute_reaction(&"Parry"), 1, "forced")
	eq(_reactions.get_running_reaction(), &"Parry", "runs")
	expect_error("no reaction named \"Nobody\"")
	eq(_reactions.execute_reaction(&"Nobody"), 0, "unknown")


func test_react_inside_its_own_handlers() -> void:
	var parry: ReactionSpec = _parry()
	parry.interrupt_class = ReactionSpec.INTERRUPT_ANY
	_agent([parry])
	var budget: Array[int] = [3]
	_reactions.reaction_started.connect(func(_id: StringName, _target: Node, _run: int) -> void:
		budget[0] -= 1
		if budget[0] > 0:
			eq(_reactions.react(HIT), &"", "it waits"))
	_reactions.react(HIT)
	eq(_took(), "start Parry, end Parry 1, start Parry, end Parry 1, start Parry", "one after the other")


func test_react_in_the_end_of_the_interrupted_action() -> void:
	_agent([_parry()])
	_rig.brain.execute_action(&"Jab")
	_rig.brain.action_ended.connect(func(_id: StringName, _reason: int, _run: int) -> void: _reactions.react(HIT))
	eq(_reactions.react(HIT), &"Parry", "starts")
	eq(_took(), "action Jab 1, start Parry, ignored Event.Hit", "the second has no higher priority")


func test_the_agent_freed_in_every_signal() -> void:
	for signal_name: StringName in [&"reaction_started", &"reaction_ended", &"reaction_pending", &"reaction_refused", &"cooldown_started"]:
		var parry: ReactionSpec = _parry(&"Parry", "Event.Hit", 1)
		parry.cooldown_duration = 1.0
		if signal_name == &"reaction_pending":
			parry.delay = 1.0
		_agent([parry])
		var agent: Node = _rig.agent
		var leave: Callable = func(_a: Variant = null, _b: Variant = null, _c: Variant = null) -> void:
			if is_instance_valid(agent) and not agent.is_queued_for_deletion():
				agent.get_parent().remove_child(agent)
				agent.queue_free()
		_reactions.connect(signal_name, leave)
		_reactions.react(&"Event.None" if signal_name == &"reaction_refused" else HIT)
		for n: int in 3:
			if is_instance_valid(_reactions) and _reactions.is_inside_tree():
				_reactions.advance(0.1)
		check(not is_instance_valid(_reactions) or not _reactions.is_executing(), "%s: nothing runs" % signal_name)
		await idle()
		check(not is_instance_valid(agent), "%s: gone" % signal_name)


func test_bad_input_of_reactions() -> void:
	_agent([_parry()])
	expect_error("has an empty segment")
	eq(_reactions.react(&"Event..Hit"), &"", "no tag")
	var freed: Node = Node.new()
	freed.free()
	eq(_reactions.react(HIT, null, freed), &"Parry", "a freed target is none")
	_reactions.abort_reaction()
	expect_error("abort_reaction() got the reason 4")
	check(not _reactions.abort_reaction(4), "reason")
	var spec: ReactionSpec = ReactionSpec.new()
	expect_warning("chance = 3")
	spec.chance = 3.0
	eq(spec.chance, 1.0, "clamped")
	expect_error("interrupt_class = 9")
	spec.interrupt_class = 9
	var moves: ReactionSet = ReactionSet.new()
	moves.reactions = [_parry(), _parry(), null]
	var rows: Array[Dictionary] = moves.validate()
	check(rows.any(func(row: Dictionary) -> bool: return "is taken" in row.message), "duplicate")
	check(rows.any(func(row: Dictionary) -> bool: return "empty elements" in row.message), "null")
	eq(moves.find_reaction(&"Parry"), moves.reactions[0], "find")
	is_null(moves.find_reaction(&"None"), "find nothing")


func test_state_of_reactions_goes_through_json() -> void:
	var parry: ReactionSpec = _parry()
	parry.cooldown_duration = 5.0
	_agent([parry])
	_reactions.react(HIT)
	_reactions.abort_reaction()
	_reactions.advance(1.0)
	var state: Dictionary = JSON.parse_string(JSON.stringify(_reactions.export_state()))
	_reactions.reset_state()
	near(_reactions.get_remaining_cooldown(&"Parry"), 0.0, 0.000001, "reset")
	parry.delay = 0.5
	_reactions.advance(0.1)
	eq(_reactions.react(HIT), &"Parry", "waits")
	_took()
	check(_reactions.import_state(state), "taken")
	near(_reactions.get_remaining_cooldown(&"Parry"), 4.0, 0.000001, "as it was")
	check(not _reactions.cancel_pending(), "what waited is forgotten")
	_reactions.advance(1.0)
	eq(_took(), "", "without a word")


func test_log_of_reactions() -> void:
	if not ClassDB.class_exists("Logger"):
		check(true, "this engine has no Logger")
		return
	var late: ReactionSpec = _parry(&"Late", "Event.Noise")
	late.delay = 0.5
	late.delay_randomization = 0.0
	_agent([_parry(), late])
	var catcher: Object = (load("res://support/message_catcher.gd") as GDScript).new()
	OS.call("add_logger", catcher)
	_reactions.react(HIT)
	_reactions.abort_reaction()
	eq(catcher.call(&"take"), PackedStringArray(), "nothing is printed by default")
	_reactions.debug_log_execution = true
	_reactions.react(HIT)
	_reactions.advance(0.2)
	_reactions.abort_reaction()
	_reactions.react(&"Event.Rain")
	_reactions.react(&"Event.Noise")
	_reactions.execute_reaction(&"Parry")
	_reactions.abort_reaction()
	var lines: PackedStringArray = catcher.call(&"take")
	var wanted: PackedStringArray = ["Parry #2 started", "Parry #2 ended CANCELLED after 0.20 s", "event Event.Rain has no answer", "Late waits for 0.50 s", "Parry #3 started", "Parry #3 ended CANCELLED after 0.00 s"]
	for n: int in wanted.size():
		check(n < lines.size() and lines[n].begins_with("ReactionEvaluator (") and lines[n].ends_with(wanted[n]), "%s: %s" % [wanted[n], lines])
	_reactions.debug_log_execution = false
	_reactions.debug_log_decisions = true
	_reactions.cancel_pending()
	_reactions.react(HIT)
	lines = catcher.call(&"take")
	check(lines.size() == 3 and lines[0].contains("started Parry") and lines[1].contains("* Parry") and lines[2].contains("Late: TRIGGER"), "a decision with all reactions: %s" % [lines])
	_reactions.abort_reaction()
	ProjectSettings.set_setting("riposte/debug/log_decisions", true)
	_reactions.debug_log_decisions = false
	await idle(2)
	_reactions.react(HIT)
	ne((catcher.call(&"take") as PackedStringArray).size(), 0, "by the project setting")
	ProjectSettings.set_setting("riposte/debug/log_decisions", false)
	await idle(2)
	OS.call("remove_logger", catcher)


func test_a_reaction_goes_on_after_an_import() -> void:
	var parry: ReactionSpec = _parry()
	parry.execution_method = script("""extends ExecutionMethod
var left: float = 1.0
func _tick_execute(delta: float) -> void:
	left -= delta
	if left <= 0.0001:
		finish_execution(true)
func _export_state() -> Dictionary:
	return {"left": left}
func _import_state(state: Dictionary) -> bool:
	left = state.left
	return true
""").new()
	_agent([parry])
	_reactions.react(HIT)
	_reactions.advance(0.0625)
	_reactions.advance(0.4)
	var state: Dictionary = JSON.parse_string(JSON.stringify(_reactions.export_state(), "", true, true))
	_reactions.abort_reaction()
	_took()
	check(_reactions.import_state(state), "imported")
	eq([_reactions.get_running_reaction(), _took()], [&"Parry", ""], "it runs, nothing is told")
	for i: int in 8:
		_reactions.advance(0.1)
	eq(_took(), "end Parry 0", "and ends once")
