//! Perception nodes and their server: thin classes over `riposte_core::perception`.

use godot::builtin::Vector3;
use godot::obj::InstanceId;

use crate::base::convert::vector3;

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

pub(crate) use identity::agent_tags_changed;
pub(crate) use perception_server::PerceptionServer;
pub(crate) use stances::source_stance;

/// Whom a Perception attends to: the closest perceived target. For others of the binding, by instance id.
pub(crate) fn attention_target(perception: InstanceId) -> Option<InstanceId> {
    queries::closest_target(perception).map(|node| node.instance_id())
}

/// Where a Perception looks.
pub(crate) fn forward(perception: InstanceId) -> Option<Vector3> {
    perception.lookup_validity().then(|| vector3(queries::eye_and_forward(perception).1))
}
