//! Nodes that scripts give: targets and perceivers, by agent, component or any node below the agent.

use godot::prelude::*;
use riposte_core::perception::{NodeId, PerceiverKey, TargetRef};

use crate::base::lookup::{self, Part};
use crate::base::messages;
use crate::optional::Optional;

use super::perception_server::PerceptionServer;
use super::state::{self, State};

/// A node argument that may be null or freed.
pub(crate) type NodeArg = Optional<Node>;

/// The node and all nodes above it.
pub(super) fn lineage(node: &Gd<Node>) -> Vec<NodeId> {
    let mut ids = vec![node.instance_id().to_i64()];
    ids.extend(super::placement::ancestors_of(node));
    ids
}

/// The first answer for the node or a node above it.
fn climb<R>(node: &Gd<Node>, ask: impl Fn(&State, InstanceId) -> Option<R>) -> Option<R> {
    let mut at = Some(node.clone());
    while let Some(node) = at {
        if let Some(answer) = state::with(|state| ask(state, node.instance_id())) {
            return Some(answer);
        }
        at = node.get_parent();
    }
    None
}

/// The target that a node stands for: its agent, its source, or a node below the agent.
pub(crate) fn target_of(node: &Gd<Node>) -> Option<TargetRef> {
    climb(node, |state, id| {
        let by_source = state.source(id).and_then(|key| state.world.target_of_source(key));
        by_source.or_else(|| state.world.target_of(id.to_i64()))
    })
}

/// As [`target_of`], for an agent that has a source.
pub(super) fn target_with_source(node: &Gd<Node>) -> Option<TargetRef> {
    climb(node, |state, id| {
        let by_source = state.source(id).and_then(|key| state.world.target_of_source(key));
        let target = by_source.or_else(|| state.world.target_of(id.to_i64()))?;
        (!state.world.sources_of(target.key).is_empty()).then_some(target)
    })
}

/// The agent node of a target, unless it or its source is gone or queued for deletion.
pub(crate) fn live_agent(target: TargetRef) -> Option<Gd<Node>> {
    let agent = Gd::<Node>::try_from_instance_id(InstanceId::try_from_i64(target.agent)?).ok()?;
    if agent.is_queued_for_deletion() {
        return None;
    }
    let source = state::with(|state| state.active_source_node(target));
    let source = source.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    if source.is_some_and(|source| source.is_queued_for_deletion()) { None } else { Some(agent) }
}

/// The perceiver that a node is, or that stands for the agent that it is.
pub(super) fn perceiver_of(node: &Gd<Node>) -> Option<PerceiverKey> {
    let id = node.instance_id();
    let known = state::with(|state| {
        state.perceiver(id).or_else(|| state.world.perceivers_of_agent(id.to_i64()).first().copied())
    });
    // A copy of what another peer's perceiver knows is no perceiver of the world.
    let copy =
        || lookup::part_of(id, Part::Perception).and_then(|id| state::with(|state| state.perceiver(id)));
    known.or_else(copy)
}

/// As [`perceiver_of`], for an argument of the server; an error if it is none.
pub(super) fn named_perceiver(member: &str, node: &NodeArg) -> Option<PerceiverKey> {
    let server = PerceptionServer::singleton();
    let Some(node) = &node.0 else {
        let text = format!("{member}() got no perceiver. Give a Perception node or its agent.");
        messages::error(&server, member, "no perceiver", &text);
        return None;
    };
    let key = perceiver_of(node);
    if key.is_none() {
        let name = messages::node_place(node);
        let text = format!("{member}(): {name} is no perceiver. Give a Perception node or its agent.");
        messages::error(&server, member, &name, &text);
    }
    key
}

/// The agent of the perceiver that a hurt node belongs to: the node, or the nearest one above it.
pub(super) fn victim_agent(node: &Gd<Node>) -> Option<NodeId> {
    climb(node, |state, id| {
        let own = state.perceiver(id).and_then(|key| state.world.perceiver_place(key));
        let agent = own.map_or(id.to_i64(), |(_, agent)| agent);
        (!state.world.perceivers_of_agent(agent).is_empty()).then_some(agent)
    })
}
