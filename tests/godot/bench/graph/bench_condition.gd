class_name BenchCondition
extends TransitionCondition
## A condition that never passes. It counts what asks it, and how often its name is asked, which a compilation does.

static var asked := 0
static var named := 0


func _evaluate(_run: ActionRun) -> bool:
	asked += 1
	return false


func _get_display_name() -> String:
	named += 1
	return "Bench"
