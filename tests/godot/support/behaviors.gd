extends RefCounted
## An agent with a stack that is advanced by hand, and behaviours that write down what they are told.

const Diary := preload("res://support/diary.gd")

var diary: Diary = Diary.new()
var agent: Node
var stack: BehaviorStack


## A state that writes each hook, `enter Patrol`.
class State:
	extends BehaviorState
	var diary: Diary
	var ends: int = -1
	var status: int = STATUS_SUCCEEDED
	var ticked: int = 0
	@export var speed: float = 1.0
	@export var side: String = "left"

	func _enter() -> void:
		ticked = 0
		note("enter " + name)

	func _tick(delta: float) -> int:
		ticked += 1
		note("tick %s %.2f" % [name, delta])
		return status if ticked == ends else STATUS_RUNNING

	func _exit(reason: int) -> void:
		note("exit %s %d" % [name, reason])

	func _suspend() -> void:
		note("suspend " + name)

	func _resume() -> void:
		note("resume " + name)

	func note(line: String) -> void:
		diary.writer = self
		diary.write(line)


func _init(owner: Node, with: Node = Node3D.new()) -> void:
	agent = with
	agent.name = "Guard"
	stack = BehaviorStack.new()
	stack.name = "Stack"
	stack.process_callback = BehaviorStack.PROCESS_MANUAL
	agent.add_child(stack)
	watch(stack)
	owner.add_child(agent)


func watch(on: BehaviorStack) -> void:
	on.active_layer_changed.connect(func(old: StringName, new: StringName) -> void: write("active %s>%s" % [old, new]))
	on.behavior_entered.connect(func(layer: StringName, id: int) -> void: write("entered %s %d" % [layer, id]))
	on.behavior_suspended.connect(func(layer: StringName, id: int) -> void: write("suspended %s %d" % [layer, id]))
	on.behavior_resumed.connect(func(layer: StringName, id: int) -> void: write("resumed %s %d" % [layer, id]))
	on.behavior_exited.connect(
		func(layer: StringName, id: int, reason: int) -> void: write("exited %s %d %d" % [layer, id, reason]))


func write(line: String) -> void:
	diary.write(line)


## A state below the stack.
func state(named: String, ends: int = -1) -> State:
	var made: State = State.new()
	made.name = named
	made.diary = diary
	made.ends = ends
	stack.add_child(made)
	return made


## Sets a new state: its route.
func use(layer: StringName, named: String, ends: int = -1) -> int:
	return stack.set_behavior(layer, state(named, ends))


func step(count: int = 1) -> void:
	for i: int in count:
		if is_instance_valid(stack):
			stack.advance(0.1)


func take(words: String = "") -> String:
	return diary.take(words)
