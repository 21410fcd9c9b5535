//! The state behind `AttackApproach3D` and `AttackApproach2D`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use godot::classes::{Node2D, Node3D};
use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::graph::parts::{Approach, ApproachPlan};

use super::approach_moves::Spacing;
use super::run_parts::RunRef;
use crate::base::store::NodeStore;
use crate::base::{lookup, ticking};

/// What a step needs, found by the node's id. A node may be made on a loading thread, so nothing of the engine is in it.
pub(super) struct State {
    pub(super) plan: ApproachPlan,
    pub(super) turn_rate: f64,
    pub(super) turns: bool,
    pub(super) applies: bool,
    /// A move runs that it has to do with.
    pub(super) active: bool,
    /// World units per second; in 2D z is 0.
    pub(super) motion: Vector3,
    /// Degrees per second, as the rotation of the agent counts.
    pub(super) turning: f64,
    pub(super) driven: ticking::Driven,
    /// Switches the node's steps on or off.
    update: fn(InstanceId),
}

/// A move that runs.
#[derive(Clone)]
pub(super) struct Running {
    pub(super) run: RunRef,
    pub(super) spacing: Spacing,
    pub(super) approach: Approach,
}

static STATES: Mutex<NodeStore<State>> = Mutex::new(NodeStore::new());

thread_local! {
    /// By node. Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static RUNNING: &'static RefCell<BTreeMap<i64, Running>> = Box::leak(Box::default());
}

/// The state of a new node.
pub(super) fn create(id: InstanceId, plan: ApproachPlan, update: fn(InstanceId)) -> InstanceId {
    let state = State {
        plan,
        turn_rate: 720.0,
        turns: true,
        applies: false,
        active: false,
        motion: Vector3::ZERO,
        turning: 0.0,
        driven: ticking::Driven::default(),
        update,
    };
    STATES.lock().insert(id, state);
    id
}

/// Reads or changes the state of a node; inside, nothing of the engine may be called.
pub(super) fn with<R>(id: InstanceId, act: impl FnOnce(&mut State) -> R) -> Option<R> {
    STATES.lock().get_mut(id).map(act)
}

/// A node is freed.
pub(super) fn remove(id: InstanceId) {
    STATES.lock().remove(id);
    // A loading thread that drops a node has none of it.
    let _ = RUNNING.try_with(|all| all.borrow_mut().remove(&id.to_i64()));
}

/// The move that runs, as far as it is.
pub(super) fn running(id: InstanceId) -> Option<Running> {
    RUNNING.with(|all| all.borrow().get(&id.to_i64()).cloned())
}

/// How far a move is now; not if another one has begun meanwhile.
pub(super) fn advance(id: InstanceId, run: u64, approach: Approach) {
    RUNNING.with(|all| {
        let mut all = all.borrow_mut();
        let running = all.get_mut(&id.to_i64()).filter(|running| running.run.data().run == run);
        if let Some(running) = running {
            running.approach = approach;
        }
    });
}

/// A move begins, or, with `None`, nothing is to be done any more.
pub(super) fn set_running(id: InstanceId, running: Option<Running>) {
    let active = running.is_some();
    let old = RUNNING.with(|all| {
        let mut all = all.borrow_mut();
        match running {
            Some(running) => all.insert(id.to_i64(), running),
            None => all.remove(&id.to_i64()),
        }
    });
    drop(old);
    let update = with(id, |state| {
        state.active = active;
        if !active {
            (state.motion, state.turning) = (Vector3::ZERO, 0.0);
        }
        state.update
    });
    if let Some(update) = update {
        update(id);
    }
}

/// The configuration warning of a node whose agent has no place.
pub(super) fn warning<Body: GodotClass + Inherits<Node>>(node: &Gd<Node>, path: &NodePath) -> Option<String> {
    let agent = lookup::find_agent(node, path)?;
    let wrong = !agent.is_class(&Body::class_id().to_gstring());
    wrong.then(|| {
        let class = Body::class_id();
        format!(
            "The agent is no {class}, so nothing is moved. Make this node a child of one, or set agent_path."
        )
    })
}

/// The agent's body in space or on the plane.
pub(super) enum Body {
    Space(Gd<Node3D>),
    Plane(Gd<Node2D>),
}

impl Body {
    /// A node that has a place, in the tree.
    pub(super) fn of(node: InstanceId) -> Option<Self> {
        if let Ok(node) = Gd::<Node3D>::try_from_instance_id(node) {
            return node.is_inside_tree().then_some(Self::Space(node));
        }
        let node = Gd::<Node2D>::try_from_instance_id(node).ok()?;
        node.is_inside_tree().then_some(Self::Plane(node))
    }
}
