extends TestCase
## Gates: their order, the reason that is reported, and how a decision reads as text.

const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


func test_ex_30_a56() -> void:
	var both: ActionSpec = Rig.cooling(&"Off", 5.0)
	both.enabled = false
	var missing: ActionSpec = Rig.cooling(&"Cold", 5.0)
	missing.requires_tags = ["Role.Boss"]
	var gated: ActionSpec = Rig.gated(Rig.spec(&"Bare"), [Doubles.gate(false)])
	gated.requires_tags = ["Role.Boss"]
	var rig: Rig = Rig.new(self, [both, missing, gated])
	rig.use(&"Off")
	rig.use(&"Cold")
	eq(rig.refusal(&"Off"), ActionEvaluator.REFUSAL_DISABLED, "disabled and on cooldown")
	eq(rig.refusal(&"Cold"), ActionEvaluator.REFUSAL_COOLDOWN, "on cooldown and missing a tag")
	eq(rig.refusal(&"Bare"), ActionEvaluator.REFUSAL_REQUIRED_TAGS, "missing a tag and a closed gate")


func test_ex_30_a57() -> void:
	var broad: ActionSpec = Rig.spec(&"Broad")
	broad.block_tags = ["Team"]
	var narrow: ActionSpec = Rig.spec(&"Narrow")
	narrow.block_tags = ["Team.Red"]
	var red: Rig = Rig.new(self, [broad, narrow])
	red.aim_at(Vector3(0, 0, -2), ["Team.Red"])
	eq(red.refusal(&"Broad"), ActionEvaluator.REFUSAL_BLOCK_TAGS, "Team blocks Team.Red")
	eq(red.refusal(&"Narrow"), ActionEvaluator.REFUSAL_BLOCK_TAGS, "so does the tag itself")
	var plain: Rig = Rig.new(self, [broad, narrow])
	plain.aim_at(Vector3(0, 0, -2), ["Team"])
	eq(plain.refusal(&"Narrow"), ActionEvaluator.REFUSAL_NONE, "Team.Red does not block Team")


## Says no until it is told otherwise.
class Vetoer:
	extends ActionEvaluator
	var vetoes: bool = true

	func _can_execute_action(_action_id: StringName, _context: DecisionContext) -> bool:
		return not vetoes


func test_order_of_the_gates() -> void:
	var tags: TagContainer = Rig.tag_container([])
	var slam: ActionSpec = Rig.cooling(&"Slam", 5.0)
	slam.max_consecutive_uses = 1
	var gate: Doubles.Gate = Doubles.gate(false)
	slam.gates = [gate]
	slam.block_tags = ["State.Wet"]
	slam.requires_tags = ["Role.Boss"]
	slam.require_target = true
	slam.require_line_of_sight = true
	var brain: Vetoer = Vetoer.new()
	var rig: Rig = Rig.new(self, [slam], brain)
	rig.agent.add_child(tags)
	rig.use(&"Slam")
	brain.add_recovery(100.0)
	var method: Resource = slam.execution_method
	slam.execution_method = null
	slam.enabled = false
	tags.add_tag(&"State.ActionsBlocked")
	tags.add_tag(&"State.Wet")
	await physics()

	_expect_refusal(rig, ActionEvaluator.REFUSAL_DISABLED, "1 enabled")
	slam.enabled = true
	_expect_refusal(rig, ActionEvaluator.REFUSAL_BLOCKED, "2 global block tags")
	tags.remove_tag(&"State.ActionsBlocked")
	_expect_refusal(rig, ActionEvaluator.REFUSAL_NO_METHOD, "3 method")
	slam.execution_method = method
	_expect_refusal(rig, ActionEvaluator.REFUSAL_COOLDOWN, "4 cooldown")
	rig.brain.reset_cooldown(&"Slam")
	_expect_refusal(rig, ActionEvaluator.REFUSAL_REPEAT_LIMIT, "4 repeat limit")
	slam.max_consecutive_uses = -1
	_expect_refusal(rig, ActionEvaluator.REFUSAL_RECOVERY, "5 recovery")
	brain.clear_recovery()
	_expect_refusal(rig, ActionEvaluator.REFUSAL_NO_TARGET, "6 target")
	# Nobody sees what has no place.
	var nowhere: Node = add(Node.new())
	brain.target = nowhere
	_expect_refusal(rig, ActionEvaluator.REFUSAL_REQUIRED_TAGS, "7 required tags")
	tags.add_tag(&"Role.Boss")
	_expect_refusal(rig, ActionEvaluator.REFUSAL_BLOCK_TAGS, "8 block tags")
	tags.remove_tag(&"State.Wet")
	_expect_refusal(rig, ActionEvaluator.REFUSAL_NO_LINE_OF_SIGHT, "9 line of sight")
	rig.aim_at(Vector3(0, 0, -2))
	_expect_refusal(rig, ActionEvaluator.REFUSAL_GATE, "10 gates")
	gate.open = true
	_expect_refusal(rig, ActionEvaluator.REFUSAL_SCRIPT_VETO, "11 the evaluator's script")
	brain.vetoes = false
	_expect_refusal(rig, ActionEvaluator.REFUSAL_NONE, "all passed")


## Edits of a resource take effect at the next step.
func _expect_refusal(rig: Rig, wanted: int, what: String) -> void:
	rig.step(1, 0.001)
	eq(rig.refusal(&"Slam"), wanted, what)


func test_global_block_tags_work_by_hierarchy() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	eq(rig.brain.global_block_tags, ["State.ActionsBlocked"], "default")
	var tags: TagContainer = Rig.tag_container([])
	rig.agent.add_child(tags)
	tags.add_tag(&"State.ActionsBlocked.Stagger")
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_BLOCKED, "a tag below it blocks")
	check(not rig.brain.evaluate_now(), "no selection")
	tags.remove_tag(&"State.ActionsBlocked.Stagger")
	check(rig.brain.evaluate_now(), "free again")


func test_block_tag_of_the_target_does_not_block_selection() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")])
	rig.aim_at(Vector3(0, 0, -2), ["State.ActionsBlocked"])
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "only the agent's own tags count")


func test_required_tags_from_agent_target_and_world() -> void:
	var ritual: ActionSpec = Rig.spec(&"Ritual")
	ritual.requires_tags = ["Role.Priest", "Team.Red", "World.Night"]
	var rig: Rig = Rig.new(self, [ritual])
	rig.agent.add_child(Rig.tag_container(["Role.Priest"]))
	eq(rig.refusal(&"Ritual"), ActionEvaluator.REFUSAL_REQUIRED_TAGS, "agent alone")
	rig.aim_at(Vector3(0, 0, -2), ["Team.Red.Elite"])
	eq(rig.refusal(&"Ritual"), ActionEvaluator.REFUSAL_REQUIRED_TAGS, "agent and target")
	WorldTags.add_tag(&"World.Night")
	eq(rig.refusal(&"Ritual"), ActionEvaluator.REFUSAL_NONE, "agent, target and world together have all")
	WorldTags.remove_tag(&"World.Night")


func test_block_tags_from_agent_and_world() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.block_tags = ["World.Truce", "State.Wet"]
	var rig: Rig = Rig.new(self, [jab])
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "free")
	WorldTags.add_tag(&"World.Truce")
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_BLOCK_TAGS, "the world")
	WorldTags.remove_tag(&"World.Truce")
	var tags: TagContainer = Rig.tag_container(["State.Wet"])
	rig.agent.add_child(tags)
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_BLOCK_TAGS, "the agent")


func test_method_without_valid_data() -> void:
	var jab: ActionSpec = Rig.spec(&"Jab")
	var rig: Rig = Rig.new(self, [jab, Rig.spec(&"Kick", 0.1)])
	Rig.method_of(jab).valid = false
	Rig.method_of(jab).emit_changed()
	rig.step()
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NO_METHOD, "the method says it has no data")
	eq(rig.choose(), &"Kick", "another one runs")
	Rig.method_of(jab).valid = true
	Rig.method_of(jab).emit_changed()
	rig.step()
	eq(rig.refusal(&"Jab"), ActionEvaluator.REFUSAL_NONE, "it has data now")


func test_tag_gate() -> void:
	var fresh: TagGate = TagGate.new()
	eq([fresh.tags_of, fresh.required_tags, fresh.blocked_tags], [TagGate.TAGS_SELF, PackedStringArray(), PackedStringArray()], "defaults")
	eq([TagGate.TAGS_SELF, TagGate.TAGS_TARGET, TagGate.TAGS_WORLD], [0, 1, 2], "constants")
	var gates: Array[TagGate] = []
	var specs: Array[ActionSpec] = []
	for of: int in 3:
		var gate: TagGate = TagGate.new()
		gate.tags_of = of
		gate.required_tags = ["Team.Red"]
		gate.blocked_tags = ["State.Down"]
		gates.append(gate)
		specs.append(Rig.gated(Rig.spec("Of%d" % of), [gate]))
	var rig: Rig = Rig.new(self, specs)
	eq(_open(rig), [false, true, false], "without a target the target's tags have no effect")
	rig.aim_at(Vector3(0, 0, -2), ["Team.Red.Elite"])
	eq(_open(rig), [false, true, false], "a tag below it matches")
	eq(rig.row(&"Of0").get("detail"), "TagGate agent: +Team.Red -State.Down", "detail")
	var tags: TagContainer = Rig.tag_container(["Team.Red"])
	rig.agent.add_child(tags)
	WorldTags.add_tag(&"Team.Red")
	eq(_open(rig), [true, true, true], "all have it")
	tags.add_tag(&"State.Down.Prone")
	WorldTags.add_tag(&"State.Down")
	eq(_open(rig), [false, true, false], "blocked")
	WorldTags.remove_tag(&"Team.Red")
	WorldTags.remove_tag(&"State.Down")
	gates[0].blocked_tags = []
	rig.step(1, 0.001)
	eq(_open(rig), [true, true, false], "an edit takes effect")
	expect_error("TagGate: tags_of = 3 is refused, it stays 0.")
	gates[0].tags_of = 3


func _open(rig: Rig) -> Array:
	return range(3).map(func(of: int) -> bool: return rig.refusal("Of%d" % of) != ActionEvaluator.REFUSAL_GATE)


func test_a_gate_without_anything_to_ask_warns() -> void:
	var set: ActionSet = ActionSet.new()
	var gate: TagGate = TagGate.new()
	set.actions = [Rig.gated(Rig.spec(&"Jab"), [gate, null])]
	var messages: Array = set.validate().map(func(row: Dictionary) -> String: return row.message)
	has_element(messages, "gates[0]: There are no tags, so the gate always passes. Set some, or remove the gate.", "no tags")
	gate.required_tags = ["Team.Unheard"]
	messages = set.validate().map(func(row: Dictionary) -> String: return row.message)
	eq(messages.filter(func(text: String) -> bool: return text.contains("\"Team.Unheard\" is not declared")).size(), 1, "not declared")


func test_gates_stop_at_the_first_veto() -> void:
	var first: Doubles.Gate = Doubles.gate(true)
	var second: Doubles.Gate = Doubles.gate(false)
	var third: Doubles.Gate = Doubles.gate(true)
	var rig: Rig = Rig.new(self, [Rig.gated(Rig.spec(&"Jab"), [first, second, third])])
	rig.brain.evaluate_best_action()
	eq([first.asked, second.asked, third.asked], [1, 1, 0], "asked in order, up to the veto")


func test_hard_gates_spare_scripts() -> void:
	var gate: Doubles.Gate = Doubles.gate(true)
	var scorer: Doubles.Scorer = Doubles.scorer(1.0)
	var jab: ActionSpec = Rig.scored(Rig.gated(Rig.spec(&"Jab"), [gate]), [scorer])
	jab.requires_tags = ["Role.Boss"]
	var rig: Rig = Rig.new(self, [jab])
	rig.brain.evaluate_best_action()
	eq([gate.asked, scorer.asked], [0, 0], "a refused candidate asks no script")
	rig.agent.add_child(Rig.tag_container(["Role.Boss"]))
	rig.brain.evaluate_best_action()
	eq([gate.asked, scorer.asked], [1, 1], "one that passes asks each once")


func test_zero_from_a_built_in_spares_script_scorers() -> void:
	var before: Doubles.Scorer = Doubles.scorer(1.0)
	var after: Doubles.Scorer = Doubles.scorer(1.0)
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [before, DistanceScorer.new(), after])])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -50))
	rig.brain.evaluate_now()
	eq([before.asked, after.asked], [0, 0], "out of reach")
	foe.position = Vector3(0, 0, -2)
	rig.brain.evaluate_now()
	eq([before.asked, after.asked], [1, 1], "in reach")


func test_details_of_a_refusal() -> void:
	var cold: ActionSpec = Rig.cooling(&"Cold", 1.3)
	var twice: ActionSpec = Rig.spec(&"Twice")
	twice.max_consecutive_uses = 2
	var lacking: ActionSpec = Rig.spec(&"Lacking")
	lacking.requires_tags = ["Role.Boss"]
	var blocked: ActionSpec = Rig.spec(&"Blocked")
	blocked.block_tags = ["Team"]
	var gated: ActionSpec = Rig.gated(Rig.spec(&"Gated"), [Doubles.gate(false)])
	var rig: Rig = Rig.new(self, [cold, twice, lacking, blocked, gated])
	rig.aim_at(Vector3(0, 0, -2), ["Team.Red"])
	rig.use(&"Cold")
	rig.use(&"Twice")
	rig.use(&"Twice")
	eq(rig.row(&"Cold").get("detail"), "Cooldown (1.3s remaining)", "cooldown")
	eq(rig.row(&"Twice").get("detail"), "Used 2 of 2 in a row", "repeat limit")
	eq(rig.row(&"Lacking").get("detail"), "Missing tag Role.Boss", "required tag")
	has_element(rig.row(&"Blocked").get("detail"), "Blocked by tag Team", "block tag")
	eq(rig.row(&"Gated").get("detail"), "Drawbridge", "display name of the gate")


func test_every_candidate_has_one_row() -> void:
	var off: ActionSpec = Rig.spec(&"Off")
	off.enabled = false
	var rig: Rig = Rig.new(self, [off, Rig.spec(&"Low", 0.5), Rig.spec(&"High", 2.0)])
	rig.brain.record_decisions = true
	var rows: Array[Dictionary] = rig.brain.evaluate_best_action().get_candidates()
	var ids: Array = rows.map(func(row: Dictionary) -> String: return str(row["action_id"]))
	ids.sort()
	eq(ids, ["High", "Low", "Off"], "winner, loser and refused")
	for row: Dictionary in rows:
		eq(row["won"], row["action_id"] == &"High", "won")


func test_decision_as_text() -> void:
	var off: ActionSpec = Rig.spec(&"Off")
	off.enabled = false
	var rig: Rig = Rig.new(self, [off, Rig.cooling(&"Cold", 1.3), Rig.spec(&"High", 2.0)])
	rig.use(&"Cold")
	rig.brain.record_decisions = true
	var text: String = rig.brain.evaluate_best_action().to_text()
	for part: String in ["Off", "Cold", "Cooldown (1.3s remaining)", "High"]:
		has_element(text, part, "text")
	rig.brain.reset_all_cooldowns()
	lacks_element(rig.brain.evaluate_best_action().to_text(), "Cooldown", "text without a cooldown")


func test_recording_does_not_change_decisions() -> void:
	var ids: Array[PackedStringArray] = []
	for recording: bool in [false, true]:
		var rig: Rig = Rig.new(self, [Rig.quick(&"A"), Rig.quick(&"B"), Rig.quick(&"C")])
		rig.brain.jitter_amount = 0.2
		rig.brain.record_decisions = recording
		var order: PackedStringArray = []
		for i: int in 30:
			order.append(rig.choose())
			rig.step()
		ids.append(order)
	eq(ids[0], ids[1], "recorded and not recorded")
	check(ids[0].count("A") > 0 and ids[0].count("B") > 0, "the jitter makes a difference at all")


func test_display_names() -> void:
	var scorer: DistanceScorer = DistanceScorer.new()
	var rig: Rig = Rig.new(self, [Rig.scored(Rig.spec(&"Jab"), [scorer, Doubles.scorer(0.5)])])
	rig.aim_at(Vector3(0, 0, -2))
	rig.brain.record_decisions = true
	var factors: Array = rig.row(&"Jab").get("factors", [])
	var names: Array = factors.map(func(pair: Array) -> String: return str(pair[0]))
	var built_in: Array = names.filter(func(name_: String) -> bool: return name_.begins_with("DistanceScorer"))
	eq(built_in.size(), 1, "the built-in scorer's class name is in %s" % [names])
	if built_in.size() == 1:
		ne(built_in[0], "DistanceScorer", "with its range")
