class_name LungeAbility
extends GameplayAbility
## Takes aim, leaps at its target, and strikes where the leap ends.
##
## The leap is a warp window: the agent arrives in front of its target, however that moves. Then the lunge is committed and
## goes straight on. An animation would open the window with its markers instead, see AnimationMethod.

enum Phase { AIM, LEAP, COMMIT, RECOVER }

@export_range(0.0, 2.0, 0.05, "suffix:s") var aim: float = 0.45
@export_range(0.05, 2.0, 0.05, "suffix:s") var leap: float = 0.5
@export_range(0.0, 2.0, 0.05, "suffix:s") var commit: float = 0.2
@export_range(0.0, 2.0, 0.05, "suffix:s") var recover: float = 0.6
@export_range(0.0, 15.0, 0.5, "suffix:m/s") var commit_speed: float = 5.0
@export_range(0.0, 100.0, 0.5) var damage: float = 14.0
@export_range(0.0, 10.0, 0.1, "suffix:m") var reach: float = 1.7

# Every activation has its own copy of this resource, so these are of this lunge only.
var _phase := Phase.AIM
var _next: float = 0.0


func _can_activate(context: ActionContext) -> bool:
	return context.target != null


func _activate(_context: ActionContext) -> void:
	var lancer := get_agent() as Duelist
	lancer.drive = Vector3.ZERO
	lancer.figure.strike(Figure.Blow.OVERHEAD, aim + leap + commit, recover)
	lancer.show_sign("!", Color(0.98, 0.45, 0.3), aim)
	_next = aim


func _tick(_delta: float) -> void:
	if get_elapsed() < _next:
		return
	var lancer := get_agent() as Duelist
	match _phase:
		Phase.AIM:
			lancer.warp.begin_window(warp_target_name, leap)
			_enter(Phase.LEAP, leap)
		Phase.LEAP:
			lancer.drive = -lancer.global_basis.z * commit_speed
			_enter(Phase.COMMIT, commit)
		Phase.COMMIT:
			lancer.drive = Vector3.ZERO
			lancer.strike(damage, reach)
			_enter(Phase.RECOVER, recover)
		Phase.RECOVER:
			end_ability()


func _end(_reason: int) -> void:
	var lancer := get_agent() as Duelist
	lancer.drive = Vector3.ZERO
	lancer.warp.end_window(warp_target_name)
	lancer.figure.rest()


func _enter(phase: Phase, seconds: float) -> void:
	_phase = phase
	_next += seconds
