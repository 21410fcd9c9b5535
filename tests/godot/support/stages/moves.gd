extends Node
## The stage of the tests of a moveset over a network: a fighter whose authority is the server.


## Notes where it runs.
class Noted:
	extends ActionGraphHook

	func _enter(run: ActionRun) -> void:
		run.agent.get_parent().call(&"note", "hook %s %s %s" % [run.node_id, run.is_authority(), run.is_owner()])


const LIGHT := &"Input.LightAttack"
const DODGE := &"Input.Dodge"

var moves: ActionGraphPlayer
var heard: PackedStringArray = []
var dropped := 0


func _ready() -> void:
	var fighter: Node3D = Node3D.new()
	fighter.name = "Fighter"
	moves = ActionGraphPlayer.new()
	moves.name = "Moves"
	moves.network_mode = ActionGraphPlayer.NETWORK_PREDICTED
	moves.default_graph = _graph()
	_listen()
	fighter.add_child(moves)
	add_child(fighter)
	var synchronizer: MultiplayerSynchronizer = MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	synchronizer.root_path = NodePath("../Fighter/Moves")
	synchronizer.replication_config = SceneReplicationConfig.new()
	synchronizer.replication_config.add_property(^".:sync_state")
	synchronizer.replication_config.property_set_replication_mode(^".:sync_state", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	add_child(synchronizer)


func _graph() -> ActionGraph:
	var graph: ActionGraph = ActionGraph.new()
	for id: StringName in [&"light_1", &"light_2", &"dodge"]:
		var payload: DelayPayload = DelayPayload.new()
		payload.delay_seconds = 30.0
		var node: ActionGraphNode = graph.add_node(id, payload)
		node.hooks = [Noted.new()]
	graph.add_transition(&"root", &"light_1", LIGHT)
	graph.add_transition(&"root", &"dodge", DODGE)
	graph.add_transition(&"light_1", &"light_2", LIGHT)
	return graph


func _listen() -> void:
	moves.action_started.connect(func(node: StringName, _run: ActionRun) -> void: heard.append("+%s" % node))
	moves.action_ended.connect(func(node: StringName, reason: int) -> void: heard.append("-%s %d" % [node, reason]))
	moves.move_rejected.connect(func(node: StringName) -> void: heard.append("no %s" % node))
	moves.input_dropped.connect(func(_tag: StringName, _moment: int, _why: int) -> void: dropped += 1)


func note(line: String) -> void:
	heard.append(line)


func take_heard() -> PackedStringArray:
	var taken: PackedStringArray = heard
	heard = []
	return taken


func get_heard() -> PackedStringArray:
	return heard


func own(peer: int) -> void:
	moves.owner_peer = peer


func press(tag: StringName, count: int = 1) -> int:
	var last: int = -1
	for i in count:
		last = moves.process_input(tag)
	return last


func node() -> String:
	return str(moves.get_current_node())


func interrupt() -> bool:
	return moves.interrupt_for_external()


func refuse_next() -> void:
	moves.debug_reject_next()


func name_graph(path: String) -> void:
	moves.default_graph.take_over_path(path)


func get_dropped() -> int:
	return dropped


func forge(to: String) -> void:
	moves.rpc_id(moves.get_multiplayer_authority(), &"_riposte_submit", [0, "root", to, str(DODGE), 0, Vector2.ZERO, Vector2.ZERO])


func forge_nonsense() -> void:
	for message: Variant in [null, 5, [], [0], [0, 1, 2, 3, 4, 5, 6], [0, "root", "nowhere", "Input.Dodge", 0, Vector2.ZERO, Vector2.ZERO], [0, "root", "dodge", "not a tag", 9, Vector2(NAN, 0), null]]:
		moves.rpc_id(moves.get_multiplayer_authority(), &"_riposte_submit", message)
		moves.rpc_id(moves.get_multiplayer_authority(), &"_riposte_input", message)


func write_nonsense() -> void:
	moves.sync_state = {"node": 3}
