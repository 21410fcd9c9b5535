class_name BenchRunMethod
extends ExecutionMethod
## A method with a tick.

static var calls := 0
@export var numbers: Array = [1, 2, 3]
@export var seconds := 1.0


func _begin_execute(_context: ActionContext) -> bool:
	return true


func _tick_execute(_delta: float) -> void:
	calls += 1


func _abort_execute(_reason: int) -> void:
	pass
