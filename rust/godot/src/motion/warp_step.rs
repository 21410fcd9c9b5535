//! One step of a warped body.

use godot::prelude::*;
use riposte_core::motion::{Ended, Leading, WarpLimits};

use super::body;
use super::warp_state::{see_targets, with};
use crate::base::convert::{dvec3, vector3};
use crate::base::lookup;

/// What a step does, read before anything moves.
struct Plan {
    leading: Option<Leading>,
    limits: WarpLimits,
    rotation: bool,
    corrects: bool,
    start: Option<Vector3>,
    dt: f64,
}

/// The agent has moved: corrects it, turns it, counts the windows. Answers those that ended.
pub(super) fn step(id: InstanceId, delta: f64) -> Vec<Ended> {
    see_targets(id);
    let frame = body::frame();
    let plan = with(id, |state| {
        state.stepped = frame;
        Plan {
            leading: state.warp.leading(),
            limits: state.limits,
            rotation: state.rotation,
            corrects: !state.manual,
            start: state.start.take(),
            dt: delta * state.time_scale,
        }
    });
    let Some(plan) = plan else { return Vec::new() };
    let agent = lookup::agent_of(id);
    if let Some((agent, leading)) = agent.zip(plan.leading) {
        steer(agent, &leading, &plan);
    }
    let at = agent.and_then(body::of).map(|body| dvec3(body.get_global_position()));
    with(id, |state| state.warp.count(plan.dt, &plan.limits, at)).unwrap_or_default()
}

fn steer(agent: InstanceId, leading: &Leading, plan: &Plan) {
    let Some(mut body) = body::of(agent) else { return };
    if plan.corrects {
        let now = body.get_global_position();
        let start = plan.start.unwrap_or(now);
        let way = leading.target.step(&plan.limits, dvec3(start), leading.left, plan.dt);
        let mut missing = start + vector3(way) - now;
        if !plan.limits.vertical {
            missing.y = 0.0;
        }
        body::slide(&mut body, missing);
    }
    if !plan.rotation || !body.is_instance_valid() || !body.is_inside_tree() {
        return;
    }
    let facing = body::facing(agent, &body);
    if body.is_instance_valid() && body.is_inside_tree() {
        let at = dvec3(body.get_global_position());
        body::turn(&mut body, leading.target.turn(dvec3(facing), at, leading.left, plan.dt));
    }
}

/// The velocity that takes an agent where the warp wants it; its own while nothing is warped.
pub(super) fn velocity(id: InstanceId, own: Vector3, delta: f64) -> Vector3 {
    see_targets(id);
    let plan = with(id, |state| Some((state.warp.leading()?, state.limits, state.time_scale))).flatten();
    let agent = lookup::agent_of(id).and_then(body::of);
    let Some(((leading, limits, time_scale), agent)) = plan.zip(agent) else { return own };
    let at = dvec3(agent.get_global_position());
    let way = leading.target.step(&limits, at, leading.left, delta * time_scale);
    let wanted = vector3(way / delta);
    Vector3::new(wanted.x, if limits.vertical { wanted.y } else { own.y }, wanted.z)
}

/// A physics step begins.
pub(super) fn begin(id: InstanceId) {
    let at = lookup::agent_of(id).and_then(body::of).map(|body| body.get_global_position());
    with(id, |state| state.start = at);
}

/// True if a node will still correct its agent in this physics step.
pub(super) fn is_due(id: InstanceId) -> bool {
    let frame = body::frame();
    let due = with(id, |state| {
        !state.manual && state.stepped != frame && state.start.is_some() && state.warp.leading().is_some()
    });
    due == Some(true)
        && Gd::<Node>::try_from_instance_id(id)
            .is_ok_and(|node| node.is_inside_tree() && node.can_process() && !node.is_queued_for_deletion())
}
