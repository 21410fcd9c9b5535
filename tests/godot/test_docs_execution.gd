extends TestCase
## The recipes of the guide to execution run as printed.

const Rig := preload("res://support/action_rig.gd")


## The reader's agent.
class Fighter:
	extends Node3D
	var swings: int = 0

	func swing() -> void:
		swings += 1


func _recipe(name: String) -> GDScript:
	var path: String = OS.get_environment("RIPOSTE_ROOT").path_join("docs/execution.md")
	var text: String = FileAccess.get_file_as_string(path)
	var source: String = text.get_slice("class_name %s\n" % name, 1).get_slice("```", 0)
	var made: GDScript = GDScript.new()
	made.source_code = source
	eq(made.reload(), OK, name)
	return made


func _rig(method: ExecutionMethod, id: StringName = &"Slam") -> Rig:
	var spec: ActionSpec = Rig.spec(id)
	spec.execution_method = method
	return Rig.new(self, [spec, Rig.spec(&"Jab")], null, Fighter.new())


func _scene(root: Node) -> PackedScene:
	var made: PackedScene = PackedScene.new()
	made.pack(root)
	root.free()
	return made


func test_telegraph() -> void:
	var method: ExecutionMethod = _recipe("TelegraphedSwing").new()
	method.set(&"warning", _scene(Node3D.new()))
	var rig: Rig = _rig(method)
	var children: int = rig.agent.get_child_count()
	rig.brain.execute_action(&"Slam")
	eq(rig.agent.get_child_count(), children + 1, "the warning")
	rig.step(10)
	await idle(1)
	eq([(rig.agent as Fighter).swings, rig.agent.get_child_count(), rig.brain.is_executing()], [1, children, false], "one swing, no warning")
	rig.brain.execute_action(&"Slam")
	rig.step(3)
	rig.brain.abort_action()
	await idle(1)
	eq([(rig.agent as Fighter).swings, rig.agent.get_child_count()], [1, children], "cut short: neither")


func test_veto_and_analytics() -> void:
	var rig: Rig = _rig(null)
	var config: AgentConfig = AgentConfig.new()
	rig.brain.config = config
	config.global_hook = _recipe("CeasefireHook").new()
	WorldTags.add_tag(&"World.Cutscene")
	eq(rig.brain.execute_action(&"Jab"), 0, "no fights in cutscenes")
	WorldTags.remove_tag(&"World.Cutscene")
	ne(rig.brain.execute_action(&"Jab"), 0, "afterwards")
	rig.brain.abort_action()
	var hook: ActionHook = _recipe("AnalyticsHook").new()
	config.global_hook = hook
	rig.brain.execute_action(&"Jab")
	rig.step(2)
	rig.brain.abort_action()
	var rows: Array = hook.get(&"rows")
	eq(rows.size(), 1, "one row")
	eq([rows[0].agent, rows[0].action, rows[0].target, rows[0].reason], [&"Guard", &"Jab", &"", ActionEvaluator.END_CANCELLED], "of the run")
	near(rows[0].seconds, 0.2, 1e-6, "its time")


func test_channelled_spell() -> void:
	var spell: ActionSpec = (_recipe("ChannelMethod").call(&"make_spell") as ActionSpec)
	spell.cooldown_randomization = 0.0
	spell.add_tags = []
	var rig: Rig = Rig.new(self, [spell], null, Fighter.new())
	rig.brain.execute_action(&"Mend")
	rig.step(10)
	rig.brain.abort_action()
	near(rig.brain.get_remaining_cooldown(&"Mend"), 5.5, 1e-4, "half of the 11 s that were left")
	rig.brain.reset_cooldown(&"Mend")
	rig.brain.execute_action(&"Mend")
	rig.step(22)
	check(not rig.brain.is_executing(), "it ends by itself")
	between(rig.brain.get_remaining_cooldown(&"Mend"), 9.5, 12.0, "and pays in full")


func test_projectile() -> void:
	var stone: Node3D = Node3D.new()
	stone.set_script(script("extends Node3D\nsignal hit(met_target: bool)\n@export var velocity: Vector3\nfunc _enter_tree() -> void:\n\tadd_to_group(&\"stones\")\n"))
	var path: String = "user://stone.tscn"
	ResourceSaver.save(_scene(stone), path)
	var method: ExecutionMethod = _recipe("ProjectileMethod").new()
	method.set(&"projectile", path)
	var rig: Rig = _rig(method)
	eq(rig.brain.execute_action(&"Slam"), 0, "not without a target")
	rig.aim_at(Vector3(0, 0, -4))
	rig.brain.execute_action(&"Slam")
	var thrown: Node3D = get_tree().get_first_node_in_group(&"stones")
	near(thrown.get(&"velocity"), Vector3(0, 0, -15), 1e-4, "on its way")
	rig.step(3)
	check(rig.brain.is_executing(), "the action waits for it")
	thrown.emit_signal(&"hit", true)
	rig.step(1)
	eq(rig.diary.take("ended"), "ended Slam 0", "completed")
	thrown.queue_free()
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))
