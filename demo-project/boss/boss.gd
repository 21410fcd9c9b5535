class_name Boss
extends ActingFighter
## A boss with three phases. What it does in each is data; this script only says when a phase begins.
##
## - Wounded: a tag of the world. Actions that require it come in, and others score more because of it.
## - Raging: another set by set_runtime_override(), for a while.
## - Near the end nothing has to be said here: the last stand is an action with a HealthScorer.

signal did(what: String)

const PHASE_2 := &"World.Boss.Phase2"
const ROAR := &"Roar"

@export var hero: Fighter
@export var rage_actions: ActionSet
@export_range(0.0, 1.0, 0.01) var wounded_below: float = 0.7
@export_range(0.0, 1.0, 0.01) var rages_below: float = 0.45
@export_range(1.0, 60.0, 0.5, "suffix:s") var rage_time: float = 10.0
## After the rage it is out of breath: no action is chosen for so long.
@export_range(0.0, 10.0, 0.1, "suffix:s") var breath_time: float = 2.5

var _rage_left: float = 0.0
var _has_raged: bool = false


func _ready() -> void:
	super()
	brain.target = hero
	WorldTags.remove_tag(PHASE_2)  # world tags outlive a scene
	vitals.vital_changed.connect(_on_vital_changed)


func _physics_process(delta: float) -> void:
	super(delta)
	if _rage_left > 0.0 and not is_down():
		_rage_left -= delta
		if _rage_left <= 0.0:
			_calm_down()


func _on_vital_changed(_tag: StringName, _value: float, _change: float) -> void:
	var health := vitals.get_fraction(HEALTH)
	if is_down():
		return
	if health < wounded_below and not WorldTags.has_tag(PHASE_2):
		WorldTags.add_tag(PHASE_2)
		did.emit("is wounded: phase 2")
		brain.execute_action(ROAR)  # forced: no gate and no score is asked
	if health < rages_below and not _has_raged:
		_has_raged = true
		_rage_left = rage_time
		did.emit("rages")
		brain.set_runtime_override(rage_actions)
		brain.execute_action(ROAR)


func _calm_down() -> void:
	did.emit("is out of breath")
	brain.clear_runtime_override()
	brain.add_recovery(breath_time)
	show_sign("...", Color(0.85, 0.9, 0.95), breath_time)
