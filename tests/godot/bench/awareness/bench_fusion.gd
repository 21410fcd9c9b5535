class_name BenchFusion
extends FusionPolicy
## The least that a fusion policy can do.


func _fuse_confidence(_samples: Array[SenseSample], _corroboration_bonus: float) -> float:
	return 0.5


## As little, with the one argument that the engine's own loops pass.
func hear(_samples: Array[SenseSample]) -> float:
	return 0.0
