extends TestCase
## A run that is saved in the middle and continued elsewhere goes on as the run that was not.

const Field := preload("res://support/field.gd")


## Where everybody is in a step.
func _stand(step: int, field: Field, sources: Array[Node]) -> void:
	for i: int in sources.size():
		var angle: float = 0.07 * step * (i + 1) + i
		field.move(sources[i], 12.0 * cos(angle) * (1.0 + 0.2 * i), 12.0 * sin(angle))


## What the players of a run do in a step; the same in every run.
func _script_of(step: int, field: Field, sources: Array[Node]) -> void:
	_stand(step, field, sources)
	if step % 17 == 5:
		field.noise(-4.0, 1.0, 1.0, sources[step % sources.size()], &"Noise.Step")
	if step % 23 == 7:
		field.damage(field.guard, sources[(step + 1) % sources.size()], 3.0)
	if step % 19 == 3:
		PerceptionServer.report_stimulus(field.eye, sources[(step + 2) % sources.size()], &"Smell", 0.5)


## A level under a node of its own, so that paths are the same in each.
func _level(in_2d: bool) -> Array:
	var root: Node = Node2D.new() if in_2d else Node3D.new()
	root.name = "Level"
	add_child(root)
	var body: Node = Node2D.new() if in_2d else Node3D.new()
	body.name = "Guard"
	root.add_child(body)
	var field: Field = Field.new(self, in_2d, body)
	field.eye.set(&"forget_time", 0.8)
	field.eye.set(&"detection_time", 0.6)
	field.eye.set(&"update_interval", 0.25)
	field.eye.set(&"update_phase", 0.3)
	field.eye.set(&"max_perceived_targets", 3)
	var sources: Array[Node] = []
	for i: int in 5:
		var made: Node = field.source(0.0, 0.0, root)
		field.agent_of(made).name = "Thief%d" % i
		sources.append(made)
	return [root, field, sources]


func _play(level: Array, from: int, to: int) -> PackedStringArray:
	var field: Field = level[1]
	var sources: Array[Node] = level[2]
	field.raised.clear()
	for step: int in range(from, to):
		field.tick = step - 1
		_script_of(step, field, sources)
		field.advance()
	return PackedStringArray(field.raised.map(func(entry: Field.Raised) -> String:
		return "%d %s %s %s %.4f %s" % [entry.tick, entry.kind, entry.target.name, entry.event.senses, entry.event.time, field.location_of(entry)]))


func test_a_run_that_is_continued() -> void:
	for in_2d: bool in [false, true]:
		for cut: int in [1, 37, 80, 121]:
			var whole: Array = _level(in_2d)
			var before: PackedStringArray = _play(whole, 0, cut)
			var state: Dictionary = (whole[1] as Field).eye.call(&"export_state")
			eq((whole[1] as Field).eye.call(&"export_state"), state, "exporting is a pure read")
			var wanted: PackedStringArray = _play(whole, cut, 200)
			(whole[0] as Node).free()
			var text: String = JSON.stringify(state, "", true, true)
			var fresh: Array = _level(in_2d)
			# The places are the game's to save.
			_stand(cut - 1, fresh[1], fresh[2])
			await physics()
			check((fresh[1] as Field).eye.call(&"import_state", JSON.parse_string(text)), "imported from JSON")
			eq((fresh[1] as Field).raised.size(), 0, "without a signal")
			var found: PackedStringArray = _play(fresh, cut, 200)
			(fresh[0] as Node).free()
			check(before.size() + wanted.size() > 30, "enough happens: %d, %d" % [before.size(), wanted.size()])
			eq("\n".join(found), "\n".join(wanted), "%s, continued at %d" % ["2D" if in_2d else "3D", cut])


func test_state_of_the_server() -> void:
	for in_2d: bool in [false, true]:
		var level: Array = _level(in_2d)
		_play(level, 0, 50)
		var field: Field = level[1]
		field.noise(-3.0, 0.0, 2.0, (level[2] as Array)[0], &"Noise.Late")
		var state: Dictionary = PerceptionServer.export_state()
		check(not state.is_empty(), "a state")
		var wanted: PackedStringArray = _play(level, 50, 120)
		(level[0] as Node).free()
		var fresh: Array = _level(in_2d)
		_stand(49, fresh[1], fresh[2])
		await physics()
		check(PerceptionServer.import_state(JSON.parse_string(JSON.stringify(state, "", true, true))), "imported")
		eq("\n".join(_play(fresh, 50, 120)), "\n".join(wanted), "all perceivers and the queue")
		(fresh[0] as Node).free()
		await physics(2)
