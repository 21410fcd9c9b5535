extends Node
## Plays the course by itself when the game was started with `-- --headless-course`; see [CourseLog].

const SNEAK := Thief.Gait.SNEAK
const WALK := Thief.Gait.WALK
const RUN := Thief.Gait.RUN

@export var thief: Thief
@export var yard_sentry: Sentry
@export var treasury_sentry: Sentry
@export var camera: Node
@export var log: CourseLog
@export var places: Node


func _ready() -> void:
	if CourseLog.is_requested():
		thief.is_played = false
		_play()


func _play() -> void:
	await _wait(0.5)
	thief.did.emit("sneaks behind the low wall")
	await _go("Behind", SNEAK)
	await _until(func() -> bool: return yard_sentry.place().y > 4.0)
	thief.did.emit("peeks round the wall while the sentry turns its back")
	await _go("Corner", WALK)
	await _go("Peek", WALK)
	await _go("Corner", WALK)
	await _go("Behind", SNEAK)
	await _wait(2.0)
	thief.did.emit("walks into the open")
	await _go("Corner", WALK)
	await _go("Open", WALK)
	await _until(func() -> bool: return _is(yard_sentry, AgentAwareness.LIFECYCLE_DETECTED))
	thief.did.emit("runs out of the gate")
	for place: String in ["Corner", "Gateway", "Outside", "Hideout"]:
		await _go(place, RUN)
	thief.did.emit("waits outside")
	await _until(func() -> bool: return _is(yard_sentry, AgentAwareness.LIFECYCLE_EXPIRED))
	await _until(func() -> bool: return yard_sentry.place().y < -2.0)
	thief.did.emit("comes back on tiptoe")
	await _go("Outside", SNEAK)
	await _go("Gateway", SNEAK)
	await _go("Behind", SNEAK)
	await _until(func() -> bool: return yard_sentry.place().y > 4.0)
	await _until(func() -> bool: return yard_sentry.place().y < 0.0)
	thief.did.emit("walks to the door behind the sentry's back")
	for place: String in ["Corner", "Door", "HallCorner"]:
		await _go(place, WALK)
	await _until(func() -> bool: return Plan.facing(camera).x > 0.35)
	thief.did.emit("slips under the camera while it looks the other way")
	for place: String in ["HallWest", "HallNorthWest"]:
		await _go(place, WALK)
	await _go("UnderCamera", SNEAK)
	await _until(func() -> bool: return Plan.facing(camera).x < 0.0 and treasury_sentry.place().y > -1.5)
	thief.did.emit("hurries behind the low wall of the treasury")
	await _go("EastDoor", WALK)
	await _go("Treasury", WALK)
	await _go("Cover", SNEAK)
	await _until(func() -> bool: return treasury_sentry.place().y < -1.0)
	thief.did.emit("reaches for the crystal")
	await _go("Goal", WALK)
	thief.did.emit("runs for it")
	for place: String in ["Treasury", "EastDoor", "HallEast", "Hall", "Door", "Gateway"]:
		await _go(place, RUN)
	await _wait(0.5)
	log.finish()


# --- The steps of a course --------------------------------------------------------------------


func _go(place: String, gait: Thief.Gait) -> Signal:
	return thief.go_to(Plan.place(places.get_node(place)), gait)


func _wait(seconds: float) -> Signal:
	return get_tree().create_timer(seconds, false, true).timeout


func _until(condition: Callable, at_most: float = 20.0) -> void:
	var end := log.time + at_most
	while log.time < end and not condition.call():
		await get_tree().physics_frame


func _is(sentry: Sentry, state: int) -> bool:
	return sentry.awareness.get_state(thief.body) == state
