//! Where a stick points: seen from a camera or another node.

use glam::DVec2;
use godot::classes::{Camera3D, Node2D, Node3D};
use godot::prelude::*;

use super::nodes;
use crate::base::lookup;

/// A direction that is shorter than this, seen from above, says nothing.
const STEEP: f32 = 1e-3;

/// Where a stick that is pushed up points on the plane, and, if `mirrored` asks for it, whether the agent looks to the left.
/// Runs a method of its script then.
pub(super) fn of(player: InstanceId, mirrored: bool) -> (DVec2, bool) {
    (forward(player), mirrored && nodes::facing(player).x < 0.0)
}

fn forward(player: InstanceId) -> DVec2 {
    let up = DVec2::NEG_Y;
    if let Some(reference) = nodes::direction_reference(player) {
        return of_node(&reference).unwrap_or(up);
    }
    let Some(agent) = lookup::agent_of(player) else { return up };
    if nodes::is_planar(agent) {
        return up;
    }
    let viewport = Gd::<Node>::try_from_instance_id(player).ok().and_then(|node| node.get_viewport());
    let camera: Option<Gd<Camera3D>> = viewport.and_then(|viewport| viewport.get_camera_3d());
    camera.and_then(|camera| of_space(&camera.upcast())).unwrap_or(up)
}

fn of_node(node: &Gd<Node>) -> Option<DVec2> {
    if !node.is_inside_tree() {
        return None;
    }
    if let Ok(space) = node.clone().try_cast::<Node3D>() {
        return of_space(&space);
    }
    let plane = node.clone().try_cast::<Node2D>().ok()?;
    let up = Vector2::UP.rotated(plane.get_global_rotation());
    Some(DVec2::new(up.x.into(), up.y.into()))
}

/// Forward seen from above; for one that looks straight down or up, where its upper edge points.
fn of_space(node: &Gd<Node3D>) -> Option<DVec2> {
    if !node.is_inside_tree() {
        return None;
    }
    let basis = node.get_global_transform().basis;
    let flat = |direction: Vector3| {
        let planar = Vector2::new(direction.x, direction.z);
        (planar.is_finite() && planar.length() > STEEP).then(|| planar.normalized())
    };
    let forward = flat(-basis.col_c()).or_else(|| flat(basis.col_b()))?;
    Some(DVec2::new(forward.x.into(), forward.y.into()))
}
