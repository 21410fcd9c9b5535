class_name BenchDecisions
extends RefCounted
## The workload of the evaluation benchmark: one set of actions, agents with a target each, and where they all are.

const AGENTS := 1000
const ACTIONS := 12
## Weight 1, requires and blocks one tag each; no score is zero, so that everybody samples all curves.
const REQUIRED: StringName = &"Weapon.Melee"
const BLOCKING: StringName = &"State.Stunned"
const AGENT_TAGS: Array[StringName] = [&"Team.Red", &"Weapon.Melee", &"State.Alert"]
const TARGET_TAGS: Array[StringName] = [&"Team.Blue", &"State.Alert"]
const FLOOR := 0.05
## Agents stand this far apart, in metres.
const SPACING := 40.0

## Per action: weight, risk, and per scorer four curve values and an exponent.
var actions: Array[Dictionary] = []
## Of the current round.
var agent_transforms: Array[Transform3D] = []
var target_positions: PackedVector3Array = []
var healths: PackedFloat64Array = []

var _random := RandomNumberGenerator.new()


func _init() -> void:
	_random.seed = 1
	for i in ACTIONS:
		actions.append(_make_action(i))


## New places and healths for everybody.
func next_round() -> void:
	agent_transforms.clear()
	target_positions.clear()
	healths.clear()
	for i in AGENTS:
		var place := Vector3(i % 32, 0.0, floorf(i / 32.0)) * SPACING
		var basis := Basis(Vector3.UP, _random.randf_range(-PI, PI))
		agent_transforms.append(Transform3D(basis, place))
		var direction := Vector3.FORWARD.rotated(Vector3.UP, _random.randf_range(-PI, PI))
		var offset := direction * _random.randf_range(0.5, 9.0) + Vector3.UP * _random.randf_range(-1.0, 1.0)
		target_positions.append(place + offset)
		healths.append(_random.randf_range(1.0, 100.0))


func _make_action(index: int) -> Dictionary:
	var angle := _random.randf_range(10.0, 60.0)
	return {
		"id": StringName("Action%d" % index),
		"weight": _random.randf_range(0.5, 2.0),
		"risk": _random.randf_range(0.8, 1.5),
		"exponent": 1.5 if index == 5 else (2.0 if index % 4 == 3 else 1.0),
		"distance": _sorted(10.0),
		"angle": PackedFloat64Array([0.0, 0.0, angle, angle + _random.randf_range(20.0, 120.0)]),
		"health": _sorted(1.0),
	}


func _sorted(limit: float) -> PackedFloat64Array:
	var values := PackedFloat64Array()
	for i in 4:
		values.append(_random.randf_range(0.0, limit))
	values.sort()
	return values
