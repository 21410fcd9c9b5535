extends TestCase
## A state that is taken over where it came from: whoever ordered still hears of the end.

const RUNNER := "extends CommandExecution\nfunc _start_execution(_handle: CommandHandle) -> void:\n\tpass\n"


func _make() -> CommandSystem:
	var agent := Node.new()
	var system := CommandSystem.new()
	system.process_callback = CommandSystem.PROCESS_MANUAL
	agent.add_child(system)
	add(agent)
	return system


func _def(id: StringName, system: CommandSystem) -> CommandDefinition:
	var made := CommandDefinition.new()
	made.id = id
	made.execution = script(RUNNER).new()
	system.add_command(made)
	return made


func test_receipts_stay_over_an_import() -> void:
	var system := _make()
	var a := system.issue_command(CommandRequest.simple(_def(&"A", system)))
	var b := system.enqueue_command(CommandRequest.simple(_def(&"B", system)))
	check(system.import_state(system.export_state()), "taken over")
	system.get_current_handle().succeed()
	check(a.is_ended(), "A ended")
	check(not b.is_ended(), "B runs")
	system.get_current_handle().succeed()
	check(b.is_ended(), "B ended")


func test_receipts_stay_over_an_import_in_a_handler() -> void:
	var system := _make()
	var once := [false]
	system.command_queue_changed.connect(
		func() -> void:
			if not once[0]:
				once[0] = true
				check(system.import_state(system.export_state()), "taken over")
	)
	var a := system.issue_command(CommandRequest.simple(_def(&"A", system)))
	var b := system.enqueue_command(CommandRequest.simple(_def(&"B", system)))
	check(once[0], "imported inside")
	system.get_current_handle().succeed()
	check(a.is_ended(), "A ended")
	check(not b.is_ended(), "B runs")
	system.get_current_handle().succeed()
	check(b.is_ended(), "B ended")
