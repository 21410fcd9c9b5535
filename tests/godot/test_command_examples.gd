extends TestCase
## The worked examples of orders against the built node, one test each.

const Rig := preload("res://support/command_rig.gd")


func test_ex_40_1() -> void:
	_play(1)


func test_ex_40_2() -> void:
	_play(2)


func test_ex_40_3() -> void:
	_play(3)


func test_ex_40_4() -> void:
	_play(4)


func test_ex_40_5() -> void:
	_play(5)


func test_ex_40_6() -> void:
	_play(6)


func test_ex_40_7() -> void:
	_play(7)


func test_ex_40_8() -> void:
	_play(8)


func test_ex_40_9() -> void:
	_play(9)


func test_ex_40_10() -> void:
	_play(10)


func test_ex_40_11() -> void:
	_play(11)


func test_ex_40_12() -> void:
	_play(12)


func test_ex_40_13() -> void:
	_play(13)


func test_ex_40_14() -> void:
	_play(14)


func test_ex_40_15() -> void:
	_play(15)


func test_ex_40_16() -> void:
	_play(16)


func test_ex_40_17() -> void:
	_play(17)


func test_ex_40_18() -> void:
	_play(18)


func test_ex_40_19() -> void:
	_play(19)


func test_ex_40_20() -> void:
	_play(20)


func test_ex_40_21() -> void:
	_play(21)


func test_ex_40_22() -> void:
	_play(22)


func test_ex_40_23() -> void:
	_play(23)


func test_ex_40_24() -> void:
	_play(24)


func test_ex_40_25() -> void:
	_play(25)


func test_ex_40_26() -> void:
	_play(26)


func test_ex_40_27() -> void:
	_play(27)


func test_ex_40_28() -> void:
	_play(28)


func test_ex_40_29() -> void:
	_play(29)


func test_ex_40_30() -> void:
	_play(30)


func test_ex_40_31() -> void:
	_play(31)


func test_ex_40_32() -> void:
	_play(32)


func test_ex_40_33() -> void:
	_play(33)


func test_ex_40_34() -> void:
	_play(34)


func test_ex_40_35() -> void:
	_play(35)


func test_ex_40_36() -> void:
	_play(36)


func test_ex_40_37() -> void:
	_play(37)


func test_ex_40_38() -> void:
	_play(38)


func test_ex_40_39() -> void:
	_play(39)


func test_ex_40_40() -> void:
	_play(40)


func test_ex_40_41() -> void:
	_play(41)


func test_ex_40_42() -> void:
	_play(42)


func test_ex_40_43() -> void:
	_play(43)


func test_ex_40_44() -> void:
	_play(44)


func test_ex_40_45() -> void:
	_play(45)


func test_ex_40_46() -> void:
	_play(46)


func test_ex_40_47() -> void:
	_play(47)


func test_ex_40_48() -> void:
	_play(48)


func test_ex_40_49() -> void:
	_play(49)


func test_ex_40_50() -> void:
	_play(50)


func test_ex_40_51() -> void:
	_play(51)


func test_ex_40_52() -> void:
	_play(52)


func test_ex_40_53() -> void:
	_play(53)


func test_ex_40_54() -> void:
	_play(54)


func test_ex_40_55() -> void:
	_play(55)


func test_ex_40_56() -> void:
	_play(56)


func test_ex_40_57() -> void:
	_play(57)


func test_ex_40_58() -> void:
	_play(58)


func test_ex_40_59() -> void:
	_play(59)


func test_ex_40_62() -> void:
	_play(62)


func test_ex_40_63() -> void:
	_play(63)


func test_ex_40_64() -> void:
	_play(64)


func test_ex_40_70() -> void:
	_play(70)


func _play(number: int) -> void:
	var lines: Array[Rig.Lines.Line] = Rig.Lines.example(number)
	check(not lines.is_empty(), "an example of the number %d" % number)
	Rig.play_all(self, lines)
