class_name BenchField
extends Node3D
## The workload of the sight benchmark: perceivers that stand, sources that walk, walls. All at random on a square.

const PERCEIVERS := 1000
const SOURCES := 200
const SIDE := 250.0
const WALLS := 60
## Metres per second.
const SPEED := 2.0
const STEP := 1.0 / 60.0
## Part of the interval after which the perceiver with number i scans first: i times this, whole numbers left out.
const GOLDEN := 0.6180339887498949

## The number of the first perceiver: the engine counts those of earlier fields too.
var first_number := 0
var perceivers: Array[Transform3D] = []
## Of the current step.
var sources: PackedVector3Array = []

var _headings: PackedVector3Array = []
var _random := RandomNumberGenerator.new()


func _init() -> void:
	_random.seed = 1
	for i in PERCEIVERS:
		perceivers.append(Transform3D(Basis(Vector3.UP, _random.randf_range(-PI, PI)), _place()))
	for i in SOURCES:
		sources.append(_place())
		_headings.append(Vector3.FORWARD.rotated(Vector3.UP, _random.randf_range(-PI, PI)) * SPEED)


func phase(index: int) -> float:
	return fmod((first_number + index) * GOLDEN, 1.0)


## Moves the sources by one step; they turn back at the border.
func walk() -> void:
	for i in sources.size():
		var at := sources[i] + _headings[i] * STEP
		if at.x < 0.0 or at.x > SIDE:
			_headings[i].x = -_headings[i].x
		if at.z < 0.0 or at.z > SIDE:
			_headings[i].z = -_headings[i].z
		sources[i] = at.clamp(Vector3.ZERO, Vector3(SIDE, 0.0, SIDE))


func add_walls() -> void:
	var box := BoxShape3D.new()
	box.size = Vector3(12.0, 3.0, 0.5)
	for i in WALLS:
		var shape := CollisionShape3D.new()
		shape.shape = box
		var wall := StaticBody3D.new()
		wall.add_child(shape)
		wall.transform = Transform3D(Basis(Vector3.UP, _random.randf_range(-PI, PI)), _place() + Vector3.UP * 1.5)
		add_child(wall)


func _place() -> Vector3:
	return Vector3(_random.randf_range(0.0, SIDE), 0.0, _random.randf_range(0.0, SIDE))
