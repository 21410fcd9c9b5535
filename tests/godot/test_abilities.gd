extends TestCase
## Abilities: granting, starting, ending, in which order.

const Rig := preload("res://support/ability_rig.gd")


func test_a_start_and_an_end() -> void:
	var rig: Rig = Rig.new(self)
	var dash: Rig.Ability = rig.make("Dash", 0.2)
	dash.granted_tags = ["State.Dashing"]
	var handle: int = rig.grant(dash)
	eq(rig.diary.take(), "granted Dash", "granted")
	check(rig.system.activate(handle) > 0, "activation id")
	eq(rig.diary.take(), "received Dash, can Dash, activated Dash, activate Dash", "start")
	check(rig.system.is_active(handle), "active")
	eq(rig.tags.get_tag_count(&"State.Dashing"), 1, "tag")
	rig.step()
	eq(rig.diary.take(), "tick Dash 0.10", "step")
	rig.step()
	eq(rig.diary.take(), "tick Dash 0.10, end Dash 0, ended Dash 0", "end")
	check(not rig.system.is_active(handle), "not active")
	eq(rig.tags.get_tag_count(&"State.Dashing"), 0, "tag gone")
	eq(dash.numbers, [1], "the definition is untouched")
	eq(dash.ticks, 0, "the definition did not run")


func test_ex_35_e26() -> void:
	var rig: Rig = Rig.new(self)
	for label: String in ["Light", "Heavy", "Shout"]:
		rig.grant(rig.make(label, -1.0, ["Shout"] if label == "Shout" else ["Attack." + label]))
	rig.diary.take()
	eq(rig.system.activate_by_tag(&"Attack"), 2, "started")
	eq(rig.diary.take("activated"), "activated Light, activated Heavy", "in grant order")


func test_ex_35_e27() -> void:
	var rig: Rig = Rig.new(self)
	var flinch: Rig.Ability = rig.make("Flinch", 0.0)
	flinch.trigger_tags = ["Hit"]
	flinch.cooldown = 1.0
	rig.grant(flinch)
	rig.diary.take()
	eq(rig.system.send_event(&"Hit.Head"), 1, "started")
	eq(rig.diary.take("activated activate end ended"), "activated Flinch, activate Flinch, end Flinch 0, ended Flinch 0", "order")
	rig.step(5)
	eq(rig.system.send_event(&"Hit.Head"), 0, "not again")
	eq(rig.diary.take(), "refused Flinch %d" % AbilitySystem.ABILITY_COOLDOWN, "refused")
	rig.step(5)
	eq(rig.system.send_event(&"Hit.Head"), 1, "after the cooldown")


func test_ex_35_e28() -> void:
	var rig: Rig = Rig.new(self)
	var light: int = rig.grant(rig.make("Light", -1.0, ["Attack.Light"]))
	var dodge: Rig.Ability = rig.make("Dodge")
	dodge.cancel_tags = ["Attack"]
	var handle: int = rig.grant(dodge)
	rig.system.activate(light)
	rig.diary.take()
	check(rig.system.activate(handle) > 0, "started")
	eq(rig.diary.take(), "received Dodge, can Dodge, end Light 1, ended Light 1, activated Dodge, activate Dodge", "order")
