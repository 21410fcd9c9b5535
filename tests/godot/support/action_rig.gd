extends RefCounted
## One agent with an evaluator on MANUAL, without jitter, novelty and automatic evaluations, and a diary of its signals.

const Diary := preload("res://support/diary.gd")
const Doubles := preload("res://support/doubles.gd")
const SEED: int = 12345

var case: Node
var agent: Node3D
var brain: ActionEvaluator
var moves: ActionSet = ActionSet.new()
var diary: Diary = Diary.new()


func _init(owner: Node, specs: Array[ActionSpec], evaluator: ActionEvaluator = null, body: Node3D = null) -> void:
	case = owner
	agent = body if body != null else Node3D.new()
	agent.name = "Guard"
	brain = evaluator if evaluator != null else ActionEvaluator.new()
	brain.name = "Brain"
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.auto_start = false
	brain.auto_evaluate = false
	brain.random_seed = SEED
	brain.jitter_amount = 0.0
	brain.novelty_penalty = 0.0
	_share_diary(specs)
	moves.actions = specs
	brain.default_action_set = moves
	agent.add_child(brain)
	if not agent.is_inside_tree():
		case.add_child(agent)
	_connect_signals()
	# Reactions and answers usually capture the rig; the cycles are broken when the test is over.
	case.tree_exiting.connect(_release)
	brain.start()
	diary.lines.clear()


## An action whose scripted method runs until it is told to end, without cooldown spread and tags.
static func spec(id: StringName, weight: float = 1.0, finish_in_tick: int = -1) -> ActionSpec:
	var made: ActionSpec = ActionSpec.new()
	made.action_id = id
	made.selection_weight = weight
	made.cooldown_randomization = 0.0
	made.add_tags = PackedStringArray()
	var method: Doubles.Method = Doubles.Method.new()
	method.finish_in_tick = finish_in_tick
	made.execution_method = method
	return made


## An action that is over in the step after its start.
static func quick(id: StringName, weight: float = 1.0) -> ActionSpec:
	return spec(id, weight, 0)


## As `spec`, with a cooldown.
static func cooling(id: StringName, seconds: float, spread: float = 0.0) -> ActionSpec:
	var made: ActionSpec = spec(id)
	made.cooldown_duration = seconds
	made.cooldown_randomization = spread
	return made


static func method_of(made: ActionSpec) -> Doubles.Method:
	return made.execution_method as Doubles.Method


static func scored(made: ActionSpec, scorers: Array) -> ActionSpec:
	made.scorers = scorers
	return made


static func gated(made: ActionSpec, gates: Array) -> ActionSpec:
	made.gates = gates
	return made


## A target in the scene that the evaluator is given as its focus.
func aim_at(position: Vector3, tags: PackedStringArray = PackedStringArray()) -> Node3D:
	var foe: Node3D = add_foe(position, tags)
	brain.target = foe
	return foe


func add_foe(position: Vector3, tags: PackedStringArray = PackedStringArray()) -> Node3D:
	var foe: Node3D = Node3D.new()
	foe.name = "Foe"
	foe.position = position
	if not tags.is_empty():
		foe.add_child(tag_container(tags))
	case.add_child(foe)
	return foe


static func tag_container(tags: PackedStringArray) -> TagContainer:
	var made: TagContainer = TagContainer.new()
	made.initial_tags = tags
	return made


func step(count: int = 1, delta: float = 0.1) -> void:
	for i: int in count:
		brain.advance(delta)


## Evaluates and starts the winner; its id, or an empty name if nothing was started.
func choose() -> StringName:
	brain.evaluate_now()
	return brain.get_running_action()


## Forces a start and ends it at once as cancelled: one committed use of age 0.
func use(id: StringName) -> int:
	var run: int = brain.execute_action(id)
	brain.abort_action()
	return run


## The row of an action in a decision that is made now; nothing is started.
func row(id: StringName) -> Dictionary:
	brain.record_decisions = true
	for candidate: Dictionary in brain.evaluate_best_action().get_candidates():
		if candidate["action_id"] == id:
			return candidate
	return {}


func refusal(id: StringName) -> int:
	return row(id).get("refusal", -1)


func score(id: StringName) -> float:
	return row(id).get("score", -1.0)


func _release() -> void:
	moves = null
	diary.reactions.clear()


func _share_diary(specs: Array[ActionSpec]) -> void:
	for made: ActionSpec in specs:
		var method: Doubles.Method = (made.execution_method if made != null else null) as Doubles.Method
		if method != null:
			method.diary = diary


func _connect_signals() -> void:
	brain.action_started.connect(func(id: StringName, target: Node, _run: int) -> void:
		diary.write("started %s%s" % [id, " at " + target.name if target != null else ""]))
	brain.action_ended.connect(func(id: StringName, reason: int, _run: int) -> void: diary.write("ended %s %d" % [id, reason]))
	brain.start_refused.connect(func(id: StringName, why: int, _run: int) -> void: diary.write("refused %s %d" % [id, why]))
	brain.no_valid_action.connect(func() -> void: diary.write("nothing"))
	brain.cooldown_started.connect(func(id: StringName, seconds: float) -> void: diary.write("cooling %s %.4f" % [id, seconds]))
	brain.cooldown_expired.connect(func(id: StringName) -> void: diary.write("ready %s" % id))
