extends Node
## The stage of the mirror test: a guard whose authority is the server, and two thieves. The guard's Perception is on
## MANUAL, so that both sides say when it ticks; its `sync_state` goes by a MultiplayerSynchronizer.

var eye: Node
var thieves: Array[Node] = []
## `+Name` for each target_perceived, `-Name` for each target_lost, and other signals by name.
var heard: PackedStringArray = []
var in_2d := false


func _ready() -> void:
	in_2d = "Flat" in name or get_script().resource_path.contains("flat")
	var guard: Node = _put("Guard", 0.0)
	eye = Perception2D.new() if in_2d else Perception3D.new()
	eye.name = "Eye"
	eye.set(&"process_callback", PerceptionServer.PROCESS_MANUAL)
	eye.set(&"eye_offset", Vector2.ZERO if in_2d else Vector3.ZERO)
	guard.add_child(eye)
	for kind: StringName in [&"target_perceived", &"target_lost", &"target_sight_gained", &"target_sight_lost", &"noise_heard", &"damage_sensed"]:
		eye.connect(kind, _on_event.bind(kind))
	for i in 2:
		var thief := _put("Thief%d" % i, 300.0)
		var source: Node = StimulusSource2D.new() if in_2d else StimulusSource3D.new()
		source.set(&"sight_target_offset", Vector2.ZERO if in_2d else Vector3.ZERO)
		thief.add_child(source)
		thieves.append(thief)
	var synchronizer := MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	synchronizer.root_path = NodePath("../Guard/Eye")
	synchronizer.replication_config = SceneReplicationConfig.new()
	synchronizer.replication_config.add_property(^".:sync_state")
	synchronizer.replication_config.property_set_replication_mode(^".:sync_state", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	add_child(synchronizer)


func _put(title: String, ahead: float) -> Node:
	var made: Node = Node2D.new() if in_2d else Node3D.new()
	made.name = title
	made.set(&"position", _at(ahead))
	add_child(made)
	return made


func _at(ahead: float) -> Variant:
	return Vector2(ahead * 20.0, 0) if in_2d else Vector3(0, 0, -ahead)


func place(number: int, ahead: float) -> void:
	thieves[number].set(&"position", _at(ahead))


func advance(count: int) -> void:
	for i in count:
		eye.call(&"advance", 0.1)


func free_thief(number: int) -> void:
	thieves[number].free()


func set_authority_only(on: bool) -> void:
	eye.set(&"authority_only", on)


func report(number: int) -> void:
	if in_2d:
		PerceptionServer.report_noise_2d(Vector2.ZERO, 5.0, thieves[number])
		PerceptionServer.report_damage_2d(eye, thieves[number], Vector2.ZERO, 5.0)
	else:
		PerceptionServer.report_noise(Vector3.ZERO, 5.0, thieves[number])
		PerceptionServer.report_damage(eye, thieves[number], Vector3.ZERO, 5.0)
	PerceptionServer.report_stimulus(eye, thieves[number], &"Smell", 1.0)


## What the guard knows here: name, senses, state, distance of the last known location.
func known() -> Array:
	var rows := []
	for target: Node in eye.call(&"get_perceived_targets"):
		var at: Variant = eye.call(&"get_last_known_location", target)
		var metres: float = at.length() / (20.0 if in_2d else 1.0)
		rows.append([str(target.name), eye.call(&"get_senses", target), eye.call(&"get_target_state", target), snappedf(metres, 0.01)])
	return rows


func closest() -> String:
	var target: Node = eye.call(&"get_closest_perceived_target")
	return "" if target == null else str(target.name)


func age(number: int) -> float:
	return eye.call(&"get_time_since_sensed", thieves[number])


func take_heard() -> PackedStringArray:
	var taken := heard
	heard = []
	return taken


func get_heard() -> PackedStringArray:
	return heard


func state_size() -> int:
	return eye.get(&"sync_state").get("records", []).size()


func _on_event(event: PerceptionEvent, kind: StringName) -> void:
	var who := "?" if event.target == null else str(event.target.name)
	match kind:
		&"target_perceived":
			heard.append("+" + who)
		&"target_lost":
			heard.append("-" + who)
		_:
			heard.append("%s %s" % [kind, who])
