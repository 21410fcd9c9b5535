extends TestCase
## What goes wrong in the second engine fails the test: every test here has to be reported as failed.

const TwoPeers := preload("res://support/two_peers.gd")
const ECHO := "res://support/stages/echo.gd"


func test_errors_and_warnings_of_the_client() -> void:
	var peers: TwoPeers = TwoPeers.new(self, ECHO)
	await peers.start()
	await peers.ask(&"complain", ["nobody declared this"])
	await peers.stop()


func test_a_client_that_leaves() -> void:
	var peers: TwoPeers = TwoPeers.new(self, ECHO)
	await peers.start()
	await peers.ask(&"leave", [3])
	await peers.stop()
