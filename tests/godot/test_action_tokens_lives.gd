extends TestCase
## Combat tokens through the lives of scenes, and in a game of two programs.

const Rig := preload("res://support/action_rig.gd")
const TwoPeers := preload("res://support/two_peers.gd")
const STAGE := "res://support/stages/tokens.gd"
const ATTACK := &"Token.Attack"

var _heard: PackedStringArray = []


func _on_released(target: Node, tag: StringName, holder: Node) -> void:
	_heard.append("%s %s %s" % [target.name, tag, holder.name])


func _level(named: String) -> Node3D:
	var level: Node3D = Node3D.new()
	level.name = named
	return level


func _attacker(at: Node, foe: Node3D, named: String) -> Rig:
	var body: Node3D = Node3D.new()
	at.add_child(body)
	var rig: Rig = Rig.new(self, [Rig.gated(Rig.spec(&"Jab"), [CombatTokenGate.new()])], null, body)
	body.name = named
	rig.brain.target = foe
	return rig


func test_slots_through_a_change_of_the_scene() -> void:
	var tree: SceneTree = get_tree()
	var before: Node = tree.current_scene
	var level: Node3D = _level("Level")
	var foe: Node3D = Node3D.new()
	foe.name = "Foe"
	level.add_child(foe)
	tree.root.add_child(level)
	# One that stays, as an autoload does, and two that go with the scene.
	var player: Node3D = add(Node3D.new())
	player.name = "Player"
	var guard: Rig = _attacker(level, player, "Guard")
	var boss: Rig = _attacker(self, foe, "Boss")
	eq([guard.choose(), boss.choose()], [&"Jab", &"Jab"], "each holds a slot")
	CombatTokens.set_target_capacity(foe, ATTACK, 1)
	CombatTokens.set_pool_capacity(&"Token.Heavy", 5)
	CombatTokens.token_released.connect(_on_released)
	tree.current_scene = level
	tree.change_scene_to_packed(_packed(_level("Next")))
	await idle(3)
	CombatTokens.token_released.disconnect(_on_released)
	eq(tree.current_scene.name, &"Next", "the other scene is there")
	_heard.sort()
	eq(_heard, PackedStringArray(["Foe Token.Attack Boss", "Player Token.Attack Guard"]), "both slots are free again, and told")
	eq([CombatTokens.get_free(player, ATTACK), CombatTokens.get_holders(player, ATTACK)], [2, []], "of the one that stays")
	eq(CombatTokens.release_all(boss.agent), 0, "who stays holds nothing on one that went")
	eq(CombatTokens.get_capacity(null, &"Token.Heavy"), 5, "the pools of the game stay")
	CombatTokens.set_pool_capacity(&"Token.Heavy", -1)
	check(boss.brain.is_executing(), "the attack itself goes on: it may lose its target")
	boss.brain.abort_action()
	eq(CombatTokens.get_free(player, ATTACK), 2, "balanced")
	tree.current_scene.queue_free()
	tree.current_scene = before
	await idle()


func test_a_target_that_leaves_and_comes_back() -> void:
	var foe: Node3D = add(Node3D.new())
	var rig: Rig = _attacker(self, foe, "Guard")
	CombatTokens.set_target_capacity(foe, ATTACK, 1)
	rig.choose()
	eq(CombatTokens.get_free(foe, ATTACK), 0, "held")
	remove_child(foe)
	eq([CombatTokens.get_free(foe, ATTACK), CombatTokens.get_capacity(foe, ATTACK)], [1, 1], "outside: free, with its own number")
	eq(CombatTokens.acquire(rig.agent, foe, ATTACK), false, "but not to be had")
	add_child(foe)
	eq(CombatTokens.acquire(rig.agent, foe, ATTACK), true, "back again")
	rig.brain.abort_action()
	eq(CombatTokens.get_holders(foe, ATTACK), [rig.agent], "the end of the old run does not take the new slot")
	eq(CombatTokens.release_all(rig.agent), 1, "balanced")


func test_slots_are_the_servers() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		# The gate came after the start, so it counts from the next step on.
		peers.stage.call(&"advance", 1)
		await peers.ask(&"advance", [1])
		check(peers.stage.call(&"evaluate"), "the server starts")
		await peers.until(&"running", [], [true, "Jab", 1, "Foe"], "the client follows the run")
		eq(peers.stage.call(&"take_slots"), ["+ Foe Guard"], "it took a slot on the server")
		eq([peers.stage.call(&"free_slots"), peers.stage.call(&"holders")], [1, PackedStringArray(["Guard"])], "one of two is left")
		await _client_has_none(peers)
		peers.stage.call(&"abort")
		await peers.until(&"running", [], [false, "", 0, ""], "it ends")
		eq([peers.stage.call(&"take_slots"), peers.stage.call(&"free_slots")], [PackedStringArray(["- Foe Guard"]), 2], "the slot is free on the server")
		eq(await peers.ask(&"take_slots"), PackedStringArray(), "and the client heard nothing of it all")
		await _authority_without_being_the_server(peers)
	await peers.stop()


func _client_has_none(peers: TwoPeers) -> void:
	eq([await peers.ask(&"free_slots"), await peers.ask(&"holders")], [0, PackedStringArray()], "nothing is free there, nobody holds")
	eq([await peers.ask(&"acquire"), await peers.ask(&"give_all_back")], [false, [0, 0]], "calls that change something do nothing")
	await peers.ask(&"set_capacities", [7])
	eq([await peers.ask(&"capacity"), peers.stage.call(&"capacity")], [2, 2], "nor do those about capacities")
	eq(await peers.ask(&"rogue_chooses"), &"Heavy", "one that decides on the client gets no slot, so it does something else")
	eq(peers.stage.call(&"rogue_chooses"), &"Jab", "on the server it gets the second one")
	eq([peers.stage.call(&"free_slots"), peers.stage.call(&"take_slots")], [0, PackedStringArray(["+ Foe Rogue"])], "then all are taken")
	eq(peers.stage.call(&"give_all_back"), [1, 0], "and given back")
	peers.stage.call(&"take_slots")


## A game may hand an agent to a client; the slots stay with the server.
func _authority_without_being_the_server(peers: TwoPeers) -> void:
	peers.stage.call(&"hand_over", peers.client_id)
	await peers.ask(&"hand_over", [peers.client_id])
	eq(await peers.ask(&"execute", ["Jab"]) != 0, true, "a forced run needs no slot")
	eq([await peers.ask(&"take_slots"), peers.stage.call(&"free_slots")], [PackedStringArray(), 2], "and takes none")
	check(await peers.ask(&"abort"), "it ends")


func _packed(root: Node) -> PackedScene:
	var made: PackedScene = PackedScene.new()
	made.pack(root)
	root.free()
	return made
