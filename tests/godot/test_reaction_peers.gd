extends TestCase
## A ReactionEvaluator whose authority is another program: it answers nothing, and follows what is published.

const TwoPeers := preload("res://support/two_peers.gd")
const STAGE := "res://support/stages/answering.gd"


func test_a_client_follows_the_reactions_of_the_authority() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		await _follow_a_run(peers)
		await _follow_cooldowns(peers)
		await _a_delay_is_the_authoritys(peers)
		await _interrupt_the_action(peers)
		await _answer_nothing(peers)
	await peers.stop()


func _follow_a_run(peers: TwoPeers) -> void:
	await peers.until(&"reaction_source", [], ReactionEvaluator.SET_COMPONENT_DEFAULT, "the source of the set")
	eq(peers.stage.call(&"react", "Event.Hit"), &"Parry", "the server answers")
	await peers.until(&"answering", [], [true, "Parry", 1, "Foe"], "the client knows what runs")
	await peers.until(&"get_told", [], ["set 1", "started Parry Foe #1", "cooling Parry 2.00"], "and tells it in order")
	await peers.ask(&"take_told")
	peers.stage.call(&"drop_reaction")
	await peers.until(&"answering", [], [false, "", 0, ""], "nothing runs")
	await peers.until(&"get_told", [], ["ended Parry 2 #1"], "an end")
	await peers.ask(&"take_told")


func _follow_cooldowns(peers: TwoPeers) -> void:
	near(peers.stage.call(&"reaction_cooldown", "Parry"), 1.0, 0.001, "half of it was given back")
	await peers.until(&"reaction_cooldown", ["Parry"], 1.0, "the client knows")
	await peers.ask(&"step_reactions", [9])
	eq(Array(await peers.ask(&"take_told")).count("ready Parry"), 0, "not yet")
	await peers.ask(&"step_reactions", [2])
	eq(await peers.ask(&"take_told"), ["ready Parry"], "the client counts by itself")
	eq(await peers.ask(&"reaction_cooldowns"), {}, "and answers")
	peers.stage.call(&"step_reactions", 11)
	peers.stage.call(&"take_told")


func _a_delay_is_the_authoritys(peers: TwoPeers) -> void:
	eq(peers.stage.call(&"react", "Event.Slow"), &"Dodge", "waits on the server")
	await peers.settle(0.2)
	eq(await peers.ask(&"get_told"), PackedStringArray(), "the client is not told of one that waits")
	peers.stage.call(&"step_reactions", 3)
	await peers.until(&"get_told", [], ["started Dodge Foe #2"], "but of its start")
	peers.stage.call(&"drop_reaction")
	await peers.until(&"get_told", [], ["started Dodge Foe #2", "ended Dodge 2 #2"], "and its end")
	await peers.ask(&"take_told")


func _interrupt_the_action(peers: TwoPeers) -> void:
	peers.stage.call(&"execute", "Heavy")
	await peers.until(&"running", [], [true, "Heavy", 1, "Foe"], "an action runs")
	eq(peers.stage.call(&"react", "Event.Push"), &"Flinch", "and has to make room")
	await peers.until(&"running", [], [false, "", 0, ""], "on the client too")
	await peers.until(&"answering", [], [true, "Flinch", 3, "Foe"], "for the reaction")
	has_element(await peers.ask(&"take_heard"), "ended Heavy 1 #1", "interrupted")
	await peers.ask(&"take_told")


func _answer_nothing(peers: TwoPeers) -> void:
	peers.expect("react() has no effect here, another peer has the authority", 1)
	peers.expect("execute_reaction() has no effect here, another peer has the authority", 1)
	eq(await peers.ask(&"react", ["Event.Hit"]), &"", "no answer on the client")
	eq(await peers.ask(&"force", ["Parry"]), 0, "no start")
	eq(await peers.ask(&"drop_reaction"), false, "nor an end")
	peers.expect("sync_state was given something else", 1)
	await peers.ask(&"write_nonsense_to_reactions")
	await peers.ask(&"step_reactions", [10])
	eq(await peers.ask(&"take_told"), PackedStringArray(), "and not a word")
	await peers.ask(&"react_everywhere", [true])
	await peers.ask(&"take_told")
	eq(await peers.ask(&"react", ["Event.Hit"]), &"Parry", "with authority_only off it answers by itself")


func test_authority_over_reactions_changes_hands() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		peers.stage.call(&"react", "Event.Hit")
		await peers.until(&"get_told", [], ["set 1", "started Parry Foe #1", "cooling Parry 2.00"], "it runs on the server")
		await peers.ask(&"take_told")
		peers.stage.call(&"take_told")
		peers.stage.call(&"hand_reactions_over", peers.client_id)
		peers.stage.call(&"step_reactions", 1)
		eq(peers.stage.call(&"take_told"), ["ended Parry 2 #1"], "what runs ends where the authority was")
		await peers.ask(&"hand_reactions_over", [peers.client_id])
		await peers.ask(&"step_reactions", [1])
		eq(Array(await peers.ask(&"take_told")).count("ended Parry 2 #1"), 1, "and is over on the new one")
		near(await peers.ask(&"reaction_cooldown", ["Parry"]), 1.9, 0.001, "the cooldown goes on as it was told")
		eq(await peers.ask(&"react", ["Event.Push"]), &"Flinch", "it answers there now")
		eq(await peers.ask(&"answering"), [true, &"Flinch", 2, &"Foe"], "run ids go on")
	await peers.stop()


func test_one_that_waits_is_forgotten_with_the_authority() -> void:
	limit_seconds = 300.0
	var peers: TwoPeers = TwoPeers.new(self, STAGE)
	if await peers.start():
		peers.stage.call(&"react", "Event.Slow")
		peers.stage.call(&"take_told")
		peers.stage.call(&"hand_reactions_over", peers.client_id)
		peers.stage.call(&"step_reactions", 5)
		eq(peers.stage.call(&"take_told"), ["ignored Event.Slow"], "told, and it never starts")
	await peers.stop()


func test_alone_it_publishes_only_changes() -> void:
	var stage: Node = (load(STAGE) as GDScript).new()
	stage.name = "Stage"
	add(stage)
	var reactions: ReactionEvaluator = stage.get(&"reactions")
	var first: Dictionary = reactions.sync_state
	check(is_same(first, reactions.sync_state), "the same dictionary while nothing changes")
	stage.call(&"react", "Event.Hit")
	var second: Dictionary = reactions.sync_state
	check(not is_same(first, second), "a new one after a start")
	eq([second.running, second.run, second.target, second.source], ["Parry", 1, str(stage.get(&"foe").get_path()), 1], "what runs")
	eq(second.cooldowns, {"Parry": [2.0, 1]}, "cooldown stamps")
	stage.call(&"step_reactions", 5)
	check(is_same(second, reactions.sync_state), "time alone is no change")
	stage.call(&"drop_reaction")
	eq([reactions.sync_state.running, reactions.sync_state.reason], ["", 2], "an end")
