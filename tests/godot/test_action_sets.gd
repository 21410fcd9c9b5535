extends TestCase
## Which actions an agent has: sets by override, weapon, role and config, grants, changes while something runs.

const Rig := preload("res://support/action_rig.gd")


class RoleWeapon:
	extends Node
	var sets: Dictionary = {}
	var asked: Array = []

	func get_weapon_action_set_for_role(role: StringName) -> ActionSet:
		asked.append(role)
		return sets.get(role)

	func get_weapon_action_set() -> ActionSet:
		asked.append("general")
		return null


class PlainWeapon:
	extends Node
	var moves: ActionSet

	func get_weapon_action_set() -> ActionSet:
		return moves


class PropertyWeapon:
	extends Node
	@export var weapon_action_set: ActionSet


func _moves_of(ids: Array) -> ActionSet:
	var made: ActionSet = ActionSet.new()
	var specs: Array[ActionSpec] = []
	for id: StringName in ids:
		specs.append(Rig.spec(id))
	made.actions = specs
	return made


func _rig() -> Rig:
	return Rig.new(self, [Rig.spec(&"Jab"), Rig.spec(&"Heavy")])


func test_ex_30_a70() -> void:
	var rig: Rig = _rig()
	var brain: ActionEvaluator = rig.brain
	var weapon: PlainWeapon = add(PlainWeapon.new())
	weapon.moves = _moves_of([&"Weapon"])
	var config: AgentConfig = AgentConfig.new()
	config.action_set = _moves_of([&"Config"])
	config.role_action_sets = {&"Role.Attacker": _moves_of([&"Role"])}
	var changes: SignalRecord = record(brain.action_set_changed)
	brain.config = config
	brain.role = &"Role.Attacker"
	check(brain.set_weapon(weapon), "a weapon")
	brain.set_provided_action_set(_moves_of([&"Provided"]))
	brain.set_runtime_override(_moves_of([&"Override"]))
	eq(changes.arguments(1), [2, 3, 4, 4, 5], "sources on the way up")
	var seen: Array = [[brain.get_action_set_source(), brain.get_action_ids()[0]]]
	var removals: Array[Callable] = [
		func() -> void: brain.clear_runtime_override(),
		func() -> void: brain.set_provided_action_set(null),
		func() -> void: brain.set_weapon(null),
		func() -> void: brain.role = &"",
		func() -> void: brain.config = null,
	]
	for removal: Callable in removals:
		removal.call()
		seen.append([brain.get_action_set_source(), brain.get_action_ids()[0]])
	eq(seen, [[5, "Override"], [4, "Provided"], [4, "Weapon"], [3, "Role"], [2, "Config"], [1, "Jab"]], "in this order")
	brain.default_action_set = null
	eq(brain.get_action_set_source(), ActionEvaluator.SET_NONE, "none")
	is_null(brain.get_active_action_set(), "no set")
	eq(rig.choose(), &"", "the agent does not act")


func test_ex_30_a71() -> void:
	var rig: Rig = _rig()
	var weapon: RoleWeapon = add(RoleWeapon.new())
	weapon.sets = {&"Role.Attacker": _moves_of([&"Slash"])}
	var config: AgentConfig = AgentConfig.new()
	config.role_action_sets = {&"Role": _moves_of([&"Guard"])}
	rig.brain.config = config
	rig.brain.role = &"Role.Flanker"
	rig.brain.set_weapon(weapon)
	eq(rig.brain.get_action_set_source(), ActionEvaluator.SET_CONFIG_ROLE, "the weapon leaves that role to the config")
	eq(rig.brain.get_action_ids(), PackedStringArray(["Guard"]), "the closest ancestor of the role")
	var roles: SignalRecord = record(rig.brain.role_changed)
	rig.brain.role = &"Role.Attacker"
	eq(roles.arguments(0), [&"Role.Attacker"], "told once")
	eq(rig.brain.get_action_set_source(), ActionEvaluator.SET_PROVIDED, "the weapon's")
	eq(weapon.asked, [&"Role.Flanker", &"Role.Attacker"], "its first member is final")


func test_weapons_by_property_and_by_path() -> void:
	var weapon: PropertyWeapon = PropertyWeapon.new()
	weapon.name = "Sword"
	weapon.weapon_action_set = _moves_of([&"Cut"])
	var body: Node3D = Node3D.new()
	body.add_child(weapon)
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.weapon_path = ^"../Sword"
	var rig: Rig = Rig.new(self, [Rig.spec(&"Jab")], brain, body)
	eq(brain.get_weapon(), weapon, "found at the start")
	eq(brain.get_action_ids(), PackedStringArray(["Cut"]), "its actions")
	weapon.free()
	is_null(brain.get_weapon(), "freed")
	rig.step()
	eq(brain.get_action_ids(), PackedStringArray(["Jab"]), "from the next step on")
	expect_error("which gives no actions")
	check(not brain.set_weapon(add(Node.new())), "no provider")
	var wrong: PropertyWeapon = add(PropertyWeapon.new())
	check(brain.set_weapon(wrong), "a property that is empty")
	eq(brain.get_action_ids(), PackedStringArray(["Jab"]), "gives nothing")


func test_ex_30_a72() -> void:
	var rig: Rig = _rig()
	var brain: ActionEvaluator = rig.brain
	check(brain.grant_action(Rig.cooling(&"Bomb", 5.0)), "granted")
	eq(brain.get_action_ids(), PackedStringArray(["Jab", "Heavy", "Bomb"]), "last")
	rig.use(&"Bomb")
	rig.step(10)
	brain.default_action_set = _moves_of([&"Kick", &"Bomb"])
	brain.role = &"Role.Attacker"
	eq(brain.get_action_ids(), PackedStringArray(["Kick", "Bomb"]), "the set's own is hidden")
	near(brain.get_remaining_cooldown(&"Bomb"), 4.0, 1e-6, "its cooldown")
	check(brain.is_action_granted(&"Bomb"), "still granted")
	brain.default_action_set = rig.moves
	check(brain.revoke_action(&"Bomb"), "revoked")
	check(not brain.revoke_action(&"Bomb"), "only once")
	eq(brain.get_action_ids(), PackedStringArray(["Jab", "Heavy"]), "gone")


func test_grants_in_bulk() -> void:
	var brain: ActionEvaluator = _rig().brain
	var bulk: ActionSet = _moves_of([&"A", &"B", &"Jab"])
	eq(brain.grant_actions_from_set(bulk), 3, "granted")
	eq(brain.get_action_ids(), PackedStringArray(["Heavy", "A", "B", "Jab"]), "after the set's own")
	check(brain.grant_action(Rig.spec(&"A", 3.0)), "an id again")
	eq(brain.get_action_ids(), PackedStringArray(["Heavy", "A", "B", "Jab"]), "replaced in its place")
	near(brain.score_action(&"A"), 3.0, 1e-6, "by the new one")
	eq(brain.revoke_actions_from_set(bulk), 3, "revoked")
	brain.grant_action(Rig.spec(&"C"))
	brain.clear_granted_actions()
	eq(brain.get_action_ids(), PackedStringArray(["Jab", "Heavy"]), "as before")
	check(not brain.grant_action(null), "null")
	expect_error("whose action_id is empty")
	check(not brain.grant_action(ActionSpec.new()), "no id")


func test_a_granted_action_is_edited() -> void:
	var rig: Rig = _rig()
	var bomb: ActionSpec = Rig.spec(&"Bomb")
	rig.brain.grant_action(bomb)
	bomb.selection_weight = 4.0
	rig.step()
	near(rig.brain.score_action(&"Bomb"), 4.0, 1e-6, "in the next step")


func test_ex_30_a73() -> void:
	var rig: Rig = Rig.new(self, [Rig.cooling(&"Jab", 5.0)])
	rig.brain.execute_action(&"Jab")
	rig.brain.default_action_set = _moves_of([&"Kick", &"Jab"])
	eq(rig.brain.get_running_action(), &"Jab", "runs on")
	var ends: SignalRecord = record(rig.brain.action_ended)
	rig.brain.default_action_set = _moves_of([&"Kick"])
	eq(ends.arguments(1), [ActionEvaluator.END_CANCELLED], "cancelled")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 5.0, 1e-6, "the cooldown is kept")


func test_change_policies() -> void:
	var rows: Array = [
		[ActionEvaluator.CHANGE_END_IF_MISSING, &"Jab", &""],
		[ActionEvaluator.CHANGE_LET_FINISH, &"Jab", &"Jab"],
		[ActionEvaluator.CHANGE_END_ALWAYS, &"", &""],
	]
	for row: Array in rows:
		for other: Array in [[[&"Jab"], row[1]], [[&"Kick"], row[2]]]:
			var rig: Rig = _rig()
			rig.brain.set_change_policy = row[0]
			rig.brain.execute_action(&"Jab")
			rig.brain.default_action_set = _moves_of(other[0])
			eq(rig.brain.get_running_action(), other[1], "policy %d, %s" % [row[0], other[0]])


func test_sets_swapped_inside_a_start_and_an_end() -> void:
	var rig: Rig = _rig()
	rig.diary.reactions["started Jab"] = func() -> void: rig.brain.set_runtime_override(_moves_of([&"Kick"]))
	rig.brain.execute_action(&"Jab")
	eq(rig.brain.get_action_ids(), PackedStringArray(["Kick"]), "at once")
	has_element(rig.diary.lines, "ended Jab 2", "after the start was through")
	rig.diary.reactions["ended Kick 2"] = func() -> void: rig.brain.clear_runtime_override()
	rig.brain.execute_action(&"Kick")
	rig.brain.abort_action()
	eq(rig.brain.get_action_ids(), PackedStringArray(["Jab", "Heavy"]), "swapped in an end")


func test_ex_30_a83() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 10.0)
	var rig: Rig = Rig.new(self, [jab])
	rig.use(&"Jab")
	rig.step(40)
	jab.cooldown_duration = 2.0
	rig.step()
	near(rig.brain.get_remaining_cooldown(&"Jab"), 5.9, 1e-6, "what is left stays")
	rig.use(&"Jab")
	near(rig.brain.get_remaining_cooldown(&"Jab"), 2.0, 1e-6, "the next stamp is the new one")


func test_an_edit_keeps_what_runs_and_what_is_known() -> void:
	var jab: ActionSpec = Rig.cooling(&"Jab", 10.0)
	var rig: Rig = Rig.new(self, [jab, Rig.cooling(&"Heavy", 8.0)])
	rig.use(&"Heavy")
	var run: int = rig.brain.execute_action(&"Jab")
	jab.selection_weight = 3.0
	rig.moves.actions = [jab, Rig.spec(&"Kick"), rig.moves.find_action(&"Heavy")] as Array[ActionSpec]
	rig.step()
	eq(rig.brain.get_run_id(), run, "runs on")
	eq(rig.brain.get_action_ids(), PackedStringArray(["Jab", "Kick", "Heavy"]), "the new list")
	near(rig.brain.get_remaining_cooldown(&"Heavy"), 7.9, 1e-6, "the cooldown")


func test_config_is_checked() -> void:
	var config: AgentConfig = AgentConfig.new()
	config.interrupt_recovery_time = 2.0
	config.action_set = _moves_of([&"Jab"])
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.config = config
	var agent: Node = add(Node.new())
	agent.add_child(brain)
	# Only the debug library tells what the inspector would show.
	if ClassDB.class_exists(&"RiposteProbe"):
		var probe: Object = ClassDB.instantiate(&"RiposteProbe")
		has_element("\n".join(probe.call(&"evaluator_warnings", brain)), "interrupt_recovery_time (2 s) is longer than action_recovery_time (0 s)")
		config.action_recovery_time = 2.0
		lacks_element("\n".join(probe.call(&"evaluator_warnings", brain)), "longer than action_recovery_time")
	expect_error("stays as it was")
	config.set("role_action_sets", {&"Role.A": 3})
	eq(config.role_action_sets.size(), 0, "refused")
