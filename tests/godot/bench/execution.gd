extends Node
## Row `execution`: what starts, ends and steps of runs cost beside the engine's own `duplicate()` and its calls of
## scripts, and what abilities cost that do nothing.

const ROUNDS := 30
const WARM_UP := 3
const STARTS := 10000
const AGENTS := 1000
const ABILITIES := 64
## Steps in which a crowd runs; the last one is timed.
const STEPS_OF_A_TURN := 3
const STARTED := "10,000 starts and ends"
const DUPLICATED := "10,000 duplicates with their calls"
const SCRIPTED := "a step of 1,000 script methods"
const SILENT := "a step of 1,000 methods without a tick"
const CALLED := "calls of the ticks of 1,000 methods from GDScript"
const IN_PLACE := "calls of the ticks of the 1,000 runs' own methods from GDScript"
const FLOOR := "calls of the ticks of 1,000 methods by the library, and nothing beside"
const TICKED := "what the ticks add to a step"
const ADVANCED := "advance() of 1,000 script methods"
const ADVANCED_SILENT := "advance() of 1,000 methods without a tick"
const ADVANCED_TICKED := "what the ticks add to advance()"

var _report := BenchReport.new("execution")
var _before := BenchClock.new()
var _after := BenchClock.new()


func _ready() -> void:
	ProjectSettings.set_setting("riposte/evaluation/max_per_step", 0)
	await get_tree().physics_frame
	_before.process_physics_priority = -1
	_after.process_physics_priority = 1
	add_child(_before)
	add_child(_after)
	_starts()
	await _ticks()
	await _abilities()
	await _movement()
	_report.print_ratio(STARTED, DUPLICATED, "<= 3")
	_report.print_ratio(TICKED, CALLED)
	_report.print_ratio(ADVANCED_TICKED, CALLED)
	_report.print_ratio(FLOOR, CALLED)
	_report.print_ratio(TICKED, IN_PLACE, "<= 1.25")
	_report.print_raw()
	get_tree().quit(1 if _report.failed else 0)


func _brain(method: ExecutionMethod, place: Node = self, steps := false) -> ActionEvaluator:
	var agent := Node3D.new()
	var brain := ActionEvaluator.new()
	if not steps:
		brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.auto_evaluate = false
	brain.auto_start = false
	var spec := ActionSpec.new()
	spec.action_id = &"Run"
	spec.execution_method = method
	spec.add_tags = PackedStringArray()
	var moves := ActionSet.new()
	moves.actions = [spec]
	brain.default_action_set = moves
	agent.add_child(brain)
	place.add_child(agent)
	brain.start()
	return brain


## X2.
func _starts() -> void:
	var method := BenchRunMethod.new()
	var brain := _brain(method)
	var counts := [0]
	brain.action_ended.connect(func(_id: StringName, _reason: int, _run: int) -> void: counts[0] += 1)
	for i in WARM_UP + ROUNDS:
		var begin := Time.get_ticks_usec()
		for n in STARTS:
			var copy: BenchRunMethod = method.duplicate()
			copy._begin_execute(null)
			copy._abort_execute(2)
		var middle := Time.get_ticks_usec()
		for n in STARTS:
			brain.execute_action(&"Run")
			brain.abort_action()
		var end := Time.get_ticks_usec()
		if i >= WARM_UP:
			_report.add(DUPLICATED, middle - begin)
			_report.add(STARTED, end - middle)
	var wanted := (WARM_UP + ROUNDS) * STARTS
	_report.print_same("ends and starts", wanted, absi(wanted - counts[0]))
	brain.get_parent().queue_free()


## X3. In steps of the nodes, as a game has them, and asked from a script one by one.
func _ticks() -> void:
	var method := BenchTickMethod.new()
	var crowds: Dictionary[String, Node3D] = {}
	var brains: Dictionary[String, Array] = {}
	for contestant: String in [SCRIPTED, SILENT, ADVANCED, ADVANCED_SILENT]:
		crowds[contestant] = Node3D.new()
		add_child(crowds[contestant])
		crowds[contestant].process_mode = Node.PROCESS_MODE_DISABLED
		brains[contestant] = []
		for n in AGENTS:
			var scripted := contestant in [SCRIPTED, ADVANCED]
			var used: ExecutionMethod = method if scripted else BenchQuietMethod.new()
			var brain := _brain(used, crowds[contestant], contestant in [SCRIPTED, SILENT])
			brain.execute_action(&"Run")
			brains[contestant].append(brain)
	# Those of the first crowd.
	var runs: Array[BenchTickMethod] = BenchTickMethod.running.slice(0, AGENTS)
	BenchTickMethod.running.clear()
	BenchTickMethod.calls = 0
	# As hand-written code would have them: one for each agent, like the copies that run, and in the order in which they were
	# made. When their turn comes, others have run; so they are in no cache, as in a game.
	var own: Array[BenchTickMethod] = []
	var objects: Array[Object] = []
	for n in AGENTS:
		own.append(method.duplicate())
		objects.append(own[-1])
	var probe: Object = ClassDB.instantiate(&"RiposteCallProbe")
	for i in WARM_UP + ROUNDS:
		var took: Dictionary[String, float] = {}
		# Nobody always comes after the same other one.
		for turn in 7:
			var contestant: String = [SCRIPTED, ADVANCED, SILENT, CALLED, ADVANCED_SILENT, FLOOR, IN_PLACE][(i + turn) % 7]
			match contestant:
				SCRIPTED, SILENT:
					took[contestant] = await _time_steps(crowds[contestant])
				CALLED:
					var begin := Time.get_ticks_usec()
					for each in own:
						each._tick_execute(0.01)
					took[contestant] = Time.get_ticks_usec() - begin
				IN_PLACE:
					var begin := Time.get_ticks_usec()
					for each: BenchTickMethod in runs:
						each._tick_execute(0.01)
					took[contestant] = Time.get_ticks_usec() - begin
				FLOOR:
					took[contestant] = probe.time_calls(objects, &"_tick_execute", [0.01], 1)
				_:
					took[contestant] = _time_advance(brains[contestant])
		if i >= WARM_UP:
			for contestant: String in took:
				_report.add(contestant, took[contestant])
			_report.add(TICKED, took[SCRIPTED] - took[SILENT])
			_report.add(ADVANCED_TICKED, took[ADVANCED] - took[ADVANCED_SILENT])
	# By steps, by advance(), from GDScript twice, and by the probe.
	var wanted := (WARM_UP + ROUNDS) * AGENTS * (STEPS_OF_A_TURN + 4)
	_report.print_same("calls of the tick", wanted, absi(wanted - BenchTickMethod.calls))
	for contestant in crowds:
		crowds[contestant].queue_free()


## The last of some steps in a row: as the first one reads anew what was forgotten meanwhile.
func _time_steps(crowd: Node3D) -> int:
	crowd.process_mode = Node.PROCESS_MODE_INHERIT
	for step in STEPS_OF_A_TURN:
		await get_tree().physics_frame
		await get_tree().process_frame
	crowd.process_mode = Node.PROCESS_MODE_DISABLED
	return _after.usec - _before.usec


func _time_advance(brains: Array) -> int:
	var begin := Time.get_ticks_usec()
	for brain: ActionEvaluator in brains:
		brain.advance(0.01)
	return Time.get_ticks_usec() - begin


## X4.
func _abilities() -> void:
	var shared: Array[GameplayAbility] = []
	for n in ABILITIES:
		var ability := GameplayAbility.new()
		ability.ability_tags = ["Attack.Number%d" % n]
		shared.append(ability)
	var systems: Array[AbilitySystem] = []
	for n in AGENTS:
		var agent := Node3D.new()
		var system := AbilitySystem.new()
		system.initial_abilities = shared
		agent.add_child(system)
		add_child(agent)
		systems.append(system)
	await get_tree().physics_frame
	var stepped := 0
	for system in systems:
		stepped += int(system.is_physics_processing() or system.is_processing())
	_report.print_number("1,000 idle AbilitySystems that are stepped", stepped, "<= 0")
	for i in ROUNDS:
		var begin := Time.get_ticks_usec()
		for system in systems:
			system.activate_by_tag(&"Shout")
		_report.add("activate_by_tag of 1,000 systems with 64 abilities, none of which has the tag", Time.get_ticks_usec() - begin)
	for system in systems:
		system.get_parent().queue_free()


## X5. The rays of a guard at work are counted by the tests, in the debug build.
func _movement() -> void:
	var bodies: Array[CharacterBody3D] = []
	for n in AGENTS:
		var body := CharacterBody3D.new()
		body.add_child(MotionWarp3D.new())
		body.add_child(LedgeGuard3D.new())
		add_child(body)
		bodies.append(body)
	await get_tree().physics_frame
	var stepped := 0
	for body in bodies:
		for node: Node in body.get_children():
			stepped += int(node.is_physics_processing() or node.is_processing())
	_report.print_number("2,000 MotionWarp3D and LedgeGuard3D at rest that are stepped", stepped, "<= 0")
