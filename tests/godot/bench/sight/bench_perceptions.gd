class_name BenchPerceptions
extends Node
## Our side of the sight benchmark: Perception3D and StimulusSource3D with their defaults.

## On: rays against layer 1. Off: nothing blocks sight.
var rays := false

var _perceptions: Array[Perception3D] = []
var _sources: Array[Node3D] = []
var _numbers: Dictionary[Node, int] = {}


func build(field: BenchField) -> void:
	for i in field.perceivers.size():
		var agent := Node3D.new()
		agent.transform = field.perceivers[i]
		var perception := Perception3D.new()
		perception.sight_blocking_mask = 1 if rays else 0
		agent.add_child(perception)
		add_child(agent)
		_perceptions.append(perception)
	for i in field.sources.size():
		var source := Node3D.new()
		source.add_child(StimulusSource3D.new())
		add_child(source)
		_sources.append(source)
		_numbers[source] = i


func place(field: BenchField) -> void:
	for i in _sources.size():
		_sources[i].global_position = field.sources[i]


## Source number → seen, of one perceiver.
func known(index: int) -> Dictionary[int, bool]:
	var list: Dictionary[int, bool] = {}
	var perception := _perceptions[index]
	for target in perception.get_perceived_targets():
		list[_numbers[target]] = perception.can_sense(target, Perception3D.SENSE_SIGHT)
	return list
