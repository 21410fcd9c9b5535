# meta-name: Attention policy
# meta-description: Whom an agent attends to. For AwarenessProfile.attention_policy.
# meta-default: true
extends _BASE_
## Chooses whom to attend to. Each agent works on a copy of its own, which is made anew when the resource changes: keep
## what must last on the agent (get_agent()).


## The target to attend to: a candidate, `current`, or null for nobody. Called once for each update.
## `candidates` has the best score first; it is used again, so copy what you keep. `current` is null when it is gone.
func _select_attention_target(candidates: Array[Node], current: Node, time_on_current: float,
_TS__TS_stickiness_time: float, switch_threshold: float) -> Node:
_TS_if candidates.is_empty():
_TS__TS_return null
_TS_var best: Node = candidates[0]
_TS_if current == null or best == current:
_TS__TS_return best
_TS_if time_on_current < stickiness_time:
_TS__TS_return current
_TS_var lead: float = get_awareness().get_score(best) - get_awareness().get_score(current)
_TS_return best if lead >= switch_threshold else current
