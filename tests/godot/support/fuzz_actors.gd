extends RefCounted
## Methods, abilities, hooks, scorers and gates that hand every call to the fuzz that owns them.


class Method:
	extends ExecutionMethod
	@export var owner_id: int = 0
	@export var ticks: int = 3
	var _left: int = 0

	func _fuzz() -> void:
		(instance_from_id(owner_id) as Node).call("in_method", self)

	func _can_begin(_context: ActionContext) -> bool:
		_fuzz()
		return randi() >= 0

	func _begin_execute(_context: ActionContext) -> bool:
		_left = ticks
		_fuzz()
		return true

	func _tick_execute(_delta: float) -> void:
		_left -= 1
		_fuzz()
		if _left <= 0:
			finish_execution(true)

	func _abort_execute(_reason: int) -> void:
		_fuzz()

	func _retarget(_target: Node) -> void:
		_fuzz()


class Ability:
	extends GameplayAbility
	@export var owner_id: int = 0
	@export var lasts: float = 0.2

	func _fuzz() -> void:
		(instance_from_id(owner_id) as Node).call("in_ability", self)

	func _can_activate(_context: ActionContext) -> bool:
		_fuzz()
		return true

	func _on_context_received(_context: ActionContext) -> void:
		_fuzz()

	func _activate(_context: ActionContext) -> void:
		_fuzz()

	func _tick(_delta: float) -> void:
		_fuzz()
		if get_elapsed() >= lasts:
			end_ability()

	func _end(_reason: int) -> void:
		_fuzz()


class Hook:
	extends ActionHook
	var owner_id: int = 0
	var label: String = ""

	func _owner() -> Node:
		return instance_from_id(owner_id) as Node

	func _pre_execute(context: ActionHookContext) -> void:
		if context.data.has("pre " + label):
			_owner().call("complain", "pre %s twice" % label)
		context.data["pre " + label] = true
		_owner().call("in_hook")
		context.veto_execution = context.veto_execution or _owner().call("vetoes")

	func _tick_execute(context: ActionHookContext, _delta: float) -> void:
		if context.end_reason != -1:
			_owner().call("complain", "tick %s after the end" % label)
		_owner().call("in_hook")

	func _post_execute(context: ActionHookContext) -> void:
		if context.data.has("post " + label) or not context.data.has("pre " + label):
			_owner().call("complain", "post %s out of turn" % label)
		context.data["post " + label] = true
		_owner().call("posted", label)
		if context.end_reason < 0 or context.end_reason > 4:
			_owner().call("complain", "end reason %d" % context.end_reason)
		context.request_recovery_time(0.05)
		_owner().call("in_hook")


class Brain:
	extends ActionEvaluator
	var fuzz: Callable

	func _can_execute_action(_id: StringName, _context: DecisionContext) -> bool:
		fuzz.call()
		return true

	func _modify_action_score(_id: StringName, score: float, _context: DecisionContext) -> float:
		fuzz.call()
		return score

	func _get_candidate_targets() -> Array:
		fuzz.call()
		return [target]


class Scorer:
	extends ActionScorer
	var fuzz: Callable

	func _score_multiplier(context: DecisionContext) -> float:
		fuzz.call()
		return seeded_random(context) + 0.5


class Gate:
	extends ActionGate
	var fuzz: Callable

	func _passes_gate(_context: DecisionContext) -> bool:
		fuzz.call()
		return true
