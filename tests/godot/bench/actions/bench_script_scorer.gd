class_name BenchScriptScorer
extends ActionScorer
## The smallest script scorer.


func _score_multiplier(_context: DecisionContext) -> float:
	return 1.0
