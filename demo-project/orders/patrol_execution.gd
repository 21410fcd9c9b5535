class_name PatrolExecution
extends CommandExecution
## Walks between the place of the order and where it began, for ever. Interrupted, it goes on where it was heading.


func _start_execution(handle: CommandHandle) -> void:
	var worker: Worker = handle.agent
	var way: Dictionary = handle.resume_data if handle.is_resumed else {"home": worker.position, "out": true}
	handle.data["way"] = way
	while handle.is_current():
		worker.walk_to(handle.location if way["out"] else way["home"])
		if not await worker.walk_ended:
			return
		way["out"] = not way["out"]


func _cancel_execution(handle: CommandHandle) -> void:
	handle.resume_data = handle.data["way"]
	(handle.agent as Worker).stop()
	handle.cancelled()
