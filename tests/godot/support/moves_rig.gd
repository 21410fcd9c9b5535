extends RefCounted
## A character whose moves play real animations. The character's x follows each animation: it is the second of the animation that
## shows, so a test reads the pose that the engine has really set.

var test: TestCase
var agent: Node3D
var animations: AnimationPlayer
var library: AnimationLibrary
var graph: ActionGraph
var moves: ActionGraphPlayer
## Seconds of the steps so far.
var time := 0.0
## The animations are advanced by [method step].
var by_hand := true
## `node@time` for every move that started, `root@time` when the root was reached.
var path: PackedStringArray = []


## Steps by hand unless `process` is another callback.
func _init(of: TestCase, process: int = ActionGraphPlayer.PROCESS_MANUAL) -> void:
	test = of
	agent = Node3D.new()
	agent.name = "Fighter"
	animations = AnimationPlayer.new()
	animations.name = "Animations"
	by_hand = process == ActionGraphPlayer.PROCESS_MANUAL
	if by_hand:
		animations.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	library = AnimationLibrary.new()
	animations.add_animation_library(&"", library)
	agent.add_child(animations)
	graph = ActionGraph.new()
	moves = ActionGraphPlayer.new()
	moves.name = "Moves"
	moves.process_callback = process
	moves.default_graph = graph
	agent.add_child(moves)
	moves.action_started.connect(func(node: StringName, _run: ActionRun) -> void: path.append(_at(node)))
	moves.graph_reset.connect(func() -> void: path.append(_at(&"root")))


## Into the tree.
func enter() -> void:
	test.add(agent)


## An animation that moves the character's x from 0 to its length.
func animation(named: StringName, seconds: float, looped: bool = false) -> Animation:
	var made := Animation.new()
	made.length = seconds
	made.loop_mode = Animation.LOOP_LINEAR if looped else Animation.LOOP_NONE
	var track := made.add_track(Animation.TYPE_VALUE)
	made.track_set_path(track, ^".:position:x")
	made.track_insert_key(track, 0.0, 0.0)
	made.track_insert_key(track, seconds, seconds)
	library.add_animation(named, made)
	return made


## A node that plays the animation of its name.
func move(id: StringName, seconds: float = -1.0) -> PlayAnimationPayload:
	if seconds >= 0.0:
		animation(id, seconds)
	var payload := PlayAnimationPayload.new()
	payload.animation = id
	graph.add_node(id, payload)
	return payload


## A press of the tag leads on.
func wire(from: StringName, to: StringName, tag: StringName) -> ActionGraphTransition:
	return graph.add_transition(from, to, tag)


func press(tag: StringName) -> int:
	return moves.process_input(tag)


## Steps: the animations, then the moves.
func step(delta: float = 0.1, count: int = 1) -> void:
	for i in count:
		time += delta
		if by_hand and is_instance_valid(animations):
			animations.advance(delta)
		moves.advance(delta)


## The second of the animation that shows.
func shown() -> float:
	return agent.position.x


func node() -> StringName:
	return moves.get_current_node()


func _at(named: StringName) -> String:
	return "%s@%s" % [named, snappedf(time, 0.001)]
