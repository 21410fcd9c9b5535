class_name TestCase
extends Node
## Base of all test files.
##
## Every method `test_…` runs on a fresh instance in the tree; it may `await`. A test fails when a check fails, when it
## checks nothing, when it does not end within [member limit_seconds], when it leaves nodes behind, and on every error or
## warning that it did not declare with [method expect_error] or [method expect_warning].

## Game time after which a test counts as hanging.
var limit_seconds := 60.0
## What failed so far.
var failures: PackedStringArray = []
## How many checks were made.
var checks := 0
## Declared log lines: `kind` ("error", "warning"), `text`, `count`.
var expected: Array[Dictionary] = []

var _ticker: Node
var _records: Array[SignalRecord] = []


func _init() -> void:
	_ticker = (load("res://ticker.gd") as GDScript).new()
	add_child(_ticker, false, Node.INTERNAL_MODE_BACK)

# ---------------------------------------------------------------------------------------------------------------------
# Checks. `what` says in the failure what the value was.


## Fails unless `condition` holds.
func check(condition: bool, what: String) -> void:
	_judge(condition, what, "does not hold")


## Fails unless the values are equal. Packed arrays compare like arrays, StringNames like Strings.
func eq(actual: Variant, wanted: Variant, what: String = "value") -> void:
	var same := Values.equal(actual, wanted)
	_judge(same, what, "is %s, wanted %s" % [Values.text(actual), Values.text(wanted)])


## Fails if the values are equal.
func ne(actual: Variant, unwanted: Variant, what: String = "value") -> void:
	_judge(not Values.equal(actual, unwanted), what, "is %s" % Values.text(actual))


## Fails unless numbers, vectors, or arrays of them differ by `tolerance` at the most.
func near(actual: Variant, wanted: Variant, tolerance: float = 0.0001, what: String = "value") -> void:
	var close := Values.near(actual, wanted, tolerance)
	_judge(close, what, "is %s, wanted %s ± %s" % [Values.text(actual), Values.text(wanted), tolerance])


## Fails unless `low <= actual <= high`.
func between(actual: float, low: float, high: float, what: String = "value") -> void:
	_judge(actual >= low and actual <= high, what, "is %s, wanted %s to %s" % [actual, low, high])


## Fails unless the value is null.
func is_null(actual: Variant, what: String = "value") -> void:
	_judge(actual == null, what, "is %s, wanted null" % Values.text(actual))


## Fails if the value is null or a freed object.
func not_null(actual: Variant, what: String = "value") -> void:
	var there: bool = actual != null and (typeof(actual) != TYPE_OBJECT or is_instance_valid(actual))
	_judge(there, what, "is %s" % Values.text(actual))


## Fails unless an array, dictionary or string contains the element.
func has_element(container: Variant, element: Variant, what: String = "container") -> void:
	_judge(Values.contains(container, element), what, "%s lacks %s" % [Values.text(container), Values.text(element)])


## Fails if an array, dictionary or string contains the element.
func lacks_element(container: Variant, element: Variant, what: String = "container") -> void:
	_judge(not Values.contains(container, element), what, "%s has %s" % [Values.text(container), Values.text(element)])


## Fails.
func fail(message: String) -> void:
	_judge(false, message, "")

# ---------------------------------------------------------------------------------------------------------------------
# Log.

## Says that this test loads resources on threads: the engine may forget the token of such a load (see the scan of the log).
func loads_on_threads() -> void:
	print("LOADS on threads")


## Declares that exactly `count` errors containing `text` are printed in this test. Counts as a check.
func expect_error(text: String, count: int = 1) -> void:
	_expect("error", text, count)


## Declares that exactly `count` warnings containing `text` are printed in this test. Counts as a check.
func expect_warning(text: String, count: int = 1) -> void:
	_expect("warning", text, count)

# ---------------------------------------------------------------------------------------------------------------------
# Time.


## Waits until `steps` whole physics steps are over, every node's `_physics_process` included.
func physics(steps: int = 1) -> void:
	for i in steps:
		await _ticker.step_ended


## Waits until `frames` whole frames are over, every node's `_process` included.
func idle(frames: int = 1) -> void:
	for i in frames:
		await _ticker.frame_ended


## Waits until `condition` is true after a physics step; fails after `seconds` of steps.
func until(condition: Callable, what: String, seconds: float = 5.0) -> void:
	for i in ceili(seconds * Engine.physics_ticks_per_second):
		if condition.call():
			checks += 1
			return
		await physics()
	_judge(false, what, "did not happen within %s s" % seconds)


## Waits like [method until] for what another thread does: `seconds` are of the clock, because steps run as fast as
## they can and a thread does not.
func until_done(condition: Callable, what: String, seconds: float = 20.0) -> void:
	var end := Time.get_ticks_msec() + seconds * 1000.0
	while Time.get_ticks_msec() < end:
		if condition.call():
			checks += 1
			return
		OS.delay_msec(10)
		await idle()
	_judge(false, what, "did not happen within %s s" % seconds)

# ---------------------------------------------------------------------------------------------------------------------
# Scenes.


## Adds a node to the case, or to `parent`, and returns it. It goes with the case.
func add(node: Node, parent: Node = self) -> Node:
	parent.add_child(node)
	return node


## Adds a box of static collision with its centre at `at`.
func wall(at: Vector3, size: Vector3 = Vector3(1, 4, 1), layer: int = 1) -> StaticBody3D:
	var body := StaticBody3D.new()
	body.collision_layer = layer
	body.position = at
	var box := BoxShape3D.new()
	box.size = size
	body.add_child(_collision_3d(box))
	add(body)
	return body


## Adds a character with its feet at `at`, 1.8 m tall, 0.4 m in radius. Forward is -Z.
func character(at: Vector3 = Vector3.ZERO, named: String = "Agent", layer: int = 2) -> CharacterBody3D:
	var body := CharacterBody3D.new()
	body.name = named
	body.collision_layer = layer
	body.position = at
	var capsule := CapsuleShape3D.new()
	capsule.height = 1.8
	capsule.radius = 0.4
	var collision := _collision_3d(capsule)
	collision.position.y = 0.9
	body.add_child(collision)
	add(body)
	return body


## Records the emissions of a signal from now on.
func record(source: Signal) -> SignalRecord:
	var made := SignalRecord.new(source)
	_records.append(made)
	return made


## A script with this body, for nodes and resources that a user would write. It begins with its `extends` line.
func script(source: String) -> GDScript:
	var made := GDScript.new()
	made.source_code = source
	if made.reload() != OK:
		fail("the script of the test does not compile")
	return made


## Called by the runner before it frees the case.
func _stop() -> void:
	for made in _records:
		made.stop()
	_records.clear()


func _collision_3d(shape: Shape3D) -> CollisionShape3D:
	var collision := CollisionShape3D.new()
	collision.shape = shape
	return collision


func _expect(kind: String, text: String, count: int) -> void:
	checks += 1
	expected.append({"kind": kind, "text": text, "count": count})
	# The scan of the log reads this line.
	print("EXPECT %s %d %s" % [kind, count, text])


func _judge(holds: bool, what: String, why: String) -> void:
	checks += 1
	if not holds:
		failures.append((what + " " + why + _place()).strip_edges())


## The line of the test that made the check.
func _place() -> String:
	for frame: Dictionary in get_stack():
		if (frame.source as String).get_file().begins_with("test_"):
			return " (line %d)" % frame.line
	return ""


## Comparing and printing values.
class Values:
	## Equal as a test means it.
	static func equal(a: Variant, b: Variant) -> bool:
		var x: Variant = plain(a)
		var y: Variant = plain(b)
		if typeof(x) == typeof(y):
			if x is Array:
				return x.size() == y.size() and range(x.size()).all(func(i: int) -> bool: return equal(x[i], y[i]))
			if x is Dictionary:
				return x.size() == y.size() and x.keys().all(
					func(key: Variant) -> bool: return y.has(key) and equal(x[key], y[key]))
			return x == y
		return _is_number(x) and _is_number(y) and x == y

	## Close as a test means it.
	static func near(a: Variant, b: Variant, tolerance: float) -> bool:
		var x: Variant = plain(a)
		var y: Variant = plain(b)
		if x is Array and y is Array:
			return x.size() == y.size() and range(x.size()).all(
				func(i: int) -> bool: return near(x[i], y[i], tolerance))
		if (x is Vector3 and y is Vector3) or (x is Vector2 and y is Vector2):
			return x.distance_to(y) <= tolerance
		return _is_number(x) and _is_number(y) and absf(x - y) <= tolerance

	## Whether a container holds an element.
	static func contains(container: Variant, element: Variant) -> bool:
		var whole: Variant = plain(container)
		if whole is Array:
			return whole.any(func(item: Variant) -> bool: return equal(item, element))
		if whole is Dictionary:
			return whole.has(element)
		return whole is String and whole.contains(str(element))

	## Packed arrays as arrays, names as strings.
	static func plain(value: Variant) -> Variant:
		if typeof(value) >= TYPE_PACKED_BYTE_ARRAY:
			return Array(value)
		if value is StringName or value is NodePath:
			return str(value)
		return value

	## A value as a reader wants to see it.
	static func text(value: Variant) -> String:
		var shown: Variant = plain(value)
		if typeof(shown) == TYPE_OBJECT:
			return str(shown) if is_instance_valid(shown) else "<freed object>"
		if shown is Array:
			return "[%s]" % ", ".join(shown.map(text))
		if shown is String:
			return "\"%s\"" % shown
		return str(shown)

	static func _is_number(value: Variant) -> bool:
		return value is int or value is float
