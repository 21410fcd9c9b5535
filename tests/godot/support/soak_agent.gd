extends CharacterBody3D
## An agent of the soak test: senses, can be sensed, decides, and tells a ledger what began and ended.

const Ledger := preload("res://support/soak_ledger.gd")

var ledger: Ledger
var eye: Perception3D = Perception3D.new()
var brain: ActionEvaluator = ActionEvaluator.new()
var _heading: Vector3 = Vector3.ZERO


func set_up(book: Ledger, moves: ActionSet) -> void:
	ledger = book
	collision_layer = 2
	eye.sight_radius = 12.0
	eye.lose_sight_radius = 15.0
	eye.forget_time = 0.5
	# Blow for blow, records would displace each other without end.
	eye.max_perceived_targets = 128
	eye.target_perceived.connect(_on_target_perceived)
	eye.target_lost.connect(_on_target_lost)
	brain.default_action_set = moves
	brain.action_started.connect(_on_action_started)
	brain.action_ended.connect(_on_action_ended)
	var tags: TagContainer = TagContainer.new()
	for part: Node in [eye, StimulusSource3D.new(), tags, brain]:
		add_child(part)


func _physics_process(delta: float) -> void:
	if ledger.chance(0.05):
		var angle: float = ledger.random.randf() * TAU
		_heading = Vector3(cos(angle), 0, sin(angle))
		rotation.y = angle
	position += _heading * delta * 3.0
	if ledger.chance(0.01):
		PerceptionServer.report_noise(global_position, ledger.random.randf() * 2.0, self)


## Called by a CallMethod. No context, no timer: the engine leaks what a coroutine holds when its node is freed.
func shout() -> bool:
	for i: int in 6:
		await get_tree().physics_frame
	return ledger.chance(0.5)


func _on_target_perceived(event: PerceptionEvent) -> void:
	ledger.perceived(self, event.target_id)
	if event.target != null:
		PerceptionServer.report_damage(event.target, self, event.location, 1.0)
		if ledger.chance(0.02):
			event.target.queue_free()
	if ledger.chance(0.02):
		queue_free()


func _on_target_lost(event: PerceptionEvent) -> void:
	ledger.lost(self, event.target_id)


func _on_action_started(_id: StringName, target: Node, run_id: int) -> void:
	ledger.started(brain, run_id)
	if ledger.chance(0.02) and target != null:
		target.queue_free()


func _on_action_ended(_id: StringName, reason: int, run_id: int) -> void:
	ledger.ended(brain, run_id, reason)
	if ledger.chance(0.02):
		queue_free()
	elif ledger.chance(0.1):
		brain.evaluate_now()
