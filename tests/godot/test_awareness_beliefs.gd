extends TestCase
## Confidence, lifecycle, threat and observation of beliefs, in both dimensions.

const Mind := preload("res://support/mind.gd")
const UNDETECTED := AgentAwareness.LIFECYCLE_UNDETECTED
const SUSPECTED := AgentAwareness.LIFECYCLE_SUSPECTED
const DETECTED := AgentAwareness.LIFECYCLE_DETECTED
const LOST := AgentAwareness.LIFECYCLE_LOST
const EXPIRED := AgentAwareness.LIFECYCLE_EXPIRED


func test_ex_20_6() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		mind.profile.senses = [Mind.slot(&"Smell"), Mind.slot(&"Radio")]
		mind.profile.fusion_policy = SummingFusionPolicy.new()
		var made: Node = mind.source(-5.0)
		mind.smell(made, 0.3)
		mind.smell(made, 0.3, &"Radio")
		mind.advance()
		near(mind.confidence(made), 0.6, 1e-5, mind.named("0.3 and 0.3"))


func test_ex_20_7() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.source(10.0)
		var course: Array[float] = []
		for i: int in 13:
			mind.advance()
			course.append(mind.confidence(made))
		near(course.slice(0, 9), [0.0, 0.085, 0.17, 0.255, 0.34, 0.425, 0.51, 0.595, 0.68], 1e-5, mind.named("confidence of ticks 0 to 8"))
		near(course.slice(10), [0.85, 0.85, 0.85], 1e-5, mind.named("from tick 10 the reading"))
		eq(mind.states(), [[UNDETECTED, SUSPECTED, 3], [SUSPECTED, DETECTED, 8]], mind.named("states"))


func test_ex_20_8() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.source(0.0)
		mind.advance(8)
		eq(mind.states(), [[UNDETECTED, SUSPECTED, 3], [SUSPECTED, DETECTED, 6]], mind.named("at 0 m"))
		mind.move(made, 22.0)
		mind.advance(20)
		check(mind.sees(made), mind.named("retained at 22 m"))
		near(mind.awareness.get_record(made).samples[0].confidence, 0.7, 1e-5, mind.named("the reading at 22 m"))


func test_ex_20_9() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.source(-7.5)
		mind.noise(-7.5, 0.0, 1.0, made)
		var course: Array[float] = []
		for i: int in 52:
			mind.advance()
			course.append(mind.confidence(made))
		near([course[0], course[10], course[11], course[41]], [0.5, 0.5, 0.49, 0.19], 1e-5, mind.named("ticks 0, 10, 11, 41"))
		eq(mind.states(), [[UNDETECTED, SUSPECTED, 0], [SUSPECTED, UNDETECTED, 41], [UNDETECTED, EXPIRED, 50]], mind.named("states"))


func test_ex_20_10() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.source(10.0)
		mind.advance(21)
		mind.move(made, 300.0)
		mind.advance(5)
		near(mind.confidence(made), 0.80, 1e-5, mind.named("confidence in tick 25"))
		mind.advance(144)
		eq(mind.states().slice(2), [[DETECTED, LOST, 25], [LOST, EXPIRED, 70]], mind.named("states"))
		eq(mind.awareness.get_records().size(), 1, mind.named("listed in tick 169"))
		mind.advance()
		eq(mind.awareness.get_records().size(), 0, mind.named("removed in tick 170"))
		eq(mind.state(made), -1, mind.named("no state"))


func test_ex_20_11() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.source(-90.0)
		mind.damage(mind.guard, made, 25.0)
		mind.advance()
		eq(mind.states(), [[UNDETECTED, DETECTED, 0]], mind.named("one signal"))
		near(mind.awareness.get_threat(made), 0.575, 1e-5, mind.named("threat"))
		eq(mind.awareness.get_threat_level(made), AgentAwareness.THREAT_MEDIUM, mind.named("level"))
		eq(mind.awareness.get_threat_level(), AgentAwareness.THREAT_MEDIUM, mind.named("the highest"))
		near(mind.eye.call(&"get_threat", made), 0.575, 1e-5, mind.named("asked of the Perception"))
		mind.advance(10)
		near(mind.awareness.get_record(made).damage, 20.0, 1e-4, mind.named("damage in tick 10"))
		near(mind.awareness.get_threat(made), 0.54, 1e-5, mind.named("threat in tick 10"))
		eq(mind.awareness.get_record(made).damage_total, 25.0, mind.named("the total does not fade"))


func test_ex_20_24() -> void:
	for mind: Mind in Mind.both(self):
		mind.profile.pain_enabled = true
		var vitals: AgentVitals = AgentVitals.new()
		var health: AgentVital = AgentVital.new()
		health.tag = &"Vital.Health"
		vitals.vitals = [health] as Array[AgentVital]
		mind.guard.add_child(vitals)
		for row: Array in [[1.0, 1.0], [0.5, 1.0], [0.4, 0.9], [0.25, 0.75], [0.1, 0.6], [0.0, 0.5]]:
			vitals.set_value(&"Vital.Health", 100.0 * row[0])
			near(mind.awareness.get_own_health(), row[0], 1e-5, mind.named("health"))
			near(mind.awareness.get_pain_factor(), row[1], 1e-5, mind.named("factor at health %s" % row[0]))
		vitals.set_value(&"Vital.Health", 25.0)
		var made: Node = mind.source(10.0)
		mind.advance(12)
		near(mind.confidence(made), 0.6375, 1e-5, mind.named("the reading of example 7 in pain"))
		mind.profile.pain_enabled = false
		eq(mind.awareness.get_pain_factor(), 1.0, mind.named("switched off"))


func test_ex_20_30() -> void:
	for mind: Mind in Mind.both(self):
		var still: Node = mind.source(5.0)
		mind.agent_of(still).set_script(script("extends Node\nfunc is_crouching() -> bool:\n\treturn false\n"))
		var runs: Array[Node] = []
		for speed: float in [1.0, 0.0, 3.0]:
			runs.append(mind.source(8.0, speed))
		for i: int in 41:
			for number: int in 3:
				mind.move(runs[number], 8.0, [-2.0, 1.0, -6.0][number] + [1.0, 0.0, 3.0][number] * 0.1 * i)
			mind.advance()
		eq(mind.awareness.get_sneaking_fraction(still), 0.0, mind.named("a reported standing target, however slow"))
		near(mind.awareness.get_observed_time(still), 4.0, 1e-5, mind.named("seen for 4 s"))
		near(mind.awareness.get_observed_time(still, AgentAwareness.STANCE_STANDING), 4.0, 1e-5, mind.named("standing"))
		near(mind.awareness.get_sneaking_fraction(runs[0]), 1.0, 1e-5, mind.named("no posture at 1 m/s"))
		eq(mind.awareness.get_sneaking_fraction(runs[1]), 0.0, mind.named("at 0 m/s"))
		eq(mind.awareness.get_sneaking_fraction(runs[2]), 0.0, mind.named("at 3 m/s"))
		var rows: Dictionary = {}
		for row: Dictionary in mind.awareness.get_observations():
			rows[row.target] = row
		near(rows[mind.agent_of(runs[0])].guessed, 4.0, 1e-5, mind.named("guessed"))
		near(rows[mind.agent_of(runs[0])].crouched, 4.0, 1e-5, mind.named("as crouched"))
		eq(rows[mind.agent_of(still)].guessed, 0.0, mind.named("a report is no guess"))
		mind.awareness.clear_observations(still)
		eq(mind.awareness.get_observed_time(still), 0.0, mind.named("cleared"))
		mind.awareness.clear_observations()
		eq(mind.awareness.get_observations(), [], mind.named("all cleared"))


func test_ex_20_33() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.source(10.0)
		mind.advance(20)
		mind.damage(mind.guard, made, 5.0)
		mind.advance()
		mind.move(made, 300.0)
		mind.advance(69)
		mind.notes.clear()
		mind.move(made, -7.5)
		mind.noise(-7.5, 0.0, 1.0, made)
		mind.advance()
		eq(mind.states(), [[EXPIRED, UNDETECTED, 90], [UNDETECTED, SUSPECTED, 90]], mind.named("starts over"))
		near(mind.confidence(made), 0.5, 1e-5, mind.named("confidence"))
		eq(mind.awareness.get_record(made).damage, 0.0, mind.named("damage"))


func test_record_of_a_belief() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.source(10.0)
		mind.advance()
		mind.move(made, 10.0, 1.0)
		mind.advance(11)
		var belief: AwarenessRecord = mind.awareness.get_record(made)
		check(belief.target == mind.agent_of(made), mind.named("target"))
		eq(belief.target_id, mind.agent_of(made).get_instance_id(), mind.named("target_id"))
		check(belief.is_seen, mind.named("is_seen"))
		eq([belief.active_senses, belief.contact, belief.visible_fraction], [1, 1.0, 1.0], mind.named("senses, contact, fraction"))
		near(belief.location_2d if mind.planar else belief.location, mind.place(10.0, 1.0), 0.001, mind.named("location"))
		eq(belief.samples.map(func(sample: SenseSample) -> StringName: return sample.sense_id), [&"Sight", &"Hearing", &"Damage"], mind.named("one sample a slot"))
		eq(belief.samples.map(func(sample: SenseSample) -> bool: return sample.is_active), [true, false, false], mind.named("active"))
		eq(belief.relationship, AgentAwareness.RELATION_HOSTILE, mind.named("relationship"))
		check(belief.explain().size() > 0, mind.named("explain"))
		eq(belief.is_sensed_back(), false, mind.named("the target senses nothing"))
		var other: Node = mind.perceiver(mind.agent_of(made))
		other.set(&"sight_fov_degrees", 360.0)
		mind.source_of(mind.guard)
		other.call(&"advance", 0.1)
		eq(belief.is_sensed_back(), true, mind.named("now it does"))
		eq(belief.is_sensed_back(PerceptionEvent.SENSE_HEARING), false, mind.named("but not by hearing"))
		mind.agent_of(made).free()
		is_null(belief.target, mind.named("a freed target reads as null"))
		mind.advance()
		eq(belief.state, EXPIRED, mind.named("the last state stays"))
		ne(belief.target_id, 0, mind.named("so does the id"))
		eq(mind.awareness.get_records().size(), 0, mind.named("gone at once"))


func test_score_and_order() -> void:
	for mind: Mind in Mind.both(self):
		var far: Node = mind.source(18.0)
		var close: Node = mind.source(2.0)
		var thing: Node = mind.source(1.0)
		thing.set(&"can_hold_attention", false)
		mind.advance(12)
		eq(mind.awareness.get_records().size(), 3, mind.named("three beliefs"))
		eq(mind.awareness.get_targets_by_score(), [mind.agent_of(close), mind.agent_of(far)], mind.named("best first, without things"))
		# Threat 0.4 C + 0.15, score 0.6 threat + 0.25 C + 0.15 (1 - d / 25), C = 0.97 at 2 m.
		near(mind.awareness.get_score(close), 0.6 * (0.4 * 0.97 + 0.15) + 0.25 * 0.97 + 0.15 * (1.0 - 2.0 / 25.0), 1e-4, mind.named("score"))
		check(mind.awareness.get_attention_target() == mind.agent_of(close), mind.named("attention"))
		check(mind.eye.call(&"get_attention_target") == mind.agent_of(close), mind.named("the same for the Perception"))


func test_unknown_targets() -> void:
	for mind: Mind in Mind.both(self):
		var stranger: Node = mind.agent(5.0)
		var freed: Node = mind.agent(6.0)
		freed.free()
		mind.advance()
		for target: Variant in [stranger, null, freed]:
			is_null(mind.awareness.call(&"get_record", target), mind.named("get_record"))
			eq(mind.awareness.call(&"get_state", target), -1, mind.named("get_state"))
			eq(mind.awareness.call(&"get_confidence", target), 0.0, mind.named("get_confidence"))
			eq(mind.awareness.call(&"get_threat", target), 0.0, mind.named("get_threat"))
			eq(mind.awareness.call(&"get_score", target), 0.0, mind.named("get_score"))
			eq(mind.awareness.call(&"set_attention_override", target), false, mind.named("set_attention_override"))
			eq(mind.awareness.call(&"forget", target), false, mind.named("forget"))
			eq(mind.awareness.call(&"get_observed_time", target), 0.0, mind.named("get_observed_time"))
			eq(mind.awareness.call(&"get_sneaking_fraction", target), 0.0, mind.named("get_sneaking_fraction"))
			eq(mind.awareness.call(&"get_vision_stance", target), AgentAwareness.STANCE_STANDING, mind.named("get_vision_stance"))
			eq(mind.awareness.call(&"get_posture", target), AgentAwareness.STANCE_UNREPORTED, mind.named("get_posture"))
		eq(mind.awareness.get_threat_level(stranger), AgentAwareness.THREAT_NONE, mind.named("get_threat_level"))
		is_null(mind.awareness.get_attention_target(), mind.named("no attention"))
		eq(mind.awareness.get_time_on_attention(), 0.0, mind.named("no time on it"))


func test_signals_come_after_those_of_the_perception_in_order() -> void:
	for mind: Mind in Mind.both(self):
		var heard: PackedStringArray = []
		mind.reaction = func(entry: Mind.Raised) -> void: heard.append(entry.kind)
		mind.response = func(note: Mind.Note) -> void: heard.append(note.kind)
		var made: Node = mind.source(-10.0)
		mind.damage(mind.guard, made, 50.0)
		mind.advance()
		eq(heard, PackedStringArray(["target_perceived", "damage_sensed", "state", "level", "highest", "attention"]), mind.named("order"))


func test_live_profile() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		var made: Node = mind.source(10.0)
		mind.advance()
		eq(mind.state(made), DETECTED, mind.named("seen"))
		mind.profile.detect_threshold = 1.0
		mind.profile.state_hysteresis = 0.0
		mind.profile.senses = [Mind.slot(&"Sight", 0.5)]
		mind.profile.confidence_fade_time = 0.0
		mind.advance(2)
		near(mind.confidence(made), 0.5, 1e-5, mind.named("the new weight"))
		eq(mind.state(made), SUSPECTED, mind.named("the new threshold"))
		var other: AwarenessProfile = AwarenessProfile.new()
		other.default_relationship = AgentAwareness.RELATION_FRIENDLY
		mind.awareness.profile = other
		mind.advance(2)
		eq(mind.awareness.get_relationship(made), AgentAwareness.RELATION_FRIENDLY, mind.named("another profile"))
		eq(mind.awareness.get_threat(made), 0.0, mind.named("friends are no threat"))
		mind.awareness.profile = null
		mind.advance(2)
		eq(mind.awareness.get_relationship(made), AgentAwareness.RELATION_UNKNOWN, mind.named("none: defaults"))
