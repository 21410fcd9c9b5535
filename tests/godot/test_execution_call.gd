extends TestCase
## CallMethod: an action that is a method of the agent.

const Rig := preload("res://support/action_rig.gd")


## The user's agent.
class Mage:
	extends Node3D
	signal spell_over(success: bool)
	var told: Array = []
	var answer: Variant = null

	func shout() -> void:
		told.append("shout")

	func cast(context: ActionContext) -> Variant:
		told.append(context.action_id)
		return answer

	func mix(red: int, blue: String, context: ActionContext) -> void:
		told.append([red, blue, context.target])

	func chant(_context: ActionContext) -> bool:
		await get_tree().create_timer(0.25).timeout
		told.append("chanted")
		return false

	func hum(_context: ActionContext) -> void:
		await get_tree().create_timer(0.25).timeout

	func wait_for_spell(_context: ActionContext) -> Signal:
		return spell_over

	func stop_it(reason: int) -> void:
		told.append("stopped %d" % reason)


func _calling(method: StringName) -> ActionSpec:
	var spec: ActionSpec = Rig.spec(&"Cast")
	var call_it: CallMethod = CallMethod.new()
	call_it.method = method
	spec.execution_method = call_it
	return spec


func _call_of(spec: ActionSpec) -> CallMethod:
	return spec.execution_method as CallMethod


func _rig(spec: ActionSpec) -> Rig:
	return Rig.new(self, [spec, Rig.spec(&"Other")], null, Mage.new())


func _mage(rig: Rig) -> Mage:
	return rig.agent as Mage


## Real frames, the evaluator stepping with them.
func _frames(rig: Rig, count: int) -> void:
	rig.brain.process_callback = ActionEvaluator.PROCESS_PHYSICS
	await physics(count)


func test_ex_35_e22() -> void:
	var rig: Rig = _rig(_calling(&"chant"))
	rig.brain.execute_action(&"Cast")
	await _frames(rig, 12)
	check(rig.brain.is_executing(), "it waits for the coroutine")
	await _frames(rig, 10)
	eq(rig.diary.take("started ended"), "started Cast, ended Cast 4", "the coroutine returned false: failed")

	rig.brain.execute_action(&"Cast")
	await _frames(rig, 6)
	rig.brain.abort_action()
	eq(rig.diary.take("started ended"), "started Cast, ended Cast 2", "aborted at 0.1 s: cancelled")
	rig.brain.execute_action(&"Other")
	await _frames(rig, 20)
	eq(_mage(rig).told.count("chanted"), 2, "the coroutine itself went on")
	eq(rig.diary.take("started ended"), "started Other", "what it returns later is ignored")
	eq(rig.brain.get_running_action(), &"Other", "the next run is not touched")


func test_coroutine_without_a_value_completes() -> void:
	var rig: Rig = _rig(_calling(&"hum"))
	rig.brain.execute_action(&"Cast")
	await _frames(rig, 25)
	eq(rig.diary.take("ended"), "ended Cast 0", "completed")


func test_plain_return_completes_at_the_next_step() -> void:
	for answer: Variant in [null, true, 0, "", 5]:
		var rig: Rig = _rig(_calling(&"cast"))
		_mage(rig).answer = answer
		rig.brain.execute_action(&"Cast")
		check(rig.brain.is_executing(), "not in the same step")
		rig.step()
		eq(rig.diary.take("started ended"), "started Cast, ended Cast 0", "returned %s" % [answer])
		eq(_mage(rig).told, [&"Cast"], "called once")
		rig.agent.free()


func test_false_is_a_failed_start() -> void:
	var spec: ActionSpec = _calling(&"cast")
	spec.cooldown_duration = 5.0
	var rig: Rig = _rig(spec)
	_mage(rig).answer = false
	eq(rig.brain.execute_action(&"Cast"), 0, "no run")
	eq(rig.diary.take(), "refused Cast %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "refused")
	check(not rig.brain.is_action_on_cooldown(&"Cast"), "nothing was charged")


func test_returned_signal_is_awaited() -> void:
	for success: bool in [true, false]:
		var rig: Rig = _rig(_calling(&"wait_for_spell"))
		rig.brain.execute_action(&"Cast")
		rig.step(20)
		check(rig.brain.is_executing(), "it waits")
		_mage(rig).spell_over.emit(success)
		check(rig.brain.is_executing(), "the end comes at the next step")
		rig.step()
		eq(rig.diary.take("ended"), "ended Cast %d" % (0 if success else 4), "emitted %s" % success)
		_mage(rig).spell_over.emit(true)
		rig.step()
		eq(rig.diary.take("ended"), "", "later emissions mean nothing")
		rig.agent.free()


func test_signal_after_an_abort_is_ignored() -> void:
	var rig: Rig = _rig(_calling(&"wait_for_spell"))
	rig.brain.execute_action(&"Cast")
	rig.brain.abort_action()
	rig.brain.execute_action(&"Cast")
	rig.diary.take()
	rig.brain.abort_action()
	rig.brain.execute_action(&"Other")
	_mage(rig).spell_over.emit(false)
	rig.step(2)
	eq(rig.brain.get_running_action(), &"Other", "the run after it is not touched")


func test_arguments_and_context() -> void:
	var spec: ActionSpec = _calling(&"mix")
	_call_of(spec).arguments = [3, "sky"]
	var rig: Rig = _rig(spec)
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	rig.brain.execute_action(&"Cast")
	eq(_mage(rig).told, [[3, "sky", foe]], "arguments, the context last")
	eq(_call_of(spec).arguments, [3, "sky"], "the definition keeps its arguments")


func test_context_can_be_left_out() -> void:
	var spec: ActionSpec = _calling(&"shout")
	_call_of(spec).pass_context = false
	var rig: Rig = _rig(spec)
	rig.brain.execute_action(&"Cast")
	eq(_mage(rig).told, ["shout"], "called without arguments")


func test_node_path_names_another_node() -> void:
	var spec: ActionSpec = _calling(&"cast")
	_call_of(spec).node_path = ^"Familiar"
	var rig: Rig = _rig(spec)
	var familiar: Mage = Mage.new()
	familiar.name = "Familiar"
	rig.agent.add_child(familiar)
	rig.brain.execute_action(&"Cast")
	eq([familiar.told.size(), _mage(rig).told.size()], [1, 0], "the child was called")


func test_abort_method() -> void:
	var spec: ActionSpec = _calling(&"wait_for_spell")
	_call_of(spec).abort_method = &"stop_it"
	var rig: Rig = _rig(spec)
	rig.brain.execute_action(&"Cast")
	rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
	eq(_mage(rig).told, ["stopped 1"], "called with the reason")
	rig.brain.execute_action(&"Cast")
	_mage(rig).spell_over.emit(true)
	rig.step()
	eq(_mage(rig).told, ["stopped 1"], "not called when the method finished itself")


func test_call_timeout() -> void:
	var spec: ActionSpec = _calling(&"wait_for_spell")
	_call_of(spec).call_timeout = 0.5
	var rig: Rig = _rig(spec)
	rig.brain.execute_action(&"Cast")
	rig.step(4)
	check(rig.brain.is_executing(), "0.4 s")
	rig.step()
	eq(rig.diary.take("ended"), "ended Cast 3", "timed out at 0.5 s")


func test_without_a_method_there_is_no_valid_data() -> void:
	var rig: Rig = _rig(_calling(&""))
	eq(rig.refusal(&"Cast"), ActionEvaluator.REFUSAL_NO_METHOD, "refused")


func test_unknown_method_and_node() -> void:
	var lost: ActionSpec = _calling(&"dance")
	var rig: Rig = _rig(lost)
	expect_error("dance")
	eq(rig.brain.execute_action(&"Cast"), 0, "no such method")
	eq(rig.diary.take("refused"), "refused Cast %d" % ActionEvaluator.REFUSAL_BEGIN_FAILED, "refused")
	var nowhere: ActionSpec = _calling(&"cast")
	_call_of(nowhere).node_path = ^"Nobody"
	var other: Rig = _rig(nowhere)
	expect_error("Nobody")
	eq(other.brain.execute_action(&"Cast"), 0, "no such node")


func test_agent_freed_while_its_coroutine_waits() -> void:
	var rig: Rig = _rig(_calling(&"wait_for_spell"))
	ne(rig.brain.execute_action(&"Cast"), 0, "started")
	rig.agent.queue_free()
	await idle(3)
	check(not is_instance_valid(rig.brain), "freed without an error")


func test_call_that_frees_the_agent() -> void:
	var rig: Rig = Rig.new(self, [_calling(&"vanish")], null, Vanisher.new())
	rig.brain.execute_action(&"Cast")
	check(rig.agent.is_queued_for_deletion(), "called")
	await idle(3)
	check(not is_instance_valid(rig.brain), "freed without an error")


## Is gone when it is called.
class Vanisher:
	extends Node3D

	func vanish(_context: ActionContext) -> void:
		queue_free()
