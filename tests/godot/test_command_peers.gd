extends TestCase
## Orders whose authority is another program: the owner's requests, what others are refused, and what is published.

const TwoPeers := preload("res://support/two_peers.gd")
const STAGE := "res://support/stages/orders.gd"

const REJECTED := CommandSystem.OUTCOME_REJECTED
const QUEUED := CommandSystem.OUTCOME_QUEUED
const STARTED := CommandSystem.OUTCOME_STARTED
const APPLIED := CommandSystem.OUTCOME_APPLIED
const PENDING := CommandSystem.OUTCOME_PENDING


func test_the_owner_orders_and_follows() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _own(peers, peers.client_id)
		await _order(peers)
		await _control(peers)
		await _options(peers)
		await _what_is_not_sent(peers)
		await _what_the_authority_refuses(peers)
		await _copies_only(peers)
	await peers.stop()


func _own(peers: TwoPeers, owner_peer: int) -> void:
	peers.stage.call(&"own", owner_peer)
	await peers.ask(&"own", [owner_peer])


func _order(peers: TwoPeers) -> void:
	eq(await peers.ask(&"request", ["Attack", "foe"]), [PENDING, "sent_to_authority", 1], "sent")
	await peers.until(&"get_answers", [], [[1, STARTED, "", 1]], "the answer")
	eq(peers.stage.call(&"state"), ["Attack>Foe #1 0 player", [], "-", 1, false, 0], "runs on the authority, in the owner's name")
	await peers.until(&"state", [], ["Attack>Foe #1 0 player", [], "-", 1, false, 0], "and is known to the owner")
	check(await peers.ask(&"definition_known"), "by its own definition")
	eq(await peers.ask(&"found", [1]), "Attack>Foe #1 0 player", "by its number")
	eq(await peers.ask(&"take_heard"), PackedStringArray(["-→Attack"]), "it is told once, and no hook runs there")
	await peers.ask(&"take_answers")
	await peers.ask(&"request", ["Move", Vector3(1, 0, 2), CommandSystem.ENTRY_ENQUEUE])
	await peers.until(&"get_answers", [], [[2, QUEUED, "in_queue", 2]], "waits")
	await peers.until(&"state", [], ["Attack>Foe #1 0 player", ["Move@(1.0, 0.0, 2.0) #2 0 player"], "-", 1, false, 1], "the queue")
	eq(await peers.ask(&"take_heard"), PackedStringArray(["queue 1"]), "told")
	eq(peers.stage.call(&"take_heard"), PackedStringArray(["start Attack from player", "-→Attack", "queue 1"]), "on the authority")


func _control(peers: TwoPeers) -> void:
	await peers.ask(&"take_answers")
	eq(await peers.ask(&"control", [CommandSystem.CONTROL_SKIP]), [PENDING, "sent_to_authority", 3], "sent")
	await peers.until(&"get_answers", [], [[3, APPLIED, "", 0]], "answered")
	await peers.until(&"state", [], ["Move@(1.0, 0.0, 2.0) #2 0 player", [], "Attack>Foe #1 3 player", 1, false, 0], "the next one runs")
	eq(await peers.ask(&"take_heard"), PackedStringArray(["Attack→Move", "queue 0", "last Attack 3 skipped"]), "what became different")
	await peers.ask(&"control", [CommandSystem.CONTROL_CLEAR_QUEUE, "squad"])
	await peers.until(&"get_answers", [], [[3, APPLIED, "", 0], [4, CommandSystem.OUTCOME_NO_CHANGE, "queue_empty", 0]], "of a source")
	await peers.ask(&"control", [CommandSystem.CONTROL_CANCEL, 2])
	await peers.until(&"state", [], ["-", [], "Move@(1.0, 0.0, 2.0) #2 3 player", 0, true, 0], "idle")
	await peers.ask(&"take_heard")
	await peers.ask(&"take_answers")


func _options(peers: TwoPeers) -> void:
	has_element(await peers.ask(&"options"), ["Attack", true], "a command bar works where orders are sent from")
	await peers.ask(&"own", [1])
	has_element(await peers.ask(&"options"), ["Attack", false], "and where they are not, it says so")
	await peers.ask(&"own", [peers.client_id])


func _what_is_not_sent(peers: TwoPeers) -> void:
	eq((await peers.ask(&"request", ["Wait", null, 0, {"text": "x".repeat(2000)}])).slice(0, 2), [REJECTED, "malformed"], "too long")
	eq((await peers.ask(&"request", ["Wait", null, 0, {"object": true}])).slice(0, 2), [REJECTED, "malformed"], "with an object")
	eq((await peers.ask(&"issue", ["Wait"])).slice(0, 2), [REJECTED, "not_authority"], "a direct call")
	peers.expect("request_control() got 17", 1)
	eq((await peers.ask(&"control", [17])).slice(0, 2), [REJECTED, "invalid_request"], "no control")
	peers.expect("request_command() got the entry point 9", 1)
	eq((await peers.ask(&"request", ["Wait", null, 9])).slice(0, 2), [REJECTED, "invalid_request"], "no entry point")
	await peers.settle()
	eq(peers.stage.call(&"take_refused"), PackedStringArray(), "nothing arrived")
	eq(await peers.ask(&"take_answers"), [], "so nothing was answered")


func _what_the_authority_refuses(peers: TwoPeers) -> void:
	var next: int = (await peers.ask(&"request", ["Secret"]))[2]
	await peers.until(&"get_answers", [], [[next, REJECTED, "unknown_definition", 0]], "an order that the agent does not know")
	await peers.ask(&"take_answers")
	peers.stage.call(&"set_orders", &"accept_remote_requests", false)
	await peers.ask(&"request", ["Wait"])
	await peers.until(&"get_answers", [], [[next + 1, REJECTED, "disabled", 0]], "switched off")
	peers.stage.call(&"set_orders", &"accept_remote_requests", true)
	await peers.ask(&"take_answers")
	eq(peers.stage.call(&"take_refused"), PackedStringArray(["owner unknown_definition", "owner disabled"]), "the authority tells")
	for message: Variant in [null, 5, "text", {}, [], [7], [7, 0, "Wait"], [7, 9, "Wait", 0, [], null, null, {}], [7, 0, "Wait", 0, 5, null, null, {}], [7, 0, "Wait", 0, [], 5, null, {}], [7, 0, "Wait", 0, [], null, null, {"x": "y".repeat(1100)}], [7, 0, 5.5, "x", [3], null, null, 2]]:
		await peers.ask(&"forge", [message])
	for message: Variant in [null, [7], [7, 99, 0], [7, 0, "x"], [7, 0, 0, 0]]:
		await peers.ask(&"forge", [message, &"_riposte_control"])
	await peers.settle()
	var refused: PackedStringArray = peers.stage.call(&"take_refused")
	eq(refused.size(), 17, "each is refused")
	eq(Array(refused).filter(func(line: String) -> bool: return line != "owner malformed"), [], "for what it is")
	await peers.ask(&"forge", [[7, 0, "Attack", 0, ["/root/Nowhere"], null, null, {}]])
	await peers.ask(&"forge", [[8, 0, "Move", 0, [], Vector3(NAN, 0, 0), null, {}]])
	await peers.settle()
	var answers: Array = await peers.ask(&"take_answers")
	has_element(answers, [7, REJECTED, "target_lost", 0], "a target that is not there")
	has_element(answers, [8, REJECTED, "not_finite", 0], "a place that is none")
	eq(peers.stage.call(&"state")[0], "-", "nothing runs")


func _copies_only(peers: TwoPeers) -> void:
	peers.expect("sync_state was given something else", 1)
	await peers.ask(&"write_nonsense")
	peers.stage.call(&"issue", "Attack", "foe")
	await peers.until(&"found", [3], "Attack>Foe #3 0", "an order of the authority's own")
	await peers.ask(&"drop_foe")
	eq(await peers.ask(&"found", [3]), "Attack #3 0", "a target that is gone here reads as none")


func test_ex_40_77() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _own(peers, 1)
		eq(await peers.ask(&"request", ["Wait"]), [REJECTED, "not_owner", 0], "who is not the owner")
		eq(await peers.ask(&"control", [CommandSystem.CONTROL_CLEAR_ALL]), [REJECTED, "not_owner", 0], "controls too")
		await peers.settle()
		eq(peers.stage.call(&"take_refused"), PackedStringArray(), "no packet")
		await peers.ask(&"forge", [[1, 0, "Wait", 0, [], null, null, {}]])
		await peers.ask(&"forge", [[2, 2, 0], &"_riposte_control"])
		await peers.settle()
		eq(peers.stage.call(&"take_refused"), PackedStringArray(["other not_owner", "other not_owner"]), "forged packets")
		eq(peers.stage.call(&"state"), ["-", [], "-", 0, true, 0], "change nothing")
		eq(await peers.ask(&"take_answers"), [], "and are not answered")
		await _own(peers, peers.client_id)
		await peers.ask(&"flood", [31])
		await peers.until(&"count_answers", [], 31, "all are answered")
		eq(peers.stage.call(&"take_refused"), PackedStringArray(["owner rate_limited"]), "the 31st within a second")
		var answers: Array = await peers.ask(&"take_answers")
		eq(answers[30][2], "rate_limited", "and its sender knows")
		await peers.settle(1.3)
		await peers.ask(&"flood", [1])
		await peers.until(&"count_answers", [], 1, "a second later")
		eq(peers.stage.call(&"take_refused"), PackedStringArray(), "the next one is heard")
	await peers.stop()


func test_authority_changes_hands() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _own(peers, peers.client_id)
		peers.stage.call(&"issue", "Attack", "foe")
		peers.stage.call(&"issue_waiting", "Wait")
		await peers.until(&"state", [], ["Attack>Foe #1 0", ["Wait #2 0"], "-", 1, false, 1], "known")
		peers.stage.call(&"take_heard")
		await peers.ask(&"take_heard")
		peers.stage.call(&"hand_over", peers.client_id)
		await peers.settle(0.2)
		eq(peers.stage.call(&"take_heard"), PackedStringArray(["cancel Attack", "last Attack 3 not_authority", "Attack→-", "queue 0"]), "what ran ends where the authority was")
		await peers.ask(&"hand_over", [peers.client_id])
		eq(await peers.ask(&"state"), ["-", [], "-", 0, true, 0], "the new authority begins idle")
		await peers.settle(0.2)
		var told: PackedStringArray = await peers.ask(&"take_heard")
		has_element(Array(told), "Attack→-", "and tells it")
		eq(await peers.ask(&"request", ["Wait"]), [STARTED, "", 0], "its requests are direct")
		check((await peers.ask(&"found", [3])) == "Wait #3 0", "numbers go on")
	await peers.stop()


func test_alone_it_is_all_direct() -> void:
	var stage: Node = (load(STAGE) as GDScript).new()
	stage.name = "Stage"
	add(stage)
	var orders: CommandSystem = stage.get(&"orders")
	eq([orders.owner_peer, orders.accept_remote_requests, orders.remote_source, orders.max_remote_requests_per_second], [0, true, &"player", 30], "defaults")
	var first: Dictionary = orders.sync_state
	check(is_same(first, orders.sync_state), "the same dictionary while nothing changes")
	eq([first.phase, first.current, first.queue, first.last_result], [0, {}, [], {}], "idle")
	eq(stage.call(&"request", "Wait"), [STARTED, "", 0], "a request without a network")
	var second: Dictionary = orders.sync_state
	check(not is_same(first, second), "a new one after a start")
	eq(second.revision, int(first.revision) + 1, "that counts")
	eq([second.current.command, second.current.command_id, second.current.targets, second.current.has("payload")], ["Wait", 1, [], false], "what is told")
	eq(stage.call(&"control", CommandSystem.CONTROL_CLEAR_ALL), [APPLIED, "", 0], "a control")
	eq([orders.sync_state.current, orders.sync_state.last_result.reason], [{}, "cleared"], "its end")
	orders.sync_state = first
	eq(orders.get_last_result().reason, &"cleared", "written where the orders are it has no effect")
	orders.call(&"_riposte_order", [1, 0, "Wait", 0, [], null, null, {}])
	orders.call(&"_riposte_answer", 1, 1, &"", 1)
	eq([stage.call(&"state")[0], stage.call(&"take_answers")], ["-", []], "what no peer sent is nothing")
	expect_warning("owner_peer = -3", 1)
	orders.owner_peer = -3
	eq(orders.owner_peer, 0, "no such peer")
