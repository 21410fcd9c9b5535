extends TestCase
## Any call from any policy, adapter and signal of awareness, also ones that free the agent or pull the profile away.

const Rig := preload("res://support/awareness_rig.gd")
const FUSION: String = "extends FusionPolicy\nvar done := false\nfunc _fuse_confidence(_samples: Array[SenseSample], _bonus: float) -> float:\n\tget_agent().get_meta(&\"act\").call()\n\treturn 0.7\n"
const THREAT: String = "extends ThreatPolicy\nfunc _score_threat(_record: AwarenessRecord, _relationship: int) -> float:\n\tget_agent().get_meta(&\"act\").call()\n\treturn 0.5\n"
const ATTENTION: String = "extends AttentionPolicy\nfunc _select_attention_target(candidates: Array[Node], _current: Node, _time: float, _stickiness: float, _threshold: float) -> Node:\n\tget_agent().get_meta(&\"act\").call()\n\treturn candidates[0] if candidates.size() > 0 and is_instance_valid(candidates[0]) else null\n"
const ADAPTERS: String = "extends Node3D\nfunc get_relationship_to(_other: Node) -> int:\n\tget_meta(&\"act\").call()\n\treturn 1\nfunc get_health_fraction() -> float:\n\tget_meta(&\"act\").call()\n\treturn 0.5\n"
const POSING: String = "extends Node3D\nvar act := Callable()\nfunc get_stance() -> int:\n\tif act.is_valid():\n\t\tact.call()\n\treturn 1\n"


## Rigs whose policies, adapters or signals call `act`; by name.
func _rig(place: String) -> Rig:
	var body: Node3D = null
	if place == "adapter":
		body = script(ADAPTERS).new()
	var rig := Rig.new(self, body)
	rig.guard.set_meta(&"act", func() -> void: pass)
	match place:
		"fusion": rig.profile.fusion_policy = script(FUSION).new()
		"threat": rig.profile.threat_policy = script(THREAT).new()
		"attention": rig.profile.attention_policy = script(ATTENTION).new()
		"adapter": rig.profile.pain_enabled = true
		"signal":
			rig.reaction = func(_entry: Rig.Raised) -> void: _act_of(rig.guard).call()
	return rig


func _act_of(guard: Node) -> Callable:
	return guard.get_meta(&"act") if is_instance_valid(guard) else func() -> void: pass


const PLACES: Array[String] = ["fusion", "threat", "attention", "adapter", "signal"]


## What a lambda may keep of nodes that are freed.
class Targets:
	extends RefCounted
	var first: Variant = null
	var second: Variant = null


## Runs `act` at every place, in a guard that sees two targets and is hurt.
func _everywhere(act: Callable, after: Callable = Callable()) -> void:
	for place: String in PLACES:
		var rig := _rig(place)
		var targets := Targets.new()
		targets.first = rig.target(Vector3(0, 0, -10))
		targets.second = rig.target(Vector3(1, 0, -5))
		rig.advance(5)
		var done := [0]
		var inside := [false]
		rig.guard.set_meta(&"act", func() -> void:
			# What asks the game runs its answer again.
			if inside[0]:
				return
			inside[0] = true
			done[0] += 1
			act.call(rig, targets, done[0])
			inside[0] = false)
		PerceptionServer.report_damage(rig.guard, targets.second, Vector3.ZERO, 30.0)
		for i: int in 12:
			if is_instance_valid(rig.eye) and rig.eye.is_inside_tree():
				rig.advance()
		check(done[0] > 0, "%s was reached" % place)
		if after.is_valid():
			after.call(rig, place)
		if is_instance_valid(rig.guard):
			rig.guard.remove_meta(&"act")
		rig.senses.clear()


func test_queries() -> void:
	_everywhere(func(rig: Rig, targets: Targets, _count: int) -> void:
		var mind := rig.mind
		for record: AwarenessRecord in mind.get_records():
			record.explain()
			record.is_sensed_back()
			for sample: SenseSample in record.samples:
				sample.confidence
		mind.get_targets_by_score()
		mind.get_relationship(targets.first)
		mind.get_posture(targets.first)
		mind.get_vision_stance(targets.first)
		mind.get_attention_target()
		mind.get_observations()
		mind.get_own_health()
		mind.get_pain_factor()
		rig.eye.get_threat(targets.first)
		mind.export_state(), func(rig: Rig, place: String) -> void:
			eq(rig.mind.get_records().size(), 2, place + ": both beliefs are there"))


func test_mutators() -> void:
	_everywhere(func(rig: Rig, targets: Targets, count: int) -> void:
		rig.mind.set_attention_override(targets.second if count % 2 == 0 else targets.first)
		rig.mind.clear_attention_override()
		rig.mind.set_relationship_override(targets.first, count % 5)
		rig.mind.clear_relationship_override(targets.first)
		rig.mind.clear_observations()
		rig.mind.debug_log_decisions = false, func(rig: Rig, place: String) -> void:
			eq(rig.mind.get_records().size(), 2, place + ": both beliefs are there"))


func test_another_profile() -> void:
	_everywhere(func(rig: Rig, _targets: Targets, count: int) -> void:
		rig.mind.profile = null if count % 2 == 0 else AwarenessProfile.new(),
		func(rig: Rig, place: String) -> void:
			eq(rig.mind.get_records().size(), 2, place + ": both beliefs are there"))


func test_edits_of_the_profile() -> void:
	_everywhere(func(rig: Rig, _targets: Targets, count: int) -> void:
		rig.profile.suspect_threshold = 0.2 + 0.01 * (count % 3)
		rig.profile.fusion_policy = null
		rig.profile.threat_policy = null
		rig.profile.attention_policy = null
		rig.profile.senses = [AwarenessSense.new()], func(rig: Rig, place: String) -> void:
			eq(rig.mind.get_records().size(), 2, place + ": both beliefs are there"))


func test_forgetting() -> void:
	_everywhere(func(rig: Rig, targets: Targets, _count: int) -> void:
		rig.mind.forget(targets.first)
		rig.eye.forget_all())


func test_switching_off_and_on() -> void:
	_everywhere(func(rig: Rig, _targets: Targets, count: int) -> void:
		rig.mind.enabled = count % 2 == 0
		rig.eye.enabled = count % 3 != 0)


func test_saved_and_restored() -> void:
	_everywhere(func(rig: Rig, _targets: Targets, count: int) -> void:
		if count < 10:
			check(rig.mind.import_state(rig.mind.export_state()), "imported"))


func test_a_target_is_freed() -> void:
	_everywhere(func(_rig: Rig, targets: Targets, _count: int) -> void:
		if is_instance_valid(targets.first):
			(targets.first as Node).free(), func(rig: Rig, place: String) -> void:
				eq(rig.mind.get_targets_by_score().size(), 1, place + ": the other one is left"))


func test_the_attention_target_is_freed() -> void:
	_everywhere(func(_rig: Rig, targets: Targets, _count: int) -> void:
		if is_instance_valid(targets.second):
			(targets.second as Node).free())


func test_the_awareness_leaves_the_tree() -> void:
	_everywhere(func(rig: Rig, _targets: Targets, _count: int) -> void:
		if rig.mind.get_parent() != null:
			rig.guard.remove_child(rig.mind), func(rig: Rig, _place: String) -> void:
				rig.mind.free())


func test_the_perception_leaves_the_tree() -> void:
	_everywhere(func(rig: Rig, _targets: Targets, _count: int) -> void:
		if rig.eye.get_parent() != null:
			rig.guard.remove_child(rig.eye), func(rig: Rig, _place: String) -> void:
				rig.eye.free())


func test_the_agent_is_queued() -> void:
	_everywhere(func(rig: Rig, _targets: Targets, _count: int) -> void:
		rig.guard.queue_free())
	await idle(2)


## From a policy or an adapter an agent may free itself at once; the update ends quietly. (A free in a signal of its own
## child makes the engine print an error.)
func test_a_policy_frees_its_agent() -> void:
	for place: String in ["fusion", "threat", "attention"]:
		var rig := _rig(place)
		rig.target(Vector3(0, 0, -10))
		rig.target(Vector3(1, 0, -5))
		rig.advance(3)
		var before: int = rig.raised.size()
		var calls := [0]
		rig.guard.set_meta(&"act", func() -> void:
			calls[0] += 1
			if is_instance_valid(rig.mind):
				rig.mind.free())
		rig.advance()
		eq(calls[0], 1, place + ": no further call")
		eq(rig.raised.size(), before, place + ": no signal")
		rig.guard.remove_meta(&"act")


func test_a_target_frees_itself_when_it_is_asked() -> void:
	var rig := _rig("fusion")
	var poser: Node3D = script(POSING).new()
	poser.position = Vector3(0, 0, -10)
	var source := StimulusSource3D.new()
	source.sight_target_offset = Vector3.ZERO
	poser.add_child(source)
	add(poser)
	rig.advance(3)
	eq(rig.mind.get_record(poser).posture, AgentAwareness.STANCE_CROUCHED, "asked")
	poser.set(&"act", func() -> void:
		poser.queue_free()
		poser.get_parent().remove_child(poser))
	rig.advance(2)
	eq(rig.mind.get_records(), [], "gone")
	await idle(2)
	rig.guard.remove_meta(&"act")


func test_a_tick_inside_a_tick() -> void:
	var rig := _rig("fusion")
	var other := Rig.new(self)
	rig.target(Vector3(0, 0, -10))
	expect_error("advance() was called from inside the node's own step")
	var done := [0]
	rig.guard.set_meta(&"act", func() -> void:
		done[0] += 1
		other.advance()
		rig.eye.advance(0.1))
	rig.advance(5)
	eq(done[0], 5, "calls")
	check(other.mind.get_records().size() == 1, "the other one ticked")
	near(other.mind.get_records()[0].confidence, 0.34, 0.00001, "all its ticks")
	rig.guard.remove_meta(&"act")
