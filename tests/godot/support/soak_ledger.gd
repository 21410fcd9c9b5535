extends RefCounted
## Counts what begins and ends in the soak test, with one source of random numbers.

var random: RandomNumberGenerator = RandomNumberGenerator.new()
var starts: int = 0
var ends: int = 0
var gains: int = 0
var losses: int = 0
var reasons: Dictionary = {}
## What went wrong, one line each.
var complaints: PackedStringArray = []
var _running: Dictionary = {}
var _known: Dictionary = {}


func chance(probability: float) -> bool:
	return random.randf() < probability


func started(brain: Node, run_id: int) -> void:
	starts += 1
	if _running.has([brain.get_instance_id(), run_id]):
		complaints.append("run %d started twice" % run_id)
	_running[[brain.get_instance_id(), run_id]] = true


func ended(brain: Node, run_id: int, reason: int) -> void:
	ends += 1
	reasons[reason] = int(reasons.get(reason, 0)) + 1
	if not _running.erase([brain.get_instance_id(), run_id]):
		complaints.append("run %d ended without a start" % run_id)


func perceived(perceiver: Node, target_id: int) -> void:
	gains += 1
	var key: Array = [perceiver.get_instance_id(), target_id]
	if _known.has(key):
		complaints.append("perceived twice")
	_known[key] = true


func lost(perceiver: Node, target_id: int) -> void:
	losses += 1
	if not _known.erase([perceiver.get_instance_id(), target_id]):
		complaints.append("lost, but not perceived")


func open_runs() -> int:
	return _running.size()
