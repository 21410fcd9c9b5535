extends Node
## The stage of the tests of an evaluator whose authority is another program. The evaluator is on MANUAL, so that both
## sides say when it steps; its `sync_state` goes by a MultiplayerSynchronizer.

const Doubles := preload("res://support/doubles.gd")

var brain: ActionEvaluator
var foe: Node3D
var heard: PackedStringArray = []


func _ready() -> void:
	foe = Node3D.new()
	foe.name = "Foe"
	foe.position = Vector3(0, 0, -2)
	add_child(foe)
	var guard: Node3D = Node3D.new()
	guard.name = "Guard"
	brain = ActionEvaluator.new()
	brain.name = "Brain"
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.auto_evaluate = false
	brain.random_seed = 12345
	brain.jitter_amount = 0.0
	brain.default_action_set = ActionSet.new()
	brain.default_action_set.actions = [_spec(&"Jab", 1.0, 2.0), _spec(&"Heavy", 0.5, 0.0)]
	_listen()
	guard.add_child(brain)
	add_child(guard)
	brain.target = foe
	var synchronizer: MultiplayerSynchronizer = MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	synchronizer.root_path = NodePath("../Guard/Brain")
	synchronizer.replication_config = SceneReplicationConfig.new()
	synchronizer.replication_config.add_property(^".:sync_state")
	synchronizer.replication_config.property_set_replication_mode(^".:sync_state", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	add_child(synchronizer)


func _spec(id: StringName, weight: float, cooldown: float) -> ActionSpec:
	var made: ActionSpec = ActionSpec.new()
	made.action_id = id
	made.selection_weight = weight
	made.cooldown_duration = cooldown
	made.cooldown_randomization = 0.0
	made.cooldown_interrupt_refund = 0.5
	made.add_tags = PackedStringArray()
	made.execution_method = Doubles.Method.new()
	return made


func _listen() -> void:
	brain.action_set_changed.connect(func(_set: ActionSet, source: int) -> void: heard.append("set %d" % source))
	brain.action_started.connect(func(id: StringName, target: Node, run: int) -> void:
		heard.append("started %s %s #%d" % [id, target.name if target != null else &"", run]))
	brain.action_ended.connect(func(id: StringName, reason: int, run: int) -> void: heard.append("ended %s %d #%d" % [id, reason, run]))
	brain.cooldown_started.connect(func(id: StringName, seconds: float) -> void: heard.append("cooling %s %.2f" % [id, seconds]))
	brain.cooldown_expired.connect(func(id: StringName) -> void: heard.append("ready %s" % id))
	brain.no_valid_action.connect(func() -> void: heard.append("nothing"))


func take_heard() -> PackedStringArray:
	var taken: PackedStringArray = heard
	heard = []
	return taken


func get_heard() -> PackedStringArray:
	return heard


func advance(count: int) -> void:
	for i: int in count:
		brain.advance(0.1)


func evaluate() -> bool:
	return brain.evaluate_now()


func execute(id: String) -> int:
	return brain.execute_action(id)


func abort() -> bool:
	return brain.abort_action()


func running() -> Array:
	var target: Node = brain.get_running_target()
	return [brain.is_executing(), brain.get_running_action(), brain.get_run_id(), target.name if target != null else &""]


func running_time() -> float:
	return brain.get_running_time()


func cooldown(id: String) -> float:
	return brain.get_remaining_cooldown(id)


func cooldowns() -> Dictionary:
	return brain.get_all_active_cooldowns()


func source() -> int:
	return brain.get_action_set_source()


func set_authority_only(on: bool) -> void:
	brain.authority_only = on


func hand_over(peer: int) -> void:
	brain.set_multiplayer_authority(peer)


func write_nonsense() -> void:
	brain.sync_state = {"running": 5}


func drop_foe() -> void:
	foe.free()
