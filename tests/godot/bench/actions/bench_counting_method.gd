class_name BenchCountingMethod
extends ExecutionMethod
## A method that is asked for its data whenever its action is compiled.

static var compiled := 0


func _has_valid_data() -> bool:
	compiled += 1
	return true
