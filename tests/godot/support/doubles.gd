extends RefCounted
## Scripted members of the families that do what a test tells them.

const Diary := preload("res://support/diary.gd")


## An execution method that writes down each call and ends when it is told.
class Method:
	extends ExecutionMethod
	@export var diary: Resource = null
	## Finishes in this tick; 0 in begin, -1 never.
	@export var finish_in_tick: int = -1
	@export var succeeds: bool = true
	@export var begins: bool = true
	@export var may_begin: bool = true
	@export var valid: bool = true
	@export var timeout: float = 1000.0
	@export var numbers: Array = [1, 2, 3]
	@export var table: Dictionary = {"a": 1}
	@export var bytes: PackedByteArray = [1, 2, 3]
	@export var sub: Resource = null
	## Each run writes into its exported arrays, to show that the definition keeps its own.
	@export var scribbles: bool = false
	var ticks: int = 0

	func _has_valid_data() -> bool:
		return valid

	func _get_execution_timeout() -> float:
		return timeout

	func _can_begin(context: ActionContext) -> bool:
		_write("can %s" % context.action_id)
		return may_begin

	func _begin_execute(_context: ActionContext) -> bool:
		if scribbles:
			numbers.append(ticks)
			table["b"] = 2
			bytes.append(9)
		_write("begin %s" % get_action_id())
		if finish_in_tick == 0:
			finish_execution(succeeds)
		return begins

	func _tick_execute(delta: float) -> void:
		ticks += 1
		_write("tick %s %.4f" % [get_action_id(), delta])
		if ticks == finish_in_tick:
			finish_execution(succeeds)

	func _abort_execute(reason: int) -> void:
		_write("abort %s %d" % [get_action_id(), reason])

	func _write(line: String) -> void:
		if diary != null:
			(diary as Diary).write(line)


## A method that overrides only the start.
class Silent:
	extends ExecutionMethod

	func _begin_execute(_context: ActionContext) -> bool:
		return true


## A method that overrides nothing.
class Blank:
	extends ExecutionMethod


## A scorer that returns a value, or what a Callable makes of the context.
class Scorer:
	extends ActionScorer
	var value: float = 1.0
	var answer: Callable = Callable()
	var asked: int = 0

	func _score_multiplier(context: DecisionContext) -> float:
		asked += 1
		if answer.is_valid():
			return answer.call(self, context)
		return value


## A gate that returns a value, or what a Callable makes of the context.
class Gate:
	extends ActionGate
	var open: bool = true
	var answer: Callable = Callable()
	var asked: int = 0
	var label: String = "Drawbridge"

	func _passes_gate(context: DecisionContext) -> bool:
		asked += 1
		if answer.is_valid():
			return answer.call(self, context)
		return open

	func _get_display_name() -> String:
		return label


static func scorer(value: float) -> Scorer:
	var made: Scorer = Scorer.new()
	made.value = value
	return made


static func scorer_that(answer: Callable) -> Scorer:
	var made: Scorer = Scorer.new()
	made.answer = answer
	return made


static func gate(open: bool) -> Gate:
	var made: Gate = Gate.new()
	made.open = open
	return made


static func gate_that(answer: Callable) -> Gate:
	var made: Gate = Gate.new()
	made.answer = answer
	return made


## A hook that writes down its calls, and does what a test tells it.
class Hook:
	extends ActionHook
	var diary: Resource = null
	var label: String = "A"
	var vetoes: bool = false
	## What is done with the context in each call, by the first word of the line.
	var acts: Dictionary = {}

	func _pre_execute(context: ActionHookContext) -> void:
		_write("pre", context, "")
		if vetoes:
			context.veto_execution = true

	func _tick_execute(context: ActionHookContext, _delta: float) -> void:
		_write("hook", context, "")

	func _post_execute(context: ActionHookContext) -> void:
		_write("post", context, " %d%s" % [context.end_reason, " torn" if context.tearing_down else ""])

	func _write(word: String, context: ActionHookContext, rest: String) -> void:
		if acts.has(word):
			var act: Callable = acts[word]
			act.call(context)
		if diary != null:
			(diary as Diary).write("%s %s %s%s" % [word, label, context.action_id, rest])
