extends TestCase
## Bad input: one clear message, a neutral value, nothing changed.

const Rig := preload("res://support/perception_rig.gd")


func test_nan_is_refused() -> void:
	var rig: Rig = Rig.new(self)
	expect_warning("sight_radius")
	rig.eye.sight_radius = NAN
	eq(rig.eye.sight_radius, 20.0, "radius keeps the old value")
	expect_warning("eye_offset")
	rig.eye.eye_offset = Vector3(0, INF, 0)
	eq(rig.eye.eye_offset, Vector3.ZERO, "offset keeps the old value")
	expect_warning("forget_time")
	rig.eye.forget_time = INF
	eq(rig.eye.forget_time, 5.0, "time keeps the old value")


func test_out_of_range_is_clamped() -> void:
	var rig: Rig = Rig.new(self)
	expect_warning("sight_radius")
	rig.eye.sight_radius = -3.0
	eq(rig.eye.sight_radius, 0.0, "negative radius")
	expect_warning("sight_fov_degrees")
	rig.eye.sight_fov_degrees = 400.0
	eq(rig.eye.sight_fov_degrees, 360.0, "cone of more than a circle")
	expect_warning("forget_time")
	rig.eye.forget_time = -1.0
	eq(rig.eye.forget_time, 0.0, "negative time")


func test_transform_that_is_not_a_number() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.source(Vector3(1, 0, -5))
	expect_warning("StimulusSource3D")
	made.position = Vector3(NAN, 0, 0)
	rig.advance(3)
	eq(rig.count(&"target_perceived"), 1, "only the sane one")
	made.position = Vector3.ZERO
	rig.advance()
	check(rig.sees(made), "it is back")


func test_zero_scale_is_taken_as_no_rotation() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.eye_offset = Vector3(0, 1, 0)
	rig.eye.scale = Vector3.ZERO
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	check(rig.sees(made), "forward is -Z")
	near(rig.eye.get_eye_position().y, 1.0, 0.0001, "eye position")


func test_negative_and_nan_delta() -> void:
	var rig: Rig = Rig.new(self)
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	rig.place(made, Vector3(0, 0, 100))
	rig.advance()
	expect_warning("advance")
	for delta: float in [-1.0, NAN, INF]:
		rig.eye.advance(delta)
		near(rig.eye.get_time_since_sensed(made), 0.1, 0.0001, "no time passed")
