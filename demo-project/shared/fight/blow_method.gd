class_name BlowMethod
extends ExecutionMethod
## A blow: draw back, strike, come to rest. All of its numbers are in the inspector of the action.
##
## Every run gets its own copy of this resource, so plain variables may hold the state of a run.

@export var blow := Figure.Blow.SWING
## It runs up to its target first; 0 strikes where it stands.
@export_range(0.0, 15.0, 0.1, "suffix:m/s") var run_up: float = 0.0
@export_range(0.0, 3.0, 0.05, "suffix:s") var windup: float = 0.35
@export_range(0.0, 3.0, 0.05, "suffix:s") var recover: float = 0.35
@export_range(0.0, 100.0, 0.5) var damage: float = 10.0
@export_range(0.0, 10.0, 0.1, "suffix:m") var reach: float = 2.2
@export_range(0.0, 180.0, 1.0, "suffix:°") var half_angle: float = 60.0
## It steps forward while it draws back.
@export_range(0.0, 15.0, 0.1, "suffix:m/s") var lunge: float = 0.0
## How quickly it still turns to its target while it draws back. A blow that does not turn can be side-stepped.
@export_range(0.0, 1.0, 0.05) var aim: float = 0.35
## Shown above the head while it draws back.
@export var warning: String = ""
## A ring on the floor, as wide as the blow reaches.
@export var shockwave: PackedScene

const LONGEST_RUN_UP := 3.0  # seconds; who cannot be caught by then got away

var _drawn_at: float = -1.0
var _struck: bool = false


func _begin_execute(context: ActionContext) -> bool:
	if run_up <= 0.0:
		_draw_back(get_agent() as ActingFighter)
	return run_up <= 0.0 or context.target != null  # false: nothing is charged


func _tick_execute(_delta: float) -> void:
	var fighter := get_agent() as ActingFighter
	if _drawn_at < 0.0:
		_run_up(fighter)
		return
	var time := get_elapsed() - _drawn_at
	if not _struck and time >= windup:
		_struck = true
		_strike(fighter)
	if time >= windup + recover:
		finish_execution(true)


func _abort_execute(_reason: int) -> void:
	(get_agent() as ActingFighter).figure.rest()


func _run_up(fighter: ActingFighter) -> void:
	var target := get_target() as Node3D
	if target == null or get_elapsed() > LONGEST_RUN_UP:
		finish_execution(false)
		return
	var way := target.global_position - fighter.global_position
	fighter.drive = Vector3(way.x, 0.0, way.z).normalized() * run_up
	if way.length() <= reach * 0.8:
		_draw_back(fighter)


func _draw_back(fighter: ActingFighter) -> void:
	_drawn_at = get_elapsed()
	fighter.figure.strike(blow, windup, recover)
	fighter.drive = -fighter.global_basis.z * lunge
	fighter.aim = aim
	if warning:
		fighter.show_sign(warning, Color(0.98, 0.45, 0.3), windup)


func _strike(fighter: ActingFighter) -> void:
	fighter.drive = Vector3.ZERO
	fighter.aim = 0.0
	if damage > 0.0:
		fighter.strike(damage, reach, half_angle)
	if shockwave:
		fighter.send_wave(shockwave, reach)
