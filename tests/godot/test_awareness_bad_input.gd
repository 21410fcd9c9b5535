extends TestCase
## Bad input to awareness: profiles, files of profiles, policies, calls.

const Mind := preload("res://support/mind.gd")
## Numbers of a profile: default, lowest, highest (null: open).
const NUMBERS: Dictionary = {
	&"update_interval": [0.1, 0.0, null], &"corroboration_bonus": [0.1, 0.0, 1.0], &"confidence_fade_time": [10.0, 0.0, null],
	&"suspect_threshold": [0.25, 0.0, 1.0], &"detect_threshold": [0.6, 0.0, 1.0], &"state_hysteresis": [0.05, 0.0, 1.0],
	&"lost_delay": [0.5, 0.0, null], &"expired_retention": [10.0, 0.0, null], &"pain_threshold": [0.5, 0.0, 1.0],
	&"pain_min_factor": [0.5, 0.0, 1.0], &"threat_weight_confidence": [0.4, 0.0, 1.0], &"threat_weight_damage": [0.35, 0.0, 1.0],
	&"threat_weight_agreement": [0.1, 0.0, 1.0], &"threat_weight_contact": [0.15, 0.0, 1.0], &"threat_factor_hostile": [1.0, 0.0, 1.0],
	&"threat_factor_unknown": [0.6, 0.0, 1.0], &"threat_factor_neutral": [0.25, 0.0, 1.0], &"damage_fade_time": [10.0, 0.0, null],
	&"contact_fade_time": [3.0, 0.0, null], &"threat_hysteresis": [0.03, 0.0, 1.0], &"attention_stickiness_time": [1.5, 0.0, null],
	&"attention_switch_threshold": [0.15, 0.0, 1.0], &"attention_challenge_time": [0.0, 0.0, null], &"attention_min_score": [0.05, 0.0, 1.0],
	&"score_weight_threat": [0.6, 0.0, 1.0], &"score_weight_confidence": [0.25, 0.0, 1.0], &"score_weight_proximity": [0.15, 0.0, 1.0],
	&"score_range": [0.0, 0.0, null], &"still_speed": [0.1, 0.0, null], &"sneak_speed": [1.5, 0.0, null],
}
const THRESHOLDS: Dictionary = {&"threat_low": 0.15, &"threat_medium": 0.4, &"threat_high": 0.65, &"threat_critical": 0.85}
const SLOT_NUMBERS: Dictionary = {
	&"weight": [1.0, 0.0, 2.0], &"rise_time": [1.0, 0.0, null], &"fall_time": [1.0, 0.0, null], &"hold_time": [0.0, 0.0, null],
	&"max_confidence": [1.0, 0.0, 1.0], &"far_confidence": [0.7, 0.0, 1.0],
}


func test_defaults() -> void:
	var profile: AwarenessProfile = AwarenessProfile.new()
	for key: StringName in NUMBERS:
		near(profile.get(key), NUMBERS[key][0], 1e-6, key)
	for key: StringName in THRESHOLDS:
		near(profile.get(key), THRESHOLDS[key], 1e-6, key)
	near(profile.damage_full, 50.0, 1e-6, "damage_full")
	eq([profile.min_visible_points_standing, profile.min_visible_points_crouched, profile.min_visible_points_prone], [1, 2, 3], "points")
	eq([profile.observation_capacity, profile.default_relationship, profile.pain_enabled, profile.turn_hostile_on_damage], [64, 0, false, true], "others")
	eq(profile.team_root_tag, &"Team", "team_root_tag")
	for key: StringName in [&"fusion_policy", &"threat_policy", &"attention_policy"]:
		is_null(profile.get(key), key)
	eq(profile.senses.size(), 0, "no slots")


func test_numbers_that_are_none_or_out_of_range() -> void:
	for key: StringName in NUMBERS:
		for value: float in [NAN, INF]:
			var profile: AwarenessProfile = AwarenessProfile.new()
			expect_warning(String(key))
			profile.set(key, value)
			near(profile.get(key), NUMBERS[key][0], 1e-6, "%s = %s" % [key, value])
		var low: AwarenessProfile = AwarenessProfile.new()
		expect_warning(String(key))
		low.set(key, -0.5)
		near(low.get(key), NUMBERS[key][1], 1e-6, "%s below its range" % key)
		if NUMBERS[key][2] != null:
			var high: AwarenessProfile = AwarenessProfile.new()
			expect_warning(String(key))
			high.set(key, 7.0)
			near(high.get(key), NUMBERS[key][2], 1e-6, "%s above its range" % key)


func test_slots_that_are_none_or_out_of_range() -> void:
	for key: StringName in SLOT_NUMBERS:
		for value: float in [NAN, INF, -1.0, 9.0]:
			var highest: Variant = SLOT_NUMBERS[key][2]
			if value == 9.0 and highest == null:
				continue
			var slot: AwarenessSense = AwarenessSense.new()
			slot.sense_id = &"Sight"
			var before: float = slot.get(key)
			expect_warning(String(key))
			slot.set(key, value)
			var wanted: float = before
			if value == -1.0:
				wanted = SLOT_NUMBERS[key][1]
			elif value == 9.0:
				wanted = highest
			near(slot.get(key), wanted, 1e-6, "%s = %s" % [key, value])


func test_thresholds_that_do_not_rise() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		mind.profile.threat_high = 0.2
		expect_warning("threat_high")
		var made: Node = mind.source(5.0)
		mind.damage(mind.guard, made, 25.0)
		mind.advance()
		near(mind.awareness.get_threat(made), 0.4 + 0.35 * 0.5 + 0.1 / 3.0 + 0.15, 1e-4, mind.named("threat"))
		eq(mind.awareness.get_threat_level(made), AgentAwareness.THREAT_HIGH, mind.named("HIGH was raised to MEDIUM's threshold"))


func test_damage_full_of_nothing() -> void:
	for mind: Mind in Mind.both(self):
		expect_warning("damage_full")
		mind.profile.damage_full = 0.0
		near(mind.profile.damage_full, 0.001, 1e-9, mind.named("the least"))
		var made: Node = mind.source(-5.0)
		mind.damage(mind.guard, made, 1.0)
		mind.advance()
		near(mind.awareness.get_threat(made), 0.75, 1e-5, mind.named("any damage counts as 1"))


func test_wrong_classes() -> void:
	var profile: AwarenessProfile = AwarenessProfile.new()
	profile.fusion_policy = SummingFusionPolicy.new()
	for row: Array in [[&"fusion_policy", ThreatPolicy.new()], [&"threat_policy", Resource.new()], [&"attention_policy", SummingFusionPolicy.new()]]:
		var before: Variant = profile.get(row[0])
		expect_error(String(row[0]))
		profile.set(row[0], row[1])
		check(profile.get(row[0]) == before, "%s unchanged" % row[0])
	profile.attention_policy = NearestAttentionPolicy.new()
	profile.attention_policy = LastAttackerAttentionPolicy.new()
	check(profile.attention_policy is LastAttackerAttentionPolicy, "built-in members fit")
	expect_error("senses")
	profile.set(&"senses", [Resource.new()])
	eq(profile.senses.size(), 0, "senses unchanged")


func test_null_slots_and_second_slots() -> void:
	for mind: Mind in Mind.both(self):
		var first: AwarenessSense = Mind.slot(&"Sight", 0.5)
		expect_warning("senses has \"Sight\" twice")
		mind.profile.set(&"senses", [null, first, Mind.slot(&"Sight", 2.0), null])
		mind.profile.update_interval = 0.0
		eq(mind.profile.senses.size(), 4, mind.named("nulls are kept"))
		var made: Node = mind.source(5.0)
		mind.advance(2)
		near(mind.confidence(made), 0.5, 1e-5, mind.named("the first slot of an id counts"))
		eq(mind.awareness.get_record(made).samples.size(), 1, mind.named("one slot"))
		check(Mind.warnings(mind.awareness).size() >= 2, mind.named("a warning for the null and for the second slot: %s" % [Mind.warnings(mind.awareness)]))


func test_calls_that_cannot_be() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.source(5.0)
		eq(mind.awareness.set_attention_override(made), false, mind.named("no belief yet"))
		mind.advance(2)
		eq(mind.awareness.set_attention_override(mind.guard), false, mind.named("not the agent itself"))
		eq(mind.noted(&"attention").size(), 0, mind.named("nothing changed"))
		eq(mind.awareness.call(&"set_relationship_override", null, AgentAwareness.RELATION_HOSTILE), false, mind.named("nobody"))
		eq(mind.awareness.get_observed_time(made, 9), 0.0, mind.named("no such stance"))


func test_states_that_are_none() -> void:
	for mind: Mind in Mind.both(self):
		mind.source(5.0)
		mind.advance(8)
		var good: Dictionary = mind.awareness.export_state()
		# Each cause is told once: another version, none, another structure.
		expect_error("state of version 2")
		expect_error("state of no version")
		expect_error("another structure")
		for change: Array in [["version", 2], ["version", "1"], ["beliefs", "many"], ["attention", 3], ["beliefs", [17]]]:
			var bad: Dictionary = good.duplicate(true)
			bad[change[0]] = change[1]
			eq(mind.awareness.import_state(bad), false, mind.named("%s = %s" % change))
		eq(mind.awareness.import_state({}), false, mind.named("nothing"))
		eq(mind.awareness.get_records().size(), 1, mind.named("nothing changed"))
		eq(JSON.stringify(mind.awareness.export_state()), JSON.stringify(good), mind.named("nothing at all"))


## Files that somebody wrote by hand.
const HEAD: String = "[gd_resource type=\"AwarenessProfile\" format=3]\n\n"
const NUMBERS_FILE: String = "[resource]\nsuspect_threshold = nan\ndetect_threshold = 7.0\nlost_delay = -3.0\nthreat_high = 0.1\ndamage_full = -1.0\nobservation_capacity = -5\nmin_visible_points_prone = 0\nscore_range = inf\n"
const SLOTS_FILE: String = "[sub_resource type=\"AwarenessSense\" id=\"1\"]\nsense_id = &\"Nonsense\"\nweight = nan\n\n[sub_resource type=\"AwarenessSense\" id=\"2\"]\nsense_id = &\"Sight\"\n\n[resource]\nsenses = [SubResource(\"1\"), null, SubResource(\"2\"), SubResource(\"2\")]\n"


func test_profile_files_written_by_hand() -> void:
	# A warning for each bad number, one for thresholds that do not rise.
	expect_warning("AwarenessProfile", 8 + 1)
	expect_warning("weight = NaN")
	var numbers: AwarenessProfile = _load(HEAD + NUMBERS_FILE, "numbers") as AwarenessProfile
	near([numbers.suspect_threshold, numbers.detect_threshold, numbers.lost_delay, numbers.score_range], [0.25, 1.0, 0.0, 0.0], 1e-6, "numbers")
	eq([numbers.observation_capacity, numbers.min_visible_points_prone], [0, 1], "counts")
	var slots: AwarenessProfile = _load(HEAD + SLOTS_FILE, "slots") as AwarenessProfile
	eq(slots.senses.size(), 4, "slots as written")
	for profile: AwarenessProfile in [numbers, slots]:
		for mind: Mind in Mind.both(self):
			mind.awareness.profile = profile
			var target: Node = mind.source(5.0)
			mind.advance(12)
			check(mind.awareness.get_record(target) != null, mind.named("it works"))
			mind.clear()


func test_profile_files_with_wrong_classes() -> void:
	var wrong: String = "[sub_resource type=\"Curve\" id=\"1\"]\n\n[sub_resource type=\"AwarenessSense\" id=\"2\"]\nsense_id = &\"Sight\"\n\n[resource]\n"
	expect_error("fusion_policy")
	var policy: AwarenessProfile = _load(HEAD + wrong + "fusion_policy = SubResource(\"1\")\ndetect_threshold = 0.5\n", "policy") as AwarenessProfile
	is_null(policy.fusion_policy, "the slot is empty")
	near(policy.detect_threshold, 0.5, 1e-6, "the rest is read")
	# An array of one class is checked by the engine before it reaches the property.
	expect_error("TypedArray")
	expect_error("Unable to convert array index")
	var senses: AwarenessProfile = _load(HEAD + wrong + "senses = [SubResource(\"2\"), SubResource(\"1\")]\ndetect_threshold = 0.5\n", "senses") as AwarenessProfile
	eq(senses.senses.size(), 0, "no slots")
	near(senses.detect_threshold, 0.5, 1e-6, "the rest is read")
	var unknown: AwarenessProfile = _load(HEAD + "[resource]\nwisdom = 3\ndetect_threshold = 0.5\n", "unknown") as AwarenessProfile
	near(unknown.detect_threshold, 0.5, 1e-6, "properties of another version do not matter")


func test_profile_with_a_scripted_policy_round_trip() -> void:
	var path: String = "user://awareness_round_trip.tres"
	var profile: AwarenessProfile = AwarenessProfile.new()
	profile.senses = [Mind.slot(&"Sight", 0.5), Mind.slot(&"Smell")]
	profile.attention_policy = NearestAttentionPolicy.new()
	var mine: FusionPolicy = FusionPolicy.new()
	mine.set_script(load("res://support/policies/half_fusion.gd"))
	mine.set(&"share", 0.25)
	profile.fusion_policy = mine
	eq(ResourceSaver.save(profile, path), OK, "saved")
	var again: AwarenessProfile = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as AwarenessProfile
	eq(again.senses.map(func(slot: AwarenessSense) -> StringName: return slot.sense_id), [&"Sight", &"Smell"], "slots")
	check(again.attention_policy is NearestAttentionPolicy, "a built-in policy")
	near(again.fusion_policy.get(&"share"), 0.25, 1e-6, "a scripted one with its value")
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))
	for mind: Mind in Mind.both(self):
		mind.awareness.profile = again
		var made: Node = mind.source(5.0)
		mind.advance(3)
		near(mind.confidence(made), 0.25, 1e-5, mind.named("it is asked"))


func _load(text: String, title: String) -> Resource:
	var path: String = "user://hand_broken_%s.tres" % title
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	file.store_string(text)
	file.close()
	var made: Resource = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))
	return made


func test_scenes_loaded_on_a_thread() -> void:
	loads_on_threads()
	var path: String = "user://threaded_guards.tscn"
	var root: Node3D = Node3D.new()
	var profile: AwarenessProfile = AwarenessProfile.new()
	profile.senses = [Mind.slot(&"Sight"), Mind.slot(&"Smell")]
	profile.attention_policy = NearestAttentionPolicy.new()
	for in_2d: bool in [false, true]:
		for i: int in 4:
			var body: Node = Node2D.new() if in_2d else Node3D.new()
			var parts: Array[Node] = []
			parts.assign([Perception2D.new(), StimulusSource2D.new()] if in_2d else [Perception3D.new(), StimulusSource3D.new()])
			var mind: AgentAwareness = AgentAwareness.new()
			mind.profile = profile
			root.add_child(body, true)
			parts.append(mind)
			for part: Node in parts:
				body.add_child(part, true)
				part.owner = root
			body.owner = root
	var scene: PackedScene = PackedScene.new()
	scene.pack(root)
	root.free()
	eq(ResourceSaver.save(scene, path), OK, "saved")
	for i: int in 5:
		eq(ResourceLoader.load_threaded_request(path, "", true, ResourceLoader.CACHE_MODE_IGNORE_DEEP), OK, "asked for")
		await until_done(func() -> bool: return ResourceLoader.load_threaded_get_status(path) != ResourceLoader.THREAD_LOAD_IN_PROGRESS, "loaded")
		var made: Node = (ResourceLoader.load_threaded_get(path) as PackedScene).instantiate()
		add(made)
		await physics(2)
		var found: AgentAwareness = made.get_child(0).get_child(2) as AgentAwareness
		eq(found.profile.senses.size(), 2, "its profile is whole")
		check(found.profile.attention_policy is NearestAttentionPolicy, "with its policy")
		made.free()
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))
