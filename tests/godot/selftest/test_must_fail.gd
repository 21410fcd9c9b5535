extends TestCase
## Proves that the runner can fail: every test here has to be reported as failed.


func test_a_wrong_value() -> void:
	eq(1, 2)


func test_checks_nothing() -> void:
	pass


func test_an_undeclared_error() -> void:
	check(true, "a check")
	push_error("nobody declared this")


func test_an_undeclared_warning() -> void:
	check(true, "a check")
	push_warning("nobody declared this")


func test_a_declared_error_that_does_not_come() -> void:
	expect_error("this never comes")


func test_a_declared_error_that_comes_too_often() -> void:
	expect_error("once", 1)
	push_error("once")
	push_error("once")


func test_a_script_error() -> void:
	check(true, "a check")
	var nothing: Variant = null
	nothing.call("anything")


func test_a_script_error_after_waiting() -> void:
	check(true, "a check")
	await physics()
	var nothing: Variant = null
	nothing.call("anything")


func test_a_hang() -> void:
	limit_seconds = 0.5
	check(true, "a check")
	await physics(1_000_000)


func test_a_node_left_behind() -> void:
	check(true, "a check")
	get_tree().root.add_child.call_deferred(Node.new())
	await idle(2)


func test_an_orphan() -> void:
	check(true, "a check")
	Node.new()


func test_the_case_freed() -> void:
	check(true, "a check")
	queue_free()
	await idle(3)
