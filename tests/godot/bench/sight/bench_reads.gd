class_name BenchReads
extends Node
## Nothing but transforms: of as many nodes as a tick of ours reads, all sources and the perceivers that are due, built
## and moved as ours are.

## Steps between two scans of a perceiver.
const TURNS := 6

var _perceivers: Array[Node3D] = []
var _sources: Array[Node3D] = []
var _sensed: Array[Node3D] = []
var _turn := 0
var _sum := Vector3.ZERO


func build(field: BenchField) -> void:
	for i in field.perceivers.size():
		var agent := Node3D.new()
		agent.transform = field.perceivers[i]
		_perceivers.append(_below(agent))
		add_child(agent)
	for i in field.sources.size():
		var source := Node3D.new()
		_sensed.append(_below(source))
		add_child(source)
		_sources.append(source)


func place(field: BenchField) -> void:
	for i in _sources.size():
		_sources[i].global_position = field.sources[i]


func read() -> void:
	for source in _sensed:
		_sum += source.global_transform.origin
	for i in range(_turn, _perceivers.size(), TURNS):
		_sum += _perceivers[i].global_transform.origin
	_turn = (_turn + 1) % TURNS


func _below(agent: Node3D) -> Node3D:
	var node := Node3D.new()
	agent.add_child(node)
	return node
