extends TestCase
## What rides the run of a node: scaled movement, cancelling on movement, draining vitals, scripted hooks.

const Stage := preload("res://support/graph_stage.gd")
const LA: StringName = Stage.LA
const HV: StringName = Stage.HV

const HOOK := "extends ActionGraphHook\n@export var label := \"\"\n@export var list := []\nvar log := []\nvar fresh := 0\nfunc _enter(run: ActionRun) -> void:\n\tfresh += 1\n\tlist.append(fresh)\n\trun.agent.get_meta(&\"log\").append(\"%s enter %s\" % [label, run.node_id])\nfunc _exit(run: ActionRun, reason: int) -> void:\n\trun.agent.get_meta(&\"log\").append(\"%s exit %s %d\" % [label, run.node_id, reason])\n"


func _stage(hooks: Array, seconds: float = 1.0) -> Stage:
	var stage := Stage.new(self)
	stage.agent.set_meta(&"log", [])
	stage.move(&"light", seconds).hooks = hooks
	stage.move(&"heavy", 0.5)
	stage.root_wire(&"light", LA)
	stage.wire(&"light", &"heavy", HV)
	return stage


func _log(stage: Stage) -> Array:
	return stage.agent.get_meta(&"log")


func _slow(speed: float, acceleration: float = 1.0, turn: float = 1.0) -> LocomotionModifierHook:
	var hook := LocomotionModifierHook.new()
	hook.speed_scale = speed
	hook.acceleration_scale = acceleration
	hook.turn_scale = turn
	return hook


func test_defaults() -> void:
	var slow := LocomotionModifierHook.new()
	eq([slow.speed_scale, slow.acceleration_scale, slow.turn_scale], [1.0, 1.0, 1.0], "LocomotionModifierHook")
	var cancel := CancelOnMovementHook.new()
	eq(cancel.detect, CancelOnMovementHook.DETECT_INPUT, "detect")
	near(cancel.threshold, 0.2, 0.0001, "threshold")
	var drain := DrainVitalHook.new()
	eq([drain.vital_tag, drain.per_second, drain.end_behavior], [&"Vital.Stamina", 10.0, DrainVitalHook.ENDS_FINISH], "DrainVitalHook")
	var hook := ActionGraphHook.new()
	eq([hook.tick, hook.finishes_node], [false, false], "ActionGraphHook")
	eq([ActionGraphHook.END_COMPLETED, ActionGraphHook.END_CANCELLED, ActionGraphHook.END_CHAINED, ActionGraphHook.END_REMOVED], [0, 2, 6, 7], "constants")


func test_movement_is_scaled_while_the_node_runs() -> void:
	var stage := _stage([_slow(0.5, 0.25), _slow(0.5, 1.0, 0.0)])
	stage.agent.set_script(script("extends CharacterBody3D\nvar told := []\nfunc _set_locomotion_scale(speed: float, acceleration: float, turn: float) -> void:\n\ttold.append(Vector3(speed, acceleration, turn))\n"))
	stage.agent.set_meta(&"log", [])
	stage.begin()
	var changed := record(stage.player.locomotion_scale_changed)
	eq(stage.player.get_locomotion_scale(), Vector3.ONE, "at first")
	stage.press(LA)
	eq(stage.player.get_locomotion_scale(), Vector3(0.25, 0.25, 0.0), "the product")
	eq(changed.last(), [0.25, 0.25, 0.0], "the signal")
	stage.advance(1.0)
	eq(stage.player.get_locomotion_scale(), Vector3.ONE, "afterwards")
	eq(changed.count(), 2, "on changes only")
	eq(stage.agent.get(&"told"), [Vector3(0.25, 0.25, 0.0), Vector3.ONE], "the agent's method")


func test_movement_cuts_the_node() -> void:
	var hook := CancelOnMovementHook.new()
	var stage := _stage([hook])
	var node := stage.graph.get_node_by_id(&"light")
	node.cancel_window_start = 0.3
	stage.begin()
	stage.press(LA)
	stage.player.set_move_direction(Vector2(0.5, 0.0))
	stage.advance(0.5)
	eq(stage.at(), &"light", "it cannot be cancelled")
	stage.player.interrupt_for_external()
	node.can_be_cancelled = true
	stage.player.advance(0.1)
	stage.press(LA)
	stage.advance(0.2)
	eq(stage.at(), &"light", "before its cancel window")
	stage.advance(0.1)
	eq(stage.at(), &"root", "at its start")
	eq(stage.log[-1], "ended light 2", "cancelled")
	stage.player.set_move_direction(Vector2(0.2, 0.0))
	stage.press(LA)
	stage.advance(0.6)
	eq(stage.at(), &"light", "not above the threshold")


func test_the_speed_of_the_agent_cuts_the_node() -> void:
	var hook := CancelOnMovementHook.new()
	hook.detect = CancelOnMovementHook.DETECT_VELOCITY
	var stage := _stage([hook])
	stage.graph.get_node_by_id(&"light").can_be_cancelled = true
	stage.begin()
	stage.player.set_move_direction(Vector2.RIGHT)
	stage.press(LA)
	stage.advance(0.3)
	eq(stage.at(), &"light", "the stick does not count")
	stage.agent.velocity = Vector3(0.0, 0.0, 0.5)
	stage.advance(0.1)
	eq(stage.at(), &"root", "0.5 m/s")


func test_a_drain_finishes_the_node() -> void:
	var hook := DrainVitalHook.new()
	hook.per_second = 20.0
	var stage := _stage([hook], 5.0)
	var rest := stage.move(&"rest", 0.5)
	stage.graph.add_transition(&"light", &"rest", &"", ActionGraphTransition.FIRES_ACTION_COMPLETED)
	rest.applied_tags = ["State.Resting"]
	stage.with_vitals(30.0)
	stage.begin()
	stage.press(LA)
	stage.advance(1.4)
	near(stage.vitals.get_value(&"Vital.Stamina"), 2.0, 0.001, "28 are gone")
	stage.advance(0.1)
	eq(stage.at(), &"rest", "what follows when it completes")
	eq(stage.vitals.get_value(&"Vital.Stamina"), 0.0, "nothing is left")
	has_element(stage.log, "ended light 0", "completed")


func test_a_drain_cuts_the_node_when_it_may_be_cut() -> void:
	var hook := DrainVitalHook.new()
	hook.per_second = 20.0
	hook.end_behavior = DrainVitalHook.ENDS_CANCEL
	var stage := _stage([hook], 5.0)
	var node := stage.graph.get_node_by_id(&"light")
	node.can_be_cancelled = true
	node.cancel_window_start = 1.0
	stage.with_vitals(10.0)
	stage.begin()
	stage.press(LA)
	stage.advance(0.9)
	eq(stage.at(), &"light", "empty, but not yet to be cut")
	stage.advance(0.1)
	eq(stage.at(), &"root", "tried again in each step")
	eq(stage.log[-1], "ended light 2", "cancelled")


func test_a_drain_may_do_nothing_at_the_end() -> void:
	var hook := DrainVitalHook.new()
	hook.end_behavior = DrainVitalHook.ENDS_NOTHING
	var stage := _stage([hook], 2.0)
	stage.with_vitals(5.0)
	stage.begin()
	stage.press(LA)
	stage.advance(1.5)
	eq(stage.at(), &"light", "it goes on")
	eq(stage.vitals.get_value(&"Vital.Stamina"), 0.0, "empty")


func test_a_drain_goes_by_the_clock_of_the_player() -> void:
	var hook := DrainVitalHook.new()
	var stage := _stage([hook], 5.0)
	stage.with_vitals(50.0)
	stage.begin()
	stage.press(LA)
	stage.player.freeze(0.5)
	stage.advance(0.5)
	eq(stage.vitals.get_value(&"Vital.Stamina"), 50.0, "not in a freeze")
	stage.player.action_speed = 0.5
	stage.player.time_scale = 2.0
	stage.advance(1.0)
	near(stage.vitals.get_value(&"Vital.Stamina"), 30.0, 0.001, "2 s of player time")


func test_without_the_row_a_drain_never_ends() -> void:
	var stage := _stage([DrainVitalHook.new()], 20.0)
	stage.begin()
	stage.press(LA)
	stage.advance(15.0)
	eq(stage.at(), &"light", "no AgentVitals")


func test_a_script_hears_of_the_run() -> void:
	var first: ActionGraphHook = script(HOOK).new()
	first.set(&"label", "a")
	var second: ActionGraphHook = script(HOOK).new()
	second.set(&"label", "b")
	var stage := _stage([first, null, second])
	stage.begin()
	stage.press(LA)
	eq(_log(stage), ["a enter light", "b enter light"], "in their order")
	_log(stage).clear()
	stage.advance(1.0)
	eq(_log(stage), ["b exit light 0", "a exit light 0"], "the other way round")
	_log(stage).clear()
	stage.press(LA)
	stage.player.interrupt_for_external()
	eq(_log(stage)[-1], "a exit light 2", "cut")
	stage.press(LA)
	stage.player.clear_graph()
	stage.player.set_graph(ActionGraph.new())
	eq(_log(stage)[-1], "a exit light 7", "another graph")


func test_each_run_has_its_own_copy() -> void:
	var hook: ActionGraphHook = script(HOOK).new()
	hook.set(&"list", [7])
	var stage := _stage([hook])
	stage.begin()
	stage.press(LA)
	stage.player.interrupt_for_external()
	stage.press(LA)
	eq(hook.get(&"fresh"), 0, "the definition is not changed")
	eq(hook.get(&"list"), [7], "its array neither")


func test_steps_of_a_hook() -> void:
	var source := "extends ActionGraphHook\nfunc _tick(run: ActionRun, delta: float) -> void:\n\trun.agent.get_meta(&\"log\").append(delta)\n"
	var hook: ActionGraphHook = script(source).new()
	var stage := _stage([hook], 2.0)
	stage.begin()
	stage.press(LA)
	stage.advance(0.2)
	eq(_log(stage), [], "only with tick on")
	hook.tick = true
	stage.player.interrupt_for_external()
	stage.player.advance(0.1)
	stage.press(LA)
	stage.advance(0.2)
	near(_log(stage), [0.1, 0.1], 0.0001, "each step")
	_log(stage).clear()
	stage.player.time_scale = 0.5
	stage.player.action_speed = 0.25
	stage.advance(0.1)
	near(_log(stage), [0.05], 0.0001, "player time")
	_log(stage).clear()
	stage.player.freeze(0.2)
	stage.advance(0.2)
	eq(_log(stage), [], "not while it is frozen")


func test_a_hook_may_finish_the_node_if_it_says_so() -> void:
	var source := "extends ActionGraphHook\nfunc _tick(run: ActionRun, _delta: float) -> void:\n\trun.agent.get_meta(&\"log\").append(run.finish())\n"
	var hook: ActionGraphHook = script(source).new()
	hook.tick = true
	var stage := _stage([hook], 2.0)
	stage.begin()
	stage.press(LA)
	expect_error("finish() was called by a hook that does not finish its node", 1)
	stage.advance(0.1)
	eq(_log(stage), [false], "refused")
	eq(stage.at(), &"light", "it goes on")
	hook.finishes_node = true
	stage.player.interrupt_for_external()
	stage.player.advance(0.1)
	stage.press(LA)
	stage.advance(0.1)
	eq(_log(stage)[-1], true, "done")
	eq(stage.at(), &"root", "completed")
	eq(stage.log[-1], "ended light 0", "completed")


func test_a_hook_may_cancel_by_the_rules_of_the_node() -> void:
	var source := "extends ActionGraphHook\nfunc _tick(run: ActionRun, _delta: float) -> void:\n\tvar done := run.cancel()\n\trun.agent.get_meta(&\"log\").append(done)\n"
	var hook: ActionGraphHook = script(source).new()
	hook.tick = true
	var stage := _stage([hook], 2.0)
	var node := stage.graph.get_node_by_id(&"light")
	node.can_be_cancelled = true
	node.cancel_window_start = 0.2
	stage.begin()
	stage.press(LA)
	stage.advance(0.1)
	eq(_log(stage), [false], "too early")
	stage.advance(0.1)
	eq(_log(stage), [false, true], "from 0.2 s on")
	eq(stage.log[-1], "ended light 2", "cancelled")


func test_markers_of_the_animation_reach_hooks() -> void:
	var source := "extends ActionGraphHook\nfunc _marker(run: ActionRun, name: StringName) -> void:\n\trun.agent.get_meta(&\"log\").append([name, run.node_id])\n"
	var stage := _stage([script(source).new()])
	var player := AnimationPlayer.new()
	var animation := Animation.new()
	animation.length = 1.0
	animation.add_marker(&"hit", 0.3)
	var library := AnimationLibrary.new()
	library.add_animation(&"slash", animation)
	player.add_animation_library(&"", library)
	add(player, stage.agent)
	var payload := PlayAnimationPayload.new()
	payload.animation = &"slash"
	stage.graph.get_node_by_id(&"light").payload = payload
	stage.begin()
	stage.press(LA)
	stage.advance(0.2)
	eq(_log(stage), [], "not yet")
	stage.advance(0.2)
	eq(_log(stage), [[&"hit", &"light"]], "passed")


func test_a_hook_may_free_the_agent() -> void:
	var source := "extends ActionGraphHook\nfunc _enter(run: ActionRun) -> void:\n\trun.agent.queue_free()\n\trun.agent.get_parent().remove_child(run.agent)\n"
	var stage := _stage([script(source).new()])
	stage.begin()
	var started := record(stage.player.action_started)
	stage.press(LA)
	eq(started.count(), 0, "nothing more is told")


func test_a_stale_handle_does_nothing() -> void:
	var stage := _stage([])
	stage.begin()
	stage.press(LA)
	var run := stage.player.get_run()
	check(run.is_current(), "it runs")
	stage.player.interrupt_for_external()
	check(not run.is_current() and not run.finish() and not run.cancel() and not run.open_window(), "it is over")


func test_a_hook_without_virtuals_is_a_warning_of_validation() -> void:
	var hook: ActionGraphHook = script("extends ActionGraphHook\n").new()
	var stage := _stage([hook])
	stage.begin()
	eq(stage.press(LA), ActionGraphPlayer.INPUT_ENTERED, "it does nothing")
	var codes := stage.graph.validate().map(func(row: Dictionary) -> String: return row.code)
	has_element(codes, "W21", "validation")


func test_bad_values_are_refused() -> void:
	var slow := LocomotionModifierHook.new()
	expect_warning("speed_scale = 9 is read as 4", 1)
	slow.speed_scale = 9.0
	expect_warning("turn_scale = NaN is refused, it stays 1", 1)
	slow.turn_scale = NAN
	var drain := DrainVitalHook.new()
	expect_warning("per_second = -3 is read as 0", 1)
	drain.per_second = -3.0
	expect_error("end_behavior = 3 is refused, it stays 0.", 1)
	drain.end_behavior = 3
