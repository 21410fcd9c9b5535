extends TestCase
## Conditions of transitions: what they ask of the input, of the agent and of the target.

const Stage := preload("res://support/graph_stage.gd")
const LA: StringName = Stage.LA

const ASKS := "extends TransitionCondition\nvar asked := []\nvar answer := true\nfunc _evaluate(run: ActionRun) -> bool:\n\tasked.append(run)\n\treturn answer\nfunc _get_display_name() -> String:\n\treturn \"by the script\"\n"


## Root's press goes to `yes` if the condition passes, else to `no`.
func _stage(conditions: Array) -> Stage:
	var stage := Stage.new(self)
	stage.move(&"yes", 0.2)
	stage.move(&"no", 0.2)
	stage.root_wire(&"yes", LA).conditions = conditions
	stage.root_wire(&"no", LA)
	stage.begin()
	return stage


## Where a press leads; the move is over afterwards.
func _leads(stage: Stage, direction: Vector2 = Vector2.INF) -> StringName:
	eq(stage.press(LA, direction), ActionGraphPlayer.INPUT_ENTERED, "the press")
	var node := stage.at()
	stage.player.interrupt_for_external()
	return node


func _passes(stage: Stage, direction: Vector2 = Vector2.INF) -> bool:
	return _leads(stage, direction) == &"yes"


func test_defaults() -> void:
	var direction := DirectionCondition.new()
	eq([direction.directions, direction.space, direction.invert], [1, 0, false], "direction")
	near(direction.dead_zone, 0.3, 0.0001, "dead_zone")
	var vital := VitalThresholdCondition.new()
	eq([vital.vital_tag, vital.comparison, vital.value, vital.tolerance, vital.as_fraction], [&"Vital.Stamina", 0, 0.0, 1.0, false], "vital")
	var distance := TargetDistanceCondition.new()
	eq([distance.comparison, distance.distance, distance.tolerance, distance.planar, distance.in_pixels], [0, 2.0, 0.5, true, false], "distance")
	var cooldown := CooldownReadyCondition.new()
	eq([cooldown.cooldown_key, cooldown.charges], [&"", 1], "cooldown")
	eq([TargetStateCondition.new().required_tags.size(), PairedActionAvailableCondition.new().sets.size()], [0, 0], "lists")
	eq(DirectionCondition.DIRECTION_NEUTRAL, 16, "a constant")
	eq([VitalThresholdCondition.COMPARE_ABOVE, TargetDistanceCondition.COMPARE_FARTHER, DirectionCondition.SPACE_TARGET], [0, 1, 2], "constants")


func test_the_direction_of_the_press() -> void:
	var condition := DirectionCondition.new()
	condition.directions = DirectionCondition.DIRECTION_LEFT | DirectionCondition.DIRECTION_NEUTRAL
	var stage := _stage([condition])
	check(_passes(stage, Vector2.LEFT), "left of an agent that looks along -Z")
	check(_passes(stage, Vector2(0.0, -0.29)), "neutral")
	check(not _passes(stage, Vector2.UP), "forward")
	check(not _passes(stage, Vector2.RIGHT), "right")
	stage.agent.rotation.y = PI / 2
	check(_passes(stage, Vector2.DOWN), "left of an agent that looks along -X")
	condition.invert = true
	stage.player.advance(0.1)
	check(not _passes(stage, Vector2.DOWN), "inverted")


func test_without_an_input_the_way_of_the_agent_counts() -> void:
	var condition := DirectionCondition.new()
	condition.directions = DirectionCondition.DIRECTION_BACK
	var stage := Stage.new(self)
	stage.move(&"one", 0.2)
	stage.move(&"back", 0.2)
	stage.root_wire(&"one", LA)
	var completed := stage.graph.add_transition(&"one", &"back", &"", ActionGraphTransition.FIRES_ACTION_COMPLETED)
	completed.conditions = [condition]
	stage.begin()
	stage.press(LA, Vector2.UP)
	stage.player.set_move_direction(Vector2.DOWN)
	stage.advance(0.3)
	eq(stage.at(), &"back", "the agent moves backwards")


func test_the_direction_of_a_press_that_waited() -> void:
	var left := DirectionCondition.new()
	left.directions = DirectionCondition.DIRECTION_LEFT
	var stage := Stage.new(self)
	stage.move(&"one", 0.4).payload.open_action_window = false
	stage.move(&"left", 0.2)
	stage.move(&"other", 0.2)
	stage.root_wire(&"one", LA)
	var wire := stage.wire(&"one", &"left", LA)
	wire.conditions = [left]
	stage.wire(&"one", &"other", LA)
	stage.begin()
	stage.press(LA)
	stage.player.set_move_direction(Vector2.LEFT)
	eq(stage.press(LA), ActionGraphPlayer.INPUT_BUFFERED, "pressed with the stick to the left")
	stage.player.set_move_direction(Vector2.RIGHT)
	stage.advance(0.4)
	eq(stage.at(), &"left", "taken with the stick to the right")


func test_a_vital_of_the_agent() -> void:
	var condition := VitalThresholdCondition.new()
	condition.value = 30.0
	var stage := _stage([condition])
	check(_passes(stage), "no AgentVitals: 100 stamina")
	condition.comparison = VitalThresholdCondition.COMPARE_BELOW
	stage.player.advance(0.1)
	check(not _passes(stage), "100 is not below 30")
	stage.with_vitals(30.0, 60.0)
	check(_passes(stage), "30 of 60")
	condition.comparison = VitalThresholdCondition.COMPARE_ABOUT
	condition.value = 31.0
	stage.player.advance(0.1)
	check(_passes(stage), "30 is about 31")
	condition.as_fraction = true
	condition.tolerance = 0.1
	condition.value = 0.6
	stage.player.advance(0.1)
	check(_passes(stage), "a half is about 0.6")
	condition.vital_tag = &"Vital.Mana"
	condition.comparison = VitalThresholdCondition.COMPARE_ABOVE
	condition.value = 900.0
	stage.player.advance(0.1)
	check(_passes(stage), "no such vital")


func test_health_without_a_row_is_what_the_agent_says() -> void:
	var condition := VitalThresholdCondition.new()
	condition.vital_tag = &"Vital.Health"
	condition.as_fraction = true
	condition.comparison = VitalThresholdCondition.COMPARE_BELOW
	condition.value = 0.3
	var stage := Stage.new(self)
	stage.agent.set_script(script("extends CharacterBody3D\nvar health := 0.25\nfunc get_health_fraction() -> float:\n\treturn health\n"))
	stage.move(&"yes", 0.2)
	stage.move(&"no", 0.2)
	stage.root_wire(&"yes", LA).conditions = [condition]
	stage.root_wire(&"no", LA)
	stage.begin()
	check(_passes(stage), "a quarter")
	stage.agent.set(&"health", 0.5)
	check(not _passes(stage), "a half")


func test_the_tags_of_the_target() -> void:
	var condition := TargetStateCondition.new()
	condition.required_tags = ["State.Stunned"]
	condition.blocked_tags = ["Role.Boss"]
	var stage := _stage([condition])
	check(not _passes(stage), "no target")
	var foe := character(Vector3(0, 0, -3), "Foe")
	var tags := TagContainer.new()
	add(tags, foe)
	stage.player.set_target(foe)
	check(not _passes(stage), "no tags")
	tags.add_tag(&"State.Stunned.Hard")
	check(_passes(stage), "stunned")
	tags.add_tag(&"Role.Boss")
	check(not _passes(stage), "a boss")
	foe.free()
	check(not _passes(stage), "the target is freed")


func test_the_distance_of_the_target() -> void:
	var condition := TargetDistanceCondition.new()
	var stage := _stage([condition])
	check(not _passes(stage), "no target")
	var foe := character(Vector3(0, 3, -2), "Foe")
	stage.player.set_target(foe)
	check(_passes(stage), "2 m on the ground")
	condition.planar = false
	stage.player.advance(0.1)
	check(not _passes(stage), "3.6 m in the air")
	condition.comparison = TargetDistanceCondition.COMPARE_FARTHER
	stage.player.advance(0.1)
	check(_passes(stage), "farther than 2 m")
	condition.comparison = TargetDistanceCondition.COMPARE_ABOUT
	condition.distance = 4.0
	stage.player.advance(0.1)
	check(_passes(stage), "about 4 m")


func test_distances_in_2d_are_metres_or_pixels() -> void:
	var condition := TargetDistanceCondition.new()
	var agent := CharacterBody2D.new()
	add(agent)
	var foe := Node2D.new()
	foe.position = Vector2(150, 0)
	add(foe)
	var graph := ActionGraph.new()
	var delay := DelayPayload.new()
	graph.add_node(&"yes", delay)
	graph.add_transition(&"root", &"yes", LA).conditions = [condition]
	var player := ActionGraphPlayer.new()
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	player.default_graph = graph
	add(player, agent)
	player.set_target(foe)
	eq(player.process_input(LA), ActionGraphPlayer.INPUT_ENTERED, "1.5 m")
	player.interrupt_for_external()
	condition.in_pixels = true
	player.advance(0.1)
	eq(player.process_input(LA), ActionGraphPlayer.INPUT_DROPPED, "150 of 2 px")
	condition.distance = 150.0
	player.advance(0.1)
	eq(player.process_input(LA), ActionGraphPlayer.INPUT_ENTERED, "150 of 150 px")


func test_a_cooldown_that_is_ready() -> void:
	var condition := CooldownReadyCondition.new()
	condition.cooldown_key = &"blink"
	var stage := Stage.new(self)
	stage.move(&"yes", 0.1)
	stage.move(&"no", 0.1)
	var cooldown := ActionCooldown.new()
	cooldown.key = &"blink"
	cooldown.seconds = 2.0
	cooldown.charges = 2
	stage.move(&"blink", 0.1).cooldown = cooldown
	stage.root_wire(&"yes", LA).conditions = [condition]
	stage.root_wire(&"no", LA)
	stage.root_wire(&"blink", Stage.DG)
	stage.begin()
	stage.press(Stage.DG)
	stage.player.interrupt_for_external()
	check(_passes(stage), "one of two charges is left")
	condition.charges = 2
	stage.player.advance(0.1)
	check(not _passes(stage), "two are asked for")
	condition.charges = 1
	stage.player.advance(0.1)
	stage.press(Stage.DG)
	stage.player.interrupt_for_external()
	check(not _passes(stage), "none is left")
	condition.cooldown_key = &"nobody knows"
	stage.player.advance(0.1)
	check(_passes(stage), "an unknown key")


func test_a_script_decides() -> void:
	var condition: TransitionCondition = script(ASKS).new()
	var stage := _stage([condition])
	check(_passes(stage, Vector2.LEFT), "it says yes")
	var asked: Array = condition.get(&"asked")
	eq(asked.size(), 1, "asked once")
	var run: ActionRun = asked[0]
	eq([run.run_id, run.node_id, run.from_node, run.input_tag, run.direction, run.agent], [0, &"yes", &"root", LA, Vector2.LEFT, stage.agent], "what it is asked about")
	check(not run.finish() and not run.cancel() and not run.is_current(), "nothing runs yet")
	condition.set(&"answer", false)
	check(not _passes(stage), "it says no")
	has_element(stage.player.explain_input(LA), "by the script", "its name in the explanation")
	condition.invert = true
	stage.player.advance(0.1)
	check(_passes(stage), "inverted")


func test_a_script_without_the_virtual_passes_with_a_warning_of_validation() -> void:
	var condition: TransitionCondition = script("extends TransitionCondition\n").new()
	var stage := _stage([condition])
	check(_passes(stage), "it passes")
	var codes := stage.graph.validate().map(func(row: Dictionary) -> String: return row.code)
	has_element(codes, "W21", "validation")


func test_all_conditions_must_pass_and_spend_nothing() -> void:
	var yes := VitalThresholdCondition.new()
	yes.value = 10.0
	var no := VitalThresholdCondition.new()
	no.value = 60.0
	var stage := _stage([yes, no])
	stage.with_vitals(50.0)
	check(not _passes(stage), "one of two fails")
	no.value = 40.0
	stage.player.advance(0.1)
	check(_passes(stage), "both pass")
	eq(stage.vitals.get_value(&"Vital.Stamina"), 50.0, "nothing was spent")


func test_null_and_wrong_elements() -> void:
	var stage := Stage.new(self)
	stage.move(&"yes", 0.2)
	var wire := stage.root_wire(&"yes", LA)
	var asks := DirectionCondition.new()
	asks.directions = 31
	wire.conditions = [null, asks]
	eq(wire.conditions.size(), 2, "kept")
	expect_error("conditions[0] is VitalCost; conditions stays as it was.", 1)
	wire.conditions = [VitalCost.new()]
	eq(wire.conditions.size(), 2, "unchanged")
	stage.begin()
	check(_passes(stage), "the null is skipped")


func test_bad_values_are_refused() -> void:
	var condition := VitalThresholdCondition.new()
	expect_warning("value = NaN is refused, it stays 0", 1)
	condition.value = NAN
	eq(condition.value, 0.0, "value")
	expect_warning("tolerance = -1 is read as 0", 1)
	condition.tolerance = -1.0
	expect_error("comparison = 7 is refused, it stays 0. Use one of its constants.", 1)
	condition.comparison = 7
	var direction := DirectionCondition.new()
	expect_warning("directions = 99 is read as 31", 1)
	direction.directions = 99
	expect_warning("charges = 0 is read as 1", 1)
	var cooldown := CooldownReadyCondition.new()
	cooldown.charges = 0
