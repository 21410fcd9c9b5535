extends FusionPolicy
## A policy in a file of its own, with a value that is saved.

@export var share: float = 0.5


func _fuse_confidence(_samples: Array[SenseSample], _corroboration_bonus: float) -> float:
	return share
