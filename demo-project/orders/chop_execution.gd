class_name ChopExecution
extends CommandExecution
## Walks to a tree and fells it. It is done when the tree is gone, whoever felled it: the order's *Target Lost Policy*.

const REACH := 44.0

@export_range(0.1, 5.0, 0.1, "suffix:s") var seconds_per_log: float = 0.8


func _start_execution(handle: CommandHandle) -> void:
	var worker: Worker = handle.agent
	var tree: Wood = handle.target
	worker.walk_to(tree.position + (worker.position - tree.position).limit_length(REACH))
	if not await worker.walk_ended:
		return
	var clock := 0.0
	while handle.is_current() and handle.target:
		clock += worker.get_physics_process_delta_time()
		worker.work = clock * 12.0
		if clock >= seconds_per_log:
			clock = 0.0
			(handle.target as Wood).take_log()
		await worker.get_tree().physics_frame


func _cancel_execution(handle: CommandHandle) -> void:
	var worker: Worker = handle.agent
	worker.stop()
	worker.work = 0.0
	handle.cancelled()
