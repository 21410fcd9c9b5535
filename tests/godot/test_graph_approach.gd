extends TestCase
## Closing in on a target during an attack, making room, and turning.

const Stage := preload("res://support/graph_stage.gd")
const LA: StringName = Stage.LA

var stage: Stage
var approach: AttackApproach3D
var payload: PlayAnimationPayload
var foe: CharacterBody3D


## A hero that looks along -Z, and a foe so far ahead of it.
func _begin(distance: float = 4.0, length: float = 3.0) -> void:
	stage = Stage.new(self)
	stage.agent.collision_mask = 0
	var player := AnimationPlayer.new()
	var animation := Animation.new()
	animation.length = length
	var library := AnimationLibrary.new()
	library.add_animation(&"slash", animation)
	player.add_animation_library(&"", library)
	add(player, stage.agent)
	payload = PlayAnimationPayload.new()
	payload.animation = &"slash"
	stage.graph.add_node(&"slash", payload)
	stage.root_wire(&"slash", LA)
	stage.begin()
	stage.player.process_callback = ActionGraphPlayer.PROCESS_PHYSICS
	approach = AttackApproach3D.new()
	add(approach, stage.agent)
	foe = character(Vector3(0, 0, -distance), "Foe", 4)
	stage.player.set_target(foe)


func _distance() -> float:
	return stage.agent.position.distance_to(foe.position)


func test_defaults() -> void:
	var three := AttackApproach3D.new()
	eq([three.stop_distance, three.make_room_seconds, three.approach_speed, three.max_approach, three.turn_rate, three.rotation_follows_movement, three.apply_motion], [1.5, 0.0, 4.0, 3.0, 720.0, true, false], "in metres")
	var two := AttackApproach2D.new()
	eq([two.stop_distance, two.approach_speed, two.max_approach], [100.0, 250.0, 200.0], "in pixels")
	eq([three.get_motion(), two.get_motion(), three.get_turn_rate()], [Vector3.ZERO, Vector2.ZERO, 0.0], "nothing to do")
	three.free()
	two.free()


func test_it_closes_in_until_the_stop_distance() -> void:
	_begin(3.0)
	await physics(3)
	eq(approach.get_motion(), Vector3.ZERO, "nothing runs")
	check(not approach.is_physics_processing(), "it costs nothing")
	stage.press(LA)
	await physics(2)
	near(approach.get_motion(), Vector3(0, 0, -4), 0.001, "4 m/s")
	eq(stage.agent.position, Vector3.ZERO, "the agent's script moves it")
	stage.player.interrupt_for_external()
	eq(approach.get_motion(), Vector3.ZERO, "the move is over")
	approach.apply_motion = true
	stage.press(LA)
	await physics(60)
	near(_distance(), 1.5, 0.01, "where it stops")
	eq(approach.get_motion(), Vector3.ZERO, "arrived")


func test_it_goes_no_farther_than_it_may() -> void:
	_begin(20.0)
	approach.apply_motion = true
	approach.max_approach = 1.0
	stage.press(LA)
	await physics(60)
	near(_distance(), 19.0, 0.01, "1 m nearer")


func test_who_says_where_to_stop() -> void:
	_begin(4.0)
	approach.apply_motion = true
	var window := ActionWindow.new()
	window.end = 2.0
	window.stop_distance = 2.0
	payload.windows = [window]
	await physics()
	stage.press(LA)
	await physics(60)
	near(_distance(), 2.0, 0.01, "the window")
	stage.player.interrupt_for_external()
	payload.stop_distance = 1.75
	await physics(2)
	stage.press(LA)
	await physics(60)
	near(_distance(), 1.75, 0.01, "the payload goes first")


func test_the_weapon_says_where_to_stop() -> void:
	_begin(4.0)
	approach.apply_motion = true
	var grant := ActionGraphGrant.new()
	grant.graph = stage.graph
	grant.stop_distance = 2.5
	add(grant, stage.agent)
	await physics()
	stage.press(LA)
	await physics(60)
	near(_distance(), 2.5, 0.01, "the grant")


func test_it_makes_room() -> void:
	_begin(1.0)
	approach.apply_motion = true
	stage.press(LA)
	await physics(20)
	near(_distance(), 1.0, 0.01, "off by default")
	stage.player.interrupt_for_external()
	approach.make_room_seconds = 0.05
	stage.press(LA)
	await physics(20)
	near(_distance(), 1.2, 0.01, "4 m/s for 0.05 s")
	stage.player.interrupt_for_external()
	payload.make_room_seconds = 1.0
	await physics(2)
	stage.press(LA)
	await physics(30)
	near(_distance(), 1.5, 0.01, "up to the stop distance")
	stage.player.interrupt_for_external()
	payload.make_room_seconds = 0.0
	stage.agent.position.z += 1.0
	stage.agent.position = foe.position + Vector3(0, 0, 1.0)
	await physics(2)
	stage.press(LA)
	await physics(20)
	near(_distance(), 1.0, 0.01, "the payload says no")


func test_it_turns_to_the_target() -> void:
	_begin(3.0)
	foe.position = Vector3(3, 0, 0)
	stage.press(LA)
	await physics(2)
	near(approach.get_turn_rate(), -720.0, 0.01, "to the right is negative about Y")
	stage.player.interrupt_for_external()
	approach.rotation_follows_movement = false
	stage.press(LA)
	await physics(2)
	eq(approach.get_turn_rate(), 0.0, "off")
	stage.player.interrupt_for_external()
	approach.rotation_follows_movement = true
	approach.apply_motion = true
	stage.press(LA)
	await physics(20)
	near(-stage.agent.basis.z, Vector3.RIGHT, 0.01, "it looks at the target")


func test_it_turns_to_the_input() -> void:
	_begin(3.0)
	approach.apply_motion = true
	payload.turn_to_input = true
	payload.left_animation = &"nowhere"
	await physics(2)
	stage.press(LA, Vector2.LEFT)
	eq(stage.at(), &"slash", "the animation forward plays")
	await physics(20)
	near(-stage.agent.basis.z, Vector3.LEFT, 0.01, "it looks where the stick points")


func test_without_a_target_nothing_moves() -> void:
	_begin(3.0)
	stage.player.set_target(null)
	approach.apply_motion = true
	stage.press(LA)
	await physics(10)
	eq([stage.agent.position, approach.get_motion(), approach.get_turn_rate()], [Vector3.ZERO, Vector3.ZERO, 0.0], "nothing")


func test_a_target_that_is_freed() -> void:
	_begin(3.0)
	stage.press(LA)
	await physics(2)
	foe.free()
	await physics(2)
	eq(approach.get_motion(), Vector3.ZERO, "nothing")


func test_it_stands_still_with_the_clock() -> void:
	_begin(4.0)
	stage.press(LA)
	stage.player.freeze(10.0)
	await physics(2)
	eq(approach.get_motion(), Vector3.ZERO, "in a freeze")
	stage.player.unfreeze()
	await physics(2)
	ne(approach.get_motion(), Vector3.ZERO, "afterwards")


func test_a_warp_goes_first() -> void:
	_begin(4.0)
	var warp := MotionWarp3D.new()
	add(warp, stage.agent)
	stage.press(LA)
	warp.begin_window(&"Target", 0.1)
	await physics(2)
	eq(approach.get_motion(), Vector3.ZERO, "while a window is open")
	await physics(10)
	ne(approach.get_motion(), Vector3.ZERO, "afterwards")


func test_a_delay_is_no_attack() -> void:
	_begin(4.0)
	stage.move(&"wait", 1.0)
	stage.root_wire(&"wait", Stage.HV)
	await physics(2)
	stage.press(Stage.HV)
	await physics(2)
	eq(approach.get_motion(), Vector3.ZERO, "only while an animation plays")


func test_walls_stop_it() -> void:
	_begin(4.0)
	stage.agent.collision_mask = 1
	wall(Vector3(0, 1, -2))
	approach.apply_motion = true
	stage.press(LA)
	await physics(60)
	between(stage.agent.position.z, -1.2, -0.9, "in front of the wall")


func test_in_2d() -> void:
	var agent := CharacterBody2D.new()
	add(agent)
	var player := AnimationPlayer.new()
	var animation := Animation.new()
	animation.length = 3.0
	var library := AnimationLibrary.new()
	library.add_animation(&"slash", animation)
	player.add_animation_library(&"", library)
	add(player, agent)
	var graph := ActionGraph.new()
	var slash := PlayAnimationPayload.new()
	slash.animation = &"slash"
	slash.stop_distance = 0.5
	graph.add_node(&"slash", slash)
	graph.add_transition(&"root", &"slash", LA)
	var moves := ActionGraphPlayer.new()
	moves.default_graph = graph
	add(moves, agent)
	var steps := AttackApproach2D.new()
	add(steps, agent)
	var target := Node2D.new()
	target.position = Vector2(0, 200)
	add(target)
	moves.set_target(target)
	moves.process_input(LA)
	await physics(2)
	near(steps.get_motion(), Vector2(0, 250), 0.01, "250 px/s")
	near(steps.get_turn_rate(), 720.0, 0.01, "down is clockwise of +X")
	steps.apply_motion = true
	await physics(60)
	near(agent.position, Vector2(0, 150), 1.0, "0.5 m are 50 px")
	near(Vector2.from_angle(agent.rotation), Vector2.DOWN, 0.01, "it looks at the target")


func test_bad_values_are_refused() -> void:
	var lost := AttackApproach3D.new()
	add(lost)
	expect_warning("stop_distance = -1 is read as 0", 1)
	lost.stop_distance = -1.0
	expect_warning("approach_speed = NaN is refused, it stays 4", 1)
	lost.approach_speed = NAN
	expect_warning("turn_rate = inf is refused, it stays 720", 1)
	lost.turn_rate = INF
