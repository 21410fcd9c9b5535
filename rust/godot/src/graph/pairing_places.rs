//! How two that act together get to their places.

use std::f64::consts::PI;

use glam::DVec2;
use godot::prelude::*;
use riposte_core::graph::direction::right_of;

use super::approach_state::Body;
use super::nodes;
use super::paired_part::Paired;
use crate::agent::facing;
use crate::base::settings;

/// The ways that are left.
#[derive(Default)]
pub(super) struct Meeting {
    seconds: f64,
    passed: f64,
    /// The way of the partner, and how both turn, in radians to the right.
    way: Vector3,
    partner: Option<InstanceId>,
    turns: Vec<(InstanceId, f64)>,
}

impl Meeting {
    /// The initiator turns to its partner, which gets to its place and turns as the action says. Methods of both may run.
    pub(super) fn plan(
        player: InstanceId,
        agent: InstanceId,
        (partner, partner_player): (InstanceId, Option<InstanceId>),
        action: &Paired,
    ) -> Self {
        let own = nodes::facing(player);
        let theirs = match partner_player {
            Some(player) => nodes::facing(player),
            None => nodes::facing_of(partner),
        };
        let Some((from, to)) = Body::of(agent).zip(Body::of(partner)) else { return Self::default() };
        if from.is_flat() != to.is_flat() {
            return Self::default();
        }
        let (at, there) = (from.position(), to.position());
        let between = from.planar(there - at);
        let forward = between.try_normalize().unwrap_or(own);
        let goal = at + from.placed(forward, action.partner_offset);
        let wanted = rotated(forward, -action.partner_yaw.to_radians());
        let mut turns = Vec::new();
        for (node, body, facing, wanted) in [(agent, &from, own, forward), (partner, &to, theirs, wanted)] {
            // On the plane whoever says where it looks draws itself so, and is not turned.
            if !(body.is_flat() && body.says_facing()) {
                turns.push((node, angle(facing, wanted)));
            }
        }
        Self { seconds: action.align_seconds, passed: 0.0, way: goal - there, partner: Some(partner), turns }
    }

    /// So many seconds further.
    pub(super) fn step(&mut self, seconds: f64) {
        if self.passed >= self.seconds && self.partner.is_none() {
            return;
        }
        let share = |passed: f64, all: f64| if all > 0.0 { (passed / all).min(1.0) } else { 1.0 };
        let before = if self.seconds > 0.0 { share(self.passed, self.seconds) } else { 0.0 };
        self.passed += seconds;
        let part = share(self.passed, self.seconds) - before;
        if let Some(body) = self.partner.and_then(Body::of) {
            body.shift(self.way * part as f32);
        }
        for (node, angle) in &self.turns {
            if let Some(body) = Body::of(*node) {
                body.turn(angle * part);
            }
        }
        if self.passed >= self.seconds {
            *self = Self { passed: self.passed, ..Self::default() };
        }
    }
}

impl Body {
    fn is_flat(&self) -> bool {
        matches!(self, Self::Plane(_))
    }

    fn position(&self) -> Vector3 {
        match self {
            Self::Space(node) => node.get_global_position(),
            Self::Plane(node) => {
                let at = node.get_global_position();
                Vector3::new(at.x, at.y, 0.0)
            }
        }
    }

    fn planar(&self, offset: Vector3) -> DVec2 {
        nodes::planar(offset, self.is_flat())
    }

    /// A place in metres as one sees it that looks along `forward`: -Z ahead, X to the right.
    fn placed(&self, forward: DVec2, offset: Vector3) -> Vector3 {
        let on_ground = forward * -f64::from(offset.z) + right_of(forward) * f64::from(offset.x);
        if self.is_flat() {
            let pixels = on_ground * settings::PIXELS_PER_METER.read();
            return Vector3::new(pixels.x as f32, pixels.y as f32, 0.0);
        }
        Vector3::new(on_ground.x as f32, offset.y, on_ground.y as f32)
    }

    fn says_facing(&self) -> bool {
        let node: Gd<Node> = match self {
            Self::Space(node) => node.clone().upcast(),
            Self::Plane(node) => node.clone().upcast(),
        };
        facing::answers(&node)
    }

    fn shift(self, way: Vector3) {
        match self {
            Self::Space(mut node) => {
                let at = node.get_global_position();
                node.set_global_position(at + way);
            }
            Self::Plane(mut node) => {
                let at = node.get_global_position();
                node.set_global_position(at + Vector2::new(way.x, way.y));
            }
        }
    }

    /// Radians to the right.
    fn turn(self, angle: f64) {
        match self {
            Self::Space(mut node) => {
                let turned = Basis::from_axis_angle(Vector3::UP, -angle as f32) * node.get_global_basis();
                node.set_global_basis(turned);
            }
            Self::Plane(mut node) => node.rotate(angle as f32),
        }
    }
}

/// To the right by an angle in radians.
fn rotated(direction: DVec2, angle: f64) -> DVec2 {
    direction * angle.cos() + right_of(direction) * angle.sin()
}

/// From one direction to another, to the right, in radians; half a turn for opposite ones.
fn angle(from: DVec2, to: DVec2) -> f64 {
    if from.length() < 1e-9 || to.length() < 1e-9 {
        return 0.0;
    }
    let angle = f64::atan2(to.dot(right_of(from)), to.dot(from));
    if angle <= -PI { PI } else { angle }
}
