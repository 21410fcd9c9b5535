extends TestCase
## The quick start: two moves that chain on one button, and an AI that sends the same tag.

const ACTION: StringName = &"quick_start_attack"
const TAG: StringName = &"Input.LightAttack"

var _agent: Node3D
var _moves: ActionGraphPlayer


func _press(pressed: bool) -> void:
	var event: InputEventKey = InputEventKey.new()
	event.keycode = KEY_J
	event.pressed = pressed
	get_viewport().push_input(event)


func _build() -> void:
	if not InputMap.has_action(ACTION):
		InputMap.add_action(ACTION)
		var key: InputEventKey = InputEventKey.new()
		key.keycode = KEY_J
		InputMap.action_add_event(ACTION, key)
	var graph: ActionGraph = ActionGraph.new()
	(graph.add_node(&"light_1").payload as PlayAnimationPayload).animation = &"attack_light"
	(graph.add_node(&"light_2").payload as PlayAnimationPayload).animation = &"attack_light"
	graph.add_transition(&"root", &"light_1", TAG)
	graph.add_transition(&"light_1", &"light_2", TAG)
	var animation: Animation = Animation.new()
	animation.length = 0.5
	animation.add_marker(&"action_window", 0.25)
	animation.add_marker(&"action_window_end", 0.4)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"attack_light", animation)
	var animations: AnimationPlayer = AnimationPlayer.new()
	animations.add_animation_library(&"", library)
	var input: ActionInput = ActionInput.new()
	input.tag = TAG
	input.actions = [ACTION]
	var map: ActionInputMap = ActionInputMap.new()
	map.inputs = [input]
	_moves = ActionGraphPlayer.new()
	_moves.name = "Moves"
	_moves.default_graph = graph
	_moves.input_map = map
	_agent = Node3D.new()
	_agent.name = "Hero"
	_agent.add_child(animations)
	_agent.add_child(_moves)
	add_child(_agent)


func _steps(count: int) -> void:
	for i: int in count:
		await get_tree().physics_frame


func test_two_moves_chain_on_one_button() -> void:
	_build()
	var started: SignalRecord = record(_moves.action_started)
	_press(true)
	_press(false)
	await _steps(3)
	eq(_moves.get_current_node(), &"light_1", "the first press")
	_press(true)
	_press(false)
	await _steps(3)
	eq(_moves.get_current_node(), &"light_1", "the second one waits for the window")
	check(_moves.is_buffered(TAG), "it waits")
	await _steps(14)
	eq(_moves.get_current_node(), &"light_2", "the window opened")
	await _steps(40)
	eq(_moves.get_current_node(), &"root", "back at Root")
	eq(started.arguments(0), [&"light_1", &"light_2"])
	_agent.free()


func test_an_ai_sends_the_same_tag() -> void:
	_build()
	var started: SignalRecord = record(_moves.action_started)
	eq(_moves.process_input(TAG), ActionGraphPlayer.INPUT_ENTERED)
	eq(_moves.process_input(TAG), ActionGraphPlayer.INPUT_BUFFERED)
	await _steps(20)
	eq(started.arguments(0), [&"light_1", &"light_2"])
	_agent.free()
