class_name BehindScorer
extends ActionScorer
## Scores by where the target looks: 0 degrees is into the agent's eyes, 180 means the agent is behind it.

@export var range: RangeCurve


func _score_multiplier(context: DecisionContext) -> float:
	var target := context.target as Node3D
	if target == null or range == null:
		return 0.0
	return range.sample(rad_to_deg((-target.global_basis.z).angle_to(-context.direction)))


func _get_display_name() -> String:
	return "Behind"
