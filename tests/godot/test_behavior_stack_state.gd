extends TestCase
## Saved state, configuration warnings and the log of a stack.

const Rig := preload("res://support/behaviors.gd")


class Counting:
	extends Rig.State

	func export_state() -> Dictionary:
		return {"ticked": ticked}

	func import_state(state: Dictionary) -> void:
		ticked = state["ticked"]
		note("import %s %d" % [name, ticked])


func _counting(rig: Rig, named: String) -> Counting:
	var made: Counting = Counting.new()
	made.name = named
	made.diary = rig.diary
	rig.stack.add_child(made)
	return made


func test_out_and_in() -> void:
	var rig: Rig = Rig.new(self)
	rig.stack.set_behavior(&"Unit", _counting(rig, "Patrol"))
	rig.step(3)
	rig.use(&"Command", "Order")
	var saved: Dictionary = rig.stack.export_state()
	eq(saved, {"version": 1, "enabled": true, "layers": [["Unit", {"node": "Patrol", "state": {"ticked": 3}}], ["Command", {"node": "Order"}]]}, "plain values")
	var through_json: Dictionary = JSON.parse_string(JSON.stringify(saved))
	var other: Rig = Rig.new(self)
	var patrol: Counting = _counting(other, "Patrol")
	other.state("Order")
	other.take()
	check(other.stack.import_state(through_json), "taken")
	eq(other.take(), "enter Order, import Patrol 3", "the highest enters, no signals")
	eq([other.stack.get_behavior(&"Unit"), other.stack.get_active_layer(), patrol.ticked], [patrol, &"Command", 3], "as saved")
	eq(other.stack.export_state(), saved, "the same again")
	rig.take()
	check(rig.stack.import_state(saved), "into itself")
	eq(rig.take(), "import Patrol 3", "what runs goes on")


func test_what_is_not_saved_leaves() -> void:
	var rig: Rig = Rig.new(self)
	var empty: Dictionary = rig.stack.export_state()
	rig.use(&"Unit", "Patrol")
	rig.use(&"Squad", "Flank")
	rig.stack.enabled = false
	rig.take()
	check(rig.stack.import_state(empty), "taken")
	check(rig.stack.enabled, "switched on")
	eq(rig.take(), "exit Patrol 4, exit Flank 4", "both left, no signals")
	rig.use(&"Unit", "Guard")
	eq(rig.take(), "enter Guard, entered Unit 3, active >Unit", "signals are back")


func test_a_state_that_does_not_fit() -> void:
	var rig: Rig = Rig.new(self)
	rig.use(&"Unit", "Patrol")
	rig.take()
	expect_error("import_state() got a state of version 7.")
	check(not rig.stack.import_state({"version": 7}), "version")
	expect_error("import_state() got a state with another structure.")
	check(not rig.stack.import_state({"version": 1, "enabled": true, "layers": "Unit"}), "structure")
	check(not rig.stack.import_state({"version": 1, "enabled": true, "layers": [["Unit", 3]]}), "structure of a layer")
	eq(rig.take(), "", "nothing changed")
	expect_warning("import_state() left layer \"Unit\" out: there is no \"Ghost\".")
	expect_warning("import_state() left layer \"Air\" out: it got layer \"Air\", which is not there.")
	var wrong: Array = [["Unit", {"node": "Ghost"}], ["Air", {"node": "Patrol"}], ["Squad", {"node": "Patrol"}]]
	check(rig.stack.import_state({"version": 1, "enabled": true, "layers": wrong}), "the rest is taken")
	eq(rig.take("exit enter"), "exit Patrol 4, enter Patrol", "moved to another layer")
	eq(rig.stack.get_active_layer(), &"Squad", "there it is")
	expect_error("import_state() was called from inside a hook or handler")
	rig.diary.once("enter Order", func() -> void: rig.stack.import_state(rig.stack.export_state()))
	rig.use(&"Command", "Order")


func test_scenes_by_their_file() -> void:
	var rig: Rig = Rig.new(self)
	var scene: PackedScene = load("res://support/stages/guest.tscn")
	rig.stack.set_behavior(&"Unit", scene)
	var saved: Dictionary = rig.stack.export_state()
	eq(saved["layers"], [["Unit", {"file": "res://support/stages/guest.tscn"}]], "by its file")
	rig.stack.clear_layer(&"Unit")
	await idle()
	check(rig.stack.import_state(saved), "taken")
	eq(rig.stack.get_behavior(&"Unit").name, &"Guest", "instanced again")


func _warnings(node: Node) -> String:
	if not node.has_method(&"get_configuration_warnings"):
		return ""
	return "\n".join(node.call(&"get_configuration_warnings") as PackedStringArray)


func test_configuration_warnings() -> void:
	var rig: Rig = Rig.new(self)
	if not rig.stack.has_method(&"get_configuration_warnings"):
		check(true, "the engine does not tell them to scripts")
		return
	eq(_warnings(rig.stack), "", "none")
	rig.state("First").autostart_layer = &"Unit"
	rig.state("Second").autostart_layer = &"Unit"
	rig.state("Third").autostart_layer = &"Air"
	has_element(_warnings(rig.stack), "Second is not the only one that begins on layer \"Unit\"", "two of a layer")
	has_element(_warnings(rig.stack), "Third: autostart_layer is \"Air\", which is not in layers. Known: Unit, Squad, Command.", "unknown")
	var stray: BehaviorState = BehaviorState.new()
	stray.autostart_layer = &"Unit"
	add(stray)
	has_element(_warnings(stray), "autostart_layer has no effect", "not below a stack")
	var second: BehaviorStack = BehaviorStack.new()
	rig.agent.add_child(second)
	has_element(_warnings(second), "more than one BehaviorStack", "two stacks")


func test_log() -> void:
	if not ClassDB.class_exists(&"Logger"):
		check(true, "the engine has no loggers")
		return
	var rig: Rig = Rig.new(self)
	var catcher: Object = (load("res://support/message_catcher.gd") as GDScript).new()
	OS.call("add_logger", catcher)
	rig.use(&"Unit", "Silent")
	rig.stack.debug_log_execution = true
	rig.use(&"Unit", "Patrol")
	rig.step()
	rig.use(&"Command", "Order")
	rig.stack.debug_log_execution = false
	rig.stack.clear_layer(&"Command")
	OS.call("remove_logger", catcher)
	var lines: PackedStringArray = catcher.call("take")
	var text: String = ", ".join(Array(lines).map(func(line: String) -> String: return line.get_slice(": ", 1)))
	eq(
		text,
		"exit(Silent,3), enter(Patrol), exited(Unit,1,3), entered(Unit,2), suspend(Patrol), enter(Order), "
		+ "suspended(Unit,2), entered(Command,3), active(Unit→Command)",
		"hooks and signals",
	)
	has_element(lines[4], "Stack) 0.10 s: suspend(Patrol)", "with node and time")
