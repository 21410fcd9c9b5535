extends TestCase
## Two branches of one tree with a network of their own each, as a game has them that is server and client in one program.

const STAGE := preload("res://support/stages/moves.gd")
const LIGHT := &"Input.LightAttack"
const DODGE := &"Input.Dodge"

var _server: Node
var _client: Node


func test_the_owner_plays_ahead_in_a_branch() -> void:
	limit_seconds = 60.0
	if not await _connect():
		return
	eq(_client.call(&"press", LIGHT), ActionGraphPlayer.INPUT_ENTERED, "at once")
	eq(_server.call(&"node"), "root", "the authority has not heard of it")
	await _until(_server, "light_1")
	eq(_client.call(&"take_heard"), PackedStringArray(["hook light_1 false true", "+light_1"]), "the owner's hooks run")
	eq(_server.call(&"take_heard"), PackedStringArray(["hook light_1 true false", "+light_1"]), "and the authority's")
	check(_server.call(&"interrupt"), "the authority cuts")
	await _until(_client, "root")
	eq(_client.call(&"take_heard"), PackedStringArray(["-light_1 2"]), "the owner follows")
	_disconnect()


func test_a_refused_move_may_be_answered_at_once() -> void:
	limit_seconds = 60.0
	if not await _connect():
		return
	var moves: ActionGraphPlayer = _client.get(&"moves")
	var answers: Array[int] = []
	# Inside of the signal the player is at the authority's place already.
	moves.move_rejected.connect(func(_node: StringName) -> void: answers.append(moves.process_input(LIGHT)))
	_server.call(&"refuse_next")
	eq(_client.call(&"press", DODGE), ActionGraphPlayer.INPUT_ENTERED, "it has started here")
	await _until(_server, "light_1")
	eq(answers, [ActionGraphPlayer.INPUT_FORWARDED], "it comes after the signal")
	eq(_client.call(&"node"), "light_1", "which plays")
	for ended: StringName in [&"-dodge 5", &"no dodge", &"+light_1"]:
		has_element(_client.call(&"get_heard"), ended)
	# A handler that frees all of it.
	_server.call(&"interrupt")
	await _until(_client, "root")
	moves.move_rejected.connect(func(_node: StringName) -> void: _client.free())
	_server.call(&"refuse_next")
	_client.call(&"press", DODGE)
	await physics(30)
	check(not is_instance_valid(moves), "it is gone")
	eq(_server.call(&"node"), "root", "the authority goes on")
	_disconnect()


## Both stages and their connection; false, with a failed check, if there is none.
func _connect() -> bool:
	var host: ENetMultiplayerPeer = ENetMultiplayerPeer.new()
	host.create_server(0, 1)
	_server = _branch("Server", host)
	var guest: ENetMultiplayerPeer = ENetMultiplayerPeer.new()
	guest.create_client("127.0.0.1", host.host.get_local_port())
	_client = _branch("Client", guest)
	for i: int in 300:
		await physics(1)
		OS.delay_msec(2)
		if guest.get_connection_status() == MultiplayerPeer.CONNECTION_CONNECTED and not _server.multiplayer.get_peers().is_empty():
			for stage: Node in [_server, _client]:
				stage.call(&"own", guest.get_unique_id())
			await physics(5)
			return true
	fail("the branches do not connect")
	return false


func _branch(label: String, peer: MultiplayerPeer) -> Node:
	var branch: Node = Node.new()
	branch.name = label
	add(branch)
	var api: MultiplayerAPI = MultiplayerAPI.create_default_interface()
	get_tree().set_multiplayer(api, branch.get_path())
	api.multiplayer_peer = peer
	var stage: Node = STAGE.new()
	stage.name = "Stage"
	branch.add_child(stage)
	return stage


func _until(stage: Node, node: String) -> void:
	for i: int in 300:
		if stage.call(&"node") == node:
			break
		await physics(1)
		OS.delay_msec(2)
	eq(stage.call(&"node"), node, "%s plays" % stage.get_path())


func _disconnect() -> void:
	for label: String in ["Client", "Server"]:
		var branch: Node = get_node(label)
		branch.multiplayer.multiplayer_peer.close()
		var path: NodePath = branch.get_path()
		branch.free()
		get_tree().set_multiplayer(null, path)
