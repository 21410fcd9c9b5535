extends TestCase
## Two hundred perceivers and three hundred sources of both dimensions for 20,000 ticks of random life.

const Crowd := preload("res://support/soak_crowd.gd")
const PERCEIVERS: int = 200
const SOURCES: int = 300
const TICKS: int = 20_000
const SEED: int = 20260217


func test_twenty_thousand_ticks_of_random_life() -> void:
	limit_seconds = 600.0
	PerceptionServer.process_callback = PerceptionServer.PROCESS_MANUAL
	for x: float in [-30.0, 0.0, 30.0]:
		wall(Vector3(x, 2, 0), Vector3(1, 6, 40))
	await physics(2)
	var crowd: Crowd = Crowd.new(self, SEED)
	for i: int in TICKS:
		if i % 8 == 0:
			crowd.keep(PERCEIVERS, SOURCES)
			# The end of a frame frees what is queued.
			await physics()
		if crowd.chance(0.5):
			crowd.act()
		if i % 2500 == 2499:
			crowd.change_scene()
		crowd.close_books()
		PerceptionServer.advance(1.0 / 60.0)
	eq(crowd.complaints.slice(0, 5), PackedStringArray(), "complaints")
	check(crowd.gains > 5_000, "targets were perceived: %d" % crowd.gains)
	for reason: int in [PerceptionEvent.LOSS_FORGOTTEN, PerceptionEvent.LOSS_GONE, PerceptionEvent.LOSS_DISPLACED, PerceptionEvent.LOSS_DISMISSED]:
		check(crowd.reasons.get(reason, 0) > 20, "ends with reason %d: %d" % [reason, crowd.reasons.get(reason, 0)])
	check(crowd.attention_turns > 500, "attention turned: %d" % crowd.attention_turns)
	check(crowd.belief_changes > 500, "beliefs changed: %d" % crowd.belief_changes)
	await _end(crowd)


## Without any source every record ends, and each beginning has had its one end.
func _end(crowd: Crowd) -> void:
	for made: Variant in crowd.sources:
		if is_instance_valid(made):
			(made as Node).get_parent().queue_free()
	for eye: Variant in crowd.eyes:
		if is_instance_valid(eye) and (eye as Node).is_inside_tree():
			for part: Node in (eye as Node).get_parent().get_children():
				if part is StimulusSource3D or part is StimulusSource2D:
					part.set(&"enabled", false)
	await physics(2)
	# What handlers spawn in the last ticks goes too.
	for i: int in 40:
		crowd.close_books()
		PerceptionServer.advance(0.1)
	crowd.close_books()
	eq(crowd.open_records(), crowd.listed_records(), "open records are those that are listed")
	eq(crowd.gains, crowd.losses + crowd.dropped + crowd.open_records(), "every perceived has one lost")
	crowd.clear()
	await physics(2)
	PerceptionServer.advance(0.1)
	crowd.close_books()
	eq(crowd.open_records(), 0, "nothing is left")
	PerceptionServer.process_callback = PerceptionServer.PROCESS_PHYSICS
