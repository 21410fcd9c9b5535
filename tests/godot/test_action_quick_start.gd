extends TestCase
## The first scripts that a user of the documentation writes, in real frames.


## A guard that runs to what it sees or heard last.
class Watchman:
	extends CharacterBody3D
	var perception: Perception3D
	var goal: Vector3

	func _ready() -> void:
		perception = get_node("Perception3D")
		goal = global_position
		perception.target_perceived.connect(_on_target_perceived)
		perception.target_lost.connect(_on_target_lost)

	func _on_target_perceived(event: PerceptionEvent) -> void:
		goal = event.location

	func _on_target_lost(event: PerceptionEvent) -> void:
		goal = event.location

	func _physics_process(_delta: float) -> void:
		var target: Node3D = perception.get_closest_perceived_target()
		if target and perception.can_sense(target, PerceptionEvent.SENSE_SIGHT):
			goal = target.global_position


## A fighter whose set is made by script.
class Fighter:
	extends CharacterBody3D
	var brain: ActionEvaluator
	var log_lines: PackedStringArray = []

	func _ready() -> void:
		brain = get_node("ActionEvaluator")
		var moves: ActionSet = ActionSet.new()
		moves.actions = [_attack(&"Jab", 1.0, 1.5), _attack(&"Heavy", 0.8, 6.0)]
		moves.find_action(&"Jab").chain_links = [ChainLink.to(&"Heavy", 1.5)]
		brain.default_action_set = moves
		brain.target = get_tree().get_first_node_in_group(&"player")
		brain.action_started.connect(func(id: StringName, target: Node, _run: int) -> void: log_lines.append("%s -> %s" % [id, target.name]))
		brain.action_ended.connect(func(id: StringName, reason: int, _run: int) -> void: log_lines.append("%s %d" % [id, reason]))
		brain.no_valid_action.connect(func() -> void: log_lines.append("nothing to do"))

	func _attack(id: StringName, weight: float, cooldown: float) -> ActionSpec:
		var spec: ActionSpec = ActionSpec.new()
		spec.action_id = id
		spec.selection_weight = weight
		spec.cooldown_duration = cooldown
		spec.scorers = [DistanceScorer.new(), AngleScorer.new()]
		var play: AnimationMethod = AnimationMethod.new()
		play.animation = id
		spec.execution_method = play
		return spec


## Throws a bomb after a windup.
class ThrowMethod:
	extends ExecutionMethod
	@export var bomb: PackedScene
	@export var windup: float = 0.6
	var _left: float

	func _has_valid_data() -> bool:
		return bomb != null

	func _begin_execute(context: ActionContext) -> bool:
		_left = windup
		return context.target != null

	func _tick_execute(delta: float) -> void:
		_left -= delta
		if _left > 0.0:
			return
		var node: Node3D = bomb.instantiate()
		get_agent().add_sibling(node)
		node.global_position = (get_agent() as Node3D).global_position
		finish_execution(true)


func test_guard_runs_to_what_it_noticed() -> void:
	var guard: Watchman = Watchman.new()
	var eye: Perception3D = Perception3D.new()
	eye.name = "Perception3D"
	guard.add_child(eye)
	add(guard)
	var player: CharacterBody3D = character(Vector3(0, 0, -8), "Player")
	player.add_child(StimulusSource3D.new())
	await until(func() -> bool: return guard.goal == Vector3(0, 0, -8), "it sees the player", 1.0)
	player.position = Vector3(2, 0, -9)
	await until(func() -> bool: return guard.goal == Vector3(2, 0, -9), "it follows", 1.0)
	# The script looks at the live position; what the guard knows comes with the next scan.
	await until(func() -> bool: return eye.get_last_known_location(player) == Vector3(2, 0, -9), "it knows the place", 1.0)
	player.position = Vector3(0, 0, 200)
	await until(func() -> bool: return not eye.has_target(player), "it forgets the player", 6.0)
	eq(guard.goal, Vector3(2, 0, -9), "and stands where it saw the player last")
	PerceptionServer.report_noise(Vector3(0, 0, 20), 3.0, player)
	await until(func() -> bool: return guard.goal == Vector3(0, 0, 20), "it hears a shot", 1.0)


func test_fighter_of_the_first_page() -> void:
	var player: CharacterBody3D = character(Vector3(0, 0, -2), "Player")
	player.add_to_group(&"player")
	var fighter: Fighter = Fighter.new()
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.name = "ActionEvaluator"
	var animations: AnimationPlayer = AnimationPlayer.new()
	var library: AnimationLibrary = AnimationLibrary.new()
	for id: StringName in [&"Jab", &"Heavy"]:
		var animation: Animation = Animation.new()
		animation.length = 0.4
		library.add_animation(id, animation)
	animations.add_animation_library(&"", library)
	fighter.add_child(animations)
	fighter.add_child(brain)
	add(fighter)
	await until(func() -> bool: return fighter.log_lines.size() >= 5, "something happens", 4.0)
	eq(fighter.log_lines.slice(0, 5), ["Jab -> Player", "Jab 0", "Heavy -> Player", "Heavy 0", "nothing to do"], "a combo, then both cool down")
	await until(func() -> bool: return fighter.log_lines.count("Jab -> Player") == 2, "the next jab", 3.0)
	player.position = Vector3(0, 0, -20)
	var before: int = fighter.log_lines.size()
	await physics(240)
	check(fighter.log_lines.size() - before <= 2, "out of reach nothing is started")


func test_ex_35_e1() -> void:
	var stone: Node3D = Node3D.new()
	stone.name = "Bomb"
	var bomb: PackedScene = PackedScene.new()
	bomb.pack(stone)
	stone.free()
	var throw: ThrowMethod = ThrowMethod.new()
	throw.windup = 0.55
	var spec: ActionSpec = ActionSpec.new()
	spec.action_id = &"Throw"
	spec.execution_method = throw
	var moves: ActionSet = ActionSet.new()
	moves.actions = [spec]
	var agent: Node3D = add(Node3D.new())
	var brain: ActionEvaluator = ActionEvaluator.new()
	brain.process_callback = ActionEvaluator.PROCESS_MANUAL
	brain.auto_evaluate = false
	brain.default_action_set = moves
	agent.add_child(brain)
	brain.start()
	var ended: SignalRecord = record(brain.action_ended)
	eq(brain.execute_action(&"Throw"), 0, "without a bomb it has no valid data")
	throw.bomb = bomb
	throw.emit_changed()
	brain.advance(0.1)
	eq(brain.execute_action(&"Throw"), 0, "without a target it does not begin")
	brain.target = add(Node3D.new())
	ne(brain.execute_action(&"Throw"), 0, "now it does")
	for step: int in 6:
		eq(ended.count(), 0, "not ended before step %d" % (step + 1))
		brain.advance(0.1)
	eq(_bombs(), 1, "thrown in step 6")
	eq(ended.count(), 0, "not ended in the same step")
	brain.advance(0.1)
	eq(ended.arguments(1), [ActionEvaluator.END_COMPLETED], "completed in step 7")
	eq(_bombs(), 1, "one bomb")


func _bombs() -> int:
	return get_children().filter(func(node: Node) -> bool: return node.name.begins_with("Bomb")).size()
