extends TestCase
## Relationships: overrides, answers of the game, tags, teams, damage.

const Mind := preload("res://support/mind.gd")


## A node with methods, one `name(...) -> type = expression` a line.
func _with(lines: String, node: Node = Node.new()) -> Node:
	var source: String = "extends Node\n"
	for line: String in lines.split("\n", false):
		var parts: PackedStringArray = line.split(" = ", true, 1)
		source += "func %s:\n\treturn %s\n" % [parts[0], parts[1]]
	node.set_script(script(source))
	return node


func test_ex_20_31() -> void:
	for mind: Mind in Mind.both(self):
		mind.profile.default_relationship = AgentAwareness.RELATION_UNKNOWN
		mind.source_of(mind.guard).set(&"affiliation_tags", PackedStringArray(["Team.Red"]))
		var rows: Array = [["Team.Red", AgentAwareness.RELATION_TEAMMATE], ["Team.Blue", AgentAwareness.RELATION_HOSTILE], ["", AgentAwareness.RELATION_UNKNOWN]]
		for row: Array in rows:
			var made: Node = mind.source(5.0)
			made.set(&"affiliation_tags", PackedStringArray([row[0]]) if row[0] != "" else PackedStringArray())
			eq(mind.awareness.get_relationship(mind.agent_of(made)), row[1], mind.named("[Team.Red] and [%s]" % row[0]))
			if row[0] == "Team.Red":
				mind.profile.hostile_tags = PackedStringArray(["Team.Red"])
				eq(mind.awareness.get_relationship(mind.agent_of(made)), AgentAwareness.RELATION_HOSTILE, mind.named("lists come before teams"))
				mind.profile.hostile_tags = PackedStringArray()


func test_teams_count_without_a_profile() -> void:
	for mind: Mind in Mind.both(self):
		mind.awareness.profile = null
		mind.source_of(mind.guard).set(&"affiliation_tags", PackedStringArray(["Team.Red"]))
		var made: Node = mind.source(5.0)
		made.set(&"affiliation_tags", PackedStringArray(["Team.Blue"]))
		mind.advance(2)
		eq(mind.awareness.get_relationship(mind.agent_of(made)), AgentAwareness.RELATION_HOSTILE, mind.named("another team"))


func test_ex_20_32() -> void:
	for mind: Mind in Mind.both(self):
		mind.profile.neutral_tags = PackedStringArray(["Folk"])
		mind.profile.friendly_tags = PackedStringArray(["Ally"])
		var folk: Node = mind.source(5.0)
		folk.set(&"affiliation_tags", PackedStringArray(["Folk.Miller"]))
		var ally: Node = mind.source(6.0)
		ally.set(&"affiliation_tags", PackedStringArray(["Ally"]))
		mind.advance(2)
		eq(mind.awareness.get_relationship(folk), AgentAwareness.RELATION_NEUTRAL, mind.named("neutral"))
		for made: Node in [folk, ally]:
			mind.damage(mind.guard, made, 10.0)
		mind.advance()
		eq(mind.awareness.get_relationship(folk), AgentAwareness.RELATION_HOSTILE, mind.named("turned hostile"))
		eq(mind.awareness.get_record(folk).relationship, AgentAwareness.RELATION_HOSTILE, mind.named("in the record"))
		eq(mind.awareness.get_relationship(ally), AgentAwareness.RELATION_FRIENDLY, mind.named("friends stay friends"))
		eq(mind.awareness.get_threat(ally), 0.0, mind.named("without threat"))


func test_order_of_relationships() -> void:
	for mind: Mind in Mind.both(self):
		var made: Node = mind.agent_of(mind.source(5.0))
		var envoy: Node = _with("get_relationship_to(_other: Node) -> int = 2")
		mind.guard.add_child(envoy)
		eq(mind.awareness.get_relationship(made), AgentAwareness.RELATION_NEUTRAL, mind.named("a child of the own agent says so"))
		check(mind.awareness.set_relationship_override(made, AgentAwareness.RELATION_TEAMMATE), mind.named("override"))
		eq(mind.awareness.get_relationship(made), AgentAwareness.RELATION_TEAMMATE, mind.named("comes first"))
		mind.awareness.clear_relationship_override(made)
		envoy.free()
		eq(mind.awareness.get_relationship(made), AgentAwareness.RELATION_HOSTILE, mind.named("looked up again when children change"))
		expect_warning("get_relationship_to")
		mind.guard.add_child(_with("get_relationship_to(_other: Node) -> int = 9"))
		eq(mind.awareness.get_relationship(made), AgentAwareness.RELATION_HOSTILE, mind.named("out of range: ignored"))
		expect_error("set_relationship_override")
		eq(mind.awareness.set_relationship_override(made, 17), false, mind.named("no such relationship"))


func test_adapters_may_do_anything() -> void:
	for mind: Mind in Mind.both(self):
		var body: Node = mind.agent_of(mind.source(5.0))
		var calls: Array[int] = [0]
		body.set_script(script("extends Node\nvar act: Callable\nfunc get_stance() -> int:\n\tact.call()\n\treturn 1\n"))
		body.set(&"act", func() -> void:
			calls[0] += 1
			mind.awareness.get_records()
			mind.awareness.forget(body)
			mind.eye.call(&"forget_all")
			mind.eye.call(&"scan_now"))
		mind.advance(5)
		check(calls[0] > 0, mind.named("asked"))
		body.set(&"act", func() -> void: pass)
		mind.clear()
