extends "res://support/stages/fighting.gd"
## The stage of the fighter with a ReactionEvaluator beside the other one, on MANUAL too; its `sync_state` goes by a
## MultiplayerSynchronizer of its own.

const Kit := preload("res://support/reaction_rig.gd")

var reactions: ReactionEvaluator
var told: PackedStringArray = []


func _ready() -> void:
	super()
	reactions = ReactionEvaluator.new()
	reactions.name = "Reactions"
	reactions.process_callback = ReactionEvaluator.PROCESS_MANUAL
	reactions.random_seed = 12345
	reactions.default_reaction_set = ReactionSet.new()
	var parry: ReactionSpec = Kit.reaction()
	parry.cooldown_duration = 2.0
	parry.cooldown_interrupt_refund = 0.5
	var dodge: ReactionSpec = Kit.delayed(0.25, &"Dodge", "Event.Slow")
	reactions.default_reaction_set.reactions = [parry, dodge, Kit.reaction(&"Flinch", "Event.Push")]
	_listen_to_reactions()
	brain.get_parent().add_child(reactions)
	var synchronizer: MultiplayerSynchronizer = MultiplayerSynchronizer.new()
	synchronizer.name = "ReactionSynchronizer"
	synchronizer.root_path = NodePath("../Guard/Reactions")
	synchronizer.replication_config = SceneReplicationConfig.new()
	synchronizer.replication_config.add_property(^".:sync_state")
	synchronizer.replication_config.property_set_replication_mode(^".:sync_state", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	add_child(synchronizer)


func _listen_to_reactions() -> void:
	reactions.reaction_set_changed.connect(func(_set: ReactionSet, source: int) -> void: told.append("set %d" % source))
	reactions.reaction_started.connect(func(id: StringName, target: Node, run: int) -> void:
		told.append("started %s %s #%d" % [id, target.name if target != null else &"", run]))
	reactions.reaction_ended.connect(func(id: StringName, reason: int, run: int) -> void: told.append("ended %s %d #%d" % [id, reason, run]))
	reactions.reaction_pending.connect(func(id: StringName, delay: float) -> void: told.append("waits %s %.2f" % [id, delay]))
	reactions.reaction_refused.connect(func(tag: StringName) -> void: told.append("ignored %s" % tag))
	reactions.cooldown_started.connect(func(id: StringName, seconds: float) -> void: told.append("cooling %s %.2f" % [id, seconds]))
	reactions.cooldown_expired.connect(func(id: StringName) -> void: told.append("ready %s" % id))


func take_told() -> PackedStringArray:
	var taken: PackedStringArray = told
	told = []
	return taken


func get_told() -> PackedStringArray:
	return told


func react(event: String) -> StringName:
	return reactions.react(StringName(event))


func force(id: String) -> int:
	return reactions.execute_reaction(StringName(id))


func drop_reaction() -> bool:
	return reactions.abort_reaction()


func step_reactions(count: int) -> void:
	for n: int in count:
		reactions.advance(0.1)


func answering() -> Array:
	var target: Node = reactions.get_running_target()
	return [reactions.is_executing(), reactions.get_running_reaction(), reactions.get_run_id(), target.name if target != null else &""]


func reaction_cooldown(id: String) -> float:
	return reactions.get_remaining_cooldown(StringName(id))


func reaction_cooldowns() -> Dictionary:
	return reactions.get_all_active_cooldowns()


func reaction_source() -> int:
	return reactions.get_reaction_set_source()


func hand_reactions_over(peer: int) -> void:
	reactions.set_multiplayer_authority(peer)


func react_everywhere(on: bool) -> void:
	reactions.authority_only = not on


func write_nonsense_to_reactions() -> void:
	reactions.sync_state = {"running": 5}
