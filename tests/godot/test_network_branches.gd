extends TestCase
## Systems below a node that has a MultiplayerAPI of its own: that network counts for them, not the one of the tree.

const TwoBranches := preload("res://support/two_branches.gd")
const LIGHT := &"Input.LightAttack"
const DODGE := &"Input.Dodge"


func test_the_owner_of_a_moveset_plays_ahead() -> void:
	var branches: TwoBranches = await _moves()
	var server: Node = branches.server
	var client: Node = branches.client
	eq(client.call(&"press", LIGHT), ActionGraphPlayer.INPUT_ENTERED, "at once")
	eq(server.call(&"node"), "root", "the authority has not heard of it")
	await branches.until(server, &"node", "light_1", "it follows")
	eq(client.call(&"take_heard"), PackedStringArray(["hook light_1 false true", "+light_1"]), "the owner's hooks run")
	eq(server.call(&"take_heard"), PackedStringArray(["hook light_1 true false", "+light_1"]), "and the authority's")
	check(server.call(&"interrupt"), "the authority cuts")
	await branches.until(client, &"node", "root", "the owner follows")
	eq(client.call(&"take_heard"), PackedStringArray(["-light_1 2"]), "as a cut")
	branches.stop()


func test_a_refused_move_may_be_answered_at_once() -> void:
	var branches: TwoBranches = await _moves()
	var server: Node = branches.server
	var client: Node = branches.client
	var moves: ActionGraphPlayer = client.get(&"moves")
	var answers: Array[int] = []
	# Inside of the signal the player is at the authority's place already.
	moves.move_rejected.connect(func(_node: StringName) -> void: answers.append(moves.process_input(LIGHT)))
	server.call(&"refuse_next")
	eq(client.call(&"press", DODGE), ActionGraphPlayer.INPUT_ENTERED, "it has started here")
	await branches.until(server, &"node", "light_1", "another move instead")
	eq(answers, [ActionGraphPlayer.INPUT_FORWARDED], "it comes after the signal")
	eq(client.call(&"node"), "light_1", "which plays")
	for told: String in ["-dodge 5", "no dodge", "+light_1"]:
		has_element(client.call(&"get_heard"), told)
	# A handler that frees all of it.
	server.call(&"interrupt")
	await branches.until(client, &"node", "root", "back")
	moves.move_rejected.connect(func(_node: StringName) -> void: client.free())
	server.call(&"refuse_next")
	client.call(&"press", DODGE)
	await branches.settle()
	check(not is_instance_valid(moves), "it is gone")
	eq(server.call(&"node"), "root", "the authority goes on")
	branches.stop()


func _moves() -> TwoBranches:
	limit_seconds = 60.0
	var branches: TwoBranches = TwoBranches.new(self, "res://support/stages/moves.gd")
	if await branches.start():
		for stage: Node in [branches.server, branches.client]:
			stage.call(&"own", branches.client_id)
		await branches.settle(5)
	return branches


func test_the_owner_of_orders_asks_the_authority() -> void:
	limit_seconds = 60.0
	var branches: TwoBranches = TwoBranches.new(self, "res://support/stages/orders.gd")
	if await branches.start():
		var server: Node = branches.server
		var client: Node = branches.client
		for stage: Node in [server, client]:
			stage.call(&"own", branches.client_id)
		await branches.settle(5)
		eq(client.call(&"request", "Attack", "foe"), [CommandSystem.OUTCOME_PENDING, "sent_to_authority", 1], "sent")
		await branches.until(client, &"get_answers", [[1, CommandSystem.OUTCOME_STARTED, "", 1]], "the answer")
		var running: Array = ["Attack>Foe #1 0 player", [], "-", 1, false, 0]
		eq(server.call(&"state"), running, "runs on the authority")
		await branches.until(client, &"state", running, "and is known to the owner")
		eq(client.call(&"take_heard"), PackedStringArray(["-→Attack"]), "no hook runs there")
		eq(client.call(&"issue", "Wait")[0], CommandSystem.OUTCOME_REJECTED, "what does not go to the authority")
	branches.stop()


func test_an_evaluator_follows_its_authority() -> void:
	limit_seconds = 60.0
	var branches: TwoBranches = TwoBranches.new(self, "res://support/stages/fighting.gd")
	if await branches.start():
		var server: Node = branches.server
		var client: Node = branches.client
		await branches.until(client, &"source", ActionEvaluator.SET_COMPONENT_DEFAULT, "the source of the set")
		server.call(&"advance", 1)
		check(server.call(&"evaluate"), "the server starts")
		await branches.until(client, &"running", [true, "Jab", 1, "Foe"], "the client knows what runs")
		client.call(&"advance", 1)
		check(not client.call(&"evaluate"), "and decides nothing")
		server.call(&"abort")
		await branches.until(client, &"running", [false, "", 0, ""], "its end")
	branches.stop()
