extends RefCounted
## A character with an ActionGraphPlayer on MANUAL, whose moves are delays: for conditions, costs, gates and hooks.

const LA: StringName = &"Input.LightAttack"
const HV: StringName = &"Input.HeavyAttack"
const DG: StringName = &"Input.Dodge"

var agent: CharacterBody3D
var tags: TagContainer
var vitals: AgentVitals
var player: ActionGraphPlayer
var graph: ActionGraph
## What happened: `started light`, `ended light 0`, `failed heavy 3`.
var log: PackedStringArray = []


func _init(owner: TestCase, named: String = "Hero", at: Vector3 = Vector3.ZERO) -> void:
	agent = owner.character(at, named)
	tags = TagContainer.new()
	agent.add_child(tags)
	graph = ActionGraph.new()


## A node that lasts so long.
func move(id: StringName, seconds: float = 1.0) -> ActionGraphNode:
	var delay: DelayPayload = DelayPayload.new()
	delay.delay_seconds = seconds
	return graph.add_node(id, delay)


func wire(from: StringName, to: StringName, tag: StringName) -> ActionGraphTransition:
	return graph.add_transition(from, to, tag)


func root_wire(to: StringName, tag: StringName) -> ActionGraphTransition:
	return wire(&"root", to, tag)


func with_vitals(stamina: float, most: float = 100.0, tag: StringName = &"Vital.Stamina") -> AgentVital:
	var row: AgentVital = AgentVital.new()
	row.tag = tag
	row.max_value = most
	row.start_value = stamina
	if vitals == null:
		vitals = AgentVitals.new()
		vitals.vitals = [row]
		agent.add_child(vitals)
	else:
		var rows: Array[AgentVital] = vitals.vitals.duplicate()
		rows.append(row)
		vitals.vitals = rows
	return row


## The player comes last: what it uses stands before it.
func begin() -> ActionGraphPlayer:
	player = ActionGraphPlayer.new()
	player.name = "Moves"
	player.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	player.default_graph = graph
	agent.add_child(player)
	player.action_started.connect(func(node: StringName, _run: ActionRun) -> void: log.append("started %s" % node))
	player.action_ended.connect(func(node: StringName, reason: int) -> void: log.append("ended %s %d" % [node, reason]))
	player.action_failed.connect(func(node: StringName, fail: int, _tag: StringName) -> void: log.append("failed %s %d" % [node, fail]))
	return player


func press(tag: StringName, direction: Vector2 = Vector2.INF) -> int:
	return player.process_input(tag, 0, direction)


func advance(seconds: float, tick: float = 0.1) -> void:
	for i: int in roundi(seconds / tick):
		player.advance(tick)


func at() -> StringName:
	return player.get_current_node()
