extends Node3D
## The root of the scene: shows who holds a token, gives the roles of the fallen to others, and begins again when it is over.

const BREAK := 5.0
const TOKEN := &"Token.Attack"
const BRAWLER := &"Role.Brawler"

@export var log: CourseLog
@export var pack: Array[Bandit] = []

@onready var _hero: Hero = $Hero
@onready var _hud: FightHud = $Hud

var _idle_time: float = 0.0


func _ready() -> void:
	CombatTokens.token_acquired.connect(_on_token_acquired)
	CombatTokens.token_released.connect(_on_token_released)
	for bandit: Bandit in pack:
		bandit.brain.action_started.connect(_on_action_started)
		bandit.brain.no_valid_action.connect(_on_no_valid_action.bind(bandit))
		bandit.fell.connect(_on_bandit_fell.bind(bandit))
	_hero.did.connect(func(what: String) -> void: log.add("Hero " + what))
	_hero.fell.connect(func() -> void: log.add("Hero is down"))


func _physics_process(delta: float) -> void:
	if _hero.is_down() or _hero.nearest_foe() == null:
		_idle_time += delta
	if CourseLog.is_requested():
		if _idle_time > 1.0:
			log.finish()
	elif _idle_time > BREAK or Input.is_action_just_pressed(&"restart"):
		get_tree().reload_current_scene()
	_hud.tell("%d of %d tokens are free" % [
			CombatTokens.get_free(_hero, TOKEN), CombatTokens.get_capacity(_hero, TOKEN)])


# --- Tokens -----------------------------------------------------------------------------------


func _on_token_acquired(target: Node, tag: StringName, holder: Node) -> void:
	log.add("%s takes a token" % _name(holder))
	(holder as Bandit).coin.show()
	match CombatTokens.get_holders(target, tag).size():
		1: pass
		2: log.note("two at a time")
		_: log.add("more than two at a time: that must not be")


func _on_token_released(_target: Node, _tag: StringName, holder: Node) -> void:
	if holder == null or not is_instance_valid(holder):
		return
	log.add("%s gives its token back" % _name(holder))
	(holder as Bandit).coin.hide()


# --- The pack ---------------------------------------------------------------------------------


func _on_action_started(id: StringName, _target: Node, _run: int) -> void:
	match id:
		&"Smash": log.note("combo")
		&"Backstab": log.note("from behind")
		&"Sling": log.note("from afar")


func _on_no_valid_action(bandit: Bandit) -> void:
	for row: Dictionary in bandit.brain.get_last_decision().get_candidates():
		if row["refusal"] == ActionEvaluator.REFUSAL_GATE:
			log.add("%s waits: no token is free" % _name(bandit))
			log.note("waits for a token")


## Somebody has to stand in front: if no brawler is left, another one takes the role. Its set, and nothing else, is changed.
func _on_bandit_fell(fallen: Bandit) -> void:
	log.add("%s is down" % _name(fallen))
	fallen.coin.hide()
	var standing := pack.filter(func(bandit: Bandit) -> bool: return not bandit.is_down())
	if standing.is_empty():
		log.note("pack down")
	elif not standing.any(func(bandit: Bandit) -> bool: return bandit.brain.role == BRAWLER):
		log.note("takes a role")
		(standing[0] as Bandit).brain.role = BRAWLER


static func _name(node: Node) -> String:
	return String(node.name).capitalize()
