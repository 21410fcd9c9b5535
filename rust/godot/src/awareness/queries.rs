//! What scripts ask an AgentAwareness between updates.

use godot::prelude::*;
use riposte_core::awareness::{Belief, Posture, Relationship, StanceAnswers, pain_factor as factor_of};
use riposte_core::perception::NodeId;

use super::{
    AgentAwareness, AwarenessRecord, SourceStance, asking, posture as postures, relationship as relations,
    sides, state, syncing,
};
use crate::agent::health;
use crate::base::{lookup, messages, tags};
use crate::optional::OptionalId;
use crate::perception::{self, NodeArg, state as perception_state};

/// Something about the belief of a target that a script named.
pub(super) fn of<R>(node: InstanceId, target: &NodeArg, read: impl FnOnce(&Belief) -> R) -> Option<R> {
    let target = perception::target_of(target.0.as_ref()?)?;
    state::with_mind(node, |minds, key| minds.belief(key, target.id).map(read)).flatten()
}

/// Records of all beliefs, best score first.
pub(super) fn records(node: InstanceId) -> Array<Gd<AwarenessRecord>> {
    let beliefs =
        state::with_mind(node, |minds, key| minds.beliefs(key).map(Belief::key).collect::<Vec<_>>());
    beliefs.unwrap_or_default().into_iter().map(|belief| sides::record(node, belief)).collect()
}

/// Whom the agent may attend to, best score first.
pub(super) fn candidates(node: InstanceId) -> Array<Gd<Node>> {
    let mut targets = Vec::new();
    state::with_mind(node, |minds, key| minds.candidates(key, &mut targets));
    targets.into_iter().filter_map(perception::live_agent).collect()
}

/// The record of the attention target is not displaced.
pub(super) fn protect(node: InstanceId) {
    perception_state::with(|state| {
        let Some(mind) = state.minds.mind(node).filter(|mind| mind.active) else { return };
        let target = state.minds.world.attention_target(mind.key);
        if let Some(perceiver) = mind.perceiver {
            state.world.set_protected(perceiver, target);
        }
    });
}

/// The agent that a node is or belongs to; a node that belongs to none stands for itself.
fn agent_node(node: &Gd<Node>) -> Gd<Node> {
    let by_target = perception::target_of(node).and_then(|target| InstanceId::try_from_i64(target.agent));
    let by_target = by_target.and_then(|id| Gd::try_from_instance_id(id).ok());
    by_target.or_else(|| lookup::agent_above(node)).unwrap_or_else(|| node.clone())
}

/// The id of the agent that a node belongs to; of a freed node its own.
pub(super) fn agent_id(target: OptionalId) -> Option<NodeId> {
    let id = target.0?;
    let node = target.node().0;
    Some(node.map_or(id, |node| agent_node(&node).instance_id()).to_i64())
}

/// How the agent of a node stands to any other.
pub(super) fn relationship(node: InstanceId, target: &NodeArg) -> i64 {
    syncing::sync_changed();
    let Some(other) = target.0.as_ref().map(agent_node) else { return Relationship::Unknown.to_int() };
    let other_id = other.instance_id();
    let agent = state::agent_of(node);
    let overridden =
        state::with_mind(node, |minds, key| minds.relationship_override(key, other_id.to_i64())).flatten();
    let agent_node = agent.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    let told = agent_node.filter(|_| overridden.is_none()).and_then(|agent| relations::ask(&agent, &other));
    let own = agent.map(asking::identity).unwrap_or_default();
    let identity = asking::identity(other_id);
    let found = state::with_mind(node, |minds, key| {
        tags::with_table(|table| minds.relationship(key, other_id.to_i64(), told, (&own, &identity), table).0)
    });
    found.unwrap_or_default().to_int()
}

/// An override by a script.
pub(super) fn set_relationship(this: &Gd<AgentAwareness>, target: &NodeArg, relationship: i64) -> bool {
    let Some(relationship) = Relationship::from_int(relationship) else {
        let text = format!(
            "set_relationship_override() got relationship {relationship}. Use one of the RELATION_* constants."
        );
        messages::error(this, "set_relationship_override", "relationship", &text);
        return false;
    };
    let Some(agent) = target.0.as_ref().map(|node| agent_node(node).instance_id().to_i64()) else {
        return false;
    };
    let set = |minds: &mut riposte_core::awareness::AwarenessWorld, key| {
        minds.set_relationship_override(key, agent, relationship);
    };
    state::with_mind(this.instance_id(), set).is_some()
}

/// How any agent holds itself.
pub(super) fn posture(target: &NodeArg) -> i64 {
    let Some(node) = target.0.as_ref() else { return Posture::Unreported.to_int() };
    let agent = agent_node(node);
    let own = perception::source_stance(agent.instance_id()).map(SourceStance::known);
    postures::posture(&agent, own).to_int()
}

/// The stance in which any agent is seen.
pub(super) fn vision_stance(target: &NodeArg) -> i64 {
    let Some(node) = target.0.as_ref() else { return Posture::Standing.to_int() };
    let agent = agent_node(node);
    match perception::source_stance(agent.instance_id()) {
        Some(own) => postures::vision_stance(&agent, own),
        None => StanceAnswers::default().vision() as i64,
    }
}

/// The health of the agent of a node.
pub(super) fn own_health(node: InstanceId) -> f64 {
    let agent = state::agent_of(node).and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    agent.and_then(|agent| health::fraction(&agent)).unwrap_or(1.0)
}

/// What pain makes of its readings.
pub(super) fn pain_factor(node: InstanceId) -> f64 {
    syncing::sync_changed();
    let profile = state::with_mind(node, |minds, key| minds.profile(key).cloned()).flatten();
    let Some(profile) = profile.filter(|profile| profile.pain_enabled) else { return 1.0 };
    factor_of(&profile, own_health(node))
}

/// The health of any agent.
pub(super) fn health_of(target: &NodeArg) -> f64 {
    let agent = target.0.as_ref().map(agent_node);
    agent.and_then(|agent| health::fraction(&agent)).unwrap_or(1.0)
}

/// For how long a target was seen in a stance; -1: in any.
pub(super) fn observed_time(node: InstanceId, target: &NodeArg, stance: i64) -> f64 {
    let Some(agent) = target.0.as_ref().map(|node| agent_node(node).instance_id().to_i64()) else {
        return 0.0;
    };
    let Some(stance) = Posture::from_int(stance) else { return 0.0 };
    let stance = Some(stance).filter(|stance| *stance != Posture::Unreported);
    state::with_mind(node, |minds, key| minds.observed_time(key, agent, stance)).unwrap_or(0.0)
}

/// Crouched and prone over all.
pub(super) fn sneaking_fraction(node: InstanceId, target: &NodeArg) -> f64 {
    let Some(agent) = target.0.as_ref().map(|node| agent_node(node).instance_id().to_i64()) else {
        return 0.0;
    };
    state::with_mind(node, |minds, key| minds.sneaking_fraction(key, agent)).unwrap_or(0.0)
}

/// All observations.
pub(super) fn observations(node: InstanceId) -> Array<VarDictionary> {
    let seen = state::with_mind(node, |minds, key| minds.observations(key).collect::<Vec<_>>());
    let row = |seen: &riposte_core::awareness::Observation| {
        let target =
            InstanceId::try_from_i64(seen.agent).and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
        let mut row = VarDictionary::new();
        row.set("target", &target.to_variant());
        row.set("standing", seen.standing);
        row.set("crouched", seen.crouched);
        row.set("prone", seen.prone);
        row.set("guessed", seen.guessed);
        row
    };
    seen.unwrap_or_default().iter().map(row).collect()
}

/// Ends the record of a target.
pub(super) fn forget(node: InstanceId, target: &NodeArg) -> bool {
    let Some(target) = target.0.as_ref().and_then(perception::target_of) else { return false };
    perception_state::with(|state| {
        let perceiver = state.minds.mind(node).and_then(|mind| mind.perceiver);
        perceiver.is_some_and(|perceiver| state.world.forget(perceiver, target))
    })
}
