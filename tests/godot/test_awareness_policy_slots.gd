extends TestCase
## Policies: scripts in the slots of a profile, one copy for each agent, and the built-in members.

const Rig := preload("res://support/awareness_rig.gd")
const FUSION: String = "extends FusionPolicy\nvar calls := []\nfunc _fuse_confidence(samples: Array[SenseSample], bonus: float) -> float:\n\tvar row := []\n\tfor sample in samples:\n\t\trow.append([str(sample.sense_id), sample.confidence, sample.weight, sample.is_active])\n\tget_agent().get_meta(&\"calls\").append([row, bonus])\n\treturn %s\n"
const THREAT: String = "extends ThreatPolicy\nfunc _score_threat(record: AwarenessRecord, relationship: int) -> float:\n\tget_agent().get_meta(&\"calls\").append([record, relationship, record.confidence])\n\treturn %s\n"
const ATTENTION: String = "extends AttentionPolicy\nfunc _select_attention_target(candidates: Array[Node], current: Node, time: float, stickiness: float, threshold: float) -> Node:\n\tget_agent().get_meta(&\"calls\").append([candidates.duplicate(), current, time, stickiness, threshold])\n\treturn %s\n"


func _rig() -> Rig:
	var rig := Rig.new(self)
	rig.guard.set_meta(&"calls", [])
	return rig


func _calls(rig: Rig) -> Array:
	return rig.guard.get_meta(&"calls")


func test_fusion_gets_a_sample_for_each_sense() -> void:
	var rig := _rig()
	rig.profile.fusion_policy = script(FUSION % "0.7").new()
	rig.profile.corroboration_bonus = 0.2
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(6)
	eq(_calls(rig).size(), 6, "once for each update")
	var row: Array = _calls(rig)[5][0]
	eq(row.map(func(sample: Array) -> String: return sample[0]), ["Sight", "Hearing", "Damage"], "in order")
	near(row[0][1], 0.425, 0.00001, "before the weight")
	eq([row[0][2], row[0][3], row[1][3], row[2][3]], [1.0, true, false, false], "weight and active")
	eq(_calls(rig)[5][1], 0.2, "bonus")
	near(rig.mind.get_confidence(enemy), 0.7, 0.00001, "the answer")
	eq(PerceptionServer.get_stats().policy_calls, 1, "counted")


func test_fusion_is_asked_once_for_each_belief() -> void:
	var rig := _rig()
	rig.profile.fusion_policy = script(FUSION % "0.5").new()
	for i: int in 4:
		rig.target(Vector3(i, 0, -10))
	rig.advance()
	eq(_calls(rig).size(), 4, "calls")
	eq(PerceptionServer.get_stats().policy_calls, 4, "counted")
	eq(PerceptionServer.get_stats().beliefs_updated, 4, "beliefs")


func test_answers_are_clamped() -> void:
	var rig := _rig()
	rig.profile.fusion_policy = script(FUSION % "7.0").new()
	rig.profile.threat_policy = script(THREAT % "-3.0").new()
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance()
	eq([rig.mind.get_confidence(enemy), rig.mind.get_threat(enemy)], [1.0, 0.0], "clamped")


func test_answers_that_are_no_numbers() -> void:
	var rig := _rig()
	expect_error("_fuse_confidence() gave no number, which counts as 0")
	expect_error("_score_threat() gave no number, which counts as 0")
	rig.profile.fusion_policy = script(FUSION % "NAN").new()
	rig.profile.threat_policy = script(THREAT % "NAN").new()
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(5)
	eq([rig.mind.get_confidence(enemy), rig.mind.get_threat(enemy)], [0.0, 0.0], "0")


func test_threat_gets_the_live_record() -> void:
	var rig := _rig()
	rig.profile.threat_policy = script(THREAT % "0.5").new()
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(4)
	var call: Array = _calls(rig)[3]
	eq(call[0], rig.mind.get_record(enemy), "the record that scripts get")
	eq(call[1], AgentAwareness.RELATION_HOSTILE, "relationship")
	near(call[2], 0.255, 0.00001, "confidence of this update")


func test_attention_gets_everything_it_replaces() -> void:
	var rig := _rig()
	rig.profile.attention_policy = script(ATTENTION % "candidates[0]").new()
	rig.profile.attention_stickiness_time = 2.5
	rig.profile.attention_switch_threshold = 0.4
	var far_one := rig.target(Vector3(0, 0, -15))
	var near_one := rig.target(Vector3(0, 0, -5))
	var thing := rig.senses.source(Vector3(0, 0, -2))
	thing.can_hold_attention = false
	rig.advance(4)
	eq(_calls(rig)[0], [[near_one, far_one], null, 0.0, 2.5, 0.4], "the first call")
	var last: Array = _calls(rig)[3]
	eq([last[0], last[1]], [[near_one, far_one], near_one], "current")
	near(last[2], 0.3, 0.00001, "time on current")


func test_attention_may_let_go() -> void:
	var rig := _rig()
	rig.profile.attention_policy = script(ATTENTION % "candidates[0] if time < 0.25 and (current or candidates[0].get_meta(&\"fresh\", true)) else null").new()
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(2)
	enemy.set_meta(&"fresh", false)
	rig.advance(6)
	eq(rig.attentions(), [[0, null, enemy, AgentAwareness.ATTENTION_ACQUIRED],
		[3, enemy, null, AgentAwareness.ATTENTION_RELEASED]], "attention")


func test_attention_on_strangers() -> void:
	var rig := _rig()
	expect_error("_select_attention_target() chose what is neither a candidate nor the current target, which is kept")
	rig.profile.attention_policy = script(ATTENTION % "get_agent().get_meta(&\"wanted\") if get_agent().has_meta(&\"wanted\") else null").new()
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance()
	is_null(rig.mind.get_attention_target(), "nobody")
	rig.guard.set_meta(&"wanted", enemy)
	rig.advance()
	eq(rig.mind.get_attention_target(), enemy, "the enemy")
	rig.guard.set_meta(&"wanted", self)
	rig.advance(3)
	eq(rig.mind.get_attention_target(), enemy, "a stranger is refused")
	rig.guard.set_meta(&"wanted", rig.target(Vector3(0, 0, 50)))
	rig.advance(3)
	eq(rig.mind.get_attention_target(), enemy, "an unknown target too")
	rig.guard.remove_meta(&"wanted")


func test_the_copy_lives_until_its_resource_changes() -> void:
	var counting := script("extends FusionPolicy\n@export var step := 1\nvar calls := 0\nfunc _fuse_confidence(_samples: Array[SenseSample], _bonus: float) -> float:\n\tcalls += step\n\tget_agent().set_meta(&\"count\", calls)\n\tget_agent().set_meta(&\"mind\", get_awareness())\n\treturn 0.5\n")
	var rig := Rig.new(self)
	var policy: FusionPolicy = counting.new()
	policy.set(&"step", 2)
	rig.profile.fusion_policy = policy
	rig.target(Vector3(0, 0, -10))
	rig.advance(3)
	eq(rig.guard.get_meta(&"count"), 6, "exported values are copied")
	eq(rig.guard.get_meta(&"mind"), rig.mind, "get_awareness")
	rig.profile.suspect_threshold = 0.3
	rig.advance()
	eq(rig.guard.get_meta(&"count"), 8, "another number of the profile does not matter")
	policy.emit_changed()
	rig.advance()
	eq(rig.guard.get_meta(&"count"), 2, "a change begins anew")
	rig.profile.fusion_policy = null
	rig.profile.fusion_policy = policy
	rig.advance()
	eq(rig.guard.get_meta(&"count"), 2, "another resource in the slot")
	rig.mind.profile = rig.profile.duplicate()
	rig.advance()
	eq(rig.guard.get_meta(&"count"), 2, "another profile")


func test_a_script_without_the_virtual_changes_nothing() -> void:
	var rig := Rig.new(self)
	rig.profile.fusion_policy = script("extends FusionPolicy\n").new()
	rig.profile.threat_policy = ThreatPolicy.new()
	rig.profile.attention_policy = script("extends AttentionPolicy\nvar x := 1\n").new()
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(11)
	near(rig.mind.get_confidence(enemy), 0.85, 0.00001, "the built-in rule")
	eq(rig.mind.get_attention_target(), enemy, "attention")
	eq(PerceptionServer.get_stats().policy_calls, 0, "no call")
	if not ClassDB.class_exists(&"RiposteProbe"):
		return
	var probe: Object = ClassDB.instantiate(&"RiposteProbe")
	var warnings := "\n".join(probe.call(&"awareness_warnings", rig.mind) as PackedStringArray)
	for named: String in ["fusion_policy does not implement _fuse_confidence()", "threat_policy does not implement", "attention_policy does not implement"]:
		check(named in warnings, "warning: " + named)


func test_summing_fusion_in_the_slot() -> void:
	var rig := Rig.new(self)
	rig.profile.fusion_policy = SummingFusionPolicy.new()
	var sight := AwarenessSense.new()
	sight.rise_time = 0.0
	sight.far_confidence = 0.3
	sight.max_confidence = 0.3
	var hearing := AwarenessSense.new()
	hearing.sense_id = &"Hearing"
	hearing.far_confidence = 0.3
	hearing.max_confidence = 0.3
	rig.profile.senses = [sight, hearing]
	var enemy := rig.target(Vector3(0, 0, -10))
	PerceptionServer.report_noise(enemy.global_position, 1.0, enemy)
	rig.advance()
	near(rig.mind.get_confidence(enemy), 0.6, 0.00001, "0.3 and 0.3")


func test_nearest_attention() -> void:
	var rig := Rig.new(self)
	rig.profile.attention_policy = NearestAttentionPolicy.new()
	rig.profile.suspect_threshold = 0.0
	var first := rig.target(Vector3(0, 0, -10))
	rig.advance()
	eq(rig.mind.get_attention_target(), first, "the only one")
	var second := rig.target(Vector3(0, 0, -9))
	rig.advance(30)
	eq(rig.mind.get_attention_target(), first, "9 m is not near enough")
	second.global_position.z = -8.4
	rig.advance()
	eq(rig.mind.get_attention_target(), second, "8.4 m is")


func test_last_attacker_attention() -> void:
	var rig := Rig.new(self)
	var rule := LastAttackerAttentionPolicy.new()
	rule.memory_time = 2.0
	rig.profile.attention_policy = rule
	rig.profile.attention_stickiness_time = 0.0
	rig.profile.damage_fade_time = 0.1
	var near_one := rig.target(Vector3(0, 0, -2))
	var far_one := rig.target(Vector3(1, 0, -18))
	rig.advance(12)
	eq(rig.mind.get_attention_target(), near_one, "the built-in rule")
	PerceptionServer.report_damage(rig.guard, far_one, Vector3.ZERO, 1.0)
	rig.advance()
	eq(rig.mind.get_attention_target(), far_one, "who hit last")
	rig.advance(19)
	eq(rig.mind.get_attention_target(), far_one, "within 2 s")
	rig.advance(40)
	eq(rig.mind.get_attention_target(), near_one, "after that the built-in rule")


func test_wrong_classes_in_slots() -> void:
	var profile := AwarenessProfile.new()
	var fusion := SummingFusionPolicy.new()
	profile.fusion_policy = fusion
	expect_error("fusion_policy is ThreatPolicy; fusion_policy stays as it was. Allowed: SummingFusionPolicy, FusionPolicy.")
	expect_error("threat_policy is SummingFusionPolicy")
	expect_error("attention_policy is Resource")
	profile.fusion_policy = ThreatPolicy.new()
	profile.threat_policy = SummingFusionPolicy.new()
	profile.attention_policy = Resource.new()
	eq(profile.fusion_policy, fusion, "unchanged")
	is_null(profile.threat_policy, "unchanged")
	is_null(profile.attention_policy, "unchanged")


func test_templates_compile_and_run() -> void:
	var rig := Rig.new(self)
	var classes: Array[String] = ["FusionPolicy", "ThreatPolicy", "AttentionPolicy"]
	for named: String in classes:
		var file := named.to_snake_case()
		var text := FileAccess.get_file_as_string("res://addons/riposte/script_templates/%s/%s.gd" % [named, file])
		check("# meta-name:" in text, "template of " + named)
		text = text.replace("_BASE_", named).replace("_TS_", "\t")
		rig.profile.set(file, script(text).new())
	var enemy := rig.target(Vector3(0, 0, -10))
	rig.advance(11)
	eq(PerceptionServer.get_stats().policy_calls, 3, "each runs")
	near(rig.mind.get_confidence(enemy), 0.85, 0.00001, "as the built-in fusion")
	near(rig.mind.get_threat(enemy), 0.5 * 0.85 + 0.2, 0.00001, "threat of the template")
	eq(rig.mind.get_attention_target(), enemy, "attention of the template")
