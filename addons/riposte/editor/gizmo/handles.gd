@tool
extends RefCounted
## What a handle of a Perception3D or StimulusSource3D stands for. Handles of a perception are numbered like
## [enum RiposteShapes.Handle], those of a source like its offset aim points.


static func count(node: Node3D) -> int:
	if RiposteShapes.kind_of(node) == RiposteShapes.Kind.SOURCE_3D:
		return offset_points(node).size()
	return RiposteShapes.PROPERTIES.size()


## In the unscaled space of the node.
static func at(node: Node3D, id: int) -> Vector3:
	if RiposteShapes.kind_of(node) == RiposteShapes.Kind.SOURCE_3D:
		return offset_points(node)[id]
	return RiposteShapes.handle_position(node, id, frame(node), eye(node))


static func property(node: Node3D, id: int) -> StringName:
	if RiposteShapes.kind_of(node) == RiposteShapes.Kind.SOURCE_3D:
		return &"sight_target_offset" if id == 0 else &"extra_aim_points"
	return RiposteShapes.PROPERTIES[id]


static func name_of(node: Node3D, id: int) -> String:
	if RiposteShapes.kind_of(node) == RiposteShapes.Kind.SOURCE_3D and id > 0:
		return "extra_aim_points[%d]" % (id - 1)
	return property(node, id)


static func text(node: Node3D, id: int) -> String:
	if RiposteShapes.kind_of(node) == RiposteShapes.Kind.SOURCE_3D:
		return RiposteShapes.text_of(offset_points(node)[id])
	return RiposteShapes.text_of(RiposteShapes.number(node, id), id == RiposteShapes.Handle.FOV)


## The value of the property with the aim point moved.
static func with_point(node: Node3D, id: int, place: Vector3) -> Variant:
	if id == 0:
		return place
	var points: PackedVector3Array = node.get(&"extra_aim_points")
	points[id - 1] = place
	return points


static func offset_points(node: Node3D) -> PackedVector3Array:
	var points := PackedVector3Array([node.get(&"sight_target_offset")])
	if &"extra_aim_points" in node:
		points.append_array(node.get(&"extra_aim_points"))
	return points


static func limits(node: Node3D, of: StringName) -> Vector2:
	for info in node.get_property_list():
		if info.name == of:
			return RiposteShapes.limits_of(info.hint_string)
	return Vector2(-INF, INF)


static func frame(node: Node3D) -> Basis:
	return RiposteShapes.frame_3d(node.get(&"use_model_front"))


static func eye(node: Node3D) -> Vector3:
	return node.get(&"eye_offset")


## Where the node stands and how it is turned; the senses ignore how it is scaled.
static func unscaled(node: Node3D) -> Transform3D:
	return Transform3D(node.global_basis.orthonormalized(), node.global_position)
