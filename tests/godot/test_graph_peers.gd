extends TestCase
## A moveset whose authority is another program: the owner plays ahead, refusals take it back, the others only see it.

const TwoPeers := preload("res://support/two_peers.gd")
const STAGE := "res://support/stages/moves.gd"
const LIGHT := &"Input.LightAttack"
const DODGE := &"Input.Dodge"


func test_the_owner_plays_ahead() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _own(peers, peers.client_id)
		eq(await peers.ask(&"press", [LIGHT]), ActionGraphPlayer.INPUT_ENTERED, "at once")
		eq(await peers.ask(&"node"), "light_1", "on the owner")
		await _server_is(peers, "light_1")
		await peers.ask(&"press", [LIGHT])
		await _server_is(peers, "light_2")
		await peers.settle(0.3)
		eq(await peers.ask(&"take_heard"), PackedStringArray(["hook light_1 false true", "+light_1", "-light_1 6", "hook light_2 false true", "+light_2"]), "the owner's hooks run")
		eq(peers.stage.call(&"take_heard"), PackedStringArray(["hook light_1 true false", "+light_1", "-light_1 6", "hook light_2 true false", "+light_2"]), "and the authority's")
		check(peers.stage.call(&"interrupt"), "the authority cuts")
		await peers.until(&"node", [], "root", "the owner follows")
		eq(await peers.ask(&"take_heard"), PackedStringArray(["-light_2 2"]), "as a cut")
		await _refusals(peers)
		await _forwarded(peers)
	await peers.stop()


func _refusals(peers: TwoPeers) -> void:
	peers.stage.call(&"take_heard")
	peers.stage.call(&"refuse_next")
	eq(await peers.ask(&"press", [DODGE]), ActionGraphPlayer.INPUT_ENTERED, "it has started here")
	await peers.until(&"get_heard", [], ["hook dodge false true", "+dodge", "no dodge", "-dodge 5"], "and is taken back")
	eq(await peers.ask(&"node"), "root", "where the authority is")
	eq(peers.stage.call(&"take_heard"), PackedStringArray(), "which never moved")
	await peers.ask(&"take_heard")
	await peers.ask(&"press", [LIGHT])
	await _server_is(peers, "light_1")
	await peers.ask(&"take_heard")
	await peers.ask(&"forge_nonsense")
	await peers.settle(0.3)
	eq(peers.stage.call(&"node"), "light_1", "nonsense changes nothing")
	peers.stage.call(&"interrupt")
	await peers.until(&"node", [], "root", "back")
	await peers.ask(&"take_heard")
	peers.stage.call(&"take_heard")


func _forwarded(peers: TwoPeers) -> void:
	peers.stage.call(&"name_graph", "res://made_by_the_server.tres")
	await peers.settle(0.3)
	peers.stage.call(&"press", &"Input.Nothing")
	var before: int = peers.stage.call(&"get_dropped")
	eq(await peers.ask(&"press", [&"Input.Nothing", 25]), ActionGraphPlayer.INPUT_FORWARDED, "another moveset plays there")
	await peers.settle(0.3)
	eq(int(peers.stage.call(&"get_dropped")) - before, 20, "twenty in one instant are walked")
	await peers.settle(1.2)
	before = peers.stage.call(&"get_dropped")
	await peers.ask(&"press", [&"Input.Made.Up.By.A.Stranger"])
	await peers.settle(0.3)
	eq(peers.stage.call(&"get_dropped"), before, "names that nothing uses there are not taken in")
	eq(await peers.ask(&"press", [LIGHT]), ActionGraphPlayer.INPUT_FORWARDED, "an input that it answers")
	await _server_is(peers, "light_1")


func test_others_see_what_the_authority_plays() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		eq(await peers.ask(&"press", [LIGHT]), ActionGraphPlayer.INPUT_DROPPED, "who is not the owner plays nothing")
		eq(peers.stage.call(&"press", LIGHT), ActionGraphPlayer.INPUT_ENTERED, "an AI of the authority")
		await peers.until(&"node", [], "light_1", "is seen")
		eq(await peers.ask(&"take_heard"), PackedStringArray(["+light_1"]), "without hooks")
		peers.stage.call(&"press", LIGHT)
		await peers.until(&"get_heard", [], ["-light_1 6", "+light_2"], "the next one")
		await peers.ask(&"take_heard")
		peers.stage.call(&"take_heard")
		await peers.ask(&"forge", ["dodge"])
		await peers.settle(0.3)
		eq(peers.stage.call(&"take_heard"), PackedStringArray(), "forged moves count for nothing")
		peers.stage.call(&"interrupt")
		await peers.until(&"get_heard", [], ["-light_2 2"], "its end")
		peers.expect("sync_state was given something else", 1)
		await peers.ask(&"write_nonsense")
	await peers.stop()


func test_chains_before_their_time() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _own(peers, peers.client_id)
		peers.stage.call(&"by_hand", 5.0)
		# The window opens at 20 s; 5 s of grace and at most 1 s for the way to the owner and back.
		for move: Array in [[&"Input.Late", "late"], [&"Input.Throw", "throw"]]:
			await peers.ask(&"press", [move[0]])
			await _server_is(peers, move[1] as String)
			peers.stage.call(&"let_pass", 13.9)
			await _is_refused(peers, move[1] as String)
			peers.stage.call(&"let_pass", 1.2)
			eq(await peers.ask(&"chain_at_once"), ActionGraphPlayer.INPUT_ENTERED, "it starts at the owner")
			await _server_is(peers, "light_2")
			await _to_root(peers)
	await peers.stop()


func test_a_forbidden_cut_locks() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _own(peers, peers.client_id)
		peers.stage.call(&"by_hand", 5.0)
		await peers.ask(&"let_be_cut")
		await peers.ask(&"press", [&"Input.Late"])
		await _server_is(peers, "late")
		await peers.settle(0.3)
		await peers.ask(&"take_heard")
		eq(await peers.ask(&"press", [DODGE]), ActionGraphPlayer.INPUT_ENTERED, "a cut that only the owner's rules allow")
		await peers.until(&"node", [], "late", "is taken back")
		has_element(await peers.ask(&"take_heard"), "no dodge")
		eq(peers.stage.call(&"node"), "late", "the authority plays on")
		peers.stage.call(&"let_pass", 16.0)
		await _is_refused(peers, "late")
		peers.stage.call(&"let_pass", 4.1)
		eq(await peers.ask(&"chain_at_once"), ActionGraphPlayer.INPUT_ENTERED, "its window is open by now")
		await _server_is(peers, "light_2")
	await peers.stop()


## What is in time but for what the owner did before, or too early.
func _is_refused(peers: TwoPeers, running: String) -> void:
	await peers.ask(&"take_heard")
	eq(await peers.ask(&"chain_at_once"), ActionGraphPlayer.INPUT_ENTERED, "it starts at the owner")
	await peers.until(&"node", [], running, "and is taken back")
	has_element(await peers.ask(&"take_heard"), "no light_2")
	eq(peers.stage.call(&"node"), running, "the authority plays on")


func _to_root(peers: TwoPeers) -> void:
	peers.stage.call(&"interrupt")
	await peers.until(&"node", [], "root", "back")


func test_a_flood_of_moves() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _own(peers, peers.client_id)
		await peers.ask(&"press", [&"Input.Spin"])
		await _server_is(peers, "spin")
		await peers.settle(1.2)
		peers.stage.call(&"take_heard")
		await peers.ask(&"flood", [200])
		await peers.settle(0.5)
		var started: int = (peers.stage.call(&"take_heard") as PackedStringArray).count("+spin")
		# 60 at once, and 60 more in each second.
		between(started, 30, 110, "of 200 moves")
		await peers.settle(1.2)
		await peers.ask(&"flood_with_names", [200])
		await peers.settle(0.5)
		eq(peers.stage.call(&"node"), "spin", "nothing came of them")
		if ClassDB.class_exists(&"RiposteProbe"):
			var probe: Object = ClassDB.instantiate(&"RiposteProbe")
			check(probe.call(&"knows_tag", "Input.Spin"), "a name of the moveset")
			for i: int in 200:
				check(not probe.call(&"knows_tag", "Input.Stranger.N%d" % i), "the name of a stranger is not taken in")
	await peers.stop()


func test_alone_all_is_local() -> void:
	var stage: Node = (load(STAGE) as GDScript).new()
	stage.name = "Stage"
	add(stage)
	var moves: ActionGraphPlayer = stage.get(&"moves")
	eq([moves.owner_peer, moves.dwell_grace_base_seconds, moves.max_server_inputs_per_second], [0, 0.1, 20], "defaults")
	var first: Dictionary = moves.sync_state
	check(is_same(first, moves.sync_state), "the same dictionary while nothing changes")
	eq([first.node, first.run], ["root", 0], "at the root")
	eq(stage.call(&"press", LIGHT), ActionGraphPlayer.INPUT_ENTERED, "an input")
	eq([moves.sync_state.node, moves.sync_state.run], ["light_1", 1], "what is published")
	eq(stage.call(&"take_heard"), PackedStringArray(["hook light_1 true true", "+light_1"]), "both at once")
	moves.call(&"_riposte_submit", [0, "light_1", "dodge", "Input.Dodge", 0, Vector2.ZERO, Vector2.ZERO])
	moves.call(&"_riposte_correct", [1, "root", 0.0, Vector2.ZERO, true])
	eq(stage.call(&"node"), "light_1", "what no peer sent is nothing")
	expect_warning("network_mode = 7 is read as NETWORK_OFF", 1)
	moves.network_mode = 7


func _own(peers: TwoPeers, owner_peer: int) -> void:
	peers.stage.call(&"own", owner_peer)
	await peers.ask(&"own", [owner_peer])


func _server_is(peers: TwoPeers, wanted: String) -> void:
	for i in 200:
		if peers.stage.call(&"node") == wanted:
			break
		await peers.settle(0.02)
	eq(peers.stage.call(&"node"), wanted, "the authority confirms")
