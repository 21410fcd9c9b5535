extends Node
## Row `sight`: 1,000 perceivers and 200 walking sources with default properties, a scan every 0.1 s each, spread over
## the steps. First with nothing that blocks sight, then with rays against 60 walls. Ours against a typed GDScript on
## each perceiver, and against one flat loop with a grid.

const WARM_UP := 2
const ROUNDS := 10
## Steps per round: every perceiver scans ten times.
const STEPS := 60
const OURS := "PerceptionServer"
const NODES := "GDScript on nodes"
const FLAT := "GDScript flat with grid"
const RAYS := "its rays alone, cast from GDScript"

var _contestants: Dictionary[String, Node] = {}
var _field: BenchField
var _report: BenchReport
## Casts the same rays, untimed, and keeps them.
var _recorder: BenchSightFlat
var _rays := BenchRays.new()
var _ray_count := 0
var _compared := 0
var _differ: Dictionary[String, int] = {}
var _failed := false


func _ready() -> void:
	await _run("sight, no rays", false)
	await _run("sight, 60 walls", true)
	get_tree().quit(1 if _failed else 0)


func _run(row: String, rays: bool) -> void:
	_report = BenchReport.new(row)
	_set_up(rays)
	for round_number in WARM_UP + ROUNDS:
		var sums: Dictionary[String, float] = {}
		for step in STEPS:
			await get_tree().physics_frame
			_step(step, sums)
		if round_number >= WARM_UP:
			for contestant in sums:
				_report.add(contestant, sums[contestant] / STEPS)
		_compare()
	_finish(rays)
	for child in get_children():
		child.queue_free()
	await get_tree().physics_frame
	await get_tree().physics_frame


func _set_up(rays: bool) -> void:
	_field = BenchField.new()
	add_child(_field)
	if rays:
		_field.add_walls()
	_contestants = {NODES: BenchWatchers.new(), FLAT: BenchSightFlat.new()}
	if ClassDB.class_exists("Perception3D"):
		_contestants[OURS] = (load("res://bench/sight/bench_perceptions.gd") as GDScript).new()
	for contestant in _contestants:
		var node := _contestants[contestant]
		node.set(&"rays", rays)
		add_child(node)
		node.call(&"build", _field)
		_differ[contestant] = 0
	_compared = 0
	_ray_count = 0
	_recorder = null
	if rays:
		_recorder = BenchSightFlat.new()
		_recorder.rays = true
		_recorder.keeps_rays = true
		add_child(_recorder)
		_recorder.build(_field)


func _step(number: int, sums: Dictionary[String, float]) -> void:
	_field.walk()
	var names := _contestants.keys()
	for i in names.size():
		# No contestant always runs after the same other one.
		var contestant: String = names[(number + i) % names.size()]
		var node := _contestants[contestant]
		node.call(&"place", _field)
		var begin := Time.get_ticks_usec()
		node.call(&"step")
		sums[contestant] = sums.get(contestant, 0.0) + float(Time.get_ticks_usec() - begin)
	if _recorder:
		_recorder.place(_field)
		_recorder.step()
		_ray_count += _recorder.froms.size()
		var space := _field.get_world_3d().direct_space_state
		var begin := Time.get_ticks_usec()
		_rays.cast(space, _recorder.froms, _recorder.tos)
		sums[RAYS] = sums.get(RAYS, 0.0) + float(Time.get_ticks_usec() - begin)


func _compare() -> void:
	for i in BenchField.PERCEIVERS:
		var wanted: Dictionary = _contestants[NODES].call(&"known", i)
		_compared += 1
		for contestant in _contestants:
			if contestant != NODES and _contestants[contestant].call(&"known", i) != wanted:
				_differ[contestant] += 1


func _finish(rays: bool) -> void:
	_report.print_raw()
	if rays:
		print("raw   rays per step: %.1f" % [_ray_count / float((WARM_UP + ROUNDS) * STEPS)])
	_report.print_ratio(NODES, FLAT)
	_report.print_ratio(NODES, OURS, "" if rays else ">= 30")
	_report.print_ratio(FLAT, OURS)
	_report.print_ratio(OURS, RAYS, "<= 1.3")
	for contestant in _contestants:
		if contestant != NODES:
			_report.print_same("what is known and seen, %s and %s" % [NODES, contestant], _compared, _differ[contestant])
	_failed = _failed or _report.failed
