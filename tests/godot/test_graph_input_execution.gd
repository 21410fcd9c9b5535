extends TestCase
## GraphInputExecution: orders as inputs to the agent's moveset.

const LA: StringName = &"Input.Test.LA"
const DG: StringName = &"Input.Test.DG"
const XX: StringName = &"Input.Test.XX"

var agent: Node3D
var moves: ActionGraphPlayer
var orders: CommandSystem
var ends: PackedStringArray = []
var path: PackedStringArray = []


## Root-LA→one (0.5 s), one-LA→two (0.5 s), Root-DG→dodge (0.5 s, can cut what can be cut).
func _ready() -> void:
	agent = Node3D.new()
	agent.name = "Fighter"
	moves = ActionGraphPlayer.new()
	moves.name = "Moves"
	moves.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	var graph := ActionGraph.new()
	for id: StringName in [&"one", &"two", &"dodge"]:
		var delay := DelayPayload.new()
		delay.open_action_window = false
		graph.add_node(id, delay).can_be_cancelled = true
	graph.add_transition(&"root", &"one", LA)
	graph.add_transition(&"one", &"two", LA)
	graph.add_transition(&"root", &"dodge", DG)
	moves.default_graph = graph
	moves.action_started.connect(func(node: StringName, _run: ActionRun) -> void: path.append(node))
	agent.add_child(moves)
	orders = CommandSystem.new()
	orders.name = "Orders"
	orders.process_callback = CommandSystem.PROCESS_MANUAL
	orders.command_ended.connect(
		func(command: CommandInfo, result: int, reason: StringName) -> void: ends.append("%s %d %s" % [command.command_name, result, reason])
	)
	agent.add_child(orders)
	add(agent)


func _execution(inputs: Array, mode: int = GraphInputExecution.SEQUENCE_CHAIN, waits: bool = true) -> GraphInputExecution:
	var made := GraphInputExecution.new()
	made.inputs = inputs
	made.mode = mode
	made.wait_for_root = waits
	return made


func _issue(execution: Resource) -> CommandReceipt:
	var definition := CommandDefinition.new()
	definition.id = &"Combo"
	definition.execution = execution
	return orders.issue_command(CommandRequest.simple(definition))


func _spend(seconds: float) -> void:
	for i in roundi(seconds * 20.0):
		moves.advance(0.05)
		orders.advance(0.05)


func test_a_chain_succeeds_at_root() -> void:
	eq(_issue(_execution([LA, LA])).outcome, CommandSystem.OUTCOME_STARTED, "started")
	eq(path, ["one"], "the first input at once")
	_spend(0.75)
	eq(path, ["one", "two"], "the second inside the move of the first")
	eq(ends, [], "the last move runs")
	_spend(0.5)
	eq(ends, ["Combo 1 "], "back at Root")


func test_discrete_inputs_wait_for_root() -> void:
	_issue(_execution([LA, LA], GraphInputExecution.SEQUENCE_DISCRETE))
	_spend(0.75)
	eq(path, ["one", "one"], "each from Root")
	_spend(0.5)
	eq(ends, ["Combo 1 "], "end")


func test_without_waiting_it_is_over_when_the_last_move_starts() -> void:
	_issue(_execution([LA, LA], GraphInputExecution.SEQUENCE_CHAIN, false))
	_spend(0.25)
	eq(ends, [], "the first move")
	_spend(0.35)
	eq(ends, ["Combo 1 "], "the second has started")
	eq(moves.get_current_node(), &"two", "and goes on")


func test_an_input_that_is_dropped_or_blocked_fails_the_order() -> void:
	_issue(_execution([XX]))
	eq(ends, ["Combo 2 input_refused"], "dropped at once")
	ends.clear()
	_issue(_execution([LA, XX]))
	eq(ends, ["Combo 2 input_refused"], "the second")
	_spend(1.0)
	ends.clear()
	var tags := TagContainer.new()
	agent.add_child(tags)
	tags.add_tag(&"State.ActionsBlocked")
	_issue(_execution([LA]))
	eq(ends, ["Combo 2 input_refused"], "blocked")


func test_a_cut_cancels_the_order() -> void:
	_issue(_execution([LA, LA]))
	_spend(0.25)
	moves.interrupt_for_external()
	eq(ends, ["Combo 3 graph_interrupted"], "the sequence was cut")
	ends.clear()
	_issue(_execution([LA]))
	_spend(0.25)
	eq(moves.process_input(DG), ActionGraphPlayer.INPUT_ENTERED, "a dodge cuts the last move")
	eq(ends, ["Combo 3 graph_interrupted"], "the last move was cut")
	ends.clear()
	_spend(1.0)
	_issue(_execution([LA]))
	moves.set_graph(ActionGraph.new())
	eq(ends, ["Combo 3 graph_interrupted"], "another moveset")


func test_cancelling_the_order_cuts_what_it_started() -> void:
	_issue(_execution([LA, LA]))
	_spend(0.25)
	orders.cancel_command()
	_spend(0.05)
	eq(moves.get_current_node(), &"root", "its move was cut")
	eq(ends, ["Combo 3 cancelled"], "end")
	_spend(1.0)
	eq(path, ["one"], "the second input never came")


func test_an_order_that_is_replaced_leaves_nothing() -> void:
	_issue(_execution([LA, LA]))
	_spend(0.25)
	_issue(_execution([DG]))
	eq(path, ["one", "dodge"], "the second order begins at Root")
	_spend(1.5)
	eq(path, ["one", "dodge"], "nothing of the first is left")
	eq(ends[-1], "Combo 1 ", "the second succeeds")


func test_without_player_or_inputs_it_is_not_available() -> void:
	eq(_issue(_execution([])).reason, &"execution_unavailable", "without inputs")
	moves.free()
	eq(_issue(_execution([LA])).reason, &"execution_unavailable", "without a player")


func test_a_player_that_is_freed_fails_the_order() -> void:
	_issue(_execution([LA]))
	moves.queue_free()
	await idle(2)
	orders.advance(0.05)
	eq(ends, ["Combo 2 executor_freed"], "end")


func test_bad_values() -> void:
	var execution := GraphInputExecution.new()
	eq([execution.mode, execution.wait_for_root, execution.inputs], [0, true, PackedStringArray()], "defaults")
	expect_error("mode = 2 is refused", 1)
	execution.mode = 2
	expect_error("inputs", 1)
	execution.inputs = ["Input.Test.LA", "not..a.tag"]
	eq(execution.inputs, PackedStringArray(["Input.Test.LA"]), "names that are no tags are left out")
