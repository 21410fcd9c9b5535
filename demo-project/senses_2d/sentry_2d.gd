class_name Sentry2D
extends Walker2D
## A guard on patrol that lives on what its AgentAwareness believes; AgentAwareness is one class for 2D and 3D.

signal caught(who: Node2D)

@export var route: Node2D  ## Its children are the places of the patrol.
@export_range(10.0, 400.0, 1.0, "suffix:px/s") var walk_speed: float = 78.0
@export_range(10.0, 400.0, 1.0, "suffix:px/s") var run_speed: float = 150.0
@export_range(0.0, 1.0, 0.05) var wonder_at: float = 0.35  ## Detection at which it stops and looks.
@export_range(10.0, 100.0, 1.0, "suffix:px") var reach: float = 52.0

@onready var perception: Perception2D = $Perception2D
@onready var awareness: AgentAwareness = $AgentAwareness
@onready var meter: DetectionMeter = %Meter

var _next_place: int = 0
var _time_here: float = 0.0


func _physics_process(delta: float) -> void:
	_show_meter()
	var target := awareness.get_attention_target() as Node2D
	if target:
		_deal_with(target, delta)
		return
	var glimpsed := _glimpsed()
	if glimpsed and perception.get_detection(glimpsed) >= wonder_at:
		stand_and_look(glimpsed.global_position, delta, 0.5)
	else:
		_patrol(delta)


func _deal_with(target: Node2D, delta: float) -> void:
	var place: Vector2 = perception.get_last_known_location_or(target, global_position)
	match awareness.get_state(target):
		AgentAwareness.LIFECYCLE_SUSPECTED:
			if walk_to(place, walk_speed, 50.0, delta):
				_look_around(delta)
		AgentAwareness.LIFECYCLE_DETECTED:
			walk_to(place, run_speed, reach * 0.8, delta)
			if global_position.distance_to(target.global_position) <= reach:
				caught.emit(target)
		AgentAwareness.LIFECYCLE_LOST:
			if walk_to(place, walk_speed, 40.0, delta):
				_look_around(delta)


func _patrol(delta: float) -> void:
	if route == null or route.get_child_count() == 0:
		return
	var place := route.get_child(_next_place) as Node2D
	if not walk_to(place.global_position, walk_speed, 12.0, delta):
		_time_here = 0.0
		return
	# The marker says where to look while it stands there.
	_time_here += delta
	turn_toward(place.global_transform.x * 100.0, delta, 0.4)
	if _time_here > 1.2:
		_time_here = 0.0
		_next_place = (_next_place + 1) % route.get_child_count()


func _look_around(delta: float) -> void:
	_time_here += delta
	rotation += sin(_time_here * 1.7) * 1.4 * delta


## The one that is being made out best but is not known yet.
func _glimpsed() -> Node2D:
	var best: Node2D = null
	for target: Node2D in perception.get_detecting_targets():
		if best == null or perception.get_detection(target) > perception.get_detection(best):
			best = target
	return best


## One line for the screen.
func get_report() -> String:
	var record := _best_record()
	if record:
		return "%s   sure %d %%   threat %d %%" % [
			Sentry.state_name(record.state), roundi(record.confidence * 100.0), roundi(record.threat * 100.0)]
	var glimpsed := _glimpsed()
	return "makes somebody out, %d %%" % roundi(perception.get_detection(glimpsed) * 100.0) if glimpsed else "on patrol"


func _best_record() -> AwarenessRecord:
	for record: AwarenessRecord in awareness.get_records():
		if record.state != AgentAwareness.LIFECYCLE_EXPIRED:
			return record
	return null


func _show_meter() -> void:
	var record := _best_record()
	var glimpsed := _glimpsed()
	if record:
		meter.tell(record.confidence, Sentry.state_color(record.state), ["", "?", "!", "…", ""][record.state])
	elif glimpsed:
		meter.tell(perception.get_detection(glimpsed), Sentry.CALM, "")
	else:
		meter.tell(0.0, Sentry.CALM, "")
