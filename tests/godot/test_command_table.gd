extends TestCase
## The truth table of orders against the built node: every entry point in every phase.

const Rig := preload("res://support/command_rig.gd")


func test_idle() -> void:
	_play("idle")


func test_cancelable() -> void:
	_play("cancelable")


func test_non_cancelable() -> void:
	_play("non_cancelable")


func test_cancelling() -> void:
	_play("cancelling")


func test_retry_wait() -> void:
	_play("retry_wait")


func test_retry_wait_non_cancelable() -> void:
	_play("retry_wait_non_cancelable")


func test_held() -> void:
	_play("held")


func test_handover() -> void:
	_play("handover")


func test_suspending() -> void:
	_play("suspending")


func test_answers_later() -> void:
	_play("answers_later")


func _play(column: String) -> void:
	var lines: Array[Rig.Lines.Line] = Rig.Lines.column(column)
	check(not lines.is_empty(), "a column " + column)
	Rig.play_all(self, lines)
