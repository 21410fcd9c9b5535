//! One step of an AttackApproach.

use glam::DVec2;
use godot::classes::{CharacterBody2D, CharacterBody3D};
use godot::prelude::*;
use riposte_core::graph::direction::right_of;
use riposte_core::graph::parts::{ApproachPlan, stop_distance, turn_rate};

use super::approach_state::{self, Body, Running, State, with};
use super::state;
use super::{driver, nodes, sources};
use crate::base::lookup;
use crate::base::settings;
use crate::motion;

/// Surfaces that one step may slide along.
const SLIDES: usize = 4;

/// Where the agent and its target are, on the ground.
struct Scene {
    body: Body,
    /// World units to a metre.
    units: f64,
    facing: DVec2,
    /// To the target.
    way: Option<DVec2>,
}

/// Decides on the motion of this physics step, and moves the agent if that is wanted.
pub(super) fn step(id: InstanceId, delta: f64) {
    let agent = lookup::agent_of(id);
    let Some((agent, mut running)) = agent.zip(approach_state::running(id)) else {
        return approach_state::set_running(id, None);
    };
    if !driver::is_current(running.run.data()) {
        return approach_state::set_running(id, None);
    }
    let (motion, turning) = decide(id, agent, &mut running, delta).unwrap_or_default();
    approach_state::advance(id, running.run.data().run, running.approach);
    let applies = with(id, |state| {
        (state.motion, state.turning) = (motion, turning);
        state.applies
    });
    if applies == Some(true)
        && let Some(body) = Body::of(agent)
    {
        body.apply(motion * delta as f32, turning * delta);
    }
}

/// Velocity and turn rate; nothing while somebody else steers, or the clock of the player stands still.
fn decide(id: InstanceId, agent: InstanceId, running: &mut Running, delta: f64) -> Option<(Vector3, f64)> {
    let data = running.run.data().clone();
    if motion::is_warping(agent) || stands_still(data.player) {
        return None;
    }
    let (plan, fastest, turns) = with(id, |state: &mut State| (state.plan, state.turn_rate, state.turns))?;
    let target = running.run.target().map(|node| node.instance_id());
    let scene = Scene::of(data.player, agent, target)?;
    let mut motion = DVec2::ZERO;
    if let Some(way) = scene.way {
        let plan = said_by_move(plan, running, &scene);
        let speed = running.approach.step(&plan, way.length(), delta);
        motion = way.normalize_or_zero() * speed;
    }
    let push = DVec2::new(f64::from(data.direction.x), f64::from(data.direction.y));
    let pushed = running.spacing.turns_to_input && push.length() > 1e-3;
    let wanted = if pushed { Some(push) } else { scene.way };
    let turning = wanted.filter(|way| turns && way.length() > 1e-6).map_or(0.0, |way| {
        let angle = angle(scene.facing, way).to_degrees();
        turn_rate(angle, fastest, delta)
    });
    Some(match scene.body {
        Body::Space(_) => (Vector3::new(motion.x as f32, 0.0, motion.y as f32), -turning),
        Body::Plane(_) => (Vector3::new(motion.x as f32, motion.y as f32, 0.0), turning),
    })
}

/// The clock of a player does not move.
fn stands_still(player: InstanceId) -> bool {
    state::with(player, |state| state.core.is_frozen() || state.core.settings().time_scale == 0.0)
        != Some(false)
}

/// The plan with what the payload, a window and the weapon say.
fn said_by_move(own: ApproachPlan, running: &Running, scene: &Scene) -> ApproachPlan {
    let spacing = &running.spacing;
    let data = running.run.data();
    let mut time = driver::node_time_of(data);
    if spacing.times.period > 0.0 {
        time %= spacing.times.period;
    }
    let weapon = sources::stop_distance(data.player);
    let stop =
        stop_distance(spacing.stop_distance, &spacing.times.windows, time, weapon, own.stop / scene.units);
    let make_room = if spacing.make_room >= 0.0 { spacing.make_room } else { own.make_room };
    ApproachPlan { stop: stop * scene.units, make_room, ..own }
}

impl Scene {
    /// Runs a method of the agent.
    fn of(player: InstanceId, agent: InstanceId, target: Option<InstanceId>) -> Option<Self> {
        let facing = nodes::facing(player);
        let body = Body::of(agent)?;
        let place = |of: &Body| match of {
            Body::Space(node) => nodes::planar(node.get_global_position(), false),
            Body::Plane(node) => {
                let at = node.get_global_position();
                DVec2::new(f64::from(at.x), f64::from(at.y))
            }
        };
        let flat = matches!(body, Body::Plane(_));
        let other = target.and_then(Body::of).filter(|other| matches!(other, Body::Plane(_)) == flat);
        let way = other.map(|other| place(&other) - place(&body));
        let units = if flat { settings::PIXELS_PER_METER.read() } else { 1.0 };
        Some(Self { body, units, facing, way })
    }
}

/// From one direction to another, to the right, in radians.
fn angle(from: DVec2, to: DVec2) -> f64 {
    f64::atan2(to.dot(right_of(from)), to.dot(from))
}

impl Body {
    /// Moves a body as far as it can go, and turns it. Degrees as its rotation counts.
    fn apply(self, way: Vector3, degrees: f64) {
        match self {
            Self::Space(mut node) => {
                match node.clone().try_cast::<CharacterBody3D>() {
                    Ok(mut body) => motion::slide(&mut body, way),
                    Err(_) => {
                        let at = node.get_global_position();
                        node.set_global_position(at + way);
                    }
                }
                if node.is_instance_valid() {
                    let turn = Basis::from_axis_angle(Vector3::UP, degrees.to_radians() as f32);
                    let basis = turn * node.get_global_basis();
                    node.set_global_basis(basis);
                }
            }
            Self::Plane(mut node) => {
                let way = Vector2::new(way.x, way.y);
                match node.clone().try_cast::<CharacterBody2D>() {
                    Ok(mut body) => slide(&mut body, way),
                    Err(_) => {
                        let at = node.get_global_position();
                        node.set_global_position(at + way);
                    }
                }
                if node.is_instance_valid() {
                    node.rotate(degrees.to_radians() as f32);
                }
            }
        }
    }
}

fn slide(body: &mut Gd<CharacterBody2D>, way: Vector2) {
    let mut left = way;
    for _ in 0..SLIDES {
        if left.length_squared() < 1e-12 {
            return;
        }
        let Some(hit) = body.move_and_collide(left) else { return };
        left = hit.get_remainder().slide(hit.get_normal());
    }
}
