extends TestCase
## AwarenessProfile and AwarenessSense: defaults, what is clamped and refused, files, and edits while the game runs.

const Rig := preload("res://support/awareness_rig.gd")
const SHARES: Dictionary = {
	"corroboration_bonus": 0.1, "suspect_threshold": 0.25, "detect_threshold": 0.6, "state_hysteresis": 0.05,
	"pain_threshold": 0.5, "pain_min_factor": 0.5, "threat_weight_confidence": 0.4, "threat_weight_damage": 0.35,
	"threat_weight_agreement": 0.1, "threat_weight_contact": 0.15, "threat_factor_hostile": 1.0,
	"threat_factor_unknown": 0.6, "threat_factor_neutral": 0.25, "threat_low": 0.15, "threat_medium": 0.4,
	"threat_high": 0.65, "threat_critical": 0.85, "threat_hysteresis": 0.03, "attention_switch_threshold": 0.15,
	"attention_min_score": 0.05, "score_weight_threat": 0.6, "score_weight_confidence": 0.25,
	"score_weight_proximity": 0.15,
}
const TIMES: Dictionary = {
	"confidence_fade_time": 10.0, "lost_delay": 0.5, "expired_retention": 10.0, "damage_fade_time": 10.0,
	"contact_fade_time": 3.0, "attention_stickiness_time": 1.5, "attention_challenge_time": 0.0, "score_range": 0.0,
	"still_speed": 0.1, "sneak_speed": 1.5,
}


func test_defaults() -> void:
	var profile := AwarenessProfile.new()
	for named: String in SHARES:
		near(profile.get(named), SHARES[named], 0.0000001, named)
	for named: String in TIMES:
		near(profile.get(named), TIMES[named], 0.0000001, named)
	eq([profile.update_interval, profile.damage_full, profile.observation_capacity], [0.1, 50.0, 64], "the rest")
	eq([profile.min_visible_points_standing, profile.min_visible_points_crouched, profile.min_visible_points_prone], [1, 2, 3])
	eq([profile.pain_enabled, profile.turn_hostile_on_damage, profile.default_relationship], [false, true, 0], "switches")
	eq([profile.senses, profile.team_root_tag, profile.teammate_tags], [[], &"Team", []], "lists")
	eq([profile.fusion_policy, profile.threat_policy, profile.attention_policy], [null, null, null], "slots")


func test_numbers_are_clamped() -> void:
	for named: String in SHARES:
		var profile := AwarenessProfile.new()
		expect_warning("%s = 1.5 is read as 1" % named)
		expect_warning("%s = NaN is refused, it stays" % named)
		profile.set(named, 1.5)
		eq(profile.get(named), 1.0, named)
		profile.set(named, NAN)
		eq(profile.get(named), 1.0, named)
	for named: String in TIMES:
		var profile := AwarenessProfile.new()
		expect_warning("%s = -1 is read as 0" % named)
		expect_warning("%s = inf is refused, it stays" % named)
		profile.set(named, -1.0)
		eq(profile.get(named), 0.0, named)
		profile.set(named, INF)
		eq(profile.get(named), 0.0, named)


func test_other_ranges() -> void:
	var profile := AwarenessProfile.new()
	expect_warning("damage_full = 0 is read as 0.001")
	profile.damage_full = 0.0
	eq(profile.damage_full, 0.001, "damage_full")
	expect_warning("update_interval = 3 is read as 2")
	profile.update_interval = 3.0
	eq(profile.update_interval, 2.0, "update_interval")
	expect_warning("min_visible_points_prone = 17 is read as 16")
	expect_warning("min_visible_points_standing = 0 is read as 1")
	profile.min_visible_points_prone = 17
	profile.min_visible_points_standing = 0
	eq([profile.min_visible_points_standing, profile.min_visible_points_prone], [1, 16], "points")
	expect_warning("observation_capacity = 2000 is read as 1024")
	profile.observation_capacity = 2000
	eq(profile.observation_capacity, 1024, "observation_capacity")
	expect_warning("default_relationship = 7 is refused, it stays 0")
	profile.default_relationship = 7
	eq(profile.default_relationship, 0, "default_relationship")
	expect_error("team_root_tag")
	profile.team_root_tag = &"Team..Red"
	eq(profile.team_root_tag, &"Team", "team_root_tag")


func test_senses_have_defaults_of_their_own() -> void:
	var sense := AwarenessSense.new()
	eq([sense.sense_id, sense.weight], [&"Sight", 1.0], "a new one")
	eq(_numbers(sense), [1.0, 1.0, 0.0, 1.0, 0.7], "Sight")
	sense.sense_id = &"Hearing"
	near(_numbers(sense), [0.0, 2.0, 1.0, 0.8, 0.2], 0.0000001, "Hearing")
	sense.sense_id = &"Damage"
	eq(_numbers(sense), [0.0, 2.0, 1.0, 1.0, 1.0], "Damage")
	sense.sense_id = &"Smell"
	eq(_numbers(sense), [0.0, 2.0, 1.0, 1.0, 1.0], "any other")
	sense.rise_time = 1.0
	sense.sense_id = &"Hearing"
	near(_numbers(sense), [1.0, 2.0, 1.0, 0.8, 0.2], 0.0000001, "what was set stays")


func test_senses_are_checked() -> void:
	var sense := AwarenessSense.new()
	expect_warning("weight = 3 is read as 2")
	expect_warning("rise_time = -1 is read as 0")
	expect_warning("far_confidence = NaN is refused")
	expect_error("sense_id")
	sense.weight = 3.0
	sense.rise_time = -1.0
	sense.far_confidence = NAN
	sense.sense_id = &"Sme ll"
	eq([sense.weight, sense.rise_time, sense.far_confidence, sense.sense_id], [2.0, 0.0, 0.7, &"Sight"], "values")


func test_a_file_keeps_what_was_set() -> void:
	var set_one := AwarenessSense.new()
	set_one.sense_id = &"Hearing"
	set_one.rise_time = 1.0
	set_one.fall_time = 1.0
	var profile := AwarenessProfile.new()
	profile.senses = [set_one, AwarenessSense.new(), null]
	profile.hostile_tags = ["Team.Red"]
	profile.attention_policy = NearestAttentionPolicy.new()
	profile.threat_low = 0.3
	var path := "user://awareness_profile_test.tres"
	eq(ResourceSaver.save(profile, path), OK, "saved")
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE_DEEP) as AwarenessProfile
	eq(loaded.senses.size(), 3, "senses")
	near(_numbers(loaded.senses[0]), [1.0, 1.0, 1.0, 0.8, 0.2], 0.0000001, "what was set, and the defaults of Hearing")
	is_null(loaded.senses[2], "an empty place")
	loaded.senses[0].sense_id = &"Damage"
	eq(_numbers(loaded.senses[0]), [1.0, 1.0, 1.0, 1.0, 1.0], "what was not set still follows the sense")
	eq([loaded.hostile_tags, loaded.threat_low], [PackedStringArray(["Team.Red"]), 0.3], "numbers and tags")
	check(loaded.attention_policy is NearestAttentionPolicy, "policy")
	var text := FileAccess.get_file_as_string(path)
	check(not "max_confidence" in text, "what was not set is not in the file")
	DirAccess.remove_absolute(path)


func test_duplicates_keep_what_was_set() -> void:
	var sense := AwarenessSense.new()
	sense.rise_time = 3.0
	var copy := sense.duplicate() as AwarenessSense
	copy.sense_id = &"Hearing"
	near(_numbers(copy), [3.0, 2.0, 1.0, 0.8, 0.2], 0.0000001, "numbers")


func test_thresholds_that_fall_are_raised() -> void:
	var rig := Rig.new(self)
	expect_warning("threat_medium is below threat_low and counts as that")
	rig.profile.threat_low = 0.5
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(11)
	near(rig.mind.get_threat(enemy), 0.49, 0.00001, "threat")
	eq(rig.mind.get_threat_level(enemy), AgentAwareness.THREAT_NONE, "below both")
	eq(rig.profile.threat_medium, 0.4, "the resource is not written")


func test_two_slots_of_one_sense() -> void:
	var rig := Rig.new(self)
	expect_warning("senses has \"Sight\" twice; the second is left out")
	var second := AwarenessSense.new()
	second.rise_time = 0.0
	rig.profile.senses = [AwarenessSense.new(), null, second]
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(2)
	eq(rig.mind.get_record(enemy).samples.size(), 1, "samples")
	near(rig.mind.get_confidence(enemy), 0.085, 0.00001, "the first counts")


func test_edits_take_effect_at_the_next_update() -> void:
	var rig := Rig.new(self)
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(12)
	rig.forget()
	rig.profile.detect_threshold = 0.95
	eq(rig.mind.get_state(enemy), AgentAwareness.LIFECYCLE_DETECTED, "until then")
	rig.advance()
	eq(rig.states(), [[12, AgentAwareness.LIFECYCLE_SUSPECTED]], "states")
	near(rig.mind.get_confidence(enemy), 0.85, 0.00001, "confidence stays")
	eq(rig.mind.get_attention_target(), enemy, "attention stays")
	rig.profile.senses = [_sense(&"Hearing"), _sense(&"Sight")]
	rig.advance()
	near(rig.mind.get_confidence(enemy), 0.85, 0.00001, "values stay with their sense")
	rig.profile.senses[1].weight = 0.5
	rig.advance(20)
	near(rig.mind.get_record(enemy).samples[1].weight, 0.5, 0.0, "an edit of a sense")


func test_ex_20_27() -> void:
	var rig := Rig.new(self)
	rig.profile.min_visible_points_standing = 1
	var source := rig.senses.source(Vector3(0, 0, -10))
	var enemy := Rig.PerceptionRig.agent_of(source)
	source.extra_aim_points = [Vector3(3, 0, 0), Vector3(-3, 0, 0)]
	await physics()
	var two := wall(Vector3(1.1, 0, -5), Vector3(2.6, 4, 0.5))
	await physics()
	rig.advance()
	check(rig.senses.sees(enemy), "1 of 3, standing")
	near(rig.eye.get_visible_fraction(enemy), 0.33333, 0.0001, "1 of 3")
	source.stance = StimulusSource3D.STANCE_CROUCHED
	rig.advance()
	check(not rig.senses.sees(enemy), "1 of 3, crouched")
	two.free()
	var one := wall(Vector3(1.5, 0, -5), Vector3(1, 4, 0.5))
	await physics()
	rig.advance()
	check(rig.senses.sees(enemy), "2 of 3, crouched")
	source.stance = StimulusSource3D.STANCE_PRONE
	rig.advance()
	check(not rig.senses.sees(enemy), "2 of 3, prone")
	source.extra_aim_points = []
	rig.advance()
	check(rig.senses.sees(enemy), "1 of 1, prone")
	one.free()


func test_visible_points_by_stance() -> void:
	var rig := Rig.new(self)
	rig.profile.min_visible_points_standing = 2
	var source := rig.senses.source(Vector3(0, 0, -10))
	var enemy := Rig.PerceptionRig.agent_of(source)
	source.extra_aim_points = [Vector3(3, 0, 0), Vector3(-3, 0, 0)]
	await physics()
	var cover := wall(Vector3(1.1, 0, -5), Vector3(2.6, 4, 0.5))
	await physics()
	rig.advance()
	eq(rig.eye.get_visible_fraction(enemy), 0.0, "1 of 3 points is not enough")
	rig.profile.min_visible_points_standing = 1
	rig.advance()
	check(rig.senses.sees(enemy), "an edit counts in the next tick")
	rig.profile.min_visible_points_standing = 2
	rig.advance()
	check(not rig.senses.sees(enemy), "2 again")
	rig.mind.enabled = false
	rig.advance(2)
	check(rig.senses.sees(enemy), "without awareness the Perception's own number holds")
	rig.eye.sight_radius = 21.0
	rig.mind.enabled = true
	rig.advance()
	rig.eye.sight_radius = 20.0
	rig.advance()
	check(not rig.senses.sees(enemy), "settings of the Perception do not change it")
	cover.free()


func test_two_dimensions_count_in_pixels() -> void:
	var guard := add(Node2D.new()) as Node2D
	var eye := Perception2D.new()
	eye.process_callback = Perception2D.PROCESS_MANUAL
	add(eye, guard)
	var mind := AgentAwareness.new()
	var profile := AwarenessProfile.new()
	profile.score_range = 4.0
	profile.default_relationship = AwarenessProfile.RELATION_HOSTILE
	mind.profile = profile
	add(mind, guard)
	var enemy := Node2D.new()
	enemy.position = Vector2(200, 0)
	add(StimulusSource2D.new(), add(enemy))
	for i: int in 11:
		eye.advance(0.1)
	var record := mind.get_record(enemy)
	near(record.confidence, 0.85, 0.00001, "half of 400 px")
	eq([record.location, record.location_2d], [Vector3.ZERO, Vector2(200, 0)], "location")
	near(record.explain().score.proximity, 0.15 * 0.5, 0.00001, "200 px of 4 m")
	enemy.position.x = 210
	eye.advance(0.1)
	near(record.velocity_2d, Vector2(100, 0), 0.001, "velocity")
	for i: int in 10:
		enemy.position.x += 10
		eye.advance(0.1)
	near(mind.get_sneaking_fraction(enemy), 11.0 / 21.0, 0.05, "1 m/s is sneaking")
	eq(eye.get_attention_target(), enemy, "attention")


func _numbers(sense: AwarenessSense) -> Array:
	return [sense.rise_time, sense.fall_time, sense.hold_time, sense.max_confidence, sense.far_confidence]


func _sense(id: StringName) -> AwarenessSense:
	var made := AwarenessSense.new()
	made.sense_id = id
	return made
