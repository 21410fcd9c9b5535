class_name WatchCamera
extends Mind
## Sweeps from side to side and calls the sentries by radio when it has made somebody out.
## The call is a custom sense of theirs: a Perception takes any report that names a sense.

signal alarm_raised(who: Node)

enum Sight { NOBODY, SOMETHING, SOMEBODY }

const RADIO := &"Radio"
const LAMP: Dictionary[Sight, Color] = {
	Sight.NOBODY: Color(0.3, 0.9, 0.4), Sight.SOMETHING: Sentry.SUSPICIOUS, Sight.SOMEBODY: Sentry.ALARMED}
const REPORTS: Dictionary[Sight, String] = {
	Sight.NOBODY: "sweeps", Sight.SOMETHING: "something moves", Sight.SOMEBODY: "sees somebody and calls"}

## Angle from one end to the other. Negative: it begins to the other side.
@export_range(-180.0, 180.0, 1.0, "suffix:°") var sweep: float = 70.0
@export_range(1.0, 30.0, 0.5, "suffix:s") var period: float = 9.0
@export_range(0.1, 5.0, 0.1, "suffix:s") var call_interval: float = 0.5

@onready var perception := find_perception()

var sight := Sight.NOBODY

var _time: float = 0.0
var _angle: float = 0.0
var _until_call: float = 0.0


func _physics_process(delta: float) -> void:
	var target: Node = perception.call(&"get_closest_perceived_target")
	sight = _judge(target)
	if sight == Sight.SOMEBODY:
		_until_call -= delta
		if _until_call <= 0.0:
			_until_call = call_interval
			_call_the_sentries(target)
		return  # it stops and stares
	_until_call = 0.0
	_time += delta
	var angle := sin(_time * TAU / period) * deg_to_rad(sweep) * 0.5
	Plan.turn(body, angle - _angle)
	_angle = angle


func get_report() -> String:
	return REPORTS[sight]


## The colour of the lamp on the box.
func get_lamp() -> Color:
	return LAMP[sight]


func _judge(target: Node) -> Sight:
	if target and perception.call(&"can_sense", target, PerceptionEvent.SENSE_SIGHT):
		return Sight.SOMEBODY
	var glimpsed: Array = perception.call(&"get_detecting_targets")
	return Sight.NOBODY if glimpsed.is_empty() else Sight.SOMETHING


func _call_the_sentries(target: Node) -> void:
	alarm_raised.emit(target)
	for sentry: Node in get_tree().get_nodes_in_group(&"sentries"):
		PerceptionServer.report_stimulus(sentry, target, RADIO, 1.0)
