//! Gates that are asked outside of an evaluator, by a node of an action graph.

use std::slice::from_ref;

use godot::prelude::*;
use riposte_core::action::{GateKind, GatePlan, Limits, Source, TagsOf, TokenClaim};
use riposte_core::tags::{TagId, TagSet};

use super::driver::alone;
use super::parts::{gate_plan, passes_gate};
use super::{DecisionContext, TagGate, readings, token_pools};
use crate::agent;

/// A gate, compiled.
pub(crate) struct GateAlone {
    plan: GatePlan,
    /// What a scripted gate is asked by.
    script: Option<Gd<Resource>>,
    /// Slots that all token gates of the node take of this tag.
    tokens: u32,
}

/// What a gate took.
pub(crate) struct Taken(TokenClaim);

impl GateAlone {
    /// `None` if it always passes. Runs scripts.
    pub(crate) fn of(gate: &Gd<Resource>) -> Option<Self> {
        let mut scripts = Vec::new();
        let plan = gate_plan(gate, &mut scripts)?;
        let tokens = if let GateKind::Tokens { cost, .. } = plan.kind { cost } else { 0 };
        Some(Self { plan, script: scripts.pop(), tokens })
    }

    /// The tags that it looks at, if that is all.
    pub(crate) fn tags(&self) -> Option<(TagsOf, &[TagId], &[TagId])> {
        match &self.plan.kind {
            GateKind::Tags { of, required, blocked } => Some((*of, required.ids(), blocked.ids())),
            _ => None,
        }
    }

    /// The combat tokens that it takes.
    pub(crate) fn token_cost(&self) -> Option<(TagId, u32)> {
        match self.plan.kind {
            GateKind::Tokens { tag, cost } => Some((tag, cost)),
            _ => None,
        }
    }

    /// All token gates of its node together take so many.
    pub(crate) fn set_token_total(&mut self, tokens: u32) {
        self.tokens = tokens;
    }

    /// For explanations.
    pub(crate) fn label(&self) -> &str {
        &self.plan.label
    }

    /// Whether it is open. `context` is made only for a script. Runs getters, methods and scripts: nothing may be bound or
    /// locked.
    pub(crate) fn is_open(
        &self,
        agent: InstanceId,
        target: Option<InstanceId>,
        context: impl FnOnce() -> Gd<DecisionContext>,
    ) -> bool {
        match &self.plan.kind {
            GateKind::Tags { of, required, blocked } => {
                let fits = |tags: &TagSet| {
                    required.ids().iter().all(|tag| tags.matches(*tag)) && !tags.matches_any(blocked.ids())
                };
                match of {
                    TagsOf::Agent => agent::read_tags(agent, |tags, _| fits(tags)),
                    TagsOf::Target => {
                        target.is_none_or(|target| agent::read_tags(target, |tags, _| fits(tags)))
                    }
                    TagsOf::World => agent::read_world_tags(|tags, _| fits(tags)),
                }
            }
            GateKind::Tokens { tag, .. } => target.is_some_and(|target| {
                let free = token_pools::free_for(agent, target, from_ref(tag));
                free.first().is_some_and(|(_, free)| *free >= u64::from(self.tokens))
            }),
            GateKind::Reading(limits) => within(limits, agent, target),
            _ => self.script.as_ref().is_none_or(|gate| passes_gate(gate, &context().to_variant())),
        }
    }

    /// Takes the slots of a token gate. Tells it: nothing may be bound or locked.
    pub(crate) fn take(&self, agent: InstanceId, target: Option<InstanceId>) -> Option<Taken> {
        let wanted = self.token_cost()?;
        let (claim, changes) = token_pools::claim(agent, target?, from_ref(&wanted), &[])?;
        token_pools::tell_acquired(&changes);
        Some(Taken(claim))
    }
}

impl Taken {
    /// Gives it back. Tells it: nothing may be bound or locked.
    pub(crate) fn give_back(self) {
        token_pools::give_back(self.0);
    }
}

fn within(limits: &Limits, agent: InstanceId, target: Option<InstanceId>) -> bool {
    let mut own: Vec<_> = limits.min_by.into_iter().collect();
    if limits.of == Source::Agent && !own.contains(&limits.id) {
        own.push(limits.id);
    }
    let own = readings::read(agent, agent, &own);
    let of_target = target.filter(|_| limits.of == Source::Target);
    let target = of_target.map(|target| readings::read(agent, target, from_ref(&limits.id)));
    limits.allow(&own, target.as_deref())
}

/// A gate of tags whose node is not to be seen while it is closed.
pub(crate) fn hides(gate: &Gd<Resource>) -> bool {
    gate.clone().try_cast::<TagGate>().is_ok_and(|gate| gate.bind().hides_transition)
}

/// The agent and its target as they are now, for the scripted gates of a node. Runs methods of the agent: nothing may be bound
/// or locked.
pub(crate) fn context(
    agent: InstanceId,
    target: Option<InstanceId>,
    node: &StringName,
) -> Gd<DecisionContext> {
    alone::context(agent, target, node)
}
