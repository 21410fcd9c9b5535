class_name BenchCondition
extends TransitionCondition
## A condition with a fixed answer. It counts what asks it, and how often its name is asked, which a compilation does.

static var asked := 0
static var named := 0

var passes := false


func _evaluate(_run: ActionRun) -> bool:
	asked += 1
	return passes


func _get_display_name() -> String:
	named += 1
	return "Bench"
