class_name WatchCamera
extends Node3D
## Sweeps from side to side and calls the sentries by radio when it has made somebody out.
## The call is a custom sense of theirs: a Perception3D takes any report that names a sense.

signal alarm_raised(who: Node3D)

const RADIO := &"Radio"

@export_range(0.0, 180.0, 1.0, "suffix:°") var sweep: float = 70.0
@export_range(1.0, 30.0, 0.5, "suffix:s") var period: float = 9.0
@export_range(0.1, 5.0, 0.1, "suffix:s") var call_interval: float = 0.5

@onready var perception: Perception3D = $Perception3D

var _time: float = 0.0
var _until_call: float = 0.0
@onready var _facing := rotation.y


func _physics_process(delta: float) -> void:
	var target: Node3D = perception.get_closest_perceived_target()
	if target and perception.can_sense(target, PerceptionEvent.SENSE_SIGHT):
		_until_call -= delta
		if _until_call <= 0.0:
			_until_call = call_interval
			_call_the_sentries(target)
		return  # it stops and stares
	_until_call = 0.0
	_time += delta
	rotation.y = _facing + sin(_time * TAU / period) * deg_to_rad(sweep) * 0.5


func get_report() -> String:
	var target: Node3D = perception.get_closest_perceived_target()
	if target and perception.can_sense(target, PerceptionEvent.SENSE_SIGHT):
		return "sees somebody and calls"
	if not perception.get_detecting_targets().is_empty():
		return "something moves"
	return "sweeps"


func _call_the_sentries(target: Node3D) -> void:
	alarm_raised.emit(target)
	for sentry: Node in get_tree().get_nodes_in_group(&"sentries"):
		PerceptionServer.report_stimulus(sentry, target, RADIO, 1.0)
