extends TestCase
## Execution methods: animations, calls, scripts with a private copy per run.

const CALLEE := "extends Node3D
signal opened(value: Variant)
var calls: Array = []
func punch(power: float, context: ActionContext) -> void:
	calls.append([power, context.action_id])
func refuse(_context: ActionContext) -> bool:
	return false
func open(_context: ActionContext) -> Signal:
	return opened
func wait(_context: ActionContext) -> bool:
	await opened
	return false
func stop(reason: int) -> void:
	calls.append(reason)
"


class Rig:
	extends RefCounted
	var agent: Node
	var brain := ActionEvaluator.new()
	var ends: SignalRecord
	var refusals: SignalRecord
	var case: TestCase

	func _init(owner: TestCase, body: Node, method: Resource) -> void:
		case = owner
		agent = body
		agent.name = "Guard"
		brain.process_callback = ActionEvaluator.PROCESS_MANUAL
		brain.auto_evaluate = false
		var spec := ActionSpec.new()
		spec.action_id = &"Act"
		spec.execution_method = method
		var moves := ActionSet.new()
		moves.actions = [spec]
		brain.default_action_set = moves
		agent.add_child(brain)
		if not agent.is_inside_tree():
			case.add(agent)
		ends = case.record(brain.action_ended)
		refusals = case.record(brain.start_refused)

	## The reason with which the action ended in the last step; -1 if it did not.
	func step(delta := 0.1) -> int:
		var before := ends.count()
		brain.advance(delta)
		return ends.last()[1] if ends.count() > before else -1


func _player(agent: Node, lengths: Dictionary[StringName, float]) -> AnimationPlayer:
	var player := AnimationPlayer.new()
	player.name = "Player"
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	var library := AnimationLibrary.new()
	for name in lengths:
		var animation := Animation.new()
		animation.length = lengths[name]
		library.add_animation(name, animation)
	player.add_animation_library(&"", library)
	agent.add_child(player)
	return player


func _animation(name: StringName, speed: float = 1.0) -> AnimationMethod:
	var made := AnimationMethod.new()
	made.animation = name
	made.speed = speed
	return made


func _call(method: StringName, abort: StringName = &"") -> CallMethod:
	var made := CallMethod.new()
	made.method = method
	made.abort_method = abort
	return made


## Steps player and evaluator until the action ends; the step in which it did, and the reason.
func _run(rig: Rig, player: AnimationPlayer, steps: int = 20) -> Array:
	for step in range(1, steps):
		player.advance(0.1)
		var reason := rig.step()
		if reason >= 0:
			return [step, reason]
	return []


func test_an_animation_ends_the_action() -> void:
	for case: Array in [[1.0, 6], [2.0, 4]]:
		var agent := Node3D.new()
		var player := _player(agent, {&"jab": 0.5})
		var rig := Rig.new(self, agent, _animation(&"jab", case[0]))
		check(rig.brain.execute_action(&"Act") > 0, "started")
		eq(_run(rig, player), [case[1], ActionEvaluator.END_COMPLETED], "speed %s" % case[0])


func test_another_animation_interrupts_it() -> void:
	var agent := Node3D.new()
	var player := _player(agent, {&"jab": 0.5, &"idle": 1.0})
	var rig := Rig.new(self, agent, _animation(&"jab"))
	rig.brain.execute_action(&"Act")
	player.advance(0.1)
	eq(rig.step(), -1, "step 1")
	player.play(&"idle")
	player.advance(0.1)
	eq(rig.step(), -1, "step 2")
	player.advance(0.1)
	eq(rig.step(), ActionEvaluator.END_INTERRUPTED, "step 3")
	eq(player.current_animation, "idle", "the other one plays on")


func test_an_animation_ends_at_a_time_or_a_marker() -> void:
	var agent := Node3D.new()
	var player := _player(agent, {&"jab": 2.0})
	player.get_animation(&"jab").add_marker(&"hit", 0.3)
	var method := _animation(&"jab")
	method.finish_at = AnimationMethod.FINISH_TIME
	method.finish_time = 0.2
	var rig := Rig.new(self, agent, method)
	rig.brain.execute_action(&"Act")
	eq(_run(rig, player), [3, ActionEvaluator.END_COMPLETED], "time")
	method.finish_at = AnimationMethod.FINISH_MARKER
	method.finish_marker = &"hit"
	rig.brain.execute_action(&"Act")
	near(player.current_animation_position, 0.0, 0.001, "from the start again")
	eq(_run(rig, player), [4, ActionEvaluator.END_COMPLETED], "marker")
	method.finish_marker = &"miss"
	expect_error("finish_marker: the animation has no marker \"miss\". Known: hit.")
	eq(rig.brain.execute_action(&"Act"), 0, "an unknown marker")


func test_a_loop_ends_after_one_round_and_a_cut_stops_it() -> void:
	var agent := Node3D.new()
	var player := _player(agent, {&"spin": 0.3, &"flinch": 0.2})
	player.get_animation(&"spin").loop_mode = Animation.LOOP_LINEAR
	var method := _animation(&"spin")
	var rig := Rig.new(self, agent, method)
	rig.brain.execute_action(&"Act")
	eq(_run(rig, player), [4, ActionEvaluator.END_COMPLETED], "one round")
	rig.brain.execute_action(&"Act")
	rig.brain.abort_action()
	check(not player.is_playing(), "stopped")
	method.abort_animation = &"flinch"
	rig.brain.execute_action(&"Act")
	rig.brain.abort_action()
	eq(player.current_animation, "flinch", "another one is played")


func test_what_an_animation_lacks_is_named() -> void:
	var agent := Node3D.new()
	var rig := Rig.new(self, agent, _animation(&"jab"))
	expect_error("Guard has no AnimationPlayer below it.")
	eq(rig.brain.execute_action(&"Act"), 0, "no player")
	_player(agent, {&"idle": 1.0, &"run": 1.0})
	expect_error("Guard/Player. Known: idle, run.")
	eq(rig.brain.execute_action(&"Act"), 0, "no animation")
	eq(rig.refusals.arguments(1), [ActionEvaluator.REFUSAL_BEGIN_FAILED, ActionEvaluator.REFUSAL_BEGIN_FAILED], "refusals")


func test_a_state_of_an_animation_tree() -> void:
	var agent := Node3D.new()
	var player := _player(agent, {&"idle": 1.0, &"jab": 0.5})
	var machine := AnimationNodeStateMachine.new()
	for name: StringName in [&"idle", &"jab"]:
		var node := AnimationNodeAnimation.new()
		node.animation = name
		machine.add_node(name, node)
	for pair: Array in [[&"Start", &"idle"], [&"idle", &"jab"]]:
		machine.add_transition(pair[0], pair[1], AnimationNodeStateMachineTransition.new())
	var tree := AnimationTree.new()
	tree.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	tree.tree_root = machine
	agent.add_child(tree)
	tree.anim_player = tree.get_path_to(player)
	var method := AnimationMethod.new()
	method.state = &"jab"
	var rig := Rig.new(self, agent, method)
	tree.active = true
	(tree.get("parameters/playback") as AnimationNodeStateMachinePlayback).start(&"idle")
	tree.advance(0.1)
	check(rig.brain.execute_action(&"Act") > 0, "started")
	var ended := []
	for step in range(1, 20):
		tree.advance(0.1)
		var reason := rig.step()
		if reason >= 0:
			ended = [step, reason]
			break
	eq(ended.slice(1), [ActionEvaluator.END_COMPLETED], "ended")
	between(ended[0], 5, 9, "after the length of the state")
	method.state = &"kick"
	expect_error("state: there is no state \"kick\" in ")
	eq(rig.brain.execute_action(&"Act"), 0, "an unknown state")


func test_a_call_is_done_at_once() -> void:
	var method := _call(&"punch")
	method.arguments = [2.5]
	var rig := Rig.new(self, script(CALLEE).new(), method)
	check(rig.brain.execute_action(&"Act") > 0, "started")
	eq(rig.agent.get("calls"), [[2.5, &"Act"]], "arguments, then the context")
	eq(rig.step(), ActionEvaluator.END_COMPLETED, "the next step")


func test_a_call_that_returns_false_did_not_start() -> void:
	var rig := Rig.new(self, script(CALLEE).new(), _call(&"refuse"))
	eq(rig.brain.execute_action(&"Act"), 0, "refused")
	eq(rig.refusals.arguments(1), [ActionEvaluator.REFUSAL_BEGIN_FAILED], "refusal")


func test_a_call_waits_for_a_signal() -> void:
	for case: Array in [[true, ActionEvaluator.END_COMPLETED], [false, ActionEvaluator.END_FAILED], ["x", ActionEvaluator.END_COMPLETED]]:
		var rig := Rig.new(self, script(CALLEE).new(), _call(&"open"))
		rig.brain.execute_action(&"Act")
		eq(rig.step(), -1, "waits")
		rig.agent.emit_signal("opened", case[0])
		eq(rig.step(), case[1], "the signal gave %s" % case[0])


func test_a_call_waits_for_a_coroutine_and_ignores_a_late_return() -> void:
	var rig := Rig.new(self, script(CALLEE).new(), _call(&"wait", &"stop"))
	rig.brain.execute_action(&"Act")
	eq(rig.step(), -1, "waits")
	rig.agent.emit_signal("opened", 1)
	eq(rig.step(), ActionEvaluator.END_FAILED, "it returned false")
	var run := rig.brain.execute_action(&"Act")
	rig.brain.abort_action()
	eq(rig.agent.get("calls"), [ActionEvaluator.END_CANCELLED], "the abort method")
	var next := rig.brain.execute_action(&"Act")
	check(next > run, "another run")
	rig.agent.emit_signal("opened", 1)
	eq(rig.step(), ActionEvaluator.END_FAILED, "only the second run heard of its own return")
	eq(rig.ends.count(), 3, "one end each")


func test_what_a_call_lacks_is_named() -> void:
	var method := _call(&"nothing")
	var rig := Rig.new(self, script(CALLEE).new(), method)
	expect_error("Guard has no method \"nothing\".")
	eq(rig.brain.execute_action(&"Act"), 0, "no method")
	method.node_path = ^"Hand"
	expect_error("Guard has no node \"Hand\".")
	eq(rig.brain.execute_action(&"Act"), 0, "no node")


func test_a_run_never_touches_its_definition() -> void:
	var source := "extends ExecutionMethod
@export var list: Array = [1]
@export var typed: Array[int] = [1]
@export var words: PackedStringArray = [\"a\"]
@export var floats: PackedFloat32Array = [1.0]
@export var numbers: Dictionary = {\"a\": 1}
@export var shared: RangeCurve
var fresh := 0
var seen: Array = []
func _begin_execute(_context: ActionContext) -> bool:
	list.append(2)
	typed.append(2)
	words.append(\"b\")
	floats.append(2.0)
	numbers[\"b\"] = 2
	fresh += 1
	get_agent().get_meta(\"seen\").append([list.size(), typed.size(), words.size(), floats.size(), numbers.size(), fresh, shared])
	finish_execution()
	return true
"
	var method: ExecutionMethod = script(source).new()
	method.set("shared", RangeCurve.melee())
	var before := hash([method.get("list"), method.get("typed"), method.get("words"), method.get("floats"), method.get("numbers"), method.get("fresh")])
	var rig := Rig.new(self, Node3D.new(), method)
	var seen: Array = []
	rig.agent.set_meta("seen", seen)
	for run in 100:
		rig.brain.execute_action(&"Act")
		rig.step()
	eq(seen.size(), 100, "runs")
	for row: Array in seen:
		eq(row, [2, 2, 2, 2, 2, 1, method.get("shared")], "each run starts from the definition")
	eq(hash([method.get("list"), method.get("typed"), method.get("words"), method.get("floats"), method.get("numbers"), method.get("fresh")]), before, "the definition")


func test_a_method_knows_its_run_and_forgets_it() -> void:
	var source := "extends ExecutionMethod
func _begin_execute(context: ActionContext) -> bool:
	get_agent().set_meta(\"run\", self)
	get_agent().set_meta(\"facts\", [get_agent(), get_target(), get_evaluator(), get_context() == context, get_action_id(), is_executing()])
	return true
func _tick_execute(_delta: float) -> void:
	get_agent().set_meta(\"elapsed\", get_elapsed())
"
	var rig := Rig.new(self, Node3D.new(), script(source).new())
	var foe := add(Node3D.new())
	rig.brain.target = foe
	rig.brain.execute_action(&"Act")
	eq(rig.agent.get_meta("facts"), [rig.agent, foe, rig.brain, true, &"Act", true], "during the start")
	rig.step()
	near(rig.agent.get_meta("elapsed"), 0.1, 1e-6, "elapsed")
	var copy: ExecutionMethod = rig.agent.get_meta("run")
	check(copy.is_executing(), "runs")
	rig.brain.abort_action()
	check(not copy.is_executing(), "ended")
	is_null(copy.get_agent(), "agent")
	eq(copy.get_elapsed(), 0.0, "elapsed")
	copy.finish_execution()


func test_answers_of_a_script_that_make_no_sense() -> void:
	var source := "extends ExecutionMethod
func _get_execution_timeout() -> float:
	return -5.0
@warning_ignore(\"untyped_declaration\")
func _begin_execute(_context: ActionContext):
	if get_agent().get_meta(\"await\"):
		await get_agent().get_tree().process_frame
	return null
"
	var rig := Rig.new(self, Node3D.new(), script(source).new())
	rig.agent.set_meta("await", false)
	expect_warning("_begin_execute() returned neither true nor false, so the start failed.")
	eq(rig.brain.execute_action(&"Act"), 0, "nothing returned")
	rig.agent.set_meta("await", true)
	expect_warning("_begin_execute() awaits, so it counts as started. Use CallMethod to wait for a coroutine.")
	expect_warning("-5")
	check(rig.brain.execute_action(&"Act") > 0, "awaits")
	await idle(2)
