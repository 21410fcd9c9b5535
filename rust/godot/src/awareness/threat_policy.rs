use godot::prelude::*;

use super::policy_owner::PolicyOwner;
use super::{AgentAwareness, AwarenessRecord};
use riposte_core::awareness::Relationship;

/// Judges threats in a script of your own: extend this class and override [method _score_threat].
///
/// Put it into [member AwarenessProfile.threat_policy]. It replaces the number only: levels, fading of damage, and that
/// friends are no threat stay as they are. Each agent works on a copy of its own, which is made anew when the resource or
/// the slot changes: keep lasting data on the agent. A script that does not override the virtual has no effect.
///
/// ```gdscript
/// class_name BossThreat
/// extends ThreatPolicy
/// func _score_threat(record: AwarenessRecord, _relationship: int) -> float:
///     return 1.0 if record.target and record.target.is_in_group("boss") else record.confidence * 0.5
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ThreatPolicy {
    pub(super) owner: PolicyOwner,
    base: Base<Resource>,
}

#[godot_api]
impl ThreatPolicy {
    /// Nothing says how the agent stands to the target.
    #[constant]
    const RELATION_UNKNOWN: i64 = Relationship::Unknown as i64;
    /// An enemy.
    #[constant]
    const RELATION_HOSTILE: i64 = Relationship::Hostile as i64;
    /// Neither enemy nor friend.
    #[constant]
    const RELATION_NEUTRAL: i64 = Relationship::Neutral as i64;
    /// A friend. Never a threat; the policy is not asked.
    #[constant]
    const RELATION_FRIENDLY: i64 = Relationship::Friendly as i64;
    /// Of the same team. Never a threat; the policy is not asked.
    #[constant]
    const RELATION_TEAMMATE: i64 = Relationship::Teammate as i64;

    /// How dangerous the target is, 0 to 1; asked once for each target and update. [param relationship] is one of the
    /// `RELATION_*` constants. A number outside 0 to 1 is clamped; NaN counts as 0, with an error. Not asked for friends and
    /// team mates.
    #[func(virtual, gd_self)]
    pub fn score_threat(_this: Gd<Self>, _record: Gd<AwarenessRecord>, _relationship: i64) -> f64 {
        0.0
    }

    /// The agent that this copy works for; null outside an agent.
    #[func]
    fn get_agent(&self) -> Option<Gd<Node>> {
        self.owner.agent()
    }

    /// The node that this copy works for; null outside an agent.
    #[func]
    fn get_awareness(&self) -> Option<Gd<AgentAwareness>> {
        self.owner.awareness()
    }
}
