extends TestCase
## AbilityTask: the body of the tree tasks; the two tasks as they are installed for LimboAI and Beehave; payloads.

const Rig := preload("res://support/ability_rig.gd")
const TreeTasks := preload("res://addons/riposte/editor/tree_tasks.gd")
const TASKS: String = "res://addons/riposte/tree_tasks/"


class ScriptPayload:
	extends BehaviorTreePayload
	var ability: GameplayAbility

	func _get_ability_to_grant() -> GameplayAbility:
		return ability


class WrongPayload:
	extends BehaviorTreePayload

	@warning_ignore("untyped_declaration")
	func _get_ability_to_grant():
		return 7


var rig: Rig


func _rig() -> Rig:
	rig = Rig.new(self)
	return rig


func _payload(ability: GameplayAbility) -> AbilityPayload:
	var made: AbilityPayload = AbilityPayload.new()
	made.ability = ability
	return made


func _ability(label: String, tag: String = "", lasts: float = -1.0) -> Rig.Ability:
	var made: Rig.Ability = Rig.Ability.new()
	made.diary = rig.diary
	made.label = label
	made.lasts = lasts
	if not tag.is_empty():
		made.ability_tags = [tag]
	return made


func test_an_ability_is_waited_for() -> void:
	_rig()
	var throw: Rig.Ability = _ability("Throw", "", 0.2)
	var task: AbilityTask = AbilityTask.new()
	eq(task.tick(), AbilityTask.STATUS_FAILED, "not started")
	eq(task.start(rig.agent, _payload(throw)), AbilityTask.STATUS_RUNNING, "runs")
	eq(task.tick(), AbilityTask.STATUS_RUNNING, "still")
	rig.system.advance(0.1)
	eq(task.tick(), AbilityTask.STATUS_RUNNING, "still")
	for i: int in 3:
		rig.system.advance(0.1)
	eq(task.tick(), AbilityTask.STATUS_SUCCEEDED, "completed")
	eq(task.tick(), AbilityTask.STATUS_SUCCEEDED, "and stays so")
	eq(rig.system.get_active_handles().size(), 0, "over")
	eq(rig.system.find_by_tag(&"Attack").size(), 0, "nothing granted for good")


func test_ends_that_are_failures() -> void:
	_rig()
	var fails: Rig.Ability = _ability("Fails", "", 0.0)
	fails.succeeds = false
	var task: AbilityTask = AbilityTask.new()
	eq(task.start(rig.agent, _payload(fails)), AbilityTask.STATUS_FAILED, "failed at once")
	var done: Rig.Ability = _ability("Done", "", 0.0)
	eq(task.start(rig.agent, _payload(done)), AbilityTask.STATUS_SUCCEEDED, "completed at once")
	task.ability = _ability("Long")
	eq(task.start(rig.agent), AbilityTask.STATUS_RUNNING, "without a payload its own ability")
	rig.system.cancel_abilities()
	eq(task.tick(), AbilityTask.STATUS_FAILED, "cancelled by somebody else")
	var refused: Rig.Ability = _ability("Refused")
	refused.accepts = false
	eq(task.start(rig.agent, _payload(refused)), AbilityTask.STATUS_FAILED, "refused")


func test_cancel_ends_the_ability() -> void:
	_rig()
	var task: AbilityTask = AbilityTask.new()
	task.start(rig.agent, _payload(_ability("Long")))
	task.cancel()
	eq([task.tick(), rig.system.get_active_handles().size()], [AbilityTask.STATUS_FAILED, 0], "ended")
	task.cancel()
	task.start(rig.agent, _payload(_ability("Again")))
	task.start(rig.agent, _payload(_ability("Third")))
	eq(rig.system.get_active_handles().size(), 1, "a second start ends what the first one began")
	task.cancel()


func test_without_waiting_it_goes_on() -> void:
	_rig()
	var task: AbilityTask = AbilityTask.new()
	task.wait_for_end = false
	eq(task.start(rig.agent, _payload(_ability("Long"))), AbilityTask.STATUS_SUCCEEDED, "started is enough")
	task.cancel()
	eq(rig.system.get_active_handles().size(), 1, "it goes on")
	eq(task.tick(), AbilityTask.STATUS_SUCCEEDED, "and the task stays done")


func test_by_tag_the_first_end_decides() -> void:
	_rig()
	rig.system.grant_ability(_ability("Short", "Attack.Light", 0.1))
	rig.system.grant_ability(_ability("Long", "Attack.Heavy"))
	var task: AbilityTask = AbilityTask.new()
	task.activation_tag = &"Attack"
	eq(task.start(rig.agent), AbilityTask.STATUS_RUNNING, "both run")
	eq(rig.system.get_active_handles().size(), 2, "both")
	for i: int in 3:
		rig.system.advance(0.1)
	eq(task.tick(), AbilityTask.STATUS_SUCCEEDED, "the first one completed")
	task.cancel()
	eq(rig.system.get_active_handles().size(), 1, "the other one goes on")


func test_by_event() -> void:
	_rig()
	var hit: Rig.EventAbility = Rig.EventAbility.new()
	hit.diary = rig.diary
	hit.label = "Hit"
	hit.trigger_tags = ["Hit"]
	rig.system.grant_ability(hit)
	var seen: Array = []
	rig.system.event_received.connect(func(tag: StringName, context: ActionContext) -> void:
		seen.append_array([tag, context.instigator]))
	var task: AbilityTask = AbilityTask.new()
	task.activation_mode = AbilityTask.MODE_BY_EVENT
	task.activation_tag = &"Hit.Head"
	eq(task.start(rig.agent), AbilityTask.STATUS_RUNNING, "it answers")
	eq(seen, [&"Hit.Head", rig.agent], "the agent is the instigator")
	task.cancel()
	task.ability = hit
	eq(task.start(rig.agent), AbilityTask.STATUS_RUNNING, "the ability by the event")
	task.cancel()
	task.ability = null
	task.activation_tag = &"Other"
	eq(task.start(rig.agent), AbilityTask.STATUS_FAILED, "nobody answers")


func test_without_an_ability() -> void:
	_rig()
	var task: AbilityTask = AbilityTask.new()
	eq(task.start(rig.agent), AbilityTask.STATUS_FAILED, "nothing named")
	task.fail_when_no_ability = false
	eq(task.start(rig.agent, AbilityPayload.new()), AbilityTask.STATUS_SUCCEEDED, "allowed")
	task.fallback_activation_tag = &"Attack"
	eq(task.start(rig.agent), AbilityTask.STATUS_SUCCEEDED, "nobody has the tag")
	rig.system.grant_ability(_ability("Swing", "Attack"))
	eq(task.start(rig.agent, AbilityPayload.new()), AbilityTask.STATUS_RUNNING, "the fallback")
	task.cancel()


func test_payloads_of_scripts() -> void:
	_rig()
	var payload: ScriptPayload = ScriptPayload.new()
	payload.ability = _ability("Throw")
	var task: AbilityTask = AbilityTask.new()
	eq(task.start(rig.agent, payload), AbilityTask.STATUS_RUNNING, "its ability")
	task.cancel()
	payload.ability = null
	eq(task.start(rig.agent, payload), AbilityTask.STATUS_FAILED, "none")
	expect_warning("_get_ability_to_grant() returned no GameplayAbility")
	eq(task.start(rig.agent, WrongPayload.new()), AbilityTask.STATUS_FAILED, "a number")


func test_bad_agents() -> void:
	_rig()
	expect_error("AbilityTask: start() got no agent, or a freed one.", 2)
	eq(AbilityTask.new().start(null), AbilityTask.STATUS_FAILED, "nobody")
	var gone: Node = Node.new()
	gone.free()
	eq(AbilityTask.new().start(gone), AbilityTask.STATUS_FAILED, "freed")
	expect_error("has no AbilitySystem. Add one as a child of the agent.")
	eq(AbilityTask.new().start(self), AbilityTask.STATUS_FAILED, "no system")
	expect_error("activation_mode = 7 is refused")
	AbilityTask.new().activation_mode = 7


func test_the_agent_goes_while_it_runs() -> void:
	_rig()
	var task: AbilityTask = AbilityTask.new()
	task.start(rig.agent, _payload(_ability("Long")))
	rig.agent.free()
	eq(task.tick(), AbilityTask.STATUS_FAILED, "cancelled")
	task.cancel()


func test_a_set_grants_the_ability_of_a_payload() -> void:
	_rig()
	var method: BehaviorTreeSequenceMethod = BehaviorTreeSequenceMethod.new()
	method.trees = [PackedScene.new()]
	method.payload = _payload(_ability("Throw", "Attack.Throw"))
	var spec: ActionSpec = ActionSpec.new()
	spec.action_id = &"Throw"
	spec.execution_method = method
	var moves: ActionSet = ActionSet.new()
	moves.actions = [spec]
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.auto_evaluate = false
	brain.default_action_set = moves
	rig.agent.add_child(brain)
	brain.start()
	brain.advance(0.1)
	eq(rig.system.find_by_tag(&"Attack.Throw").size(), 1, "granted with the set")
	brain.default_action_set = ActionSet.new()
	brain.advance(0.1)
	eq(rig.system.find_by_tag(&"Attack.Throw").size(), 0, "and released with it")


# The two tasks, as they are installed.


func _installed(addon: String, file: String) -> GDScript:
	var script: GDScript = GDScript.new()
	var text: String = FileAccess.get_file_as_string(TASKS + addon + "/" + file)
	check(not text.is_empty(), "there is " + file)
	script.source_code = RegEx.create_from_string("(?m)^class_name .*$").sub(text, "", true)
	eq(script.reload(), OK, addon + "/" + file + " compiles")
	return script


func test_the_limboai_tasks() -> void:
	_rig()
	var board: LimboBoard = LimboBoard.new()
	board.set_var(&"riposte_payload", _payload(_ability("Throw", "", 0.1)))
	var task: BTAction = _installed("limboai", "activate_blackboard_ability.gd").new()
	task.initialize(rig.agent, board, rig.agent)
	eq(task.execute(0.1), BT.RUNNING, "runs")
	for i: int in 3:
		rig.system.advance(0.1)
	eq(task.execute(0.1), BT.SUCCESS, "completed")
	board.set_var(&"riposte_payload", null)
	eq(task.execute(0.1), BT.FAILURE, "nothing to start")
	var direct: BTAction = _installed("limboai", "activate_ability.gd").new()
	direct.set(&"ability", _ability("Long"))
	direct.initialize(rig.agent, board, rig.agent)
	eq(direct.execute(0.1), BT.RUNNING, "runs")
	direct.abort()
	eq(rig.system.get_active_handles().size(), 0, "aborted with its task")


func test_the_beehave_tasks() -> void:
	_rig()
	var board: Blackboard = add(Blackboard.new())
	board.set_value("riposte_payload", _payload(_ability("Throw", "", 0.1)))
	var tree: BeehaveTree = BeehaveTree.new()
	tree.process_thread = BeehaveTree.ProcessThread.MANUAL
	tree.actor = rig.agent
	tree.blackboard = board
	tree.add_child(_installed("beehave", "activate_blackboard_ability.gd").new())
	add(tree)
	eq(tree.tick(), BeehaveTree.RUNNING, "runs")
	for i: int in 3:
		rig.system.advance(0.1)
	eq(tree.tick(), BeehaveTree.SUCCESS, "completed")
	tree.get_child(0).free()
	var direct: BeehaveNode = _installed("beehave", "activate_ability.gd").new()
	direct.set(&"activation_tag", &"Attack")
	rig.system.grant_ability(_ability("Long", "Attack"))
	tree.add_child(direct)
	tree.move_child(direct, 0)
	eq(tree.tick(), BeehaveTree.RUNNING, "runs")
	tree.interrupt()
	eq(rig.system.get_active_handles().size(), 0, "interrupted with its leaf")


func test_tasks_are_installed_once() -> void:
	var folder: String = "user://tasks_%d" % Time.get_ticks_usec()
	var made: PackedStringArray = TreeTasks.copy("limboai", folder)
	eq(made.size(), 2, "both")
	var text: String = FileAccess.get_file_as_string(made[0])
	eq(text, FileAccess.get_file_as_string(TASKS + "limboai/" + made[0].get_file()), "as they are")
	FileAccess.open(made[0], FileAccess.WRITE).store_string("mine")
	eq(TreeTasks.copy("limboai", folder).size(), 0, "never again")
	eq(FileAccess.get_file_as_string(made[0]), "mine", "what the project changed stays")
	check(TreeTasks.has_class(&"BTAction") and TreeTasks.has_class(&"Node"), "classes of scripts and of the engine")
	check(not TreeTasks.has_class(&"NoSuchClass"), "and none that is not there")
	eq(TreeTasks.limbo_folder(), "res://ai/tasks", "the folder of the addon's default")
	for file: String in made:
		DirAccess.remove_absolute(file)
	DirAccess.remove_absolute(folder)
