//! One step of a guarded body.

use godot::classes::CharacterBody3D;
use godot::prelude::*;
use riposte_core::motion::{constrained, is_ground_movement};

use super::floor::Floor;
use super::guard_state::{Start, with};
use super::{LedgeGuard3D, body, guard_state, warp_step};
use crate::base::convert::{dvec3, vector3};
use crate::base::lookup::{self, Part};

/// A body that is as near as this to where the guard put it still stands there.
const SAME_PLACE: f32 = 0.05;
/// Shorter ways are none.
const STANDS: f32 = 1e-5;

/// A physics step begins.
pub(super) fn begin(id: InstanceId) {
    let body = lookup::agent_of(id).and_then(body::of);
    let start = body.map(|body| Start { at: body.get_global_position(), on_floor: body.is_on_floor() });
    with(id, |state| {
        state.start = start.map(|start| {
            let put = state.put_at.is_some_and(|at| at.distance_to(start.at) < SAME_PLACE);
            Start { on_floor: start.on_floor || put, ..start }
        });
    });
}

/// The agent has moved: a step over a ledge is replaced. Once per physics step.
pub(super) fn step(id: InstanceId) {
    let agent = lookup::agent_of(id);
    let warp = agent.and_then(|agent| lookup::part_of(agent, Part::MotionWarp));
    // A warp that comes later has its say first; it calls us then.
    if warp.is_some_and(warp_step::is_due) {
        return;
    }
    let frame = body::frame();
    let start = with(id, |state| {
        let fresh = state.stepped != frame && !state.manual && state.holds.count() > 0;
        state.stepped = frame;
        state.start.take().filter(|_| fresh)
    });
    let body = agent.and_then(body::of);
    let Some((start, mut body)) = start.flatten().zip(body) else { return };
    let way = body.get_global_position() - start.at;
    let upward = f64::from(body.get_velocity().y);
    let allowed = allowed(id, &body, start, way, upward);
    let stopped = match allowed {
        Some(step) if step != flat(way) => {
            put(id, &mut body, start.at, step);
            true
        }
        _ => {
            with(id, |state| state.put_at = None);
            false
        }
    };
    tell_edge(id, stopped);
}

/// The guard of an agent that was just warped.
pub(super) fn after_warp(agent: InstanceId) {
    let guard = lookup::part_of(agent, Part::LedgeGuard);
    let can_step = |id: &InstanceId| {
        let guards = with(*id, |state| state.holds.count() > 0 && !state.manual);
        guards == Some(true)
            && Gd::<Node>::try_from_instance_id(*id)
                .is_ok_and(|node| node.is_inside_tree() && node.can_process())
    };
    if let Some(id) = guard.filter(can_step) {
        step(id);
    }
}

/// The step that a script may make instead of `displacement`.
pub(super) fn constrain(id: InstanceId, displacement: Vector3, delta: f64) -> Vector3 {
    let guards = with(id, |state| state.holds.count() > 0).unwrap_or(false);
    let body = lookup::agent_of(id).and_then(body::of).filter(|_| guards);
    let Some(body) = body else { return displacement };
    let rise = if delta > 0.0 { f64::from(displacement.y) / delta } else { 0.0 };
    let upward = f64::from(body.get_velocity().y).max(rise);
    let start = Start { at: body.get_global_position(), on_floor: body.is_on_floor() };
    let step = allowed(id, &body, start, displacement, upward);
    let stopped = step.is_some_and(|step| step != flat(displacement));
    tell_edge(id, stopped);
    let step = step.unwrap_or(displacement);
    Vector3::new(step.x, displacement.y, step.z)
}

/// The step that stays on the ledge; `None` if the body does not walk, or nobody can look.
fn allowed(
    id: InstanceId,
    body: &Gd<CharacterBody3D>,
    start: Start,
    way: Vector3,
    upward: f64,
) -> Option<Vector3> {
    let way = flat(way);
    if way.length() < STANDS || !is_ground_movement(start.on_floor, upward) {
        return None;
    }
    let (down, mask, feet) = with(id, |state| (state.max_step_down as f32, state.mask, state.feet))?;
    let mut floor = Floor::around(body, mask)?;
    let feet = start.at + Vector3::UP * feet;
    // Floor that rises counts too, as far as the body can rise in this step.
    let above = down.max(way.length());
    let step = constrained(dvec3(way), |end| floor.is_at(feet + vector3(end), above, down));
    // The first try is the way itself, through another number type.
    Some(if (vector3(step) - way).length() < STANDS { way } else { vector3(step) })
}

/// Puts the body back and lets it make another step.
fn put(id: InstanceId, body: &mut Gd<CharacterBody3D>, start: Vector3, step: Vector3) {
    body.set_global_position(start);
    body::slide(body, step);
    if body.is_instance_valid() && body.is_inside_tree() {
        // The game asks `is_on_floor()`, which looked at the step over the edge.
        body.apply_floor_snap();
        let at = body.get_global_position();
        with(id, |state| state.put_at = Some(at));
    }
}

/// Told once, when the body comes to the edge.
fn tell_edge(id: InstanceId, stopped: bool) {
    let comes = with(id, |state| stopped && !std::mem::replace(&mut state.at_edge, stopped)).unwrap_or(false);
    with(id, |state| state.at_edge = stopped);
    if let Ok(node) = Gd::<LedgeGuard3D>::try_from_instance_id(id)
        && comes
    {
        node.signals().edge_stopped().emit();
    }
}

/// Drops the holds of those who were freed.
pub(super) fn forget_freed(node: &Gd<LedgeGuard3D>) {
    let gone = |id: &i64| !InstanceId::try_from_i64(*id).is_some_and(InstanceId::lookup_validity);
    let id = node.instance_id();
    let gone = with(id, |state| state.holds.holders().filter(gone).collect::<Vec<_>>()).unwrap_or_default();
    if !gone.is_empty() {
        guard_state::change(node, |holds| holds.forget(&gone));
    }
}

fn flat(way: Vector3) -> Vector3 {
    Vector3::new(way.x, 0.0, way.z)
}
