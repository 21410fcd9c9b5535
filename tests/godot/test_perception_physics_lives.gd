extends TestCase
## Agents that are freed, moved or rebuilt under the eyes of a perceiver, with real bodies. Files with _physics_ in their
## name run under both physics engines.

const Rig := preload("res://support/perception_rig.gd")


func test_freed_target_in_a_typed_variable_reads_as_unknown() -> void:
	var rig: Rig = Rig.new(self)
	var agent: Node3D = Rig.agent_of(rig.source(Vector3(0, 0, -5)))
	rig.advance()
	check(rig.eye.has_target(agent), "known")
	agent.free()
	check(not rig.eye.has_target(agent), "has_target")
	check(not rig.eye.can_sense(agent), "can_sense")
	eq(rig.eye.get_time_since_sensed(agent), -1.0, "get_time_since_sensed")
	eq(rig.eye.get_last_known_location_or(agent, Vector3.ONE), Vector3.ONE, "get_last_known_location_or")
	check(not rig.eye.has_line_of_sight(agent), "has_line_of_sight")
	check(not PerceptionServer.can_sense(rig.guard, agent), "of the server")
	check(not PerceptionServer.report_noise(Vector3.ZERO, 0.0, agent), "instigator of a noise")
	check(PerceptionServer.report_noise(Vector3.ZERO, 1.0, agent), "a freed instigator makes the noise of a place")


func test_event_kept_after_the_target_is_freed() -> void:
	var rig: Rig = Rig.new(self)
	var agent: Node3D = Rig.agent_of(rig.source(Vector3(0, 0, -5)))
	var id: int = agent.get_instance_id()
	var kept: Array[PerceptionEvent] = []
	rig.eye.target_perceived.connect(func(event: PerceptionEvent) -> void: kept.append(event))
	rig.advance()
	check(kept[0].target == agent, "the target")
	check(kept[0].perception == rig.eye and kept[0].perceiver == rig.guard, "the perceiver and its node")
	eq(kept[0].target_id, id, "its id")
	agent.free()
	check(kept[0].target == null, "reads as null once freed")
	eq(kept[0].target_id, id, "the id stays")
	eq(kept[0].location, Vector3(0, 0, -5), "and the location")


func test_body_added_deep_below_the_perceiver_does_not_block() -> void:
	var rig: Rig = Rig.new(self, character(Vector3.ZERO, "Guard", 1))
	rig.eye.eye_offset = Vector3(0, 1, 0)
	var made: StimulusSource3D = rig.source(Vector3(0, 1, -6))
	var arm: Node3D = Node3D.new()
	rig.guard.add_child(arm)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "seen before")
	# Grandchildren of the agent come without notice: they are found when a ray hits them.
	for i: int in 3:
		var plate: StaticBody3D = wall(Vector3(0, 1, -1 - i), Vector3(2, 2, 0.1))
		plate.reparent(arm)
	await physics(2)
	rig.advance(2)
	check(rig.sees(made), "own bodies are looked through")
	var slab: StaticBody3D = wall(Vector3(0, 1, -5), Vector3(2, 2, 0.1))
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "the wall behind them blocks")
	check(not rig.eye.has_line_of_sight(made), "the same for has_line_of_sight")
	slab.free()


func test_body_that_leaves_the_perceiver_blocks() -> void:
	var rig: Rig = Rig.new(self, character(Vector3.ZERO, "Guard", 1))
	rig.eye.eye_offset = Vector3(0, 1, 0)
	var made: StimulusSource3D = rig.source(Vector3(0, 1, -6))
	var shield: StaticBody3D = wall(Vector3(0, 1, -1), Vector3(2, 2, 0.1))
	shield.reparent(rig.guard)
	await physics(2)
	rig.advance()
	check(rig.sees(made), "its own shield is looked through")
	shield.reparent(self)
	await physics(2)
	rig.advance()
	check(not rig.sees(made), "thrown away, it blocks")


func test_point_at_the_eye_is_visible() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3.ZERO)
	wall(Vector3.ZERO, Vector3(2, 2, 2))
	await physics(2)
	rig.advance()
	check(rig.sees(made), "no ray is needed")


func test_agent_named_by_path_is_freed() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var boss: Node3D = Node3D.new()
	boss.position = Vector3(0, 0, -6)
	add_child(boss)
	made.agent_path = made.get_path_to(boss)
	rig.advance()
	check(rig.first(&"target_perceived").target == boss, "the boss is the target")
	rig.forget()
	boss.free()
	check(rig.eye.get_closest_perceived_target() == null, "gone at once")
	rig.advance()
	eq(rig.kinds(), PackedStringArray(["target_sight_lost", "target_lost"]), "lost in the next tick")
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, "reason")
	rig.advance()
	eq(rig.count(&"target_perceived"), 0, "a source without an agent is not sensed")


func test_agent_named_by_path_leaves_and_comes_back() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var boss: Node3D = Node3D.new()
	add_child(boss)
	made.agent_path = made.get_path_to(boss)
	rig.advance()
	remove_child(boss)
	check(not rig.eye.has_target(boss), "not while it is out of the tree")
	rig.advance()
	eq(rig.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, "gone")
	add_child(boss)
	rig.advance()
	check(rig.sees(boss), "back")
	made.agent_path = NodePath()
	rig.advance()
	check(rig.sees(Rig.agent_of(made)) and not rig.sees(boss), "its parent again")
	remove_child(boss)
	rig.advance()
	check(rig.sees(Rig.agent_of(made)), "what the boss does is no matter any more")
	boss.free()


func test_order_of_children_decides_which_source_counts() -> void:
	var rig: Rig = Rig.new(self)
	var first: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var agent: Node3D = Rig.agent_of(first)
	var second: StimulusSource3D = StimulusSource3D.new()
	second.sight_target_offset = Vector3.ZERO
	second.position = Vector3(0, 0, -1)
	agent.add_child(second)
	rig.advance()
	eq(rig.eye.get_last_known_location(agent), Vector3(0, 0, -5), "the first child")
	agent.move_child(second, 0)
	rig.advance()
	eq(rig.eye.get_last_known_location(agent), Vector3(0, 0, -6), "the other one, now the first")
	eq(rig.count(&"target_perceived"), 1, "the record goes on")


func test_registered_agent_freed_before_the_source_can_join() -> void:
	var agent: Node3D = Node3D.new()
	var hasty: Hasty = Hasty.new()
	agent.add_child(hasty)
	add_child(agent)
	var made: Node = hasty.made
	not_null(made, "registered while the parent sets up its children")
	var rig: Rig = Rig.new(self)
	agent.free()
	rig.advance()
	eq(rig.kinds(), PackedStringArray(), "an agent that is gone is not sensed")
	await physics(2)
	check(not is_instance_valid(made), "the source is not left over")


func test_values_survive_a_scene_file() -> void:
	var agent: Node3D = Node3D.new()
	var eye: Perception3D = Perception3D.new()
	agent.add_child(eye)
	eye.owner = agent
	eye.sight_radius = 33.0
	eye.detectable_tags = ["Team.Red"]
	eye.process_callback = Perception3D.PROCESS_MANUAL
	eye.eye_offset = Vector3(0, 2, 0)
	var scene: PackedScene = PackedScene.new()
	eq(scene.pack(agent), OK, "packed")
	agent.free()
	var copy: Node3D = scene.instantiate()
	add_child(copy)
	var again: Perception3D = copy.get_child(0) as Perception3D
	eq(again.sight_radius, 33.0, "sight_radius")
	eq(again.detectable_tags, PackedStringArray(["Team.Red"]), "detectable_tags")
	eq(again.process_callback, Perception3D.PROCESS_MANUAL, "process_callback")
	eq(again.eye_offset, Vector3(0, 2, 0), "eye_offset")
	var red: StimulusSource3D = Rig.add_source(self, Vector3(0, 2, -30), PackedStringArray(["Team.Red"]))
	var blue: StimulusSource3D = Rig.add_source(self, Vector3(1, 2, -30), PackedStringArray(["Team.Blue"]))
	await physics(2)
	again.advance(0.1)
	check(again.can_sense(red) and not again.can_sense(blue), "and they count")


func test_scene_with_many_records_goes_without_a_word() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
	var level: Node3D = Node3D.new()
	add_child(level)
	for i: int in 12:
		Rig.add_source(level, Vector3(i - 6.0, 0, -8))
	rig.guard.reparent(level)
	await physics(10)
	eq(rig.eye.get_perceived_targets().size(), 12, "all are known")
	rig.forget()
	level.free()
	await physics(3)
	eq(rig.kinds(), PackedStringArray(), "no signal")


func test_registered_again_after_it_was_unregistered() -> void:
	var rig: Rig = Rig.new(self)
	var authored: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	var added: Node3D = Node3D.new()
	added.position = Vector3(1, 0, -5)
	add_child(added)
	for agent: Node3D in [Rig.agent_of(authored), added]:
		PerceptionServer.register_as_source(agent)
		check(PerceptionServer.unregister_source(agent), "unregistered")
		not_null(PerceptionServer.register_as_source(agent), "registered again in the same frame")
	rig.advance()
	check(rig.sees(authored) and rig.sees(added), "both are seen")
	await physics(2)
	rig.advance()
	check(rig.sees(authored) and rig.sees(added), "and stay so")
	eq(added.get_child_count(), 1, "one source on the agent without one")


## Makes its parent a source while the parent is still setting up its children.
class Hasty:
	extends Node
	var made: Node = null

	func _ready() -> void:
		made = PerceptionServer.register_as_source(get_parent())
