extends TestCase
## Calls of every entry point from inside of every hook and every handler; nodes that go there.

const Talker := preload("res://support/command_talker.gd")
const STEPS: PackedStringArray = [
	"issue A", "enq A", "next A", "intr A", "issue R", "enq R", "next R", "intr R", "cancel", "skip", "clearq", "clear", "rm 0",
	"rm 0 5", "S", "F", "C", "mark", "disable", "S#1",
]

## Orders that did not stop in time; that is told once for an order and its node.
var _timeouts: int = 0


func test_every_step_in_every_place() -> void:
	limit_seconds = 600.0
	for place: String in Talker.PLACES:
		for step: String in STEPS:
			_try(place, step, func(talker: Talker) -> void: talker.rig.perform(step))
	_declare()


func test_other_methods_in_every_place() -> void:
	var calls: Dictionary[String, Callable] = {
		"replace_commands": func(talker: Talker) -> void:
			talker.rig.system.replace_commands([talker.rig.request("R"), talker.rig.request("N")]),
		"check_command": func(talker: Talker) -> void: talker.rig.system.check_command(talker.rig.request("R")),
		"get_options": func(talker: Talker) -> void: talker.rig.system.get_options(null, true),
		"remove_last": func(talker: Talker) -> void: talker.rig.system.remove_last(),
		"export_state": func(talker: Talker) -> void: talker.rig.system.export_state(),
		"getters": _read_all,
		"add_command": func(talker: Talker) -> void:
			talker.rig.system.add_command(talker.order)
			talker.rig.system.remove_command(talker.order),
		"cancel every order": func(talker: Talker) -> void:
			for info: CommandInfo in talker.rig.system.get_command_queue():
				talker.rig.system.cancel_command(info.command_id),
		"report_result": func(talker: Talker) -> void:
			talker.rig.system.report_result(talker.rig.last.execution_id if talker.rig.last != null else 1, 1),
	}
	for place: String in Talker.PLACES:
		for what: String in calls:
			_try(place, what, calls[what])
	_declare()


func test_settings_in_every_place() -> void:
	var calls: Dictionary[String, Callable] = {
		"max_queue_length": func(talker: Talker) -> void: talker.rig.system.max_queue_length = 1,
		"restrict_to_palette": func(talker: Talker) -> void: talker.rig.system.restrict_to_palette = true,
		"time_scale": func(talker: Talker) -> void: talker.rig.system.time_scale = 0.5,
		"insert_only_sources": func(talker: Talker) -> void: talker.rig.system.insert_only_sources = ["ai"],
		"no execution": func(talker: Talker) -> void: talker.order.execution = null,
		"no variants": func(talker: Talker) -> void: talker.order.variants = [],
		"other tags": func(talker: Talker) -> void: talker.order.granted_tags = ["State.Other"],
		"blocked": func(talker: Talker) -> void: talker.rig.tags.add_tag(&"State.CommandsBlocked"),
		"no tags": func(talker: Talker) -> void: talker.rig.tags.queue_free(),
	}
	for place: String in Talker.PLACES:
		for what: String in calls:
			if what == "no execution":
				# Without one the default is asked for, which finds no stack here: the order is refused, silently.
				continue
			_try(place, what, calls[what])
	_declare()


func test_advance_in_every_place() -> void:
	for place: String in Talker.PLACES:
		if place in ["can_accept", "get_variant", "validate", "can_execute", "score", "get_execution", "available", "rejected"]:
			continue
		expect_error("advance")
		_try(place, "advance", func(talker: Talker) -> void: talker.rig.system.advance(0.1))
	_declare()


func test_agent_freed_later_in_every_place() -> void:
	for place: String in Talker.PLACES:
		var talker: Talker = _talker(place, func(made: Talker) -> void: made.rig.agent.queue_free())
		talker.run()
		await idle()
		check(not is_instance_valid(talker.rig.system), "gone, at " + place)
		_balance(talker, place)
	_declare()


func test_agent_taken_out_in_every_place() -> void:
	for place: String in Talker.PLACES:
		var talker: Talker = _talker(place, func(made: Talker) -> void: made.rig.agent.get_parent().remove_child(made.rig.agent))
		talker.run()
		_balance(talker, place)
		eq(talker.rig.system.get_phase(), CommandSystem.PHASE_IDLE, "phase, at " + place)
		talker.rig.agent.free()
	_declare()


func test_target_freed_in_every_place() -> void:
	for place: String in Talker.PLACES:
		_try(place, "target freed", func(talker: Talker) -> void:
			if is_instance_valid(talker.target):
				talker.target.free())
	_declare()


func _declare() -> void:
	if _timeouts > 0:
		expect_warning("did not stop in time", _timeouts)


func _try(place: String, what: String, reaction: Callable) -> void:
	var talker: Talker = _talker(place, reaction)
	talker.run()
	talker.drain()
	_balance(talker, "%s at %s" % [what, place])
	check(talker.rig.system.is_idle(), "%s at %s comes to rest" % [what, place])
	if is_instance_valid(talker.rig.tags):
		eq(talker.rig.tags.get_tag_count(&"State.Busy"), 0, "tags, %s at %s" % [what, place])
	talker.rig.agent.free()


func _talker(place: String, reaction: Callable) -> Talker:
	var talker: Talker = Talker.new(self)
	var weak: WeakRef = weakref(talker)
	talker.rig.reactions[place] = func() -> void:
		var told: Talker = weak.get_ref()
		if told != null:
			reaction.call(told)
	return talker


## Every order that was accepted has one end, and none else.
func _balance(talker: Talker, what: String) -> void:
	var slow: Dictionary[String, bool] = {}
	var ends: Dictionary[String, int] = {}
	for word: String in talker.rig.words:
		if word.begins_with("timeout("):
			slow[word.substr(8, 1)] = true
		if word.begins_with("end("):
			var named: String = word.trim_prefix("end(").get_slice(",", 0)
			ends[named] = ends.get(named, 0) + 1
	_timeouts += slow.size()
	for named: String in ends:
		eq(ends[named], 1, "ends of %s, %s" % [named, what])
	for receipt: CommandReceipt in talker.rig.receipts:
		if receipt.is_accepted():
			check(receipt.is_ended(), "the receipt of an order is ended, " + what)


func _read_all(talker: Talker) -> void:
	var system: CommandSystem = talker.rig.system
	system.get_current_command()
	system.get_current_handle()
	system.get_command_queue()
	system.get_last_result()
	system.get_phase()
	system.get_command(1)
	system.is_idle()
