//! What all evaluators share in a frame: how many of them may decide, and where the viewers are.

use std::cell::{Cell, RefCell};
use std::sync::{Arc, OnceLock};

use godot::prelude::*;
use riposte_core::action::{Budget, BudgetCount, lod_scale};

use super::places::{Body, units_per_meter};
use super::{monitors, with};
use crate::base::callbacks::connect;
use crate::base::ticking::{PROCESS_IDLE, PROCESS_MANUAL, PROCESS_PHYSICS};
use crate::base::{network, settings};

/// Nodes in this group count as viewers: cameras and players.
const VIEWERS: &str = "riposte_viewer";

/// How often an agent decides by its distance to the closest viewer.
#[derive(Clone, Copy)]
pub(in crate::action) struct Lod {
    pub enabled: bool,
    pub near: f64,
    pub far: f64,
    pub longest: f64,
}

struct Lanes {
    physics: Arc<Budget>,
    idle: Arc<Budget>,
    manual: Arc<Budget>,
}

thread_local! {
    static FRAME: Cell<u64> = const { Cell::new(0) };
    /// The frame, and the viewers in it: whether each is flat, and where it is.
    static SEEN: RefCell<(u64, Vec<(bool, Vector3)>)> = const { RefCell::new((u64::MAX, Vec::new())) };
}

fn lanes() -> &'static Lanes {
    static LANES: OnceLock<Lanes> = OnceLock::new();
    LANES.get_or_init(|| {
        let limit = limit();
        let lane = || Arc::new(Budget::new(limit));
        Lanes { physics: lane(), idle: lane(), manual: Arc::new(Budget::by_turns(limit)) }
    })
}

fn limit() -> usize {
    settings::MAX_EVALUATIONS.read() as usize
}

/// The evaluator takes part in the budget of its kind of step.
pub(in crate::action) fn join(id: InstanceId) {
    let lanes = lanes();
    with(id, |state| {
        let lane = match state.callback {
            PROCESS_IDLE => &lanes.idle,
            PROCESS_MANUAL => &lanes.manual,
            _ => &lanes.physics,
        };
        state.core.join_budget(Some(lane.clone()));
    });
}

/// Learns of every frame from now on.
pub(in crate::action) fn follow() {
    let Some(tree) = network::tree() else { return };
    let id = tree.instance_id();
    connect(&tree, "physics_frame", id, "riposte_evaluations", |_| next(PROCESS_PHYSICS));
    connect(&tree, "process_frame", id, "riposte_idle_evaluations", |_| next(PROCESS_IDLE));
}

fn next(callback: i64) {
    super::stepping::ensure_stepper();
    let (lanes, limit) = (lanes(), limit());
    FRAME.set(FRAME.get() + 1);
    if callback == PROCESS_PHYSICS {
        let counts = [&lanes.physics, &lanes.idle, &lanes.manual].map(|lane| lane.count());
        let total = |part: fn(&BudgetCount) -> u64| counts.iter().map(part).sum();
        monitors::frame(total(|count| count.made), total(|count| count.deferred));
    }
    let lane = if callback == PROCESS_IDLE { &lanes.idle } else { &lanes.physics };
    lane.next_step(limit);
    lanes.manual.next_step(limit);
}

/// If the evaluator is due in this step: its interval, by the distance to the closest viewer.
pub(in crate::action) fn stretch_interval(id: InstanceId, delta: f64) {
    let due = |state: &mut super::State| {
        let due = state.lod.enabled && state.core.is_due_in(delta * state.time_scale);
        due.then_some((state.lod, state.agent?, state.callback))
    };
    let Some((lod, agent, callback)) = with(id, due).flatten() else { return };
    let closest = closest_viewer(agent, callback == PROCESS_MANUAL);
    let scale = lod_scale(closest, lod.near, lod.far, lod.longest);
    with(id, |state| state.core.set_interval_scale(scale));
}

/// Metres to the closest viewer of the agent's dimension.
fn closest_viewer(agent: InstanceId, now: bool) -> Option<f64> {
    let body = Body::of(agent)?;
    let (flat, at) = (body.is_flat(), body.position());
    let squared = SEEN.with_borrow_mut(|(frame, viewers)| {
        if now || *frame != FRAME.get() {
            *frame = FRAME.get();
            *viewers = find_viewers();
        }
        let distances = viewers.iter().filter(|viewer| viewer.0 == flat);
        distances.map(|viewer| f64::from(viewer.1.distance_squared_to(at))).reduce(f64::min)
    })?;
    Some(squared.sqrt() / units_per_meter(flat))
}

fn find_viewers() -> Vec<(bool, Vector3)> {
    let Some(tree) = network::tree() else { return Vec::new() };
    let nodes = tree.get_nodes_in_group(VIEWERS);
    let bodies = nodes.iter_shared().filter_map(|node| Body::of(node.instance_id()));
    bodies.map(|body| (body.is_flat(), body.position())).collect()
}
