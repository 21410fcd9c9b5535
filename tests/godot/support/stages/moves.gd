extends Node
## The stage of the tests of a moveset over a network: a fighter whose authority is the server.


## Notes where it runs.
class Noted:
	extends ActionGraphHook

	func _enter(run: ActionRun) -> void:
		run.agent.get_parent().call(&"note", "hook %s %s %s" % [run.node_id, run.is_authority(), run.is_owner()])


## Says when it can be left.
class Throw:
	extends ActionPayload

	func _execute(_run: ActionRun) -> bool:
		return true

	func _get_earliest_chain_time(speed: float) -> float:
		return 20.0 / speed


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
	fighter.add_child(_animations())
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
	_add_late(graph)
	var spin: DelayPayload = DelayPayload.new()
	spin.delay_seconds = 30.0
	graph.add_node(&"spin", spin)
	for from: StringName in [&"root", &"spin"]:
		graph.add_transition(from, &"spin", &"Input.Spin")
	return graph


## Moves that can be left for light_2 after 20 of their 30 s: as a window says, and as a script says.
func _add_late(graph: ActionGraph) -> void:
	var window: ActionWindow = ActionWindow.new()
	window.start = 20.0
	window.end = 25.0
	var late: PlayAnimationPayload = PlayAnimationPayload.new()
	late.animation = &"late"
	late.windows = [window]
	graph.add_node(&"late", late)
	graph.add_node(&"throw", Throw.new())
	graph.add_transition(&"root", &"late", &"Input.Late")
	graph.add_transition(&"root", &"throw", &"Input.Throw")
	graph.add_transition(&"late", &"light_2", LIGHT)
	graph.add_transition(&"throw", &"light_2", LIGHT)


func _animations() -> AnimationPlayer:
	var late: Animation = Animation.new()
	late.length = 30.0
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"late", late)
	var animations: AnimationPlayer = AnimationPlayer.new()
	animations.add_animation_library(&"", library)
	return animations


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


## Time passes by [method let_pass] only.
func by_hand(dwell_grace: float) -> void:
	moves.process_callback = ActionGraphPlayer.PROCESS_MANUAL
	moves.dwell_grace_base_seconds = dwell_grace


func let_pass(seconds: float) -> void:
	moves.advance(seconds)


## As no honest player does: the next move, whatever the time.
func chain_at_once() -> int:
	moves.open_action_window()
	return moves.process_input(LIGHT)


## As no honest player does either: here the rules let the move be cut.
func let_be_cut() -> void:
	moves.default_graph.get_node_by_id(&"late").can_be_cancelled = true


func flood(count: int) -> void:
	for i: int in count:
		moves.rpc_id(moves.get_multiplayer_authority(), &"_riposte_submit", [0, "spin", "spin", "Input.Spin", 0, Vector2.ZERO, Vector2.ZERO])


func flood_with_names(count: int) -> void:
	for i: int in count:
		var named: String = "Input.Stranger.N%d" % i
		moves.rpc_id(moves.get_multiplayer_authority(), &"_riposte_submit", [0, "root", "spin", named, 0, Vector2.ZERO, Vector2.ZERO])
		moves.rpc_id(moves.get_multiplayer_authority(), &"_riposte_input", [0, named, 0, Vector2.ZERO])
