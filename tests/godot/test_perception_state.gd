extends TestCase
## State in and out of perceivers and the server, and the copy that another peer holds.

const Rig := preload("res://support/perception_rig.gd")


func test_a_state_survives_json_and_raises_nothing() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	rig.advance()
	rig.place(made, Vector3(1, 0, -10))
	rig.advance()
	rig.place(made, Vector3(0, 0, 40))
	rig.advance(3)
	var saved: Dictionary = JSON.parse_string(JSON.stringify(rig.eye.export_state()))
	eq(saved["version"], 1.0, "version")
	near(saved["time"], 0.5, 1e-6, "time")
	eq((saved["records"] as Array)[0]["target"], str(made.get_parent().get_path()), "target by its path")
	rig.eye.forget_all()
	rig.advance()
	rig.forget()
	check(rig.eye.import_state(saved), "imported")
	check(rig.eye.has_target(made), "known again")
	eq(rig.kinds(), PackedStringArray(), "without a signal")
	near(rig.eye.get_time_since_sensed(made), 0.3, 1e-6, "age")
	near(rig.eye.get_last_known_velocity(made), Vector3(10, 0, 0), 1e-4, "velocity")
	near(rig.eye.get_last_known_location(made), Vector3(1, 0, -10), 1e-4, "location")
	rig.advance(50)
	eq(rig.kinds(), PackedStringArray(["target_lost"]), "lost once, told once")


func test_a_wrong_state_is_refused() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -10))
	rig.advance()
	var good := rig.eye.export_state()
	var newer := good.duplicate(true)
	newer["version"] = 2
	expect_error("import_state() got a state of version 2")
	check(not rig.eye.import_state(newer), "another version")
	var broken := good.duplicate(true)
	broken["records"] = 5
	expect_error("another structure")
	check(not rig.eye.import_state(broken), "another structure")
	var wild := good.duplicate(true)
	wild["records"][0]["age"] = -1.0
	expect_error("is out of range in the state")
	check(not rig.eye.import_state(wild), "a number out of range")
	check(rig.sees(made), "nothing changed")
	var gone := good.duplicate(true)
	gone["records"][0]["target"] = "/root/Nobody"
	expect_warning("there is no node at \"/root/Nobody\"")
	check(rig.eye.import_state(gone), "what is not there is left out")
	check(not rig.eye.has_target(made), "the rest replaces all")


func test_before_the_tree_there_is_no_state() -> void:
	var eye := Perception3D.new()
	eq(eye.export_state(), {}, "empty")
	expect_error("before the node was in the tree")
	check(not eye.import_state({"version": 1, "time": 0.0, "wait": 0.0, "records": []}), "refused")
	eye.free()


func test_the_server_saves_waiting_reports() -> void:
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	var rig: Rig = Rig.new(self)
	rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
	var made: StimulusSource3D = rig.source(Vector3(0, 0, 3))
	PerceptionServer.advance(0.1)
	made.report_noise(1.0, &"Noise.Step")
	PerceptionServer.report_damage(rig.guard, made, Vector3(0, 1, 0), 5.0)
	PerceptionServer.report_stimulus(rig.guard, made, &"smell", 0.5)
	var saved: Dictionary = JSON.parse_string(JSON.stringify(PerceptionServer.export_state()))
	PerceptionServer.advance(0.1)
	var first := rig.kinds()
	eq(first, PackedStringArray(["target_perceived", "noise_heard", "damage_sensed"]), "as reported")
	rig.eye.forget_all()
	PerceptionServer.advance(0.1)
	rig.forget()
	check(PerceptionServer.import_state(saved), "imported")
	check(not rig.eye.has_target(made), "as it was before")
	PerceptionServer.advance(0.1)
	eq(rig.kinds(), first, "the reports are applied again")
	eq(rig.eye.get_senses(made), 14, "all of them")
	expect_error("import_state() got a state of no version")
	check(not PerceptionServer.import_state({}), "no state")
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS


func test_what_is_published() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	eq(rig.eye.sync_state, {}, "nothing yet")
	rig.advance()
	var first := rig.eye.sync_state
	var path := str(made.get_parent().get_path())
	eq(first, {"records": [{"path": path, "senses": 1, "location": [0.0, 0.0, -5.0], "age": 0.0}]}, "one record")
	rig.advance()
	check(is_same(first, rig.eye.sync_state), "the same dictionary while nothing changes")
	rig.place(made, Vector3(0, 0, 50))
	rig.advance()
	check(not is_same(first, rig.eye.sync_state), "a new one when the sense is gone")
	eq((rig.eye.sync_state["records"] as Array)[0]["senses"], 0, "out of sight")
	var usage := 0
	for property in rig.eye.get_property_list():
		if property["name"] == "sync_state":
			usage = property["usage"]
	eq(usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR), 0, "not stored, not shown")


func test_a_copy_answers_and_tells_but_never_senses() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	var holder := _without_authority()
	var eye := _copy(holder)
	var told: Array[StringName] = []
	eye.target_perceived.connect(func(event: PerceptionEvent) -> void:
		eq(event.target, made.get_parent(), "who")
		eq(event.location, Vector3(0, 0, -5), "where")
		told.append(&"perceived"))
	eye.target_lost.connect(func(event: PerceptionEvent) -> void:
		eq(event.target, made.get_parent(), "who")
		told.append(&"lost"))
	await physics(3)
	check(not eye.has_target(made), "it does not sense itself")
	check(not PerceptionServer.report_damage(eye.get_parent(), made, Vector3.ZERO, 1.0), "reports are ignored")
	eye.sync_state = rig.eye.sync_state
	check(eye.has_target(made), "known at once")
	check(eye.can_sense(made, Perception3D.SENSE_SIGHT), "seen")
	eq(eye.get_closest_perceived_target(), made.get_parent(), "closest")
	eq(eye.get_last_known_location(made), Vector3(0, 0, -5), "location")
	eq(PerceptionServer.get_perceived_targets(eye.get_parent()), [made.get_parent()] as Array[Node], "by its agent")
	has_element(made.get_perceivers(), eye.get_parent(), "who senses me")
	await idle()
	eq(told, [&"perceived"] as Array[StringName], "told once")
	eye.sync_state = rig.eye.sync_state
	await idle()
	eq(told, [&"perceived"] as Array[StringName], "and not again")
	eye.sync_state = {"records": []}
	check(not eye.has_target(made), "not known any more")
	await idle()
	eq(told, [&"perceived", &"lost"] as Array[StringName], "told")
	expect_error("sync_state was given something else")
	eye.sync_state = {"records": [{"path": 5}]}
	_give_authority_back(holder)


func test_a_copy_that_gets_the_authority_goes_on() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	var holder := _without_authority()
	var eye := _copy(holder)
	eye.forget_time = 0.2
	eye.sync_state = rig.eye.sync_state
	await idle()
	var told: Array[StringName] = []
	eye.target_perceived.connect(func(_event: PerceptionEvent) -> void: told.append(&"perceived"))
	eye.target_lost.connect(func(_event: PerceptionEvent) -> void: told.append(&"lost"))
	_give_authority_back(holder)
	await physics(3)
	check(eye.has_target(made), "still known")
	eq(told, [] as Array[StringName], "without a signal")
	rig.place(made, Vector3(0, 0, 90))
	await until(func() -> bool: return told == ([&"lost"] as Array[StringName]), "it forgets by itself")


func test_off_it_senses_on_every_peer() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var holder := _without_authority()
	var eye := _copy(holder)
	eye.authority_only = false
	await physics(10)
	check(eye.has_target(made), "sensed here")
	_give_authority_back(holder)


func _copy(holder: Node) -> Perception3D:
	var agent := Node3D.new()
	var eye := Perception3D.new()
	eye.eye_offset = Vector3.ZERO
	agent.add_child(eye)
	add(agent, holder)
	return eye


## A node below which this peer has no authority: a client that waits for its server.
func _without_authority() -> Node:
	var holder := Node.new()
	add(holder)
	var peer := ENetMultiplayerPeer.new()
	peer.create_client("127.0.0.1", 9)
	var api := SceneMultiplayer.new()
	api.multiplayer_peer = peer
	get_tree().set_multiplayer(api, holder.get_path())
	return holder


func _give_authority_back(holder: Node) -> void:
	var api := holder.multiplayer as SceneMultiplayer
	api.multiplayer_peer.close()
	api.multiplayer_peer = null
	get_tree().set_multiplayer(null, holder.get_path())
