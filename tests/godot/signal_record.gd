class_name SignalRecord
extends RefCounted
## The emissions of one signal, in order. Made by [method TestCase.record].

## The arguments of each emission.
var calls: Array[Array] = []

var _source: Signal
var _handler: Callable


func _init(source: Signal) -> void:
	var object := source.get_object()
	var count := 0
	for info: Dictionary in object.get_signal_list():
		if info.name == source.get_name():
			count = (info.args as Array).size()
	# Methods, not lambdas: a lambda left on a signal of an engine singleton outlives its script.
	var handlers: Array[Callable] = [_on_0, _on_1, _on_2, _on_3, _on_4, _on_5, _on_6]
	_source = source
	_handler = handlers[count]
	source.connect(_handler)


## How often the signal was emitted.
func count() -> int:
	return calls.size()


## The argument at `index` of every emission.
func arguments(index: int = 0) -> Array:
	return calls.map(func(call: Array) -> Variant: return call[index])


## The arguments of the last emission; empty if there was none.
func last() -> Array:
	return [] if calls.is_empty() else calls.back()


## Forgets what was recorded.
func clear() -> void:
	calls.clear()


## Stops recording.
func stop() -> void:
	if is_instance_valid(_source.get_object()) and _source.is_connected(_handler):
		_source.disconnect(_handler)


func _on_0() -> void:
	calls.append([])


func _on_1(a: Variant) -> void:
	calls.append([a])


func _on_2(a: Variant, b: Variant) -> void:
	calls.append([a, b])


func _on_3(a: Variant, b: Variant, c: Variant) -> void:
	calls.append([a, b, c])


func _on_4(a: Variant, b: Variant, c: Variant, d: Variant) -> void:
	calls.append([a, b, c, d])


func _on_5(a: Variant, b: Variant, c: Variant, d: Variant, e: Variant) -> void:
	calls.append([a, b, c, d, e])


func _on_6(a: Variant, b: Variant, c: Variant, d: Variant, e: Variant, f: Variant) -> void:
	calls.append([a, b, c, d, e, f])
