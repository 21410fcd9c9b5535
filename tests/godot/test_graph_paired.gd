extends TestCase
## Moves of two: when they can start, what happens to both, and how they end.

const Stage := preload("res://support/graph_stage.gd")
const LA: StringName = Stage.LA
const HV: StringName = Stage.HV

var hero: Stage
var foe: Stage
var takedown: PairedAction


func _clip(stage: Stage, names: Dictionary) -> AnimationPlayer:
	var player := AnimationPlayer.new()
	player.name = "Animations"
	var library := AnimationLibrary.new()
	for named: StringName in names:
		var animation := Animation.new()
		animation.length = names[named]
		library.add_animation(named, animation)
	player.add_animation_library(&"", library)
	add(player, stage.agent)
	return player


func _payload() -> PairedActionPayload:
	var moves := PairedActionSet.new()
	moves.actions = [takedown]
	var payload := PairedActionPayload.new()
	payload.sets = [moves]
	return payload


## A hero that looks along -Z and a foe 1.5 m ahead of it.
func _begin(with_player: bool = true) -> void:
	takedown = PairedAction.new()
	takedown.initiator_animation = &"take"
	takedown.partner_animation = &"taken"
	hero = Stage.new(self, "Hero")
	_clip(hero, {&"take": 1.0})
	hero.graph.add_node(&"takedown", _payload())
	hero.root_wire(&"takedown", LA)
	hero.begin()
	foe = Stage.new(self, "Foe", Vector3(0, 0, -1.5))
	_clip(foe, {&"taken": 1.0, &"swing": 1.0})
	foe.move(&"swing", 2.0)
	foe.root_wire(&"swing", HV)
	if with_player:
		foe.begin()
	hero.player.set_target(foe.agent)


func _animations(stage: Stage) -> AnimationPlayer:
	return stage.agent.get_node(^"Animations")


func test_defaults() -> void:
	var action := PairedAction.new()
	eq([action.tag, action.initiator_animation, action.partner_animation, action.partner_offset, action.partner_yaw], [&"", &"", &"", Vector3(0, 0, -1), 180.0], "PairedAction")
	near([action.align_seconds, action.max_distance, action.max_angle], [0.1, 2.0, 60.0], 0.0001, "numbers")
	eq([PairedActionSet.new().actions.size(), PairedActionPayload.new().sets.size()], [0, 0], "lists")


func test_when_it_is_available() -> void:
	_begin()
	eq(hero.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_NONE, "1.5 m ahead")
	foe.agent.position = Vector3(0, 0, -2.1)
	eq(hero.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_PAYLOAD, "2.1 m away")
	foe.agent.position = Vector3(1, 0, 0.5)
	eq(hero.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_PAYLOAD, "behind")
	foe.agent.position = Vector3(0.8, 0, -0.5)
	eq(hero.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_NONE, "58° to the side")
	takedown.partner_required_tags = ["State.Stunned"]
	hero.player.advance(0.1)
	eq(hero.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_PAYLOAD, "not stunned")
	foe.tags.add_tag(&"State.Stunned")
	eq(hero.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_NONE, "stunned")
	takedown.partner_blocked_tags = ["Role.Boss"]
	foe.tags.add_tag(&"Role.Boss")
	hero.player.advance(0.1)
	eq(hero.press(LA), ActionGraphPlayer.INPUT_DROPPED, "a boss")
	eq(hero.log, ["failed takedown 4"], "the start fails")
	hero.player.set_target(null)
	eq(hero.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_PAYLOAD, "no target")


func test_the_condition_asks_the_same() -> void:
	_begin()
	var condition := PairedActionAvailableCondition.new()
	condition.sets = _payload().sets
	hero.move(&"light", 0.2)
	hero.root_wire(&"light", HV).conditions = [condition]
	hero.player.advance(0.1)
	eq(hero.press(HV), ActionGraphPlayer.INPUT_ENTERED, "available")
	hero.player.interrupt_for_external()
	foe.agent.position = Vector3(0, 0, 3)
	eq(hero.press(HV), ActionGraphPlayer.INPUT_DROPPED, "behind and too far")


func test_both_play_and_both_are_free_at_the_end() -> void:
	_begin()
	foe.press(HV)
	eq(foe.at(), &"swing", "the foe is busy")
	eq(hero.press(LA), ActionGraphPlayer.INPUT_ENTERED, "the takedown")
	eq(foe.at(), &"root", "what the foe did is cut")
	eq(foe.log, ["started swing", "ended swing 2"], "told")
	eq([hero.tags.has_tag(&"State.Paired"), foe.tags.has_tag(&"State.Paired")], [true, true], "both carry the tag")
	eq([_animations(hero).current_animation, _animations(foe).current_animation], ["take", "taken"], "both play in the same step")
	eq(foe.press(HV), ActionGraphPlayer.INPUT_BLOCKED, "presses of the foe")
	hero.advance(0.9)
	eq(hero.at(), &"takedown", "as long as the initiator's animation")
	hero.advance(0.1)
	eq(hero.at(), &"root", "over")
	eq(hero.log, ["started takedown", "ended takedown 0"], "completed")
	eq([hero.tags.has_tag(&"State.Paired"), foe.tags.has_tag(&"State.Paired")], [false, false], "the tag is gone")
	eq(foe.press(HV), ActionGraphPlayer.INPUT_ENTERED, "the foe is free")


func test_the_partner_gets_to_its_place() -> void:
	_begin()
	foe.agent.position = Vector3(0.5, 0, -0.5)
	takedown.align_seconds = 0.2
	takedown.partner_offset = Vector3(0, 0, -2)
	hero.player.advance(0.1)
	hero.press(LA)
	hero.advance(0.1)
	var goal := Vector3(1, 0, -1).normalized() * 2.0
	near(foe.agent.position, Vector3(0.5, 0, -0.5).lerp(goal, 0.5), 0.001, "half-way")
	hero.advance(0.1)
	near(foe.agent.position, goal, 0.001, "in its place")
	near(-hero.agent.basis.z, Vector3(1, 0, -1).normalized(), 0.001, "the hero looks at it")
	near(-foe.agent.basis.z, Vector3(-1, 0, 1).normalized(), 0.001, "it looks at the hero")
	foe.agent.position = Vector3(5, 0, 5)
	hero.advance(0.1)
	near(foe.agent.position, Vector3(5, 0, 5), 0.001, "it is not held there")


func test_at_once_without_align_seconds() -> void:
	_begin()
	takedown.align_seconds = 0.0
	hero.player.advance(0.1)
	hero.press(LA)
	near(foe.agent.position, Vector3(0, 0, -1), 0.001, "in its place")


func test_a_cut_frees_the_partner_at_once() -> void:
	_begin()
	hero.press(LA)
	hero.advance(0.3)
	hero.player.interrupt_for_external()
	eq(foe.tags.has_tag(&"State.Paired"), false, "the tag is gone")
	ne(_animations(foe).current_animation, "taken", "its animation is stopped")
	eq(foe.press(HV), ActionGraphPlayer.INPUT_ENTERED, "it is free")


func test_the_initiator_is_freed() -> void:
	_begin()
	hero.press(LA)
	hero.agent.free()
	eq(foe.tags.has_tag(&"State.Paired"), false, "the tag is gone")
	eq(foe.press(HV), ActionGraphPlayer.INPUT_ENTERED, "it is free")


func test_the_partner_is_freed() -> void:
	_begin()
	hero.press(LA)
	foe.agent.free()
	eq(hero.at(), &"root", "in the same step")
	eq(hero.log[-1], "ended takedown 2", "cancelled")
	eq(hero.tags.has_tag(&"State.Paired"), false, "the tag is gone")


func test_the_partner_gets_another_graph() -> void:
	_begin()
	hero.press(LA)
	foe.player.set_graph(ActionGraph.new())
	eq(hero.at(), &"root", "in the same step")
	eq(hero.log[-1], "ended takedown 2", "cancelled")
	eq(foe.tags.has_tag(&"State.Paired"), false, "the tag is gone")


func test_whoever_is_paired_is_no_partner() -> void:
	_begin()
	hero.press(LA)
	var third := Stage.new(self, "Third", Vector3(0, 0, -2.5))
	third.agent.rotation.y = PI
	_clip(third, {&"take": 1.0})
	third.graph.add_node(&"takedown", _payload())
	third.root_wire(&"takedown", LA)
	third.begin()
	third.player.set_target(foe.agent)
	eq(third.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_PAYLOAD, "the foe is busy")
	hero.advance(1.0)
	foe.agent.position = Vector3(0, 0, -1.5)
	eq(third.player.can_start_node(&"takedown"), ActionGraphPlayer.FAIL_NONE, "the foe is free")


func test_a_partner_without_a_player() -> void:
	_begin(false)
	eq(hero.press(LA), ActionGraphPlayer.INPUT_ENTERED, "the takedown")
	eq(_animations(foe).current_animation, "taken", "the first player below it")
	eq(foe.tags.has_tag(&"State.Paired"), true, "its tags")
	hero.advance(1.0)
	eq(foe.tags.has_tag(&"State.Paired"), false, "afterwards")


func test_the_first_available_action_is_played() -> void:
	_begin()
	var better := PairedAction.new()
	better.initiator_animation = &"execute"
	better.partner_required_tags = ["State.Down"]
	var animation := Animation.new()
	animation.length = 0.5
	_animations(hero).get_animation_library(&"").add_animation(&"execute", animation)
	var sets := PairedActionSet.new()
	sets.actions = [better, null, takedown]
	(hero.graph.get_node_by_id(&"takedown").payload as PairedActionPayload).sets = [sets]
	hero.player.advance(0.1)
	hero.press(LA)
	eq(_animations(hero).current_animation, "take", "the second")
	hero.player.interrupt_for_external()
	foe.tags.add_tag(&"State.Down")
	hero.press(LA)
	eq(_animations(hero).current_animation, "execute", "the first")


func test_a_missing_animation_ends_it_at_once() -> void:
	_begin()
	takedown.initiator_animation = &"nowhere"
	hero.player.advance(0.1)
	expect_warning("there is no animation \"nowhere\"", 1)
	hero.press(LA)
	eq(hero.at(), &"root", "at once")
	eq(foe.tags.has_tag(&"State.Paired"), false, "nobody is paired")


func test_a_handler_that_frees_the_partner() -> void:
	_begin()
	foe.press(HV)
	foe.player.action_ended.connect(func(_node: StringName, _reason: int) -> void:
		remove_child(foe.agent)
		foe.agent.queue_free())
	hero.press(LA)
	eq(hero.at(), &"root", "it ended at once")
	eq(hero.tags.has_tag(&"State.Paired"), false, "nobody is paired")


func test_bad_values_are_refused() -> void:
	var action := PairedAction.new()
	expect_warning("partner_offset = NaN is refused", 1)
	action.partner_offset = Vector3(NAN, 0, 0)
	eq(action.partner_offset, Vector3(0, 0, -1), "unchanged")
	expect_warning("max_angle = 400 is read as 180", 1)
	action.max_angle = 400.0
	expect_warning("align_seconds = -1 is read as 0", 1)
	action.align_seconds = -1.0
	var moves := PairedActionSet.new()
	var untyped: Variant = moves
	expect_error("actions[0] is VitalCost; actions stays as it was. Allowed: PairedAction.", 1)
	untyped.actions = [VitalCost.new()]
