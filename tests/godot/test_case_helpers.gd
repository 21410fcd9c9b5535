extends TestCase
## What the test files rely on: time, checks, records, declared log lines.


func test_physics_waits_for_whole_steps() -> void:
	var counter := add(Node.new())
	counter.set_script(script("extends Node\nvar steps := 0\nfunc _physics_process(_d: float) -> void:\n\tsteps += 1"))
	counter.set_physics_process(true)
	await physics(1)
	eq(counter.get("steps"), 1, "steps after the first wait")
	await physics(5)
	eq(counter.get("steps"), 6, "steps after five more")
	get_tree().paused = true
	await physics(3)
	eq(counter.get("steps"), 6, "steps of a paused node")


func test_values_compare_as_a_reader_expects() -> void:
	eq(PackedStringArray(["A", "B"]), [&"A", "B"])
	eq(1, 1.0)
	eq({"a": [1, 2]}, {"a": [1, 2]})
	ne("1", 1)
	ne([1, 2], [1])
	near([1.0, Vector3.ONE], [1.00001, Vector3.ONE * 1.00001])
	has_element({"k": 1}, "k")
	lacks_element([1, 2], 3)


func test_record_keeps_arguments() -> void:
	var node := add(Node.new())
	node.add_user_signal("told", [{"name": "a", "type": TYPE_INT}, {"name": "b", "type": TYPE_INT}])
	var told := record(Signal(node, "told"))
	node.emit_signal("told", 1, 2)
	node.emit_signal("told", 3, 4)
	eq(told.calls, [[1, 2], [3, 4]])
	eq(told.arguments(1), [2, 4])


func test_declared_lines_are_allowed() -> void:
	expect_error("the declared error", 2)
	expect_warning("the declared warning")
	push_error("the declared error, first")
	push_error("the declared error, second")
	push_warning("the declared warning")


func test_a_ray_hits_a_wall_physics() -> void:
	wall(Vector3(0, 1, -5))
	character()
	await physics(2)
	var query := PhysicsRayQueryParameters3D.create(Vector3(0, 1, 0), Vector3(0, 1, -10), 1)
	var hit := get_viewport().world_3d.direct_space_state.intersect_ray(query)
	near(hit.get("position", Vector3.ZERO), Vector3(0, 1, -4.5), 0.001, "where the ray hits")
