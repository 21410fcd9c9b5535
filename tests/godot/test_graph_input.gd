extends TestCase
## Device inputs of an ActionGraphPlayer: the worked examples, with real input events.

const InputRig := preload("res://support/input_rig.gd")
const ATTACK := InputRig.ATTACK
const GUARD := InputRig.GUARD
const TICK := 1.0 / 60.0

var rig: InputRig


func _ready() -> void:
	rig = InputRig.new(self)


func _exit_tree() -> void:
	rig.leave()
	for axis: JoyAxis in [JOY_AXIS_LEFT_X, JOY_AXIS_LEFT_Y, JOY_AXIS_TRIGGER_LEFT]:
		rig.axis(axis, 0.0)
	for action: StringName in InputRig.KEYS:
		rig.key(action, false)


func test_ex_50_i1() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	rig.key(ATTACK, true)
	rig.key(ATTACK, false)
	rig.moves.advance(TICK)
	eq(rig.log, ["LA 0.0", "LA^ 0.0"], "the first tick of the frame")
	for i in 3:
		rig.moves.advance(TICK)
	eq(rig.log.size(), 2, "the others see nothing")


func test_ex_50_i2() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	rig.moves.advance(TICK)
	rig.key(ATTACK, true)
	await idle(3)
	eq(rig.log, [], "frames without a tick")
	rig.moves.advance(TICK)
	rig.moves.advance(TICK)
	eq(rig.log, ["LA 0.017"], "in the first tick after it, once")


func test_events_come_with_real_steps() -> void:
	rig.input("LA", [ATTACK])
	rig.moves.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	rig.enter()
	rig.moves.push_input(InputRig.CLOCK, false)
	await physics(3)
	check(not rig.moves.is_physics_processing(), "nothing to do")
	rig.key(ATTACK, true)
	rig.key(ATTACK, false)
	check(rig.moves.is_physics_processing(), "the first event switches the steps on")
	await physics(5)
	eq(rig.log.size(), 2, "pressed and released")
	check(not rig.moves.is_physics_processing(), "and off again: there is nothing to do")


func test_ex_50_i3() -> void:
	rig.input("GD", [GUARD])
	rig.enter()
	var counts: Array[int] = []
	for strength: float in [0.2, 0.55, 0.45, 0.35, 0.52, 0.25]:
		rig.axis(JOY_AXIS_TRIGGER_LEFT, strength)
		rig.drain()
		counts.append(rig.log.size())
	eq(counts, [0, 1, 1, 1, 1, 2], "inputs after each strength")
	eq(rig.log, ["GD 0.0", "GD^ 0.0"], "pressed at 0.55, released at 0.25")


func test_ex_50_i4() -> void:
	rig.input("HV", [ATTACK], 0.3)
	rig.enter()
	rig.key(ATTACK, true)
	for i in 17:
		rig.moves.advance(TICK)
	rig.key(ATTACK, false)
	rig.moves.advance(TICK)
	eq(rig.log, ["HV~ 0.283"], "events come before the time of the tick")


func _chord() -> void:
	rig.input("LA", [ATTACK])
	rig.input("GD", [GUARD])
	rig.input("SP", [ATTACK, GUARD]).chord_seconds = 0.06
	rig.enter()


func test_ex_50_i5() -> void:
	_chord()
	rig.key(ATTACK, true)
	rig.until(0.04)
	rig.key(GUARD, true)
	rig.until(0.2)
	rig.key(ATTACK, false)
	rig.until(0.3)
	rig.key(GUARD, false)
	rig.until(0.5)
	eq(rig.log, ["SP 0.04", "SP^ 0.2"], "nothing for the parts")


func test_ex_50_i6() -> void:
	_chord()
	rig.key(ATTACK, true)
	rig.until(0.1)
	eq(rig.log, ["LA 0.06"], "alone")
	rig.key(ATTACK, false)
	rig.until(1.0)
	rig.log.clear()
	rig.key(ATTACK, true)
	rig.until(1.03)
	rig.key(ATTACK, false)
	rig.until(1.1)
	eq(rig.log, ["LA 1.03", "LA^ 1.03"], "released before the time is up")


## A quarter turn that begins now, and a press so long after it began.
func _fireball(press: float) -> void:
	var start := rig.now()
	rig.stick(0.0, 1.0)
	rig.until(start + 0.06)
	rig.stick(0.7, 0.7)
	rig.until(start + 0.12)
	rig.stick(1.0, 0.0)
	rig.until(start + press)
	rig.key(ATTACK, true)
	rig.drain()
	rig.key(ATTACK, false)
	rig.stick(0.0, 0.0)
	rig.until(start + 2.0)


func test_ex_50_i7() -> void:
	rig.input("LA", [ATTACK])
	rig.sequence("FB", ["down", "down_forward", "forward", "Input.Test.LA"])
	rig.enter()
	_fireball(0.2)
	eq(rig.log.slice(0, 2), ["FB 0.2", "LA 0.2"], "FB is walked first, LA because it was dropped")
	rig.log.clear()
	_fireball(0.12 + 0.25)
	eq(rig.log, ["LA 2.37", "LA^ 2.37"], "the last gap is too long")
	rig.log.clear()
	rig.stance(&"fireball", "FB")
	rig.drain()
	_fireball(0.2)
	eq(rig.path, ["fireball"], "taken")
	lacks_element(rig.log, "LA 4.2", "then LA is not walked")


func test_ex_50_i8() -> void:
	rig.input("HV", [ATTACK], 0.3)
	rig.enter()
	rig.key(ATTACK, true)
	rig.until(0.2)
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_OUT)
	rig.until(1.0)
	eq(rig.log, [], "an unfinished hold is forgotten")
	rig.key(ATTACK, false)
	rig.drain()
	rig.key(ATTACK, true)
	rig.until(1.5)
	get_tree().root.propagate_notification(NOTIFICATION_WM_WINDOW_FOCUS_OUT)
	rig.until(2.0)
	eq(rig.log, ["HV 1.3", "HV^ 1.5"], "a finished one is released")
	check(not rig.moves.is_held(&"Input.Test.HV"), "not held")


func test_ex_50_i9() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	rig.key(ATTACK, true)
	rig.until(0.5)
	eq(rig.log, ["LA 0.0"], "pressed")
	get_tree().paused = true
	await idle()
	get_tree().paused = false
	await idle()
	rig.until(0.6)
	eq(rig.log, ["LA 0.0"], "held throughout: nothing at resume")
	check(rig.moves.is_held(&"Input.Test.LA"), "still held")
	get_tree().paused = true
	rig.key(ATTACK, false)
	await idle()
	eq(rig.log, ["LA 0.0"], "nothing is heard in the pause")
	get_tree().paused = false
	await idle()
	rig.until(0.7)
	eq(rig.log, ["LA 0.0", "LA^ 0.6"], "released in the pause: released at resume")


func test_ex_50_i10() -> void:
	rig.input("LA", [ATTACK])
	rig.enter()
	var counts: Array[int] = []
	for event: Callable in [rig.key.bind(ATTACK, true), rig.pad.bind(JOY_BUTTON_A, true), rig.key.bind(ATTACK, false), rig.pad.bind(JOY_BUTTON_A, false)]:
		event.call()
		rig.drain()
		counts.append(rig.log.size())
	eq(counts, [1, 1, 1, 2], "pressed at the first, released at the last")


## One node for each sector.
func _sectors(from: StringName, tag: String, names: Array) -> void:
	for at in names.size():
		var condition := DirectionCondition.new()
		condition.directions = 1 << at
		var wire := rig.graph.add_transition(from, names[at], InputRig.PREFIX + tag)
		wire.conditions = [condition]


func _camera(yaw: float) -> void:
	var camera := Camera3D.new()
	camera.rotation_degrees.y = yaw
	add(camera)
	camera.make_current()


func _sector_of(x: float, y: float) -> StringName:
	rig.moves.interrupt_for_external()
	rig.stick(x, y)
	rig.key(ATTACK, true)
	rig.key(ATTACK, false)
	rig.drain()
	rig.stick(0.0, 0.0)
	return rig.moves.get_current_node()


func _five_ways() -> void:
	rig.input("LA", [ATTACK])
	for id: StringName in [&"forward", &"back", &"left", &"right", &"neutral"]:
		rig.graph.add_node(id, HoldPayload.new())
	_sectors(&"root", "LA", [&"forward", &"back", &"left", &"right", &"neutral"])
	rig.enter()


func test_ex_50_d1() -> void:
	_five_ways()
	_camera(0.0)
	eq(_sector_of(0.0, -1.0), &"forward", "(0, -1)")
	eq(_sector_of(-1.0, 0.0), &"left", "(-1, 0)")
	eq(_sector_of(0.0, -0.29), &"neutral", "length 0.29")
	eq(_sector_of(0.707, -0.707), &"forward", "45°")
	eq(_sector_of(0.72, -0.69), &"right", "46.2°")


func test_ex_50_d2() -> void:
	_five_ways()
	_camera(90.0)
	rig.stick(0.0, -1.0)
	near(rig.moves.get_move_direction(), Vector2(-1.0, 0.0), 0.0001, "planar direction")
	eq(_sector_of(0.0, -1.0), &"left", "seen by an agent that looks along -Z")


func test_ex_50_d3() -> void:
	rig.input("LA", [ATTACK])
	rig.stance(&"first", "LA", false)
	for id: StringName in [&"forward", &"back", &"left", &"right", &"neutral"]:
		rig.graph.add_node(id, HoldPayload.new())
	_sectors(&"first", "LA", [&"forward", &"back", &"left", &"right", &"neutral"])
	_camera(0.0)
	rig.enter()
	rig.key(ATTACK, true)
	rig.key(ATTACK, false)
	rig.until(0.2)
	rig.stick(-1.0, 0.0)
	rig.key(ATTACK, true)
	rig.until(0.3)
	rig.stick(1.0, 0.0)
	rig.until(0.4)
	rig.moves.open_action_window()
	eq(rig.path, ["first", "left"], "the direction at the press counts")
