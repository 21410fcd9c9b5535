extends TestCase
## The worked examples of orders that need more of a scene than their notation says.

const Rig := preload("res://support/command_rig.gd")
const Acting := preload("res://support/command_acting.gd")


## An order that finds another target when its own is gone.
class Hunting:
	extends CommandDefinition
	var next: Node = null

	func _find_new_target(_agent: Node, _request: CommandRequest) -> Node:
		return next


## An order that scores its variants as told.
class Scored:
	extends CommandDefinition
	var scores: Array[float] = []
	var refused: PackedInt32Array = []

	func _score(_agent: Node, request: CommandRequest, variant: CommandVariant) -> float:
		return scores[find_variant(variant.id)] if request != null else 0.0

	func _can_execute(_agent: Node, _request: CommandRequest, variant: CommandVariant) -> StringName:
		return &"no_ammo" if refused.has(find_variant(variant.id)) else &""


func test_ex_40_60() -> void:
	var rig: Rig = Rig.new(self)
	for text: String in ["max 200", "issue A", "fill 100"]:
		rig.perform(text)
	rig.take()
	expect_warning("max_starts_per_turn")
	var first: PackedStringArray = rig.step("S").split(" ")
	eq(_with(first, "start("), 64, "starts in the call")
	eq(rig.system.get_queue_length(), 36, "still waiting")
	eq(rig.system.get_phase(), CommandSystem.PHASE_HANDOVER, "phase in between")
	eq(_with(first, "idle"), 0, "idle in between")
	var rest: PackedStringArray = rig.step("tick 0.1").split(" ")
	eq(_with(rest, "start("), 36, "starts of the tick")
	eq(_with(first, "end(Z") + _with(rest, "end(Z"), 100, "ends")
	eq(_with(rest, "idle"), 1, "idle")
	rig.agent.free()


func test_an_order_that_issues_itself_again() -> void:
	var rig: Rig = Rig.new(self)
	var again: Callable = func(order: CommandInfo, _result: int, _reason: StringName) -> void:
		rig.system.issue_command(CommandRequest.simple(order.definition))
	rig.system.command_ended.connect(again)
	expect_warning("max_starts_per_turn")
	var first: PackedStringArray = rig.step("issue Z=").split(" ")
	eq(_with(first, "start("), 64, "starts in the call")
	for i: int in 3:
		eq(_with(rig.step("tick 0.1").split(" "), "start("), 64, "starts of a tick")
	rig.system.command_ended.disconnect(again)
	rig.step("tick 0.1")
	check(rig.system.is_idle(), "idle once nobody asks again")
	rig.agent.free()


func test_ex_40_61() -> void:
	for found: bool in [true, false]:
		var rig: Rig = Rig.new(self)
		var order: Hunting = Hunting.new()
		rig.own("A", order)
		order.target_type = CommandDefinition.TARGET_TYPE_NODE
		order.target_lost_policy = CommandDefinition.LOST_RETARGET
		var first: Node = add(Node.new())
		var other: Node = add(Node.new())
		order.next = other if found else null
		rig.system.issue_command(CommandRequest.to_node(order, first))
		rig.perform("enq Q")
		rig.take()
		first.free()
		if found:
			eq(rig.step("tick 0.1"), "cancel(A) start(A) retried(A,1)", "tick with another target")
			check(rig.last.target == other, "target of the new start")
			eq(rig.last.attempt, 1, "attempt")
		else:
			eq(rig.step("tick 0.1"), "end(Q,D,chain_failed) cancel(A) end(A,F,target_lost) cur(A→-) queue idle", "tick without")
		rig.agent.free()


func test_ex_40_65() -> void:
	var rig: Rig = Rig.new(self, Node3D.new())
	var order: CommandDefinition = rig.own("A", CommandDefinition.new())
	order.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	order.range_min = 2.0
	order.range_max = 10.0
	order.range_rule = CommandDefinition.RANGE_AT_ISSUE
	eq(_at(rig, order, 10.0), "STARTED", "at the longest range")
	eq(_at(rig, order, 10.01), "REJECTED/too_far", "beyond")
	eq(_at(rig, order, 2.0), "STARTED", "at the shortest range")
	eq(_at(rig, order, 1.99), "REJECTED/too_close", "nearer")
	order.range_rule = CommandDefinition.RANGE_INFORM
	eq(_at(rig, order, 1000.0), "STARTED", "where the range only informs")
	rig.agent.free()


func test_ex_40_66() -> void:
	var rig: Rig = Rig.new(self, Node3D.new())
	var order: CommandDefinition = rig.own("A", CommandDefinition.new())
	order.target_type = CommandDefinition.TARGET_TYPE_DIRECTION
	eq(rig.answer_of(rig.system.issue_command(CommandRequest.to_direction(order, Vector3(3, 0, 4)))), "STARTED")
	near(rig.last.direction, Vector3(0.6, 0.0, 0.8), 0.0001, "the direction as stored")
	eq(_reason(rig, CommandRequest.to_direction(order, Vector3.ZERO)), "direction_zero", "no direction")
	eq(_reason(rig, CommandRequest.to_direction(order, Vector2(1, 0))), "wrong_dimension", "Vector2 on a Node3D")
	order = rig.own("B", CommandDefinition.new())
	eq(_reason(rig, CommandRequest.to_location(order, Vector3.ONE)), "location_unexpected", "NONE with a location")
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	eq(_reason(rig, CommandRequest.simple(order)), "target_missing", "NODE without target")
	rig.agent.free()


func test_ex_40_67() -> void:
	var rig: Rig = Rig.new(self)
	var order: Scored = Scored.new()
	rig.own("A", order)
	order.scores = [0.4, 0.9, 0.9]
	order.refused = [2]
	order.variants = [_variant(&"melee"), _variant(&"bow"), _variant(&"spell")]
	eq(_auto(rig, order), 1, "the third is not allowed")
	order.scores = [0.9, 0.9, 0.0]
	eq(_auto(rig, order), 0, "a tie")
	order.refused = [0, 1, 2]
	var request: CommandRequest = CommandRequest.simple(order)
	request.variant = CommandDefinition.VARIANT_AUTO
	eq(_reason(rig, request), "no_ammo", "none is allowed")
	request.variant = 3
	eq(_reason(rig, request), "bad_variant", "a fourth of three")
	request = CommandRequest.simple(rig.own("B", CommandDefinition.new()))
	request.variant = 7
	eq(rig.answer_of(rig.system.issue_command(request)), "STARTED", "a variant of a simple order")
	eq(rig.system.get_current_command().variant, 0, "is read as 0")
	rig.agent.free()


func test_ex_40_68() -> void:
	var rig: Rig = Rig.new(self)
	var order: CommandDefinition = rig.own("A", CommandDefinition.new())
	order.agent_required_tags = ["Weapon"]
	var bow: CommandVariant = _variant(&"bow")
	bow.agent_required_tags = ["Weapon.Bow"]
	order.variants = [bow]
	rig.tags.add_tag(&"Weapon.Sword")
	var receipt: CommandReceipt = rig.system.issue_command(CommandRequest.simple(order))
	eq(receipt.reason, &"agent_missing_tag", "with a sword")
	eq(receipt.detail, "Weapon.Bow", "what is missing")
	rig.tags.remove_tag(&"Weapon.Sword")
	rig.tags.add_tag(&"Weapon.Bow")
	eq(rig.answer_of(rig.system.issue_command(CommandRequest.simple(order))), "STARTED", "with a bow")
	rig.agent.free()


func test_ex_40_69() -> void:
	var ways: Dictionary[String, PackedStringArray] = {
		"end": ["S"],
		"failure": ["F"],
		"suspension": ["intr B", "C"],
		"forced cancel": ["cancel", "tick 1.0"],
		"leaving the tree": ["leave"],
	}
	for way: String in ways:
		var rig: Rig = Rig.new(self)
		rig.tags.add_tag(&"State.Busy")
		var request: CommandRequest = rig.request("A~")
		request.definition.granted_tags = ["State.Busy"]
		if way == "forced cancel":
			expect_warning("did not stop in time")
		rig.system.issue_command(request)
		eq(rig.tags.get_tag_count(&"State.Busy"), 2, "while running, before " + way)
		for text: String in ways[way]:
			rig.perform(text)
		eq(rig.tags.get_tag_count(&"State.Busy"), 1, "after " + way)
		rig.agent.free()


func test_ex_40_71() -> void:
	var rig: Rig = Rig.new(self)
	for text: String in ["issue A", "enq Q"]:
		rig.perform(text)
	rig.take()
	var bad: CommandRequest = rig.request("B")
	bad.location = Vector3.ONE
	var answers: PackedStringArray = []
	for receipt: CommandReceipt in rig.system.replace_commands([rig.request("R"), rig.request("N"), bad]):
		answers.append(rig.answer_of(receipt))
	eq(answers, ["REJECTED/not_atomic", "REJECTED/not_atomic", "REJECTED/location_unexpected"], "one that is refused")
	eq(rig.take(), "", "log of it")
	eq(rig.state(), "A[Q]", "state after it")
	answers.clear()
	for receipt: CommandReceipt in rig.system.replace_commands([rig.request("R"), rig.request("N")]):
		answers.append(rig.answer_of(receipt))
	eq(answers, ["STARTED", "QUEUED/in_queue"], "two that are fine")
	eq(rig.take(), "end(Q,D,replaced) cancel(A) end(A,C,replaced) start(R) cur(A→R) started(R) queue", "log")
	eq(rig.state(), "R[N]", "state")
	rig.agent.free()


func test_ex_40_75() -> void:
	var rig: Rig = Rig.new(self)
	var move: CommandDefinition = rig.own("Move", CommandDefinition.new())
	move.target_type = CommandDefinition.TARGET_TYPE_LOCATION
	var attack: CommandDefinition = rig.own("Attack", CommandDefinition.new())
	attack.target_type = CommandDefinition.TARGET_TYPE_NODE
	attack.target_required_tags = ["Team.Red"]
	var stop: CommandDefinition = rig.own("Stop", CommandDefinition.new())
	var palette: CommandPalette = CommandPalette.new()
	palette.commands = [move, attack, stop]
	rig.system.palette = palette
	var blue: Node = add(Node.new())
	var tags: TagContainer = TagContainer.new()
	tags.initial_tags = ["Team.Blue"]
	blue.add_child(tags)
	var told: PackedStringArray = []
	for option: CommandOption in rig.system.get_options(blue):
		told.append("%s %s %s" % [option.definition.id, option.allowed, option.reason])
	eq(told, ["Move false location_missing", "Attack false target_missing_tag", "Stop true "], "options")
	check(rig.system.get_best_option(blue).definition == stop, "the best is Stop")
	rig.agent.free()


func test_ex_40_76() -> void:
	var rig: Rig = Rig.new(self)
	for text: String in ["issue A~", "issue R"]:
		rig.perform(text)
	var fresh: Rig = Rig.new(self)
	for named: String in ["A", "R"]:
		fresh.own(named, CommandDefinition.new())
	fresh.system.commands = [fresh.orders["A"], fresh.orders["R"]]
	check(fresh.system.import_state(rig.system.export_state()), "imports")
	eq(fresh.take(), "end(A,C,replaced) start(R) cur(-→R) started(R)", "a fresh node")
	eq(fresh.state(), "R[]", "state")
	fresh.agent.free()
	rig.agent.free()
	rig = Rig.new(self)
	rig.perform("issue A")
	rig.system.commands = [rig.orders["A"]]
	rig.take()
	check(rig.system.import_state(rig.system.export_state()), "imports")
	eq(rig.take(), "", "the same node")
	eq(rig.step("S"), "true end(A,S) cur(A→-) idle", "its execution goes on")
	rig.agent.free()


## How many words begin so.
func _with(words: PackedStringArray, beginning: String) -> int:
	var count: int = 0
	for word: String in words:
		if word.begins_with(beginning):
			count += 1
	return count


func _at(rig: Rig, order: CommandDefinition, distance: float) -> String:
	return rig.answer_of(rig.system.issue_command(CommandRequest.to_location(order, Vector3(distance, 0, 0))))


func _reason(rig: Rig, request: CommandRequest) -> String:
	var receipt: CommandReceipt = rig.system.issue_command(request)
	check(receipt.is_rejected(), "is refused")
	return receipt.reason


func _auto(rig: Rig, order: CommandDefinition) -> int:
	var request: CommandRequest = CommandRequest.simple(order)
	request.variant = CommandDefinition.VARIANT_AUTO
	rig.system.issue_command(request)
	return rig.system.get_current_command().variant


func _variant(id: StringName) -> CommandVariant:
	var made: CommandVariant = CommandVariant.new()
	made.id = id
	return made
