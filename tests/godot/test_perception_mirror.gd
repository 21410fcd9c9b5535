extends TestCase
## A perceiver whose authority is another program: it senses nothing itself and answers from what is published.

const TwoPeers := preload("res://support/two_peers.gd")
const SEEN := [1, PerceptionEvent.TARGET_SENSED]
const REMEMBERED := [0, PerceptionEvent.TARGET_REMEMBERED]


func test_client_mirrors_the_authority() -> void:
	await _mirror("res://support/stages/sensing.gd")


func test_client_mirrors_the_authority_in_2d() -> void:
	await _mirror("res://support/stages/sensing_flat.gd")


func _mirror(stage: String) -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, stage)
	if await peers.start():
		await _see_and_lose(peers)
		await _stay_ignorant(peers)
		await _sense_for_itself(peers)
	await peers.stop()


func _see_and_lose(peers: TwoPeers) -> void:
	# On the client the thieves stand elsewhere: what it knows comes from the server alone.
	await peers.ask(&"place", [0, 3.0])
	peers.stage.call(&"place", 0, 10.0)
	peers.stage.call(&"place", 1, 5.0)
	peers.stage.call(&"advance", 1)
	eq(peers.stage.call(&"known"), [["Thief1"] + SEEN + [5.0], ["Thief0"] + SEEN + [10.0]], "the server sees two")
	await peers.until(&"known", [], [["Thief1"] + SEEN + [5.0], ["Thief0"] + SEEN + [10.0]], "the client knows both, at the server's places")
	eq(await peers.ask(&"closest"), "Thief1", "the closest")
	var heard: Array = Array(await peers.ask(&"take_heard"))
	heard.sort()
	eq(heard, ["+Thief0", "+Thief1"], "target_perceived for each")
	peers.stage.call(&"place", 0, 300.0)
	peers.stage.call(&"advance", 3)
	await peers.until(&"known", [], [["Thief1"] + SEEN + [5.0], ["Thief0"] + REMEMBERED + [10.0]], "one is only remembered")
	eq(await peers.ask(&"take_heard"), PackedStringArray(), "which is neither perceived nor lost")
	between(await peers.ask(&"age", [0]), 0.09, 0.31, "its age")
	peers.stage.call(&"advance", 60)
	await peers.until(&"known", [], [["Thief1"] + SEEN + [5.0]], "and forgotten")
	eq(await peers.ask(&"take_heard"), PackedStringArray(["-Thief0"]), "target_lost")


func _stay_ignorant(peers: TwoPeers) -> void:
	await peers.ask(&"report", [0])
	await peers.ask(&"advance", [5])
	await peers.settle()
	eq(await peers.ask(&"known"), [["Thief1"] + SEEN + [5.0]], "the client ignores reports and does not sense")
	eq(await peers.ask(&"take_heard"), PackedStringArray(), "and raises nothing of its own")
	eq(peers.stage.call(&"known").size(), 1, "nor does it change the server")
	# A target that is gone here is not answered, whatever is published.
	await peers.ask(&"free_thief", [1])
	eq(await peers.ask(&"known"), [], "a target that is gone on the client")
	peers.stage.call(&"place", 1, 300.0)
	peers.stage.call(&"advance", 60)
	await peers.settle()
	eq(await peers.ask(&"known"), [], "nothing is left")


func _sense_for_itself(peers: TwoPeers) -> void:
	await peers.ask(&"take_heard")
	await peers.ask(&"set_authority_only", [false])
	await peers.ask(&"place", [0, 4.0])
	await peers.ask(&"advance", [2])
	eq(await peers.ask(&"known"), [["Thief0"] + SEEN + [4.0]], "with authority_only off it senses itself")
	has_element(await peers.ask(&"take_heard"), "+Thief0", "and says so")
