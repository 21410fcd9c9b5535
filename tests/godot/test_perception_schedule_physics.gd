extends TestCase
## Scan times, the ray budget and the counters, with the server's own ticks.

const Field := preload("res://support/field.gd")


func _use_budget(rays: int, stagger: bool) -> void:
	ProjectSettings.set_setting("riposte/perception/max_rays_per_tick", rays)
	ProjectSettings.set_setting("riposte/perception/stagger", stagger)


## A perceiver that the server ticks, far from the others, with sources 3, 4, ... m ahead of it.
func _crowd(field: Field, number: int, sources: int, interval: float = 1.0) -> Node:
	var at: float = 200.0 * number
	var eye: Node = field.perceiver(field.agent(0.0, at), {&"process_callback": PerceptionServer.PROCESS_PHYSICS, &"update_interval": interval})
	for i: int in sources:
		field.source(3.0 + i, at)
	return eye


func _known(eyes: Array[Node]) -> Array:
	return eyes.map(func(eye: Node) -> int: return eye.call(&"get_perceived_targets").size())


func test_ex_10_23() -> void:
	for field: Field in Field.both(self):
		# The phases that the automatic spread gives to ids 0, 1 and 2.
		var wanted: Array = [[0, 6, 12], [4, 10, 16], [2, 8, 14]]
		for i: int in 3:
			var eye: Node = field.perceiver(field.agent(0.0), {&"update_phase": fposmod(i * 0.6180339887498949, 1.0)})
			eq(_scans(field, eye, 17), wanted[i], field.named("scans of id %d" % i))
			eye.get_parent().free()


## The ticks in which it scanned: a target that changes sides before each tick shows each scan.
func _scans(field: Field, eye: Node, count: int) -> Array:
	var made: Node = field.source(5.0)
	var scans: Array[int] = []
	for i: int in count:
		var was_seen: bool = eye.call(&"can_sense", made)
		field.move(made, 90.0 if was_seen else 5.0)
		eye.call(&"advance", 1.0 / 60.0)
		if eye.call(&"can_sense", made) != was_seen:
			scans.append(i)
	field.agent_of(made).free()
	return scans


func test_ex_10_25() -> void:
	_use_budget(10, false)
	for field: Field in Field.both(self):
		await physics()
		var eyes: Array[Node] = []
		for i: int in 10:
			eyes.append(_crowd(field, i + 1, 3))
		var rays: Array = []
		var known: Array = []
		for i: int in 4:
			await physics()
			rays.append(PerceptionServer.get_stats().rays)
			known.append(_known(eyes))
		eq(rays, [10, 10, 10, 0], field.named("rays of the first four ticks"))
		eq(known[0], [3, 3, 3, 1, 0, 0, 0, 0, 0, 0], field.named("tick 0 finishes ids 0 to 2 and one pair of 3"))
		eq(known[1], [3, 3, 3, 3, 3, 3, 2, 0, 0, 0], field.named("tick 1 goes on where it stopped"))
		eq(known[2], [3, 3, 3, 3, 3, 3, 3, 3, 3, 3], field.named("tick 2 finishes"))
		field.clear()
		await physics()


func test_budget_holds_in_every_tick() -> void:
	_use_budget(7, true)
	for field: Field in Field.both(self):
		await physics()
		var eyes: Array[Node] = []
		for i: int in 12:
			eyes.append(_crowd(field, i + 1, 4, 0.05))
		var most: int = 0
		var deferred: int = 0
		for i: int in 40:
			await physics()
			most = maxi(most, PerceptionServer.get_stats().rays)
			deferred += PerceptionServer.get_stats().rays_deferred
		check(most <= 7, field.named("%d rays in a tick" % most))
		check(deferred > 0, field.named("some had to wait"))
		eq(_known(eyes), [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4], field.named("nobody is forgotten by the budget"))
		field.clear()
		await physics()


func test_one_pair_is_served_whatever_it_costs() -> void:
	_use_budget(1, false)
	for field: Field in Field.both(self):
		await physics()
		var eye: Node = _crowd(field, 1, 1)
		var made: Node = field.source(6.0, 200.0)
		made.set(&"extra_aim_points", PackedVector2Array([Vector2(0, 5), Vector2(0, -5)]) if field.planar else PackedVector3Array([Vector3(0, 0.5, 0), Vector3(0, -0.5, 0)]))
		var rays: Array = []
		for i: int in 3:
			await physics()
			rays.append(PerceptionServer.get_stats().rays)
		eq(rays, [1, 3, 0], field.named("one pair a tick, the second with three points"))
		check(eye.call(&"can_sense", made), field.named("seen"))
		field.clear()
		await physics()


func test_unlimited_budget() -> void:
	_use_budget(0, false)
	for field: Field in Field.both(self):
		await physics()
		var eyes: Array[Node] = []
		for i: int in 60:
			eyes.append(_crowd(field, i + 1, 10))
		await physics()
		eq(PerceptionServer.get_stats().rays, 600, field.named("all in one tick"))
		eq(PerceptionServer.get_stats().rays_deferred, 0, field.named("nothing waits"))
		field.clear()
		await physics()


func test_stagger_spreads_the_scans() -> void:
	_use_budget(512, true)
	for field: Field in Field.both(self):
		await physics()
		for i: int in 60:
			_crowd(field, i + 1, 0, 0.1)
		field.source(5.0)
		await physics(12)
		var most: int = 0
		var sum: int = 0
		for i: int in 30:
			await physics()
			most = maxi(most, PerceptionServer.get_stats().scans)
			sum += PerceptionServer.get_stats().scans
		eq(sum, 300, field.named("60 perceivers, every 6 ticks, 30 ticks"))
		check(most <= 1.25 * 10 + 2, field.named("at most %d in a tick" % most))
		field.clear()
		await physics()


func test_counters_of_a_quiet_world() -> void:
	for field: Field in Field.both(self):
		var eye: Node = _crowd(field, 1, 2, 0.0)
		await physics(3)
		var stats: Dictionary = PerceptionServer.get_stats()
		for key: String in ["ticks", "perceivers", "sources", "scans", "distance_tests", "rays", "rays_deferred", "oldest_scan_wait",
				"events", "signals_emitted", "collect_usec", "maths_usec", "rays_usec", "settle_usec"]:
			check(stats.has(key), field.named("get_stats has %s" % key))
		eq(stats.scans, 1, field.named("one scan a tick"))
		eq(stats.rays, 2, field.named("two rays"))
		eq(stats.signals_emitted, 0, field.named("a tick without change emits nothing"))
		eye.set(&"sight_enabled", false)
		await physics(2)
		eq(PerceptionServer.get_stats().rays, 0, field.named("no sight, no rays"))
		field.clear()
		await physics()
