# meta-name: Threat policy
# meta-description: How dangerous a target is to an agent. For AwarenessProfile.threat_policy.
# meta-default: true
extends _BASE_
## Judges threats. Each agent works on a copy of its own, which is made anew when the resource changes: keep what must
## last on the agent (get_agent()).


## How dangerous the target is, 0 to 1. Called once for each target and update, never for friends and team mates.
## `relationship` is one of the RELATION_* constants.
func _score_threat(record: AwarenessRecord, relationship: int) -> float:
_TS_if relationship != RELATION_HOSTILE:
_TS__TS_return 0.0
_TS_var threat: float = 0.5 * record.confidence + 0.2 * record.contact
_TS_if record.damage > 0.0:
_TS__TS_threat += 0.3
_TS_return threat
