extends TestCase
## What the rules of orders say beyond the table and the worked examples, against the built node.

const Rig := preload("res://support/command_rig.gd")


func test_planned_retry() -> void:
	_play("planned_retry")


func test_decided_once() -> void:
	_play("decided_once")


func test_equal_requests() -> void:
	_play("equal_requests")


func test_endless() -> void:
	_play("endless")


func test_suspension() -> void:
	_play("suspension")


func test_targets() -> void:
	_play("targets")


func test_off() -> void:
	_play("off")


func test_numbers() -> void:
	_play("numbers")


func test_starts_in_a_row() -> void:
	_play("starts_in_a_row")


func test_from_inside() -> void:
	_play("from_inside")


func _play(group: String) -> void:
	var lines: Array[Rig.Lines.Line] = Rig.Lines.rules(group)
	check(not lines.is_empty(), "a group " + group)
	Rig.play_all(self, lines)
