extends TestCase
## Scripts that are asked in a row, and what they do there: scorers of candidates, conditions of a transition. Whatever one of
## them changes, counts for the next.

const Stage := preload("res://support/graph_stage.gd")
const Rig := preload("res://support/action_rig.gd")
const Doubles := preload("res://support/doubles.gd")


class Asked:
	extends TransitionCondition
	var does: Callable
	var answer := true
	var times := 0

	func _evaluate(_run: ActionRun) -> bool:
		times += 1
		if does.is_valid():
			does.call()
		return answer


func _asked(answer: bool, does: Callable = Callable()) -> Asked:
	var made := Asked.new()
	made.answer = answer
	made.does = does
	return made


## Root's press goes to `first` if these pass, else to `second`, which asks for a tag.
func _stage(conditions: Array, tag: StringName) -> Stage:
	var stage := Stage.new(self)
	stage.move(&"first", 0.2)
	stage.move(&"second", 0.2)
	stage.root_wire(&"first", Stage.LA).conditions = conditions
	stage.root_wire(&"second", Stage.LA).required_tags = PackedStringArray([tag])
	stage.begin()
	return stage


func test_conditions_are_asked_up_to_one_that_fails() -> void:
	var conditions: Array[Asked] = [_asked(true), _asked(false), _asked(true)]
	conditions[0].invert = false
	conditions[1].invert = true
	var stage := _stage(conditions, &"State.Marked")
	eq(stage.press(Stage.LA), ActionGraphPlayer.INPUT_ENTERED, "all hold")
	eq(stage.at(), &"first", "where it leads")
	stage.player.interrupt_for_external()
	conditions[1].answer = true
	eq(stage.press(Stage.LA), ActionGraphPlayer.INPUT_DROPPED, "the second one is inverted")
	eq(conditions.map(func(one: Asked) -> int: return one.times), [2, 2, 1], "how often they were asked")


func test_a_tag_that_a_condition_adds() -> void:
	for at: int in 2:
		var weak: Array[WeakRef] = []
		var mark := func() -> void: (weak[0].get_ref() as Stage).tags.add_tag(&"State.Marked")
		var conditions: Array[Asked] = [_asked(true), _asked(false)]
		conditions[at].does = mark
		var stage := _stage(conditions, &"State.Marked")
		weak.append(weakref(stage))
		eq(stage.press(Stage.LA), ActionGraphPlayer.INPUT_ENTERED, "the tag counts at once")
		eq(stage.at(), &"second", "marked by condition %d" % at)
		eq([conditions[0].times, conditions[1].times], [1, 1], "each was asked once")


func test_a_condition_that_frees_the_player() -> void:
	var weak: Array[WeakRef] = []
	var conditions: Array[Asked] = [_asked(true), _asked(true)]
	conditions[0].does = func() -> void: (weak[0].get_ref() as Stage).player.free()
	var stage := _stage(conditions, &"State.Marked")
	weak.append(weakref(stage))
	stage.press(Stage.LA)
	check(not is_instance_valid(stage.player), "it is gone")
	eq([conditions[0].times, conditions[1].times], [1, 0], "nobody is asked for it any more")


func test_a_condition_that_gives_an_input_or_ends_the_moveset() -> void:
	var weak: Array[WeakRef] = []
	var conditions: Array[Asked] = [_asked(true), _asked(true)]
	var stage := _stage(conditions, &"State.Marked")
	weak.append(weakref(stage))
	conditions[0].does = func() -> void:
		(weak[0].get_ref() as Stage).player.process_input(Stage.HV)
	eq(stage.press(Stage.LA), ActionGraphPlayer.INPUT_ENTERED, "the press goes on")
	eq(stage.at(), &"first", "where it leads")
	stage.player.interrupt_for_external()
	conditions[0].does = func() -> void:
		(weak[0].get_ref() as Stage).agent.remove_child((weak[0].get_ref() as Stage).player)
	stage.press(Stage.LA)
	eq(conditions[1].times, 1, "not asked outside of the tree")
	stage.player.free()


func _three(first: Callable) -> Array[ActionSpec]:
	var specs: Array[ActionSpec] = []
	for id: StringName in [&"One", &"Two", &"Three"]:
		var scorer: ActionScorer = Doubles.scorer_that(first) if id == &"One" else Doubles.scorer(1.0)
		specs.append(Rig.scored(Rig.spec(id, 3.0 - specs.size()), [scorer]))
	return specs


func test_an_override_that_a_scorer_sets() -> void:
	var weak: Array[WeakRef] = []
	var rig: Rig = Rig.new(self, _three(func(_scorer: ActionScorer, _context: DecisionContext) -> float:
		(weak[0].get_ref() as Rig).brain.set_action_override(&"Two", 5.0)
		return 0.5))
	weak.append(weakref(rig))
	eq(rig.choose(), &"Two", "2 against 1.5: what was seen before it was set")
	rig.brain.abort_action()
	eq(rig.choose(), &"Two", "and after it")


func test_a_scorer_that_frees_the_evaluator_or_stops_it() -> void:
	for frees: bool in [true, false]:
		var weak: Array[WeakRef] = []
		var specs := _three(func(_scorer: ActionScorer, _context: DecisionContext) -> float:
			var brain := (weak[0].get_ref() as Rig).brain
			if frees:
				brain.free()
			else:
				brain.stop()
			return 1.0)
		var rig: Rig = Rig.new(self, specs)
		weak.append(weakref(rig))
		rig.brain.evaluate_now()
		eq(is_instance_valid(rig.brain), not frees, "the evaluator")
		if not frees:
			check(not rig.brain.is_executing(), "nothing starts")


func test_what_a_scorer_is_told_in_a_row() -> void:
	var told: Array[StringName] = []
	var specs := _three(func(_scorer: ActionScorer, context: DecisionContext) -> float:
		told.append(context.action_id)
		return 1.0)
	for spec in specs:
		spec.scorers = specs[0].scorers
	var rig: Rig = Rig.new(self, specs)
	eq(rig.choose(), &"One", "the heaviest")
	eq(told, [&"One", &"Two", &"Three"] as Array[StringName], "each action by its name")
