extends TestCase
## Beliefs that are saved in the middle of a run and continued elsewhere go on as those that were not.

const Mind := preload("res://support/mind.gd")


## Where everybody is in a step.
func _stand(step: int, mind: Mind, sources: Array[Node]) -> void:
	for i: int in sources.size():
		var angle: float = 0.05 * step * (i + 1) + 2.0 * i
		mind.move(sources[i], 14.0 * cos(angle), 14.0 * sin(angle))


## The same in every run.
func _script_of(step: int, mind: Mind, sources: Array[Node]) -> void:
	_stand(step, mind, sources)
	if step % 13 == 4:
		mind.noise(-6.0, 2.0, 1.0, sources[step % sources.size()])
	if step % 29 == 9:
		mind.damage(mind.guard, sources[(step + 1) % sources.size()], 12.0)


func _level(in_2d: bool) -> Array:
	var root: Node = Node2D.new() if in_2d else Node3D.new()
	root.name = "Level"
	add_child(root)
	var body: Node = Node2D.new() if in_2d else Node3D.new()
	body.name = "Guard"
	root.add_child(body)
	var mind: Mind = Mind.new(self, in_2d, body)
	mind.eye.set(&"forget_time", 1.2)
	mind.profile.expired_retention = 1.5
	mind.profile.update_interval = 0.3
	mind.profile.default_relationship = AgentAwareness.RELATION_UNKNOWN
	var sources: Array[Node] = []
	for i: int in 4:
		var made: Node = mind.source(0.0, 0.0, root)
		mind.agent_of(made).name = "Thief%d" % i
		sources.append(made)
	return [root, mind, sources]


func _play(level: Array, from: int, to: int) -> String:
	var mind: Mind = level[1]
	mind.notes.clear()
	var lines: PackedStringArray = []
	for step: int in range(from, to):
		mind.tick = step - 1
		_script_of(step, mind, level[2])
		mind.advance()
		for note: Mind.Note in mind.notes:
			var before: Variant = note.before.name if note.before is Node else note.before
			var after: Variant = note.after.name if note.after is Node else note.after
			lines.append("%d %s %s %s %s %d" % [note.tick, note.kind, note.target.name if note.target != null else &"-", before, after, note.reason])
		mind.notes.clear()
		if step % 10 == 0:
			# Threat and score are no part of the state, the next update makes them anew; so the order is that of names.
			var beliefs: Array[AwarenessRecord] = mind.awareness.get_records()
			beliefs.sort_custom(func(a: AwarenessRecord, b: AwarenessRecord) -> bool: return str(a.target.name) < str(b.target.name))
			for belief: AwarenessRecord in beliefs:
				lines.append("%d: %s %d %.4f %.4f" % [step, belief.target.name, belief.state, belief.confidence, belief.damage])
	return "\n".join(lines)


func test_a_run_that_is_continued() -> void:
	for in_2d: bool in [false, true]:
		for cut: int in [3, 41, 88, 119]:
			var whole: Array = _level(in_2d)
			_play(whole, 0, 20)
			# What scripts decided is part of the state.
			(whole[1] as Mind).awareness.set_relationship_override((whole[1] as Mind).agent_of(whole[2][3]), AgentAwareness.RELATION_FRIENDLY)
			_play(whole, 20, 20 + cut)
			var mind: Mind = whole[1]
			var senses: String = JSON.stringify(mind.eye.call(&"export_state"), "", true, true)
			var beliefs: String = JSON.stringify(mind.awareness.export_state(), "", true, true)
			var wanted: String = _play(whole, 20 + cut, 200)
			(whole[0] as Node).free()
			var fresh: Array = _level(in_2d)
			_stand(19 + cut, fresh[1], fresh[2])
			await physics()
			mind = fresh[1]
			check(mind.eye.call(&"import_state", JSON.parse_string(senses)), "senses imported")
			check(mind.awareness.import_state(JSON.parse_string(beliefs)), "beliefs imported")
			eq(mind.notes.size(), 0, "without a signal")
			var found: String = _play(fresh, 20 + cut, 200)
			(fresh[0] as Node).free()
			check(wanted.count("\n") > 15, "enough happens: %d" % wanted.count("\n"))
			eq(found, wanted, "%s, continued at %d" % ["2D" if in_2d else "3D", 20 + cut])
