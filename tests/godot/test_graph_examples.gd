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


func test_ex_50_m17() -> void:
	Rig.play(self, "M17")


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


func test_ex_50_m23() -> void:
	Rig.play(self, "M23")


func test_ex_50_m24() -> void:
	Rig.play(self, "M24")


func test_ex_50_m25() -> void:
	Rig.play(self, "M25")


func test_ex_50_m26() -> void:
	Rig.play(self, "M26")


func test_ex_50_m27() -> void:
	Rig.play(self, "M27")


func test_ex_50_m28() -> void:
	Rig.play(self, "M28")


func test_ex_50_m29() -> void:
	Rig.play(self, "M29")


func test_ex_50_m30() -> void:
	Rig.play(self, "M30")


func test_ex_50_m31() -> void:
	Rig.play(self, "M31")


func test_ex_50_m32() -> void:
	Rig.play(self, "M32")


func test_ex_50_m33() -> void:
	Rig.play(self, "M33")


func test_ex_50_m34() -> void:
	Rig.play(self, "M34")


func test_ex_50_m35() -> void:
	Rig.play(self, "M35")


func test_ex_50_m36() -> void:
	Rig.play(self, "M36")


func test_ex_50_m37() -> void:
	Rig.play(self, "M37")


func test_ex_50_m38() -> void:
	Rig.play(self, "M38")


func test_ex_50_m39() -> void:
	Rig.play(self, "M39")


func test_ex_50_m40() -> void:
	Rig.play(self, "M40")


func test_ex_50_m41() -> void:
	Rig.play(self, "M41")


func test_ex_50_m42() -> void:
	Rig.play(self, "M42")


func test_ex_50_m43() -> void:
	Rig.play(self, "M43")


func test_ex_50_m44() -> void:
	Rig.play(self, "M44")


func test_ex_50_m45() -> void:
	Rig.play(self, "M45")


func test_ex_50_m46() -> void:
	Rig.play(self, "M46")


func test_ex_50_m47() -> void:
	Rig.play(self, "M47")


func test_ex_50_m48() -> void:
	Rig.play(self, "M48")


func test_ex_50_m49() -> void:
	Rig.play(self, "M49")


func test_ex_50_m50() -> void:
	Rig.play(self, "M50")


func test_ex_50_m51() -> void:
	Rig.play(self, "M51")


func test_ex_50_m52() -> void:
	Rig.play(self, "M52")


func test_ex_50_m53() -> void:
	Rig.play(self, "M53")


func test_ex_50_m54() -> void:
	Rig.play(self, "M54")


func test_ex_50_m55() -> void:
	Rig.play(self, "M55")


func test_ex_50_m56() -> void:
	Rig.play(self, "M56")


func test_ex_50_m57() -> void:
	Rig.play(self, "M57")


func test_ex_50_m58() -> void:
	Rig.play(self, "M58")


func test_ex_50_m59() -> void:
	Rig.play(self, "M59")


func test_ex_50_m60() -> void:
	Rig.play(self, "M60")


func test_ex_50_m61() -> void:
	Rig.play(self, "M61")


func test_ex_50_m62() -> void:
	Rig.play(self, "M62")


func test_ex_50_m63() -> void:
	Rig.play(self, "M63")


func test_ex_50_m64() -> void:
	Rig.play(self, "M64")


func test_ex_50_m65() -> void:
	Rig.play(self, "M65")


func test_ex_50_m66() -> void:
	Rig.play(self, "M66")


func test_ex_50_m67() -> void:
	Rig.play(self, "M67")


func test_ex_50_m68() -> void:
	Rig.play(self, "M68")


func test_ex_50_m69() -> void:
	Rig.play(self, "M69")


func test_ex_50_m70() -> void:
	Rig.play(self, "M70")


func test_ex_50_m71() -> void:
	Rig.play(self, "M71")


func test_ex_50_m72() -> void:
	Rig.play(self, "M72")


func test_ex_50_m73() -> void:
	Rig.play(self, "M73")


func test_ex_50_m74() -> void:
	Rig.play(self, "M74")


func test_ex_50_m75() -> void:
	Rig.play(self, "M75")


func test_ex_50_m76() -> void:
	Rig.play(self, "M76")


func test_ex_50_m77() -> void:
	Rig.play(self, "M77")


func test_ex_50_m78() -> void:
	Rig.play(self, "M78")


func test_ex_50_m79() -> void:
	Rig.play(self, "M79")


func test_ex_50_m80() -> void:
	Rig.play(self, "M80")


func test_ex_50_m81() -> void:
	Rig.play(self, "M81")


func test_ex_50_m82() -> void:
	Rig.play(self, "M82")


func test_ex_50_m83() -> void:
	Rig.play(self, "M83")


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


func test_ex_50_m89() -> void:
	Rig.play(self, "M89")


func test_ex_50_m90() -> void:
	Rig.play(self, "M90")


func test_ex_50_m91() -> void:
	Rig.play(self, "M91")


func test_ex_50_m94() -> void:
	Rig.play(self, "M94")


func test_ex_50_m95() -> void:
	Rig.play(self, "M95")
