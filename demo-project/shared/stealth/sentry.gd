class_name Sentry
extends Mind
## A guard on patrol that lives on what its AgentAwareness believes.
##
## The Perception makes somebody out over time; AgentAwareness turns what the senses report into a belief (suspected,
## detected, lost) and says who deserves attention. What is left for this script: where to walk and where to look.

signal caught(who: Node)

const CALM := Color(0.85, 0.9, 0.95)
const SUSPICIOUS := Color(0.98, 0.75, 0.3)
const ALARMED := Color(0.93, 0.33, 0.25)
const SEARCHING := Color(0.65, 0.6, 0.95)
const STATES: PackedStringArray = ["undetected", "suspects", "detected", "lost", "expired"]
const COLORS: PackedColorArray = [CALM, SUSPICIOUS, ALARMED, SEARCHING, CALM]
const GLYPHS: PackedStringArray = ["", "?", "!", "…", ""]

@export var meter: DetectionMeter
@export_range(0.5, 8.0, 0.1, "suffix:m/s") var walk_speed: float = 1.7
@export_range(0.5, 8.0, 0.1, "suffix:m/s") var run_speed: float = 3.2
@export_range(0.0, 1.0, 0.05) var wonder_at: float = 0.35  ## Detection at which it stops and looks.
@export_range(0.5, 3.0, 0.1, "suffix:m") var reach: float = 1.2

## Its children are the places of the patrol; they say where to look, too.
@export var route: Node

@onready var perception := find_perception()
@onready var awareness: AgentAwareness = body.get_node(^"AgentAwareness")

var _next_place: int = 0
var _time_here: float = 0.0


func _physics_process(delta: float) -> void:
	_show_meter()
	var target := awareness.get_attention_target()
	if target:
		_deal_with(target, delta)
		return
	var glimpsed := _glimpsed()
	if glimpsed and _detection(glimpsed) >= wonder_at:
		stand_and_look(Plan.place(glimpsed), delta, 0.5)
	else:
		_patrol(delta)


func _deal_with(target: Node, delta: float) -> void:
	var known := Plan.of(perception.call(&"get_last_known_location_or", target, body.get(&"global_position")))
	match awareness.get_state(target):
		AgentAwareness.LIFECYCLE_SUSPECTED:
			if walk_to(known, walk_speed, 1.0, delta):
				look_around(delta, 1.7, 1.4)
		AgentAwareness.LIFECYCLE_DETECTED:
			walk_to(known, run_speed, reach * 0.8, delta)
			if place().distance_to(Plan.place(target)) <= reach:
				caught.emit(target)
		AgentAwareness.LIFECYCLE_LOST:
			if walk_to(known, walk_speed, 0.8, delta):
				look_around(delta, 1.7, 1.4)


func _patrol(delta: float) -> void:
	if route == null or route.get_child_count() == 0:
		return
	var marker := route.get_child(_next_place)
	if not walk_to(Plan.place(marker), walk_speed, 0.3, delta):
		_time_here = 0.0
		return
	_time_here += delta
	turn_toward(Plan.facing(marker), delta, 0.4)
	if _time_here > 1.2:
		_time_here = 0.0
		_next_place = (_next_place + 1) % route.get_child_count()


func _detection(target: Node) -> float:
	return perception.call(&"get_detection", target)


## The one that is being made out best but is not known yet.
func _glimpsed() -> Node:
	var best: Node = null
	for target: Node in perception.call(&"get_detecting_targets"):
		if best == null or _detection(target) > _detection(best):
			best = target
	return best


# --- What others may ask ----------------------------------------------------------------------


## One line for the screen.
func get_report() -> String:
	var record := _best_record()
	if record:
		return "%s   sure %d %%   threat %d %%" % [
			STATES[record.state], roundi(record.confidence * 100.0), roundi(record.threat * 100.0)]
	var glimpsed := _glimpsed()
	return "makes somebody out, %d %%" % roundi(_detection(glimpsed) * 100.0) if glimpsed else "on patrol"


func _best_record() -> AwarenessRecord:
	for record: AwarenessRecord in awareness.get_records():
		if record.state != AgentAwareness.LIFECYCLE_EXPIRED:
			return record
	return null


func _show_meter() -> void:
	var record := _best_record()
	var glimpsed := _glimpsed()
	if record:
		meter.tell(record.confidence, COLORS[record.state], GLYPHS[record.state])
	elif glimpsed:
		meter.tell(_detection(glimpsed), CALM, "")
	else:
		meter.tell(0.0, CALM, "")
