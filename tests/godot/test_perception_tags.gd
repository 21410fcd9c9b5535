extends TestCase
## Who may be sensed: tags of perceivers and sources.

const Rig := preload("res://support/perception_rig.gd")


func _seen(detectable: PackedStringArray, identity: PackedStringArray) -> bool:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = detectable
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5), identity)
	rig.advance()
	var result: bool = rig.sees(made)
	rig.guard.free()
	Rig.agent_of(made).free()
	return result


func test_ex_10_10() -> void:
	check(not _seen(["Team.Blue"], ["Team.Red"]), "another branch")
	check(_seen(["Team"], ["Team.Red"]), "a query matches descendants")
	check(not _seen(["Team.Red"], ["Team"]), "but not ancestors")
	check(not _seen(["Team"], []), "no identity, no match")


func test_empty_list_senses_everyone() -> void:
	check(_seen([], []), "untagged")
	check(_seen([], ["Team.Red"]), "tagged")


func test_any_of_several_tags_is_enough() -> void:
	check(_seen(["Team.Blue", "Role.Thief"], ["Team.Red", "Role.Thief"]), "the second matches")
	check(not _seen(["Team.Blue", "Role.Thief"], ["Team.Red", "Role.Guard"]), "none matches")


func test_same_filter_serves_hearing() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = ["Team.Blue"]
	var red: StimulusSource3D = rig.source(Vector3(0, 0, 5), ["Team.Red"])
	var blue: StimulusSource3D = rig.source(Vector3(0, 0, 5), ["Team.Blue.Scout"])
	PerceptionServer.report_noise(Vector3(0, 0, 5), 1.0, red)
	PerceptionServer.report_noise(Vector3(0, 0, 5), 1.0, blue)
	rig.advance()
	check(not rig.hears(red), "another branch")
	check(rig.hears(blue), "a descendant")


func test_noise_of_a_place_is_filtered_by_its_own_tag() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = ["Noise.Alarm"]
	PerceptionServer.report_noise(Vector3(0, 0, 5), 1.0, null, &"Noise.Step")
	rig.advance()
	eq(rig.count(&"noise_heard"), 0, "a step")
	PerceptionServer.report_noise(Vector3(0, 0, 5), 1.0, null, &"Noise.Alarm.Bell")
	rig.advance()
	eq(rig.count(&"noise_heard"), 1, "an alarm bell")


func test_tags_of_a_noise_are_taken_at_the_report() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = ["Team.Red"]
	var made: StimulusSource3D = rig.source(Vector3(0, 0, 5), ["Team.Red"])
	PerceptionServer.report_noise(Vector3(0, 0, 5), 1.0, made)
	made.affiliation_tags = ["Team.Blue"]
	rig.advance()
	check(rig.hears(made), "it was red when it made the noise")


func test_detectable_tag_added_and_removed() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = ["Team.Blue"]
	var red: StimulusSource3D = rig.source(Vector3(0, 0, -5), ["Team.Red"])
	rig.advance()
	check(not rig.sees(red), "not yet")
	check(rig.eye.add_detectable_tag(&"Team.Red"), "changed")
	check(not rig.eye.add_detectable_tag(&"Team.Red"), "nothing to change")
	eq(rig.eye.detectable_tags, PackedStringArray(["Team.Blue", "Team.Red"]), "the property shows it")
	rig.advance()
	check(rig.sees(red), "seen at the next check")
	check(rig.eye.remove_detectable_tag(&"Team.Red"), "changed")
	check(not rig.eye.remove_detectable_tag(&"Team.Red"), "nothing to change")
	rig.advance()
	check(not rig.sees(red), "a target that no longer passes becomes unsensed")
	eq(rig.eye.get_target_state(red), PerceptionEvent.TARGET_REMEMBERED, "and is forgotten normally")


func test_affiliation_tag_added_and_removed() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = ["Team.Red"]
	var made: StimulusSource3D = rig.source(Vector3(0, 0, -5))
	rig.advance()
	check(not rig.sees(made), "untagged")
	check(made.add_affiliation_tag(&"Team.Red"), "changed")
	check(not made.add_affiliation_tag(&"Team.Red"), "nothing to change")
	rig.advance()
	check(rig.sees(made), "tagged")
	check(made.remove_affiliation_tag(&"Team.Red"), "changed")
	check(not made.remove_affiliation_tag(&"Team.Red"), "nothing to change")
	rig.advance()
	check(not rig.sees(made), "untagged again")


func test_invalid_tag_is_refused() -> void:
	var rig: Rig = Rig.new(self)
	rig.eye.detectable_tags = ["Team.Red"]
	expect_error("Team..Red")
	check(not rig.eye.add_detectable_tag(&"Team..Red"), "refused")
	eq(rig.eye.detectable_tags, PackedStringArray(["Team.Red"]), "unchanged")


func test_two_perceivers_with_different_tastes() -> void:
	var cats: Rig = Rig.new(self)
	var dogs: Rig = Rig.new(self)
	cats.eye.detectable_tags = ["Animal.Mouse"]
	dogs.eye.detectable_tags = ["Animal.Cat"]
	var mouse: StimulusSource3D = cats.source(Vector3(0, 0, -5), ["Animal.Mouse"])
	var cat: StimulusSource3D = cats.source(Vector3(0, 0, -6), ["Animal.Cat"])
	cats.advance()
	dogs.advance()
	eq([cats.sees(mouse), cats.sees(cat), dogs.sees(mouse), dogs.sees(cat)], [true, false, false, true], "each sees its own")
