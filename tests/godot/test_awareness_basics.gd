extends TestCase
## AgentAwareness as a node: beliefs, records, signals, attention, and what happens when something goes.

const Rig := preload("res://support/awareness_rig.gd")
const UNDETECTED: int = AgentAwareness.LIFECYCLE_UNDETECTED
const SUSPECTED: int = AgentAwareness.LIFECYCLE_SUSPECTED
const DETECTED: int = AgentAwareness.LIFECYCLE_DETECTED
const LOST: int = AgentAwareness.LIFECYCLE_LOST
const EXPIRED: int = AgentAwareness.LIFECYCLE_EXPIRED

var _probe: Object = null


func _init() -> void:
	super()
	if ClassDB.class_exists(&"RiposteProbe"):
		_probe = ClassDB.instantiate(&"RiposteProbe")


## Configuration warnings; a hidden class of the debug build asks for them.
func _warnings(mind: AgentAwareness) -> PackedStringArray:
	return _probe.call(&"awareness_warnings", mind)


func test_a_seen_target_is_suspected_then_detected() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(11)
	eq(rig.states(), [[3, SUSPECTED], [8, DETECTED]], "states")
	near(rig.mind.get_confidence(enemy), 0.85, 0.00001, "confidence")
	eq(rig.mind.get_state(enemy), DETECTED, "state")
	eq(rig.mind.get_state(Rig.source_of(enemy)), DETECTED, "by its source")
	eq(rig.mind.get_attention_target(), enemy, "attention")
	eq(rig.eye.get_attention_target(), enemy, "attention of the Perception")
	near(rig.eye.get_threat(enemy), rig.mind.get_threat(enemy), 0.0, "threat of the Perception")
	eq(rig.mind.get_targets_by_score(), [enemy], "candidates")


func test_records_are_live_and_the_same() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance()
	var record := rig.mind.get_record(enemy)
	eq(rig.mind.get_record(enemy), record, "the same object")
	eq(rig.mind.get_records(), [record], "in the list")
	near(record.confidence, 0.0, 0.00001, "at first")
	rig.advance(10)
	near(record.confidence, 0.85, 0.00001, "later")
	eq(record.target, enemy, "target")
	eq(record.target_id, enemy.get_instance_id(), "id")
	eq(record.samples.map(func(sample: SenseSample) -> String: return sample.sense_id), ["Sight", "Hearing", "Damage"])
	near(record.samples[0].confidence, 0.85, 0.00001, "sample")
	eq([record.samples[0].is_active, record.samples[1].is_active], [true, false], "active")
	eq([record.active_senses, record.is_seen, record.contact, record.visible_fraction], [1, true, 1.0, 1.0])
	eq(record.location, Vector3(0, 0, -10), "location")
	eq(record.location_2d, Vector2.ZERO, "nothing in 2D")
	eq(record.relationship, AgentAwareness.RELATION_HOSTILE, "relationship")
	near(record.threat, 0.4 * 0.85 + 0.15, 0.00001, "threat")
	eq(record.threat_level, AgentAwareness.THREAT_MEDIUM, "level")
	near(record.score, 0.6 * record.threat + 0.25 * 0.85 + 0.15 * (1.0 - 10.0 / 25.0), 0.00001, "score")


func test_records_keep_their_last_values() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(12)
	var record := rig.mind.get_record(enemy)
	var id := enemy.get_instance_id()
	enemy.free()
	is_null(record.target, "freed")
	rig.advance()
	eq([record.state, record.confidence, record.threat, record.score], [EXPIRED, 0.0, 0.0, 0.0], "expired")
	is_null(record.target, "gone")
	eq(record.target_id, id, "its id")
	eq(record.location, Vector3(0, 0, -10), "its place")
	eq(rig.mind.get_records(), [], "removed at once")
	var told := rig.all(&"belief_state_changed").back() as Rig.Raised
	eq([told.state, told.target, told.previous], [EXPIRED, null, DETECTED], "told")
	eq(told.record, record, "the same record")


func test_a_disabled_source_is_gone() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(12)
	rig.forget()
	Rig.source_of(enemy).enabled = false
	rig.advance()
	var told := rig.all(&"belief_state_changed")[0]
	eq([told.state, told.target], [EXPIRED, null], "told")
	eq(rig.attentions().map(func(row: Array) -> int: return row[3]), [AgentAwareness.ATTENTION_GONE], "attention")


func test_the_order_of_signals() -> void:
	var rig := Rig.new(self)
	rig.target(Vector3(0, 0, -5))
	rig.advance()
	PerceptionServer.report_damage(rig.guard, rig.target(Vector3(0, 0, 30)), Vector3.ZERO, 25.0)
	var kinds: Array = []
	rig.reaction = func(entry: Rig.Raised) -> void: kinds.append(entry.kind)
	rig.eye.damage_sensed.connect(func(_event: PerceptionEvent) -> void: kinds.append(&"damage_sensed"))
	rig.advance()
	eq(kinds, [&"damage_sensed", &"belief_state_changed", &"threat_level_changed", &"highest_threat_changed",
		&"attention_changed"], "order")


func test_handlers_see_the_settled_state() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	var seen: Array = []
	rig.reaction = func(entry: Rig.Raised) -> void:
		if entry.kind == &"belief_state_changed":
			seen.append([rig.mind.get_state(enemy), rig.mind.get_attention_target()])
	rig.advance(4)
	eq(seen, [[SUSPECTED, enemy]], "attention is settled already")


func test_disabling_ends_beliefs() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(12)
	rig.forget()
	rig.mind.enabled = false
	eq(rig.mind.get_attention_target(), enemy, "until the next tick")
	rig.advance()
	eq(rig.states(), [[12, EXPIRED]], "states")
	is_null(rig.mind.get_attention_target(), "attention")
	eq(rig.eye.get_attention_target(), enemy, "the Perception decides by itself")
	eq(rig.eye.get_threat(enemy), 0.0, "no threat")
	rig.mind.enabled = true
	rig.advance(5)
	eq(rig.mind.get_state(enemy), SUSPECTED, "a fresh belief")


func test_leaving_the_tree_is_silent() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(12)
	var record := rig.mind.get_record(enemy)
	rig.forget()
	rig.guard.remove_child(rig.mind)
	rig.advance(2)
	eq(rig.raised.size(), 0, "signals")
	near(record.confidence, 0.85, 0.00001, "the record keeps its values")
	rig.mind.free()
	near(record.confidence, 0.85, 0.00001, "after the node is freed")
	eq(rig.eye.get_attention_target(), enemy, "the closest now")


func test_the_first_of_several_counts() -> void:
	var rig := Rig.new(self)
	rig.target(Vector3(0, 0, -10))
	var second := AgentAwareness.new()
	rig.guard.add_child(second)
	rig.advance(12)
	eq(second.get_records(), [], "the second does nothing")
	eq(rig.mind.get_records().size(), 1, "the first does")
	if _probe != null:
		check("more than one" in "".join(_warnings(second)), "warning")
	rig.guard.move_child(second, 0)
	rig.advance(12)
	eq(second.get_records().size(), 1, "it is the first now")
	eq(rig.mind.get_records().map(func(record: AwarenessRecord) -> int: return record.state), [EXPIRED], "the other ends")


func test_without_a_perception_nothing_happens() -> void:
	var agent := add(Node3D.new()) as Node3D
	var mind := AgentAwareness.new()
	add(mind, agent)
	await physics(2)
	eq(mind.get_records(), [], "beliefs")
	if _probe == null:
		return
	check("There is no Perception" in "".join(_warnings(mind)), "warning")
	add(Perception3D.new(), agent)
	eq(_warnings(mind).size(), 0, "with one")


func test_physics_ticks_run_it() -> void:
	var agent := add(Node3D.new()) as Node3D
	var eye := Perception3D.new()
	eye.eye_offset = Vector3.ZERO
	var mind := AgentAwareness.new()
	add(eye, agent)
	add(mind, agent)
	var enemy := Rig.PerceptionRig.agent_of(Rig.PerceptionRig.add_source(self, Vector3(0, 0, -5)))
	await physics(40)
	check(mind.get_confidence(enemy) > 0.3, "confidence %s" % mind.get_confidence(enemy))


func test_a_perception_elsewhere() -> void:
	var rig := Rig.new(self)
	rig.mind.free()
	var other := add(Node3D.new()) as Node3D
	var mind := AgentAwareness.new()
	mind.perception_path = NodePath("../../%s/%s" % [rig.guard.name, rig.eye.name])
	add(mind, other)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(5)
	eq(mind.get_state(enemy), SUSPECTED, "state")
	mind.free()
	other.free()


func test_queries_of_nobody() -> void:
	var rig := Rig.new(self)
	var stranger := add(Node3D.new())
	var mind := rig.mind
	for target: Variant in [null, stranger]:
		is_null(mind.get_record(target), "record")
		eq(mind.get_state(target), -1, "state")
		eq([mind.get_confidence(target), mind.get_threat(target), mind.get_score(target)], [0.0, 0.0, 0.0], "numbers")
		eq(mind.set_attention_override(target), false, "override")
		eq(mind.forget(target), false, "forget")
		eq([mind.get_observed_time(target), mind.get_sneaking_fraction(target)], [0.0, 0.0], "observation")
		eq(mind.get_posture(target), AgentAwareness.STANCE_UNREPORTED, "posture")
		eq(mind.get_vision_stance(target), AgentAwareness.STANCE_STANDING, "vision stance")
		eq(mind.get_health_of(target), 1.0, "health")
	eq(mind.get_relationship(null), AgentAwareness.RELATION_UNKNOWN, "relationship of null")
	eq(mind.get_threat_level(), AgentAwareness.THREAT_NONE, "highest")
	is_null(mind.get_attention_target(), "attention")
	eq(mind.get_time_on_attention(), 0.0, "time")
	eq(mind.get_records(), [], "records")
	eq(mind.get_targets_by_score(), [], "targets")
	eq(mind.get_observations(), [], "observations")


func test_freed_nodes_are_nobody() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	var freed := Node3D.new()
	rig.advance(12)
	freed.free()
	eq(rig.mind.get_state(freed), -1, "state")
	eq(rig.mind.get_threat_level(freed), AgentAwareness.THREAT_NONE, "not the highest of all")
	check(rig.mind.get_threat_level() > 0, "the highest of all")
	var seen := rig.mind.get_observed_time(enemy)
	check(seen > 0.0, "observed")
	rig.mind.clear_observations(freed)
	eq(rig.mind.get_observed_time(enemy), seen, "not all observations")
	rig.mind.clear_observations()
	eq(rig.mind.get_observed_time(enemy), 0.0, "all")


func test_attention_override() -> void:
	var rig := Rig.new(self)
	var near_one := rig.target(Vector3(0, 0, -2))
	var far_one := rig.target(Vector3(1, 0, -18))
	rig.advance(12)
	eq(rig.mind.get_attention_target(), near_one, "by score")
	rig.forget()
	check(rig.mind.set_attention_override(far_one), "accepted")
	eq(rig.attentions(), [[11, near_one, far_one, AgentAwareness.ATTENTION_OVERRIDDEN]], "told at once")
	eq(rig.mind.get_time_on_attention(), 0.0, "time starts anew")
	rig.advance(30)
	eq(rig.mind.get_attention_target(), far_one, "it holds")
	rig.mind.clear_attention_override()
	rig.advance(1)
	eq(rig.mind.get_attention_target(), near_one, "back to the rule")
	var place := rig.senses.source(Vector3(0, 0, 40))
	eq(rig.mind.set_attention_override(place), false, "no belief")


func test_relationship_override() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(12)
	check(rig.mind.set_relationship_override(enemy, AgentAwareness.RELATION_FRIENDLY), "accepted")
	eq(rig.mind.get_relationship(enemy), AgentAwareness.RELATION_FRIENDLY, "at once")
	rig.advance()
	eq(rig.mind.get_threat(enemy), 0.0, "no threat")
	is_null(rig.mind.get_attention_target(), "attention")
	rig.mind.clear_relationship_override(enemy)
	rig.advance()
	check(rig.mind.get_threat(enemy) > 0.4, "an enemy again")
	expect_error("set_relationship_override() got relationship 9")
	eq(rig.mind.set_relationship_override(enemy, 9), false, "out of range")


func test_explain() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(12)
	var why := rig.mind.get_record(enemy).explain()
	eq(why.keys(), ["confidence", "threat", "score"], "parts")
	near(why.confidence.value, 0.85, 0.00001, "confidence")
	eq(why.confidence.senses.size(), 3, "senses")
	near(why.confidence.senses[0].reading, 0.85, 0.00001, "reading")
	near(why.threat.confidence, 0.34, 0.00001, "threat by confidence")
	near(why.threat.contact, 0.15, 0.00001, "threat by contact")
	eq([why.threat.rule, why.threat.relationship_from, why.threat.factor], ["built-in", "default", 1.0], "threat")
	near(why.score.proximity, 0.15 * 0.6, 0.00001, "score by proximity")
	eq(why.score.range, 25.0, "range")
	not_null(JSON.parse_string(JSON.stringify(why)), "fits into JSON")


func test_is_sensed_back() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	add(StimulusSource3D.new(), rig.guard)
	var eye := Perception3D.new()
	eye.process_callback = Perception3D.PROCESS_MANUAL
	eye.use_model_front = true
	add(eye, enemy)
	rig.advance()
	var record := rig.mind.get_record(enemy)
	eq(record.is_sensed_back(), false, "not yet")
	eye.advance(0.1)
	eq(record.is_sensed_back(), true, "it looks this way")
	eq(record.is_sensed_back(PerceptionEvent.SENSE_HEARING), false, "it does not hear the guard")


func test_log_lines() -> void:
	var rig := Rig.new(self)
	rig.mind.debug_log_decisions = true
	rig.target(Vector3(0, 0, -10))
	rig.advance(10)
	eq(rig.states().size(), 2, "states")


func test_an_agent_made_on_a_thread() -> void:
	var agent := Node3D.new()
	var eye := Perception3D.new()
	eye.process_callback = Perception3D.PROCESS_MANUAL
	eye.eye_offset = Vector3.ZERO
	var mind := AgentAwareness.new()
	mind.profile = AwarenessProfile.new()
	mind.profile.default_relationship = AwarenessProfile.RELATION_HOSTILE
	mind.profile.attention_policy = NearestAttentionPolicy.new()
	agent.add_child(eye)
	agent.add_child(mind)
	eye.owner = agent
	mind.owner = agent
	var scene := PackedScene.new()
	eq(scene.pack(agent), OK, "packed")
	agent.free()
	var thread := Thread.new()
	thread.start(func() -> Node: return scene.instantiate())
	await until_done(func() -> bool: return not thread.is_alive(), "the thread ended")
	var made := thread.wait_to_finish() as Node3D
	add(made)
	var enemy := Rig.PerceptionRig.agent_of(Rig.PerceptionRig.add_source(self, Vector3(0, 0, -5)))
	for i: int in 10:
		(made.get_child(0) as Perception3D).advance(0.1)
	var own := made.get_child(1) as AgentAwareness
	eq(own.get_relationship(enemy), AgentAwareness.RELATION_HOSTILE, "its profile counts")
	eq(own.get_attention_target(), enemy, "attention")


func test_saving_and_going_on() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	PerceptionServer.report_damage(rig.guard, enemy, Vector3.ZERO, 20.0)
	rig.advance(7)
	var eye_state: Variant = JSON.parse_string(JSON.stringify(rig.eye.export_state()))
	var state: Variant = JSON.parse_string(JSON.stringify(rig.mind.export_state()))
	rig.advance(3)
	var wanted := [rig.mind.get_confidence(enemy), rig.mind.get_threat(enemy), rig.mind.get_time_on_attention(), rig.mind.get_state(enemy)]
	rig.advance(20)
	var record := rig.mind.get_record(enemy)
	rig.forget()
	check(rig.eye.import_state(eye_state), "Perception")
	check(rig.mind.import_state(state), "awareness")
	eq(rig.raised.size(), 0, "no signal")
	near(record.time_in_state, 2.9, 0.0001, "a record from before keeps its values")
	rig.advance(3)
	near([rig.mind.get_confidence(enemy), rig.mind.get_threat(enemy), rig.mind.get_time_on_attention(), rig.mind.get_state(enemy)],
		wanted, 0.00001, "it goes on as it did")
	expect_error("import_state() got a state of version 7")
	expect_error("import_state() got a state with another structure")
	eq(rig.mind.import_state({"version": 7}), false, "another version")
	eq(rig.mind.import_state({"version": 1, "beliefs": 3}), false, "another structure")
	expect_warning("is not there or cannot be sensed")
	state.beliefs[0].target = "/root/Nobody"
	check(rig.mind.import_state(state), "without a target that is gone")
	eq(rig.mind.get_records(), [], "left out")


func test_an_evaluator_aims_at_the_attention_target() -> void:
	var rig := Rig.new(self)
	var near_one := rig.target(Vector3(0, 0, -2))
	var far_one := rig.target(Vector3(1, 0, -18))
	var brain := ActionEvaluator.new()
	add(brain, rig.guard)
	rig.advance(6)
	eq(brain.get_focus_target(), near_one, "by score")
	rig.mind.set_attention_override(far_one)
	eq(brain.get_focus_target(), far_one, "not the closest")
	rig.mind.enabled = false
	rig.advance()
	eq(brain.get_focus_target(), near_one, "without awareness the closest")
