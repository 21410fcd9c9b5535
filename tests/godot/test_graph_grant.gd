extends TestCase
## Weapons that bring their moveset.

const Parts := preload("res://support/graph_parts.gd")

var agent: Node3D
var moves: ActionGraphPlayer
var tags: TagContainer
var unarmed: ActionGraph
var changes: SignalRecord


func _agent(named: String = "Hero") -> void:
	unarmed = Parts.graph({&"punch": 1.0})
	unarmed.add_transition(&"root", &"punch", &"Input.LightAttack")
	agent = Node3D.new()
	agent.name = named
	tags = TagContainer.new()
	agent.add_child(tags)
	moves = ActionGraphPlayer.new()
	moves.name = "Moves"
	moves.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	moves.default_graph = unarmed
	agent.add_child(moves)
	changes = record(moves.graph_changed)


## A weapon whose grant lies deeper in its scene.
func _weapon(graph: ActionGraph, named: String = "Sword") -> Node3D:
	var weapon := Node3D.new()
	weapon.name = named
	var grant := ActionGraphGrant.new()
	grant.name = "Grant"
	grant.graph = graph
	weapon.add_child(grant)
	return weapon


func _grant_of(weapon: Node3D) -> ActionGraphGrant:
	return weapon.get_node("Grant")


## The warning is looked at where the engine lets scripts ask for it.
func _warns(grant: ActionGraphGrant, text: String) -> void:
	if grant.has_method(&"_get_configuration_warnings"):
		check("\n".join(grant.call(&"_get_configuration_warnings") as PackedStringArray).contains(text), text)
	checks += 1


func test_ex_50_m93() -> void:
	_agent()
	add(agent)
	var ends := record(moves.action_ended)
	moves.process_input(&"Input.LightAttack")
	eq(moves.get_current_node(), &"punch", "unarmed")
	var sword := Parts.sword()
	var hand := Node3D.new()
	add(hand, agent)
	var weapon := _weapon(sword)
	add(weapon, hand)
	eq(moves.get_graph(), sword, "the sword's")
	eq(ends.calls, [[&"punch", ActionGraphPlayer.END_REMOVED]], "the running move ended")
	moves.process_input(&"Input.LightAttack")
	eq(moves.get_current_node(), &"light_1", "with the sword")
	hand.remove_child(weapon)
	eq(moves.get_graph(), unarmed, "unarmed again")
	eq(ends.calls, [[&"punch", 7], [&"light_1", 7]], "END_REMOVED each time")
	eq(changes.arguments(0), [unarmed, sword, unarmed], "graph_changed")
	weapon.free()


func test_the_last_grant_wins() -> void:
	_agent()
	add(agent)
	var sword := Parts.sword()
	var axe := Parts.sword()
	var first := _weapon(sword, "Sword")
	var second := _weapon(axe, "Axe")
	add(first, agent)
	add(second, agent)
	eq(moves.get_graph(), axe, "the last one")
	_grant_of(second).active = false
	eq(moves.get_graph(), sword, "the one before")
	_grant_of(second).active = true
	eq(moves.get_graph(), axe, "the last one again")
	second.free()
	eq(moves.get_graph(), sword, "freed")
	_grant_of(first).graph = axe
	eq(moves.get_graph(), axe, "another moveset of the same weapon")
	eq(changes.arguments(0), [unarmed, sword, axe, sword, axe, sword, axe], "each once")
	_grant_of(first).graph = null
	eq(moves.get_graph(), unarmed, "none")


func test_tags_are_on_the_agent_while_it_is_active() -> void:
	_agent()
	add(agent)
	var shield := _weapon(null, "Shield")
	var grant := _grant_of(shield)
	grant.applied_tags = ["Weapon.Shield"]
	add(shield, agent)
	check(tags.has_tag(&"Weapon.Shield"), "on the agent")
	eq(moves.get_graph(), unarmed, "a shield brings no moves")
	grant.applied_tags = ["Weapon.Buckler"]
	eq(tags.get_tags(), ["Weapon.Buckler"], "others")
	grant.active = false
	eq(tags.get_tags(), [], "off")
	grant.active = true
	eq(tags.get_tags(), ["Weapon.Buckler"], "on")
	agent.remove_child(shield)
	eq(tags.get_tags(), [], "gone")
	shield.free()


func test_a_scene_that_has_its_weapon_from_the_start() -> void:
	_agent()
	var sword := Parts.sword()
	var weapon := _weapon(sword)
	_grant_of(weapon).applied_tags = ["Weapon.Sword"]
	agent.add_child(weapon)
	agent.move_child(weapon, 0)
	add(agent)
	eq(moves.get_graph(), sword, "the sword's")
	check(tags.has_tag(&"Weapon.Sword"), "its tag")
	remove_child(agent)
	add(agent)
	eq(moves.get_graph(), sword, "after coming back")
	check(tags.has_tag(&"Weapon.Sword") and tags.get_tag_count(&"Weapon.Sword") == 1, "its tag, once")


func test_a_weapon_changes_hands() -> void:
	_agent("One")
	var one := moves
	add(agent)
	_agent("Other")
	add(agent)
	var sword := Parts.sword()
	var weapon := _weapon(sword)
	add(weapon, one.get_parent())
	eq(one.get_graph(), sword, "the first one has it")
	weapon.reparent(agent)
	ne(one.get_graph(), sword, "not any more")
	eq(moves.get_graph(), sword, "the other one has it")


func test_without_an_agent_above() -> void:
	var weapon := _weapon(Parts.sword())
	add(weapon)
	_warns(_grant_of(weapon), "No agent above has an ActionGraphPlayer")
	var empty := ActionGraphGrant.new()
	add(empty, weapon)
	_warns(empty, "There is nothing to hand over")


func test_a_moveset_with_errors_is_not_taken() -> void:
	_agent()
	add(agent)
	var broken := Parts.sword()
	broken.get_node_by_id(&"root").transitions[0].to = &"nobody"
	expect_error("transition to unknown node \"nobody\"")
	expect_error("which has errors, so nothing changes")
	var weapon := _weapon(broken)
	add(weapon, agent)
	eq(moves.get_graph(), unarmed, "the old one stays")
	_warns(_grant_of(weapon), "nobody")


func test_freeing_the_agent_in_a_handler() -> void:
	_agent()
	add(agent)
	moves.graph_changed.connect(func(_graph: ActionGraph) -> void: agent.queue_free())
	var weapon := _weapon(Parts.sword())
	add(weapon, agent)
	await idle(2)
	check(not is_instance_valid(agent), "gone")


func test_numbers_are_checked() -> void:
	var grant: ActionGraphGrant = add(ActionGraphGrant.new())
	grant.stop_distance = 2.0
	eq(grant.stop_distance, 2.0, "taken")
	expect_warning("stop_distance = -3 is read as -1")
	grant.stop_distance = -3.0
	eq(grant.stop_distance, -1.0, "the agent's own")
