extends TestCase
## Calls from every hook and every signal of a stack; nodes that go in the middle.

const Rig := preload("res://support/behaviors.gd")

## Every hook and signal of [method _play].
const PLACES: Array[String] = [
	"enter Patrol", "entered Unit 1", "active >Unit", "tick Patrol 0.10",
	"suspend Patrol", "enter Order", "suspended Unit 1", "entered Command 2", "active Unit>Command",
	"tick Order 0.10", "exit Order 1", "resume Patrol", "exited Command 2 1", "resumed Unit 1", "active Command>Unit",
	"exit Patrol 4", "exited Unit 1 4", "active Unit>",
]


## A patrol, an order above it that succeeds, and the end of the patrol.
func _play(rig: Rig) -> void:
	var calls: Array[Callable] = [
		func() -> void: rig.use(&"Unit", "Patrol"),
		func() -> void: rig.step(),
		func() -> void: rig.use(&"Command", "Order", 2),
		func() -> void: rig.step(2),
		func() -> void: rig.step(),
		func() -> void: rig.stack.clear_layer(&"Unit"),
	]
	for act: Callable in calls:
		if is_instance_valid(rig.stack) and rig.stack.is_inside_tree():
			act.call()


## At each place something happens once; then all that entered has left, once.
func _everywhere(act: Callable, skipped: Array[String] = []) -> void:
	for place: String in PLACES:
		if skipped.has(place.get_slice(" ", 0)):
			continue
		var rig: Rig = Rig.new(self)
		rig.diary.once(place, func() -> void: act.call(rig))
		_play(rig)
		await idle()
		if is_instance_valid(rig.agent):
			rig.agent.free()
		_balanced(rig, place)
		rig.diary.reactions.clear()


func _balanced(rig: Rig, place: String) -> void:
	check(rig.diary.lines.has(place), "it came to " + place)
	var inside: Dictionary[String, int] = {}
	var told: Dictionary[String, int] = {}
	var running: int = 0
	for line: String in rig.diary.lines:
		var words: PackedStringArray = line.split(" ")
		match words[0]:
			"enter":
				inside[words[1]] = inside.get(words[1], 0) + 1
				running += 1
			"resume":
				running += 1
			"suspend":
				running -= 1
			"exit":
				inside[words[1]] = inside.get(words[1], 0) - 1
			"entered":
				told[words[2]] = told.get(words[2], 0) + 1
			"exited":
				told[words[2]] = told.get(words[2], 0) - 1
		check(inside.values().all(func(count: int) -> bool: return count == 0 or count == 1), "enter and exit at " + place)
	check(inside.values().all(func(count: int) -> bool: return count == 0), "all left, at %s: %s" % [place, rig.diary.lines])
	if is_instance_valid(rig.stack):
		check(told.values().all(func(count: int) -> bool: return count == 0), "all were told, at " + place)


func test_set_on_the_same_layer_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void: rig.use(&"Command", "Other", 1))


func test_set_below_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void: rig.use(&"Squad", "Flank"))


func test_set_the_writer_again_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void:
		var state: Rig.State = rig.diary.writer as Rig.State
		if state != null and not state.get_layer().is_empty():
			rig.stack.set_behavior(state.get_layer(), state))


func test_clear_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void:
		for layer: String in rig.stack.layers:
			rig.stack.clear_layer(layer))


func test_finish_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void:
		for child: Node in rig.stack.get_children():
			(child as BehaviorState).finish(BehaviorState.STATUS_FAILED))


func test_switch_off_and_on_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void: rig.stack.enabled = false)
	await _everywhere(func(rig: Rig) -> void:
		rig.stack.enabled = false
		rig.stack.enabled = true)


func test_other_layers_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void: rig.stack.layers = ["Command", "Unit"])
	await _everywhere(func(rig: Rig) -> void: rig.stack.layers = ["Command", "Unit", "Squad"])


func test_taken_out_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void:
		rig.agent.remove_child(rig.stack)
		rig.stack.queue_free())


func test_out_and_in_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void:
		rig.agent.remove_child(rig.stack)
		rig.agent.add_child(rig.stack))


func test_agent_freed_later_everywhere() -> void:
	await _everywhere(func(rig: Rig) -> void: rig.agent.queue_free())


func test_agent_freed_at_once_in_every_hook() -> void:
	# Who frees what is telling a signal is told so by the engine.
	await _everywhere(
		func(rig: Rig) -> void: rig.agent.free(), ["entered", "suspended", "resumed", "exited", "active"])


func test_behaviors_freed_everywhere() -> void:
	for place: String in PLACES:
		var rig: Rig = Rig.new(self)
		rig.diary.once(place, func() -> void:
			for child: Node in rig.stack.get_children():
				child.queue_free())
		_play(rig)
		await idle()
		rig.step()
		eq(rig.stack.get_active_layer(), &"", "all routes are gone, at " + place)
		rig.agent.free()
		rig.diary.reactions.clear()


func test_a_behavior_that_queues_itself() -> void:
	for place: String in ["enter Order", "tick Order 0.10", "suspend Order", "resume Order"]:
		var rig: Rig = Rig.new(self)
		rig.use(&"Unit", "Patrol")
		rig.diary.once(place, func() -> void: (rig.diary.writer as Node).queue_free())
		rig.use(&"Squad", "Order")
		rig.step()
		var above: int = rig.use(&"Command", "Above")
		rig.stack.remove_behavior(above)
		await idle()
		rig.step()
		eq(rig.stack.get_active_layer(), &"Unit", "the next one runs, at " + place)
		eq(rig.diary.lines.count("resume Patrol"), 1, "once, at " + place)
		eq(rig.diary.lines.count("exited Squad 2 6"), 1, "told, at " + place)
		rig.diary.reactions.clear()


func test_a_runner_freed_in_its_own_signal() -> void:
	var rig: Rig = Rig.new(self)
	rig.stack.behavior_entered.connect(func(layer: StringName, _id: int) -> void: rig.stack.get_behavior(layer).free(), CONNECT_ONE_SHOT)
	rig.use(&"Unit", "Patrol")
	rig.step()
	eq(rig.take(), "enter Patrol, entered Unit 1, active >Unit, exited Unit 1 6, active Unit>", "gone in the next tick")


func test_advance_from_inside() -> void:
	var rig: Rig = Rig.new(self)
	expect_error("advance() was called from inside the node's own step.")
	rig.diary.once("enter Patrol", func() -> void: rig.step())
	rig.use(&"Unit", "Patrol")
	eq(rig.take("tick"), "", "no tick")


func test_a_route_is_told_before_its_hooks() -> void:
	var rig: Rig = Rig.new(self)
	var seen: Array = []
	rig.diary.once("enter Patrol", func() -> void:
		seen.append(rig.use(&"Command", "Order"))
		seen.append(rig.stack.get_active_layer())
		seen.append(rig.diary.lines.has("enter Order")))
	rig.use(&"Unit", "Patrol")
	eq(seen, [2, &"Command", false], "at once, its hooks follow")
	eq(rig.take(), "enter Patrol, entered Unit 1, suspend Patrol, enter Order, suspended Unit 1, entered Command 2, active >Command", "after the signals of the one before")


func test_behaviors_without_end() -> void:
	var rig: Rig = Rig.new(self)
	var first: Rig.State = rig.state("First")
	expect_error("set_behavior() was called without end from hooks and handlers.")
	rig.stack.behavior_entered.connect(func(_layer: StringName, _id: int) -> void: rig.stack.set_behavior(&"Unit", first))
	rig.stack.set_behavior(&"Unit", first)
	check(rig.diary.lines.size() < 10000, "it was stopped")
	for connection: Dictionary in rig.stack.behavior_entered.get_connections():
		rig.stack.behavior_entered.disconnect(connection.callable)


func test_overrides_whose_setter_misbehaves() -> void:
	var rig: Rig = Rig.new(self)
	var sly: BehaviorState = script("extends BehaviorState\n@export var speed: float = 1.0:\n\tset(value):\n\t\tspeed = value\n\t\tif value > 1.0:\n\t\t\tget_behavior_stack().clear_layer(&\"Unit\")\n").new()
	rig.stack.add_child(sly)
	rig.stack.set_behavior(&"Unit", sly, {"speed": 2.0})
	eq(rig.take(), "entered Unit 1, exited Unit 1 4", "entered and left")
	eq(sly.get("speed"), 1.0, "put back")


func test_a_scene_whose_ready_sets_another() -> void:
	var rig: Rig = Rig.new(self)
	var pushy: GDScript = script("extends BehaviorState\nfunc _ready() -> void:\n\t(get_parent() as BehaviorStack).clear_layer(&\"Unit\")\n")
	var root: Node = pushy.new()
	root.name = "Pushy"
	var scene: PackedScene = PackedScene.new()
	scene.pack(root)
	root.free()
	rig.use(&"Unit", "Patrol")
	rig.take()
	eq(rig.stack.set_behavior(&"Unit", scene), 2, "its route")
	eq(rig.take(), "exit Patrol 3, exited Unit 1 3, active Unit>", "it took itself off while it was set")
	eq(rig.stack.get_route(&"Unit"), 0, "nothing is there")
