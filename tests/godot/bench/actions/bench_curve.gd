class_name BenchCurve
extends Resource
## The trapezoid that a user would write for a range score.

@export var min_value := 0.0
@export var optimal_min := 1.0
@export var optimal_max := 2.5
@export var max_value := 5.0
@export var exponent := 1.0
@export var floor_value := 0.0


func sample(x: float) -> float:
	if x >= optimal_min and x <= optimal_max:
		return 1.0
	var s := 0.0
	if x >= min_value and x < optimal_min:
		s = (x - min_value) / (optimal_min - min_value)
	elif x > optimal_max and x <= max_value:
		s = (max_value - x) / (max_value - optimal_max)
	if exponent == 2.0:
		s *= s
	elif exponent != 1.0:
		s = pow(s, exponent)
	return floor_value + (1.0 - floor_value) * s
