extends TestCase
## What the start of a node costs, cooldowns with charges, and gates of nodes.

const Stage := preload("res://support/graph_stage.gd")
const LA: StringName = Stage.LA
const DG: StringName = Stage.DG

const COST := "extends ActionCost\nvar arrows := 1\nvar runs := []\nfunc _can_pay(run: ActionRun) -> bool:\n\truns.append(run.run_id)\n\treturn arrows > 0\nfunc _pay(run: ActionRun) -> void:\n\truns.append(run.run_id)\n\tarrows -= 1\n"
const GATE := "extends ActionGate\nvar open := true\nvar seen := []\nfunc _passes_gate(context: DecisionContext) -> bool:\n\tseen.append(context)\n\treturn open\n"


func _stage(costs: Array, gates: Array = []) -> Stage:
	var stage := Stage.new(self)
	var node := stage.move(&"light", 0.2)
	node.costs = costs
	node.gates = gates
	stage.root_wire(&"light", LA)
	return stage


func _cost(amount: float) -> VitalCost:
	var cost := VitalCost.new()
	cost.amount = amount
	return cost


func test_defaults() -> void:
	var cost := VitalCost.new()
	eq([cost.vital_tag, cost.amount, cost.as_fraction, cost.allow_partial], [&"Vital.Stamina", 10.0, false, false], "VitalCost")
	eq([AttributeCost.new().attribute, AttributeCost.new().amount], ["", 10.0], "AttributeCost")
	var cooldown := ActionCooldown.new()
	eq([cooldown.key, cooldown.seconds, cooldown.charges, cooldown.recharge, cooldown.starts, cooldown.interrupt_refund], [&"", 1.0, 1, 0, 0, 0.0], "ActionCooldown")
	eq([ActionCooldown.RECHARGE_ONE_BY_ONE, ActionCooldown.RECHARGE_ALL_AT_ONCE, ActionCooldown.ON_START, ActionCooldown.ON_END], [0, 1, 0, 1], "constants")
	eq(TagGate.new().hides_transition, false, "TagGate")


func test_a_vital_is_paid_at_the_start() -> void:
	var stage := _stage([_cost(20.0), _cost(15.0)])
	stage.with_vitals(70.0)
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "70 of 35")
	eq(stage.vitals.get_value(&"Vital.Stamina"), 35.0, "both are paid")
	stage.player.interrupt_for_external()
	stage.vitals.set_value(&"Vital.Stamina", 34.0)
	eq(stage.player.can_start_node(&"light"), ActionGraphPlayer.FAIL_COST, "can_start_node")
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "34 of 35")
	eq(stage.vitals.get_value(&"Vital.Stamina"), 34.0, "a start that failed costs nothing")
	eq(stage.log, ["started light", "ended light 2", "failed light 3"], "told")


func test_a_share_and_a_partial_cost() -> void:
	var share := _cost(0.5)
	share.as_fraction = true
	var stage := _stage([share])
	stage.with_vitals(24.0, 50.0)
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "24 of 25")
	share.allow_partial = true
	stage.player.advance(0.1)
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "what is there is enough")
	eq(stage.vitals.get_value(&"Vital.Stamina"), 0.0, "all of it is taken")
	stage.player.interrupt_for_external()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "nothing is there")


func test_without_the_vital_nothing_is_paid() -> void:
	var stage := _stage([_cost(500.0)])
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "no AgentVitals")
	stage.player.interrupt_for_external()
	stage.with_vitals(5.0, 10.0, &"Vital.Mana")
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "no such row")
	eq(stage.vitals.get_value(&"Vital.Mana"), 5.0, "the other row")


func test_an_attribute_is_paid() -> void:
	var cost := AttributeCost.new()
	cost.attribute = "ammo"
	cost.amount = 2.0
	var stage := _stage([cost])
	stage.agent.set_script(script("extends CharacterBody3D\nvar ammo := 5\n"))
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "5 of 2")
	eq(stage.agent.get(&"ammo"), 3, "paid")
	check(stage.agent.get(&"ammo") is int, "it stays a whole number")
	stage.player.interrupt_for_external()
	stage.press(LA)
	stage.player.interrupt_for_external()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "1 of 2")
	eq(stage.agent.get(&"ammo"), 1, "nothing is paid")


func test_an_attribute_of_a_node_below() -> void:
	var cost := AttributeCost.new()
	cost.attribute = "Stats:mana"
	var stage := _stage([cost])
	var stats: Node = script("extends Node\nvar mana := 10.5\n").new()
	stats.name = "Stats"
	add(stats, stage.agent)
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "10.5 of 10")
	near(stats.get(&"mana"), 0.5, 0.0001, "paid")


func test_a_missing_attribute_is_an_error() -> void:
	var cost := AttributeCost.new()
	cost.attribute = "ammo"
	cost.amount = 0.0
	var stage := _stage([cost])
	stage.begin()
	expect_error("AttributeCost: test_a_missing_attribute_is_an_error/Hero has no attribute \"ammo\", so the node cannot start. Add the property, or correct the name.", 1)
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "it cannot be paid")
	stage.press(LA)
	eq(stage.log, ["failed light 3", "failed light 3"], "told")


func test_a_script_is_asked_and_pays() -> void:
	var cost: ActionCost = script(COST).new()
	var stage := _stage([_cost(10.0), cost])
	stage.with_vitals(100.0)
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "it can pay")
	eq(cost.get(&"arrows"), 0, "it paid")
	eq(cost.get(&"runs"), [0, 1], "asked before the run, paid in it")
	stage.player.interrupt_for_external()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "no arrows")
	eq(stage.vitals.get_value(&"Vital.Stamina"), 90.0, "nothing else is paid then")
	stage.vitals.set_value(&"Vital.Stamina", 5.0)
	(cost.get(&"runs") as Array).clear()
	stage.press(LA)
	eq(cost.get(&"runs"), [], "not asked where a built-in cost cannot be paid")


func test_a_cost_without_virtuals_costs_nothing() -> void:
	var cost: ActionCost = script("extends ActionCost\n").new()
	var stage := _stage([cost, null])
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "it costs nothing")
	var codes := stage.graph.validate().map(func(row: Dictionary) -> String: return row.code)
	has_element(codes, "W21", "scripted class without its virtual")
	has_element(codes, "W6", "null element")


func _cooled(cooldown: ActionCooldown) -> Stage:
	var stage := Stage.new(self)
	stage.move(&"blink", 0.1).cooldown = cooldown
	stage.root_wire(&"blink", DG)
	stage.graph.late_input_grace = 0.0
	stage.begin()
	return stage


func test_charges_come_back_one_by_one() -> void:
	var cooldown := ActionCooldown.new()
	cooldown.charges = 2
	var stage := _cooled(cooldown)
	var expired := record(stage.player.cooldown_expired)
	eq(stage.player.get_charges(&"blink"), 2, "at first")
	stage.press(DG)
	stage.advance(0.2)
	stage.press(DG)
	eq(stage.player.get_charges(&"blink"), 0, "two taken")
	stage.advance(0.2)
	eq(stage.press(DG), ActionGraphPlayer.INPUT_DROPPED, "none left")
	near(stage.player.get_remaining_cooldown(&"blink"), 0.6, 0.0001, "until the first is back")
	stage.advance(0.6)
	eq(stage.player.get_charges(&"blink"), 1, "after 1 s")
	stage.advance(1.0)
	eq(stage.player.get_charges(&"blink"), 2, "after 2 s")
	eq(expired.count(), 2, "told for each")
	eq(stage.player.get_charges(&"nobody knows"), -1, "unknown key")


func test_all_charges_at_once() -> void:
	var cooldown := ActionCooldown.new()
	cooldown.charges = 2
	cooldown.recharge = ActionCooldown.RECHARGE_ALL_AT_ONCE
	var stage := _cooled(cooldown)
	stage.press(DG)
	stage.advance(0.5)
	stage.press(DG)
	stage.advance(0.4)
	eq(stage.player.get_charges(&"blink"), 0, "0.9 s after the first one was taken")
	stage.advance(0.1)
	eq(stage.player.get_charges(&"blink"), 2, "1 s after it")


func test_the_time_may_begin_at_the_end() -> void:
	var cooldown := ActionCooldown.new()
	cooldown.starts = ActionCooldown.ON_END
	var stage := _cooled(cooldown)
	stage.press(DG)
	eq(stage.player.get_charges(&"blink"), 0, "taken at the start")
	stage.advance(0.1)
	eq(stage.at(), &"root", "the move is over")
	near(stage.player.get_remaining_cooldown(&"blink"), 1.0, 0.0001, "from its end on")


func test_a_cancelled_run_gives_time_back() -> void:
	var cooldown := ActionCooldown.new()
	cooldown.interrupt_refund = 0.5
	var stage := Stage.new(self)
	stage.move(&"blink", 1.0).cooldown = cooldown
	stage.root_wire(&"blink", DG)
	stage.begin()
	stage.press(DG)
	stage.advance(0.2)
	stage.player.interrupt_for_external()
	near(stage.player.get_remaining_cooldown(&"blink"), 0.4, 0.0001, "half of the 0.8 s left")


func test_nodes_with_one_key_share_the_charges() -> void:
	var cooldown := ActionCooldown.new()
	cooldown.key = &"magic"
	var stage := Stage.new(self)
	stage.move(&"fire", 0.1).cooldown = cooldown
	stage.move(&"ice", 0.1).cooldown = cooldown
	stage.root_wire(&"fire", LA)
	stage.root_wire(&"ice", DG)
	stage.begin()
	stage.press(LA)
	stage.player.interrupt_for_external()
	eq(stage.player.can_start_node(&"ice"), ActionGraphPlayer.FAIL_COOLDOWN, "the other node")
	eq(stage.player.get_charges(&"fire"), -1, "the id is no key then")


func test_a_closed_gate_stops_the_start() -> void:
	var gate := TagGate.new()
	gate.blocked_tags = ["State.Wet"]
	var stage := _stage([_cost(10.0)], [gate])
	stage.with_vitals(50.0)
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "open")
	stage.player.interrupt_for_external()
	stage.tags.add_tag(&"State.Wet")
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "closed")
	eq(stage.log[-1], "failed light 1", "FAIL_GATE")
	eq(stage.vitals.get_value(&"Vital.Stamina"), 40.0, "paid once")


func test_a_gate_that_hides_lets_another_transition_win() -> void:
	var gate := TagGate.new()
	gate.required_tags = ["Weapon.Shield"]
	var stage := Stage.new(self)
	stage.move(&"bash", 0.2).gates = [gate]
	stage.move(&"light", 0.2)
	stage.root_wire(&"bash", LA).priority = 5
	stage.root_wire(&"light", LA)
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "it wins and cannot start")
	gate.hides_transition = true
	stage.player.advance(0.1)
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "it does not compete")
	eq(stage.at(), &"light", "the other one")
	stage.player.interrupt_for_external()
	stage.tags.add_tag(&"Weapon.Shield.Tower")
	stage.press(LA)
	eq(stage.at(), &"bash", "with the shield")


func test_numbers_of_agent_and_target() -> void:
	var own := VitalGate.new()
	own.vital_tag = &"Vital.Mana"
	own.min_value = 20.0
	var stamina := StaminaGate.new()
	var foes := AttributeGate.new()
	foes.attribute = "armor"
	foes.max_value = 3.0
	foes.source = AttributeGate.SOURCE_TARGET
	var stage := _stage([], [own, stamina, foes])
	stage.with_vitals(20.0, 50.0, &"Vital.Mana")
	stage.begin()
	eq(stage.player.can_start_node(&"light"), ActionGraphPlayer.FAIL_NONE, "no target")
	var foe := character(Vector3(0, 0, -2), "Foe")
	foe.set_script(script("extends CharacterBody3D\nvar armor := 4.0\n"))
	stage.player.set_target(foe)
	eq(stage.player.can_start_node(&"light"), ActionGraphPlayer.FAIL_GATE, "armor 4")
	foe.set(&"armor", 2.0)
	eq(stage.player.can_start_node(&"light"), ActionGraphPlayer.FAIL_NONE, "armor 2")
	stage.vitals.set_value(&"Vital.Mana", 19.0)
	eq(stage.player.can_start_node(&"light"), ActionGraphPlayer.FAIL_GATE, "mana 19")


func test_a_scripted_gate_gets_a_context() -> void:
	var first: ActionGate = script(GATE).new()
	var second: ActionGate = script(GATE).new()
	var stage := _stage([], [first, second])
	stage.begin()
	var foe := character(Vector3(0, 0, -2), "Foe")
	var tags := TagContainer.new()
	add(tags, foe)
	tags.add_tag(&"Role.Boss")
	stage.player.set_target(foe)
	stage.tags.add_tag(&"Team.Red")
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "both are open")
	var seen: DecisionContext = (first.get(&"seen") as Array)[0]
	eq([seen.agent, seen.target, seen.self_tags, seen.target_tags, seen.seed, seen.action_id], [stage.agent, foe, ["Team.Red"], ["Role.Boss"], 0, &"light"], "what it sees")
	near(seen.distance, 2.0, 0.0001, "distance")
	check(seen == (second.get(&"seen") as Array)[0], "made once for both")
	stage.player.interrupt_for_external()
	tags.remove_tag(&"Role.Boss")
	second.set(&"open", false)
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "the second is closed")
	eq(((first.get(&"seen") as Array)[1] as DecisionContext).target_tags, [], "the world as it is now")


func test_combat_tokens_are_held_until_the_run_ends() -> void:
	var gate := CombatTokenGate.new()
	var stage := _stage([], [gate])
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_DROPPED, "no target")
	var foe := character(Vector3(0, 0, -2), "Foe")
	stage.player.set_target(foe)
	CombatTokens.set_target_capacity(foe, &"Token.Attack", 1)
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "a slot is free")
	eq(CombatTokens.get_holders(foe, &"Token.Attack"), [stage.agent], "held")
	var other := Stage.new(self, "Other", Vector3(3, 0, 0))
	var node := other.move(&"light", 0.2)
	node.gates = [CombatTokenGate.new()]
	other.root_wire(&"light", LA)
	other.begin()
	other.player.set_target(foe)
	eq(other.press(LA), ActionGraphPlayer.INPUT_DROPPED, "none is free for another")
	stage.advance(0.3)
	eq(CombatTokens.get_holders(foe, &"Token.Attack"), [], "given back at the end")
	eq(other.press(LA), ActionGraphPlayer.INPUT_ENTERED, "free again")
	other.agent.free()
	eq(CombatTokens.get_holders(foe, &"Token.Attack"), [], "given back when the agent goes")


func test_costs_of_token_gates_add_up() -> void:
	var stage := _stage([], [CombatTokenGate.new(), CombatTokenGate.new()])
	stage.begin()
	var foe := character(Vector3(0, 0, -2), "Foe")
	stage.player.set_target(foe)
	CombatTokens.set_target_capacity(foe, &"Token.Attack", 1)
	eq(stage.player.can_start_node(&"light"), ActionGraphPlayer.FAIL_GATE, "one slot for two")
	CombatTokens.set_target_capacity(foe, &"Token.Attack", 2)
	eq(stage.player.can_start_node(&"light"), ActionGraphPlayer.FAIL_NONE, "two slots")


func test_bad_values_are_refused() -> void:
	var cost := VitalCost.new()
	expect_warning("amount = -5 is read as 0", 1)
	cost.amount = -5.0
	expect_warning("amount = NaN is refused, it stays 0", 1)
	cost.amount = NAN
	var cooldown := ActionCooldown.new()
	expect_warning("charges = 50 is read as 20", 1)
	cooldown.charges = 50
	expect_warning("interrupt_refund = 2 is read as 1", 1)
	cooldown.interrupt_refund = 2.0
	expect_warning("seconds = -1 is read as 0", 1)
	cooldown.seconds = -1.0
	expect_error("recharge = 4 is refused, it stays 0.", 1)
	cooldown.recharge = 4
