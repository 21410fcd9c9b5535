extends TestCase
## Forty evaluators over 3,000 steps of random life (seed 20261130), with everything a game may do to them in between: no
## error line, and every start has its end.

const Brains := preload("res://support/soak_brains.gd")
const COUNT: int = 40
const STEPS: int = 3000


func test_forty_evaluators_that_come_go_and_change() -> void:
	limit_seconds = 300.0
	var crowd: Brains = Brains.new(self, 20261130)
	for step: int in STEPS:
		crowd.keep(COUNT)
		crowd.act()
		for brain: Variant in crowd.brains:
			if is_instance_valid(brain) and (brain as Node).is_inside_tree():
				(brain as ActionEvaluator).advance(0.02)
		# What is queued for deletion goes at the end of a frame.
		if step % 10 == 0:
			await physics()
	check(crowd.spawned > COUNT * 5, "evaluators came and went: %d" % crowd.spawned)
	check(crowd.ledger.starts > STEPS, "actions were started: %d" % crowd.ledger.starts)
	for reason: int in [ActionEvaluator.END_COMPLETED, ActionEvaluator.END_INTERRUPTED, ActionEvaluator.END_CANCELLED, ActionEvaluator.END_TIMED_OUT, ActionEvaluator.END_FAILED]:
		check(crowd.ledger.reasons.has(reason), "some ended with reason %d" % reason)
	eq(crowd.deeds.size(), 24, "everything was done: %s" % [crowd.deeds])
	for brain: Variant in crowd.brains:
		if is_instance_valid(brain):
			(brain as Node).get_parent().queue_free()
	for foe: Variant in crowd.foes:
		if is_instance_valid(foe):
			(foe as Node).queue_free()
	await physics(3)
	eq(crowd.ledger.ends, crowd.ledger.starts, "every start has its end")
	eq(crowd.ledger.open_runs(), 0, "no run is left open")
	eq(crowd.ledger.complaints.slice(0, 5), PackedStringArray(), "complaints")
	crowd.brains.clear()
