extends Node
## Two branches of one tree with a network of their own each, joined over ENet on the loopback, as a game has them that is
## server and client in one program. Both hold the same stage, see [code]two_peers.gd[/code].

## How many frames the connection and an answer may take.
const PATIENCE := 300

var server: Node
var client: Node
## The client's id on the network.
var client_id := 0

var _case: TestCase
var _script_path := ""


func _init(case: TestCase, stage_script: String) -> void:
	_case = case
	_script_path = stage_script
	case.add_child(self)


## Builds both stages and connects them; false, with a failed check, if that fails.
func start() -> bool:
	var host: ENetMultiplayerPeer = ENetMultiplayerPeer.new()
	host.create_server(0, 1)
	server = _branch("Server", host)
	var guest: ENetMultiplayerPeer = ENetMultiplayerPeer.new()
	guest.create_client("127.0.0.1", host.host.get_local_port())
	client = _branch("Client", guest)
	client_id = guest.get_unique_id()
	for i: int in PATIENCE:
		await _frame()
		if guest.get_connection_status() == MultiplayerPeer.CONNECTION_CONNECTED and not server.multiplayer.get_peers().is_empty():
			return true
	_case.fail("the branches do not connect")
	return false


## Waits until a method of a stage answers `wanted`; fails with the last answer when the time is over.
func until(stage: Node, method: StringName, wanted: Variant, what: String) -> void:
	for i: int in PATIENCE:
		if TestCase.Values.equal(stage.call(method), wanted):
			break
		await _frame()
	_case.eq(stage.call(method), wanted, what)


## Lets both sides run for a while.
func settle(frames: int = 30) -> void:
	for i: int in frames:
		await _frame()


## Closes both networks. Call it at the end of every test that called [method start].
func stop() -> void:
	for label: String in ["Client", "Server"]:
		var branch: Node = get_node(label)
		branch.multiplayer.multiplayer_peer.close()
		var path: NodePath = branch.get_path()
		branch.free()
		get_tree().set_multiplayer(null, path)


func _branch(label: String, peer: MultiplayerPeer) -> Node:
	var branch: Node = Node.new()
	branch.name = label
	add_child(branch)
	var api: MultiplayerAPI = MultiplayerAPI.create_default_interface()
	get_tree().set_multiplayer(api, branch.get_path())
	api.multiplayer_peer = peer
	var stage: Node = (load(_script_path) as GDScript).new()
	stage.name = "Stage"
	branch.add_child(stage)
	return stage


## Packets take time of the clock, however fast frames go.
func _frame() -> void:
	OS.delay_msec(2)
	await get_tree().physics_frame
