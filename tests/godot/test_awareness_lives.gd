extends TestCase
## Beliefs while nodes go, stop, move and come back, in both dimensions.

const Mind := preload("res://support/mind.gd")
const DETECTED := AgentAwareness.LIFECYCLE_DETECTED
const EXPIRED := AgentAwareness.LIFECYCLE_EXPIRED


## A mind with one detected target that has its attention.
func _watching(mind: Mind) -> Node:
	mind.sharp()
	var made: Node = mind.source(5.0)
	mind.advance(2)
	eq(mind.state(made), DETECTED, mind.named("detected"))
	check(mind.awareness.get_attention_target() == mind.agent_of(made), mind.named("attention"))
	mind.notes.clear()
	return made


func test_target_that_is_freed_or_disabled() -> void:
	for way: String in ["free", "queue_free", "disable", "remove"]:
		for mind: Mind in Mind.both(self):
			var made: Node = _watching(mind)
			var agent: Node = mind.agent_of(made)
			match way:
				"free":
					agent.free()
				"queue_free":
					agent.queue_free()
				"disable":
					made.set(&"enabled", false)
				"remove":
					remove_child(agent)
			mind.advance()
			eq(mind.states(), [[DETECTED, EXPIRED, 2]], mind.named("%s: expired" % way))
			eq(mind.awareness.get_records().size(), 0, mind.named("removed at once"))
			is_null(mind.awareness.get_attention_target(), mind.named("no attention"))
			eq(mind.turns().size(), 1, mind.named("one turn"))
			eq(mind.turns()[0][2], AgentAwareness.ATTENTION_GONE, mind.named("gone"))
			if way == "free":
				is_null(mind.noted(&"state")[0].target, mind.named("target null"))
				is_null(mind.turns()[0][0], mind.named("previous null"))
			if way == "remove":
				agent.free()
			mind.clear()
			await idle()


func test_disabled_or_removed_parts() -> void:
	for way: String in ["awareness off", "perception off", "awareness removed", "perception removed", "perception freed"]:
		for mind: Mind in Mind.both(self):
			var made: Node = _watching(mind)
			match way:
				"awareness off":
					mind.awareness.enabled = false
				"perception off":
					mind.eye.set(&"enabled", false)
				"awareness removed":
					mind.guard.remove_child(mind.awareness)
				"perception removed":
					mind.guard.remove_child(mind.eye)
				"perception freed":
					mind.eye.free()
			await physics(2)
			if is_instance_valid(mind.eye) and mind.eye.is_inside_tree():
				mind.advance()
			is_null(mind.awareness.get_attention_target(), mind.named("%s: no attention" % way))
			if way == "awareness off" or way == "perception off":
				eq(mind.states().map(func(row: Array) -> Array: return row.slice(0, 2)), [[DETECTED, EXPIRED]], mind.named("%s: expired" % way))
			if way == "awareness removed":
				eq(mind.notes, [], mind.named("no signal when it leaves the tree"))
				check(mind.eye.call(&"get_attention_target") == mind.agent_of(made), mind.named("the Perception names the closest again"))
				mind.awareness.free()
			if way == "perception removed":
				mind.eye.free()
			mind.clear()


func test_off_and_on_again() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = _watching(mind)
		mind.awareness.enabled = false
		mind.advance(2)
		eq(mind.eye.call(&"get_attention_target"), mind.agent_of(made), mind.named("off: the closest"))
		mind.awareness.enabled = true
		mind.advance(2)
		eq(mind.state(made), DETECTED, mind.named("on: known again"))
		check(mind.awareness.get_attention_target() == mind.agent_of(made), mind.named("attention"))


func test_paused() -> void:
	for mind: Mind in Mind.both(self):
		mind.eye.set(&"process_callback", PerceptionServer.PROCESS_PHYSICS)
		mind.sharp()
		var made: Node = mind.source(5.0)
		await physics(12)
		eq(mind.state(made), DETECTED, mind.named("detected"))
		var time: float = mind.awareness.get_time_on_attention()
		get_tree().paused = true
		await physics(30)
		eq(mind.awareness.get_time_on_attention(), time, mind.named("time stands still"))
		eq(mind.state(made), DETECTED, mind.named("so does the belief"))
		get_tree().paused = false
		await physics(12)
		check(mind.awareness.get_time_on_attention() > time, mind.named("and goes on"))
		mind.clear()


func test_second_awareness_of_an_agent() -> void:
	for mind: Mind in Mind.both(self):
		var second: AgentAwareness = AgentAwareness.new()
		mind.guard.add_child(second)
		var made: Node = _watching(mind)
		eq(second.get_records().size(), 0, mind.named("the first counts"))
		check(Mind.warnings(second).size() > 0, mind.named("the second warns"))
		check(mind.eye.call(&"get_attention_target") == mind.agent_of(made), mind.named("the first one's attention"))


func test_without_a_perception() -> void:
	for mind: Mind in Mind.both(self):
		var body: Node = mind.agent(0.0)
		var lonely: AgentAwareness = AgentAwareness.new()
		body.add_child(lonely)
		await physics(2)
		eq(lonely.get_records().size(), 0, mind.named("nothing is believed"))
		check(Mind.warnings(lonely).size() > 0, mind.named("a configuration warning"))
		var late: Node = mind.perceiver(body)
		var made: Node = mind.source(5.0)
		late.call(&"advance", 0.1)
		late.call(&"advance", 0.1)
		eq(lonely.get_records().size(), 1, mind.named("a Perception that comes later is used"))
		check(lonely.get_record(made) != null, mind.named("its target"))
		mind.clear()


func test_perception_path_and_agent_path() -> void:
	for mind: Mind in Mind.both(self):
		var second: Node = mind.perceiver(mind.guard)
		second.name = "Second"
		var made: Node = mind.source(5.0)
		mind.awareness.perception_path = NodePath("../Second")
		mind.advance(2)
		eq(mind.awareness.get_records().size(), 0, mind.named("not the first Perception"))
		second.call(&"advance", 0.1)
		second.call(&"advance", 0.1)
		check(mind.awareness.get_record(made) != null, mind.named("the one that is named"))


func test_target_that_moves_to_another_world() -> void:
	var stage: SubViewport = SubViewport.new()
	stage.own_world_3d = true
	stage.world_2d = World2D.new()
	add(stage)
	for mind: Mind in Mind.both(self):
		var made: Node = _watching(mind)
		mind.agent_of(made).reparent(stage, false)
		mind.advance()
		eq(mind.states(), [[DETECTED, EXPIRED, 2]], mind.named("expired"))
		eq(mind.turns()[0][2], AgentAwareness.ATTENTION_GONE, mind.named("gone"))
		mind.clear()


func test_agent_that_leaves_says_nothing() -> void:
	for mind: Mind in Mind.both(self):
		_watching(mind)
		mind.guard.free()
		await physics(2)
		eq(mind.notes, [], mind.named("no signal"))
		mind.clear()


func test_record_held_beyond_its_belief() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = _watching(mind)
		var belief: AwarenessRecord = mind.awareness.get_record(made)
		mind.move(made, 300.0)
		mind.advance(200)
		eq(mind.awareness.get_records().size(), 0, mind.named("the belief is gone"))
		eq(belief.state, EXPIRED, mind.named("the record is frozen"))
		check(belief.target == mind.agent_of(made), mind.named("with its target"))
		mind.guard.free()
		eq(belief.state, EXPIRED, mind.named("also without its awareness"))
		check(belief.explain() is Dictionary, mind.named("explain"))
		eq(belief.is_sensed_back(), false, mind.named("is_sensed_back"))
		mind.clear()
