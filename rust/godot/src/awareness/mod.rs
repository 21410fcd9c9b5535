//! Beliefs of agents about what they sense: thin classes over `riposte_core::awareness`, and the methods of the game
//! that are asked by name.

use godot::obj::{Gd, InstanceId};

mod agent_awareness;
mod asking;
mod attention_policy;
mod awareness_profile;
mod awareness_record;
mod awareness_sense;
mod constants;
mod explain;
mod families;
mod freezing;
mod fusing;
mod fusion_policy;
mod last_attacker_attention_policy;
mod nearest_attention_policy;
mod policies;
mod policy_owner;
mod posture;
mod profile_accessors;
mod profile_compile;
mod queries;
mod relationship;
mod saving;
mod sense_sample;
mod sides;
mod state;
mod summing_fusion_policy;
mod syncing;
mod telling;
mod threat_policy;
mod updating;

pub use agent_awareness::AgentAwareness;
pub use attention_policy::AttentionPolicy;
pub use awareness_profile::AwarenessProfile;
pub use awareness_record::AwarenessRecord;
pub use awareness_sense::AwarenessSense;
pub use fusion_policy::FusionPolicy;
pub use last_attacker_attention_policy::LastAttackerAttentionPolicy;
pub use sense_sample::SenseSample;
pub use threat_policy::ThreatPolicy;

pub(crate) use posture::{SourceStance, posture, tells_stance, vision_stance};
pub(crate) use state::Minds;
pub(crate) use telling::dispatch;
pub(crate) use updating::{prepare, stats, update};

use crate::base::defaults;
use crate::base::lookup::{self, Part};
use crate::perception;

/// To be called once per start, when the scene classes are registered.
pub(crate) fn teach_defaults() {
    defaults::teach("AwarenessSense", "rise_time");
}

/// Whom an agent attends to, if it has an enabled AgentAwareness; that may be nobody.
pub(crate) fn attention_target(agent: InstanceId) -> Option<Option<InstanceId>> {
    let node = lookup::part_of(agent, Part::Awareness)?;
    let target = state::with(|minds| {
        let mind = minds.mind(node).filter(|mind| mind.active)?;
        Some(minds.world.attention_target(mind.key))
    })?;
    Some(target.and_then(perception::live_agent).map(|agent| agent.instance_id()))
}

/// The threat that an agent sees in a node; 0 without an enabled AgentAwareness.
pub(crate) fn threat(agent: InstanceId, target: &Gd<godot::classes::Node>) -> f64 {
    let known = lookup::part_of(agent, Part::Awareness).zip(perception::target_of(target));
    let threat = known.and_then(|(node, target)| {
        state::with(|minds| {
            let mind = minds.mind(node).filter(|mind| mind.active)?;
            Some(minds.world.belief(mind.key, target.id)?.threat)
        })
    });
    threat.unwrap_or(0.0)
}
