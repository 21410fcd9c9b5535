extends TestCase
## The guide to actions keeps its word: the example of its picture, and every recipe of its cookbook, run as printed.

const Rig := preload("res://support/action_rig.gd")


## The reader's agent: each method of a recipe runs until the test says that it is over.
class Performer:
	extends Node3D
	signal over
	var health: float = 1.0

	func get_health_fraction() -> float:
		return health

	func strike(_context: ActionContext) -> Signal: return over
	func circle(_context: ActionContext) -> Signal: return over
	func slash(_context: ActionContext) -> Signal: return over
	func slam(_context: ActionContext) -> Signal: return over
	func whirl(_context: ActionContext) -> Signal: return over
	func shoot(_context: ActionContext) -> Signal: return over
	func step_back(_context: ActionContext) -> Signal: return over
	func come_closer(_context: ActionContext) -> Signal: return over
	func heal(_context: ActionContext) -> Signal: return over
	func smite(_context: ActionContext) -> Signal: return over
	func last_stand(_context: ActionContext) -> Signal: return over
	func jab(_context: ActionContext) -> Signal: return over
	func cross(_context: ActionContext) -> Signal: return over
	func uppercut(_context: ActionContext) -> Signal: return over


var _cookbook: RefCounted


func test_example_of_the_picture() -> void:
	var heavy: ActionSpec = Rig.scored(Rig.quick(&"Heavy", 1.5), [DistanceScorer.new(), AngleScorer.new()])
	heavy.risk_penalty = 1.2
	heavy.tag_score_multipliers = {&"World.Boss": 1.5}
	var jab: ActionSpec = Rig.quick(&"Jab")
	jab.chain_links = [ChainLink.to(&"Heavy", 1.5)]
	var rig: Rig = Rig.new(self, [jab, heavy])
	rig.brain.novelty_penalty = 0.3
	var aside: float = 3.75 * sqrt(0.5)
	rig.aim_at(Vector3(aside, 0.0, -aside))
	WorldTags.add_tag(&"World.Boss.Active")
	rig.brain.execute_action(&"Heavy")
	rig.step(21)  # Heavy ended in the first of these steps: 2.0 s ago
	rig.brain.execute_action(&"Jab")
	rig.step(10)
	var row: Dictionary = rig.row(&"Heavy")
	var names: PackedStringArray = []
	var values: PackedFloat64Array = []
	for factor: Array in row["factors"]:
		names.append((factor[0] as String).get_slice(" (", 0))
		values.append(factor[1])
	eq(names, ["weight/risk", "World.Boss", "novelty", "chain", "DistanceScorer", "AngleScorer", "runtime", "jitter"])
	near(values, [1.25, 1.5, 0.85, 1.5, 0.5, 0.75, 1.0, 1.0], 1e-6)
	near(row["score"], 0.896484375, 1e-6)
	WorldTags.remove_tag(&"World.Boss.Active")


func test_pack_with_tokens() -> void:
	var foe: Node3D = Node3D.new()
	add_child(foe)
	var rigs: Array[Rig] = []
	for i: int in 3:
		var rig: Rig = _rig(_moves(&"make_pack_moves"))
		rig.agent.position = Vector3(0.0, 0.0, 2.0)
		rig.brain.target = foe
		rigs.append(rig)
	eq([rigs[0].choose(), rigs[1].choose()], [&"Strike", &"Strike"])
	eq(rigs[2].choose(), &"Circle", "the third has no slot")
	eq(CombatTokens.get_free(foe, &"Token.Attack"), 0)
	(rigs[0].agent as Performer).over.emit()
	rigs[0].step()
	eq(rigs[2].choose(), &"Strike", "a slot is free")


func test_boss_phases() -> void:
	WorldTags.remove_tag(&"World.Boss.Phase2")
	var rig: Rig = _rig(_moves(&"make_boss_moves"))
	eq(rig.refusal(&"Whirl"), ActionEvaluator.REFUSAL_REQUIRED_TAGS)
	eq(rig.brain.evaluate_best_action().action_id, &"Slash")
	var rage: ActionSet = ActionSet.new()
	_book().call(&"on_health_changed", rig.brain, 0.5, rage)
	eq(rig.refusal(&"Slash"), ActionEvaluator.REFUSAL_BLOCK_TAGS)
	near(rig.score(&"Slam"), 1.2)
	near(rig.score(&"Whirl"), 1.0)
	_book().call(&"on_health_changed", rig.brain, 0.2, rage)
	eq(rig.brain.get_action_set_source(), ActionEvaluator.SET_RUNTIME_OVERRIDE)
	rig.brain.clear_runtime_override()
	eq(rig.brain.get_active_action_set(), rig.moves)
	WorldTags.remove_tag(&"World.Boss.Phase2")


func test_archer_keeps_its_distance() -> void:
	var rig: Rig = _rig(_moves(&"make_archer_moves"))
	var foe: Node3D = rig.aim_at(Vector3(0.0, 0.0, -2.0))
	var wanted: Dictionary = {2.0: &"StepBack", 7.0: &"Shoot", 20.0: &"ComeCloser"}
	for distance: float in wanted:
		foe.position.z = -distance
		await get_tree().physics_frame
		eq(rig.brain.evaluate_best_action().action_id, wanted[distance], "at %.0f m" % distance)
	eq(rig.brain.get_preferred_distance(&"Shoot"), Vector2(5.0, 10.0))


func test_healer() -> void:
	var rig: Rig = _rig(_moves(&"make_healer_moves"))
	var enemy: Node3D = rig.add_foe(Vector3(0.0, 0.0, -4.0))
	var friends: Array[Performer] = [Performer.new(), Performer.new()]
	for friend: Performer in friends:
		friend.position = Vector3(3.0, 0.0, 0.0)
		add_child(friend)
	_book().call(&"look_after", rig.brain, friends, enemy)
	eq(rig.brain.evaluate_best_action().action_id, &"Smite", "nobody is hurt")
	friends[0].health = 0.4
	friends[1].health = 0.3
	var decision: ActionDecision = rig.brain.evaluate_best_action()
	eq(decision.action_id, &"Heal")
	eq(decision.target, friends[1])


func test_desperate_move() -> void:
	var last_stand: ActionSpec = _book().call(&"make_last_stand")
	var slash: ActionSpec = _book().call(&"move", &"Slash")
	var rig: Rig = _rig([slash, last_stand])
	eq(rig.choose(), &"Slash")
	eq(rig.refusal(&"LastStand"), ActionEvaluator.REFUSAL_ZERO_SCORE, "unhurt")
	(rig.agent as Performer).health = 0.2
	eq(rig.choose(), &"LastStand", "breaks what runs")
	slash.priority = 100
	rig.step(5)
	eq(rig.choose(), &"LastStand", "and nothing breaks it")


func test_combo_is_dropped() -> void:
	var rig: Rig = _rig(_moves(&"make_combo"))
	rig.brain.config = AgentConfig.new()
	rig.brain.config.action_recovery_time = 3.0
	rig.step()
	var foe: Node3D = rig.aim_at(Vector3(0.0, 0.0, -1.0))
	eq(rig.choose(), &"Jab")
	eq(_next(rig), &"Cross", "without recovery")
	eq(_next(rig), &"Uppercut")
	rig.brain.reset_state()
	(rig.agent as Performer).over.emit()
	rig.step()
	rig.brain.clear_recovery()
	eq(rig.choose(), &"Jab")
	foe.position.z = -4.0
	eq(_next(rig), &"", "it rolled away")
	eq(rig.refusal(&"Cross"), ActionEvaluator.REFUSAL_ZERO_SCORE)


## What is chosen when the running action is over.
func _next(rig: Rig) -> StringName:
	(rig.agent as Performer).over.emit()
	rig.step()
	return rig.choose()


func _rig(specs: Array[ActionSpec]) -> Rig:
	var rig: Rig = Rig.new(self, specs, null, Performer.new())
	rig.moves.fallback_action = &"Circle" if specs[-1].action_id == &"Circle" else &""
	rig.step()
	return rig


## The actions of a recipe, without the spread of their cooldowns.
func _moves(recipe: StringName) -> Array[ActionSpec]:
	var made: ActionSet = _book().call(recipe)
	for problem: Dictionary in made.validate():
		# Which tags are declared is up to the reader's project.
		check((problem["message"] as String).contains("is not declared"), "%s: %s" % [recipe, problem])
	return made.actions


## All snippets of the cookbook as one script.
func _book() -> RefCounted:
	if _cookbook == null:
		var path: String = OS.get_environment("RIPOSTE_ROOT").path_join("docs/actions.md")
		var text: String = FileAccess.get_file_as_string(path).get_slice("## Cookbook", 1)
		var script: GDScript = GDScript.new()
		script.source_code = "extends RefCounted\n"
		for part: String in text.split("```gdscript\n").slice(1):
			script.source_code += part.get_slice("```", 0) + "\n"
		eq(script.reload(), OK, "the cookbook compiles")
		_cookbook = script.new()
	return _cookbook
