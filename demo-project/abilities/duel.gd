extends Node3D
## The root of the scene: leads both through four short acts, again and again, until you touch a movement key. Then the
## acrobat is you, and the lancer lunges at you.

const LUNGE := &"Ability.Lunge"
const DODGE := &"Ability.Dodge"
const DIVE := &"Ability.Dive"
const RUN := 3.4
const DEPTH := -1.0  # who is lower than this has fallen

@export var log: CourseLog

@onready var _lancer: Duelist = $Lancer
@onready var _acrobat: Duelist = $Acrobat
@onready var _hud: FightHud = $Hud
@onready var _homes: Dictionary[Duelist, Transform3D] = {_lancer: _lancer.transform, _acrobat: _acrobat.transform}

var _is_played: bool = false
var _hits: int = 0
var _edges: int = 0
var _pause: float = 0.0


func _ready() -> void:
	_lancer.warp.window_started.connect(func(_name: StringName) -> void: log.add("Lancer leaps and tracks its target"))
	_lancer.warp.window_ended.connect(func(_name: StringName, reached: bool) -> void:
		log.add("Lancer is committed, %s its target" % ["at" if reached else "short of"]))
	_acrobat.guard.guard_changed.connect(func(active: bool) -> void:
		log.add("Acrobat is %s" % ["guarded" if active else "not guarded any more"]))
	_acrobat.guard.edge_stopped.connect(_on_edge_stopped)
	_acrobat.was_hit.connect(_on_acrobat_hit)
	_play()


func _physics_process(delta: float) -> void:
	if Input.is_action_just_pressed(&"restart"):
		get_tree().reload_current_scene()
		return
	var keys := Input.get_vector(&"move_left", &"move_right", &"move_up", &"move_down")
	if keys != Vector2.ZERO and not _is_played:
		_is_played = true
		log.add("Acrobat is you now")
		_hud.tell("")
	if _is_played:
		_be_played(Vector3(keys.x, 0.0, keys.y), delta)


# --- Four acts --------------------------------------------------------------------------------


func _play() -> void:
	await _wait(1.0)
	while not _is_played:
		await _lunge_at_a_walker()
		await _lunge_past_a_dodger()
		await _dodge_along_the_edge()
		await _dive_over_the_edge()
		if CourseLog.is_requested():
			log.finish()
			return


## The target walks all the time; the lunge arrives nevertheless.
func _lunge_at_a_walker() -> void:
	if not await _begin("A lunge tracks its target"):
		return
	var hits := _hits
	_acrobat.walk = Vector3(0.0, 0.0, 2.4)
	_lancer.use(LUNGE, _acrobat)
	await _until_done(_lancer)
	_acrobat.walk = Vector3.ZERO
	if _hits > hits:
		log.note("tracks")


## The target dodges when the window has closed: the lunge goes straight on, and misses.
func _lunge_past_a_dodger() -> void:
	if not await _begin("Then it is committed"):
		return
	var hits := _hits
	_acrobat.walk = Vector3(0.0, 0.0, 2.4)
	_lancer.use(LUNGE, _acrobat)
	await _lancer.warp.window_ended
	_acrobat.walk = Vector3(0.0, 0.0, -1.0)
	_acrobat.use(DODGE, _lancer)
	_acrobat.walk = Vector3.ZERO
	await _until_done(_lancer)
	if _hits == hits and not _is_played:
		log.add("Lancer misses")
		log.note("commits")


## A dodge over the edge, with the guard that every ability holds by default.
func _dodge_along_the_edge() -> void:
	if not await _begin("A guarded dodge stays on the ledge", Vector3(4.8, 0.0, 0.5)):
		return
	var edges := _edges
	_acrobat.walk = Vector3(1.0, 0.0, -0.6)
	_acrobat.use(DODGE, _lancer)
	_acrobat.walk = Vector3.ZERO
	await _until_done(_acrobat)
	await _wait(0.8)
	if _edges > edges and _acrobat.position.y > -0.1:
		log.add("Acrobat stands on the ledge")
		log.note("stays on the ledge")


## The same without it.
func _dive_over_the_edge() -> void:
	if not await _begin("The same dodge without the guard", Vector3(4.8, 0.0, 0.5)):
		return
	_acrobat.walk = Vector3(1.0, 0.0, -0.6)
	_acrobat.use(DIVE, _lancer)
	_acrobat.walk = Vector3.ZERO
	await _wait(1.2)
	if _acrobat.position.y < DEPTH:
		log.note("falls without the guard")
	_bring_back()


## Both walk to their places. False if somebody took over meanwhile.
func _begin(title: String, place: Vector3 = Vector3(2.5, 0.0, -1.2)) -> bool:
	_bring_back()
	var there := false
	while not _is_played and not there:
		there = _walk_to(_acrobat, place)
		there = _walk_to(_lancer, _homes[_lancer].origin) and there
		await get_tree().physics_frame
	if _is_played:
		return false
	_acrobat.walk = Vector3.ZERO
	_lancer.walk = Vector3.ZERO
	log.add("- " + title)
	_hud.tell(title)
	await _wait(0.6)
	return not _is_played


## One step of the way; true at its end.
func _walk_to(duelist: Duelist, place: Vector3) -> bool:
	var way := place - duelist.position
	way.y = 0.0
	duelist.walk = way.limit_length(1.0) * RUN if way.length() > 0.2 else Vector3.ZERO
	return duelist.walk == Vector3.ZERO


func _wait(seconds: float) -> void:
	while seconds > 0.0:
		await get_tree().physics_frame
		seconds -= get_physics_process_delta_time()


func _until_done(duelist: Duelist) -> void:
	while duelist.is_acting():
		await get_tree().physics_frame


# --- What happens -----------------------------------------------------------------------------


func _on_edge_stopped() -> void:
	_edges += 1
	log.add("Acrobat is held back at the edge")


func _on_acrobat_hit(_attacker: Node3D, _amount: float) -> void:
	_hits += 1
	log.add("Lancer hits Acrobat")
	_acrobat.vitals.change(Fighter.HEALTH, 100.0)


## Who has fallen is back at its place.
func _bring_back() -> void:
	for duelist: Duelist in _homes:
		if duelist.position.y < DEPTH:
			log.add("%s fell" % duelist.name)
			duelist.abilities.cancel_abilities()
			duelist.transform = _homes[duelist]
			duelist.velocity = Vector3.ZERO


# --- Played by hand ---------------------------------------------------------------------------


func _be_played(keys: Vector3, delta: float) -> void:
	_acrobat.walk = keys * RUN
	_lancer.walk = Vector3.ZERO
	if Input.is_action_just_pressed(&"dodge"):
		_acrobat.use(DODGE, _lancer)
	elif Input.is_action_just_pressed(&"punch"):
		_acrobat.use(DIVE, _lancer)
	_pause -= delta
	if _pause <= 0.0 and not _lancer.is_acting():
		_pause = 2.6
		_lancer.use(LUNGE, _acrobat)
	_bring_back()
