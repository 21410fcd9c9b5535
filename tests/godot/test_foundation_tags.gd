extends TestCase
## TagContainer: counts, hierarchy, timers, changes once a frame, state in and out.


func _container(agent: Node = null) -> TagContainer:
	var made := TagContainer.new()
	made.name = "Tags"
	add(made, agent if agent != null else add(Node.new()))
	return made


func test_two_holders_release_independently() -> void:
	var tags := _container()
	tags.add_tag(&"State.MovementBlocked")
	tags.add_tag(&"State.MovementBlocked")
	tags.remove_tag(&"State.MovementBlocked")
	check(tags.has_tag(&"State.MovementBlocked"), "one holder is left")
	eq(tags.get_tag_count(&"State.MovementBlocked"), 1, "count")
	tags.remove_tag(&"State.MovementBlocked", 5)
	check(not tags.has_tag(&"State.MovementBlocked"), "nobody holds it")
	tags.remove_tag(&"State.MovementBlocked")
	eq(tags.get_tag_count(&"State.MovementBlocked"), 0, "never below 0")


func test_questions_go_by_hierarchy() -> void:
	var tags := _container()
	tags.add_tag(&"Team.Red")
	check(tags.has_tag(&"Team"), "Team finds Team.Red")
	check(not tags.has_tag(&"Team.Red.Elite"), "Team.Red.Elite does not find Team.Red")
	check(not tags.has_tag(&"Tea"), "Tea is another tag")
	eq(tags.get_tag_count(&"Team"), 0, "counts are exact")
	tags.add_tag(&"Role.Tank")
	check(tags.has_all(["Team", "Role.Tank"]), "has_all")
	check(not tags.has_all(["Team", "Weapon"]), "has_all with one missing")
	check(tags.has_any(["Weapon", "Role"]), "has_any")
	check(not tags.has_any(["Weapon"]), "has_any with none")
	check(tags.has_all([]) and not tags.has_any([]), "empty lists")
	eq(tags.get_tags(), ["Team.Red", "Role.Tank"], "in the order of coming")


func test_untyped_scripts_may_use_plain_strings() -> void:
	var tags: Variant = _container()
	tags.add_tag("Team.Red", 2)
	eq(tags.get_tag_count("Team.Red"), 2, "count")
	check(tags.has_any(["Team"]), "plain array literal")


func test_changes_are_told_once_a_frame_and_net() -> void:
	var tags := _container()
	var changes := record(tags.tags_changed)
	tags.add_tag(&"A")
	tags.add_tag(&"B")
	tags.add_tag(&"B")
	tags.add_tag(&"C")
	tags.remove_tag(&"C")
	eq(changes.count(), 0, "not told at once")
	await idle()
	eq(changes.calls, [[PackedStringArray(["A", "B"]), PackedStringArray()]], "told")
	tags.remove_tag(&"B")
	tags.remove_tag(&"A")
	tags.add_tag(&"A")
	await idle()
	eq(changes.count(), 1, "a count alone, and what went and came, is no change")
	tags.remove_tag(&"B")
	tags.add_tag(&"D")
	await idle()
	eq(changes.last(), [PackedStringArray(["D"]), PackedStringArray(["B"])], "both lists")


func test_a_handler_may_change_tags_and_free_the_agent() -> void:
	var agent := add(Node.new())
	var tags := _container(agent)
	var seen: Array[PackedStringArray] = []
	tags.tags_changed.connect(func(added: PackedStringArray, _removed: PackedStringArray) -> void:
		seen.append(added)
		if added.has("A"):
			tags.add_tag(&"B")
		else:
			agent.queue_free())
	tags.add_tag(&"A")
	await idle(3)
	eq(seen, [PackedStringArray(["A"]), PackedStringArray(["B"])], "told one after the other")
	check(not is_instance_valid(agent), "freed")


func test_timed_tags_run_on_game_time() -> void:
	var tags := _container()
	tags.process_callback = TagContainer.PROCESS_MANUAL
	tags.add_tag_for(&"State.Burning", 1.0)
	tags.add_tag_for(&"State.Burning", 2.0)
	for i in 9:
		tags.advance(0.1)
	eq(tags.get_tag_count(&"State.Burning"), 2, "at 0.9 s")
	tags.advance(0.1)
	eq(tags.get_tag_count(&"State.Burning"), 1, "at 1.0 s")
	tags.time_scale = 0.0
	tags.advance(50.0)
	check(tags.has_tag(&"State.Burning"), "time_scale 0 stands still")
	tags.time_scale = 2.0
	tags.advance(0.5)
	check(not tags.has_tag(&"State.Burning"), "time_scale 2 runs twice as fast")


func test_timers_run_in_the_physics_step_and_stop_with_the_pause() -> void:
	var tags := _container()
	tags.process_mode = Node.PROCESS_MODE_PAUSABLE
	check(not tags.is_physics_processing(), "no timer, no step")
	tags.add_tag_for(&"State.Burning", 0.1)
	check(tags.is_physics_processing() and not tags.is_processing(), "steps while a timer runs")
	get_tree().paused = true
	await get_tree().create_timer(0.3).timeout
	check(tags.has_tag(&"State.Burning"), "paused")
	get_tree().paused = false
	await physics(7)
	check(not tags.has_tag(&"State.Burning"), "over")
	check(not tags.is_physics_processing(), "no timer, no step")


func test_a_script_with_its_own_callbacks_does_not_stop_the_timers() -> void:
	var source := "extends TagContainer\nvar steps := 0\nfunc _ready() -> void:\n\tadd_tag_for(&\"Own\", 0.1)\n"
	source += "func _physics_process(_delta: float) -> void:\n\tsteps += 1\nfunc _exit_tree() -> void:\n\tpass\n"
	var tags: TagContainer = script(source).new()
	var agent := add(Node.new())
	add(tags, agent)
	check(tags.has_tag(&"Own"), "added in the script's _ready")
	eq(tags.get_child_count(), 0, "what steps it is no ordinary child")
	await physics(10)
	check(not tags.has_tag(&"Own"), "the timer ran")
	check(tags.get(&"steps") > 5, "the script's own callback ran too")


func test_idle_and_manual_callbacks() -> void:
	var tags := _container()
	tags.process_callback = TagContainer.PROCESS_IDLE
	tags.add_tag_for(&"A", 0.05)
	check(tags.is_processing() and not tags.is_physics_processing(), "idle")
	tags.process_callback = TagContainer.PROCESS_MANUAL
	check(not tags.is_processing() and not tags.is_physics_processing(), "manual")
	await physics(10)
	check(tags.has_tag(&"A"), "nobody advanced it")


func test_advance_at_the_wrong_time_is_an_error() -> void:
	var tags := _container()
	tags.add_tag_for(&"A", 0.5)
	expect_error("advance() works with process_callback PROCESS_MANUAL only", 1)
	tags.advance(1.0)
	tags.advance(1.0)
	check(tags.has_tag(&"A"), "no effect")
	tags.process_callback = TagContainer.PROCESS_MANUAL
	expect_warning("advance() got ", 1)
	tags.advance(-1.0)
	tags.advance(NAN)
	check(tags.has_tag(&"A"), "no effect")
	var outside := TagContainer.new()
	outside.process_callback = TagContainer.PROCESS_MANUAL
	expect_error("advance() was called before the node is ready", 1)
	outside.advance(1.0)
	outside.free()


func test_bad_input_is_an_error_without_effect() -> void:
	var agent := add(Node.new())
	agent.name = "Guard"
	var tags := _container(agent)
	expect_error("Guard/Tags): add_tag: tag \"A..B\" has an empty segment", 1)
	tags.add_tag(&"A..B")
	tags.add_tag(&"A..B")
	expect_error("add_tag: a tag name is empty", 1)
	tags.add_tag(&"")
	expect_error("tag \"A B\" has a blank", 1)
	check(not tags.has_tag(&"A B"), "a bad question")
	expect_error("add_tag() got the count 0", 1)
	tags.add_tag(&"A", 0)
	tags.add_tag(&"A", -3)
	expect_error("add_tag_for() got", 1)
	tags.add_tag_for(&"A", 0.0)
	tags.add_tag_for(&"A", NAN)
	expect_warning("time_scale = -1 is read as 0", 1)
	tags.time_scale = -1.0
	expect_warning("time_scale = NaN is refused", 1)
	tags.time_scale = NAN
	eq(tags.time_scale, 0.0, "time_scale")
	expect_error("process_callback = 7 is refused", 1)
	tags.process_callback = 7
	eq(tags.process_callback, TagContainer.PROCESS_PHYSICS, "process_callback")
	eq(tags.get_tags(), [], "nothing was added")


func test_initial_tags_are_there_from_the_start() -> void:
	var tags := TagContainer.new()
	tags.initial_tags = ["Team.Red", "Role.Tank"]
	tags.initial_tags = ["Team.Red"]
	var changes := record(tags.tags_changed)
	add(tags, add(Node.new()))
	eq(tags.get_tags(), ["Team.Red"], "tags")
	await idle(2)
	eq(changes.count(), 0, "not a change")
	tags.initial_tags = ["Team.Blue"]
	eq(tags.get_tags(), ["Team.Red"], "later it has no effect")
	expect_error("initial_tags: tag \"Bad..Tag\" has an empty segment", 1)
	tags.initial_tags = ["Bad..Tag", "Team.Green"]
	eq(tags.initial_tags, ["Team.Green"], "the bad name is left out")


func test_state_survives_json() -> void:
	var tags := _container()
	tags.process_callback = TagContainer.PROCESS_MANUAL
	tags.add_tag(&"Team.Red", 2)
	tags.add_tag_for(&"State.Burning", 2.0)
	tags.advance(0.5)
	var state: Dictionary = JSON.parse_string(JSON.stringify(tags.export_state()))
	eq(state.version, 1.0, "version")
	var other := _container()
	other.process_callback = TagContainer.PROCESS_MANUAL
	other.add_tag(&"Old")
	await idle()
	var changes := record(other.tags_changed)
	check(other.import_state(state), "imported")
	eq(other.get_tags(), ["Team.Red", "State.Burning"], "tags")
	eq(other.get_tag_count(&"Team.Red"), 2, "count")
	await idle()
	eq(changes.count(), 0, "no signal")
	other.advance(1.4)
	check(other.has_tag(&"State.Burning"), "at 1.9 s")
	other.advance(0.1)
	check(not other.has_tag(&"State.Burning"), "at 2.0 s")


func test_a_state_of_another_shape_changes_nothing() -> void:
	var tags := _container()
	tags.add_tag(&"A")
	expect_error("import_state() got a state of version 2", 1)
	check(not tags.import_state({"version": 2, "tags": [], "timers": []}), "version")
	expect_error("import_state() got a state of no version", 1)
	check(not tags.import_state({}), "no version")
	expect_error("import_state() got a state with another structure", 1)
	check(not tags.import_state({"version": 1, "tags": {}, "timers": []}), "structure")
	check(not tags.import_state({"version": 1, "tags": [["B", "many"]], "timers": []}), "structure")
	eq(tags.get_tags(), ["A"], "unchanged")
	expect_warning("import_state(): tag \"A..B\" has an empty segment", 1)
	check(tags.import_state({"version": 1, "tags": [["A..B", 1], ["C", 1]], "timers": []}), "a bad name is left out")
	eq(tags.get_tags(), ["C"], "tags")
