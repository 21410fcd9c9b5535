extends TestCase
## The snippets of the guides to abilities and to moving run as printed.

const HOLDER := "AbilitySystem"


## The script of the first snippet of a guide that contains `mark`.
func _snippet(guide: String, mark: String, base: String = "") -> GDScript:
	var path: String = OS.get_environment("RIPOSTE_ROOT").path_join(guide)
	for part: String in FileAccess.get_file_as_string(path).split("```gdscript\n").slice(1):
		var source: String = part.get_slice("```", 0)
		if source.contains(mark):
			source = RegEx.create_from_string("(?m)^class_name .*$").sub(source, "", true)
			return script(base + source)
	fail("%s has no snippet with %s" % [guide, mark])
	return null


func _fighter(ability: GameplayAbility) -> CharacterBody3D:
	var agent: CharacterBody3D = CharacterBody3D.new()
	agent.add_child(TagContainer.new())
	var vitals: AgentVitals = AgentVitals.new()
	vitals.name = "AgentVitals"
	var mana: AgentVital = AgentVital.new()
	mana.tag = &"Vital.Mana"
	mana.max_value = 50.0
	vitals.vitals = [mana]
	agent.add_child(vitals)
	var system: AbilitySystem = AbilitySystem.new()
	system.name = HOLDER
	system.process_callback = AbilitySystem.PROCESS_MANUAL
	system.initial_abilities = [ability]
	agent.add_child(system)
	add(agent)
	return agent


func _system(agent: Node) -> AbilitySystem:
	return agent.get_node(HOLDER)


func test_the_first_ability() -> void:
	var dash: GameplayAbility = _snippet("docs/abilities.md", "class_name DashAbility").new()
	var agent: CharacterBody3D = _fighter(dash)
	# The lines that start it, as they stand in the guide.
	var path: String = OS.get_environment("RIPOSTE_ROOT").path_join("docs/abilities.md")
	var lines: String = FileAccess.get_file_as_string(path).get_slice("A script starts it:\n\n```gdscript\n", 1).get_slice("```", 0)
	agent.set_script(script("extends CharacterBody3D\nfunc go() -> void:\n" + lines.indent("\t")))
	agent.call(&"go")
	near(agent.velocity, Vector3(0, 0, -12), 1e-4, "it dashes forward")
	for i: int in 3:
		_system(agent).advance(0.1)
	eq(agent.velocity, Vector3.ZERO, "and stops")
	eq(Array(_system(agent).get_active_handles()), [], "over")


func test_block() -> void:
	var block: GameplayAbility = _snippet("docs/abilities.md", "class_name BlockAbility").new()
	var agent: CharacterBody3D = _fighter(block)
	Input.action_press(&"ui_accept")
	var handle: int = _system(agent).grant_ability(block)
	_system(agent).activate(handle)
	_system(agent).advance(0.1)
	check(_system(agent).is_active(handle), "as long as the key")
	has_element(_system(agent).get_owned_tags(), "State.Blocking", "tag")
	Input.action_release(&"ui_accept")
	_system(agent).advance(0.1)
	check(not _system(agent).is_active(handle), "and not longer")
	lacks_element(_system(agent).get_owned_tags(), "State.Blocking", "tag")


func test_fireball() -> void:
	var fireball: GameplayAbility = _snippet("docs/abilities.md", "class_name FireballAbility").new()
	var agent: CharacterBody3D = _fighter(fireball)
	var handle: int = _system(agent).grant_ability(fireball)
	var vitals: AgentVitals = agent.get_node("AgentVitals")
	for cast: int in 2:
		check(_system(agent).activate(handle) > 0, "cast %d" % cast)
	near(vitals.get_value(&"Vital.Mana"), 10.0, 1e-4, "paid twice")
	eq(_system(agent).activate(handle), 0, "not enough")
	near(vitals.get_value(&"Vital.Mana"), 10.0, 1e-4, "and nothing paid")


func test_stagger() -> void:
	var stagger: GameplayAbility = _snippet("docs/abilities.md", "class_name StaggerAbility").new()
	var agent: CharacterBody3D = _fighter(stagger)
	var strike: GameplayAbility = GameplayAbility.new()
	strike.ability_tags = ["Ability.Attack"]
	var system: AbilitySystem = _system(agent)
	var ended: SignalRecord = record(system.ability_ended)
	system.activate(system.grant_ability(strike))
	system.send_event(&"Hit", ActionContext.create(null, 5.0))
	eq(ended.count(), 0, "a light hit")
	# As printed in the guide.
	agent.set_script(script("extends CharacterBody3D\nfunc go() -> void:\n\t($AbilitySystem as AbilitySystem).send_event(&\"Hit.Head\", ActionContext.create(null, 25.0))\n"))
	agent.call(&"go")
	eq(ended.arguments(1), [AbilitySystem.END_INTERRUPTED], "a hard one ends the strike")
	has_element(system.get_owned_tags(), "State.Staggered", "staggered")
	for i: int in 5:
		system.advance(0.1)
	lacks_element(system.get_owned_tags(), "State.Staggered", "and back")


func test_leap() -> void:
	var source: GDScript = _snippet("docs/moving.md", "func leap_at", "extends CharacterBody3D\nvar told: Array = []\n")
	var agent: CharacterBody3D = CharacterBody3D.new()
	var warp: MotionWarp3D = MotionWarp3D.new()
	warp.name = "MotionWarp3D"
	agent.add_child(warp)
	agent.set_script(source)
	add(agent)
	var foe: Node3D = add(Node3D.new())
	foe.position = Vector3(0, 0, -4)
	agent.call(&"leap_at", foe)
	await until(func() -> bool: return not warp.is_window_active(), "it lands", 2.0)
	near(agent.position, Vector3(0, 0, -2.8), 0.01, "1.2 m in front of it")


func test_manual_warp() -> void:
	var source: GDScript = _snippet("docs/moving.md", "warp_velocity(velocity, delta)", "extends CharacterBody3D\n")
	var agent: CharacterBody3D = CharacterBody3D.new()
	var warp: MotionWarp3D = MotionWarp3D.new()
	warp.name = "MotionWarp3D"
	warp.mode = MotionWarp3D.MODE_MANUAL
	agent.add_child(warp)
	agent.motion_mode = CharacterBody3D.MOTION_MODE_FLOATING
	agent.set_script(source)
	add(agent)
	var foe: Node3D = add(Node3D.new())
	foe.position = Vector3(0, 0, -4)
	warp.set_target(&"Leap", foe)
	warp.begin_window(&"Leap", 0.5)
	await until(func() -> bool: return not warp.is_window_active(), "it lands", 2.0)
	near(agent.position, Vector3(0, 0, -3), 0.01, "1 m in front of it")


func test_guard_while_blocking() -> void:
	var source: GDScript = _snippet("docs/moving.md", "func guard_while_blocking", "extends CharacterBody3D\n")
	var agent: CharacterBody3D = CharacterBody3D.new()
	var guard: LedgeGuard3D = LedgeGuard3D.new()
	guard.name = "LedgeGuard3D"
	agent.add_child(guard)
	agent.set_script(source)
	add(agent)
	var shield: Node = add(Node.new())
	agent.call(&"guard_while_blocking", shield)
	check(guard.is_guarding(), "held")
	await until(func() -> bool: return not guard.is_guarding(), "and given back after a second", 2.0)
