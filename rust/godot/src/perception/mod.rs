//! Perception nodes and their server: thin classes over `riposte_core::perception`.

use glam::DVec3;
use godot::builtin::Vector3;
use godot::classes::Node;
use godot::obj::{Gd, InstanceId, Singleton as _};
use riposte_core::perception::{NodeId, PerceiverKey, Senses};

use crate::awareness;
use crate::base::convert::vector3;
use crate::base::lookup;
use crate::optional::Optional;

mod answers;
mod arguments;
mod checks;
mod class_prelude;
mod colliders;
mod debug_draw;
mod debug_shapes;
mod dimension;
mod dispatch;
mod identity;
mod line_of_sight;
mod mirror;
mod muffling;
mod node_class;
mod nodes;
#[allow(dead_code, reason = "signals are emitted by name")]
mod perception_2d;
#[allow(dead_code, reason = "signals are emitted by name")]
mod perception_3d;
mod perception_api;
mod perception_class;
mod perception_event;
mod perception_node;
mod perception_parts;
mod perception_server;
mod physics;
mod placement;

mod queries;
mod rays;
mod registering;
mod reporting;
mod running;
mod saving;
mod saving_server;
mod source_class;
mod source_parts;
mod spaces;
mod stances;
pub(crate) mod state;
pub(crate) mod stats;
#[allow(dead_code, reason = "signals are emitted by name")]
mod stimulus_source_2d;
#[allow(dead_code, reason = "signals are emitted by name")]
mod stimulus_source_3d;
mod values;

pub(crate) use arguments::{NodeArg, live_agent, target_of};
pub(crate) use identity::agent_tags_changed;
pub(crate) use line_of_sight::ray;
#[cfg(debug_assertions)]
pub(crate) use perception_node::warnings;
pub(crate) use perception_server::PerceptionServer;
pub(crate) use stances::source_stance;

/// Whom a Perception attends to: whom the agent's AgentAwareness attends to, else the closest perceived target. For
/// others of the binding, by instance id.
pub(crate) fn attention_target(perception: InstanceId) -> Option<InstanceId> {
    let chosen = lookup::agent_of(perception).and_then(awareness::attention_target);
    chosen.unwrap_or_else(|| closest_target(perception))
}

fn closest_target(perception: InstanceId) -> Option<InstanceId> {
    queries::closest_target(perception).map(|node| node.instance_id())
}

/// The targets that a Perception perceives, the nearest first.
pub(crate) fn perceived_targets(perception: InstanceId) -> Vec<InstanceId> {
    queries::known_targets(perception).into_iter().map(|node| node.instance_id()).collect()
}

/// The threat that the agent of a Perception sees in a node.
pub(crate) fn threat(perception: InstanceId, target: &NodeArg) -> f64 {
    let agent = lookup::agent_of(perception);
    agent.zip(target.0.as_ref()).map_or(0.0, |(agent, target)| awareness::threat(agent, target))
}

/// True if a Perception senses a node by sight now.
pub(crate) fn sees_now(perception: InstanceId, target: &Gd<Node>) -> bool {
    let Some(target) = target_of(target) else { return false };
    let senses = state::with(|state| Some(state.world.senses(state.perceiver(perception)?, target)));
    senses.is_some_and(|senses| senses.intersects(Senses::SIGHT))
}

/// Whether a Perception would see a node, by rays. May ask the stance of the target.
pub(crate) fn looks_at(perception: InstanceId, target: &Gd<Node>) -> bool {
    let looker = Gd::<Node>::try_from_instance_id(perception);
    looker.is_ok_and(|looker| line_of_sight::between(&looker, Optional(Some(target.clone()))))
}

/// Where a Perception looks.
pub(crate) fn forward(perception: InstanceId) -> Option<Vector3> {
    perception.lookup_validity().then(|| vector3(queries::eye_and_forward(perception).1))
}

/// True if rays may be cast in 3D worlds now.
pub(crate) fn may_cast_rays() -> bool {
    spaces::may_cast(false)
}

/// True for a node of a 2D world.
pub(crate) fn is_planar(node: InstanceId) -> bool {
    dimension::Placed::by_id(node).is_some_and(|placed| placed.is_planar())
}

/// Where perceivers in the tree are; not a number for none.
pub(crate) fn origins_of(perceivers: &[Option<PerceiverKey>]) -> Vec<DVec3> {
    let server = PerceptionServer::singleton();
    let nodes = &server.bind().nodes;
    let origin = |key: &Option<PerceiverKey>| key.map_or(DVec3::NAN, |key| nodes.perceiver_frame(key).origin);
    perceivers.iter().map(origin).collect()
}

/// True if an agent's own perceivers sense another agent now.
pub(crate) fn senses_back(agent: NodeId, other: InstanceId, mask: i64) -> bool {
    let Ok(bits) = u8::try_from(mask & i64::from(Senses::ANY.bits())) else { return false };
    state::with(|state| {
        let Some(target) = state.world.target_of(other.to_i64()) else { return false };
        let perceivers = state.world.perceivers_of_agent(agent);
        perceivers.iter().any(|key| state.world.senses(*key, target).bits() & bits != 0)
    })
}
