extends TestCase
## Nodes that come, go, move and stop while others sense them; handlers that change the scene.

const Rig := preload("res://support/perception_rig.gd")


## Registers itself as soon as it can, as the script of a crate would.
class Crate:
	extends Node3D
	var made: Node = null
	var in_enter_tree: bool = false

	func _enter_tree() -> void:
		if in_enter_tree:
			made = PerceptionServer.register_as_source(self, &"Thing.Crate")

	func _ready() -> void:
		if not in_enter_tree:
			made = PerceptionServer.register_as_source(self, &"Thing.Crate")


## A component that makes its parent a source while the parent is still setting up its children.
class Badge:
	extends Node
	var made: Node = null

	func _ready() -> void:
		made = PerceptionServer.register_as_source(get_parent(), &"Thing.Badge")


func test_freed_agent_and_disabled_source() -> void:
	for free_the_agent: bool in [true, false]:
		var rig: Rig = Rig.new(self)
		var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
		var agent: Node3D = Rig.agent_of(made)
		rig.advance()
		check(rig.sees(agent), "seen")
		rig.forget()
		if free_the_agent:
			agent.free()
		else:
			made.enabled = false
		check(rig.eye.get_closest_perceived_target() == null, "no closest target at once")
		eq(rig.eye.get_perceived_targets().size(), 0, "no target at once")
		if not free_the_agent:
			check(not rig.eye.has_target(agent), "no record at once")
			check(not rig.eye.can_sense(agent), "not sensed at once")
			check(rig.eye.get_last_known_location(agent) == null, "no location at once")
		rig.advance()
		eq(rig.kinds(), PackedStringArray(["target_sight_lost", "target_lost"]), "in the next tick")
		eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, "reason")
		if free_the_agent:
			check(rig.first(&"target_lost").target == null, "target is null")
		else:
			check(rig.first(&"target_lost").target == agent, "target is the agent")
		eq(rig.first(&"target_lost").location, Vector3(0, 0, -5), "last known location")


func test_handlers_that_end_what_is_told() -> void:
	_handler_removes_and_frees_the_perceiver()
	_handler_frees_the_targets()
	_handler_forgets_all()


func _handler_removes_and_frees_the_perceiver() -> void:
	var rig: Rig = Rig.new(self)
	for x: float in [0.0, 1.0]:
		rig.source(Vector3(x, 0, -5))
	rig.reaction = func(_entry: Rig.Raised) -> void:
		if rig.guard.is_inside_tree():
			rig.guard.get_parent().remove_child(rig.guard)
			rig.guard.queue_free()
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_perceived"]), "it gets none of its remaining events")
	rig.clear()


func _handler_frees_the_targets() -> void:
	var rig: Rig = Rig.new(self)
	var agents: Array[Node3D] = [
		Rig.agent_of(rig.source(Vector3(0, 0, -5))), Rig.agent_of(rig.source(Vector3(1, 0, -5))),
	]
	rig.reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"target_perceived" and not agents.is_empty():
			agents[0].free()
			agents[1].free()
			agents.clear()
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_perceived"]), "what concerns freed targets is skipped")
	check(rig.eye.get_closest_perceived_target() == null, "no freed target is returned")
	rig.advance()
	eq(rig.count(&"target_lost"), 1, "one end for the one that was delivered")
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, "reason")
	rig.advance(3)
	eq(rig.count(&"target_lost"), 1, "and no more")
	rig.clear()


func _handler_forgets_all() -> void:
	var rig: Rig = Rig.new(self)
	var agents: Array[Node3D] = [
		Rig.agent_of(rig.source(Vector3(0, 0, -5))), Rig.agent_of(rig.source(Vector3(1, 0, -5))),
	]
	var forgotten: Array[int] = []
	rig.reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"target_perceived" and forgotten.is_empty():
			forgotten.append(rig.eye.forget_all())
	rig.advance(3)
	check(forgotten.size() == 1 and forgotten[0] >= 1, "something was forgotten")
	for agent: Node3D in agents:
		var known: bool = false
		for entry: Rig.Raised in rig.raised:
			if entry.target == agent and entry.kind in [&"target_perceived", &"target_lost"]:
				check(known == (entry.kind == &"target_lost"), "perceived and lost take turns")
				known = entry.kind == &"target_perceived"
		eq(known, rig.eye.has_target(agent), "the signals agree with the record")
	check(rig.count(&"target_lost") >= 1, "the record that was forgotten ended")


func test_handler_sees_settled_state() -> void:
	var rig: Rig = Rig.new(self)
	var first: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var second: StimulusSource3D = rig.source(Vector3(1, 0, -5))
	var counts: Array[int] = []
	rig.reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"target_perceived":
			counts.append(rig.eye.get_perceived_targets().size())
			check(rig.sees(first) and rig.sees(second), "both are seen already")
	rig.advance()
	eq(counts, [2, 2] as Array[int], "both are listed in both signals")


func test_source_added_by_a_handler_takes_part_next_tick() -> void:
	var rig: Rig = Rig.new(self)
	rig.source(Vector3(0, 0, -5))
	rig.reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"target_perceived" and rig.tick == 0:
			rig.source(Vector3(1, 0, -5))
	rig.advance()
	eq(rig.count(&"target_perceived"), 1, "not in this tick")
	rig.advance()
	eq(rig.ticks_of(&"target_perceived"), PackedInt32Array([0, 1]), "in the next")


func test_handler_may_call_every_query() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.reaction = func(entry: Rig.Raised) -> void:
		rig.eye.forget_time = 2.0
		rig.eye.detectable_tags = PackedStringArray()
		rig.eye.scan_now()
		rig.eye.has_line_of_sight(entry.target)
		PerceptionServer.report_noise(Vector3(0, 0, -5), 1.0, made)
		PerceptionServer.can_sense(rig.guard, entry.target)
		PerceptionServer.get_closest_perceived_target(rig.guard)
	rig.advance(3)
	check(rig.sees(made), "still seen")
	eq(rig.eye.forget_time, 2.0, "a property set in a handler holds")
	check(rig.count(&"noise_heard") >= 1, "a noise reported in a handler is heard in the next tick")


func test_advance_from_inside_its_own_tick_is_an_error() -> void:
	var rig: Rig = Rig.new(self)
	rig.source(Vector3(0, 0, -5))
	expect_error("advance")
	rig.reaction = func(_entry: Rig.Raised) -> void: rig.eye.advance(1.0)
	rig.advance()
	eq(rig.count(&"target_perceived"), 1, "without effect")
	near(rig.first(&"target_perceived").time, 0.1, 0.0001, "time")


func test_freed_target_reads_as_unknown() -> void:
	var rig: Rig = Rig.new(self)
	var agent: Node3D = Rig.agent_of(rig.source(Vector3(0, 0, -5)))
	rig.advance()
	var gone: Variant = agent
	agent.free()
	check(not rig.eye.has_target(agent) and not rig.eye.can_sense(agent), "from a typed variable")
	check(not PerceptionServer.can_sense(rig.guard, agent), "asked of the server")
	check(not PerceptionServer.report_noise(Vector3.ZERO, 0.0, agent), "in a report")
	for query: StringName in [&"has_target", &"can_sense", &"forget_target", &"has_line_of_sight"]:
		eq(rig.eye.call(query, gone), false, query)
	eq(rig.eye.call(&"get_senses", gone), 0, "get_senses")
	eq(rig.eye.call(&"get_target_state", gone), PerceptionEvent.TARGET_UNKNOWN, "get_target_state")
	check(rig.eye.call(&"get_last_known_location", gone) == null, "get_last_known_location")


func test_queue_freed_target_is_not_returned() -> void:
	var rig: Rig = Rig.new(self)
	var agent: Node3D = Rig.agent_of(rig.source(Vector3(0, 0, -5)))
	rig.advance()
	agent.queue_free()
	check(rig.eye.get_closest_perceived_target() == null, "at once")
	check(not rig.eye.can_sense(agent), "at once, for the node itself")
	rig.advance()
	eq(rig.count(&"target_lost"), 1, "lost at the next tick")


func test_source_out_of_the_tree_is_gone() -> void:
	var rig: Rig = Rig.new(self)
	var agent: Node3D = Rig.agent_of(rig.source(Vector3(0, 0, -5)))
	rig.advance()
	remove_child(agent)
	check(not rig.eye.has_target(agent), "at once")
	rig.advance()
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, "gone")
	add_child(agent)
	rig.advance()
	eq(rig.count(&"target_perceived"), 2, "back: perceived anew")


func test_reparented_within_one_frame_raises_nothing() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var agent: Node3D = Rig.agent_of(made)
	var other: Node3D = Node3D.new()
	add_child(other)
	rig.advance()
	rig.forget()
	agent.reparent(other)
	rig.advance()
	eq(rig.kinds(), PackedStringArray(), "no signal")
	check(rig.sees(agent), "still seen")


func test_perceiver_reparented_within_one_frame_keeps_its_records() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var other: Node3D = Node3D.new()
	add_child(other)
	rig.advance()
	rig.forget()
	rig.guard.reparent(other)
	rig.advance()
	eq(rig.kinds(), PackedStringArray(), "no signal")
	check(rig.sees(made), "still seen")


func test_source_moved_to_another_agent() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var old_agent: Node3D = Rig.agent_of(made)
	var new_agent: Node3D = Node3D.new()
	new_agent.position = Vector3(1, 0, -5)
	add_child(new_agent)
	rig.advance()
	rig.forget()
	made.reparent(new_agent, false)
	rig.advance()
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, "the old agent is gone")
	check(rig.first(&"target_lost").target == old_agent, "target of the loss")
	check(rig.first(&"target_perceived").target == new_agent, "the new agent starts fresh")
	check(made.get_agent() == new_agent, "get_agent")


func test_perceiver_that_leaves_the_tree_raises_nothing() -> void:
	var rig: Rig = Rig.new(self)
	rig.source(Vector3(0, 0, -5))
	rig.advance()
	eq(rig.count(&"target_perceived"), 1, "one record")
	rig.forget()
	rig.guard.free()
	await physics(2)
	eq(rig.kinds(), PackedStringArray(), "no signal on the way out")


func test_disabled_perceiver() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	rig.eye.enabled = false
	PerceptionServer.report_noise(Vector3(0, 0, 1), 1.0, made)
	rig.advance()
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_DISMISSED, "all records end")
	eq(rig.count(&"noise_heard"), 0, "reports are ignored")
	check(not rig.eye.has_target(made), "no record")
	rig.eye.enabled = true
	rig.advance()
	check(rig.sees(made), "enabled again, it scans in the next tick")


func test_register_as_source_from_ready_and_enter_tree() -> void:
	for in_enter_tree: bool in [false, true]:
		var rig: Rig = Rig.new(self)
		rig.eye.detectable_tags = ["Thing.Crate"]
		var crate: Crate = Crate.new()
		crate.in_enter_tree = in_enter_tree
		crate.position = Vector3(0, 0, -5)
		add_child(crate)
		check(crate.made is StimulusSource3D, "the source is returned")
		rig.advance()
		check(rig.sees(crate), "the registration counts at once")
		await physics(1)
		check(crate.made.get_parent() == crate, "the source is a child")
		rig.advance()
		check(rig.sees(crate), "and goes on")
		eq(rig.count(&"target_perceived"), 1, "perceived once")
		rig.guard.free()
		crate.free()


func test_register_the_parent_while_it_sets_up_its_children() -> void:
	var rig: Rig = Rig.new(self)
	var agent: Node3D = Node3D.new()
	agent.position = Vector3(0, 0, -5)
	var badge: Badge = Badge.new()
	agent.add_child(badge)
	add_child(agent)
	rig.advance()
	check(rig.sees(agent), "the registration counts at once")
	await physics(2)
	check(badge.made != null and badge.made.get_parent() == agent, "the source became a child")
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_perceived", "target_sight_gained"]), "one record")


func test_register_as_source_uses_an_authored_source() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5), ["Team.Red"])
	var back: Node = PerceptionServer.register_as_source(Rig.agent_of(made), &"Role.Thief", PerceptionEvent.SENSE_SIGHT)
	check(back == made, "the same node")
	eq(made.affiliation_tags, PackedStringArray(["Team.Red", "Role.Thief"]), "one tag more")
	eq(made.registered_senses, PerceptionEvent.SENSE_SIGHT, "senses set")


func test_unregister_source() -> void:
	var rig: Rig = Rig.new(self)
	var added: Node3D = Node3D.new()
	added.position = Vector3(0, 0, -5)
	add_child(added)
	PerceptionServer.register_as_source(added)
	var authored: StimulusSource3D = rig.source(Vector3(1, 0, -5))
	rig.advance()
	eq(rig.eye.get_perceived_targets().size(), 2, "both are seen")
	check(PerceptionServer.unregister_source(added), "one that was added")
	check(PerceptionServer.unregister_source(Rig.agent_of(authored)), "one that was authored")
	rig.advance()
	eq(rig.eye.get_perceived_targets().size(), 0, "none is seen")
	await physics(2)
	eq(added.get_child_count(), 0, "the added source is removed")
	check(is_instance_valid(authored) and not authored.enabled, "the authored one is disabled")
	check(not PerceptionServer.unregister_source(added), "nothing is left to do")


func test_server_adds_a_perception() -> void:
	var agent: Node3D = Node3D.new()
	add_child(agent)
	var made: Perception3D = PerceptionServer.add_detectable_tag(agent, &"Team.Red")
	not_null(made, "a Perception is returned")
	if made == null:
		return
	eq(made.detectable_tags, PackedStringArray(["Team.Red"]), "with the tag")
	await physics(2)
	check(made.get_parent() == agent, "it is a child of the agent")
	check(PerceptionServer.add_detectable_tag(agent, &"Team.Blue") == made, "the same one again")
	eq(made.detectable_tags, PackedStringArray(["Team.Red", "Team.Blue"]), "with both tags")
	check(PerceptionServer.add_detectable_tag(made, &"Team.Blue") == made, "the node itself may be named")


func test_agent_path() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var boss: Node3D = Node3D.new()
	boss.position = Vector3(0, 0, -6)
	add_child(boss)
	made.agent_path = made.get_path_to(boss)
	rig.advance()
	check(made.get_agent() == boss, "agent of the source")
	check(rig.first(&"target_perceived").target == boss, "it is the target")
	eq(rig.first(&"target_perceived").location, Vector3(0, 0, -5), "sensed at the source's own place")
	check(rig.eye.get_agent() == rig.guard, "agent of the perceiver")


## A user's own perception; its callbacks must not silence those of the class.
class OwnCallbacks:
	extends Perception3D
	var calls: int = 0

	func _enter_tree() -> void:
		calls += 1

	func _ready() -> void:
		calls += 1

	func _physics_process(_delta: float) -> void:
		calls += 1

	func _exit_tree() -> void:
		calls += 1


func test_scripted_perception_with_callbacks_of_its_own() -> void:
	var agent: Node3D = Node3D.new()
	var eye: OwnCallbacks = OwnCallbacks.new()
	agent.add_child(eye)
	add(agent)
	var made: StimulusSource3D = Rig.add_source(self, Vector3(0, 0, -5))
	await until(func() -> bool: return eye.can_sense(made), "it senses", 1.0)
	check(eye.calls > 2, "its own callbacks run too")
	var lost: SignalRecord = record(made.lost_by)
	remove_child(agent)
	await physics(2)
	eq(lost.count(), 0, "leaving the tree raises nothing")
	agent.free()
