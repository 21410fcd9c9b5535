extends CommandExecution
## A stateless execution that does what the marks of its order say, and tells the rig what it was asked.

## The rig, weakly: it holds this.
var rig: WeakRef
## `""` answers a cancel at once, `~` only when told, `=` and `≠` succeed and fail inside the start hook.
var behavior: String = ""


func _start_execution(handle: CommandHandle) -> void:
	var told: Object = rig.get_ref()
	if told == null:
		return
	told.call(&"started", handle)
	if behavior == "=":
		handle.succeed()
	elif behavior == "≠":
		handle.fail()


func _cancel_execution(handle: CommandHandle) -> void:
	var told: Object = rig.get_ref()
	if told == null:
		return
	told.call(&"asked_to_cancel", handle)
	if behavior != "~":
		handle.cancelled()
