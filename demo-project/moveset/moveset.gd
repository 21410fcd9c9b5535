extends Node3D
## The root of the scene: plays a short course by pressing the buttons, until you press one. Then the champion is you.

const STAGGERED := &"State.Staggered"
const STAGGER_TIME := 2.6
const HARD := 16.0  # a blow that hurts so much makes who is hit stagger
const HIT_STOP := 0.07
const LIGHT := &"light"
const HEAVY := &"heavy"
const GUARD := &"guard"
const DODGE := &"dodge"
const ENDINGS: Dictionary[int, String] = {
	ActionGraphPlayer.END_COMPLETED: "ends", ActionGraphPlayer.END_CANCELLED: "is cut short",
	ActionGraphPlayer.END_CHAINED: "leads on", ActionGraphPlayer.END_REMOVED: "is put away",
}

## No weapon, sword and shield, two-handed hammer.
@export var weapons: Array[PackedScene] = []
@export var shield: PackedScene
@export var log: CourseLog

@onready var _champion: Champion = $Champion
@onready var _squire: Champion = $Squire
@onready var _mind: SparringPartner = $Squire/SparringPartner
@onready var _guard: Guard = $Guard
@onready var _dummy: Fighter = $Dummy
@onready var _source: StimulusSource3D = $Champion/StimulusSource3D
@onready var _hud: FightHud = $Hud
@onready var _camera: Camera3D = $Camera

var _is_played: bool = false
var _weapon: int = 0
var _played: PackedStringArray = []  # the champion's moves since the last act began


func _ready() -> void:
	_guard.animation.add_animation_library(&"pair", preload("res://moveset/pair_moves.tres"))
	_squire.wield(weapons[1])
	_source.enabled = false  # the guard of scene 01 notices nobody yet
	for fighter: Fighter in [_champion, _squire, _guard, _dummy]:
		fighter.was_hit.connect(_on_was_hit.bind(fighter))
		fighter.fell.connect(func() -> void: log.add("%s is down" % fighter.name))
	for champion: Champion in [_champion, _squire]:
		_listen_to(champion)
	_play()


func _listen_to(champion: Champion) -> void:
	champion.did.connect(func(what: String) -> void: log.add("%s %s" % [champion.name, what]))
	champion.parried.connect(_on_parried)
	champion.moves.action_started.connect(_on_action_started.bind(champion))
	champion.moves.action_ended.connect(func(node: StringName, reason: int) -> void:
		log.add("%s: %s %s" % [champion.name, node, ENDINGS[reason]]))
	champion.moves.input_buffered.connect(func(tag: StringName, _moment: int) -> void:
		log.add("%s: %s waits" % [champion.name, tag]))
	champion.moves.action_failed.connect(func(node: StringName, fail: int, _tag: StringName) -> void:
		log.add("%s: %s cannot start (%d)" % [champion.name, node, fail]))


# --- What happens -----------------------------------------------------------------------------


func _on_action_started(node: StringName, run: ActionRun, champion: Champion) -> void:
	var by := " by " + run.input_tag if run.input_tag else ""
	log.add("%s: %s begins%s" % [champion.name, node, by])
	if champion == _champion:
		_played.append(node)


## Hit-stop for both, and who is hit hard staggers.
func _on_was_hit(attacker: Node3D, amount: float, victim: Fighter) -> void:
	log.add("%s hits %s (%.1f)" % [attacker.name, victim.name, amount])
	for fighter: Node3D in [attacker, victim]:
		if fighter is Champion:
			(fighter as Champion).moves.freeze(HIT_STOP)
	if amount >= HARD and not victim.is_down():
		_stagger(victim)


func _on_parried(attacker: Node3D) -> void:
	if attacker is Champion:
		(attacker as Champion).moves.interrupt_for_external(&"parried")
	_stagger(attacker as Fighter)


## The same three tags stop an action graph, an action evaluator and the guard's feet.
func _stagger(fighter: Fighter) -> void:
	var tags := fighter.get_node(^"TagContainer") as TagContainer
	if not tags.has_tag(STAGGERED):
		log.add("%s staggers" % fighter.name)
		fighter.show_sign("~", Color(0.98, 0.75, 0.3), STAGGER_TIME)
	for tag: StringName in [STAGGERED, &"State.ActionsBlocked", &"State.MovementBlocked"]:
		tags.add_tag_for(tag, STAGGER_TIME)


func wield(weapon: int) -> void:
	_weapon = weapon
	_champion.wield(weapons[weapon], shield if weapon == 1 else null)
	var graph := _champion.moves.get_graph()
	log.add("Champion has the moves of %s" % graph.resource_path.get_file().get_basename())


# --- Played by hand ---------------------------------------------------------------------------


func _unhandled_input(event: InputEvent) -> void:
	# The course sends actions; keys, buttons and sticks are yours.
	var stick := event as InputEventJoypadMotion
	var is_yours := event is InputEventKey or event is InputEventJoypadButton or (stick and absf(stick.axis_value) > 0.5)
	if is_yours and not _is_played and not CourseLog.is_requested():
		_is_played = true
		_mind.is_awake = false
		_release_all()
		log.add("The champion is you now")
		_hud.tell("")
	if event.is_action_pressed(&"next_weapon"):
		wield((_weapon + 1) % weapons.size())
	elif event.is_action_pressed(&"wake_squire"):
		_mind.is_awake = not _mind.is_awake
	elif event.is_action_pressed(&"wake_guard"):
		_source.enabled = not _source.enabled
	elif event.is_action_pressed(&"restart"):
		get_tree().reload_current_scene()


# --- The course -------------------------------------------------------------------------------


func _play() -> void:
	await _wait(0.5)
	while not _is_played:
		await _chain_with_bare_hands()
		await _cut_in_sections()
		await _bash_with_the_shield()
		await _hop_in_four_directions()
		await _charge_and_dodge()
		await _parry_the_squire()
		await _finish_the_dummy()
		await _finish_the_guard()
		if CourseLog.is_requested():
			log.finish()
			return
		await _wait(4.0)
		if not _is_played:
			get_tree().reload_current_scene()
			return


## Presses that come early wait for the window of the running move.
func _chain_with_bare_hands() -> void:
	if await _begin("Early presses wait for the window", _dummy, 0):
		await _tap(LIGHT, 0.1)
		await _tap(LIGHT, 0.3)
		await _tap(LIGHT, 0.0)
		await _until_idle()
		_note_if("windows", _played.slice(0, 3) == PackedStringArray(["punch_1", "punch_2", "uppercut"]))


## One animation, cut by its markers: each press waits for the end of its part.
func _cut_in_sections() -> void:
	if await _begin("One animation in three sections", _dummy, 1):
		await _tap(LIGHT, 0.2)
		await _tap(LIGHT, 0.6)
		await _tap(LIGHT, 0.0)
		await _until_idle()
		_note_if("sections", _played == PackedStringArray(["light_1", "light_2", "light_3"]))


## The wire requires `Weapon.Shield`, which the shield's scene grants.
func _bash_with_the_shield() -> void:
	if await _begin("With a shield the heavy button bashes", _dummy, 1):
		await _tap(LIGHT, 0.2)
		await _tap(HEAVY, 0.0)
		await _until_idle()
		_note_if("bash", "shield_bash" in _played)


## One node, four animations: by the stick at the press, seen from where it faces.
func _hop_in_four_directions() -> void:
	if not await _begin("A hop in four directions is one node", _dummy, 1):
		return
	var seen: Dictionary[String, bool] = {}
	for turn: float in [0.0, 0.5, 1.0, -0.5]:
		var facing := Vector2(-_champion.global_basis.z.x, -_champion.global_basis.z.z)
		_steer(facing.rotated(turn * PI))
		await _tap(DODGE, 0.15)
		_steer(Vector2.ZERO)
		log.add("Champion plays %s" % _champion.animation.current_animation)
		seen[_champion.animation.current_animation] = true
		await _until_idle()
		await _wait(0.5)
	_note_if("hops", seen.size() == 4)


## Held to the end the blow is full; its recovery is cut by a dodge.
func _charge_and_dodge() -> void:
	if await _begin("A charge, let go early and held to the end", _dummy, 2):
		await _hold(HEAVY, 0.6)
		await _until_idle()
		await _wait(0.6)
		await _hold(HEAVY, 1.4)
		await _until(func() -> bool: return _champion.moves.get_current_node() == &"recover")
		await _wait(0.2)
		await _tap(DODGE, 0.0)
		await _until_idle()
		_note_if("charge", "slam" in _played and "slam_full" in _played)
		_note_if("recovery", not _played.is_empty() and _played[-1] == "hop")


## The squire has the same moves at half the speed and presses the same buttons.
func _parry_the_squire() -> void:
	if not await _begin("The squire presses the same buttons, at half the speed", _squire, 1):
		return
	_mind.is_awake = true
	await _until(func() -> bool: return _squire.moves.get_current_node() == &"light_1")
	await _wait(0.3)
	await _hold(GUARD, 0.15)
	await _until_idle()
	_note_if("parry", "riposte" in _played)
	await _until(func() -> bool: return _squire.moves.get_current_node() == &"light_1")
	await _hold(GUARD, 1.6)
	_note_if("guard", "guard_hold" in _played)
	_mind.is_awake = false
	await _until_idle()


## A heavy blow makes it stagger, then the light button finishes it.
func _finish_the_dummy() -> void:
	if await _begin("Who staggers can be finished", _dummy, 2):
		await _hold(HEAVY, 0.5)
		await _until_idle()
		await _tap(LIGHT, 0.0)
		await _until_idle()
		_note_if("finisher", "finisher" in _played)


## The guard of scene 01 has no action graph; it is finished all the same.
func _finish_the_guard() -> void:
	_source.enabled = true
	if not await _begin("The guard of the first scene", _guard, 1):
		return
	while not _is_played and not _guard.is_down():
		await _approach(_guard)
		await _tap(HEAVY, 0.3)
		await _tap(HEAVY, 0.0)
		await _until_idle()
		if _tags_of(_guard).has_tag(STAGGERED):
			await _tap(LIGHT, 0.0)
			await _until_idle()
	_note_if("guard finished", "finisher" in _played and _guard.is_down())


## Takes the weapon and walks up to a foe. False if somebody took over meanwhile.
func _begin(title: String, foe: Fighter, weapon: int) -> bool:
	if _is_played:
		return false
	log.add("- " + title)
	_hud.tell(title)
	if weapon != _weapon or weapon == 0:
		wield(weapon)
	await _approach(foe)
	await _wait(0.5)
	_played.clear()
	return not _is_played


func _approach(foe: Fighter) -> void:
	var time := 0.0
	while not _is_played and time < 8.0:
		var way := foe.global_position - _champion.global_position
		var planar := Vector2(way.x, way.z)
		if planar.length() < 2.0:
			break
		_steer(planar.normalized())
		await get_tree().physics_frame
		time += get_physics_process_delta_time()
	_steer(Vector2.ZERO)


func _note_if(chapter: String, happened: bool) -> void:
	if happened and not _is_played:
		log.note(chapter)


func _tags_of(fighter: Fighter) -> TagContainer:
	return fighter.get_node(^"TagContainer") as TagContainer


# --- Its fingers: the events that keys and pads would send ------------------------------------


func _tap(action: StringName, wait_after: float) -> void:
	await _hold(action, 0.06)
	await _wait(wait_after)


func _hold(action: StringName, seconds: float) -> void:
	if _is_played:
		return
	_send(action, 1.0)
	await _wait(seconds)
	_send(action, 0.0)
	await get_tree().physics_frame


## Pushes the stick so that the champion goes this way over the ground.
func _steer(planar: Vector2) -> void:
	var yaw := _camera.global_rotation.y
	var stick := Vector3(planar.x, 0.0, planar.y).rotated(Vector3.UP, -yaw)
	_send(&"move_right", maxf(stick.x, 0.0))
	_send(&"move_left", maxf(-stick.x, 0.0))
	_send(&"move_down", maxf(stick.z, 0.0))
	_send(&"move_up", maxf(-stick.z, 0.0))


func _send(action: StringName, strength: float) -> void:
	var event := InputEventAction.new()
	event.action = action
	event.pressed = strength > 0.0
	event.strength = strength
	Input.parse_input_event(event)
	Input.flush_buffered_events()


func _release_all() -> void:
	for action: StringName in [LIGHT, HEAVY, GUARD, DODGE, &"move_right", &"move_left", &"move_down", &"move_up"]:
		_send(action, 0.0)


func _until_idle() -> void:
	await _until(func() -> bool: return not _champion.moves.is_action_running())


func _until(is_done: Callable, at_most: float = 12.0) -> void:
	while not _is_played and not is_done.call() and at_most > 0.0:
		await get_tree().physics_frame
		at_most -= get_physics_process_delta_time()


func _wait(seconds: float) -> void:
	while seconds > 0.001 and not _is_played:
		await get_tree().physics_frame
		seconds -= get_physics_process_delta_time()
