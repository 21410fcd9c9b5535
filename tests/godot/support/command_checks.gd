extends TestCase
## An agent with a CommandSystem and one order, for tests of what is accepted.

const ALWAYS := """
extends CommandExecution
func _start_execution(_handle: CommandHandle) -> void:
	pass
"""
const PICKY := """
extends CommandExecution
var answer := &""
func _is_available(_agent: Node, _request: CommandRequest) -> StringName:
	return answer
func _start_execution(_handle: CommandHandle) -> void:
	pass
"""
const SCRIPTED := """
extends CommandDefinition
var log: Array = []
var target_says: Variant = &""
var execute_says: Variant = &""
var picks: Variant = null
var says_picks := false
@warning_ignore("untyped_declaration")
func _validate_target(agent: Node, request: CommandRequest, variant: CommandVariant):
	log.append(["target", agent, request.target, variant.id])
	return target_says
@warning_ignore("untyped_declaration")
func _can_execute(_agent: Node, request: CommandRequest, _variant: CommandVariant):
	log.append(["execute", request.variant])
	return execute_says
@warning_ignore("untyped_declaration")
func _get_execution(_agent: Node, _request: CommandRequest, variant: CommandVariant):
	log.append(["execution"])
	return picks if says_picks else variant.execution
"""
const SYSTEM := """
extends CommandSystem
var log: Array = []
var answer := &""
func _can_accept(request: CommandRequest, entry_point: int) -> StringName:
	log.append([request.definition, entry_point])
	return answer
"""

var agent: Node3D
var tags: TagContainer
var system: CommandSystem
var order: CommandDefinition


func _set_up(body: Node = null, orders: CommandSystem = null) -> void:
	agent = body as Node3D
	var owner: Node = body
	if owner == null:
		agent = Node3D.new()
		owner = agent
	owner.name = "Unit"
	tags = TagContainer.new()
	owner.add_child(tags)
	system = orders if orders != null else CommandSystem.new()
	system.process_callback = CommandSystem.PROCESS_MANUAL
	owner.add_child(system)
	add(owner)
	order = CommandDefinition.new()
	order.id = &"order"
	order.execution = script(ALWAYS).new()


func _reason(request: CommandRequest, entry: int = CommandSystem.ENTRY_ISSUE) -> StringName:
	var receipt: CommandReceipt = system.check_command(request, entry)
	eq(receipt.is_rejected(), receipt.outcome == CommandReceipt.OUTCOME_REJECTED, "is_rejected")
	return receipt.reason if receipt.is_rejected() else &""


func _detail(request: CommandRequest) -> String:
	return system.check_command(request).detail


func _at(x: float) -> CommandRequest:
	return CommandRequest.to_location(order, Vector3(x, 0, 0))
