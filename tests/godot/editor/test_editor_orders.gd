@tool
extends "editor_case.gd"
## Orders in the editor, as a script with @tool may give them.


func test_orders_of_a_tool_script() -> void:
	var definition := CommandDefinition.new()
	definition.id = &"Wait"
	definition.execution = MethodExecution.new()
	var request := CommandRequest.simple(definition)
	eq(request.definition, definition, "a request")
	eq(CommandRequest.to_location(definition, Vector3.ONE).location, Vector3.ONE, "a place")
	var agent := Node.new()
	var orders := CommandSystem.new()
	orders.commands = [definition]
	agent.add_child(orders)
	add_child(agent)
	eq(orders.check_command(request).reason, &"execution_unavailable", "a receipt")
	eq(orders.get_options()[0].reason, &"execution_unavailable", "an option")
	check(not CommandHandle.new().succeed(), "a handle that stands for nothing")
	agent.free()
