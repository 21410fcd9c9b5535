extends Node2D
## The root of the stealth course seen from above: says what happens, catches the thief, hands out the treasure.

const TREASURE_REACH := 75.0

@onready var _thief: Thief2D = $Thief
@onready var _treasure: Node2D = $Arena/Treasure
@onready var _camera: WatchCamera2D = $WatchCamera
@onready var _listener: BlindListener2D = $BlindListener
@onready var _log: CourseLog = $CourseLog

var _has_treasure: bool = false
var _is_over: bool = false
var _alarm_until: float = 0.0
var _steps_unheard: int = 0  # physics steps since a noise within reach that nobody heard yet


func _ready() -> void:
	_thief.did.connect(func(what: String) -> void: _log.add("the thief " + what))
	_listen_to_sentry($YardSentry as Sentry2D, "yard sentry")
	_listen_to_sentry($TreasurySentry as Sentry2D, "treasury sentry")
	_listener.perception.noise_heard.connect(func(event: PerceptionEvent) -> void:
		if _listener.duty == BlindListener2D.Duty.SLEEP:
			_log.add("the listener wakes up: %s, loudness %.2f" % [event.tag, event.strength])
		_steps_unheard = 0
		_log.note("heard"))
	_thief.stepped.connect(_on_thief_stepped)
	_listener.caught.connect(_on_caught.bind("the listener"))
	_camera.alarm_raised.connect(_on_alarm_raised)


func _physics_process(_delta: float) -> void:
	if not _has_treasure and _thief.global_position.distance_to(_treasure.global_position) < TREASURE_REACH:
		_has_treasure = true
		_log.add("the thief has the crystal")
		_log.note("treasure")
		_treasure.set(&"is_taken", true)
	if _steps_unheard > 0:
		_steps_unheard += 1
	if _steps_unheard > 3:
		_steps_unheard = 0
		_log.note("muffled")
	if Input.is_action_just_pressed(&"debug_draw"):
		PerceptionServer.debug_draw_enabled = not PerceptionServer.debug_draw_enabled
	if Input.is_action_just_pressed(&"restart"):
		get_tree().reload_current_scene()


func _listen_to_sentry(sentry: Sentry2D, title: String) -> void:
	sentry.perception.detection_started.connect(func(_event: PerceptionEvent) -> void:
		_log.add("the %s sees something move" % title)
		_log.note("made out"))
	sentry.perception.detection_aborted.connect(func(_event: PerceptionEvent) -> void:
		_log.add("the %s thinks it was nothing" % title)
		_log.note("seen in passing"))
	sentry.awareness.belief_state_changed.connect(func(record: AwarenessRecord, _previous: int) -> void:
		var state := Sentry.state_name(record.state)
		_log.add("the %s: %s, sure %.2f, threat %.2f" % [title, state, record.confidence, record.threat])
		_log.note("suspected" if record.state == AgentAwareness.LIFECYCLE_SUSPECTED else state))
	sentry.caught.connect(_on_caught.bind("the " + title))


## A step that is near enough to be heard, but is not, was muffled by walls.
func _on_thief_stepped(loudness: float) -> void:
	var reach := _listener.perception.hearing_radius * loudness
	if _listener.global_position.distance_to(_thief.global_position) <= reach:
		_steps_unheard = 1


func _on_alarm_raised(_who: Node2D) -> void:
	_log.note("alarm")
	if _log.time > _alarm_until:
		_log.add("the camera calls the sentries")
	_alarm_until = _log.time + 3.0


func _on_caught(_who: Node2D, by: String) -> void:
	if _is_over:
		return
	_is_over = true
	_log.add("%s caught the thief" % by)
	if CourseLog.is_requested():
		_log.finish()
		return
	await get_tree().create_timer(1.5).timeout
	get_tree().reload_current_scene()
