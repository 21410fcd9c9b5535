extends Node
## The second engine of a test with two: builds the stage, connects, and does what the test asks. See two_peers.gd.
##
## Arguments after `--`: `control=PORT` of the test, `port=PORT` of the game, `stage=SCRIPT`.

## Ends the program when the test does not connect or is gone.
const PATIENCE := 30.0

var _control := StreamPeerTCP.new()
var _stage: Node
var _deadline := 0.0


func _ready() -> void:
	_deadline = Time.get_ticks_msec() + PATIENCE * 1000.0
	_control.connect_to_host("127.0.0.1", int(_argument("control")))
	var network := ENetMultiplayerPeer.new()
	network.create_client("127.0.0.1", int(_argument("port")))
	multiplayer.multiplayer_peer = network
	_stage = (load(_argument("stage")) as GDScript).new()
	_stage.name = "Stage"
	# The root is still setting up its children.
	get_tree().root.add_child.call_deferred(_stage)


func _process(_delta: float) -> void:
	_control.poll()
	match _control.get_status():
		StreamPeerTCP.STATUS_CONNECTED:
			_deadline = Time.get_ticks_msec() + PATIENCE * 1000.0
			if _stage.is_inside_tree():
				_answer()
		StreamPeerTCP.STATUS_CONNECTING when Time.get_ticks_msec() < _deadline:
			pass
		_:
			get_tree().quit(1)


func _answer() -> void:
	while _control.get_available_bytes() > 0:
		var message: Array = _control.get_var()
		if message[0] == 0:
			_stage.free()
			multiplayer.multiplayer_peer.close()
			get_tree().quit()
			return
		_reply(message[0], message[1], message[2])


## A method may await; questions that come meanwhile are answered all the same.
func _reply(number: int, method: StringName, arguments: Array) -> void:
	@warning_ignore("redundant_await")
	var answer: Variant = await _stage.callv(method, arguments)
	_control.put_var([number, answer])


func _argument(key: String) -> String:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with(key + "="):
			return argument.trim_prefix(key + "=")
	return ""
