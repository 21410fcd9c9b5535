extends TestCase
## PerceptionServer: one subscription for all, queries by agent, its own tick, the order of events.

const Rig := preload("res://support/perception_rig.gd")

## What the nodes, the server and the sources said, in order.
var heard: PackedStringArray = []


func test_server_signals_speak_for_every_perceiver() -> void:
	var one: Rig = Rig.new(self)
	var two: Rig = Rig.new(self)
	one.guard.name = "One"
	two.guard.name = "Two"
	var made: StimulusSource3D = one.source(Vector3(0, 0, -5))
	PerceptionServer.target_perceived.connect(_on_server_perceived)
	PerceptionServer.target_lost.connect(_on_server_lost)
	one.advance()
	two.advance()
	made.enabled = false
	one.advance()
	two.advance()
	PerceptionServer.target_perceived.disconnect(_on_server_perceived)
	PerceptionServer.target_lost.disconnect(_on_server_lost)
	eq(heard, PackedStringArray(["server + One", "server + Two", "server - One", "server - Two"]), "each event once")


func test_queries_take_the_agent_or_the_node() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	for who: Node in [rig.guard, rig.eye]:
		eq(PerceptionServer.get_perceived_targets(who).size(), 1, "get_perceived_targets")
		check(PerceptionServer.get_closest_perceived_target(who) == Rig.agent_of(made), "get_closest_perceived_target")
		check(PerceptionServer.can_sense(who, made), "can_sense")
		check(PerceptionServer.can_sense(who, made, PerceptionEvent.SENSE_SIGHT), "can_sense by sight")
		check(not PerceptionServer.can_sense(who, made, PerceptionEvent.SENSE_HEARING), "can_sense by hearing")
		eq(PerceptionServer.get_last_known_location(who, made), Vector3(0, 0, -5), "get_last_known_location")
		var buffer: Array = []
		eq(PerceptionServer.fill_perceived_targets(who, buffer), 1, "fill_perceived_targets")
		check(buffer[0] == Rig.agent_of(made), "filled")
	check(PerceptionServer.get_last_known_location(rig.guard, self) == null, "null for what is not known")


func test_query_of_a_node_that_is_no_perceiver() -> void:
	var plain: Node3D = Node3D.new()
	plain.name = "Plain"
	add_child(plain)
	expect_error("Plain")
	check(not PerceptionServer.can_sense(plain, self), "neutral value")


func test_server_advance_ticks_all_but_manual_nodes() -> void:
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	var served: Rig = _served("Served")
	var manual: Rig = Rig.new(self)
	var made: StimulusSource3D = served.source(Vector3(0, 0, -5))
	await physics(20)
	check(not served.sees(made), "physics frames do not tick it any more")
	PerceptionServer.advance(0.1)
	check(served.sees(made), "one tick of the server")
	check(not manual.sees(made), "a MANUAL node waits for its own advance")
	manual.advance()
	check(manual.sees(made), "which works all the same")
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS


func test_server_advance_needs_manual() -> void:
	expect_error("advance")
	PerceptionServer.advance(0.1)
	check(PerceptionServer.process_callback == PerceptionServer.PROCESS_PHYSICS, "the default")


func test_node_advance_needs_manual() -> void:
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	var served: Rig = _served("Served")
	var made: StimulusSource3D = served.source(Vector3(0, 0, -5))
	expect_error("Served/Perception3D")
	served.eye.advance(0.1)
	check(not served.sees(made), "without effect")
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS


func test_idle_processing_is_refused() -> void:
	var rig: Rig = Rig.new(self)
	expect_error("process_callback")
	rig.eye.process_callback = 1
	eq(rig.eye.process_callback, Perception3D.PROCESS_MANUAL, "the old value stays")
	expect_error("process_callback")
	PerceptionServer.process_callback = 1
	eq(PerceptionServer.process_callback, PerceptionServer.PROCESS_PHYSICS, "the server's too")


func test_order_of_events_in_a_tick() -> void:
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	var one: Rig = _served("One")
	var two: Rig = _served("Two")
	var a: StimulusSource3D = _told_source("A", Vector3(0, 0, -6))
	var b: StimulusSource3D = _told_source("B", Vector3(0, 0, -5))
	PerceptionServer.target_perceived.connect(_on_server_perceived)
	PerceptionServer.target_lost.connect(_on_server_lost)
	PerceptionServer.report_noise(Vector3(0, 0, 1), 1.0, b)
	PerceptionServer.report_damage(one.guard, Rig.agent_of(a), Vector3.ZERO, 1.0)
	PerceptionServer.advance(0.1)
	var want: PackedStringArray = []
	for who: String in ["One", "Two"]:
		for target: String in ["A", "B"]:
			want.append_array(PackedStringArray(["%s target_perceived %s" % [who, target], "server + " + who, "source %s + %s" % [target, who]]))
		for target: String in ["A", "B"]:
			want.append("%s target_sight_gained %s" % [who, target])
		want.append("%s noise_heard B" % who)
		if who == "One":
			want.append("One damage_sensed A")
	eq("\n".join(heard), "\n".join(want), "first tick")

	heard.clear()
	one.eye.forget_time = 0.0
	two.eye.forget_time = 0.0
	var c: StimulusSource3D = _told_source("C", Vector3(0, 0, -4))
	one.place(a, Vector3(0, 0, 90))
	PerceptionServer.report_noise(Vector3(0, 0, 1), 1.0, c)
	PerceptionServer.advance(0.1)
	want.clear()
	for who: String in ["One", "Two"]:
		want.append_array(PackedStringArray([who + " target_sight_lost A", who + " target_lost A", "server - " + who, "source A - " + who,
			who + " target_perceived C", "server + " + who, "source C + " + who, who + " target_sight_gained C", who + " noise_heard C"]))
	eq("\n".join(heard), "\n".join(want), "second tick")
	PerceptionServer.target_perceived.disconnect(_on_server_perceived)
	PerceptionServer.target_lost.disconnect(_on_server_lost)
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS


func test_tick_comes_before_physics_process() -> void:
	# So that the nodes below enter the tree before a step and not in the middle of one.
	await physics()
	var rig: Rig = _served("Guard")
	rig.source(Vector3(0, 0, -5))
	var watcher: Watcher = Watcher.new()
	watcher.eye = rig.eye
	add_child(watcher)
	await physics(4)
	check(watcher.times.size() >= 2, "frames went by")
	check(rig.count(&"target_perceived") == 1, "perceived by itself")
	eq(watcher.known_in_first_frame, true, "known in the first _physics_process already")


func test_paused_perceiver_is_frozen() -> void:
	var rig: Rig = _served("Guard")
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	await physics(3)
	check(rig.sees(made), "seen")
	rig.forget()
	get_tree().paused = true
	rig.place(made, Vector3(0, 0, 200))
	PerceptionServer.report_noise(Vector3(0, 0, 2), 1.0, made)
	await physics(60)
	check(rig.sees(made), "the state is frozen")
	near(rig.eye.get_time_since_sensed(made), 0.0, 0.0001, "no age")
	eq(rig.kinds(), PackedStringArray(), "no signal")
	made.enabled = false
	check(not rig.sees(made), "but a gone source is not answered")
	get_tree().paused = false
	await physics(3)
	eq(rig.count(&"target_lost"), 1, "its end is delivered on resume")


func test_process_mode_disabled_freezes_one_perceiver() -> void:
	var one: Rig = _served("One")
	var two: Rig = _served("Two")
	one.eye.process_mode = Node.PROCESS_MODE_DISABLED
	var made: StimulusSource3D = one.source(Vector3(0, 0, -5))
	await physics(4)
	check(not one.sees(made), "this one does not tick")
	check(two.sees(made), "the other does")
	one.eye.process_mode = Node.PROCESS_MODE_INHERIT
	await physics(4)
	check(one.sees(made), "enabled again")


## A perceiver that the server ticks; its signals go into `heard`.
func _served(title: String) -> Rig:
	var rig: Rig = Rig.new(self)
	rig.guard.name = title
	rig.eye.name = "Perception3D"
	rig.eye.update_interval = 0.0
	rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
	rig.reaction = func(entry: Rig.Raised) -> void: heard.append("%s %s %s" % [title, entry.kind, entry.target.name if entry.target != null else &"-"])
	return rig


func _told_source(title: String, at: Vector3) -> StimulusSource3D:
	var made: StimulusSource3D = Rig.add_source(self, at)
	Rig.agent_of(made).name = title
	made.perceived_by.connect(func(perceiver: Node) -> void: heard.append("source %s + %s" % [title, perceiver.name]))
	made.lost_by.connect(func(perceiver: Node) -> void: heard.append("source %s - %s" % [title, perceiver.name]))
	return made


func _on_server_perceived(event: PerceptionEvent) -> void:
	heard.append("server + " + event.perceiver.name)


func _on_server_lost(event: PerceptionEvent) -> void:
	heard.append("server - " + event.perceiver.name)


## Looks whether a target is known in its first physics frame.
class Watcher:
	extends Node
	var eye: Perception3D
	var times: PackedFloat64Array = []
	var known_in_first_frame: bool = false

	func _physics_process(delta: float) -> void:
		if times.is_empty():
			known_in_first_frame = eye.get_closest_perceived_target() != null
		times.append(delta)
