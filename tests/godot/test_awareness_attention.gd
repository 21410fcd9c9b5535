extends TestCase
## Which target has the attention, and why it changes.

const Mind := preload("res://support/mind.gd")
const ACQUIRED := AgentAwareness.ATTENTION_ACQUIRED
const SWITCHED := AgentAwareness.ATTENTION_SWITCHED
const EXPIRED := AgentAwareness.ATTENTION_EXPIRED
const GONE := AgentAwareness.ATTENTION_GONE
const RELEASED := AgentAwareness.ATTENTION_RELEASED
const OVERRIDDEN := AgentAwareness.ATTENTION_OVERRIDDEN


## The threat of each target is what the test says.
class Told:
	extends ThreatPolicy
	static var scores: Dictionary = {}

	func _score_threat(belief: AwarenessRecord, _relationship: int) -> float:
		return scores.get(belief.target, 0.0)


## Picks the candidate that the test says, whatever its score.
class Picked:
	extends AttentionPolicy
	static var choice: Callable

	func _select_attention_target(candidates: Array[Node], current: Node, time_on_current: float,
			stickiness_time: float, switch_threshold: float) -> Node:
		return choice.call(candidates, current, [time_on_current, stickiness_time, switch_threshold])


## A lambda that outlives its script would end the program badly.
func _exit_tree() -> void:
	Picked.choice = Callable()
	Told.scores = {}


## Two seen targets whose score is the threat that `Told` has for them.
func _two(mind: Mind) -> Array[Node]:
	mind.sharp()
	mind.profile.threat_policy = Told.new()
	mind.profile.score_weight_threat = 1.0
	mind.profile.score_weight_confidence = 0.0
	mind.profile.score_weight_proximity = 0.0
	Told.scores = {}
	var made: Array[Node] = [mind.agent_of(mind.source(5.0)), mind.agent_of(mind.source(5.0, 1.0))]
	Told.scores[made[0]] = 0.55
	return made


func test_ex_20_19() -> void:
	for row: Array in [[0.75, 15], [0.69, -1], [0.70, 15]]:
		for mind: Mind in Mind.both(self):
			var made: Array[Node] = _two(mind)
			mind.advance(5)
			Told.scores[made[1]] = row[0]
			mind.advance(30)
			var wanted: Array = [[null, made[0], ACQUIRED, 0]]
			if row[1] >= 0:
				wanted.append([made[0], made[1], SWITCHED, row[1]])
			check(mind.turns() == wanted, mind.named("B with %s: %s" % [row[0], mind.turns()]))
			mind.clear()


func test_ex_20_20() -> void:
	for mind: Mind in Mind.both(self):
		var made: Array[Node] = _two(mind)
		mind.profile.attention_challenge_time = 0.5
		mind.advance(13)
		Told.scores[made[1]] = 0.75
		mind.advance(10)
		check(mind.turns() == [[null, made[0], ACQUIRED, 0], [made[0], made[1], SWITCHED, 18]], mind.named("%s" % [mind.turns()]))


func test_ex_20_21() -> void:
	for with_rival: bool in [true, false]:
		for mind: Mind in Mind.both(self):
			var made: Array[Node] = _two(mind)
			if with_rival:
				Told.scores[made[1]] = 0.5
			mind.advance(5)
			mind.notes.clear()
			made[0].free()
			mind.advance()
			check(mind.turns() == [[null, made[1] if with_rival else null, GONE, 5]], mind.named("%s" % [mind.turns()]))
			mind.clear()


func test_ex_20_22() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.agent_of(mind.source(10.0))
		mind.advance(10)
		check(mind.awareness.get_attention_target() == made, mind.named("attention"))
		mind.notes.clear()
		made.set(&"position", mind.place(300.0))
		mind.advance(49)
		check(mind.awareness.get_attention_target() == made, mind.named("only remembered, it stays"))
		check(mind.eye.call(&"get_attention_target") == made, mind.named("also for the Perception"))
		mind.advance(3)
		var turn: Array = mind.turns()[0]
		check(mind.turns().size() == 1 and turn[0] == made and turn[1] == null and turn[2] == EXPIRED, mind.named("forgotten: %s" % [turn]))
		eq(turn[3], 59, mind.named("when it is forgotten"))


func test_ex_20_23() -> void:
	for mind: Mind in Mind.both(self):
		mind.sharp()
		mind.profile.attention_policy = Picked.new()
		Picked.choice = func(candidates: Array, _current: Node, _times: Array) -> Node: return candidates[0]
		var made: Node = mind.agent_of(mind.source(-9.0))
		mind.smell(made, 0.1)
		mind.advance()
		eq(mind.state(made), AgentAwareness.LIFECYCLE_UNDETECTED, mind.named("undetected"))
		check(mind.turns() == [[null, made, ACQUIRED, 0]], mind.named("%s" % [mind.turns()]))


func test_what_an_attention_policy_gets_and_gives() -> void:
	for mind: Mind in Mind.both(self):
		var made: Array[Node] = _two(mind)
		Told.scores[made[1]] = 0.2
		mind.profile.attention_policy = Picked.new()
		var seen: Array = []
		var answers: Array = [made[1], made[0], null, made[0], made[0]]
		Picked.choice = func(candidates: Array, current: Node, times: Array) -> Node:
			seen.append([candidates.duplicate(), current, times])
			return answers[seen.size() - 1]
		mind.advance(5)
		check(mind.turns() == [[null, made[1], ACQUIRED, 0], [made[1], made[0], SWITCHED, 1], [made[0], null, RELEASED, 2], [null, made[0], ACQUIRED, 3]],
			mind.named("a policy may switch at once: %s" % [mind.turns()]))
		eq(seen.size(), 5, mind.named("once per update"))
		check(seen[0][0] == made, mind.named("best first"))
		check(seen[1][1] == made[1] and seen[3][1] == null, mind.named("current"))
		near(seen[4][2], [0.1, 1.5, 0.15], 1e-5, mind.named("time on it and both settings"))


func test_override() -> void:
	for mind: Mind in Mind.both(self):
		var made: Array[Node] = _two(mind)
		Told.scores[made[1]] = 0.1
		mind.advance()
		mind.notes.clear()
		check(mind.awareness.set_attention_override(made[1]), mind.named("a target with a belief"))
		mind.advance(20)
		check(mind.awareness.get_attention_target() == made[1], mind.named("held"))
		eq(mind.turns().size(), 1, mind.named("one change"))
		eq(mind.turns()[0][2], OVERRIDDEN, mind.named("reason"))
		near(mind.awareness.get_time_on_attention(), 2.0, 1e-5, mind.named("time on it"))
		mind.awareness.clear_attention_override()
		mind.advance(20)
		check(mind.awareness.get_attention_target() == made[0], mind.named("the rule again"))
		check(mind.awareness.set_attention_override(made[1]), mind.named("again"))
		mind.advance()
		made[1].free()
		mind.advance(2)
		check(mind.awareness.get_attention_target() == made[0], mind.named("until its belief ends"))
		eq(mind.turns().back()[2], GONE, mind.named("reason"))


func test_friends_have_no_attention() -> void:
	for mind: Mind in Mind.both(self):
		var made: Array[Node] = _two(mind)
		mind.advance(2)
		check(mind.awareness.set_relationship_override(made[0], AgentAwareness.RELATION_FRIENDLY), mind.named("made a friend"))
		mind.advance()
		check(mind.turns().back() == [made[0], null, RELEASED, 2], mind.named("%s" % [mind.turns()]))
		eq(mind.awareness.get_threat(made[0]), 0.0, mind.named("no threat, whatever the policy says"))
		mind.awareness.clear_relationship_override(made[0])
		mind.advance()
		check(mind.turns().back() == [null, made[0], ACQUIRED, 3], mind.named("an enemy again"))


func test_built_in_policies() -> void:
	for mind: Mind in Mind.both(self):
		var made: Array[Node] = _two(mind)
		Told.scores[made[1]] = 0.9
		(made[1] as Node).set(&"position", mind.place(9.0))
		mind.profile.attention_policy = NearestAttentionPolicy.new()
		mind.advance()
		check(mind.awareness.get_attention_target() == made[0], mind.named("the nearest"))
		mind.profile.attention_policy = LastAttackerAttentionPolicy.new()
		mind.damage(mind.guard, made[1], 1.0)
		mind.advance(2)
		check(mind.awareness.get_attention_target() == made[1], mind.named("who hit last"))
		mind.damage(mind.guard, made[0], 1.0)
		mind.advance()
		check(mind.awareness.get_attention_target() == made[0], mind.named("the other one hit later"))


func test_attention_target_is_not_displaced() -> void:
	for mind: Mind in Mind.both(self):
		mind.eye.set(&"max_perceived_targets", 2)
		var far: Node = mind.agent_of(mind.source(15.0))
		mind.source(10.0)
		mind.advance(8)
		check(mind.awareness.set_attention_override(far), mind.named("attention on the farthest"))
		mind.advance()
		mind.forget()
		mind.source(1.0)
		mind.advance()
		check(mind.eye.call(&"has_target", far), mind.named("it stays"))
		eq(mind.count(&"target_lost"), 1, mind.named("another one goes"))
		ne(mind.first(&"target_lost").target, far, mind.named("which is not it"))
