class_name BenchScorer
extends Resource
## Base of the scorers of the resource baseline.

@export var curve: BenchCurve


func score(_context: BenchContext) -> float:
	return 1.0
