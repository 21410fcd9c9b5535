class_name BenchTickMethod
extends ExecutionMethod
## A method with a tick. It knows the copies of it that run.

static var calls := 0
static var running: Array[BenchTickMethod] = []
@export var numbers: Array = [1, 2, 3]
@export var seconds := 1.0


func _begin_execute(_context: ActionContext) -> bool:
	running.append(self)
	return true


func _tick_execute(_delta: float) -> void:
	calls += 1


func _abort_execute(_reason: int) -> void:
	pass
