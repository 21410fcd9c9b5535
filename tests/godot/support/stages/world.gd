extends Node
## The stage of the tests of WorldTags on two peers: a WorldTagsSync whose tags go by a MultiplayerSynchronizer.

## `+Tag` and `-Tag` of the node's signal, `++Tag` and `--Tag` of the singleton's.
var heard: PackedStringArray = []
var sync: WorldTagsSync


func _ready() -> void:
	WorldTags.tags_changed.connect(_on_changed.bind(2))
	add_sync()


func add_sync() -> void:
	sync = WorldTagsSync.new()
	sync.name = "Tags"
	sync.tags_changed.connect(_on_changed.bind(1))
	add_child(sync)
	var synchronizer: MultiplayerSynchronizer = MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	synchronizer.root_path = NodePath("../Tags")
	synchronizer.replication_config = SceneReplicationConfig.new()
	synchronizer.replication_config.add_property(^".:tags")
	synchronizer.replication_config.property_set_replication_mode(^".:tags", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	add_child(synchronizer)


func drop_sync() -> void:
	get_node(^"Synchronizer").free()
	sync.free()


func add_tag(tag: String) -> void:
	WorldTags.add_tag(tag)


func add_tag_for(tag: String, seconds: float) -> void:
	WorldTags.add_tag_for(tag, seconds)


func add_tag_until(tag: String, sentinel: String) -> void:
	WorldTags.add_tag_until(tag, PackedStringArray([sentinel]))


func remove_tag(tag: String) -> void:
	WorldTags.remove_tag(tag)


func import_nothing() -> bool:
	return WorldTags.import_state({"version": 1, "tags": []})


func tags() -> PackedStringArray:
	return WorldTags.get_tags()


func has_tag(tag: String) -> bool:
	return WorldTags.has_tag(tag)


func synced() -> PackedStringArray:
	return sync.tags


## The value a score gets by the tag "World.Boss" in an evaluator that decides on every peer.
func boosted() -> float:
	var agent: Node3D = Node3D.new()
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.jitter_amount = 0.0
	var spec: ActionSpec = ActionSpec.new()
	spec.action_id = &"Roar"
	spec.execution_method = AnimationMethod.new()
	spec.execution_method.animation = &"roar"
	spec.add_tags = PackedStringArray()
	spec.tag_score_multipliers = {&"World.Boss": 2.0}
	brain.default_action_set = ActionSet.new()
	brain.default_action_set.actions = [spec]
	agent.add_child(brain)
	add_child(agent)
	var score: float = brain.score_action(&"Roar")
	agent.free()
	return score


func last_heard() -> String:
	return "" if heard.is_empty() else heard[-1]


func take_heard() -> PackedStringArray:
	var taken: PackedStringArray = heard
	heard = []
	return taken


func _on_changed(added: PackedStringArray, removed: PackedStringArray, marks: int) -> void:
	for tag: String in added:
		heard.append("+".repeat(marks) + tag)
	for tag: String in removed:
		heard.append("-".repeat(marks) + tag)
