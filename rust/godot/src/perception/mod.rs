//! Perception nodes and their server: thin classes over `riposte_core::perception`.

use godot::builtin::Vector3;
use godot::obj::{Gd, InstanceId};

use crate::base::convert::vector3;

mod answers;
mod arguments;
mod colliders;
mod dimension;
mod dispatch;
mod line_of_sight;
mod nodes;
mod perception_3d;
mod perception_3d_api;
mod perception_event;
mod perception_server;
mod physics;
mod placement;
mod queries;
mod rays;
mod registering;
mod reporting;
mod running;
mod spaces;
pub(crate) mod state;
mod stimulus_source_3d;

pub(crate) use perception_server::PerceptionServer;

/// Whom a Perception attends to: the closest perceived target. For others of the binding, by instance id.
pub(crate) fn attention_target(perception: InstanceId) -> Option<InstanceId> {
    queries::known_targets(perception).iter().find_map(queries::as_node_3d).map(|node| node.instance_id())
}

/// Where a Perception looks.
pub(crate) fn forward(perception: InstanceId) -> Option<Vector3> {
    let node = Gd::<perception_3d::Perception3D>::try_from_instance_id(perception).ok()?;
    Some(vector3(perception_3d_api::eye_and_forward(&node).1))
}
