class_name BenchDistanceScorer
extends BenchScorer


func score(context: BenchContext) -> float:
	return curve.sample(context.distance)
