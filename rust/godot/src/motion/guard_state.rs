//! The state behind [`LedgeGuard3D`] nodes, and what methods and abilities ask of it.

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::motion::Holds;

use super::LedgeGuard3D;
use crate::base::lookup::{self, Part};
use crate::base::store::NodeStore;
use crate::base::ticking;

/// How a physics step began.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) at: Vector3,
    pub(super) on_floor: bool,
}

/// What a step needs, found by the node's id.
pub(super) struct State {
    pub(super) holds: Holds,
    pub(super) driven: ticking::Driven,
    pub(super) manual: bool,
    pub(super) max_step_down: f64,
    pub(super) mask: u32,
    pub(super) start: Option<Start>,
    /// Where the guard put the body down; it stood there.
    pub(super) put_at: Option<Vector3>,
    /// The body is held back at an edge.
    pub(super) at_edge: bool,
    /// The last physics step that was made.
    pub(super) stepped: u64,
    /// The lowest point of the body, from its origin.
    pub(super) feet: f32,
}

static GUARDS: Mutex<NodeStore<State>> = Mutex::new(NodeStore::new());

impl State {
    pub(super) fn create(id: InstanceId) -> InstanceId {
        let state = Self {
            holds: Holds::default(),
            driven: ticking::Driven::default(),
            manual: false,
            max_step_down: 0.5,
            mask: 1,
            start: None,
            put_at: None,
            at_edge: false,
            stepped: 0,
            feet: 0.0,
        };
        GUARDS.lock().insert(id, state);
        id
    }
}

pub(super) fn with<R>(id: InstanceId, f: impl FnOnce(&mut State) -> R) -> Option<R> {
    GUARDS.lock().get_mut(id).map(f)
}

pub(super) fn remove(id: InstanceId) {
    drop(GUARDS.lock().remove(id));
}

/// Changes the holds of a node and tells if it guards now or not any more.
pub(super) fn change<R>(node: &Gd<LedgeGuard3D>, f: impl FnOnce(&mut Holds) -> R) -> Option<R> {
    let changed = with(node.instance_id(), |state| {
        let before = state.holds.count() > 0;
        let answer = f(&mut state.holds);
        let now = state.holds.count() > 0;
        if now != before {
            state.put_at = None;
            state.at_edge = false;
        }
        (answer, before, now)
    });
    let (answer, before, now) = changed?;
    if before != now {
        LedgeGuard3D::update_ticking(node);
        node.signals().guard_changed().emit(now);
    }
    Some(answer)
}

/// A hold of the guard of an agent.
#[derive(Clone, Copy)]
pub(super) struct Hold {
    guard: InstanceId,
    handle: i64,
}

impl Hold {
    /// For an object that is known; `None` if the agent has no guard. Runs handlers of the game.
    pub(super) fn acquire(agent: InstanceId, holder: InstanceId) -> Option<Self> {
        let guard = lookup::part_of(agent, Part::LedgeGuard)?;
        let node = Gd::<LedgeGuard3D>::try_from_instance_id(guard).ok()?;
        let handle = change(&node, |holds| holds.acquire(holder.to_i64()))?;
        Some(Self { guard, handle })
    }

    /// Runs handlers of the game.
    pub(super) fn release(self) {
        if let Ok(node) = Gd::<LedgeGuard3D>::try_from_instance_id(self.guard) {
            change(&node, |holds| holds.release(self.handle));
        }
    }
}
