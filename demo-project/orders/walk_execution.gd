class_name WalkExecution
extends CommandExecution
## Walks to the place of the order.


func _start_execution(handle: CommandHandle) -> void:
	var worker: Worker = handle.agent
	worker.walk_to(handle.location)
	if await worker.walk_ended:
		handle.succeed()


func _cancel_execution(handle: CommandHandle) -> void:
	(handle.agent as Worker).stop()
	handle.cancelled()
