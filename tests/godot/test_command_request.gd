extends TestCase
## CommandRequest: the ways to make one, and what it does with nodes and vectors that are not right.


func test_the_ways_to_make_one() -> void:
	var order := CommandDefinition.new()
	var a: Node = add(Node3D.new())
	var b: Node = add(Node.new())
	var request := CommandRequest.simple(order)
	eq(request.definition, order, "definition")
	eq([request.variant, request.target, request.targets, request.location, request.direction], [0, null, [], null, null], "empty")
	eq([request.payload, request.source], [{}, &""], "payload and source")
	eq(CommandRequest.to_node(order, a).targets, [a], "to_node")
	eq(CommandRequest.to_nodes(order, [a, b]).targets, [a, b], "to_nodes")
	eq(CommandRequest.to_nodes(order, [b, a]).target, b, "the first")
	eq(CommandRequest.to_location(order, Vector3(1, 2, 3)).location, Vector3(1, 2, 3), "to_location")
	eq(CommandRequest.to_direction(order, Vector2(0, 5)).direction, Vector2(0, 5), "to_direction is not touched")
	is_null(CommandRequest.simple(null).definition, "without a definition")
	is_null(CommandRequest.new().definition, "new()")


func test_toward_a_point() -> void:
	var order := CommandDefinition.new()
	var spatial: Node3D = add(Node3D.new())
	spatial.position = Vector3(1, 0, 0)
	eq(CommandRequest.toward(order, spatial, Vector3(4, 0, 4)).direction, Vector3(3, 0, 4), "3D")
	var planar: Node2D = add(Node2D.new())
	planar.position = Vector2(10, 10)
	eq(CommandRequest.toward(order, planar, Vector2(10, 0)).direction, Vector2(0, -10), "2D")
	var control: Control = add(Control.new())
	control.size = Vector2(20, 20)
	eq(CommandRequest.toward(order, control, Vector2(10, 30)).direction, Vector2(0, 20), "from the middle of a Control")
	eq(CommandRequest.toward(order, spatial, Vector3(1, 0, 0)).direction, Vector3.ZERO, "from the point itself")
	expect_error("CommandRequest: toward() got an agent without a place, or a point of another dimension; the request has no direction.", 2)
	is_null(CommandRequest.toward(order, spatial, Vector2(1, 0)).direction, "wrong dimension")
	is_null(CommandRequest.toward(order, add(Node.new()) as Node, Vector3.ONE).direction, "without a place")
	expect_error("toward() got an agent that is not there", 2)
	is_null(CommandRequest.toward(order, null, Vector3.ONE).direction, "null")
	spatial.free()
	is_null(CommandRequest.toward(order, spatial, Vector3.ONE).direction, "freed")
	expect_error("toward() got int as the point", 1)
	is_null(CommandRequest.toward(order, planar, 5).direction, "no point")
	var outside := Node3D.new()
	outside.position = Vector3(0, 1, 0)
	eq(CommandRequest.toward(order, outside, Vector3(0, 3, 0)).direction, Vector3(0, 2, 0), "outside the tree")
	outside.free()


func test_freed_targets_are_lost_not_errors() -> void:
	var order := CommandDefinition.new()
	var a: Node = add(Node.new())
	var b: Node = add(Node.new())
	var request := CommandRequest.to_nodes(order, [a, b])
	a.free()
	eq(request.targets, [b], "living ones")
	eq(request.target, b, "the first that is left")
	request.target = a
	is_null(request.target, "set to a freed one")
	eq(request.targets, [], "set to a freed one")
	var untyped: Variant = request
	untyped.target = a
	is_null(untyped.target, "untyped")
	untyped.targets = [a, b]
	eq(request.targets, [b], "an array with a freed one")
	var nodes: Array[Node] = [b]
	request.targets = nodes
	b.free()
	request.targets = nodes
	eq(request.targets, [], "a typed array with a freed one")
	not_null(CommandRequest.to_node(order, a), "to_node of a freed one")
	not_null(CommandRequest.to_nodes(order, [a, b]), "to_nodes of freed ones")


func test_target_is_the_first_of_the_targets() -> void:
	var a: Node = add(Node.new())
	var b: Node = add(Node.new())
	var request := CommandRequest.to_nodes(null, [a, b])
	request.target = b
	eq(request.targets, [b], "targets")
	request.target = null
	eq([request.target, request.targets], [null, []], "none")
	check(request.targets.is_read_only(), "read-only")
	eq(request.targets.get_typed_class_name(), &"Node", "typed")


func test_what_is_no_target_is_refused() -> void:
	var a: Node = add(Node.new())
	var request := CommandRequest.to_node(null, a)
	var untyped: Variant = request
	expect_error("CommandRequest: targets[1] is Curve; targets stays as it was. Give nodes.", 1)
	untyped.targets = [a, Curve.new()]
	expect_error("CommandRequest: targets[0] is null; targets stays as it was.", 1)
	untyped.targets = [null]
	expect_error("CommandRequest: targets[2] is int;", 1)
	untyped.targets = [a, a, 5]
	eq(request.targets, [a], "unchanged")


func test_what_is_no_vector_is_refused() -> void:
	var request := CommandRequest.to_location(null, Vector2(1, 2))
	expect_error("CommandRequest: location = int is refused, it stays as it was. Give a Vector3, a Vector2 or null.", 1)
	request.location = 5
	request.location = 5
	expect_error("location = Vector3i is refused", 1)
	request.location = Vector3i.ONE
	eq(request.location, Vector2(1, 2), "location")
	expect_error("direction = String is refused", 1)
	request.direction = "up"
	is_null(request.direction, "direction")
	request.location = null
	is_null(request.location, "null is none")
	request.location = Vector3(NAN, 0, 0)
	check(is_nan((request.location as Vector3).x), "what is not finite stays for the check")


func test_payload_and_source_are_plain_properties() -> void:
	var request := CommandRequest.simple(null)
	request.payload["amount"] = 3
	eq(request.payload, {"amount": 3}, "payload in place")
	request.payload = {"other": [1]}
	eq(request.payload, {"other": [1]}, "payload assigned")
	request.source = "player"
	eq(request.source, &"player", "source")


func test_receipts_and_infos_are_read_only() -> void:
	for name: StringName in [&"CommandReceipt", &"CommandInfo", &"CommandOption"]:
		var made: Object = ClassDB.instantiate(name)
		for info: Dictionary in ClassDB.class_get_property_list(name, true):
			eq(ClassDB.class_get_property_setter(name, info.name as StringName), &"", "%s.%s has no setter" % [name, info.name])
		not_null(made, name)


func test_an_empty_receipt_has_nothing_to_wait_for() -> void:
	var receipt := CommandReceipt.new()
	check(receipt.is_ended() and receipt.is_rejected() and not receipt.is_accepted(), "empty")
	eq([receipt.result, receipt.end_reason, receipt.token, receipt.command_id], [CommandReceipt.RESULT_NONE, &"", 0, 0], "empty")
