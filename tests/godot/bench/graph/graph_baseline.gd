class_name BenchGraphBaseline
extends Node
## A moveset as a project writes it by hand: dictionaries of transitions, a timer for the move, a buffered press.

signal started(node: StringName)

## Node -> its transitions: input, to, priority, and conditions, which are Callables.
var transitions: Dictionary[StringName, Array] = {}
## Node -> seconds.
var lengths: Dictionary[StringName, float] = {}
## Node -> [opens, closes].
var windows: Dictionary[StringName, Vector2] = {}
var cancellable: Dictionary[StringName, bool] = {}
var node: StringName = &"root"
var time := 0.0
var stamina := 50.0
var direction := Vector2.ZERO
var buffered: StringName = &""
var buffered_age := 0.0
var window_open := false


func _physics_process(delta: float) -> void:
	if node == &"root":
		return
	time += delta
	if buffered != &"":
		buffered_age += delta
	var window: Vector2 = windows.get(node, Vector2(INF, INF))
	var open := time >= window.x and time < window.y
	if open and not window_open:
		window_open = true
		if buffered != &"":
			_take(buffered, true)
			return
	elif not open and window_open:
		window_open = false
	if time >= lengths[node]:
		if buffered != &"" and _take(buffered, true):
			return
		_enter(&"root")


## What a press does: true if a move started.
func press(input: StringName) -> bool:
	if node == &"root" or window_open:
		if _take(input, false):
			return true
	if cancellable.get(node, false):
		var cut := _pick(&"root", input)
		if not cut.is_empty():
			_enter(cut.to)
			return true
	return false


func _take(input: StringName, clears: bool) -> bool:
	if clears:
		buffered = &""
	var picked := _pick(node, input)
	if picked.is_empty():
		return false
	_enter(picked.to)
	return true


func _pick(from: StringName, input: StringName) -> Dictionary:
	var best: Dictionary = {}
	for transition: Dictionary in transitions.get(from, []):
		if transition.input != input:
			continue
		if not best.is_empty() and transition.priority <= best.priority:
			continue
		var passes := true
		for condition: Callable in transition.conditions:
			if not condition.call():
				passes = false
				break
		if passes:
			best = transition
	return best


func _enter(to: StringName) -> void:
	node = to
	time = 0.0
	window_open = false
	started.emit(to)


func is_neutral() -> bool:
	return direction.length() < 0.3


func is_rested() -> bool:
	return stamina >= 60.0
