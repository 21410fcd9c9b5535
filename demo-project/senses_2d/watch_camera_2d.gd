class_name WatchCamera2D
extends Node2D
## Sweeps from side to side and calls the sentries by radio, a custom sense of theirs, when it has made somebody out.

signal alarm_raised(who: Node2D)

@export_range(0.0, 180.0, 1.0, "suffix:°") var sweep: float = 70.0
@export_range(1.0, 30.0, 0.5, "suffix:s") var period: float = 9.0
@export_range(0.1, 5.0, 0.1, "suffix:s") var call_interval: float = 0.5

@onready var perception: Perception2D = $Perception2D

var _time: float = 0.0
var _until_call: float = 0.0
@onready var _facing := rotation


func _physics_process(delta: float) -> void:
	queue_redraw()
	var target: Node2D = perception.get_closest_perceived_target()
	if target and perception.can_sense(target, PerceptionEvent.SENSE_SIGHT):
		_until_call -= delta
		if _until_call <= 0.0:
			_until_call = call_interval
			_call_the_sentries(target)
		return  # it stops and stares
	_until_call = 0.0
	_time += delta
	rotation = _facing + sin(_time * TAU / period) * deg_to_rad(sweep) * 0.5


func get_report() -> String:
	var target: Node2D = perception.get_closest_perceived_target()
	if target and perception.can_sense(target, PerceptionEvent.SENSE_SIGHT):
		return "sees somebody and calls"
	return "sweeps" if perception.get_detecting_targets().is_empty() else "something moves"


func _call_the_sentries(target: Node2D) -> void:
	alarm_raised.emit(target)
	for sentry: Node in get_tree().get_nodes_in_group(&"sentries"):
		PerceptionServer.report_stimulus(sentry, target, WatchCamera.RADIO, 1.0)


func _draw() -> void:
	draw_rect(Rect2(-14, -10, 28, 20), Color(0.25, 0.28, 0.32))
	draw_rect(Rect2(12, -6, 9, 12), Color(0.12, 0.13, 0.16))
	var lamp := Color(0.3, 0.9, 0.4)
	if perception.get_closest_perceived_target():
		lamp = Sentry.ALARMED
	elif not perception.get_detecting_targets().is_empty():
		lamp = Sentry.SUSPICIOUS
	draw_circle(Vector2(-5, 0), 4.0, lamp)
