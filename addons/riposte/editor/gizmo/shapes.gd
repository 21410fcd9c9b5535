@tool
class_name RiposteShapes
extends RefCounted
## What the editor draws of the senses, and what a dragged handle means. Only numbers: nothing here needs an editor.
##
## Flat shapes lie in the plane of the agent: x is to its right, y is forward. 3D lays that plane on the floor.

## Which of our nodes an object is.
enum Kind { NONE, PERCEPTION_3D, SOURCE_3D, PERCEPTION_2D, SOURCE_2D }

## The handles of a Perception3D. Those of a source are numbered like its aim points.
enum Handle { SIGHT, LOSE, FOV, HEARING, AUTO }

const SIGHT := Color(0.3, 0.65, 1.0)
const LOSE := Color(0.3, 0.65, 1.0, 0.35)
const HEARING := Color(0.75, 0.45, 1.0)
const AUTO := Color(1.0, 0.3, 0.3)
const EYE := Color(1.0, 1.0, 1.0, 0.9)
const AIM := Color(1.0, 0.9, 0.4)

## What each handle changes.
const PROPERTIES: Dictionary[int, StringName] = {
	Handle.SIGHT: &"sight_radius",
	Handle.LOSE: &"lose_sight_radius",
	Handle.FOV: &"sight_fov_degrees",
	Handle.HEARING: &"hearing_radius",
	Handle.AUTO: &"auto_detect_radius",
}

const METER_STEP := 0.1
const METER_STEP_COARSE := 1.0
const DEGREE_STEP := 1.0
const DEGREE_STEP_COARSE := 5.0

## One segment of an arc spans this angle at the most.
const ARC_STEP := PI / 48.0


static func kind_of(object: Object) -> Kind:
	if object == null or not is_instance_valid(object):
		return Kind.NONE
	if object.is_class(&"Perception3D"):
		return Kind.PERCEPTION_3D
	if object.is_class(&"StimulusSource3D"):
		return Kind.SOURCE_3D
	if object.is_class(&"Perception2D"):
		return Kind.PERCEPTION_2D
	if object.is_class(&"StimulusSource2D"):
		return Kind.SOURCE_2D
	return Kind.NONE

# ---------------------------------------------------------------------------------------------------------------------
# Shapes.


static func circle(radius: float) -> PackedVector2Array:
	return sight_arc(Vector2.ZERO, radius, PI)


## The flat shapes of a perception: `{color, points}` each, points of one line. Senses that are off have none.
static func flat_shapes(node: Node, eye: Vector2) -> Array[Dictionary]:
	var shapes: Array[Dictionary] = []
	if shows(node, Handle.SIGHT):
		var half := deg_to_rad(number(node, Handle.FOV)) * 0.5
		var radius := number(node, Handle.SIGHT)
		shapes.append({"color": SIGHT, "points": sight_arc(eye, radius, half)})
		if half < PI - 0.001:
			for side: float in [-half, half]:
				shapes.append({"color": SIGHT, "points": PackedVector2Array([eye, edge_end(eye, side, radius)])})
		shapes.append({"color": LOSE, "points": circle(number(node, Handle.LOSE))})
	if shows(node, Handle.AUTO):
		shapes.append({"color": AUTO, "points": circle(number(node, Handle.AUTO))})
	if shows(node, Handle.HEARING):
		shapes.append({"color": HEARING, "points": circle(number(node, Handle.HEARING))})
	return shapes


## The far end of the cone: what is seen at the full radius.
static func sight_arc(eye: Vector2, radius: float, half: float) -> PackedVector2Array:
	var points: PackedVector2Array = []
	var steps := maxi(ceili(half * 2.0 / ARC_STEP), 1)
	for i in steps + 1:
		points.append(edge_end(eye, lerpf(-half, half, float(i) / steps), radius))
	return points


## Where the line from the eye at an angle from forward leaves the circle of sight. The eye need not be in its middle.
static func edge_end(eye: Vector2, angle: float, radius: float) -> Vector2:
	var direction := Vector2(sin(angle), cos(angle))
	return eye + direction * reach(Vector3(eye.x, 0.0, eye.y), Vector3(direction.x, 0.0, direction.y), radius)


## How far one sees from the eye in a direction: sight is measured from the node, the cone begins at the eye.
static func reach(eye: Vector3, direction: Vector3, radius: float) -> float:
	var along := eye.dot(direction)
	var inside := radius * radius - eye.length_squared() + along * along
	return maxf(sqrt(inside) - along, 0.0) if inside >= 0.0 else 0.0


## A point on the rim of the cone of sight. `turn` goes round the rim; at 0 the point is to the right.
static func rim_point(eye: Vector3, frame: Basis, half: float, turn: float, radius: float) -> Vector3:
	var aside := frame.x * cos(turn) + frame.y * sin(turn)
	var direction := frame.z * cos(half) + aside * sin(half)
	return eye + direction * reach(eye, direction, radius)


## The frame of the senses of a 3D node: x to the right, y up, z forward.
static func frame_3d(model_front: bool) -> Basis:
	var forward := Vector3(0, 0, 1) if model_front else Vector3(0, 0, -1)
	return Basis(forward.cross(Vector3.UP), Vector3.UP, forward)

# ---------------------------------------------------------------------------------------------------------------------
# Handles.


static func number(node: Node, handle: int) -> float:
	return float(node.get(PROPERTIES[handle]))


## Whether a perception has something to show for a handle: its sense is on, and it does not stand at "off".
static func shows(node: Node, handle: int) -> bool:
	match handle:
		Handle.HEARING:
			return node.get(&"hearing_enabled")
		Handle.AUTO:
			return node.get(&"sight_enabled") and number(node, Handle.AUTO) > 0.0
	return node.get(&"sight_enabled")


## Where a handle of a perception is, in its own unscaled space.
static func handle_position(node: Node, handle: int, frame: Basis, eye: Vector3) -> Vector3:
	match handle:
		Handle.LOSE:
			return frame.x * number(node, handle)
		Handle.FOV:
			var half := deg_to_rad(number(node, handle)) * 0.5
			return rim_point(eye, frame, half, 0.0, number(node, Handle.SIGHT))
		Handle.HEARING:
			return -frame.x * number(node, handle)
		Handle.AUTO:
			return -frame.z * number(node, handle)
	return frame.z * number(node, handle)


## The direction in which a handle of a radius is pulled.
static func axis_of(handle: int, frame: Basis) -> Vector3:
	match handle:
		Handle.LOSE:
			return frame.x
		Handle.HEARING:
			return -frame.x
		Handle.AUTO:
			return -frame.z
	return frame.z


## How far along an axis through the origin the point is that comes nearest to a ray; NaN if there is none.
static func along_axis(from: Vector3, direction: Vector3, axis: Vector3) -> float:
	var shared := axis.dot(direction)
	var across := 1.0 - shared * shared
	if across < 0.0001:
		return NAN
	var distance := (axis.dot(from) - shared * direction.dot(from)) / across
	# A point behind the camera was not meant.
	return distance if (axis * distance - from).dot(direction) > 0.0 else NAN


## The full angle of the cone whose rim a ray points at, seen from the eye; NaN if it does not meet the eye's plane.
static func fov_from_ray(from: Vector3, direction: Vector3, frame: Basis, eye: Vector3) -> float:
	var hit: Variant = Plane(frame.y, eye).intersects_ray(from, direction)
	if hit == null:
		return NAN
	var seen: Vector3 = hit - eye
	if seen.length_squared() < 0.0001:
		return NAN
	return rad_to_deg(absf(atan2(seen.dot(frame.x), seen.dot(frame.z)))) * 2.0


## The value of a handle that is pulled to a ray: snapped and within the limits of its property; NaN if it can't say.
static func pulled(handle: int, from: Vector3, direction: Vector3, frame: Basis, eye: Vector3, coarse: bool,
		limits: Vector2) -> float:
	var value := NAN
	var step := METER_STEP_COARSE if coarse else METER_STEP
	if handle == Handle.FOV:
		value = fov_from_ray(from, direction, frame, eye)
		step = DEGREE_STEP_COARSE if coarse else DEGREE_STEP
	else:
		value = along_axis(from, direction, axis_of(handle, frame))
	return NAN if is_nan(value) else clampf(snappedf(value, step), limits.x, limits.y)


## The place of an aim point that is pulled to a ray, in the plane that faces the viewer through where it was.
static func pulled_point(start: Vector3, from: Vector3, direction: Vector3, facing: Vector3, coarse: bool) -> Vector3:
	var hit: Variant = Plane(facing, start).intersects_ray(from, direction)
	if hit == null:
		return start
	return (hit as Vector3).snappedf(METER_STEP_COARSE if coarse else METER_STEP)


## The limits that a range hint ("0,200,0.01,or_greater,suffix:m") sets.
static func limits_of(hint: String) -> Vector2:
	var parts := hint.split(",")
	if parts.size() < 2 or not parts[0].is_valid_float() or not parts[1].is_valid_float():
		return Vector2(-INF, INF)
	var low := -INF if "or_less" in parts else parts[0].to_float()
	var high := INF if "or_greater" in parts else parts[1].to_float()
	return Vector2(low, high)


## A value with its unit, as it stands beside a handle.
static func text_of(value: Variant, degrees: bool = false) -> String:
	if value is Vector3:
		var at: Vector3 = value + Vector3.ZERO
		return "(%.1f, %.1f, %.1f) m" % [at.x, at.y, at.z]
	return "%.0f°" % value if degrees else "%.1f m" % value
