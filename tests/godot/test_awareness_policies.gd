extends TestCase
## Policies written in GDScript: an instance for each agent, what they get, what they may do, what they may return.

const Mind := preload("res://support/mind.gd")


## Answers what it is told and counts in a member of its own.
class Fuse:
	extends FusionPolicy
	static var answer: Callable
	static var calls: Dictionary = {}
	var own_calls: int = 0

	func _fuse_confidence(samples: Array[SenseSample], corroboration_bonus: float) -> float:
		own_calls += 1
		calls[get_agent()] = own_calls
		return answer.call(samples, corroboration_bonus)


class Threaten:
	extends ThreatPolicy
	static var answer: Callable

	func _score_threat(belief: AwarenessRecord, relationship: int) -> float:
		return answer.call(self, belief, relationship)


class Attend:
	extends AttentionPolicy
	static var answer: Callable

	func _select_attention_target(candidates: Array[Node], current: Node, _time_on_current: float,
			_stickiness_time: float, _switch_threshold: float) -> Node:
		return answer.call(self, candidates, current)


## Lambdas that outlive their script would end the program badly.
func _exit_tree() -> void:
	for policy: GDScript in [Fuse, Threaten, Attend]:
		policy.set(&"answer", Callable())
	Fuse.calls = {}


class EmptyFuse:
	extends FusionPolicy


class EmptyThreaten:
	extends ThreatPolicy


class EmptyAttend:
	extends AttentionPolicy


func test_ex_20_34() -> void:
	Fuse.answer = func(_samples: Array, _bonus: float) -> float: return 0.5
	for in_2d: bool in [false, true]:
		var one: Mind = Mind.new(self, in_2d)
		var two: Mind = Mind.new(self, in_2d)
		one.sharp()
		one.profile.fusion_policy = Fuse.new()
		two.awareness.profile = one.profile
		one.source(5.0)
		Fuse.calls = {}
		one.advance(7)
		two.advance(3)
		eq([Fuse.calls[one.guard], Fuse.calls[two.guard]], [7, 3], one.named("two counts"))
		one.profile.attention_switch_threshold = 0.2
		one.advance()
		eq(Fuse.calls[one.guard], 8, one.named("an edit of a number keeps the instance"))
		one.profile.fusion_policy.emit_changed()
		one.advance()
		eq(Fuse.calls[one.guard], 1, one.named("a change of the policy makes a new one"))
		eq((one.profile.fusion_policy as Fuse).own_calls, 0, one.named("the shared one is never called"))
		one.clear()
		two.clear()


func test_ex_20_17() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		mind.profile.threat_policy = Threaten.new()
		mind.profile.teammate_tags = PackedStringArray(["Mate"])
		var mate: Node = mind.source(5.0)
		mate.set(&"affiliation_tags", PackedStringArray(["Mate"]))
		var foe: Node = mind.source(5.0, 1.0)
		var asked: Array = []
		Threaten.answer = func(_policy: ThreatPolicy, belief: AwarenessRecord, relationship: int) -> float:
			asked.append([belief.target, relationship])
			return 2.0 if relationship == AgentAwareness.RELATION_HOSTILE else 1.0
		mind.advance()
		eq([mind.awareness.get_threat(mate), mind.awareness.get_threat_level(mate)], [0.0, AgentAwareness.THREAT_NONE], mind.named("a teammate"))
		eq([mind.awareness.get_threat(foe), mind.awareness.get_threat_level(foe)], [1.0, AgentAwareness.THREAT_CRITICAL], mind.named("2 is clamped to 1"))
		check(asked == [[mind.agent_of(foe), AgentAwareness.RELATION_HOSTILE]], mind.named("not asked about friends"))


func test_fusion_policy() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		mind.profile.senses = [Mind.slot(&"Sight", 0.8), Mind.slot(&"Smell", 1.5), Mind.slot(&"Hearing")]
		mind.profile.fusion_policy = Fuse.new()
		var rows: Array = []
		Fuse.answer = func(samples: Array, bonus: float) -> float:
			rows.append([bonus] + samples.map(func(sample: SenseSample) -> Array: return [sample.sense_id, snappedf(sample.confidence, 0.0001), snappedf(sample.weight, 0.0001), sample.is_active]))
			return 7.0
		var made: Node = mind.source(-5.0)
		mind.smell(made, 0.4)
		mind.advance()
		eq(rows, [[0.1, [&"Sight", 0.0, 0.8, false], [&"Smell", 0.4, 1.5, true], [&"Hearing", 0.0, 1.0, false]]], mind.named("once, a sample per slot"))
		eq(mind.confidence(made), 1.0, mind.named("7 is clamped"))


func test_where_a_policy_is() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		mind.profile.threat_policy = Threaten.new()
		mind.source(5.0)
		var found: Array = []
		Threaten.answer = func(policy: ThreatPolicy, _belief: AwarenessRecord, _relationship: int) -> float:
			found.append([policy.get_agent(), policy.get_awareness()])
			return 0.5
		mind.advance()
		check(found == [[mind.guard, mind.awareness]], mind.named("agent and awareness"))
		is_null(mind.profile.threat_policy.call(&"get_agent"), mind.named("none for the shared one"))
		is_null(mind.profile.threat_policy.call(&"get_awareness"), mind.named("none for the shared one"))


func test_policies_without_their_virtual() -> void:
	for mind: Mind in Mind.both(self):
		mind.profile.fusion_policy = EmptyFuse.new()
		mind.profile.threat_policy = EmptyThreaten.new()
		mind.profile.attention_policy = EmptyAttend.new()
		var made: Node = mind.source(10.0)
		mind.advance(12)
		near(mind.confidence(made), 0.85, 1e-5, mind.named("built-in fusion"))
		near(mind.awareness.get_threat(made), 0.4 * 0.85 + 0.15, 1e-5, mind.named("built-in threat"))
		check(mind.awareness.get_attention_target() == mind.agent_of(made), mind.named("built-in attention"))
		check(Mind.warnings(mind.awareness).size() >= 3, mind.named("a warning for each: %s" % [Mind.warnings(mind.awareness)]))


func test_policies_of_the_scriptable_class_itself() -> void:
	for mind: Mind in Mind.both(self):
		mind.profile.fusion_policy = FusionPolicy.new()
		mind.profile.threat_policy = ThreatPolicy.new()
		mind.profile.attention_policy = AttentionPolicy.new()
		var made: Node = mind.source(10.0)
		mind.advance(12)
		near(mind.confidence(made), 0.85, 1e-5, mind.named("built-in rules"))
		check(mind.awareness.get_attention_target() == mind.agent_of(made), mind.named("built-in attention"))


func test_answers_that_are_no_answers() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		var made: Node = mind.source(5.0)
		mind.advance(2)
		check(mind.awareness.get_attention_target() == mind.agent_of(made), mind.named("attention"))
		var stranger: Node = mind.agent(2.0)
		mind.profile.attention_policy = Attend.new()
		Attend.answer = func(_policy: AttentionPolicy, _candidates: Array, _current: Node) -> Node: return stranger
		expect_error("_select_attention_target")
		mind.advance(3)
		check(mind.awareness.get_attention_target() == mind.agent_of(made), mind.named("a stranger: current is kept"))
		mind.profile.attention_policy = null
		mind.profile.threat_policy = Threaten.new()
		Threaten.answer = func(_policy: ThreatPolicy, _belief: AwarenessRecord, _relationship: int) -> float: return NAN
		expect_error("_score_threat")
		mind.advance(3)
		eq(mind.awareness.get_threat(made), 0.0, mind.named("NaN counts as 0"))
		mind.profile.threat_policy = null
		mind.profile.fusion_policy = Fuse.new()
		Fuse.answer = func(_samples: Array, _bonus: float) -> float: return NAN
		expect_error("_fuse_confidence")
		mind.profile.confidence_fade_time = 0.0
		mind.advance(3)
		eq(mind.confidence(made), 0.0, mind.named("NaN counts as 0"))
		Fuse.answer = func(_samples: Array, _bonus: float) -> float: return INF
		mind.advance()
		eq(mind.confidence(made), 1.0, mind.named("infinity is clamped"))


## Every public method from every virtual and signal, and the agent that goes in them.
func test_policies_may_call_anything() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		mind.profile.fusion_policy = Fuse.new()
		mind.profile.threat_policy = Threaten.new()
		mind.profile.attention_policy = Attend.new()
		var made: Node = mind.agent_of(mind.source(5.0))
		var depth: Array[int] = [0]
		var busy: Callable = func() -> void:
			depth[0] += 1
			if depth[0] % 5 == 0:
				_call_everything(mind, made)
		Fuse.answer = func(_samples: Array, _bonus: float) -> float:
			busy.call()
			return 0.9
		Threaten.answer = func(_policy: ThreatPolicy, _belief: AwarenessRecord, _relationship: int) -> float:
			busy.call()
			return 0.6
		Attend.answer = func(_policy: AttentionPolicy, candidates: Array, _current: Node) -> Node:
			busy.call()
			return candidates[0] if not candidates.is_empty() else null
		mind.response = func(_note: Mind.Note) -> void: _call_everything(mind, made)
		mind.advance(30)
		check(depth[0] > 20, mind.named("called often"))
		mind.response = Callable()
		mind.clear()


func _call_everything(mind: Mind, made: Node) -> void:
	var awareness: AgentAwareness = mind.awareness
	for belief: AwarenessRecord in awareness.get_records():
		belief.explain()
		belief.is_sensed_back(15)
		belief.samples.size()
	awareness.get_targets_by_score()
	awareness.set_attention_override(made)
	awareness.clear_attention_override()
	awareness.set_relationship_override(made, AgentAwareness.RELATION_NEUTRAL)
	awareness.clear_relationship_override(made)
	awareness.get_observations()
	awareness.clear_observations()
	awareness.import_state(awareness.export_state())
	mind.eye.call(&"import_state", mind.eye.call(&"export_state"))
	awareness.profile = awareness.profile
	mind.profile.detect_threshold = 0.5
	PerceptionServer.report_stimulus(mind.eye, made, &"Smell", 0.3)
	mind.eye.call(&"scan_now")
	if mind.tick % 3 == 0:
		awareness.forget(made)


func test_policies_that_free_their_agent() -> void:
	for which: StringName in [&"fusion_policy", &"threat_policy", &"attention_policy"]:
		for mind: Mind in Mind.both(self):
			mind.sharp()
			mind.source(5.0)
			mind.source(5.0, 1.0)
			var doomed: Callable = func() -> void:
				if mind.guard.is_inside_tree():
					remove_child(mind.guard)
					mind.guard.queue_free()
			Fuse.answer = func(_samples: Array, _bonus: float) -> float:
				doomed.call()
				return 0.9
			Threaten.answer = func(_policy: ThreatPolicy, _belief: AwarenessRecord, _relationship: int) -> float:
				doomed.call()
				return 0.9
			Attend.answer = func(_policy: AttentionPolicy, _candidates: Array, current: Node) -> Node:
				doomed.call()
				return current
			mind.profile.set(which, {&"fusion_policy": Fuse, &"threat_policy": Threaten, &"attention_policy": Attend}[which].new())
			mind.advance()
			eq(mind.notes.size(), 0, mind.named("%s: the update ends quietly" % which))
			await idle(2)
			check(not is_instance_valid(mind.awareness), mind.named("gone"))
			mind.clear()


func test_handlers_that_free_the_agent_or_the_target() -> void:
	for kind: StringName in [&"state", &"level", &"highest", &"attention"]:
		for victim: String in ["agent", "target", "awareness", "perception"]:
			for mind: Mind in Mind.both(self):
				mind.sharp()
				mind.awareness.name = "awareness"
				mind.eye.name = "perception"
				var made: Array[Node] = [mind.agent_of(mind.source(5.0))]
				mind.source(6.0, 1.0)
				mind.response = func(note: Mind.Note) -> void:
					if note.kind == kind:
						_end(victim, mind, made)
				mind.advance()
				check(mind.noted(kind).size() >= 1, mind.named("%s was raised" % kind))
				await idle(2)
				if is_instance_valid(mind.eye) and mind.eye.is_inside_tree():
					mind.advance(3)
				mind.response = Callable()
				mind.clear()
				await idle()


func _end(victim: String, mind: Mind, made: Array[Node]) -> void:
	match victim:
		"agent":
			if mind.guard.is_inside_tree():
				remove_child(mind.guard)
				mind.guard.queue_free()
		"target":
			for node: Node in made:
				node.free()
			made.clear()
		"awareness", "perception":
			var part: Node = mind.guard.get_node_or_null(victim)
			if part != null:
				part.queue_free()
