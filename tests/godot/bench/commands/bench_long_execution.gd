class_name BenchLongExecution
extends CommandExecution
## An order that goes on.


func _start_execution(_handle: CommandHandle) -> void:
	pass
