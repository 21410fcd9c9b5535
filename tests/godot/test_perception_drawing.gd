extends TestCase
## What the debug drawing shows, in lines; and that it costs and leaves nothing.

const Rig := preload("res://support/perception_rig.gd")

const SIGHT: Color = Color(0.3, 0.65, 1)
const LOSE_SIGHT: Color = Color(0.3, 0.65, 1, 0.35)
const HEARING: Color = Color(0.75, 0.45, 1)
const AUTO_DETECT: Color = Color(1, 0.3, 0.3)
const SENSED: Color = Color(0.2, 0.9, 0.3)
const REMEMBERED: Color = Color(1, 0.75, 0)
const DETECTING: Color = Color(0.7, 0.7, 0.7)
const BLOCKED: Color = Color(0.9, 0.2, 0.2)


## Start and end of the lines of one colour.
func _lines(eye: Node, color: Color) -> Array:
	var segments: Dictionary = eye.call(&"get_debug_segments")
	eq(segments.points.size(), 2 * segments.colors.size(), "two points for each colour")
	var found: Array = []
	for i: int in segments.colors.size():
		if (segments.colors[i] as Color).is_equal_approx(color):
			found.append([segments.points[2 * i], segments.points[2 * i + 1]])
	return found


func _farthest(lines: Array, from: Variant) -> float:
	var farthest: float = 0.0
	for line: Array in lines:
		farthest = maxf(farthest, maxf(line[0].distance_to(from), line[1].distance_to(from)))
	return farthest


func test_shapes_of_the_senses() -> void:
	var rig: Rig = Rig.new(self)
	rig.guard.position = Vector3(5, 0, 5)
	rig.eye.auto_detect_radius = 3.0
	near(_farthest(_lines(rig.eye, SIGHT), rig.guard.position), 20.0, 0.001, "cone and radius")
	near(_farthest(_lines(rig.eye, LOSE_SIGHT), rig.guard.position), 25.0, 0.001, "lose radius")
	near(_farthest(_lines(rig.eye, HEARING), rig.guard.position), 15.0, 0.001, "hearing")
	near(_farthest(_lines(rig.eye, AUTO_DETECT), rig.guard.position), 3.0, 0.001, "auto-detect")
	var ahead: bool = false
	for line: Array in _lines(rig.eye, SIGHT):
		ahead = ahead or (line[1] as Vector3).distance_to(Vector3(5, 0, -15)) < 0.01
	check(ahead, "the cone reaches ahead")
	rig.eye.auto_detect_radius = 0.0
	rig.eye.hearing_enabled = false
	eq(_lines(rig.eye, AUTO_DETECT), [], "off")
	eq(_lines(rig.eye, HEARING), [], "off")
	rig.eye.sight_enabled = false
	eq((rig.eye.get_debug_segments().points as PackedVector3Array).size(), 0, "nothing left")


func test_lines_to_targets() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -8))
	rig.advance()
	eq(_lines(rig.eye, SENSED), [[Vector3.ZERO, Vector3(0, 0, -8)]], "sensed: green, to its place")
	rig.place(made, Vector3(0, 0, 60))
	rig.advance()
	eq(_lines(rig.eye, SENSED), [], "not sensed any more")
	eq(_lines(rig.eye, REMEMBERED), [[Vector3.ZERO, Vector3(0, 0, -8)]], "amber, to the last known place")
	rig.eye.detection_time = 2.0
	rig.eye.forget_all()
	rig.place(made, Vector3(0, 0, -6))
	rig.advance(3)
	eq(_lines(rig.eye, REMEMBERED), [], "forgotten")
	eq(_lines(rig.eye, DETECTING), [[Vector3.ZERO, Vector3(0, 0, -6)]], "grey while it is made out")


func test_rays_that_were_cast() -> void:
	var rig: Rig = Rig.new(self)
	rig.source(Vector3(0, 0, -8))
	wall(Vector3(0, 0, -4), Vector3(2, 2, 2))
	await physics(2)
	rig.advance()
	eq(_lines(rig.eye, BLOCKED), [], "nothing is kept while it is off")
	rig.eye.debug_draw = true
	await physics(2)
	rig.advance()
	var lines: Array = _lines(rig.eye, BLOCKED)
	eq(lines.size(), 1, "one blocked ray")
	near(lines[0][1], Vector3(0, 0, -3), 0.01, "to what it hit")
	eq(PerceptionServer.get_stats().rays, 1, "that of the tick")
	await physics(3)
	eq(PerceptionServer.get_stats().rays, 0, "drawing casts none")
	rig.eye.debug_draw = false
	await physics(2)
	eq(_lines(rig.eye, BLOCKED), [], "gone with the drawing")


func test_two_dimensions() -> void:
	var agent: Node2D = Node2D.new()
	var eye: Perception2D = Perception2D.new()
	eye.process_callback = Perception2D.PROCESS_MANUAL
	agent.position = Vector2(100, 100)
	agent.add_child(eye)
	add_child(agent)
	var prey: Node2D = Node2D.new()
	prey.position = Vector2(300, 100)
	prey.add_child(StimulusSource2D.new())
	add_child(prey)
	eye.debug_draw = true
	await physics(2)
	eye.advance(0.1)
	check(eye.get_debug_segments().points is PackedVector2Array, "points of the plane")
	near(_farthest(_lines(eye, SIGHT), agent.position), 400.0, 0.01, "cone and radius")
	near(_farthest(_lines(eye, HEARING), agent.position), 300.0, 0.01, "hearing")
	var lines: Array = _lines(eye, SENSED)
	eq(lines.size(), 2, "the ray and the line to the target")
	for line: Array in lines:
		eq(line, [agent.position, prey.position], "from eye to target")


func test_drawn_through_all_changes() -> void:
	eq(PerceptionServer.debug_draw_enabled, false, "off by default")
	PerceptionServer.debug_draw_enabled = true
	var rig: Rig = Rig.new(self)
	rig.eye.process_callback = Perception3D.PROCESS_PHYSICS
	rig.source(Vector3(0, 0, -8))
	await physics(3)
	var viewport: SubViewport = SubViewport.new()
	viewport.own_world_3d = true
	add_child(viewport)
	rig.guard.reparent(viewport)
	await physics(3)
	rig.guard.reparent(self)
	await physics(3)
	remove_child(rig.guard)
	await physics(3)
	eq((rig.eye.get_debug_segments().points as PackedVector3Array).size(), 0, "nothing out of the tree")
	add_child(rig.guard)
	await physics(3)
	rig.eye.enabled = false
	await physics(3)
	eq((rig.eye.get_debug_segments().points as PackedVector3Array).size(), 0, "nothing while it is off")
	rig.guard.queue_free()
	await physics(3)
	PerceptionServer.debug_draw_enabled = false
	await physics(3)


func test_colours_of_the_project() -> void:
	ProjectSettings.set_setting("riposte/debug/perception_color_hearing", Color.RED)
	var rig: Rig = Rig.new(self)
	near(_farthest(_lines(rig.eye, Color.RED), Vector3.ZERO), 15.0, 0.001, "hearing in another colour")
