extends Node
## Says what happens on the stealth course, catches the thief, hands out the treasure.

const TREASURE_REACH := 1.65

@export var thief: Thief
@export var yard_sentry: Sentry
@export var treasury_sentry: Sentry
@export var listener: BlindListener
@export var camera: WatchCamera
@export var treasure: Node
@export var log: CourseLog

var _has_treasure: bool = false
var _is_over: bool = false
var _alarm_until: float = 0.0
var _steps_unheard: int = 0  # physics steps since a noise within reach that nobody heard yet


func _ready() -> void:
	thief.did.connect(func(what: String) -> void: log.add("the thief " + what))
	thief.stepped.connect(_on_thief_stepped)
	_listen_to_sentry(yard_sentry, "yard sentry")
	_listen_to_sentry(treasury_sentry, "treasury sentry")
	listener.perception.connect(&"noise_heard", _on_noise_heard)
	listener.caught.connect(_on_caught.bind("the listener"))
	camera.alarm_raised.connect(_on_alarm_raised)


func _physics_process(_delta: float) -> void:
	if not _has_treasure and thief.place().distance_to(Plan.place(treasure)) < TREASURE_REACH:
		_has_treasure = true
		log.add("the thief has the crystal")
		log.note("treasure")
		treasure.call(&"take")
	if _steps_unheard > 0:
		_steps_unheard += 1
	if _steps_unheard > 3:
		_steps_unheard = 0
		log.note("muffled")
	if Input.is_action_just_pressed(&"debug_draw"):
		PerceptionServer.debug_draw_enabled = not PerceptionServer.debug_draw_enabled
	if Input.is_action_just_pressed(&"restart"):
		get_tree().reload_current_scene()


func _listen_to_sentry(sentry: Sentry, title: String) -> void:
	sentry.perception.connect(&"detection_started", func(_event: PerceptionEvent) -> void:
		log.add("the %s sees something move" % title)
		log.note("made out"))
	sentry.perception.connect(&"detection_aborted", func(_event: PerceptionEvent) -> void:
		log.add("the %s thinks it was nothing" % title)
		log.note("seen in passing"))
	sentry.awareness.belief_state_changed.connect(func(record: AwarenessRecord, _previous: int) -> void:
		var state := Sentry.STATES[record.state]
		log.add("the %s: %s, sure %.2f, threat %.2f" % [title, state, record.confidence, record.threat])
		log.note("suspected" if record.state == AgentAwareness.LIFECYCLE_SUSPECTED else state))
	sentry.caught.connect(_on_caught.bind("the " + title))


func _on_noise_heard(event: PerceptionEvent) -> void:
	if listener.duty == BlindListener.Duty.SLEEP:
		log.add("the listener wakes up: %s, loudness %.2f" % [event.tag, event.strength])
	_steps_unheard = 0
	log.note("heard")


## A step that is near enough to be heard, but is not, was muffled by walls.
func _on_thief_stepped(loudness: float) -> void:
	var way: Variant = listener.body.get(&"global_position") - thief.body.get(&"global_position")
	var reach: float = listener.perception.get(&"hearing_radius") * loudness
	if way.length() <= reach:
		_steps_unheard = 1


func _on_alarm_raised(_who: Node) -> void:
	log.note("alarm")
	if log.time > _alarm_until:
		log.add("the camera calls the sentries")
	_alarm_until = log.time + 3.0


func _on_caught(_who: Node, by: String) -> void:
	if _is_over:
		return
	_is_over = true
	log.add("%s caught the thief" % by)
	thief.show_sign("✖", Sentry.ALARMED, 2.0)
	if CourseLog.is_requested():
		log.finish()
		return
	await get_tree().create_timer(1.5).timeout
	get_tree().reload_current_scene()
