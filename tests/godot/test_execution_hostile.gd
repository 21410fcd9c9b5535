extends TestCase
## Every method and property of what runs, with arguments that make no sense, in any order, in and out of the tree, also
## from handlers of their signals.

const Rig := preload("res://support/action_rig.gd")
const CALLS := 400
const METHODS: Array[StringName] = [&"ExecutionMethod", &"AbilityMethod", &"AbilityByTagMethod", &"FireAndForgetAbilityMethod", &"BehaviorTreeSequenceMethod", &"AnimationMethod", &"CallMethod"]
const NODES: Array[StringName] = [&"AbilitySystem", &"MotionWarp3D", &"LedgeGuard3D"]
const OTHERS: Array[StringName] = [&"GameplayAbility", &"ActionContext", &"ActionHook", &"ActionHookContext", &"AbilityTask", &"BehaviorTreePayload", &"AbilityPayload"]

var random: RandomNumberGenerator = RandomNumberGenerator.new()
var pool: Array = []
var depth: int = 0


func _init() -> void:
	super()
	limit_seconds = 600.0
	random.seed = 35


## An engine that prints nothing: what is refused says so hundreds of times.
func _quiet(on: bool) -> void:
	Engine.print_error_messages = not on or OS.has_environment("RIPOSTE_LOUD")


func _fill_pool(agent: Node) -> void:
	var gone: Node = Node3D.new()
	gone.free()
	var cycle: Array = []
	pool = [
		null, true, false, 0, 1, -1, 9223372036854775807, -9223372036854775808, 0.0, -1.0, NAN, INF, -INF, 1e308, 0.1, "", "Target", "A..B", " ", &"", &"Attack", &"State..",
		NodePath(""), NodePath("../../.."), NodePath("Nobody:x"), Vector3.ZERO, Vector3(NAN, INF, 0), Vector3(1, 0, -1), [], [null], cycle, {}, {"version": 1}, {"version": "x", "grants": [NAN]},
		PackedStringArray(["", "Attack", "A..B"]), PackedFloat32Array([NAN]), agent, gone, Node.new(), Resource.new(), RefCounted.new(), GameplayAbility.new(),
		ActionContext.new(), CallMethod.new(), PackedScene.new(), Callable(), Signal(),
	]
	add(pool.filter(func(one: Variant) -> bool: return is_instance_valid(one) and one is Node and one != agent)[0] as Node)


func _fitting(type: int) -> Variant:
	var fitting: Array = pool.filter(func(one: Variant) -> bool: return type == TYPE_NIL or typeof(one) == type or (type == TYPE_OBJECT and typeof(one) == TYPE_NIL) or (type == TYPE_FLOAT and typeof(one) == TYPE_INT))
	return pool[random.randi_range(0, pool.size() - 1)] if fitting.is_empty() else fitting[random.randi_range(0, fitting.size() - 1)]


## One call of a method of its own, or one write of a property.
func _abuse(object: Object, class_label: StringName) -> void:
	if random.randf() < 0.4:
		var properties: Array = ClassDB.class_get_property_list(class_label, true).filter(func(one: Dictionary) -> bool: return one.type != TYPE_NIL or not one.usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_SUBGROUP))
		if not properties.is_empty():
			var property: Dictionary = properties[random.randi_range(0, properties.size() - 1)]
			object.set(property.name, _fitting(property.type) if random.randf() < 0.7 else _fitting(TYPE_NIL))
			object.get(property.name)
			return
	var methods: Array = ClassDB.class_get_method_list(class_label, true).filter(func(one: Dictionary) -> bool: return not one.flags & METHOD_FLAG_VIRTUAL)
	if methods.is_empty():
		return
	var method: Dictionary = methods[random.randi_range(0, methods.size() - 1)]
	var arguments: Array = []
	for argument: Dictionary in method.args:
		arguments.append(_fitting(argument.type))
	object.callv(method.name, arguments)


## A handler that does more of it.
func _again(object: Object, class_label: StringName) -> void:
	if depth < 3 and random.randf() < 0.3 and is_instance_valid(object):
		depth += 1
		_abuse(object, class_label)
		depth -= 1


func _listen(object: Object, class_label: StringName) -> void:
	for one: Dictionary in ClassDB.class_get_signal_list(class_label, true):
		var handler: Callable = _again.bind(object, class_label)
		var count: int = (one.args as Array).size()
		object.connect(one.name, handler.unbind(count) if count > 0 else handler)


func test_nodes() -> void:
	for class_label: StringName in NODES:
		var body: CharacterBody3D = CharacterBody3D.new()
		add(body)
		_fill_pool(body)
		var tags: TagContainer = add(TagContainer.new(), body)
		var node: Node = ClassDB.instantiate(class_label)
		body.add_child(node)
		_listen(node, class_label)
		_quiet(true)
		for i: int in CALLS:
			_abuse(node, class_label)
			if i % 20 == 19:
				await physics()
			if i % 50 == 49 and node.get_parent() == body:
				body.remove_child(node)
				_abuse(node, class_label)
				body.add_child(node)
		node.queue_free()
		await idle(2)
		_quiet(false)
		check(not is_instance_valid(node), "%s is gone" % class_label)
		check(body.position.is_finite() and body.basis.is_finite(), "%s: the body is somewhere: %s" % [class_label, body.transform])
		eq(tags.get_tags(), [], "%s: no tag is left" % class_label)
		body.free()
		pool.clear()


func test_methods_that_run() -> void:
	for class_label: StringName in METHODS:
		var method: Resource = ClassDB.instantiate(class_label)
		var spec: ActionSpec = Rig.spec(&"Odd")
		spec.execution_method = method
		spec.add_tags = ["State.MovementBlocked"]
		var rig: Rig = Rig.new(self, [spec], null, CharacterBody3D.new())
		_fill_pool(rig.agent)
		var tags: TagContainer = Rig.tag_container([])
		var system: AbilitySystem = AbilitySystem.new()
		for node: Node in [tags, MotionWarp3D.new(), LedgeGuard3D.new(), system, AnimationPlayer.new()]:
			rig.agent.add_child(node)
		var starts: SignalRecord = record(rig.brain.action_started)
		var ends: SignalRecord = record(rig.brain.action_ended)
		_quiet(true)
		for i: int in CALLS:
			_abuse(method, class_label)
			if i % 4 == 0:
				rig.brain.execute_action(&"Odd")
			rig.step()
			if i % 10 == 9:
				rig.brain.abort_action()
		rig.brain.abort_action()
		# What was started and left alone goes on.
		system.cancel_abilities()
		await idle(2)
		_quiet(false)
		eq(ends.count(), starts.count(), "%s: an end for each start" % class_label)
		eq([tags.get_tag_count(&"State.MovementBlocked"), tags.get_tag_count(&"State.RotationLocked")], [0, 0], "%s: no tag is left" % class_label)
		rig.agent.free()
		pool.clear()


func test_abilities_that_run() -> void:
	var body: CharacterBody3D = CharacterBody3D.new()
	add(body)
	_fill_pool(body)
	var tags: TagContainer = TagContainer.new()
	var system: AbilitySystem = AbilitySystem.new()
	system.process_callback = AbilitySystem.PROCESS_MANUAL
	for node: Node in [tags, MotionWarp3D.new(), LedgeGuard3D.new(), system]:
		body.add_child(node)
	var starts: SignalRecord = record(system.ability_activated)
	var ends: SignalRecord = record(system.ability_ended)
	var abilities: Array[GameplayAbility] = []
	for n: int in 4:
		abilities.append(GameplayAbility.new())
	_quiet(true)
	for i: int in CALLS * 3:
		var ability: GameplayAbility = abilities[i % 4]
		_abuse(ability, &"GameplayAbility")
		system.call(&"activate", system.grant_ability(ability), _fitting(TYPE_OBJECT))
		system.advance(0.1)
		if i % 10 == 9:
			system.cancel_abilities()
	system.cancel_abilities()
	_quiet(false)
	eq(ends.count(), starts.count(), "an end for each start")
	eq(tags.get_tags(), [], "no tag is left")
	body.free()
	pool.clear()


func test_others() -> void:
	for class_label: StringName in OTHERS:
		var agent: Node3D = add(Node3D.new())
		_fill_pool(agent)
		var made: Object = ClassDB.instantiate(class_label)
		_quiet(true)
		for i: int in CALLS:
			_abuse(made, class_label)
		_quiet(false)
		check(is_instance_valid(made), "%s is still there" % class_label)
		agent.free()
		pool.clear()
