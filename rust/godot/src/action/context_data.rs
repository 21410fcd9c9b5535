//! What a [`DecisionContext`](super::DecisionContext) holds: filled in by the evaluator without a bind.

use godot::prelude::*;
use riposte_core::tags::TagSet;

use super::readings::FULL_STAMINA;

/// The content of a context.
#[derive(Clone)]
pub(crate) struct ContextData {
    pub(crate) agent: Option<InstanceId>,
    pub(crate) target: Option<InstanceId>,
    pub(crate) evaluator: Option<InstanceId>,
    pub(crate) vitals: Option<InstanceId>,
    /// The AbilitySystem, as a script set it; else that of the agent.
    pub(crate) abilities: Option<Option<InstanceId>>,
    pub(crate) distance: f64,
    pub(crate) direction: Vector3,
    pub(crate) angle_deg: f64,
    pub(crate) speed: f64,
    pub(crate) health_fraction: f64,
    pub(crate) stamina: f64,
    /// Whether the agent sees the target, once that was asked. Of a context that a script made: as it says.
    pub(crate) sight: Option<bool>,
    pub(crate) threat: f64,
    pub(crate) time: f64,
    pub(crate) self_tags: TagSet,
    pub(crate) target_tags: TagSet,
    pub(crate) world_tags: TagSet,
    pub(crate) seed: i64,
    pub(crate) action_seed: i64,
    pub(crate) action_id: StringName,
    /// Made when somebody reads it. Nothing in it may be dropped under a lock: a script may hear of that.
    pub(crate) extra: Option<VarDictionary>,
}

impl ContextData {
    /// The content for a context of its own.
    pub(crate) fn copied(&self) -> Self {
        let extra = self.extra.as_ref().map(VarDictionary::duplicate_shallow);
        Self { extra, ..self.clone() }
    }
}

impl Default for ContextData {
    fn default() -> Self {
        Self {
            agent: None,
            target: None,
            evaluator: None,
            vitals: None,
            abilities: None,
            distance: 0.0,
            direction: Vector3::ZERO,
            angle_deg: 0.0,
            speed: 0.0,
            health_fraction: 1.0,
            stamina: FULL_STAMINA,
            sight: Some(false),
            threat: 0.0,
            time: 0.0,
            self_tags: TagSet::default(),
            target_tags: TagSet::default(),
            world_tags: TagSet::default(),
            seed: 0,
            action_seed: 0,
            action_id: StringName::default(),
            extra: None,
        }
    }
}
