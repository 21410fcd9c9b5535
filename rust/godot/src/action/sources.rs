//! Everything that may say which actions an agent has.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{ActionPlan, SetChain, SetSource};

use super::compile::compile_action;
use super::compiled::ActionSide;
use super::{ActionSpec, AgentConfig};
use crate::base::tags;

/// An action that the agent was granted.
#[derive(Clone)]
pub(super) struct Granted {
    pub spec: Gd<ActionSpec>,
    /// Until the action is edited.
    compiled: Option<(Arc<ActionPlan>, Arc<ActionSide>)>,
}

impl Granted {
    pub fn new(spec: Gd<ActionSpec>) -> Self {
        Self { spec, compiled: None }
    }

    /// The compiled action. Runs scripts: nothing may be bound or locked.
    pub fn compiled(&mut self) -> (Arc<ActionPlan>, Arc<ActionSide>) {
        let spec = &self.spec;
        let made = self.compiled.get_or_insert_with(|| {
            let (plan, side) = compile_action(spec);
            #[expect(clippy::arc_with_non_send_sync, reason = "main thread only, beside sides of sets")]
            let side = Arc::new(side);
            (Arc::new(plan), side)
        });
        made.clone()
    }

    /// It was edited.
    pub fn forget(&mut self) {
        self.compiled = None;
    }
}

/// What an evaluator was given.
#[derive(Clone, Default)]
pub(super) struct Sources {
    pub runtime_override: Option<Gd<Resource>>,
    pub provided: Option<Gd<Resource>>,
    pub weapon: Option<InstanceId>,
    /// What the weapon answered for the role.
    pub weapon_set: Option<Gd<Resource>>,
    pub config: Option<Gd<AgentConfig>>,
    pub role: StringName,
    /// The node's own set.
    pub own: Option<Gd<Resource>>,
    pub granted: Vec<Granted>,
}

impl Sources {
    /// The set that counts.
    pub fn resolve(&self) -> (Option<Gd<Resource>>, SetSource) {
        let role = self.role.to_string();
        let role = if role.is_empty() { None } else { tags::intern(&role).ok() };
        let (config_role, config_default) = match &self.config {
            Some(config) => {
                let config = config.bind();
                (
                    role.and_then(|role| config.role_set(role)).map(Gd::upcast),
                    config.default_set().map(Gd::upcast),
                )
            }
            None => (None, None),
        };
        let chain = SetChain {
            runtime_override: self.runtime_override.clone(),
            provided: self.provided.clone(),
            weapon: self.weapon_set.clone(),
            config_role,
            config_default,
            component: self.own.clone(),
        };
        chain.resolve()
    }
}
