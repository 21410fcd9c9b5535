//! What a [`DecisionContext`](super::DecisionContext) holds: filled in by the evaluator without a bind.

use godot::prelude::*;
use riposte_core::tags::TagSet;

use super::readings::{self, FULL_STAMINA};
use super::{driver, motion};
use crate::base::lookup::{self, Part};

/// The content of a context.
#[derive(Clone)]
pub(crate) struct ContextData {
    pub(crate) agent: Option<InstanceId>,
    pub(crate) target: Option<InstanceId>,
    pub(crate) evaluator: Option<InstanceId>,
    /// The AgentVitals, once that was asked.
    pub(crate) vitals: Option<Option<InstanceId>>,
    /// The AbilitySystem, as a script set it; else that of the agent.
    pub(crate) abilities: Option<Option<InstanceId>>,
    pub(crate) distance: f64,
    pub(crate) direction: Vector3,
    pub(crate) angle_deg: f64,
    /// How fast the agent is, once that was asked.
    pub(crate) speed: Option<f64>,
    pub(crate) health_fraction: f64,
    /// Its stamina, once that was asked.
    pub(crate) stamina: Option<f64>,
    /// Whether the agent sees the target, once that was asked. Of a context that a script made: as it says.
    pub(crate) sight: Option<bool>,
    /// How dangerous the target is, once that was asked.
    pub(crate) threat: Option<f64>,
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

/// Who a context is about: what is found out later is of them.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct About {
    pub(crate) evaluator: Option<InstanceId>,
    pub(crate) agent: Option<InstanceId>,
    pub(crate) target: Option<InstanceId>,
}

impl About {
    /// The agent's speed. Runs getters of the game.
    pub(crate) fn speed(self) -> f64 {
        self.evaluator.zip(self.agent).map_or(0.0, |(evaluator, agent)| motion::speed(evaluator, agent))
    }

    /// The agent's stamina.
    pub(crate) fn stamina(self) -> f64 {
        self.agent.map_or(FULL_STAMINA, readings::stamina)
    }

    /// How dangerous the agent finds the target.
    pub(crate) fn threat(self) -> f64 {
        driver::threat(self.agent, self.target)
    }

    /// The agent's AgentVitals.
    pub(crate) fn vitals(self) -> Option<InstanceId> {
        self.agent.and_then(|agent| lookup::part_of(agent, Part::Vitals))
    }
}

impl ContextData {
    /// Who it is about.
    pub(crate) fn about(&self) -> About {
        About { evaluator: self.evaluator, agent: self.agent, target: self.target }
    }

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
            vitals: Some(None),
            abilities: None,
            distance: 0.0,
            direction: Vector3::ZERO,
            angle_deg: 0.0,
            speed: Some(0.0),
            health_fraction: 1.0,
            stamina: Some(FULL_STAMINA),
            sight: Some(false),
            threat: Some(0.0),
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
