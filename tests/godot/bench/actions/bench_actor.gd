class_name BenchActor
extends Node3D
## An agent of the baselines: decides with action resources, the way a competent user would write it.

var health := 100.0
var max_health := 100.0
var tags: Dictionary[StringName, bool] = {}
var target: BenchActor
var actions: Array[BenchAction] = []
## Game time from which on an action may be used again.
var ready_at: Dictionary[StringName, float] = {}

var best_action: BenchAction
var best_score := 0.0

var _context := BenchContext.new()


func _ready() -> void:
	set_physics_process(false)


func _physics_process(_delta: float) -> void:
	decide(0.0)


func decide(now: float) -> void:
	_read_world()
	best_action = null
	best_score = 0.0
	for action in actions:
		if ready_at.get(action.id, 0.0) > now or not action.is_allowed(_context):
			continue
		var s := action.score(_context)
		if s > best_score:
			best_score = s
			best_action = action


func _read_world() -> void:
	var to := target.global_position - global_position
	var forward := -global_basis.z
	_context.agent = self
	_context.target = target
	_context.distance = to.length()
	_context.angle_deg = rad_to_deg(absf(Vector2(forward.x, forward.z).angle_to(Vector2(to.x, to.z))))
	_context.health = health / max_health
