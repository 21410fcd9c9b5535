extends TestCase
## What earlier runs do to the score: novelty and chains.

const Rig := preload("res://support/action_rig.gd")


func _novelty_rig(weight: float = 1.0) -> Rig:
	var jab: ActionSpec = Rig.spec(&"Jab")
	jab.novelty_weight = weight
	var rig: Rig = Rig.new(self, [jab])
	rig.brain.novelty_penalty = 0.3
	return rig


func test_ex_30_a29() -> void:
	var rig: Rig = _novelty_rig()
	eq([rig.brain.novelty_window, rig.brain.novelty_floor], [6.0, 0.1], "defaults")
	near(rig.score(&"Jab"), 1.0, 1e-6, "never used")
	rig.use(&"Jab")
	near(rig.score(&"Jab"), 0.7, 1e-6, "ended just now")
	rig.step(15)
	near(rig.score(&"Jab"), 0.775, 1e-6, "1.5 s ago")
	rig.step(15)
	near(rig.score(&"Jab"), 0.85, 1e-6, "3 s ago")
	rig.step(30)
	near(rig.score(&"Jab"), 1.0, 1e-6, "6 s ago")


func test_ex_30_a30() -> void:
	var rig: Rig = _novelty_rig()
	rig.use(&"Jab")
	rig.step(30)
	rig.use(&"Jab")
	near(rig.score(&"Jab"), 0.595, 1e-6, "uses that ended 0 and 3 s ago")
	var busy: Rig = _novelty_rig()
	for i: int in 5:
		busy.use(&"Jab")
	near(busy.score(&"Jab"), 0.168070, 1e-6, "five uses")
	for i: int in 2:
		busy.use(&"Jab")
	near(busy.score(&"Jab"), 0.1, 1e-6, "seven uses: the floor")


func test_ex_30_a31() -> void:
	for pair: Array in [[2.0, 0.4], [0.0, 1.0], [5.0, 0.1]]:
		var rig: Rig = _novelty_rig(pair[0])
		rig.use(&"Jab")
		near(rig.score(&"Jab"), pair[1], 1e-6, "novelty_weight %s" % pair[0])


func test_novelty_counts_from_the_end_of_the_run() -> void:
	var rig: Rig = _novelty_rig()
	rig.brain.execute_action(&"Jab")
	rig.step(20)
	rig.brain.abort_action()
	near(rig.score(&"Jab"), 0.7, 1e-6, "2 s after its start, just after its end")


func test_novelty_makes_equal_actions_take_turns() -> void:
	var rig: Rig = Rig.new(self, [Rig.spec(&"Left"), Rig.spec(&"Right")])
	rig.brain.novelty_penalty = 0.3
	var order: PackedStringArray = []
	for i: int in 4:
		order.append(rig.choose())
		rig.brain.abort_action()
		rig.step()
	eq(order, ["Left", "Right", "Left", "Right"], "turns")


## Jab links to Heavy; Jab is over in the step after its start.
func _chain_rig(links: Array[ChainLink]) -> Rig:
	var jab: ActionSpec = Rig.quick(&"Jab")
	jab.chain_links = links
	var rig: Rig = Rig.new(self, [jab, Rig.spec(&"Heavy"), Rig.spec(&"Kick")])
	eq(rig.brain.chain_bonus_window, 2.0, "default bonus window")
	return rig


func _complete_jab(rig: Rig) -> void:
	rig.brain.execute_action(&"Jab")
	rig.step()
	eq(rig.brain.is_executing(), false, "Jab is over")


func test_ex_30_a32() -> void:
	var rig: Rig = _chain_rig([ChainLink.to(&"Heavy", 1.5)])
	near(rig.score(&"Heavy"), 1.0, 1e-6, "before")
	_complete_jab(rig)
	rig.step(5)
	near(rig.score(&"Heavy"), 1.5, 1e-6, "0.5 s after")
	near(rig.score(&"Kick"), 1.0, 1e-6, "only the linked action")
	rig.step(14)
	near(rig.score(&"Heavy"), 1.5, 1e-6, "1.9 s after")
	rig.step()
	near(rig.score(&"Heavy"), 1.0, 1e-6, "2 s after")


func test_ex_30_a33() -> void:
	var rig: Rig = _chain_rig([ChainLink.to(&"Heavy", 1.5)])
	rig.brain.execute_action(&"Jab")
	rig.brain.abort_action(ActionEvaluator.END_INTERRUPTED)
	rig.step()
	near(rig.score(&"Heavy"), 1.0, 1e-6, "an interrupted Jab opens nothing")


func test_ex_30_a34() -> void:
	var rig: Rig = _chain_rig([ChainLink.to(&"Heavy", 1.5)])
	_complete_jab(rig)
	rig.step(2)
	near(rig.score(&"Heavy"), 1.5, 1e-6, "0.2 s after Jab")
	rig.brain.execute_action(&"Kick")
	rig.step()
	near(rig.brain.score_action(&"Heavy"), 1.0, 1e-6, "Kick has committed in between")


func test_ex_30_a35() -> void:
	var rig: Rig = _chain_rig([ChainLink.to(&"Heavy", 1.5), ChainLink.to(&"Heavy", 2.0)])
	_complete_jab(rig)
	near(rig.score(&"Heavy"), 2.0, 1e-6, "the largest bonus")


func test_ex_30_a36() -> void:
	var jab: ActionSpec = Rig.quick(&"Jab")
	jab.chain_links = [ChainLink.to(&"Heavy", 1.5)]
	var heavy: ActionSpec = Rig.scored(Rig.spec(&"Heavy"), [DistanceScorer.new()])
	var rig: Rig = Rig.new(self, [jab, heavy])
	var foe: Node3D = rig.aim_at(Vector3(0, 0, -2))
	_complete_jab(rig)
	near(rig.score(&"Heavy"), 1.5, 1e-6, "in reach")
	foe.position = Vector3(0, 0, -6)
	eq(rig.refusal(&"Heavy"), ActionEvaluator.REFUSAL_ZERO_SCORE, "out of reach the combo is dropped")


func test_failed_and_timed_out_runs_open_no_chain() -> void:
	var failing: ActionSpec = Rig.quick(&"Jab")
	Rig.method_of(failing).succeeds = false
	failing.chain_links = [ChainLink.to(&"Heavy")]
	var slow: ActionSpec = Rig.spec(&"Slow")
	Rig.method_of(slow).timeout = 0.1
	slow.chain_links = [ChainLink.to(&"Heavy")]
	var rig: Rig = Rig.new(self, [failing, slow, Rig.spec(&"Heavy")])
	rig.brain.execute_action(&"Jab")
	rig.step()
	rig.brain.execute_action(&"Slow")
	rig.step()
	eq(rig.diary.take("ended"), "ended Jab 4, ended Slow 3", "both are over")
	near(rig.score(&"Heavy"), 1.0, 1e-6, "no bonus")


func test_chain_link_in_one_line() -> void:
	var link: ChainLink = ChainLink.to(&"Heavy")
	eq([link.action_id, link.bonus_multiplier], [&"Heavy", 1.5], "default bonus")
