class_name Plan
## The plan that both stealth courses are built on: x to the east, y to the south, in metres.
##
## What walks in 3D and what walks in 2D is told apart here and in the two walkers only; everything else thinks in places
## on the plan, so one script serves both scenes.

const METER := 46.0  ## Pixels per metre of the 2D course.


## A position or direction of either dimension on the plan.
static func of(vector: Variant) -> Vector2:
	if vector is Vector3:
		return Vector2((vector as Vector3).x, (vector as Vector3).z)
	return (vector as Vector2) / METER


static func place(node: Node) -> Vector2:
	return of(node.get(&"global_position"))


## Where a node looks; its length is 1 while it does not look up or down.
static func facing(node: Node) -> Vector2:
	if node is Node3D:
		return of(-(node as Node3D).global_basis.z)
	return Vector2.RIGHT.rotated((node as Node2D).global_rotation)


## Turns a node over the plan, from east to north for a positive angle.
static func turn(node: Node, angle: float) -> void:
	if node is Node3D:
		(node as Node3D).rotation.y += angle
	else:
		(node as Node2D).rotation -= angle
