extends Node3D
## The root of the scene: starts the visit again when it is over, or when R is pressed.

const BREAK := 5.0

@onready var _guard: Guard = $Guard
@onready var _intruder: Intruder = $Intruder

var _story_over: bool = false
var _idle_time: float = 0.0


func _ready() -> void:
	_intruder.story_ended.connect(func() -> void: _story_over = true)


func _physics_process(delta: float) -> void:
	if FightLog.is_requested():
		return  # FightLog ends the game itself
	if _story_over and not _intruder.is_played and _guard.is_at_post():
		_idle_time += delta
	if _idle_time > BREAK or Input.is_action_just_pressed(&"restart"):
		get_tree().reload_current_scene()
