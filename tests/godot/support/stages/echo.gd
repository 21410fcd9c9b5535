extends Node
## A stage that answers, calls the other side and misbehaves on demand.

var heard: PackedStringArray = []
var counter := 0


func _ready() -> void:
	var synchronizer := MultiplayerSynchronizer.new()
	synchronizer.replication_config = SceneReplicationConfig.new()
	# By name: the two sides find it by its path.
	synchronizer.name = "Synchronizer"
	synchronizer.replication_config.add_property(^".:counter")
	add_child(synchronizer)


@rpc("any_peer", "call_remote", "reliable")
func hear(text: String) -> void:
	heard.append(text)


func say(text: String) -> void:
	hear.rpc(text)


func get_heard() -> PackedStringArray:
	return heard


func get_counter() -> int:
	return counter


func add(a: int, b: int) -> int:
	return a + b


func later() -> String:
	await get_tree().process_frame
	return "later"


func complain(text: String) -> void:
	push_error(text)


func warn(text: String) -> void:
	push_warning(text)


func stumble() -> void:
	var nothing: Variant = null
	nothing.call("anything")


func leave(code: int) -> void:
	get_tree().quit(code)
