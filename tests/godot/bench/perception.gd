extends Node
## Row `sight`: 1,000 perceivers and 200 walking sources with default properties, a scan every 0.1 s each, spread over
## the steps. First with nothing that blocks sight, then with rays against 60 walls. Ours against a typed GDScript on
## each perceiver, and against one flat loop with a grid.
##
## Ours is the server's own tick on [signal SceneTree.physics_frame], between a handler that was connected before it
## and one that was connected after it.

signal step_ended

const WARM_UP := 2
const ROUNDS := 10
## Steps per round: every perceiver scans ten times.
const STEPS := 60
const OURS := "PerceptionServer"
const NODES := "GDScript on nodes"
const FLAT := "GDScript flat with grid"
const MATHS := "its maths alone"
const RAYS := "its rays alone, cast from GDScript"
## Parts of ours, as [method PerceptionServer.get_stats] tells them.
const CASTS := "its rays alone, as it casts them"
const COLLECTS := "its reading of transforms"
const SETTLES := "its settling"
const IDLE := "PerceptionServer without sources and reports"
const READS := "as many transforms, read from GDScript"
const LEAST := "those transforms and rays together"

var _field: BenchField
var _ours: BenchPerceptions
var _baselines: Dictionary[String, Node] = {}
var _report: BenchReport
## Casts the same rays, untimed, and keeps them.
var _recorder: BenchSightFlat
var _rays := BenchRays.new()
var _ray_count := 0
var _reads: BenchReads
var _runs := 0
var _step := 0
var _begin := 0
## Of the current round, in microseconds.
var _sums: Dictionary[String, float] = {}
var _compared := 0
var _differ: Dictionary[String, int] = {}
var _failed := false


func _ready() -> void:
	# The tree must be ready before a node is added to it.
	await get_tree().process_frame
	await _run("sight, no rays", false)
	await _run("sight, 60 walls", true)
	await _run_idle()
	get_tree().quit(1 if _failed else 0)


func _run(row: String, rays: bool) -> void:
	_report = BenchReport.new(row)
	get_tree().physics_frame.connect(_before)
	_set_up(rays)
	get_tree().physics_frame.connect(_after)
	for round_number in WARM_UP + ROUNDS:
		_sums.clear()
		for step in STEPS:
			await step_ended
		if round_number >= WARM_UP:
			for contestant in _sums:
				_report.add(contestant, _sums[contestant] / STEPS)
			if rays:
				_report.add(LEAST, (_sums[READS] + _sums[RAYS]) / STEPS)
		_compare()
	get_tree().physics_frame.disconnect(_before)
	get_tree().physics_frame.disconnect(_after)
	_finish(rays)
	for child in get_children():
		child.queue_free()
	await get_tree().physics_frame
	await get_tree().physics_frame


## The same perceivers where there is nobody to sense, against the tick of the last run.
func _run_idle() -> void:
	var busy := _report
	_report = BenchReport.new("sight, idle")
	get_tree().physics_frame.connect(_before_idle)
	_field = BenchField.new()
	_field.sources.clear()
	add_child(_field)
	_ours = BenchPerceptions.new()
	_ours.rays = true
	add_child(_ours)
	_ours.build(_field)
	get_tree().physics_frame.connect(_after_idle)
	for round_number in WARM_UP + ROUNDS:
		_sums.clear()
		for step in STEPS:
			await step_ended
		if round_number >= WARM_UP:
			_report.add(IDLE, _sums[IDLE] / STEPS)
	get_tree().physics_frame.disconnect(_before_idle)
	get_tree().physics_frame.disconnect(_after_idle)
	_report.print_raw()
	_report.print_ratio_to(IDLE, busy, OURS, "<= 0.02")


func _before_idle() -> void:
	_begin = Time.get_ticks_usec()


func _after_idle() -> void:
	_sums[IDLE] = _sums.get(IDLE, 0.0) + float(Time.get_ticks_usec() - _begin)
	step_ended.emit()


func _set_up(rays: bool) -> void:
	_field = BenchField.new()
	_field.first_number = BenchField.PERCEIVERS * _runs
	_runs += 1
	add_child(_field)
	if rays:
		_field.add_walls()
	_baselines = {NODES: BenchWatchers.new(), FLAT: BenchSightFlat.new()}
	for baseline in _baselines:
		var node := _baselines[baseline]
		node.set(&"rays", rays)
		add_child(node)
		node.call(&"build", _field)
	_ours = BenchPerceptions.new()
	_ours.rays = rays
	add_child(_ours)
	_ours.build(_field)
	_reads = BenchReads.new()
	add_child(_reads)
	_reads.build(_field)
	_differ = {FLAT: 0, OURS: 0}
	_compared = 0
	_ray_count = 0
	_step = 0
	_recorder = null
	if rays:
		_recorder = BenchSightFlat.new()
		_recorder.rays = true
		_recorder.keeps_rays = true
		add_child(_recorder)
		_recorder.build(_field)


## Everything is moved; half of the time the baselines go first.
func _before() -> void:
	_field.walk()
	_ours.place(_field)
	_reads.place(_field)
	for baseline in _baselines:
		_baselines[baseline].call(&"place", _field)
	if _step % 2 == 0:
		_step_baselines()
	_begin = Time.get_ticks_usec()


func _after() -> void:
	_sums[OURS] = _sums.get(OURS, 0.0) + float(Time.get_ticks_usec() - _begin)
	var stats := PerceptionServer.get_stats()
	_sums[MATHS] = _sums.get(MATHS, 0.0) + float(stats.maths_usec)
	_sums[CASTS] = _sums.get(CASTS, 0.0) + float(stats.rays_usec)
	_sums[COLLECTS] = _sums.get(COLLECTS, 0.0) + float(stats.collect_usec)
	_sums[SETTLES] = _sums.get(SETTLES, 0.0) + float(stats.settle_usec)
	if _step % 2 == 1:
		_step_baselines()
	var begin := Time.get_ticks_usec()
	_reads.read()
	_sums[READS] = _sums.get(READS, 0.0) + float(Time.get_ticks_usec() - begin)
	if _recorder:
		_cast_rays()
	_step += 1
	step_ended.emit()


func _step_baselines() -> void:
	for baseline in _baselines:
		var begin := Time.get_ticks_usec()
		_baselines[baseline].call(&"step")
		_sums[baseline] = _sums.get(baseline, 0.0) + float(Time.get_ticks_usec() - begin)


func _cast_rays() -> void:
	_recorder.place(_field)
	_recorder.step()
	_ray_count += _recorder.froms.size()
	var space := _field.get_world_3d().direct_space_state
	var begin := Time.get_ticks_usec()
	_rays.cast(space, _recorder.froms, _recorder.tos)
	_sums[RAYS] = _sums.get(RAYS, 0.0) + float(Time.get_ticks_usec() - begin)


func _compare() -> void:
	for i in BenchField.PERCEIVERS:
		var wanted: Dictionary = _baselines[NODES].call(&"known", i)
		_compared += 1
		if _baselines[FLAT].call(&"known", i) != wanted:
			_differ[FLAT] += 1
		if _ours.known(i) != wanted:
			_differ[OURS] += 1


func _finish(rays: bool) -> void:
	_report.print_raw()
	if rays:
		_report.print_ratio(OURS, LEAST)
		print("raw   rays per step: %.1f" % [_ray_count / float(_step)])
	_report.print_ratio(NODES, FLAT)
	_report.print_ratio(NODES, OURS)
	if not rays:
		_report.print_ratio(NODES, MATHS, ">= 30")
	_report.print_ratio(FLAT, OURS)
	_report.print_ratio(OURS, READS)
	_report.print_ratio(OURS, RAYS, "<= 1.3")
	if rays:
		_report.print_ratio(OURS, CASTS)
		_report.print_ratio(CASTS, RAYS)
		_report.print_ratio(COLLECTS, READS)
	_report.print_same("what is known and seen, %s and %s" % [NODES, FLAT], _compared, _differ[FLAT])
	_report.print_same("what is known and seen, %s and %s" % [NODES, OURS], _compared, _differ[OURS])
	_failed = _failed or _report.failed
