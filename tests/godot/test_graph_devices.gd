extends TestCase
## Device inputs of an ActionGraphPlayer beside the worked examples: filters, modes, other scripts, edits, pause, pushes, bad input.

const InputRig := preload("res://support/input_rig.gd")
const ATTACK := InputRig.ATTACK
const GUARD := InputRig.GUARD

var rig: InputRig


func _ready() -> void:
	rig = InputRig.new(self)


func _exit_tree() -> void:
	rig.leave()
	for axis: JoyAxis in [JOY_AXIS_LEFT_X, JOY_AXIS_LEFT_Y, JOY_AXIS_TRIGGER_LEFT]:
		rig.axis(axis, 0.0)
	for action: StringName in InputRig.KEYS:
		rig.key(action, false)


func _tap(action: StringName = ATTACK) -> void:
	rig.key(action, true)
	rig.key(action, false)
	rig.drain()


func test_echoes_are_not_heard() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	rig.key(ATTACK, true)
	for i in 5:
		rig.key(ATTACK, true, true)
	rig.key(ATTACK, false)
	rig.drain()
	eq(rig.log, ["LA 0.0", "LA^ 0.0"], "one press")


func test_one_device_only() -> void:
	rig.input("LA", [ATTACK])
	rig.moves.input_device = 1
	rig.enter()
	_tap()
	rig.pad(JOY_BUTTON_A, true, 0)
	rig.drain()
	eq(rig.log, [], "keyboard and first pad have number 0")
	rig.pad(JOY_BUTTON_A, true, 1)
	rig.drain()
	eq(rig.log, ["LA 0.0"], "the second pad")
	rig.pad(JOY_BUTTON_A, false, 0)
	rig.pad(JOY_BUTTON_A, false, 1)


func test_two_players_at_two_pads() -> void:
	rig.input("LA", [ATTACK])
	rig.moves.input_device = 0
	rig.enter()
	var other: ActionGraphPlayer = rig.moves.duplicate()
	var heard: SignalRecord = record(other.input_dropped)
	other.input_device = 1
	var body := Node3D.new()
	body.add_child(other)
	add(body)
	rig.pad(JOY_BUTTON_A, true, 1)
	rig.pad(JOY_BUTTON_A, false, 1)
	rig.drain()
	other.advance(0.0)
	eq(rig.log, [], "the first hears nothing of the second pad")
	eq(heard.count(), 2, "pressed and released")
	eq(other.input_map, rig.moves.input_map, "one map for both")


class Greedy:
	extends ActionGraphPlayer
	var own := 0

	func _input(_event: InputEvent) -> void:
		own += 1

	func _unhandled_input(_event: InputEvent) -> void:
		own += 1

	func _notification(_what: int) -> void:
		own += 0


func test_a_script_with_input_virtuals_of_its_own() -> void:
	rig.input("LA", [ATTACK])
	var greedy := Greedy.new()
	greedy.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	greedy.input_map = rig.map
	var heard: SignalRecord = record(greedy.input_dropped)
	greedy.default_graph = rig.graph
	var body := Node3D.new()
	body.add_child(greedy)
	add(body)
	rig.key(ATTACK, true)
	rig.key(ATTACK, false)
	greedy.advance(0.0)
	eq(heard.count(), 2, "heard all the same")
	check(greedy.own > 0, "and the script too")
	rig.agent.free()


class Behind:
	extends Node
	var heard := 0

	func _unhandled_input(event: InputEvent) -> void:
		if event is InputEventKey:
			heard += 1


class Before:
	extends Node
	var takes := true

	func _input(event: InputEvent) -> void:
		if takes and event is InputEventKey:
			get_viewport().set_input_as_handled()


func test_handled_events() -> void:
	var behind := Behind.new()
	add(behind)
	var input := rig.input("LA", [ATTACK])
	rig.enter()
	_tap()
	eq(behind.heard, 2, "not marked by default")
	input.handle_event = true
	await idle()
	_tap()
	eq(behind.heard, 2, "marked: nobody behind hears them")
	_tap(GUARD)
	eq(behind.heard, 4, "events of other actions are not")
	eq(rig.log.size(), 4, "the player heard its own")


func test_unhandled_and_all() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	var before := Before.new()
	add(before)
	_tap()
	eq(rig.log, [], "somebody else handled it")
	rig.moves.input_mode = ActionGraphPlayer.INPUT_MODE_ALL
	before.get_parent().move_child(before, 0)
	_tap()
	eq(rig.log.size(), 2, "all events are heard, before those in front of it in the tree")


func test_switched_off() -> void:
	rig.input("LA", [ATTACK])
	rig.input("HV", [GUARD], 0.3)
	rig.stance(&"first", "LA", false)
	rig.graph.add_transition(&"first", &"first", InputRig.PREFIX + "LA")
	rig.enter()
	_tap()
	eq(rig.moves.get_current_node(), &"first", "a stance without a window")
	rig.key(ATTACK, true)
	rig.drain()
	check(rig.moves.is_buffered(&"Input.Test.LA"), "it waits")
	rig.key(GUARD, true)
	rig.moves.input_mode = ActionGraphPlayer.INPUT_MODE_OFF
	check(not rig.moves.is_buffered(&"Input.Test.LA"), "what waits is dropped")
	rig.until(1.0)
	check(not rig.moves.is_held(&"Input.Test.LA"), "what was held is released")
	_tap(GUARD)
	eq(rig.moves.is_held(&"Input.Test.HV"), false, "nothing is heard")
	rig.log.clear()
	rig.moves.input_mode = ActionGraphPlayer.INPUT_MODE_UNHANDLED
	rig.key(ATTACK, false)
	rig.until(1.1)
	eq(rig.log, [], "what was held all the time is no press")
	eq(rig.moves.push_input(&"Input.Test.HV", true), ActionGraphPlayer.INPUT_BUFFERED, "scripts push as ever")


func test_an_edit_of_the_map_counts_at_once() -> void:
	var input := rig.input("LA", [ATTACK])
	rig.enter()
	_tap()
	input.tag = &"Input.Test.HV"
	await idle()
	_tap()
	input.actions = [GUARD]
	await idle()
	_tap()
	_tap(GUARD)
	eq(rig.log, ["LA 0.0", "LA^ 0.0", "HV 0.0", "HV^ 0.0", "HV 0.0", "HV^ 0.0"], "each edit")
	rig.moves.input_map = null
	_tap(GUARD)
	eq(rig.log.size(), 6, "without a map nothing")


func test_pause_policies() -> void:
	rig.input("LA", [ATTACK]).in_pause = ActionInput.POLICY_DROP
	rig.input("GD", [GUARD])
	rig.enter()
	rig.key(ATTACK, true)
	rig.key(GUARD, true)
	get_tree().paused = true
	await idle()
	get_tree().paused = false
	await idle()
	rig.until(0.1)
	eq(rig.log, ["GD 0.0"], "one is kept, the other goes")
	rig.key(ATTACK, false)
	rig.key(ATTACK, true)
	rig.until(0.2)
	eq(rig.log, ["GD 0.0", "LA 0.1"], "pressed anew it counts")


func test_disabled_is_paused() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	rig.key(ATTACK, true)
	rig.until(0.1)
	rig.agent.process_mode = Node.PROCESS_MODE_DISABLED
	rig.key(ATTACK, false)
	await idle()
	rig.agent.process_mode = Node.PROCESS_MODE_INHERIT
	await idle()
	rig.until(0.2)
	eq(rig.log, ["LA 0.0", "LA^ 0.1"], "released while it was off")


func test_pushes_go_through_trigger_and_hold() -> void:
	rig.input("LA", [ATTACK])
	rig.input("HV", [GUARD], 0.3)
	rig.stance(&"charge", "HV")
	var jab := HoldPayload.new()
	rig.graph.add_node(&"jab", jab)
	rig.graph.add_transition(&"root", &"jab", InputRig.PREFIX + "HV", ActionGraphTransition.FIRES_INPUT_RELEASED_EARLY)
	rig.enter()
	eq(rig.moves.push_input(&"Input.Test.HV", true), ActionGraphPlayer.INPUT_BUFFERED, "the hold has begun")
	rig.until(0.25)
	check(rig.moves.is_held(&"Input.Test.HV"), "held")
	near(rig.moves.held_time(&"Input.Test.HV"), 0.25, 0.0001, "held_time")
	rig.until(0.35)
	eq(rig.path, ["charge"], "pressed when the hold is long enough")
	rig.moves.push_input(&"Input.Test.HV", false)
	rig.moves.interrupt_for_external()
	rig.moves.push_input(&"Input.Test.HV", true)
	rig.until(0.4)
	eq(rig.moves.push_input(&"Input.Test.HV", false), ActionGraphPlayer.INPUT_ENTERED, "in the same step")
	eq(rig.path, ["charge", "jab"], "released early")
	eq(rig.moves.held_time(&"Input.Test.HV"), 0.0, "not held")
	check(rig.moves.is_held(&"Input.Test"), "a question for a tag above counts those below")


func test_the_stick_and_scripts_move_the_agent() -> void:
	rig.enter()
	rig.moves.set_move_direction(Vector2(0.0, 0.5))
	eq(rig.moves.get_move_direction(), Vector2(0.0, 0.5), "an AI")
	rig.stick(0.1, 0.0)
	eq(rig.moves.get_move_direction(), Vector2(0.0, 0.5), "inside the dead zone")
	rig.stick(0.6, 0.0)
	near(rig.moves.get_move_direction(), Vector2(0.6, 0.0), 0.0001, "the stick")
	var camera := Camera3D.new()
	add(camera)
	camera.make_current()
	camera.rotation_degrees.y = 90.0
	near(rig.moves.get_move_direction(), Vector2(0.0, -0.6), 0.0001, "the camera turned")
	camera.rotation_degrees = Vector3(-90.0, 0.0, 0.0)
	near(rig.moves.get_move_direction(), Vector2(0.6, 0.0), 0.0001, "straight from above")
	var reference := Node3D.new()
	reference.name = "Reference"
	rig.agent.add_child(reference)
	reference.rotation_degrees.y = 180.0
	rig.moves.direction_reference = ^"../Reference"
	near(rig.moves.get_move_direction(), Vector2(-0.6, 0.0), 0.0001, "seen from another node")
	rig.stick(0.0, 0.0)
	eq(rig.moves.get_move_direction(), Vector2.ZERO, "let go")


func test_the_stick_in_2d() -> void:
	rig.agent.free()
	rig = InputRig.new(self, Node2D.new())
	rig.enter()
	rig.stick(0.0, -1.0)
	eq(rig.moves.get_move_direction(), Vector2(0.0, -1.0), "the world's")
	var reference := Node2D.new()
	reference.name = "Reference"
	rig.agent.add_child(reference)
	reference.rotation_degrees = 90.0
	rig.moves.direction_reference = ^"../Reference"
	near(rig.moves.get_move_direction(), Vector2(1.0, 0.0), 0.0001, "turned with the reference")


func test_too_many_events_wait() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	expect_warning("More than 64 input events wait for the next step", 1)
	for i in 40:
		rig.key(ATTACK, true)
		rig.key(ATTACK, false)
	rig.drain()
	eq(rig.log.size(), 64, "the newest are refused")
	check(not rig.moves.is_held(&"Input.Test.LA"), "and nothing stays held")


func test_bad_input() -> void:
	rig.input("LA", ["riposte_no_such_action"])
	rig.sequence("FB", ["sideways..x"])
	rig.sequence("FC", [])
	expect_error("steps[0] = \"sideways..x\" is no step.", 1)
	expect_error("steps is empty.", 1)
	rig.enter()
	_tap()
	eq(rig.log, [], "an action that the project does not have is silent")
	expect_error("input_mode = 5 is refused", 1)
	rig.moves.input_mode = 5
	expect_warning("input_device = -7 is read as -1", 1)
	rig.moves.input_device = -7
	expect_error("set_move_direction() got", 1)
	rig.moves.set_move_direction(Vector2(NAN, 0.0))
	eq(rig.moves.get_move_direction(), Vector2.ZERO, "ignored")
	expect_error("push_input", 1)
	eq(rig.moves.push_input(&"not..a.tag", true), ActionGraphPlayer.INPUT_DROPPED, "no tag")
	expect_error("is_held", 1)
	eq(rig.moves.is_held(&""), false, "no tag")


func test_freed_while_events_come() -> void:
	rig.input("LA", [ATTACK])
	rig.stance(&"first", "LA")
	rig.enter()
	rig.moves.action_started.connect(func(_node: StringName, _run: ActionRun) -> void: rig.agent.queue_free())
	rig.key(ATTACK, true)
	rig.key(ATTACK, false)
	rig.moves.advance(0.01)
	await idle(2)
	check(not is_instance_valid(rig.agent), "freed")
	rig.key(ATTACK, true)
	rig.key(ATTACK, false)


func test_leaving_and_coming_back() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	rig.key(ATTACK, true)
	remove_child(rig.agent)
	rig.key(ATTACK, false)
	add_child(rig.agent)
	rig.drain()
	eq(rig.log, [], "what had come is forgotten")
	_tap()
	eq(rig.log.size(), 2, "heard again")
