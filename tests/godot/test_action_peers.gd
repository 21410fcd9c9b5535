extends TestCase
## An evaluator whose authority is another program: it decides and runs nothing, and follows what is published.

const TwoPeers := preload("res://support/two_peers.gd")
const STAGE := "res://support/stages/fighting.gd"


func test_a_client_follows_the_authority() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _follow_a_run(peers)
		await _follow_cooldowns(peers)
		await _decide_nothing(peers)
		await _target_gone(peers)
	await peers.stop()


func test_authority_changes_hands() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		peers.stage.call(&"execute", "Jab")
		await peers.until(&"running", [], [true, "Jab", 1, "Foe"], "it runs on the server")
		await peers.until(&"get_heard", [], ["set 1", "started Jab Foe #1", "cooling Jab 2.00"], "and is told in order")
		await peers.ask(&"take_heard")
		peers.stage.call(&"take_heard")
		peers.stage.call(&"hand_over", peers.client_id)
		peers.stage.call(&"advance", 1)
		eq(peers.stage.call(&"take_heard"), ["ended Jab 2 #1"], "what runs ends where the authority was")
		await peers.ask(&"hand_over", [peers.client_id])
		await peers.ask(&"advance", [1])
		eq(Array(await peers.ask(&"take_heard")).count("ended Jab 2 #1"), 1, "and is over on the new one")
		near(await peers.ask(&"cooldown", ["Jab"]), 1.9, 0.001, "the cooldown goes on as it was told")
		eq(await peers.ask(&"execute", ["Heavy"]), 2, "run ids go on")
		eq(await peers.ask(&"running"), [true, "Heavy", 2, "Foe"], "it runs there now")
	await peers.stop()


func _follow_a_run(peers: TwoPeers) -> void:
	await peers.until(&"source", [], ActionEvaluator.SET_COMPONENT_DEFAULT, "the source of the set")
	peers.stage.call(&"advance", 1)
	check(peers.stage.call(&"evaluate"), "the server starts")
	await peers.until(&"running", [], [true, "Jab", 1, "Foe"], "the client knows what runs")
	await peers.until(&"get_heard", [], ["set 1", "started Jab Foe #1", "cooling Jab 2.00"], "and tells it in order")
	await peers.ask(&"take_heard")
	await peers.ask(&"advance", [3])
	near(await peers.ask(&"running_time"), 0.3, 0.001, "the client's own count")
	peers.stage.call(&"execute", "Heavy")
	await peers.until(&"running", [], [true, "Heavy", 2, "Foe"], "the next one")
	await peers.until(&"get_heard", [], ["ended Jab 1 #1", "started Heavy Foe #2"], "one end, one start")
	await peers.ask(&"take_heard")
	peers.stage.call(&"abort")
	await peers.until(&"get_heard", [], ["ended Heavy 2 #2"], "an end")
	await peers.until(&"running", [], [false, "", 0, ""], "nothing runs")
	await peers.ask(&"take_heard")


func _follow_cooldowns(peers: TwoPeers) -> void:
	# 2 s less nothing on the server, which has not stepped since; the interruption gave half of it back.
	near(peers.stage.call(&"cooldown", "Jab"), 1.0, 0.001, "on the server")
	between(await peers.ask(&"cooldown", ["Jab"]), 0.9, 1.01, "the refund arrived")
	await peers.ask(&"advance", [9])
	eq(Array(await peers.ask(&"take_heard")).count("ready Jab"), 0, "not yet")
	await peers.ask(&"advance", [2])
	eq(await peers.ask(&"take_heard"), ["ready Jab"], "the client counts by itself")
	eq(await peers.ask(&"cooldowns"), {}, "and answers")


func _decide_nothing(peers: TwoPeers) -> void:
	check(not await peers.ask(&"evaluate"), "no decision on the client")
	peers.expect("execute_action() has no effect here, another peer has the authority", 1)
	eq(await peers.ask(&"execute", ["Jab"]), 0, "no start on the client")
	eq(await peers.ask(&"abort"), false, "nor an end")
	peers.expect("sync_state was given something else", 1)
	await peers.ask(&"write_nonsense")
	await peers.ask(&"advance", [10])
	eq(await peers.ask(&"take_heard"), PackedStringArray(), "and not a word")


func _target_gone(peers: TwoPeers) -> void:
	await peers.ask(&"drop_foe")
	peers.stage.call(&"execute", "Heavy")
	await peers.until(&"running", [], [true, "Heavy", 3, ""], "a target that is gone here reads as none")
	await peers.until(&"get_heard", [], ["started Heavy  #3"], "in the signal too")
	await peers.ask(&"set_authority_only", [false])
	await peers.ask(&"take_heard")
	check(await peers.ask(&"execute", ["Jab"]) > 0, "with authority_only off it runs its own")
	has_element(await peers.ask(&"take_heard"), "cooling Jab 2.00", "and says so")


func test_alone_it_publishes_only_changes() -> void:
	var stage: Node = (load(STAGE) as GDScript).new()
	stage.name = "Stage"
	add(stage)
	var brain: ActionEvaluator = stage.get(&"brain")
	var first: Dictionary = brain.sync_state
	check(is_same(first, brain.sync_state), "the same dictionary while nothing changes")
	stage.call(&"evaluate")
	var second: Dictionary = brain.sync_state
	check(not is_same(first, second), "a new one after a start")
	eq([second.running, second.run, second.target, second.source], ["Jab", 1, str(stage.get(&"foe").get_path()), 1], "what runs")
	eq(second.cooldowns, {"Jab": [2.0, 1]}, "cooldown stamps")
	stage.call(&"advance", 5)
	check(is_same(second, brain.sync_state), "time alone is no change")
	brain.reset_cooldown(&"Jab")
	eq(brain.sync_state.cooldowns, {"Jab": [0.0, 1]}, "a reset")
	stage.call(&"abort")
	eq([brain.sync_state.running, brain.sync_state.reason], ["", 2], "an end")
	brain.sync_state = {"running": "", "target": "", "run": 9, "reason": 0, "set": "", "source": 0, "cooldowns": {}}
	eq(brain.get_action_set_source(), 1, "written on the authority it has no effect")
