extends Node
## Tells when a whole step or frame is over: it is the last node to be processed, also while the tree is paused.

## Every other node has had its `_physics_process`.
signal step_ended
## Every other node has had its `_process`.
signal frame_ended

const LAST := 1 << 30


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = LAST
	process_physics_priority = LAST


func _physics_process(_delta: float) -> void:
	step_ended.emit()


func _process(_delta: float) -> void:
	frame_ended.emit()
