# meta-name: Fusion policy
# meta-description: How sure an agent is of a target, from what its senses say. For AwarenessProfile.fusion_policy.
# meta-default: true
extends _BASE_
## Puts the senses together. Each agent works on a copy of its own, which is made anew when the resource changes:
## keep what must last on the agent (get_agent()).


## How sure the agent is of one target now, 0 to 1. Called once for each target and update.
## `samples` has one entry for each sense of the profile, silent ones too; it is used again, so copy what you keep.
func _fuse_confidence(samples: Array[SenseSample], corroboration_bonus: float) -> float:
_TS_var best: float = 0.0
_TS_var active: int = 0
_TS_for sample: SenseSample in samples:
_TS__TS_if sample.is_active:
_TS__TS__TS_active += 1
_TS__TS__TS_best = maxf(best, sample.confidence * sample.weight)
_TS_if active == 0:
_TS__TS_return 0.0
_TS_return best + corroboration_bonus * (active - 1)
