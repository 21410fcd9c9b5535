class_name BenchAngleScorer
extends BenchScorer


func score(context: BenchContext) -> float:
	return curve.sample(context.angle_deg)
