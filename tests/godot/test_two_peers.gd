extends TestCase
## The harness of two engines: questions, remote calls, synchronisers, the log of the other side.

const TwoPeers := preload("res://support/two_peers.gd")
const ECHO := "res://support/stages/echo.gd"


func test_two_engines_talk() -> void:
	var peers: TwoPeers = TwoPeers.new(self, ECHO)
	if await peers.start():
		ne(peers.client_id, 1, "the client's id")
		eq(await peers.ask(&"add", [2, 3]), 5, "an answer")
		eq(await peers.ask(&"later"), "later", "of a method that waits")
		peers.stage.call(&"say", "to the client")
		await peers.until(&"get_heard", [], ["to the client"], "a remote call to the client")
		await peers.ask(&"say", ["to the server"])
		await until_done(func() -> bool: return peers.stage.get(&"heard") == PackedStringArray(["to the server"]), "and one to the server")
		peers.stage.set(&"counter", 7)
		await peers.until(&"get_counter", [], 7, "a synchronised property")
		peers.expect("a declared error")
		await peers.ask(&"complain", ["a declared error"])
	await peers.stop()
	check(not multiplayer.multiplayer_peer is ENetMultiplayerPeer, "alone again")
