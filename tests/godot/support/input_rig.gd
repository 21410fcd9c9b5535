extends RefCounted
## A player at real devices. Its moveset answers nothing, so every input that is walked comes out as `input_dropped`, and is noted
## with the time of the player's own clock: "LA 0.06" pressed, "LA^ 0.2" released, "LA~ 0.2" released early.

const CLOCK: StringName = &"Input.Test.Clock"
const PREFIX := "Input.Test."
const ATTACK := &"riposte_test_attack"
const GUARD := &"riposte_test_guard"
const LEFT := &"riposte_test_left"
const RIGHT := &"riposte_test_right"
const UP := &"riposte_test_up"
const DOWN := &"riposte_test_down"
const KEYS: Dictionary = {ATTACK: KEY_J, GUARD: KEY_K, LEFT: KEY_A, RIGHT: KEY_D, UP: KEY_W, DOWN: KEY_S}

var test: TestCase
var agent: Node
var moves: ActionGraphPlayer
var map := ActionInputMap.new()
var graph := ActionGraph.new()
var log: PackedStringArray = []
## Nodes that started.
var path: PackedStringArray = []


func _init(of: TestCase, body: Node = Node3D.new()) -> void:
	test = of
	for action: StringName in KEYS:
		if InputMap.has_action(action):
			InputMap.erase_action(action)
		InputMap.add_action(action, 0.0)
		var key := InputEventKey.new()
		key.physical_keycode = KEYS[action]
		InputMap.action_add_event(action, key)
	_button(ATTACK, JOY_BUTTON_A)
	_axis(LEFT, JOY_AXIS_LEFT_X, -1.0)
	_axis(RIGHT, JOY_AXIS_LEFT_X, 1.0)
	_axis(UP, JOY_AXIS_LEFT_Y, -1.0)
	_axis(DOWN, JOY_AXIS_LEFT_Y, 1.0)
	_axis(GUARD, JOY_AXIS_TRIGGER_LEFT, 1.0)
	map.move_left = LEFT
	map.move_right = RIGHT
	map.move_up = UP
	map.move_down = DOWN
	agent = body
	agent.name = "Fighter"
	moves = ActionGraphPlayer.new()
	moves.name = "Moves"
	moves.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	moves.default_graph = graph
	moves.input_map = map
	moves.input_dropped.connect(_note)
	moves.action_started.connect(func(node: StringName, _run: ActionRun) -> void: path.append(node))
	agent.add_child(moves)


func enter() -> void:
	test.add(agent)
	moves.push_input(CLOCK, true)


func leave() -> void:
	for action: StringName in KEYS:
		InputMap.erase_action(action)


func input(tag: String, actions: Array, seconds: float = -1.0) -> ActionInput:
	var made := ActionInput.new()
	made.tag = PREFIX + tag
	made.actions = actions
	if seconds >= 0.0:
		made.trigger = ActionInput.TRIGGER_HOLD
		made.hold_seconds = seconds
	map.inputs = Array(map.inputs) + [made]
	return made


func sequence(tag: String, steps: PackedStringArray) -> ActionInputSequence:
	var made := ActionInputSequence.new()
	made.output_tag = PREFIX + tag
	made.steps = steps
	map.sequences = Array(map.sequences) + [made]
	return made


## A node that lasts, entered by a press.
func stance(id: StringName, tag: String, open: bool = true) -> ActionGraphTransition:
	var hold := HoldPayload.new()
	hold.open_action_window = open
	graph.add_node(id, hold)
	return graph.add_transition(&"root", id, PREFIX + tag)


## The key of an action.
func key(action: StringName, pressed: bool, echo: bool = false) -> void:
	var event := InputEventKey.new()
	event.physical_keycode = KEYS[action]
	event.keycode = KEYS[action]
	event.pressed = pressed
	event.echo = echo
	send(event)


func pad(button: JoyButton, pressed: bool, device: int = 0) -> void:
	var event := InputEventJoypadButton.new()
	event.device = device
	event.button_index = button
	event.pressed = pressed
	send(event)


func axis(which: JoyAxis, value: float, device: int = 0) -> void:
	var event := InputEventJoypadMotion.new()
	event.device = device
	event.axis = which
	event.axis_value = value
	send(event)


func stick(x: float, y: float) -> void:
	axis(JOY_AXIS_LEFT_X, x)
	axis(JOY_AXIS_LEFT_Y, y)


func send(event: InputEvent) -> void:
	Input.parse_input_event(event)
	Input.flush_buffered_events()


func now() -> float:
	return moves.held_time(CLOCK)


## Steps until the player's clock shows `time`.
func until(time: float, delta: float = 0.01) -> void:
	while now() + delta <= time + 0.000001:
		moves.advance(delta)
	if time - now() > 0.000001:
		moves.advance(time - now())


## Walks what has come, without time.
func drain() -> void:
	moves.advance(0.0)


func _note(tag: StringName, moment: int, _why: int) -> void:
	if tag != CLOCK:
		log.append("%s%s %s" % [str(tag).trim_prefix(PREFIX), ["", "^", "~"][moment], snappedf(now(), 0.001)])


func _button(action: StringName, button: JoyButton) -> void:
	var event := InputEventJoypadButton.new()
	event.device = -1
	event.button_index = button
	InputMap.action_add_event(action, event)


func _axis(action: StringName, which: JoyAxis, value: float) -> void:
	var event := InputEventJoypadMotion.new()
	event.device = -1
	event.axis = which
	event.axis_value = value
	InputMap.action_add_event(action, event)
