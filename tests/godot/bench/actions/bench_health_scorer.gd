class_name BenchHealthScorer
extends BenchScorer


func score(context: BenchContext) -> float:
	return curve.sample(context.health)
