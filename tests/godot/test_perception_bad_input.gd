extends TestCase
## Every kind of bad input to perception, in both dimensions: one clear message, a neutral value, nothing changed.

const Field := preload("res://support/field.gd")
## Numbers of a Perception and what they are without a change, per dimension: [3D, 2D], lowest and highest (null: open).
const EYE_NUMBERS: Dictionary = {
	&"time_scale": [1.0, 1.0, 0.0, null],
	&"sight_radius": [20.0, 400.0, 0.0, null],
	&"lose_sight_radius": [25.0, 500.0, 0.0, null],
	&"sight_fov_degrees": [90.0, 90.0, 0.0, 360.0],
	&"auto_detect_radius": [0.0, 0.0, 0.0, null],
	&"detection_time": [0.0, 0.0, 0.0, null],
	&"detection_far_factor": [0.25, 0.25, 0.01, 1.0],
	&"detection_edge_factor": [0.5, 0.5, 0.01, 1.0],
	&"detection_decay_time": [2.0, 2.0, 0.0, null],
	&"hearing_radius": [15.0, 300.0, 0.0, null],
	&"hearing_occlusion_factor": [0.5, 0.5, 0.0, 1.0],
	&"forget_time": [5.0, 5.0, 0.0, null],
	&"update_interval": [0.1, 0.1, 0.0, null],
	&"update_phase": [-1.0, -1.0, -1.0, 1.0],
	&"displace_margin": [1.0, 20.0, 0.0, null],
}
const SOURCE_NUMBERS: Dictionary = {
	&"sight_range_scale": [1.0, 1.0, 0.0, null],
	&"detection_scale": [1.0, 1.0, 0.0, null],
	&"crouched_point_scale": [0.6, 0.6, 0.0, 1.0],
	&"prone_point_scale": [0.25, 0.25, 0.0, 1.0],
}
## Counts and choices: default, lowest, highest.
const EYE_COUNTS: Dictionary = {
	&"sight_min_visible_points": [1, 1, 16],
	&"hearing_max_occluders": [4, 1, 8],
	&"max_perceived_targets": [16, 1, 256],
}


## A node of its own for each try, so that each cause is told anew.
func _fresh(field: Field, of_source: bool) -> Node:
	var node: Node = field.new_source() if of_source else field.new_perception()
	field.agent(0.0).add_child(node)
	return node


func _default(row: Array, field: Field) -> float:
	return row[1] if field.planar else row[0]


func test_defaults() -> void:
	for field: Field in Field.both(self):
		var eye: Node = _fresh(field, false)
		for key: StringName in EYE_NUMBERS:
			near(eye.get(key), _default(EYE_NUMBERS[key], field), 1e-6, field.named(key))
		for key: StringName in EYE_COUNTS:
			eq(eye.get(key), EYE_COUNTS[key][0], field.named(key))
		var made: Node = _fresh(field, true)
		for key: StringName in SOURCE_NUMBERS:
			near(made.get(key), _default(SOURCE_NUMBERS[key], field), 1e-6, field.named(key))
		eq([made.get(&"registered_senses"), made.get(&"blocks_sight"), made.get(&"stance")], [3, 0, -1], field.named("source"))
		eq([eye.get(&"sight_blocking_mask"), eye.get(&"hearing_occlusion_mask"), eye.get(&"process_callback")], [1, 1, 0], field.named("eye"))
		for key: StringName in [&"enabled", &"sight_enabled", &"hearing_enabled", &"damage_enabled", &"damage_reveals_attacker", &"authority_only"]:
			eq(eye.get(key), true, field.named(key))
		for key: StringName in [&"sight_hit_areas", &"sight_blocked_by_agents", &"hearing_occlusion", &"debug_draw"]:
			eq(eye.get(key), false, field.named(key))
		for key: StringName in [&"enabled", &"use_agent_tags", &"auto_detect_stance", &"can_hold_attention"]:
			eq(made.get(key), true, field.named(key))
		eq(eye.get(&"eye_offset"), Vector2.ZERO if field.planar else Vector3(0, 1.6, 0), field.named("eye_offset"))
		eq(made.get(&"sight_target_offset"), Vector2.ZERO if field.planar else Vector3(0, 1, 0), field.named("sight_target_offset"))
		eq(field.planar, &"facing_offset_degrees" in eye, field.named("facing_offset_degrees is 2D's"))
		eq(not field.planar, &"use_model_front" in eye, field.named("use_model_front is 3D's"))


func test_numbers_that_are_none() -> void:
	for field: Field in Field.both(self):
		for of_source: bool in [false, true]:
			var table: Dictionary = SOURCE_NUMBERS if of_source else EYE_NUMBERS
			for key: StringName in table:
				for value: float in [NAN, INF, -INF]:
					var node: Node = _fresh(field, of_source)
					expect_warning(String(key))
					node.set(key, value)
					near(node.get(key), _default(table[key], field), 1e-6, field.named("%s = %s" % [key, value]))


func test_numbers_out_of_range() -> void:
	for field: Field in Field.both(self):
		for of_source: bool in [false, true]:
			var table: Dictionary = SOURCE_NUMBERS if of_source else EYE_NUMBERS
			for key: StringName in table:
				var low: float = table[key][2]
				var node: Node = _fresh(field, of_source)
				expect_warning(String(key))
				node.set(key, low - 1.0)
				near(node.get(key), low, 1e-6, field.named("%s below its range" % key))
				if table[key][3] != null:
					var high: float = table[key][3]
					node = _fresh(field, of_source)
					expect_warning(String(key))
					node.set(key, high + 1.0)
					near(node.get(key), high, 1e-6, field.named("%s above its range" % key))


func test_counts_out_of_range() -> void:
	for field: Field in Field.both(self):
		for key: StringName in EYE_COUNTS:
			for step: int in [1, 2]:
				var node: Node = _fresh(field, false)
				expect_warning(String(key))
				var bound: int = EYE_COUNTS[key][step]
				node.set(key, bound - 1 if step == 1 else bound + 1)
				eq(node.get(key), bound, field.named("%s beyond %d" % [key, bound]))


func test_vectors_that_are_none() -> void:
	for field: Field in Field.both(self):
		for row: Array in [[false, &"eye_offset"], [true, &"sight_target_offset"]]:
			var node: Node = _fresh(field, row[0])
			var before: Variant = node.get(row[1])
			expect_warning(String(row[1]))
			node.set(row[1], Vector2(0, NAN) if field.planar else Vector3(0, INF, 0))
			eq(node.get(row[1]), before, field.named("%s keeps the old value" % row[1]))
		var made: Node = _fresh(field, true)
		expect_warning("extra_aim_points")
		made.set(&"extra_aim_points", PackedVector2Array([Vector2(NAN, 0)]) if field.planar else PackedVector3Array([Vector3(NAN, 0, 0)]))
		eq(made.get(&"extra_aim_points").size(), 0, field.named("no point that is none"))


func test_idle_is_refused() -> void:
	for field: Field in Field.both(self):
		var eye: Node = _fresh(field, false)
		expect_error("process_callback", 2)
		eye.set(&"process_callback", PerceptionServer.PROCESS_IDLE)
		eq(eye.get(&"process_callback"), PerceptionServer.PROCESS_PHYSICS, field.named("the old value stays"))
		eye = _fresh(field, false)
		eye.set(&"process_callback", 9)
		eq(eye.get(&"process_callback"), PerceptionServer.PROCESS_PHYSICS, field.named("so it does for what is no choice"))


func test_choices_out_of_range() -> void:
	for field: Field in Field.both(self):
		for row: Array in [[&"stance", -1, [-2, 3]], [&"blocks_sight", 0, [-1, 3]]]:
			for value: int in row[2]:
				var made: Node = _fresh(field, true)
				expect_error(String(row[0]))
				made.set(row[0], value)
				eq(made.get(row[0]), row[1], field.named("%s = %d is refused" % [row[0], value]))


func test_bad_reports() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(-3.0)
		var noise_name: String = "report_noise_2d" if field.planar else "report_noise"
		var damage_name: String = "report_damage_2d" if field.planar else "report_damage"
		# Two causes: a loudness that is none, a place that is none.
		expect_error(noise_name, 2)
		for loudness: float in [NAN, INF]:
			check(not field.noise(0.0, 0.0, loudness, made), field.named("loudness %s" % loudness))
		check(not field.noise(NAN, 0.0, 1.0, made), field.named("location"))
		expect_warning(noise_name)
		check(not field.noise(0.0, 0.0, -1.0, made), field.named("negative loudness"))
		check(not field.noise(0.0, 0.0, 0.0, made), field.named("loudness 0, silently"))
		expect_error(damage_name, 2)
		check(not field.damage(field.guard, made, NAN), field.named("amount"))
		check(not field.damage(field.guard, made, 1.0, NAN), field.named("hit location"))
		expect_warning(damage_name)
		check(not field.damage(field.guard, made, -1.0), field.named("negative amount"))
		check(not field.damage(field.guard, made, 0.0), field.named("amount 0, silently"))
		field.advance()
		eq(field.kinds(), PackedStringArray(), field.named("nothing is sensed"))


func test_null_and_freed() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(-3.0)
		var freed: Node = field.agent(1.0)
		freed.free()
		# One cause: no victim.
		expect_error("report_damage_2d" if field.planar else "report_damage")
		for victim: Variant in [null, freed]:
			check(not PerceptionServer.call(&"report_damage_2d" if field.planar else &"report_damage", victim, made, field.place(0.0), 1.0), field.named("no victim"))
		for target: Variant in [null, freed]:
			for query: StringName in [&"has_target", &"can_sense", &"forget_target", &"has_line_of_sight"]:
				eq(field.eye.call(query, target), false, field.named(query))
			eq(field.eye.call(&"get_last_known_location_or", target, field.place(2.0)), field.place(2.0), field.named("fallback"))
			eq(field.eye.call(&"get_visible_fraction", target), 0.0, field.named("fraction"))
			eq(field.eye.call(&"get_visible_point_mask", target), 0, field.named("mask"))
			eq(field.eye.call(&"get_last_known_velocity", target), field.place(0.0) if field.planar else Vector3.ZERO, field.named("velocity"))
			eq(PerceptionServer.call(&"get_perceivers_of", target), [], field.named("perceivers of nobody"))
		field.clear()
		await idle()


func test_nodes_that_are_no_perceiver() -> void:
	for field: Field in Field.both(self):
		var plain: Node = field.agent(1.0)
		plain.name = "Plain%s" % ("2D" if field.planar else "3D")
		for query: Array in [[&"get_perceived_targets", [], []], [&"get_closest_perceived_target", [], null], [&"can_sense", [self], false],
				[&"get_last_known_location", [self], null], [&"fill_perceived_targets", [[]], 0]]:
			expect_error(String(query[0]))
			eq(PerceptionServer.callv(query[0], [plain] + query[1]), query[2], field.named(query[0]))


func test_places_for_registering() -> void:
	var plain: Node = Node.new()
	add(plain)
	expect_error("register_as_source", 2)
	is_null(PerceptionServer.register_as_source(plain), "neither Node3D nor Node2D")
	is_null(PerceptionServer.register_as_source(null), "null")
	expect_error("add_detectable_tag", 2)
	is_null(PerceptionServer.add_detectable_tag(plain, &"Team.Red"), "neither Node3D nor Node2D")
	is_null(PerceptionServer.add_detectable_tag(null, &"Team.Red"), "null")
	expect_error("unregister_source")
	check(not PerceptionServer.unregister_source(plain), "nothing to unregister")


func test_invalid_tags() -> void:
	for field: Field in Field.both(self):
		for bad: String in ["Team..Red", "Team Red", ".", "Team."]:
			var eye: Node = _fresh(field, false)
			var made: Node = _fresh(field, true)
			expect_error("detectable_tags")
			eye.set(&"detectable_tags", PackedStringArray([bad]))
			eq(eye.get(&"detectable_tags"), PackedStringArray(), field.named("detectable_tags"))
			expect_error("ignored_tags")
			eye.set(&"ignored_tags", PackedStringArray([bad]))
			expect_error("hearing_noise_tags")
			eye.set(&"hearing_noise_tags", PackedStringArray([bad]))
			expect_error("affiliation_tags")
			made.set(&"affiliation_tags", PackedStringArray([bad]))
			eq([eye.get(&"ignored_tags"), eye.get(&"hearing_noise_tags"), made.get(&"affiliation_tags")],
				[PackedStringArray(), PackedStringArray(), PackedStringArray()], field.named("unchanged by \"%s\"" % bad))
			expect_error("add_detectable_tag")
			eq(eye.call(&"add_detectable_tag", StringName(bad)), false, field.named("add_detectable_tag"))
			expect_error("add_affiliation_tag")
			eq(made.call(&"add_affiliation_tag", StringName(bad)), false, field.named("add_affiliation_tag"))


func test_transforms_that_are_none() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		field.source(6.0)
		expect_warning("Source")
		field.agent_of(made).set(&"position", Vector2(NAN, 0) if field.planar else Vector3(NAN, 0, 0))
		field.advance(3)
		eq(field.count(&"target_perceived"), 1, field.named("only the sane source"))
		field.move(made, 5.0)
		field.advance()
		check(field.sees(made), field.named("it is back"))
		expect_warning("Eye")
		field.guard.set(&"position", Vector2(0, INF) if field.planar else Vector3(0, INF, 0))
		field.advance(2)
		field.guard.set(&"position", field.place(0.0))
		field.advance()
		check(field.sees(made), field.named("so is the perceiver"))
		field.guard.set(&"scale", field.place(0.0) if field.planar else Vector3.ZERO)
		field.advance()
		check(field.sees(made), field.named("zero scale: no rotation"))
		field.clear()


func test_full_queue() -> void:
	expect_warning("max_queued_reports")
	for field: Field in Field.both(self):
		ProjectSettings.set_setting("riposte/perception/max_queued_reports", 4)
		await idle()
		var made: Node = field.source(-3.0)
		for i: int in 6:
			field.noise(-3.0, 0.0, 1.0 + i, made)
		field.advance()
		var heard: Array = field.all(&"noise_heard").map(func(entry: Field.Raised) -> float: return entry.event.strength)
		eq(heard, [3.0, 4.0, 5.0, 6.0], field.named("the oldest are dropped"))
		field.clear()
		await physics(2)


func test_states_that_are_none() -> void:
	for field: Field in Field.both(self):
		field.source(5.0)
		field.advance()
		var good: Dictionary = field.eye.call(&"export_state")
		for bad: Dictionary in _broken(good):
			expect_error("import_state")
			var eye: Node = _fresh(field, false)
			eq(eye.call(&"import_state", bad), false, field.named("refused: %s" % bad))
			eq(eye.call(&"export_state").records, [], field.named("nothing changed"))
		var lost: Dictionary = good.duplicate(true)
		lost.records[0].target = "Nobody/Here"
		expect_warning("import_state")
		eq(field.eye.call(&"import_state", lost), true, field.named("a target that does not resolve is skipped"))
		eq(field.eye.call(&"get_perceived_targets"), [], field.named("without it"))


## Versions and structures that are wrong, made of a good state.
func _broken(good: Dictionary) -> Array[Dictionary]:
	var made: Array[Dictionary] = [{}]
	for change: Array in [["version", 99], ["version", "one"], ["records", 7], ["time", "now"], ["wait", NAN]]:
		var state: Dictionary = good.duplicate(true)
		state[change[0]] = change[1]
		made.append(state)
	var without: Dictionary = good.duplicate(true)
	without.erase("version")
	made.append(without)
	var record: Dictionary = good.duplicate(true)
	record.records = ["not a record"]
	made.append(record)
	var number: Dictionary = good.duplicate(true)
	number.records[0].age = "old"
	made.append(number)
	var location: Dictionary = good.duplicate(true)
	location.records[0].location = [NAN, 0.0, 0.0]
	made.append(location)
	return made


func test_time_that_is_none() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		field.advance()
		field.move(made, 300.0)
		field.advance()
		expect_warning("advance")
		for delta: float in [-1.0, NAN, INF]:
			field.eye.call(&"advance", delta)
			near(field.eye.call(&"get_time_since_sensed", made), 0.1, 1e-4, field.named("no time passed"))
