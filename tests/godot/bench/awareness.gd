extends Node
## Row `awareness`: 1,000 agents with 8 beliefs each, updated every 0.1 s, spread over the steps.
##
## Crowds take turns, one round each; the others are paused. Times and counts are those of
## [method PerceptionServer.get_stats].

const WARM_UP := 2
const ROUNDS := 10
## Steps per round: every agent is updated ten times.
const STEPS := 60
const EIGHT := "8 beliefs"
const SIXTEEN := "16 beliefs"
const NONE := "no beliefs"
const POLICY := "a fusion policy in GDScript"
const CALL := "a bare call of it"
const NATIVE_CALL := "a bare call of its like by the engine itself"
const LEAST_CALL := "a call of it by the library, and nothing beside"
const RARE_CALL := "a bare call of it, as seldom as awareness makes it"
const POLICY_CALL := "a call of it by awareness"
## Calls of each policy in a row, as awareness makes them.
const CALLS := 8

var _report: BenchReport
var _crowds: Dictionary[String, BenchCrowd] = {}
var _beliefs: Dictionary[String, int] = {}
var _policy_calls: Dictionary[String, int] = {}
var _adapter_calls := 0
var _new_objects := 0
var _policies: Array[BenchFusion] = []
## Microseconds and calls of [constant RARE_CALL] in a round, and whose turn it is.
var _rare_usec := 0
var _rare_calls := 0
var _next_policy := 0
## What the engine calls, and with what: a list of samples for each call.
var _callables: Array[Callable] = []
var _lists: Array[Array] = []


func _ready() -> void:
	# The tree must be ready before a node is added to it.
	await get_tree().process_frame
	ProjectSettings.set_setting("riposte/perception/max_rays_per_tick", 0)
	_report = BenchReport.new("awareness")
	var scripted := AwarenessProfile.new()
	scripted.fusion_policy = BenchFusion.new()
	_add(EIGHT, 8, AwarenessProfile.new())
	_add(SIXTEEN, 16, AwarenessProfile.new())
	_add(NONE, 0, AwarenessProfile.new())
	_add(POLICY, 8, scripted)
	for i in BenchCrowd.AGENTS:
		_policies.append(BenchFusion.new())
		_callables.append(_policies[-1].hear)
	for i in CALLS:
		var samples: Array[SenseSample] = []
		_lists.append(samples)
	for step in 20:
		await get_tree().physics_frame
	for round_number in WARM_UP + ROUNDS:
		var usec: Dictionary[String, float] = {}
		for contestant in _crowds:
			usec[contestant] = await _run(contestant)
		var bare := _call_bare()
		var native := _call_natively()
		var least := _call_from_library()
		if round_number >= WARM_UP:
			_report.add(NATIVE_CALL, native)
			_report.add(LEAST_CALL, least)
			_report.add(RARE_CALL, float(_rare_usec) / _rare_calls)
			_rare_usec = 0
			_rare_calls = 0
			_take(usec, bare)
		else:
			_forget()
	_finish()
	get_tree().quit(1 if _report.failed else 0)


func _add(contestant: String, targets: int, profile: AwarenessProfile) -> void:
	var crowd := BenchCrowd.new()
	add_child(crowd)
	crowd.build(targets, 1000.0 * _crowds.size(), profile)
	_crowds[contestant] = crowd


func _run(contestant: String) -> float:
	for other in _crowds:
		var runs := other == contestant
		_crowds[other].process_mode = Node.PROCESS_MODE_INHERIT if runs else Node.PROCESS_MODE_DISABLED
	for step in 7:
		await get_tree().physics_frame
	var usec := 0.0
	var objects := Performance.get_monitor(Performance.OBJECT_COUNT)
	for step in STEPS:
		await get_tree().physics_frame
		var stats := PerceptionServer.get_stats()
		usec += stats.awareness_usec
		if contestant == POLICY:
			_call_seldom()
		_beliefs[contestant] = _beliefs.get(contestant, 0) + stats.beliefs_updated
		_policy_calls[contestant] = _policy_calls.get(contestant, 0) + stats.policy_calls
		_adapter_calls += stats.adapter_calls
	_new_objects += int(Performance.get_monitor(Performance.OBJECT_COUNT) - objects)
	return usec


## Microseconds per call. Each agent has a policy of its own, so here too as many take turns: a single one would stay
## in the processor's cache.
func _call_bare() -> float:
	var samples: Array[SenseSample] = []
	var begin := Time.get_ticks_usec()
	for policy in _policies:
		for i in CALLS:
			policy.call(&"_fuse_confidence", samples, 0.1)
	var with_calls := Time.get_ticks_usec() - begin
	begin = Time.get_ticks_usec()
	for policy in _policies:
		for i in CALLS:
			pass
	return float(with_calls - (Time.get_ticks_usec() - begin)) / (CALLS * _policies.size())


## In each step those of a sixth of the policies, as awareness calls them: between two turns of a policy the game has done
## everything else, and what the call needs is in no cache.
func _call_seldom() -> void:
	var samples: Array[SenseSample] = []
	var begin := Time.get_ticks_usec()
	for turn in BenchCrowd.AGENTS / 6:
		var policy := _policies[_next_policy]
		_next_policy = (_next_policy + 1) % _policies.size()
		for i in CALLS:
			policy.call(&"_fuse_confidence", samples, 0.1)
		_rare_calls += CALLS
	_rare_usec += Time.get_ticks_usec() - begin


## As above, by the engine's own loop: what a call costs where no script makes it.
func _call_natively() -> float:
	var begin := Time.get_ticks_usec()
	for callable in _callables:
		_lists.any(callable)
	return float(Time.get_ticks_usec() - begin) / (CALLS * _callables.size())


## As [method _call_bare], by a loop of the library.
func _call_from_library() -> float:
	var samples: Array[SenseSample] = []
	var probe: Object = ClassDB.instantiate(&"RiposteCallProbe")
	var objects: Array[Object] = []
	objects.assign(_policies)
	return probe.time_calls(objects, &"_fuse_confidence", [samples, 0.1], CALLS) / (CALLS * objects.size())


func _forget() -> void:
	_rare_usec = 0
	_rare_calls = 0
	_beliefs.clear()
	_policy_calls.clear()
	_adapter_calls = 0
	_new_objects = 0


func _take(usec: Dictionary[String, float], bare: float) -> void:
	for contestant in usec:
		_report.add(contestant, usec[contestant] / STEPS)
	_report.add(CALL, bare)
	var calls := _policy_calls[POLICY] / float(_report.rounds(CALL))
	_report.add(POLICY_CALL, maxf(usec[POLICY] - usec[EIGHT], 0.0) / maxf(calls, 1.0))


func _finish() -> void:
	_report.print_raw()
	print("raw   beliefs per step: %.1f" % [_beliefs[EIGHT] / float(STEPS * ROUNDS)])
	_report.print_ratio(SIXTEEN, EIGHT, "<= 2.2")
	_report.print_ratio(NONE, EIGHT, "<= 0.02")
	_report.print_ratio(POLICY_CALL, CALL, "<= 1.5")
	_report.print_ratio(POLICY_CALL, NATIVE_CALL)
	_report.print_ratio(POLICY_CALL, RARE_CALL)
	_report.print_ratio(NATIVE_CALL, CALL)
	_report.print_ratio(LEAST_CALL, CALL)
	var built_in := _policy_calls[EIGHT] + _policy_calls[SIXTEEN] + _policy_calls[NONE]
	_report.print_same("calls of policies where there is none", 1, built_in)
	_report.print_same("calls of adapters where there is none", 1, _adapter_calls)
	_report.print_same("objects made by updates", 1, _new_objects)
	var once := absi(_policy_calls[POLICY] - _beliefs[POLICY])
	_report.print_same("calls of the fusion policy and beliefs updated", _beliefs[POLICY], once)
