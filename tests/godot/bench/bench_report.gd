class_name BenchReport
extends RefCounted
## Times of the contestants of one benchmark, taken round by round, and what follows from them.
##
## A ratio is the median of the ratios of the single rounds: both sides of it ran within the same fraction of a second,
## so that a machine that is busy in some rounds does not shift it.

var failed := false

var _row: String
var _times: Dictionary[String, PackedFloat64Array] = {}


func _init(row: String) -> void:
	_row = row
	var engine := "exported game" if OS.has_feature("template") else "editor build"
	print("engine %s, %s, %s" % [Engine.get_version_info().string, engine, _physics()])


## Adds what a contestant took in the current round, in microseconds.
func add(contestant: String, usec: float) -> void:
	if not _times.has(contestant):
		_times[contestant] = PackedFloat64Array()
	_times[contestant].append(usec)


## Rounds of a contestant so far.
func rounds(contestant: String) -> int:
	return _times[contestant].size() if _times.has(contestant) else 0


## Prints the medians of all contestants. Raw data: they say something about this machine only.
func print_raw() -> void:
	for contestant in _times:
		var times := _times[contestant]
		print("raw   %s: %s, median of %d: %.1f us" % [_row, contestant, times.size(), median(times)])


## Prints how often the median of `unit` in another report fits into that of `contestant`: they did not take turns.
func print_ratio_to(contestant: String, other: BenchReport, unit: String, wanted: String = "") -> void:
	var ratio := median(_times[contestant]) / maxf(median(other._times[unit]), 0.001)
	var target := "" if wanted.is_empty() else "  (target %s)" % wanted
	print("ratio %s: %s / %s = %.3f%s" % [_row, contestant, unit, ratio, target])


## Prints how often `unit` fits into `contestant`.
func print_ratio(contestant: String, unit: String, wanted: String = "") -> void:
	if not _times.has(contestant) or not _times.has(unit):
		return
	var ratios := PackedFloat64Array()
	for i in mini(_times[contestant].size(), _times[unit].size()):
		ratios.append(_times[contestant][i] / maxf(_times[unit][i], 0.001))
	var target := "" if wanted.is_empty() else "  (target %s)" % wanted
	print("ratio %s: %s / %s = %.2f%s" % [_row, contestant, unit, median(ratios), target])


## Prints a number that is a ratio already.
func print_number(what: String, value: float, wanted: String = "") -> void:
	var target := "" if wanted.is_empty() else "  (target %s)" % wanted
	print("ratio %s: %s = %.2f%s" % [_row, what, value, target])


## Prints a comparison of results; a difference fails the benchmark.
func print_same(what: String, compared: int, different: int) -> void:
	var word := "same " if different == 0 and compared > 0 else "DIFFERS"
	print("%s %s: %s, %d compared, %d differ" % [word, _row, what, compared, different])
	if different > 0 or compared == 0:
		failed = true


static func median(values: PackedFloat64Array) -> float:
	if values.is_empty():
		return 0.0
	var sorted := values.duplicate()
	sorted.sort()
	var middle := sorted.size() >> 1
	if sorted.size() % 2 == 1:
		return sorted[middle]
	return (sorted[middle - 1] + sorted[middle]) * 0.5


func _physics() -> String:
	return str(ProjectSettings.get_setting("physics/3d/physics_engine"))
