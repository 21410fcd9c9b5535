extends Node
## The stage of the tests of orders over a network: a unit whose authority is the server, with its orders published by a
## MultiplayerSynchronizer, and somebody to attack.


## Stays until it is told to stop.
class Hold:
	extends CommandExecution

	func _start_execution(handle: CommandHandle) -> void:
		handle.agent.get_parent().call(&"note", "start %s from %s" % [handle.definition.id, handle.source])

	func _cancel_execution(handle: CommandHandle) -> void:
		handle.agent.get_parent().call(&"note", "cancel %s" % handle.definition.id)
		handle.cancelled()


var orders: CommandSystem
var foe: Node3D
var known: Dictionary[String, CommandDefinition] = {}
var heard: PackedStringArray = []
var refused: PackedStringArray = []
var answers: Array = []


func _ready() -> void:
	foe = Node3D.new()
	foe.name = "Foe"
	foe.position = Vector3(0, 0, -5)
	add_child(foe)
	var unit: Node3D = Node3D.new()
	unit.name = "Unit"
	orders = CommandSystem.new()
	orders.name = "Orders"
	orders.default_execution = Hold.new()
	orders.commands = [_make(&"Wait", 0), _make(&"Attack", 1), _make(&"Move", 2), _make(&"Face", 3)]
	_make(&"Secret", 0)
	_listen()
	unit.add_child(orders)
	add_child(unit)
	var synchronizer: MultiplayerSynchronizer = MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	synchronizer.root_path = NodePath("../Unit/Orders")
	synchronizer.replication_config = SceneReplicationConfig.new()
	synchronizer.replication_config.add_property(^".:sync_state")
	synchronizer.replication_config.property_set_replication_mode(^".:sync_state", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	add_child(synchronizer)


func _make(id: StringName, target_type: int) -> CommandDefinition:
	var made: CommandDefinition = CommandDefinition.new()
	made.id = id
	made.target_type = target_type
	known[str(id)] = made
	return made


func _listen() -> void:
	var title: Callable = func(info: CommandInfo) -> String: return str(info.command_name) if info != null else "-"
	orders.current_command_changed.connect(func(previous: CommandInfo, current: CommandInfo) -> void:
		heard.append("%s→%s" % [title.call(previous), title.call(current)]))
	orders.command_queue_changed.connect(func() -> void: heard.append("queue %d" % orders.get_queue_length()))
	orders.last_result_changed.connect(func(info: CommandInfo) -> void:
		heard.append("last %s %d %s" % [info.command_name, info.result, info.reason]))
	orders.remote_request_refused.connect(func(peer: int, reason: StringName) -> void:
		refused.append("%s %s" % ["owner" if peer == orders.owner_peer else "other", reason]))
	orders.request_answered.connect(func(token: int, outcome: int, reason: StringName, id: int) -> void:
		answers.append([token, outcome, str(reason), id]))


func note(line: String) -> void:
	heard.append(line)


func take_heard() -> PackedStringArray:
	var taken: PackedStringArray = heard
	heard = []
	return taken


func take_refused() -> PackedStringArray:
	var taken: PackedStringArray = refused
	refused = []
	return taken


func take_answers() -> Array:
	var taken: Array = answers
	answers = []
	return taken


func get_heard() -> PackedStringArray:
	return heard


func get_answers() -> Array:
	return answers


func own(peer: int) -> void:
	orders.owner_peer = peer


func set_orders(property: StringName, value: Variant) -> void:
	orders.set(property, value)


func hand_over(peer: int) -> void:
	orders.set_multiplayer_authority(peer)


## Outcome, reason and token of a request that this peer makes; `aim`: "foe", a vector or null.
func request(id: String, aim: Variant = null, entry: int = 0, payload: Dictionary = {}) -> Array:
	return _receipt(orders.request_command(_request(id, aim, payload), entry))


func issue(id: String, aim: Variant = null) -> Array:
	return _receipt(orders.issue_command(_request(id, aim, {})))


func _request(id: String, aim: Variant, payload: Dictionary) -> CommandRequest:
	var made: CommandRequest = CommandRequest.simple(known[id])
	if aim is String and aim == "foe":
		made.target = foe
	elif aim is Vector3 and id == "Face":
		made.direction = aim
	elif aim is Vector3:
		made.location = aim
	if payload.has("object"):
		payload = {"object": foe}
	made.payload = payload
	return made


func issue_waiting(id: String) -> Array:
	return _receipt(orders.enqueue_command(_request(id, null, {})))


## As many requests in one frame.
func flood(count: int) -> void:
	for i in count:
		orders.request_control(CommandSystem.CONTROL_REMOVE_LAST)


func count_answers() -> int:
	return answers.size()


func control(code: int, argument: Variant = 0) -> Array:
	return _receipt(orders.request_control(code, argument))


func _receipt(receipt: CommandReceipt) -> Array:
	return [receipt.outcome, str(receipt.reason), receipt.token]


## A packet that nobody made by `request_command`.
func forge(message: Variant, method: StringName = &"_riposte_order") -> int:
	return orders.rpc_id(orders.get_multiplayer_authority(), method, message)


## What runs, what waits, and the last result.
func state() -> Array:
	var line: Array = orders.get_command_queue().map(func(info: CommandInfo) -> String: return _word(info))
	return [_word(orders.get_current_command()), line, _word(orders.get_last_result()), orders.get_phase(), orders.is_idle(), orders.get_queue_length()]


func _word(info: CommandInfo) -> String:
	if info == null:
		return "-"
	var target: String = ">" + str(info.target.name) if info.target != null else ""
	var location: String = "@" + str(info.location) if info.location != null else ""
	return "%s%s%s #%d %d%s" % [info.command_name, target, location, info.command_id, info.result, " " + info.source if info.source != &"" else ""]


func found(command_id: int) -> String:
	return _word(orders.get_command(command_id))


func definition_known() -> bool:
	var current: CommandInfo = orders.get_current_command()
	return current != null and current.definition == known[str(current.command_name)]


func options() -> Array:
	return orders.get_options(foe).map(func(option: CommandOption) -> Array: return [str(option.definition.id), option.allowed])


func drop_foe() -> void:
	foe.free()


func write_nonsense() -> void:
	orders.sync_state = {"phase": 9}
