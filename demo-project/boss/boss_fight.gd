extends Node3D
## The root of the scene: notes what has to be seen in a whole fight, and begins again when it is over or R is pressed.

const BREAK := 5.0

@export var log: CourseLog

@onready var _boss: Boss = $Boss
@onready var _hero: Hero = $Hero
@onready var _hud: FightHud = $Hud

var _idle_time: float = 0.0
var _before: StringName = &""


func _ready() -> void:
	_boss.did.connect(_on_boss_did)
	_hero.did.connect(func(what: String) -> void: log.add("Hero " + what))
	_boss.brain.action_started.connect(_on_action_started)
	_boss.brain.action_set_changed.connect(_on_action_set_changed)
	_boss.vitals.vital_changed.connect(_on_vital_changed.bind("Boss"))
	_hero.vitals.vital_changed.connect(_on_vital_changed.bind("Hero"))
	_boss.fell.connect(_on_fell.bind("Boss", "boss down"))
	_hero.fell.connect(_on_fell.bind("Hero", "hero down"))
	_hud.tell("Phase 1: slash, backhand, slam, charge")


func _physics_process(delta: float) -> void:
	if _boss.is_down() or _hero.is_down():
		_idle_time += delta
	if CourseLog.is_requested():
		if _idle_time > 1.0:
			log.finish()
	elif _idle_time > BREAK or Input.is_action_just_pressed(&"restart"):
		get_tree().reload_current_scene()


func _on_boss_did(what: String) -> void:
	log.add("Boss " + what)
	if WorldTags.has_tag(Boss.PHASE_2):
		_hud.tell("Phase 2: the world has the tag %s" % Boss.PHASE_2)


func _on_action_started(id: StringName, _target: Node, _run: int) -> void:
	match id:
		&"Backhand":
			if _before == &"Slash":
				log.note("combo")
		&"Stalk": log.note("fallback")
		&"Whirl": log.note("phase 2")
		&"Flurry": log.note("rage")
		&"LastStand":
			log.note("last stand")
			_hud.tell("Desperate: a HealthScorer lets the last stand in")
	_before = id


func _on_action_set_changed(_set: ActionSet, source: int) -> void:
	if source == ActionEvaluator.SET_RUNTIME_OVERRIDE:
		_hud.tell("Rage: another set by set_runtime_override()")
	elif WorldTags.has_tag(Boss.PHASE_2):
		log.note("out of breath")
		_hud.tell("Out of breath: its own set again, and it recovers")


func _on_vital_changed(_tag: StringName, value: float, change: float, who: String) -> void:
	log.add("%s has %.0f health (%+.0f)" % [who, value, change])


func _on_fell(who: String, chapter: String) -> void:
	log.add("%s is down" % who)
	log.note(chapter)
	_hud.tell("%s is down" % who)
