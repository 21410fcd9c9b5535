extends TestCase
## Which reactions an agent has: the chain of its actions, with role and config of the ActionEvaluator where it has none.

const Kit := preload("res://support/reaction_rig.gd")
const Rig := preload("res://support/action_rig.gd")
const HIT: StringName = Kit.HIT


class RoleWeapon:
	extends Node
	var sets: Dictionary = {}
	var asked: Array = []

	func get_weapon_reaction_set_for_role(role: StringName) -> ReactionSet:
		asked.append(role)
		return sets.get(role)

	func get_weapon_reaction_set() -> ReactionSet:
		asked.append("general")
		return null


class PlainWeapon:
	extends Node
	var moves: Resource

	func get_weapon_reaction_set() -> Resource:
		return moves


class PropertyWeapon:
	extends Node
	@export var weapon_reaction_set: ReactionSet


class ActionsOnly:
	extends Node
	@export var weapon_action_set: ActionSet


func _kit(evaluator: ReactionEvaluator = null) -> Kit:
	return Kit.new(self, [Kit.reaction(&"Parry"), Kit.reaction(&"Dodge")], [Rig.spec(&"Jab")], evaluator)


func _config(role: String = "Role.Attacker") -> AgentConfig:
	var made: AgentConfig = AgentConfig.new()
	made.reaction_set = Kit.set_of([&"Config"])
	made.role_reaction_sets = {StringName(role): Kit.set_of([&"Role"])}
	return made


func test_the_chain_from_top_to_bottom() -> void:
	var reactions: ReactionEvaluator = _kit().reactions
	var weapon: PlainWeapon = add(PlainWeapon.new())
	weapon.moves = Kit.set_of([&"Weapon"])
	var changes: SignalRecord = record(reactions.reaction_set_changed)
	reactions.config = _config()
	reactions.role = &"Role.Attacker"
	check(reactions.set_weapon(weapon), "a weapon")
	reactions.set_provided_reaction_set(Kit.set_of([&"Provided"]))
	reactions.set_runtime_override(Kit.set_of([&"Override"]))
	eq(changes.arguments(1), [2, 3, 4, 4, 5], "sources on the way up")
	eq((changes.arguments(0)[4] as ReactionSet).reactions[0].reaction_id, &"Override", "with the set")
	var seen: Array = [[reactions.get_reaction_set_source(), reactions.get_reaction_ids()[0]]]
	var removals: Array[Callable] = [
		func() -> void: reactions.clear_runtime_override(),
		func() -> void: reactions.set_provided_reaction_set(null),
		func() -> void: reactions.set_weapon(null),
		func() -> void: reactions.role = &"",
		func() -> void: reactions.config = null,
	]
	for removal: Callable in removals:
		removal.call()
		seen.append([reactions.get_reaction_set_source(), reactions.get_reaction_ids()[0]])
	eq(seen, [[5, "Override"], [4, "Provided"], [4, "Weapon"], [3, "Role"], [2, "Config"], [1, "Parry"]], "in this order")
	reactions.default_reaction_set = null
	eq(reactions.get_reaction_set_source(), ReactionEvaluator.SET_NONE, "none")
	is_null(reactions.get_active_reaction_set(), "no set")
	eq(reactions.react(HIT), &"", "the agent does not react")


func test_each_set_is_the_one_that_answers() -> void:
	var kit: Kit = _kit()
	kit.reactions.set_provided_reaction_set(Kit.set_of([&"Provided"]))
	eq(kit.reactions.react(HIT), &"Provided", "at once")
	kit.reactions.abort_reaction()
	kit.reactions.set_runtime_override(Kit.set_of([&"Override"]))
	eq(kit.reactions.react(HIT), &"Override", "the override")
	kit.reactions.abort_reaction()
	kit.reactions.clear_runtime_override()
	kit.reactions.set_provided_reaction_set(null)
	eq(kit.reactions.react(HIT), &"Parry", "its own again")


func test_weapon_and_role() -> void:
	var reactions: ReactionEvaluator = _kit().reactions
	var weapon: RoleWeapon = add(RoleWeapon.new())
	weapon.sets = {&"Role.Attacker": Kit.set_of([&"Riposte"])}
	reactions.config = _config("Role")
	reactions.role = &"Role.Flanker"
	reactions.set_weapon(weapon)
	eq(reactions.get_reaction_set_source(), ReactionEvaluator.SET_CONFIG_ROLE, "the weapon leaves that role to the config")
	eq(reactions.get_reaction_ids(), PackedStringArray(["Role"]), "the closest ancestor of the role")
	reactions.role = &"Role.Attacker"
	eq(reactions.get_reaction_set_source(), ReactionEvaluator.SET_PROVIDED, "the weapon's")
	eq(weapon.asked, [&"Role.Flanker", &"Role.Attacker"], "its first member is final")
	expect_error("has an empty segment")
	reactions.role = &"Role..X"
	eq(reactions.role, &"Role.Attacker", "a role that is no tag is refused")


func test_weapons_by_property_and_by_path() -> void:
	var weapon: PropertyWeapon = PropertyWeapon.new()
	weapon.name = "Shield"
	weapon.weapon_reaction_set = Kit.set_of([&"Bash"])
	add(weapon)
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	reactions.weapon_path = ^"../../Shield"
	var kit: Kit = _kit(reactions)
	eq(reactions.get_weapon(), weapon, "found at the start")
	eq(reactions.get_reaction_ids(), PackedStringArray(["Bash"]), "its reactions")
	weapon.free()
	is_null(reactions.get_weapon(), "freed")
	kit.step()
	eq(reactions.get_reaction_ids(), PackedStringArray(["Parry", "Dodge"]), "from the next step on")
	expect_error("which gives no reactions")
	check(not reactions.set_weapon(add(ActionsOnly.new())), "a weapon of actions alone")
	var wrong: PlainWeapon = add(PlainWeapon.new())
	wrong.moves = ActionSet.new()
	expect_error("is no ReactionSet")
	check(reactions.set_weapon(wrong), "asked")
	eq(reactions.get_reaction_set_source(), ReactionEvaluator.SET_COMPONENT_DEFAULT, "a set of actions gives nothing")


func test_role_and_config_of_the_action_evaluator() -> void:
	var kit: Kit = _kit()
	var reactions: ReactionEvaluator = kit.reactions
	var weapon: RoleWeapon = add(RoleWeapon.new())
	kit.brain.config = _config()
	eq(reactions.get_reaction_set_source(), ReactionEvaluator.SET_CONFIG_DEFAULT, "its config, at once")
	kit.brain.role = &"Role.Attacker"
	eq(reactions.get_reaction_ids(), PackedStringArray(["Role"]), "its role, at once")
	weapon.sets = {&"Role.Flanker": Kit.set_of([&"Flank"])}
	reactions.set_weapon(weapon)
	kit.brain.role = &"Role.Flanker"
	eq(weapon.asked, [&"Role.Attacker", &"Role.Flanker"], "the weapon is asked for its role")
	eq(reactions.get_reaction_ids(), PackedStringArray(["Flank"]), "and answers")
	reactions.set_weapon(null)
	reactions.role = &"Role.Attacker"
	eq(reactions.get_reaction_ids(), PackedStringArray(["Role"]), "a role of its own wins")
	var own: AgentConfig = AgentConfig.new()
	own.reaction_set = Kit.set_of([&"Own"])
	reactions.config = own
	eq(reactions.get_reaction_ids(), PackedStringArray(["Own"]), "a config of its own too")
	reactions.config = null
	kit.brain.config.role_reaction_sets = {&"Role.Attacker": Kit.set_of([&"Edited"])}
	kit.step()
	eq(reactions.get_reaction_ids(), PackedStringArray(["Edited"]), "an edit of the other's config, in the next step")


func test_all_reaction_nodes_of_an_agent_hear_of_its_role_and_config() -> void:
	var kit: Kit = _kit()
	var second: ReactionEvaluator = ReactionEvaluator.new()
	second.process_callback = ReactionEvaluator.PROCESS_MANUAL
	kit.agent.add_child(second)
	var changes: SignalRecord = record(second.reaction_set_changed)
	kit.brain.config = _config()
	eq([kit.reactions.get_reaction_ids(), second.get_reaction_ids()], [["Config"], ["Config"]], "the config, at once")
	kit.brain.role = &"Role.Attacker"
	eq([kit.reactions.get_reaction_ids(), second.get_reaction_ids()], [["Role"], ["Role"]], "the role, at once")
	kit.brain.config.role_reaction_sets = {&"Role.Attacker": Kit.set_of([&"Edited"])}
	second.advance(0.1)
	eq(second.get_reaction_ids(), ["Edited"], "an edit, in the next step")
	eq(changes.count(), 3, "each is told once")
	# A handler of the first frees the second.
	kit.reactions.reaction_set_changed.connect(func(_set: ReactionSet, _source: int) -> void: second.free())
	kit.brain.role = &""
	check(not is_instance_valid(second), "freed in between")
	eq(kit.reactions.get_reaction_ids(), ["Config"], "the first goes on")


func test_an_action_evaluator_that_comes_and_goes() -> void:
	var agent: Node3D = add(Node3D.new())
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	reactions.process_callback = ReactionEvaluator.PROCESS_MANUAL
	reactions.default_reaction_set = Kit.set_of([&"Default"])
	agent.add_child(reactions)
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.config = _config()
	agent.add_child(brain)
	reactions.advance(0.1)
	eq(reactions.get_reaction_ids(), PackedStringArray(["Config"]), "in the next step after it came")
	agent.remove_child(brain)
	reactions.advance(0.1)
	eq(reactions.get_reaction_ids(), PackedStringArray(["Default"]), "and after it went")
	agent.add_child(brain)
	reactions.advance(0.1)
	eq(reactions.get_reaction_ids(), PackedStringArray(["Config"]), "and came again")
	brain.free()
	reactions.advance(0.1)
	eq(reactions.get_reaction_ids(), PackedStringArray(["Default"]), "and was freed")


func test_grants_survive_sets_and_roles() -> void:
	var kit: Kit = _kit()
	var reactions: ReactionEvaluator = kit.reactions
	var roll: ReactionSpec = Kit.reaction(&"Roll")
	roll.cooldown_duration = 5.0
	roll.selection_weight = 3.0
	check(reactions.grant_reaction(roll), "granted")
	eq(reactions.get_reaction_ids(), PackedStringArray(["Parry", "Dodge", "Roll"]), "last")
	eq(reactions.react(HIT), &"Roll", "it answers")
	reactions.abort_reaction()
	kit.step(10)
	reactions.default_reaction_set = Kit.set_of([&"Block", &"Roll"])
	reactions.role = &"Role.Attacker"
	eq(reactions.get_reaction_ids(), PackedStringArray(["Block", "Roll"]), "the set's own is hidden")
	near(reactions.get_remaining_cooldown(&"Roll"), 4.0, 1e-6, "its cooldown")
	check(reactions.is_reaction_granted(&"Roll"), "still granted")
	reactions.default_reaction_set = kit.moves
	check(reactions.revoke_reaction(&"Roll"), "revoked")
	check(not reactions.revoke_reaction(&"Roll"), "only once")
	eq(reactions.get_reaction_ids(), PackedStringArray(["Parry", "Dodge"]), "gone")


func test_grants_in_bulk() -> void:
	var reactions: ReactionEvaluator = _kit().reactions
	var bulk: ReactionSet = Kit.set_of([&"A", &"B", &"Parry"])
	eq(reactions.grant_reactions_from_set(bulk), 3, "granted")
	eq(reactions.get_reaction_ids(), PackedStringArray(["Dodge", "A", "B", "Parry"]), "after the set's own")
	check(reactions.grant_reaction(Kit.reaction(&"A", "Event.Other")), "an id again")
	eq(reactions.get_reaction_ids(), PackedStringArray(["Dodge", "A", "B", "Parry"]), "replaced in its place")
	eq(reactions.react(&"Event.Other"), &"A", "by the new one")
	eq(reactions.revoke_reactions_from_set(bulk), 3, "revoked")
	eq(reactions.get_running_reaction(), &"", "what runs ends")
	reactions.grant_reaction(Kit.reaction(&"C"))
	reactions.clear_granted_reactions()
	eq(reactions.get_reaction_ids(), PackedStringArray(["Parry", "Dodge"]), "as before")
	check(not reactions.grant_reaction(null), "null")
	eq(reactions.grant_reactions_from_set(null), 0, "no set")
	expect_error("whose reaction_id is empty")
	check(not reactions.grant_reaction(ReactionSpec.new()), "no id")


func test_a_granted_reaction_is_edited() -> void:
	var kit: Kit = _kit()
	var roll: ReactionSpec = Kit.reaction(&"Roll", "Event.Fall")
	kit.reactions.grant_reaction(roll)
	roll.trigger_tags = PackedStringArray(["Event.Push"])
	kit.step()
	eq(kit.reactions.react(&"Event.Fall"), &"", "no longer")
	eq(kit.reactions.react(&"Event.Push"), &"Roll", "in the next step")


func test_a_set_is_swapped_while_a_reaction_runs() -> void:
	var kit: Kit = _kit()
	kit.moves.reactions[0].cooldown_duration = 5.0
	kit.step()
	kit.reactions.execute_reaction(&"Parry")
	kit.reactions.default_reaction_set = Kit.set_of([&"Block", &"Parry"])
	eq(kit.reactions.get_running_reaction(), &"Parry", "runs on")
	kit.reactions.default_reaction_set = Kit.set_of([&"Block"])
	eq(kit.took(), "start Parry, end Parry 2", "cancelled")
	near(kit.reactions.get_remaining_cooldown(&"Parry"), 5.0, 1e-6, "the cooldown is kept")


func test_a_set_is_swapped_while_a_reaction_waits() -> void:
	var kit: Kit = Kit.new(self, [Kit.delayed(0.25)])
	kit.reactions.react(HIT)
	kit.reactions.default_reaction_set = Kit.set_of([&"Block", &"Parry"])
	kit.step(3)
	eq(kit.took(), "wait Parry 0.25, start Parry", "the list still has it")
	kit.reactions.abort_reaction()
	kit.reactions.default_reaction_set = kit.moves
	kit.reactions.react(HIT)
	kit.reactions.set_runtime_override(Kit.set_of([&"Block"]))
	kit.step(3)
	eq(kit.took(), "end Parry 2, wait Parry 0.25, ignored Event.Hit", "the list has it no more")
	eq(kit.reactions.react(HIT), &"Block", "and nothing waits")


func test_sets_swapped_inside_a_start_and_an_end() -> void:
	var kit: Kit = _kit()
	kit.reactions.reaction_started.connect(func(id: StringName, _target: Node, _run: int) -> void:
		if id == &"Parry":
			kit.reactions.set_runtime_override(Kit.set_of([&"Block"]))
			eq(kit.reactions.get_reaction_ids(), PackedStringArray(["Block"]), "at once"))
	kit.reactions.react(HIT)
	eq(kit.took(), "start Parry, end Parry 2", "after the start was through")
	kit.reactions.reaction_ended.connect(func(id: StringName, _reason: int, _run: int) -> void:
		if id == &"Block":
			kit.reactions.clear_runtime_override())
	kit.reactions.react(HIT)
	kit.reactions.abort_reaction()
	eq(kit.reactions.get_reaction_ids(), PackedStringArray(["Parry", "Dodge"]), "swapped in an end")


func test_role_and_grants_are_saved() -> void:
	var kit: Kit = _kit()
	kit.reactions.role = &"Role.Attacker"
	var spec: ReactionSpec = Kit.reaction(&"Roll")
	var method: CallMethod = CallMethod.new()
	method.method = &"roll"
	spec.execution_method = method
	var path: String = "user://granted_reaction.tres"
	ResourceSaver.save(spec, path)
	kit.reactions.grant_reaction(load(path))
	kit.reactions.grant_reaction(Kit.reaction(&"Unsaved"))
	var state: Dictionary = JSON.parse_string(JSON.stringify(kit.reactions.export_state()))
	eq(state.granted, [path], "by path")
	kit.reactions.clear_granted_reactions()
	kit.reactions.role = &""
	check(kit.reactions.import_state(state), "taken")
	eq(kit.reactions.role, &"Role.Attacker", "role")
	eq(kit.reactions.get_reaction_ids(), PackedStringArray(["Parry", "Dodge", "Roll"]), "grants with a path")
	DirAccess.remove_absolute(path)
	expect_warning("there is no ReactionSpec at")
	check(kit.reactions.import_state(state.merged({"granted": ["user://nothing.tres"]}, true)), "taken without it")


func test_an_agent_that_a_thread_makes() -> void:
	var agent: Node3D = Node3D.new()
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.name = "Brain"
	var config: AgentConfig = _config()
	config.role_action_sets = {&"Role.Attacker": _actions(&"Slash")}
	brain.config = config
	brain.role = &"Role.Attacker"
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	reactions.name = "Reactions"
	reactions.default_reaction_set = Kit.set_of([&"Default"])
	for child: Node in [brain, reactions] as Array[Node]:
		child.process_mode = Node.PROCESS_MODE_DISABLED
		agent.add_child(child)
		child.owner = agent
	var scene: PackedScene = PackedScene.new()
	scene.pack(agent)
	agent.free()
	var thread: Thread = Thread.new()
	thread.start(func() -> Node: return scene.instantiate())
	var made: Node = thread.wait_to_finish()
	add_child(made)
	eq((made.get_node("Brain") as ActionEvaluator).get_action_ids(), PackedStringArray(["Slash"]), "its actions")
	var its: ReactionEvaluator = made.get_node("Reactions")
	eq(its.get_reaction_ids(), PackedStringArray(["Role"]), "its reactions")
	its.config = AgentConfig.new()
	eq(its.get_reaction_ids(), PackedStringArray(["Default"]), "its own set")
	made.free()


func _actions(id: StringName) -> ActionSet:
	var made: ActionSet = ActionSet.new()
	made.actions = [Rig.spec(id)]
	return made


func test_another_agent_by_path() -> void:
	var kit: Kit = _kit()
	kit.brain.config = _config()
	var other: Node3D = add(Node3D.new())
	var theirs: ActionEvaluator = ActionEvaluator.new()
	theirs.config = AgentConfig.new()
	theirs.config.reaction_set = Kit.set_of([&"Theirs"])
	other.add_child(theirs)
	eq(kit.reactions.get_reaction_ids(), PackedStringArray(["Config"]), "of its parent")
	kit.reactions.agent_path = kit.reactions.get_path_to(other)
	kit.step()
	eq(kit.reactions.get_reaction_ids(), PackedStringArray(["Theirs"]), "of the other one")
	kit.reactions.agent_path = ^""
	kit.brain.agent_path = kit.brain.get_path_to(other)
	kit.step()
	eq(kit.reactions.get_reaction_ids(), PackedStringArray(["Parry", "Dodge"]), "the ActionEvaluator went to the other one")
	kit.brain.agent_path = ^""
	kit.step()
	eq(kit.reactions.get_reaction_ids(), PackedStringArray(["Config"]), "and came back")


func test_configuration_warnings() -> void:
	var agent: Node3D = add(Node3D.new())
	var brain: ActionEvaluator = ActionEvaluator.new()
	agent.add_child(brain)
	var reactions: ReactionEvaluator = ReactionEvaluator.new()
	agent.add_child(reactions)
	if not ClassDB.class_exists(&"RiposteProbe"):
		check(true, "only the debug library tells warnings to scripts")
		return
	check("the agent never reacts" in _warnings(reactions), "no set")
	brain.config = _config()
	check(not "the agent never reacts" in _warnings(reactions), "the config of the ActionEvaluator has one")
	reactions.weapon_path = ^"Nothing"
	check("weapon_path \"Nothing\" leads to no node" in _warnings(reactions), "no weapon")


func _warnings(reactions: ReactionEvaluator) -> String:
	var probe: Object = ClassDB.instantiate(&"RiposteProbe")
	return "\n".join(probe.call(&"evaluator_warnings", reactions) as PackedStringArray)
