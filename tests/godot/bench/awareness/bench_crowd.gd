class_name BenchCrowd
extends Node3D
## Agents with a mind each, in groups that stand together and see the same targets all around them.

const AGENTS := 1000
const TOGETHER := 10
## Between groups: they do not see each other's targets.
const APART := 100.0


## `targets` per agent; `height` keeps crowds apart.
func build(targets: int, height: float, profile: AwarenessProfile) -> void:
	for group in AGENTS / TOGETHER:
		var at := Vector3(group % 10 * APART, height, floorf(group / 10.0) * APART)
		for i in TOGETHER:
			_add_agent(at, profile)
		for i in targets:
			_add_target(at + Vector3(4.0 + i * 0.5, 0.0, 0.0).rotated(Vector3.UP, i * 2.4))


func _add_agent(at: Vector3, profile: AwarenessProfile) -> void:
	var agent := Node3D.new()
	agent.position = at
	var perception := Perception3D.new()
	perception.sight_fov_degrees = 360.0
	perception.sight_blocking_mask = 0
	agent.add_child(perception)
	var awareness := AgentAwareness.new()
	awareness.profile = profile
	agent.add_child(awareness)
	add_child(agent)


func _add_target(at: Vector3) -> void:
	var target := Node3D.new()
	target.position = at
	target.add_child(StimulusSource3D.new())
	add_child(target)
