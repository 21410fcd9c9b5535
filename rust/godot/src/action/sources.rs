//! Everything that may say which actions an agent has.

use std::sync::Arc;

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::action::{ActionPlan, SetChain, SetSource};

use super::compile::compile_action;
use super::compiled::ActionSide;
use super::spec_class::Spec;
use super::{AgentConfig, driver, set_use};
use crate::base::lookup::{self, Part};
use crate::base::tags;

type Compiled = (Arc<ActionPlan>, Arc<ActionSide>);

/// An action or a reaction that the agent was granted.
#[derive(Clone)]
pub(super) struct Granted {
    pub spec: Gd<Resource>,
    id: fn(&Gd<Resource>) -> StringName,
    compile: fn(&Gd<Resource>) -> (ActionPlan, ActionSide),
    /// Until it is edited.
    compiled: Option<Compiled>,
}

impl Granted {
    pub fn new<S: Spec>(spec: &Gd<S>) -> Self {
        let id = |spec: &Gd<Resource>| spec.clone().cast::<S>().bind().id();
        let compile = |spec: &Gd<Resource>| compile_action(&spec.clone().cast::<S>());
        Self { spec: spec.clone().upcast(), id, compile, compiled: None }
    }

    /// Its name.
    pub fn id(&self) -> StringName {
        (self.id)(&self.spec)
    }

    /// It, compiled. Runs scripts: nothing may be bound or locked.
    pub fn compiled(&mut self) -> Compiled {
        let (spec, compile) = (&self.spec, self.compile);
        let made = self.compiled.get_or_insert_with(|| {
            let (plan, side) = compile(spec);
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
    /// The role for which it was asked.
    pub weapon_role: StringName,
    pub config: Option<Gd<AgentConfig>>,
    pub role: StringName,
    /// The node's own set.
    pub own: Option<Gd<Resource>>,
    pub granted: Vec<Granted>,
}

impl Sources {
    /// The set that counts.
    pub fn resolve(&self, reacts: bool) -> (Option<Gd<Resource>>, SetSource) {
        let role = self.role.to_string();
        let role = if role.is_empty() { None } else { tags::intern(&role).ok() };
        let (config_role, config_default) = self.config.as_ref().map_or((None, None), |config| {
            let config = config.bind();
            (role.and_then(|role| config.role_set(reacts, role)), config.default_set(reacts))
        });
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

/// What counts for the node: a node that answers events takes config and role of the agent's ActionEvaluator, unless it
/// has its own.
pub(super) fn effective(id: InstanceId) -> Sources {
    let mut own = driver::sources(id, |sources| sources.clone());
    if own.config.is_none() {
        own.config = of_sibling(id, |other| other.config.clone()).flatten();
    }
    if own.role.is_empty() {
        own.role = of_sibling(id, |other| other.role.clone()).unwrap_or_default();
    }
    own
}

/// The config that counts for the node.
pub(super) fn config(id: InstanceId) -> Option<Gd<AgentConfig>> {
    let own = driver::sources(id, |sources| sources.config.clone());
    own.or_else(|| of_sibling(id, |other| other.config.clone()).flatten())
}

/// Asks what the agent's ActionEvaluator was given, for a node that answers events.
fn of_sibling<R>(id: InstanceId, ask: impl FnOnce(&mut Sources) -> R) -> Option<R> {
    let sibling = driver::is_reacting(id).then(|| driver::sibling(id)).flatten()?;
    Some(driver::sources(sibling, ask))
}

/// The nodes of the same agent that take config and role from this one.
fn dependants(id: InstanceId) -> Vec<InstanceId> {
    if driver::is_reacting(id) {
        return Vec::new();
    }
    let agent = driver::with(id, |state| state.agent).flatten();
    agent.map(|agent| lookup::parts_of(agent, Part::Reactions)).unwrap_or_default()
}

/// They find their sets again in their next step.
pub(super) fn mark_dependants(id: InstanceId) {
    for other in dependants(id) {
        driver::with(other, |state| state.core.mark_stale());
    }
}

/// They find their sets again, now.
pub(super) fn resolve_dependants(id: InstanceId) {
    if Engine::singleton().is_editor_hint() {
        return;
    }
    for other in dependants(id) {
        // The handler of one may have freed the next.
        if Gd::<Node>::try_from_instance_id(other).is_ok_and(|node| node.is_inside_tree()) {
            set_use::resolve(other);
        }
    }
}

/// Hands the numbers of the config to the core. A node that answers events has no use for them.
pub(super) fn apply_config(id: InstanceId) {
    if driver::is_reacting(id) {
        return;
    }
    let config = driver::sources(id, |sources| sources.config.clone());
    let numbers = config.map_or([0.0; 3], |config| config.bind().recovery_numbers());
    driver::with(id, |state| {
        state.core.change_settings(|settings| {
            [
                settings.action_recovery_time,
                settings.interrupt_recovery_time,
                settings.action_recovery_randomization,
            ] = numbers;
        });
    });
}
