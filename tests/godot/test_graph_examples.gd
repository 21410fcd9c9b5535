extends TestCase
## The worked examples of the action graph against the built node with real animations, one test each: windows written as
## markers, in `windows` of the payload and as keys of a method track; ticks of 1/60, 0.1 and 0.013 s.

const Rig := preload("res://support/graph_rig.gd")


func test_ex_50_m1() -> void:
	Rig.play(self, "M1")


func test_ex_50_m2() -> void:
	Rig.play(self, "M2")


func test_ex_50_m3() -> void:
	Rig.play(self, "M3")


func test_ex_50_m4() -> void:
	Rig.play(self, "M4")


func test_ex_50_m5() -> void:
	Rig.play(self, "M5")


func test_ex_50_m6() -> void:
	Rig.play(self, "M6")


func test_ex_50_m7() -> void:
	Rig.play(self, "M7")


func test_ex_50_m8() -> void:
	Rig.play(self, "M8")


func test_ex_50_m9() -> void:
	Rig.play(self, "M9")


func test_ex_50_m10() -> void:
	Rig.play(self, "M10")


func test_ex_50_m11() -> void:
	Rig.play(self, "M11")


func test_ex_50_m12() -> void:
	Rig.play(self, "M12")


func test_ex_50_m13() -> void:
	Rig.play(self, "M13")


func test_ex_50_m14() -> void:
	Rig.play(self, "M14")


func test_ex_50_m15() -> void:
	Rig.play(self, "M15")


func test_ex_50_m16() -> void:
	Rig.play(self, "M16")


func test_ex_50_m18() -> void:
	Rig.play(self, "M18")


func test_ex_50_m19() -> void:
	Rig.play(self, "M19")


func test_ex_50_m20() -> void:
	Rig.play(self, "M20")


func test_ex_50_m21() -> void:
	Rig.play(self, "M21")


func test_ex_50_m22() -> void:
	Rig.play(self, "M22")


func test_ex_50_m60() -> void:
	Rig.play(self, "M60")


func test_ex_50_m66() -> void:
	Rig.play(self, "M66")


func test_ex_50_m69() -> void:
	Rig.play(self, "M69")


func test_ex_50_m80() -> void:
	Rig.play(self, "M80")


func test_ex_50_m82() -> void:
	Rig.play(self, "M82")


func test_ex_50_m84() -> void:
	Rig.play(self, "M84")


func test_ex_50_m85() -> void:
	Rig.play(self, "M85")


func test_ex_50_m86() -> void:
	Rig.play(self, "M86")


func test_ex_50_m87() -> void:
	Rig.play(self, "M87")


func test_ex_50_m88() -> void:
	Rig.play(self, "M88")


func test_ex_50_m90() -> void:
	Rig.play(self, "M90")


func test_ex_50_m91() -> void:
	Rig.play(self, "M91")


func test_ex_50_m94() -> void:
	Rig.play(self, "M94")


func test_ex_50_m95() -> void:
	Rig.play(self, "M95")
