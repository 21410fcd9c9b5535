extends TestCase
## Custom senses, tags of noises, ignored tags, tags of the container: in both dimensions.

const Field := preload("res://support/field.gd")


func test_custom_sense() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"detectable_tags", PackedStringArray(["Team.Blue"]))
		var made: Node = field.source(-70.0)
		made.set(&"registered_senses", 0)
		check(PerceptionServer.report_stimulus(field.eye, field.agent_of(made), &"Smell", 0.4), field.named("accepted for the node"))
		field.advance()
		var event: PerceptionEvent = field.first(&"target_perceived").event
		eq(field.kinds(), PackedStringArray(["target_perceived"]), field.named("a record, whatever tags and senses say"))
		eq(event.sense, PerceptionEvent.SENSE_CUSTOM, field.named("sense"))
		eq(event.tag, &"Smell", field.named("tag is the sense's id"))
		near(event.strength, 0.4, 1e-6, field.named("strength"))
		near(field.eye.call(&"get_last_known_location", made), field.place(-70.0), 0.001, field.named("where the target is"))
		eq(field.eye.call(&"get_senses", made), 8, field.named("bit"))
		check(PerceptionServer.report_stimulus(field.guard, made, &"Radio", 2.5), field.named("accepted for the agent"))
		field.advance()
		eq(field.count(&"target_perceived"), 1, field.named("one record"))
		field.advance()
		eq(field.eye.call(&"get_senses", made), 0, field.named("momentary"))
		field.forget()
		field.advance(60)
		eq(field.first(&"target_lost").reason, PerceptionEvent.LOSS_FORGOTTEN, field.named("forgotten as others are"))
		eq(field.first(&"target_lost").event.sense, PerceptionEvent.SENSE_CUSTOM, field.named("the last sense"))
		check(not PerceptionServer.report_stimulus(field.eye, made, &"Smell", 0.0), field.named("strength 0 is ignored"))


func test_custom_target_without_a_source() -> void:
	for field: Field in Field.both(self):
		var grave: Node = field.agent(3.0, 40.0)
		check(PerceptionServer.report_stimulus(field.eye, grave, &"Omen"), field.named("accepted"))
		field.advance()
		check(field.eye.call(&"has_target", grave), field.named("it is itself the target"))
		grave.free()
		eq(field.eye.call(&"get_perceived_targets"), [], field.named("gone at once"))
		field.advance()
		eq(field.first(&"target_lost").reason, PerceptionEvent.LOSS_GONE, field.named("reason"))


func test_noise_tags() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"hearing_noise_tags", PackedStringArray(["Noise.Weapon"]))
		var made: Node = field.source(-3.0)
		for tag: StringName in [&"", &"Noise", &"Noise.Step", &"Noise.Weapons"]:
			field.noise(-3.0, 0.0, 1.0, made, tag)
		field.advance()
		eq(field.kinds(), PackedStringArray(), field.named("no other noise"))
		field.noise(-3.0, 0.0, 1.0, made, &"Noise.Weapon.Shot")
		field.noise(-3.0, 0.0, 1.0, null, &"Noise.Weapon")
		field.advance()
		eq(field.kinds(), PackedStringArray(["target_perceived", "noise_heard", "noise_heard"]), field.named("weapons"))
		eq(field.first(&"noise_heard").event.tag, &"Noise.Weapon.Shot", field.named("tag of the noise"))


func test_ignored_tags_and_tag_container() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"detectable_tags", PackedStringArray(["Team.Red"]))
		field.eye.set(&"ignored_tags", PackedStringArray(["State.Hidden"]))
		var made: Node = field.source(5.0)
		var tags: TagContainer = TagContainer.new()
		field.agent_of(made).add_child(tags)
		field.advance()
		check(not field.sees(made), field.named("without a tag it does not count"))
		tags.add_tag(&"Team.Red.Scout")
		field.advance()
		check(field.sees(made), field.named("the tags of the agent are broadcast"))
		has_element(made.call(&"get_identity_tags"), "Team.Red.Scout", field.named("identity"))
		tags.add_tag(&"State.Hidden.Bush")
		field.noise(5.0, 0.0, 1.0, made)
		field.advance()
		eq(field.eye.call(&"get_senses", made), 0, field.named("ignored tags win: neither seen nor heard"))
		check(field.eye.call(&"has_target", made), field.named("but remembered"))
		tags.remove_tag(&"State.Hidden.Bush")
		field.advance()
		check(field.sees(made), field.named("out of the bush"))
		made.set(&"use_agent_tags", false)
		field.advance()
		check(not field.sees(made), field.named("not broadcast"))
		lacks_element(made.call(&"get_identity_tags"), "Team.Red.Scout", field.named("identity"))


func test_attention_and_threat_without_awareness() -> void:
	for field: Field in Field.both(self):
		var made: Node = field.source(5.0)
		var closer: Node = field.source(3.0)
		field.advance()
		check(field.eye.call(&"get_attention_target") == field.agent_of(closer), field.named("the closest"))
		eq(field.eye.call(&"get_threat", made), 0.0, field.named("no threat"))


func test_damage_displaces_whatever_the_distance() -> void:
	for field: Field in Field.both(self):
		field.eye.set(&"max_perceived_targets", 2)
		field.source(3.0)
		field.source(4.0)
		var sniper: Node = field.source(-190.0)
		field.advance()
		field.forget()
		field.damage(field.guard, sniper, 9.0)
		field.advance()
		eq(field.kinds(), PackedStringArray(["target_sight_lost", "target_lost", "target_perceived", "damage_sensed"]), field.named("signals"))
		eq(field.first(&"target_lost").reason, PerceptionEvent.LOSS_DISPLACED, field.named("the farthest goes"))
		check(field.eye.call(&"has_target", sniper), field.named("the attacker comes"))
		field.forget()
		field.eye.set(&"max_perceived_targets", 1)
		field.advance()
		eq(field.count(&"target_lost"), 1, field.named("lowered: the farthest goes"))
		check(not field.eye.call(&"has_target", sniper), field.named("which is the attacker"))
