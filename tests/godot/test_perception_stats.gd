extends TestCase
## Statistics of the last tick, monitors, and settings of the whole system.

const Rig := preload("res://support/perception_rig.gd")

const NAMES: Array[String] = [
	"ticks", "perceivers", "sources", "scans", "distance_tests", "rays", "rays_deferred", "oldest_scan_wait", "events",
	"signals_emitted", "collect_usec", "maths_usec", "rays_usec", "settle_usec",
]


func test_numbers_of_a_tick() -> void:
	var rig: Rig = Rig.new(self)
	rig.source(Vector3(0, 0, -5))
	rig.source(Vector3(1, 0, -5))
	rig.source(Vector3(0, 0, 5))
	await physics(2)
	var before: Dictionary = PerceptionServer.get_stats()
	rig.advance()
	var stats: Dictionary = PerceptionServer.get_stats()
	for title: String in NAMES:
		check(stats.has(title), title)
	eq(stats.ticks, before.ticks + 1, "ticks")
	eq(stats.perceivers, 1, "perceivers")
	eq(stats.sources, 3, "sources")
	eq(stats.scans, 1, "scans")
	eq(stats.distance_tests, 3, "distance tests")
	eq(stats.rays, 2, "rays: one per point of a candidate")
	eq(stats.rays_deferred, 0, "rays put off")
	eq(stats.events, 4, "events: two targets, perceived and in sight")
	eq(stats.signals_emitted, 4, "signals that somebody listens to")
	check(stats.collect_usec > 0.0 and stats.rays_usec > 0.0, "times")
	rig.advance()
	eq(PerceptionServer.get_stats().signals_emitted, 0, "a tick without a change emits nothing")


func test_monitors_of_the_debugger() -> void:
	var rig: Rig = Rig.new(self)
	rig.source(Vector3(0, 0, -5))
	await physics(2)
	rig.advance()
	for title: String in NAMES:
		var id: StringName = StringName("riposte/perception_" + title)
		check(Performance.has_custom_monitor(id), id)
		near(float(Performance.get_custom_monitor(id)), float(PerceptionServer.get_stats()[title]), 0.001, id)


func test_budget_of_rays_by_project_setting() -> void:
	ProjectSettings.set_setting("riposte/perception/max_rays_per_tick", 2)
	await idle(2)
	var rig: Rig = Rig.new(self)
	rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
	rig.eye.update_interval = 5.0
	rig.eye.update_phase = 0.0
	for i: int in 5:
		rig.source(Vector3(i - 2, 0, -8))
	var rays: Array = []
	for i: int in 4:
		await physics()
		rays.append(PerceptionServer.get_stats().rays)
	eq(rays, [2, 2, 1, 0], "rays per tick")
	eq(rig.eye.get_perceived_targets().size(), 5, "all are found in the end")


func test_settings_are_there() -> void:
	var wanted: Dictionary[String, Variant] = {
		"riposte/perception/max_rays_per_tick": 512, "riposte/perception/grid_cell_size_3d": 10.0,
		"riposte/perception/grid_cell_size_2d": 200.0, "riposte/perception/stagger": true,
		"riposte/perception/max_queued_reports": 1024, "riposte/threading/workers": -1,
		"riposte/debug/draw_perception": false, "riposte/debug/perception_color_sight": Color(0.3, 0.65, 1),
	}
	for title: String in wanted:
		eq(ProjectSettings.get_setting(title), wanted[title], title)
