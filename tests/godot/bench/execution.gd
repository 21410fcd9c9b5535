extends Node
## Row `execution`: what starts, ends and steps of runs cost beside the engine's own `duplicate()` and its calls of
## scripts, and what abilities cost that do nothing.

const ROUNDS := 30
const WARM_UP := 3
const STARTS := 10000
const AGENTS := 1000
const ABILITIES := 64
const STARTED := "10,000 starts and ends"
const DUPLICATED := "10,000 duplicates with their calls"
const SCRIPTED := "a step of 1,000 script methods"
const SILENT := "a step of 1,000 methods without a tick"
const CALLED := "calls of the ticks of 1,000 methods from GDScript"
const TICKED := "what the ticks add"

var _report := BenchReport.new("execution")


func _ready() -> void:
	ProjectSettings.set_setting("riposte/evaluation/max_per_step", 0)
	await get_tree().physics_frame
	_starts()
	_ticks()
	await _abilities()
	await _movement()
	_report.print_ratio(STARTED, DUPLICATED, "<= 3")
	_report.print_ratio(TICKED, CALLED, "<= 1.25")
	_report.print_raw()
	get_tree().quit(1 if _report.failed else 0)


func _brain(method: ExecutionMethod) -> ActionEvaluator:
	var agent := Node3D.new()
	var brain := ActionEvaluator.new()
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
	add_child(agent)
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


## X3.
func _ticks() -> void:
	var loud: Array[ActionEvaluator] = []
	var silent: Array[ActionEvaluator] = []
	var method := BenchRunMethod.new()
	for n in AGENTS:
		loud.append(_brain(method))
		silent.append(_brain(BenchQuietMethod.new()))
	for brain: ActionEvaluator in loud + silent:
		brain.execute_action(&"Run")
	BenchRunMethod.calls = 0
	# As hand-written code would have them: one for each agent, like the copies that run.
	var own: Array[BenchRunMethod] = []
	for n in AGENTS:
		own.append(method.duplicate())
	for i in WARM_UP + ROUNDS:
		var took: Dictionary[String, int] = {}
		# Nobody always comes after the same other one.
		for turn in 3:
			var contestant: String = [SCRIPTED, SILENT, CALLED][(i + turn) % 3]
			var begin := Time.get_ticks_usec()
			match contestant:
				SCRIPTED:
					for brain in loud:
						brain.advance(0.01)
				SILENT:
					for brain in silent:
						brain.advance(0.01)
				CALLED:
					for each in own:
						each._tick_execute(0.01)
			took[contestant] = Time.get_ticks_usec() - begin
		if i >= WARM_UP:
			for contestant: String in took:
				_report.add(contestant, took[contestant])
			_report.add(TICKED, took[SCRIPTED] - took[SILENT])
	var wanted := (WARM_UP + ROUNDS) * AGENTS * 2
	_report.print_same("calls of the tick", wanted, absi(wanted - BenchRunMethod.calls))
	for brain: ActionEvaluator in loud + silent:
		brain.get_parent().queue_free()


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
