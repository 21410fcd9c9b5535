extends RefCounted
## A rig whose order has every virtual overridden, and a run that passes every hook and every signal once at least. Each
## writes a word, so that a test can do something there.

const Rig := preload("res://support/command_rig.gd")
const Acting := preload("res://support/command_acting.gd")

## What is written by the run, in the order in which it first happens.
const PLACES: PackedStringArray = [
	"can_accept", "get_variant", "validate", "can_execute", "score", "get_execution", "available", "start(A)", "cur(-→A)",
	"started(A)", "queue", "retried(A,2)", "cancel(A)", "susp(A)", "resumed(A)", "find", "rejected", "timeout(A)", "end(A)",
	"last_result", "receipt", "idle",
]


## An order that tells each question.
class Order:
	extends CommandDefinition
	var rig: WeakRef
	var next: Node = null

	func _get_variant(_agent: Node, _variant: int, base: CommandVariant) -> CommandVariant:
		_tell("get_variant")
		return base

	func _validate_target(_agent: Node, _request: CommandRequest, _variant: CommandVariant) -> StringName:
		_tell("validate")
		return &""

	func _can_execute(_agent: Node, _request: CommandRequest, _variant: CommandVariant) -> StringName:
		_tell("can_execute")
		return &""

	func _score(_agent: Node, _request: CommandRequest, variant: CommandVariant) -> float:
		_tell("score")
		return variant.base_score

	func _get_execution(_agent: Node, _request: CommandRequest, variant: CommandVariant) -> Resource:
		_tell("get_execution")
		return variant.execution

	func _find_new_target(_agent: Node, _request: CommandRequest) -> Node:
		_tell("find")
		return next

	func _tell(word: String) -> void:
		var told: Rig = rig.get_ref()
		if told != null:
			told.write(word)


## An execution that tells the question for it, too.
class Asked:
	extends Acting

	func _is_available(_agent: Node, _request: CommandRequest) -> StringName:
		var told: Rig = rig.get_ref()
		if told != null:
			told.write("available")
		return &""


## A system that asks a script.
class Orders:
	extends CommandSystem
	var rig: WeakRef

	func _can_accept(_request: CommandRequest, _entry: int) -> StringName:
		var told: Rig = rig.get_ref() if rig != null else null
		if told != null:
			told.write("can_accept")
		return &""


var rig: Rig
var order: Order = Order.new()
var target: Node


func _init(owner: TestCase) -> void:
	var system: Orders = Orders.new()
	rig = Rig.new(owner, null, system)
	system.rig = weakref(rig)
	rig.own("A", order)
	var asked: Asked = Asked.new()
	asked.rig = weakref(rig)
	asked.behavior = "~"
	order.execution = asked
	order.rig = weakref(rig)
	order.target_type = CommandDefinition.TARGET_TYPE_NODE
	order.target_lost_policy = CommandDefinition.LOST_RETARGET
	order.retry_count = 1
	order.granted_tags = ["State.Busy"]
	order.set_meta(&"target", "t")
	order.variants = [CommandVariant.new(), CommandVariant.new()]
	target = owner.add(Node.new())
	rig.targets["t"] = target
	order.next = owner.add(Node.new())
	system.last_result_changed.connect(func(_order: CommandInfo) -> void: rig_word("last_result"))
	system.command_rejected.connect(func(_request: CommandRequest, _reason: StringName) -> void: rig_word("rejected"))


func rig_word(word: String) -> void:
	rig.write(word)


## Passes every place. Stops when the system is gone.
func run() -> void:
	var request: CommandRequest = rig.request("A")
	request.variant = CommandDefinition.VARIANT_AUTO
	var receipt: CommandReceipt = rig.system.issue_command(request)
	receipt.ended.connect(func(_result: int, _reason: StringName) -> void: rig_word("receipt"))
	for text: String in ["enq Q", "F", "intr B", "C", "S", "lose", "tick 0.1", "C", "refused", "cancel", "tick 1.0", "tick 1.0"]:
		if not is_instance_valid(rig.system):
			return
		if text == "lose":
			if is_instance_valid(target):
				target.free()
		elif text == "refused":
			rig.system.issue_command(CommandRequest.to_location(order, Vector3.ONE))
		else:
			rig.perform(text)


## Lets everything end: stops what runs until nothing is left.
func drain() -> void:
	rig.reactions.clear()
	for i: int in 40:
		if not is_instance_valid(rig.system) or rig.system.is_idle():
			return
		rig.system.enabled = true
		rig.perform("S")
		rig.system.advance(1.0)
