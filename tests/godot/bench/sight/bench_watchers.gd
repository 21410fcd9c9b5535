class_name BenchWatchers
extends Node
## All watchers of the node baseline and the sources that they look at.

var watchers: Array[BenchWatcher] = []
var sources: Array[Node3D] = []
## On: a ray decides. Off: nothing blocks sight.
var rays := false
var walls: Node3D

var _query := PhysicsRayQueryParameters3D.new()
var _positions: PackedVector3Array = []


func build(field: BenchField) -> void:
	walls = field
	for i in field.perceivers.size():
		var watcher := BenchWatcher.new()
		watcher.transform = field.perceivers[i]
		watcher.wait = field.phase(i) * BenchSightRules.INTERVAL
		add_child(watcher)
		watchers.append(watcher)
	for i in field.sources.size():
		var source := Node3D.new()
		add_child(source)
		sources.append(source)
	_positions.resize(sources.size())
	_query.hit_back_faces = true
	_query.collision_mask = 1


func place(field: BenchField) -> void:
	for i in sources.size():
		sources[i].global_position = field.sources[i]


func step() -> void:
	for i in sources.size():
		_positions[i] = sources[i].global_position
	var space: PhysicsDirectSpaceState3D = null
	if rays:
		space = walls.get_world_3d().direct_space_state
	for watcher in watchers:
		watcher.step(BenchField.STEP, _positions, space, _query)


## Source number → seen, of one watcher.
func known(index: int) -> Dictionary[int, bool]:
	var list: Dictionary[int, bool] = {}
	for source in watchers[index].records:
		list[source] = watchers[index].records[source].seen
	return list
