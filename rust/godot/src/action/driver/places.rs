//! Where agents and targets stand, and how they stand to each other.

use godot::classes::{Node2D, Node3D};
use godot::prelude::*;
use riposte_core::action::planar_angle;

use crate::agent::facing;
use crate::base::lookup::{self, Part};
use crate::base::settings;
use crate::perception;

/// From the agent to the target.
#[derive(Clone, Copy, Default)]
pub(super) struct Way {
    /// World units.
    pub distance: f64,
    pub meters: f64,
    /// Unit vector.
    pub direction: Vector3,
}

/// How far and where the target is. Nothing without a target, or if one of the two has no place.
pub(super) fn way(agent: InstanceId, target: Option<InstanceId>) -> Way {
    way_from(Body::of(agent).as_ref(), target)
}

pub(super) fn way_from(from: Option<&Body>, target: Option<InstanceId>) -> Way {
    let bodies = from.zip(target.and_then(Body::of));
    // Code of the game may have run since the agent was looked up.
    let comparable = |(from, to): &(&Body, Body)| from.is_flat() == to.is_flat() && from.is_here();
    let Some((from, to)) = bodies.filter(comparable) else {
        return Way::default();
    };
    Way::between(from.position(), to.position(), || units_per_meter(from.is_flat()))
}

impl Way {
    pub fn between(from: Vector3, to: Vector3, units_per_meter: impl FnOnce() -> f64) -> Self {
        let offset = to - from;
        let length = offset.length();
        let distance = f64::from(length);
        let direction = if distance > 0.0 { offset / length } else { Vector3::ZERO };
        Self { distance, meters: distance / units_per_meter(), direction }
    }
}

/// Pixels in a metre on the plane, else 1.
pub(super) fn units_per_meter(flat: bool) -> f64 {
    if flat { settings::PIXELS_PER_METER.read() } else { 1.0 }
}

/// The same for where a node is.
pub(in crate::action) fn units_of(node: InstanceId) -> f64 {
    units_per_meter(Gd::<Node2D>::try_from_instance_id(node).is_ok())
}

/// Where a node in the tree is; on the plane y stands in the place of z.
pub(in crate::action) fn on_ground(node: InstanceId) -> Option<Vector3> {
    let body = Body::of(node).filter(Body::is_inside)?;
    let at = body.position();
    Some(if body.is_flat() { Vector3::new(at.x, 0.0, at.y) } else { at })
}

/// A node with a place.
pub(super) enum Body {
    Space(Gd<Node3D>),
    Plane(Gd<Node2D>),
}

impl Body {
    pub fn of(node: InstanceId) -> Option<Self> {
        if let Ok(node) = Gd::<Node3D>::try_from_instance_id(node) {
            return node.is_inside_tree().then_some(Self::Space(node));
        }
        let node = Gd::<Node2D>::try_from_instance_id(node).ok()?;
        Some(Self::Plane(node))
    }

    pub fn is_flat(&self) -> bool {
        matches!(self, Self::Plane(_))
    }

    pub fn position(&self) -> Vector3 {
        match self {
            Self::Space(node) => node.get_global_position(),
            Self::Plane(node) => {
                let at = node.get_global_position();
                Vector3::new(at.x, at.y, 0.0)
            }
        }
    }

    fn is_inside(&self) -> bool {
        match self {
            Self::Space(node) => node.is_inside_tree(),
            Self::Plane(node) => node.is_inside_tree(),
        }
    }

    /// It still has a place.
    fn is_here(&self) -> bool {
        match self {
            Self::Space(node) => node.is_instance_valid() && node.is_inside_tree(),
            Self::Plane(node) => node.is_instance_valid(),
        }
    }

    /// Its own forward: -Z in space, +X on the plane. Nothing if it is gone.
    fn forward(&self) -> Vector3 {
        match self {
            _ if !self.is_here() => Vector3::ZERO,
            Self::Space(node) => -node.get_global_transform().basis.col_c(),
            Self::Plane(node) => {
                let x = node.get_global_transform().a;
                Vector3::new(x.x, x.y, 0.0)
            }
        }
    }
}

pub(super) fn angle_to(agent: InstanceId, body: &Body, way: &Way) -> f64 {
    angle_of(facing(agent, body), body.is_flat(), way)
}

/// The angle between a facing and a way.
pub(super) fn angle_of(facing: Vector3, flat: bool, way: &Way) -> f64 {
    // Space is seen from above, the plane as it is.
    let project = |v: Vector3| (f64::from(v.x), f64::from(if flat { v.y } else { v.z }));
    let to = way.direction * way.distance as f32;
    planar_angle(project(facing), project(to))
}

/// What the agent's `get_facing_direction()` says, else the forward of its Perception, else its own.
fn facing(agent: InstanceId, body: &Body) -> Vector3 {
    let perceived = || lookup::part_of(agent, Part::Perception).and_then(perception::forward);
    facing::asked(agent).or_else(perceived).unwrap_or_else(|| body.forward())
}
