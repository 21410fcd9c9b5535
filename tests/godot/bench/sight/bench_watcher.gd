class_name BenchWatcher
extends Node3D
## The node baseline: a script on each perceiver, the way a competent user would write it. It walks through all
## sources, whose positions are gathered once per step for everybody, and rejects by squared distance first.

signal target_perceived(source: int)
signal target_lost(source: int)
signal sight_gained(source: int)
signal sight_lost(source: int)

var wait := 0.0
## Source number → what is known of it.
var records: Dictionary[int, BenchRecord] = {}

var _scan := 0
var _cone := cos(BenchSightRules.HALF_CONE)


func step(delta: float, sources: PackedVector3Array, space: PhysicsDirectSpaceState3D,
		query: PhysicsRayQueryParameters3D) -> void:
	if wait <= BenchSightRules.TOLERANCE:
		wait = maxf(wait + BenchSightRules.INTERVAL, 0.0)
		_look(sources, space, query)
	wait -= delta
	if not records.is_empty():
		_remember(delta)


func _look(sources: PackedVector3Array, space: PhysicsDirectSpaceState3D,
		query: PhysicsRayQueryParameters3D) -> void:
	_scan += 1
	var origin := global_position
	var basis := global_basis.orthonormalized()
	var eye := origin + basis * BenchSightRules.EYE
	var forward := -basis.z
	for i in sources.size():
		var at := sources[i]
		var distance_squared := origin.distance_squared_to(at)
		if distance_squared > BenchSightRules.RETAIN * BenchSightRules.RETAIN:
			continue
		var record: BenchRecord = records.get(i)
		var aim := at + BenchSightRules.AIM
		if record == null or not record.seen:
			if distance_squared > BenchSightRules.ACQUIRE * BenchSightRules.ACQUIRE:
				continue
			var to := aim - eye
			if forward.dot(to) < _cone * to.length():
				continue
		if space:
			query.from = eye
			query.to = aim
			if not space.intersect_ray(query).is_empty():
				continue
		_see(i, record, at)


func _see(source: int, record: BenchRecord, at: Vector3) -> void:
	var known := record != null
	if not known:
		record = BenchRecord.new()
		records[source] = record
		target_perceived.emit(source)
	if not record.seen:
		record.seen = true
		sight_gained.emit(source)
	record.location = at
	record.age = 0.0
	record.scan = _scan


func _remember(delta: float) -> void:
	var lost: Array[int] = []
	for source in records:
		var record := records[source]
		if record.seen and record.scan != _scan:
			record.seen = false
			sight_lost.emit(source)
		if not record.seen:
			record.age += delta
			if record.age + BenchSightRules.TOLERANCE >= BenchSightRules.FORGET:
				lost.append(source)
	for source in lost:
		records.erase(source)
		target_lost.emit(source)
