extends TestCase
## Moves that an AnimationTree plays.

const Rig := preload("res://support/moves_rig.gd")

var rig: Rig
var tree: AnimationTree


## A tree whose root is this; it plays the rig's animations.
func _tree(root: AnimationRootNode) -> void:
	tree = AnimationTree.new()
	tree.name = "Tree"
	tree.tree_root = root
	tree.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	rig.agent.add_child(tree)
	tree.anim_player = ^"../Animations"
	tree.active = true
	rig.moves.animation_tree_path = ^"../Tree"


func _swing() -> PlayAnimationPayload:
	rig = Rig.new(self)
	rig.by_hand = false
	rig.animation(&"idle", 3.0, true)
	var swing := rig.move(&"swing", 1.0)
	rig.wire(&"root", &"swing", &"Input.Light")
	return swing


func _machine() -> AnimationNodeStateMachine:
	var machine := AnimationNodeStateMachine.new()
	for named: StringName in [&"idle", &"swing"]:
		var state := AnimationNodeAnimation.new()
		state.animation = named
		machine.add_node(named, state)
	var first := AnimationNodeStateMachineTransition.new()
	first.advance_mode = AnimationNodeStateMachineTransition.ADVANCE_MODE_AUTO
	machine.add_transition(&"Start", &"idle", first)
	machine.add_transition(&"idle", &"swing", AnimationNodeStateMachineTransition.new())
	machine.add_transition(&"swing", &"idle", AnimationNodeStateMachineTransition.new())
	return machine


func _current() -> StringName:
	var playback: AnimationNodeStateMachinePlayback = tree.get("parameters/playback")
	return playback.get_current_node()


func test_travel() -> void:
	var swing := _swing()
	swing.tree_mode = PlayAnimationPayload.TREE_TRAVEL
	_tree(_machine())
	rig.enter()
	await physics(2)
	eq(_current(), &"idle")
	rig.press(&"Input.Light")
	await physics(2)
	eq(_current(), &"swing", "the state with the name of the animation")
	rig.step(0.1, 10)
	eq(rig.path, ["swing@0.0", "root@1.0"], "its length is the animation's")


func test_travel_to_a_named_state_again() -> void:
	var swing := _swing()
	swing.tree_mode = PlayAnimationPayload.TREE_TRAVEL
	swing.tree_node = &"idle"
	_tree(_machine())
	rig.enter()
	await physics(10)
	var playback: AnimationNodeStateMachinePlayback = tree.get("parameters/playback")
	check(playback.get_current_play_position() > 0.1, "idle plays")
	rig.press(&"Input.Light")
	await physics(2)
	eq(_current(), &"idle")
	check(playback.get_current_play_position() < 0.1, "from its start: %s" % playback.get_current_play_position())


func test_travel_stands_still_while_frozen() -> void:
	var swing := _swing()
	swing.tree_mode = PlayAnimationPayload.TREE_TRAVEL
	_tree(_machine())
	rig.enter()
	await physics(2)
	rig.press(&"Input.Light")
	await physics(5)
	rig.moves.freeze(1.0)
	await physics(1)
	var held := rig.shown()
	await physics(5)
	near(rig.shown(), held, 0.0001, "frozen")
	rig.moves.unfreeze()
	await physics(3)
	check(rig.shown() > held, "it goes on")


func test_one_shot_is_fired_and_aborted() -> void:
	_shot()
	rig.enter()
	await physics(2)
	check(not tree.get("parameters/Shot/active"), "not yet")
	rig.press(&"Input.Light")
	await physics(2)
	check(tree.get("parameters/Shot/active"), "fired")
	rig.moves.interrupt_for_external()
	await physics(2)
	check(not tree.get("parameters/Shot/active"), "aborted")


func _shot() -> void:
	var swing := _swing()
	swing.tree_mode = PlayAnimationPayload.TREE_ONE_SHOT
	swing.tree_node = &"Shot"
	var blend := AnimationNodeBlendTree.new()
	var idle := AnimationNodeAnimation.new()
	idle.animation = &"idle"
	var shot := AnimationNodeAnimation.new()
	shot.animation = &"swing"
	blend.add_node(&"Idle", idle)
	blend.add_node(&"Swing", shot)
	blend.add_node(&"Shot", AnimationNodeOneShot.new())
	blend.connect_node(&"Shot", 0, &"Idle")
	blend.connect_node(&"Shot", 1, &"Swing")
	blend.connect_node(&"output", 0, &"Shot")
	_tree(blend)


func test_a_tree_at_another_speed() -> void:
	var swing := _swing()
	swing.tree_mode = PlayAnimationPayload.TREE_TRAVEL
	_tree(_machine())
	await _at_half_speed()


func test_a_one_shot_at_another_speed() -> void:
	_shot()
	await _at_half_speed()


func _at_half_speed() -> void:
	rig.moves.action_speed = 0.5
	rig.enter()
	await physics(2)
	rig.press(&"Input.Light")
	near(rig.shown(), 0.0, 0.01, "its start")
	rig.step(0.1, 6)
	near(rig.shown(), 0.3, 0.01, "half as far")
	rig.moves.interrupt_for_external()
	eq(tree.process_mode, Node.PROCESS_MODE_INHERIT, "given back")


func test_a_tree_in_a_freeze_from_the_start() -> void:
	var swing := _swing()
	swing.tree_mode = PlayAnimationPayload.TREE_TRAVEL
	_tree(_machine())
	rig.enter()
	await physics(6)
	rig.press(&"Input.Light")
	rig.moves.freeze(1.0)
	eq(_current(), &"swing", "it is there at once")
	near(rig.shown(), 0.0, 0.001)
	await physics(5)
	rig.step(0.1, 3)
	near(rig.shown(), 0.0, 0.001, "and stands still")
	rig.moves.unfreeze()
	await physics(6)
	between(rig.shown(), 0.05, 0.12, "it goes on from there")


func test_what_is_missing_is_told_and_the_move_lasts() -> void:
	var swing := _swing()
	swing.tree_mode = PlayAnimationPayload.TREE_TRAVEL
	swing.tree_node = &"nowhere"
	_tree(_machine())
	rig.enter()
	expect_warning("its root has no state \"nowhere\"")
	rig.press(&"Input.Light")
	rig.step(0.1, 10)
	eq(rig.path, ["swing@0.0", "root@1.0"])


func test_without_a_tree() -> void:
	var swing := _swing()
	swing.tree_mode = PlayAnimationPayload.TREE_ONE_SHOT
	rig.enter()
	expect_warning("node \"swing\" plays by an AnimationTree, and none is set.")
	rig.press(&"Input.Light")
	rig.step(0.1, 10)
	eq(rig.path, ["swing@0.0", "root@1.0"])
