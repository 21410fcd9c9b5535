class_name BeehaveTree
extends Node
## Stand-in for Beehave's tree: its child does the work, its own blackboard is made when it is first asked for.

enum { SUCCESS, FAILURE, RUNNING }
enum ProcessThread { IDLE, PHYSICS, MANUAL }

@export var enabled: bool = true
@export var process_thread: ProcessThread = ProcessThread.PHYSICS:
	set(value):
		process_thread = value
		_set_process()
@export var blackboard: Blackboard:
	get:
		if blackboard == null and _own == null:
			_own = Blackboard.new()
			add_child(_own, false, INTERNAL_MODE_BACK)
		return blackboard if blackboard != null else _own
@export var actor: Node

var status: int = -1
var _own: Blackboard


func _ready() -> void:
	if actor == null:
		actor = get_parent()
	_set_process()


func _physics_process(_delta: float) -> void:
	tick()


func _process(_delta: float) -> void:
	tick()


func tick() -> int:
	if actor == null or get_child_count() == 0:
		return FAILURE
	var child: BeehaveNode = get_child(0)
	if status != RUNNING:
		child.before_run(actor, blackboard)
	status = child.tick(actor, blackboard)
	if status != RUNNING:
		child.after_run(actor, blackboard)
	return status


func interrupt() -> void:
	if get_child_count() != 0:
		(get_child(0) as BeehaveNode).interrupt(actor, blackboard)


func _set_process() -> void:
	set_physics_process(enabled and process_thread == ProcessThread.PHYSICS)
	set_process(enabled and process_thread == ProcessThread.IDLE)
