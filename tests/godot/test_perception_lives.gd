extends TestCase
## What senses and what is sensed comes, goes, stops and moves, in both dimensions.

const Field := preload("res://support/field.gd")
const GONE: PackedStringArray = ["target_sight_lost", "target_lost"]


func test_ex_10_33() -> void:
	for field: Field in Field.both(self):
		for way: String in ["free", "queue_free", "remove", "disable"]:
			var made: Node = field.source(5.0)
			var agent: Node = field.agent_of(made)
			field.advance()
			check(field.sees(agent), field.named("seen"))
			field.forget()
			_end(made, way)
			_nothing_is_known(field, null if way == "free" else agent, way)
			field.advance()
			eq(field.kinds(), GONE, field.named("%s: told in the next tick" % way))
			eq(field.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, field.named("reason"))
			near(field.location_of(field.first(&"target_lost")), field.place(5.0), 0.001, field.named("last known location"))
			if way == "free":
				is_null(field.first(&"target_lost").target, field.named("no freed target"))
			elif way == "disable":
				check(field.first(&"target_lost").target == agent, field.named("the agent is there"))
			field.advance(2)
			eq(field.kinds(), GONE, field.named("%s: told once" % way))
			field.forget()
			if way == "remove" or way == "disable":
				agent.free()
			await idle(2)


func _end(made: Node, way: String) -> void:
	var agent: Node = made.get_parent()
	match way:
		"free":
			agent.free()
		"queue_free":
			agent.queue_free()
		"remove":
			agent.get_parent().remove_child(agent)
		"disable":
			made.set(&"enabled", false)


func _nothing_is_known(field: Field, agent: Node, way: String) -> void:
	eq(field.eye.call(&"get_perceived_targets"), [], field.named("%s: no target at once" % way))
	is_null(field.eye.call(&"get_closest_perceived_target"), field.named("no closest target"))
	eq(field.eye.call(&"fill_perceived_targets", []), 0, field.named("none to fill in"))
	eq(field.eye.call(&"has_target", agent), false, field.named("has_target"))
	eq(field.eye.call(&"can_sense", agent), false, field.named("can_sense"))
	eq(field.eye.call(&"get_senses", agent), 0, field.named("get_senses"))
	eq(field.eye.call(&"get_target_state", agent), PerceptionEvent.TARGET_UNKNOWN, field.named("get_target_state"))
	is_null(field.eye.call(&"get_last_known_location", agent), field.named("get_last_known_location"))
	eq(field.eye.call(&"get_time_since_sensed", agent), -1.0, field.named("get_time_since_sensed"))
	eq(field.eye.call(&"get_detection", agent), 0.0, field.named("get_detection"))


func test_ex_10_35() -> void:
	for field: Field in Field.both(self):
		for i: int in 2:
			field.source(5.0, i)
		field.reaction = func(_entry: Field.Raised) -> void:
			if field.guard.is_inside_tree():
				remove_child(field.guard)
				field.guard.queue_free()
		field.advance()
		eq(field.kinds(), PackedStringArray(["target_perceived"]), field.named("a perceiver that is removed gets no more"))
		field.reaction = Callable()
		field.clear()
		await idle(2)
	for field: Field in Field.both(self):
		var agents: Array[Node] = []
		for i: int in 2:
			agents.append(field.agent_of(field.source(5.0, i)))
		field.reaction = func(entry: Field.Raised) -> void:
			if entry.kind == &"target_perceived":
				for agent: Variant in agents:
					if is_instance_valid(agent):
						(agent as Node).free()
		field.advance()
		eq(field.kinds(), PackedStringArray(["target_perceived"]), field.named("what concerns freed targets is left out"))
		field.advance(3)
		eq(field.count(&"target_lost"), 1, field.named("one end for the one that was told"))
		field.clear()
	for field: Field in Field.both(self):
		for i: int in 2:
			field.source(5.0, i)
		field.reaction = func(entry: Field.Raised) -> void:
			if entry.kind == &"target_perceived" and field.tick == 0:
				field.eye.call(&"forget_all")
		field.advance(4)
		_beginnings_and_ends_take_turns(field)
		field.clear()


## Each target is perceived and lost in turns, and the list agrees with the last of it.
func _beginnings_and_ends_take_turns(field: Field) -> void:
	var known: Dictionary = {}
	for entry: Field.Raised in field.raised:
		if entry.kind == &"target_perceived":
			check(not known.get(entry.target_id, false), field.named("perceived only what is unknown"))
			known[entry.target_id] = true
		elif entry.kind == &"target_lost":
			check(known.get(entry.target_id, false), field.named("lost only what is known"))
			known[entry.target_id] = false
	var open: int = known.values().count(true)
	eq(field.eye.call(&"get_perceived_targets").size(), open, field.named("records as told"))


func test_source_given_to_another_agent() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		var old: Node = field.agent_of(made)
		var other: Node = field.agent(6.0)
		field.advance()
		field.forget()
		made.reparent(other, false)
		field.advance()
		eq(field.kinds(), PackedStringArray(["target_sight_lost", "target_lost", "target_perceived", "target_sight_gained"]), field.named("old ends, new begins"))
		check(field.first(&"target_lost").target == old, field.named("the old agent is lost"))
		eq(field.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, field.named("reason"))
		check(field.first(&"target_perceived").target == other, field.named("the new one perceived"))


func test_second_source_takes_over_within_a_tick() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		var agent: Node = field.agent_of(made)
		field.source_of(agent)
		field.advance()
		field.forget()
		made.set(&"enabled", false)
		field.advance()
		eq(field.kinds(), PackedStringArray(), field.named("the record goes on"))
		check(field.sees(agent), field.named("seen by the second source"))


func test_perceiver_out_of_the_tree_and_back() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		field.advance()
		field.forget()
		remove_child(field.guard)
		add_child(field.guard)
		field.advance()
		eq(field.kinds(), PackedStringArray(), field.named("back before the next tick: state goes on"))
		check(field.sees(made), field.named("seen"))
		remove_child(field.guard)
		await physics(2)
		add_child(field.guard)
		eq(field.eye.call(&"get_perceived_targets"), [], field.named("otherwise its records are dropped"))
		field.advance()
		eq(field.kinds(), PackedStringArray(["target_perceived", "target_sight_gained"]), field.named("without a word"))
		field.clear()


func test_disabled_perceiver() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"update_interval", 3.0)
		var made: Node = field.source(5.0)
		field.advance()
		field.forget()
		field.eye.set(&"enabled", false)
		eq(field.noise(2.0, 0.0, 1.0, made), true, field.named("the report is accepted"))
		field.advance(2)
		eq(field.kinds(), GONE, field.named("all records end, the report is ignored"))
		eq(field.first(&"target_lost").reason, PerceptionEvent.LOSS_DISMISSED, field.named("dismissed"))
		field.eye.set(&"enabled", true)
		field.advance()
		check(field.sees(made), field.named("enabled, it scans in the next tick"))


func test_paused_and_frozen() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"process_callback", PerceptionServer.PROCESS_PHYSICS)
		field.eye.set(&"update_interval", 0.0)
		var made: Node = field.source(5.0)
		var doomed: Node = field.source(6.0)
		await physics(3)
		check(field.sees(made) and field.sees(doomed), field.named("seen"))
		field.forget()
		get_tree().paused = true
		field.move(made, 300.0)
		field.noise(2.0, 0.0, 1.0, made)
		await physics(20)
		check(field.sees(made), field.named("paused: the state stands"))
		field.agent_of(doomed).free()
		eq(field.eye.call(&"get_perceived_targets").size(), 1, field.named("minus what is gone"))
		eq(field.kinds(), PackedStringArray(), field.named("without a signal"))
		get_tree().paused = false
		await physics(3)
		eq(field.count(&"target_lost"), 1, field.named("its end comes on resume"))
		check(not field.sees(made), field.named("and time goes on"))
		field.eye.process_mode = Node.PROCESS_MODE_DISABLED
		field.move(made, 5.0)
		await physics(10)
		check(not field.sees(made), field.named("process_mode freezes one perceiver"))
		field.eye.process_mode = Node.PROCESS_MODE_INHERIT
		await physics(3)
		check(field.sees(made), field.named("and lets it go on"))
		made.process_mode = Node.PROCESS_MODE_DISABLED
		field.agent_of(made).set(&"visible", false)
		await physics(3)
		check(field.sees(made), field.named("neither process_mode nor visible of a source matters"))
		field.clear()


func test_a_perceiver_that_always_processes_is_not_paused() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"process_callback", PerceptionServer.PROCESS_PHYSICS)
		field.eye.set(&"update_interval", 0.0)
		field.eye.process_mode = Node.PROCESS_MODE_ALWAYS
		await physics()
		get_tree().paused = true
		var made: Node = field.source(5.0)
		await physics(3)
		check(field.sees(made), field.named("it senses while the tree is paused"))
		get_tree().paused = false
		field.clear()


## A viewport with worlds of its own.
func _stage() -> SubViewport:
	var stage: SubViewport = SubViewport.new()
	stage.own_world_3d = true
	stage.world_2d = World2D.new()
	add(stage)
	return stage


func test_other_worlds() -> void:
	var stage: SubViewport = _stage()
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		var twin: Node = field.source(5.0, 1.0, stage)
		field.advance()
		check(field.sees(made) and not field.sees(twin), field.named("only its own world"))
		field.forget()
		field.agent_of(made).reparent(stage, false)
		field.advance()
		eq(field.kinds(), GONE, field.named("a source that moves to another world is gone"))
		field.forget()
		field.guard.reparent(stage, false)
		field.advance()
		eq(field.count(&"target_perceived"), 2, field.named("the perceiver follows and senses both"))
		field.forget()
		field.guard.reparent(self, false)
		field.advance()
		eq(field.count(&"target_lost"), 2, field.named("back: all it knew there is gone"))
		for entry: Field.Raised in field.all(&"target_lost"):
			eq(entry.reason, PerceptionEvent.LOSS_GONE, field.named("reason"))
		field.forget()
		field.noise(1.0, 0.0, 1.0, made)
		field.advance()
		eq(field.count(&"noise_heard"), 0, field.named("a noise stays in the world of its instigator"))
		if field.planar:
			PerceptionServer.report_noise_2d(Vector2.ZERO, 1.0, null, &"", stage.world_2d)
		else:
			PerceptionServer.report_noise(Vector3.ZERO, 1.0, null, &"", stage.find_world_3d())
		field.advance()
		eq(field.count(&"noise_heard"), 0, field.named("or in the one that is named"))
		if field.planar:
			PerceptionServer.report_noise_2d(Vector2.ZERO, 1.0, made, &"", get_viewport().find_world_2d())
		else:
			PerceptionServer.report_noise(Vector3.ZERO, 1.0, made, &"", get_viewport().find_world_3d())
		field.advance()
		eq(field.count(&"noise_heard"), 1, field.named("which may be this one"))
		field.clear()


func test_a_viewport_with_its_world_goes() -> void:
	for field: Field in Field.both(self):
		var stage: SubViewport = _stage()
		field.guard.reparent(stage, false)
		for i: int in 4:
			field.source(5.0, i, stage)
		field.advance()
		eq(field.count(&"target_perceived"), 4, field.named("perceived"))
		field.forget()
		var survivor: Field = Field.new(self, field.planar)
		survivor.source(5.0)
		stage.free()
		await physics(2)
		survivor.advance()
		eq(field.kinds(), PackedStringArray(), field.named("it goes without a word"))
		eq(survivor.count(&"target_perceived"), 1, field.named("others go on"))
		survivor.clear()


func test_scene_change_with_many_records() -> void:
	var tree: SceneTree = get_tree()
	var runner: Node = tree.current_scene
	for field: Field in Field.both(self):
		# The guard outlives the scene, as an autoload would; the others go with it.
		field.eye.set(&"sight_fov_degrees", 360.0)
		var level: Node = field.new_node()
		tree.root.add_child(level)
		tree.current_scene = level
		var inside: Field = Field.new(self, field.planar)
		inside.eye.set(&"sight_fov_degrees", 360.0)
		inside.guard.reparent(level)
		for i: int in 16:
			field.source(3.0, i - 8.0, level)
		field.advance()
		inside.advance()
		eq([field.count(&"target_perceived"), inside.count(&"target_perceived")], [16, 16], field.named("all are known"))
		field.forget()
		inside.forget()
		var empty: PackedScene = PackedScene.new()
		var blank: Node = Node.new()
		empty.pack(blank)
		blank.free()
		tree.change_scene_to_packed(empty)
		await idle(3)
		await physics(1)
		check(not is_instance_valid(level), field.named("the scene is gone"))
		eq(inside.kinds(), PackedStringArray(), field.named("who goes with it says nothing"))
		field.advance()
		eq(field.count(&"target_lost"), 16, field.named("who stays loses all"))
		for entry: Field.Raised in field.all(&"target_lost"):
			eq(entry.reason, PerceptionEvent.LOSS_GONE, field.named("reason"))
		eq(field.eye.call(&"get_perceived_targets"), [], field.named("nothing is known"))
		tree.current_scene.free()
		tree.current_scene = runner
		field.clear()


## What a handler does while each kind of signal is raised.
func test_handlers_that_free_anything() -> void:
	for kind: StringName in Field.KINDS:
		for deed: String in ["target", "others", "perceiver", "source", "reports", "worlds"]:
			for field: Field in Field.both(self):
				await _play(field, kind, deed)


func _play(field: Field, kind: StringName, deed: String) -> void:
	field.eye.set(&"forget_time", 0.15)
	field.eye.set(&"detection_decay_time", 0.0)
	field.eye.set(&"detection_time", 0.3 if kind in [&"detection_started", &"detection_aborted"] else 0.0)
	var agents: Array[Node] = []
	for i: int in 3:
		agents.append(field.agent_of(field.source(4.0, i)))
	var stage: SubViewport = _stage()
	var done: Array[bool] = [false]
	field.reaction = func(entry: Field.Raised) -> void:
		if entry.kind == kind and not done[0]:
			done[0] = true
			_do(deed, field, agents, entry, stage)
	for i: int in 3:
		_run(field, agents, i)
	field.reaction = Callable()
	check(done[0], field.named("%s was raised" % kind))
	if is_instance_valid(field.eye) and field.eye.is_inside_tree():
		_beginnings_and_ends_take_turns(field)
	field.clear()
	stage.free()
	await idle()


## Targets are seen, go out of sight, are forgotten, make a noise and hurt.
func _run(field: Field, agents: Array[Node], _round: int) -> void:
	for step: int in 6:
		for agent: Variant in agents:
			if is_instance_valid(agent) and (agent as Node).is_inside_tree():
				(agent as Node).set(&"position", field.place(4.0 if step < 2 else 200.0, agents.find(agent)))
				if step == 4 and is_instance_valid(field.guard) and field.guard.is_inside_tree():
					field.noise(2.0, 0.0, 1.0, agent)
					field.damage(field.guard, agent, 2.0)
		if is_instance_valid(field.eye) and field.eye.is_inside_tree():
			field.advance()


func _do(deed: String, field: Field, agents: Array[Node], entry: Field.Raised, stage: SubViewport) -> void:
	match deed:
		"target":
			if entry.target != null:
				entry.target.free()
		"others":
			for agent: Variant in agents.slice(1):
				if is_instance_valid(agent):
					(agent as Node).free()
		"perceiver":
			remove_child(field.guard)
			field.guard.queue_free()
		"source":
			for agent: Variant in agents:
				if is_instance_valid(agent):
					(agent as Node).get_child(0).free()
					field.source_of(agent)
		"reports":
			field.eye.call(&"forget_all")
			field.noise(1.0, 0.0, 1.0, entry.target)
			field.damage(field.guard, entry.target, 1.0)
			field.eye.call(&"scan_now")
			field.source(3.0)
		"worlds":
			field.guard.reparent(stage, false)
			for agent: Variant in agents.slice(0, 2):
				if is_instance_valid(agent):
					(agent as Node).reparent(stage, false)


func test_source_signals() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		var by: SignalRecord = record(Signal(made, &"perceived_by"))
		var lost: SignalRecord = record(Signal(made, &"lost_by"))
		field.advance()
		check(by.last() == [field.guard], field.named("perceived_by the agent"))
		check(made.call(&"get_perceivers") == [field.guard], field.named("get_perceivers"))
		check(PerceptionServer.get_perceivers_of(field.agent_of(made)) == [field.guard], field.named("get_perceivers_of"))
		eq(made.call(&"get_perceivers", PerceptionEvent.SENSE_HEARING), [], field.named("not by hearing"))
		field.move(made, 300.0)
		field.advance()
		eq(made.call(&"get_perceivers"), [], field.named("out of sight"))
		check(made.call(&"get_perceivers", 0) == [field.guard], field.named("but with a record"))
		field.advance(60)
		check(lost.last() == [field.guard], field.named("lost_by"))
		eq([by.count(), lost.count()], [1, 1], field.named("once each"))
		eq(made.call(&"get_perceivers", 0), [], field.named("no record"))
