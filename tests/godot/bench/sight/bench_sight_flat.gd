class_name BenchSightFlat
extends Node
## The flat baseline: one loop for all perceivers over packed arrays, with a grid of sources.

signal target_perceived(perceiver: int, source: int)
signal target_lost(perceiver: int, source: int)
signal sight_gained(perceiver: int, source: int)
signal sight_lost(perceiver: int, source: int)

const CELL := 25.0
const CELLS := int(BenchField.SIDE / CELL)

## On: a ray decides. Off: nothing blocks sight.
var rays := false
var walls: Node3D
## On: `froms` and `tos` take the rays of the last step.
var keeps_rays := false
var froms: PackedVector3Array = []
var tos: PackedVector3Array = []

var _perceivers: Array[Node3D] = []
var _sources: Array[Node3D] = []
var _positions: PackedVector3Array = []
var _waits: PackedFloat64Array = []
## Per perceiver: sources that are seen now, and source → time for which it was not seen.
var _seen: Array[PackedInt32Array] = []
var _remembered: Array[Dictionary] = []
## Sources by cell: those of cell c stand at _order[_first[c]] up to _order[_first[c + 1]].
var _first: PackedInt32Array = []
var _order: PackedInt32Array = []
var _query := PhysicsRayQueryParameters3D.new()
var _space: PhysicsDirectSpaceState3D
var _cone := cos(BenchSightRules.HALF_CONE)


func build(field: BenchField) -> void:
	walls = field
	for i in field.perceivers.size():
		var perceiver := _node()
		perceiver.transform = field.perceivers[i]
		_perceivers.append(perceiver)
		_waits.append(field.phase(i) * BenchSightRules.INTERVAL)
		_seen.append(PackedInt32Array())
		_remembered.append({})
	for i in field.sources.size():
		_sources.append(_node())
	_positions.resize(_sources.size())
	_order.resize(_sources.size())
	_query.hit_back_faces = true
	_query.collision_mask = 1


func place(field: BenchField) -> void:
	for i in _sources.size():
		_sources[i].global_position = field.sources[i]


func step() -> void:
	if rays:
		_space = walls.get_world_3d().direct_space_state
	if keeps_rays:
		froms.clear()
		tos.clear()
	_gather()
	for i in _perceivers.size():
		var wait := _waits[i]
		if wait <= BenchSightRules.TOLERANCE:
			wait = maxf(wait + BenchSightRules.INTERVAL, 0.0)
			_look(i)
		_waits[i] = wait - BenchField.STEP
		if not _remembered[i].is_empty():
			_age(i)


## Source number → seen, of one perceiver.
func known(index: int) -> Dictionary[int, bool]:
	var list: Dictionary[int, bool] = {}
	for source: int in _remembered[index]:
		list[source] = false
	for source in _seen[index]:
		list[source] = true
	return list


## Positions, and the sources in the order of their cells.
func _gather() -> void:
	var counts := PackedInt32Array()
	counts.resize(CELLS * CELLS + 1)
	var cells := PackedInt32Array()
	cells.resize(_sources.size())
	for i in _sources.size():
		var at := _sources[i].global_position
		_positions[i] = at
		var cell := clampi(int(at.z / CELL), 0, CELLS - 1) * CELLS + clampi(int(at.x / CELL), 0, CELLS - 1)
		cells[i] = cell
		counts[cell + 1] += 1
	for c in CELLS * CELLS:
		counts[c + 1] += counts[c]
	_first = counts.duplicate()
	for i in _sources.size():
		var cell := cells[i]
		_order[counts[cell]] = i
		counts[cell] += 1


func _look(index: int) -> void:
	var place := _perceivers[index].global_transform
	var origin := place.origin
	var basis := place.basis.orthonormalized()
	var eye := origin + basis * BenchSightRules.EYE
	var forward := -basis.z
	var before := _seen[index]
	var now := PackedInt32Array()
	var left := maxi(int((origin.x - BenchSightRules.RETAIN) / CELL), 0)
	var right := mini(int((origin.x + BenchSightRules.RETAIN) / CELL), CELLS - 1)
	for row in range(maxi(int((origin.z - BenchSightRules.RETAIN) / CELL), 0),
			mini(int((origin.z + BenchSightRules.RETAIN) / CELL), CELLS - 1) + 1):
		for slot in range(_first[row * CELLS + left], _first[row * CELLS + right + 1]):
			var source := _order[slot]
			var at := _positions[source]
			var distance_squared := origin.distance_squared_to(at)
			if distance_squared > BenchSightRules.RETAIN * BenchSightRules.RETAIN:
				continue
			var aim := at + BenchSightRules.AIM
			if not before.has(source):
				if distance_squared > BenchSightRules.ACQUIRE * BenchSightRules.ACQUIRE:
					continue
				var to := aim - eye
				if forward.dot(to) < _cone * to.length():
					continue
			if rays and _is_blocked(eye, aim):
				continue
			now.append(source)
	_settle(index, before, now)


func _is_blocked(from: Vector3, to: Vector3) -> bool:
	if keeps_rays:
		froms.append(from)
		tos.append(to)
	_query.from = from
	_query.to = to
	return not _space.intersect_ray(_query).is_empty()


func _settle(index: int, before: PackedInt32Array, now: PackedInt32Array) -> void:
	var remembered := _remembered[index]
	for source in before:
		if not now.has(source):
			remembered[source] = 0.0
			sight_lost.emit(index, source)
	for source in now:
		if not before.has(source):
			if not remembered.erase(source):
				target_perceived.emit(index, source)
			sight_gained.emit(index, source)
	_seen[index] = now


func _age(index: int) -> void:
	var remembered := _remembered[index]
	for source: int in remembered.keys():
		var age: float = remembered[source] + BenchField.STEP
		remembered[source] = age
		if age + BenchSightRules.TOLERANCE >= BenchSightRules.FORGET:
			remembered.erase(source)
			target_lost.emit(index, source)


func _node() -> Node3D:
	var node := Node3D.new()
	add_child(node)
	return node
