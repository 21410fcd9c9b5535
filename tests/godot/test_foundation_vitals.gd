extends TestCase
## AgentVitals and AgentVital.


func _row(tag: StringName, max_value: float = 100.0, regen: float = 0.0, delay: float = 0.0) -> AgentVital:
	var made := AgentVital.new()
	made.tag = tag
	made.max_value = max_value
	made.regen_per_second = regen
	made.regen_delay = delay
	return made


func _vitals(rows: Array[AgentVital]) -> AgentVitals:
	var made := AgentVitals.new()
	made.name = "Vitals"
	made.process_callback = AgentVitals.PROCESS_MANUAL
	made.vitals = rows
	add(made, add(Node.new()))
	return made


func test_defaults_of_the_classes() -> void:
	var row := AgentVital.new()
	eq([row.tag, row.max_value, row.start_value, row.regen_per_second, row.regen_delay], [&"", 100.0, -1.0, 0.0, 0.0], "AgentVital")
	var vitals: AgentVitals = add(AgentVitals.new())
	eq([vitals.agent_path, vitals.vitals, vitals.process_callback, vitals.time_scale], [NodePath(), [], 0, 1.0], "AgentVitals")
	eq([AgentVitals.PROCESS_PHYSICS, AgentVitals.PROCESS_IDLE, AgentVitals.PROCESS_MANUAL], [0, 1, 2], "constants")


func test_values_fractions_and_signals() -> void:
	var vitals := _vitals([_row(&"Vital.Health", 50.0), _row(&"Vital.Mana")])
	var changed := record(vitals.vital_changed)
	var depleted := record(vitals.vital_depleted)
	eq(vitals.get_value(&"Vital.Health"), 50.0, "starts full")
	vitals.change(&"Vital.Health", -20.0)
	near(vitals.get_fraction(&"Vital.Health"), 0.6)
	vitals.set_value(&"Vital.Health", 999.0)
	eq(vitals.get_value(&"Vital.Health"), 50.0, "clamped")
	vitals.set_value(&"Vital.Health", 50.0)
	vitals.change(&"Vital.Health", -60.0)
	vitals.change(&"Vital.Health", -60.0)
	eq(changed.calls, [[&"Vital.Health", 30.0, -20.0], [&"Vital.Health", 50.0, 20.0], [&"Vital.Health", 0.0, -50.0]], "changes")
	eq(depleted.calls, [[&"Vital.Health"]], "depleted once")
	check(vitals.has_vital(&"Vital.Mana") and not vitals.has_vital(&"Vital"), "rows are exact")


func test_regeneration_after_the_delay() -> void:
	var vitals := _vitals([_row(&"Vital.Health", 100.0, 10.0, 1.0)])
	vitals.change(&"Vital.Health", -50.0)
	for i in 10:
		vitals.advance(0.1)
	near(vitals.get_value(&"Vital.Health"), 50.0, 0.001, "during the delay")
	for i in 5:
		vitals.advance(0.1)
	near(vitals.get_value(&"Vital.Health"), 55.0, 0.001, "0.5 s later")
	vitals.time_scale = 0.0
	vitals.advance(10.0)
	near(vitals.get_value(&"Vital.Health"), 55.0, 0.001, "time_scale 0")
	vitals.time_scale = 1.0
	vitals.advance(10.0)
	eq(vitals.get_value(&"Vital.Health"), 100.0, "full")


func test_steps_only_while_something_moves() -> void:
	var vitals := _vitals([_row(&"Vital.Health", 100.0, 60.0)])
	vitals.process_callback = AgentVitals.PROCESS_PHYSICS
	check(not vitals.is_physics_processing(), "full")
	vitals.change(&"Vital.Health", -2.0)
	check(vitals.is_physics_processing(), "regenerates")
	await physics(4)
	eq(vitals.get_value(&"Vital.Health"), 100.0, "full again")
	check(not vitals.is_physics_processing(), "full again")


func test_advance_inside_its_own_step_is_an_error() -> void:
	var vitals := _vitals([_row(&"Vital.Health", 100.0, 10.0)])
	vitals.change(&"Vital.Health", -50.0)
	vitals.vital_changed.connect(func(_tag: StringName, _value: float, _delta: float) -> void: vitals.advance(1.0))
	expect_error("advance() was called from inside the node's own step", 1)
	vitals.advance(1.0)
	near(vitals.get_value(&"Vital.Health"), 60.0, 0.001, "one step")


func test_a_handler_may_hurt_swap_rows_and_free_the_agent() -> void:
	var vitals := _vitals([_row(&"Vital.Health"), _row(&"Vital.Shield")])
	var agent := vitals.get_parent()
	vitals.vital_depleted.connect(func(tag: StringName) -> void:
		if tag == &"Vital.Shield":
			vitals.change(&"Vital.Health", -100.0)
		else:
			vitals.vitals = []
			agent.queue_free())
	vitals.change(&"Vital.Shield", -100.0)
	await idle(2)
	check(not is_instance_valid(agent), "freed")


func test_rows_edited_and_replaced_keep_their_values() -> void:
	var health := _row(&"Vital.Health")
	var vitals := _vitals([health])
	vitals.change(&"Vital.Health", -20.0)
	health.max_value = 50.0
	eq(vitals.get_value(&"Vital.Health"), 50.0, "a lower maximum")
	var other := _vitals([health])
	eq(other.get_value(&"Vital.Health"), 50.0, "the resource is shared, the value is not")
	other.change(&"Vital.Health", -10.0)
	eq(vitals.get_value(&"Vital.Health"), 50.0, "nor here")
	vitals.vitals = [_row(&"Vital.Health", 200.0), _row(&"Vital.Mana", 30.0)]
	eq([vitals.get_value(&"Vital.Health"), vitals.get_value(&"Vital.Mana")], [50.0, 30.0], "new rows")
	var changed := record(vitals.vital_changed)
	health.max_value = 1.0
	eq(changed.count(), 0, "no longer listened to")


func test_a_start_value_set_after_the_row_was_added_counts() -> void:
	var row := _row(&"Vital.Health")
	var vitals := AgentVitals.new()
	vitals.vitals = [row]
	row.start_value = 30.0
	add(vitals, add(Node.new()))
	eq(vitals.get_value(&"Vital.Health"), 30.0, "start value")


func test_the_array_is_typed_read_only_and_checked() -> void:
	var vitals := _vitals([_row(&"Vital.Health")])
	eq((vitals.vitals as Array).get_typed_class_name(), &"AgentVital", "typed")
	check(vitals.vitals.is_read_only(), "read-only")
	var untyped: Variant = vitals
	untyped.vitals = [_row(&"Vital.Mana"), null]
	eq(vitals.vitals.size(), 2, "a plain literal, and null is kept")
	check(vitals.has_vital(&"Vital.Mana"), "row")
	expect_error("vitals[1] is Curve; vitals stays as it was. Allowed: AgentVital.", 1)
	untyped.vitals = [_row(&"Vital.Rage"), Curve.new()]
	check(vitals.has_vital(&"Vital.Mana") and not vitals.has_vital(&"Vital.Rage"), "unchanged")
	expect_error("vitals[0] is int; vitals stays as it was.", 1)
	untyped.vitals = [5]
	eq(vitals.vitals.size(), 2, "unchanged")


func test_unknown_rows_and_bad_numbers_are_errors() -> void:
	var vitals := _vitals([_row(&"Vital.Health")])
	expect_error("Vitals): get_value() got \"Vital.Helth\", which is no row. Known: Vital.Health.", 1)
	eq(vitals.get_value(&"Vital.Helth"), 0.0, "neutral value")
	eq(vitals.get_value(&"Vital.Helth"), 0.0, "neutral value")
	expect_error("get_fraction() got \"Vital.Rage\"", 1)
	eq(vitals.get_fraction(&"Vital.Rage"), 1.0, "neutral fraction")
	expect_error("change() got \"Vital.Rage\"", 1)
	vitals.change(&"Vital.Rage", 1.0)
	expect_error("set_value() got NaN. Give a finite number.", 1)
	vitals.set_value(&"Vital.Health", NAN)
	eq(vitals.get_value(&"Vital.Health"), 100.0, "unchanged")
	var row := AgentVital.new()
	expect_warning("AgentVital: max_value = -5 is read as 0. Give 0 or more.", 1)
	row.max_value = -5.0
	eq(row.max_value, 0.0, "clamped")
	expect_warning("AgentVital: regen_per_second = inf is refused, it stays 0.", 1)
	row.regen_per_second = INF
	eq(row.regen_per_second, 0.0, "old value")


func test_state_survives_json() -> void:
	var vitals := _vitals([_row(&"Vital.Health", 100.0, 10.0, 2.0)])
	vitals.change(&"Vital.Health", -40.0)
	vitals.advance(0.5)
	var state: Dictionary = JSON.parse_string(JSON.stringify(vitals.export_state()))
	var other := _vitals([_row(&"Vital.Health", 100.0, 10.0, 2.0)])
	var changed := record(other.vital_changed)
	check(other.import_state(state), "imported")
	eq(changed.count(), 0, "no signal")
	eq(other.get_value(&"Vital.Health"), 60.0, "value")
	other.advance(1.4)
	near(other.get_value(&"Vital.Health"), 60.0, 0.001, "the delay goes on")
	other.advance(1.1)
	near(other.get_value(&"Vital.Health"), 70.0, 0.001, "then it regenerates")
	expect_warning("import_state() left out \"Vital.Rage\"", 1)
	check(other.import_state({"version": 1, "vitals": {"Vital.Rage": {"value": 1.0, "delay_left": 0.0}}}), "unknown row")
	expect_error("import_state() got a state with another structure", 1)
	check(not other.import_state({"version": 1, "vitals": {"Vital.Health": 5}}), "structure")
