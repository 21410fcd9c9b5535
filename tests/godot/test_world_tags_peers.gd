extends TestCase
## The tags of the world in a game of two programs: they change on the server only, and a WorldTagsSync brings them.

const TwoPeers := preload("res://support/two_peers.gd")
const STAGE := "res://support/stages/world.gd"


func test_clients_read_what_the_server_has() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _changes_arrive(peers)
		await _client_changes_nothing(peers)
		await _without_a_sync(peers)
		peers.stage.call(&"remove_tag", "World.Boss.Active")
		peers.stage.call(&"remove_tag", "World.Night")
	await peers.stop()


func _changes_arrive(peers: TwoPeers) -> void:
	eq(await peers.ask(&"tags"), PackedStringArray(), "nothing yet, and no warning")
	peers.stage.call(&"add_tag", "World.Boss.Active")
	await peers.until(&"tags", [], ["World.Boss.Active"], "the client's tags")
	check(await peers.ask(&"has_tag", ["World.Boss"]), "by hierarchy")
	eq(await peers.ask(&"synced"), ["World.Boss.Active"], "the node's property")
	eq(await peers.ask(&"take_heard"), ["++World.Boss.Active", "+World.Boss.Active"], "both signals, once")
	near(await peers.ask(&"boosted"), 2.0, 1e-6, "a score on the client")
	peers.stage.call(&"add_tag_until", "World.Day", "World.Night")
	await peers.until(&"tags", [], ["World.Boss.Active", "World.Day"], "a second one")
	await peers.ask(&"take_heard")
	peers.stage.call(&"add_tag", "World.Night")
	await peers.until(&"tags", [], ["World.Boss.Active", "World.Night"], "a sentinel came")
	eq(await peers.ask(&"take_heard"), ["++World.Night", "--World.Day", "+World.Night", "-World.Day"], "what came and what went")
	peers.stage.call(&"add_tag_for", "World.Storm", 0.2)
	await peers.until(&"last_heard", [], "-World.Storm", "a timer of the server ran out")


func _client_changes_nothing(peers: TwoPeers) -> void:
	await peers.ask(&"take_heard")
	for method: StringName in [&"add_tag", &"remove_tag"]:
		await peers.ask(method, ["World.Boss.Active"])
	await peers.ask(&"add_tag", ["World.Mine"])
	await peers.ask(&"add_tag_for", ["World.Mine", 5.0])
	await peers.ask(&"add_tag_until", ["World.Mine", "World.Night"])
	eq(await peers.ask(&"import_nothing"), false, "import on a client")
	eq(await peers.ask(&"tags"), ["World.Boss.Active", "World.Night"], "still what the server has")
	eq(await peers.ask(&"take_heard"), PackedStringArray(), "and not a word")
	eq(WorldTags.get_tags(), ["World.Boss.Active", "World.Night"], "nor on the server")
	check(peers.log_lines.size() < 1000, "silently")


func _without_a_sync(peers: TwoPeers) -> void:
	await peers.ask(&"drop_sync")
	peers.expect("WorldTags: the tags were read on a client that has no WorldTagsSync", 1)
	for i: int in 3:
		eq(await peers.ask(&"tags"), PackedStringArray(), "without a WorldTagsSync there is nothing")
	check(not await peers.ask(&"has_tag", ["World.Boss"]), "nor here")
	await peers.ask(&"add_sync")
	peers.stage.call(&"drop_sync")
	peers.stage.call(&"add_sync")
	await peers.until(&"tags", [], ["World.Boss.Active", "World.Night"], "a new one brings them again")


func test_alone_everything_is_allowed() -> void:
	var sync: WorldTagsSync = add(WorldTagsSync.new())
	WorldTags.add_tag(&"World.Night")
	eq(sync.tags, ["World.Night"], "the mirror of the singleton")
	expect_error("WorldTagsSync (", 1)
	sync.tags = PackedStringArray(["World.Other"])
	sync.tags = PackedStringArray(["World.Other"])
	eq(WorldTags.get_tags(), ["World.Night"], "writing it changes nothing")
	WorldTags.remove_tag(&"World.Night")
	eq(sync.tags, PackedStringArray(), "and follows")
