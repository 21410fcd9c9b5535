//! The body that is moved.

use godot::classes::{
    BoxShape3D, CapsuleShape3D, CharacterBody3D, CylinderShape3D, Engine, Shape3D, SphereShape3D,
};
use godot::prelude::*;

use crate::agent;
use crate::base::callbacks;
use crate::base::lookup::{self, Part};
use crate::perception;

/// Surfaces that one step may slide along.
const SLIDES: usize = 4;

/// The agent as a body, in the tree.
pub(super) fn of(agent: InstanceId) -> Option<Gd<CharacterBody3D>> {
    Gd::<CharacterBody3D>::try_from_instance_id(agent).ok().filter(|body| body.is_inside_tree())
}

/// What [`of`] cannot be: a configuration warning.
pub(super) fn warning(component: &Gd<Node>, path: &NodePath) -> Option<String> {
    let agent = lookup::find_agent(component, path)?;
    let wrong = agent.try_cast::<CharacterBody3D>().is_err();
    wrong.then(|| {
        "The agent is no CharacterBody3D, so nothing is moved. Make this node a child of one, or set agent_path."
            .to_owned()
    })
}

/// Moves a body as far as it can go, and along what it meets.
pub(crate) fn slide(body: &mut Gd<CharacterBody3D>, way: Vector3) {
    let mut left = way;
    for _ in 0..SLIDES {
        if left.length_squared() < 1e-12 {
            return;
        }
        let Some(hit) = body.move_and_collide(left) else { return };
        left = hit.get_remainder().slide(hit.get_normal());
    }
}

/// Where the agent looks. Runs a method of its script.
pub(super) fn facing(agent: InstanceId, body: &Gd<CharacterBody3D>) -> Vector3 {
    let perceived = || lookup::part_of(agent, Part::Perception).and_then(perception::forward);
    let own = || body.is_instance_valid().then(|| -body.get_global_basis().col_c());
    agent::facing::asked(agent).or_else(perceived).or_else(own).unwrap_or_default()
}

/// Turns a body about the vertical, radians to the left.
pub(super) fn turn(body: &mut Gd<CharacterBody3D>, angle: f64) {
    if angle.abs() > 1e-9 {
        let turned = Basis::from_axis_angle(Vector3::UP, angle as f32) * body.get_global_basis();
        body.set_global_basis(turned);
    }
}

/// The lowest point of a body's shapes, seen from its origin; 0 without shapes.
pub(super) fn feet(body: &Gd<CharacterBody3D>) -> f32 {
    let basis = body.get_global_basis();
    let mut lowest: Option<f32> = None;
    for owner in body.get_shape_owners().as_slice() {
        let owner = *owner as u32;
        if body.is_shape_owner_disabled(owner) {
            continue;
        }
        let place = Transform3D::new(basis, Vector3::ZERO) * body.shape_owner_get_transform(owner);
        for index in 0..body.shape_owner_get_shape_count(owner) {
            if let Some(shape) = body.shape_owner_get_shape(owner, index) {
                let bottom = (place * extent(shape)).position.y;
                lowest = Some(lowest.map_or(bottom, |lowest| lowest.min(bottom)));
            }
        }
    }
    lowest.unwrap_or(0.0)
}

fn extent(shape: Gd<Shape3D>) -> Aabb {
    let size = if let Ok(shape) = shape.clone().try_cast::<CapsuleShape3D>() {
        Vector3::new(shape.get_radius() * 2.0, shape.get_height(), shape.get_radius() * 2.0)
    } else if let Ok(shape) = shape.clone().try_cast::<CylinderShape3D>() {
        Vector3::new(shape.get_radius() * 2.0, shape.get_height(), shape.get_radius() * 2.0)
    } else if let Ok(shape) = shape.clone().try_cast::<BoxShape3D>() {
        shape.get_size()
    } else if let Ok(shape) = shape.clone().try_cast::<SphereShape3D>() {
        Vector3::splat(shape.get_radius() * 2.0)
    } else {
        return shape.get_debug_mesh().map(|mesh| mesh.get_aabb()).unwrap_or_default();
    };
    Aabb::new(-size / 2.0, size)
}

/// The number of this physics step.
pub(super) fn frame() -> u64 {
    Engine::singleton().get_physics_frames()
}

/// Calls `start` before every physics step from now on, or not any more.
pub(super) fn follow_steps<T: Inherits<Node>>(node: &Gd<T>, on: bool, start: fn(InstanceId)) {
    let node: Gd<Node> = node.clone().upcast();
    if !node.is_inside_tree() || Engine::singleton().is_editor_hint() {
        return;
    }
    let (tree, id) = (node.get_tree(), node.instance_id());
    if on {
        callbacks::connect(&tree, "physics_frame", id, "riposte_step_start", start);
    } else {
        callbacks::disconnect(&tree, "physics_frame", id, "riposte_step_start");
    }
}

/// Sees to it that a component steps after its agent, also if the agent steps late.
pub(super) fn step_after<T: Inherits<Node>>(node: &Gd<T>, agent: InstanceId) {
    let mut node: Gd<Node> = node.clone().upcast();
    let Ok(agent) = Gd::<Node>::try_from_instance_id(agent) else { return };
    let priority = agent.get_physics_process_priority();
    if node.get_physics_process_priority() < priority {
        node.set_physics_process_priority(priority);
    }
}
