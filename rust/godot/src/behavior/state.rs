//! What a stack knows: the core's layers, and beside them what only the engine has.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::behavior::{BehaviorStack, RouteId};

use super::access::RouteOwner;
use crate::base::store::NodeStore;
use crate::base::ticking;
use crate::runner::Runner;

/// What a step needs, found by the node's id.
pub(super) struct State {
    pub core: BehaviorStack,
    pub driven: ticking::Driven,
    pub callback: i64,
    pub time_scale: f64,
    /// Seconds of its own time.
    pub now: f64,
    /// Seconds of the tick that is made.
    pub delta: f64,
    pub logs: bool,
    /// A state is being imported: nothing is told.
    pub quiet: bool,
}

pub(super) static STACKS: Mutex<NodeStore<State>> = Mutex::new(NodeStore::new());

impl State {
    /// The state of a new node.
    pub fn create(id: InstanceId, layers: &[String]) -> InstanceId {
        let mut core = BehaviorStack::new();
        core.set_layers(layers);
        let state = Self {
            core,
            driven: ticking::Driven::default(),
            callback: ticking::PROCESS_PHYSICS,
            time_scale: 1.0,
            now: 0.0,
            delta: 0.0,
            logs: false,
            quiet: false,
        };
        STACKS.lock().insert(id, state);
        id
    }
}

/// Where a behaviour came from, for a saved state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A node of the game.
    Node(InstanceId),
    /// A file; empty without one.
    File(String),
}

/// The engine's side of one route.
pub(super) struct Row {
    pub route: RouteId,
    pub layer: StringName,
    pub runner: Runner,
    /// The node that the game knows the behaviour by.
    pub root: InstanceId,
    pub source: Source,
    /// Properties that the behaviour has from before its enter to after its exit.
    pub overrides: Vec<(StringName, Variant)>,
    /// What they were before.
    pub before: RefCell<Vec<(StringName, Variant)>>,
    /// From before its enter to after its exit.
    pub entered: Cell<bool>,
    pub owner: Option<Rc<dyn RouteOwner>>,
}

/// Something that is done once.
type OnReturn = Box<dyn FnOnce()>;

thread_local! {
    /// Rows of every stack. Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static SIDES: &'static RefCell<BTreeMap<i64, Vec<Rc<Row>>>> = Box::leak(Box::default());
    /// What is done when a stack is back in the tree.
    static RETURNS: &'static RefCell<BTreeMap<i64, Vec<OnReturn>>> = Box::leak(Box::default());
    /// Which stack a node belongs to.
    static CLAIMS: &'static RefCell<BTreeMap<i64, InstanceId>> = Box::leak(Box::default());
}

/// The rows of a stack. Nothing that runs scripts may be called inside, and what is taken out is to be dropped outside.
pub(super) fn rows<R>(id: InstanceId, act: impl FnOnce(&mut Vec<Rc<Row>>) -> R) -> R {
    SIDES.with(|sides| act(sides.borrow_mut().entry(id.to_i64()).or_default()))
}

/// The row of a route.
pub(super) fn row(id: InstanceId, route: RouteId) -> Option<Rc<Row>> {
    rows(id, |rows| rows.iter().find(|row| row.route == route).cloned())
}

/// A route begins.
pub(super) fn add_row(id: InstanceId, row: Row) {
    CLAIMS.with(|claims| claims.borrow_mut().insert(row.root.to_i64(), id));
    rows(id, |rows| rows.push(Rc::new(row)));
}

/// A route is over.
pub(super) fn take_row(id: InstanceId, route: RouteId) -> Option<Rc<Row>> {
    let taken = rows(id, |rows| {
        let at = rows.iter().position(|row| row.route == route)?;
        let row = rows.remove(at);
        let last = !rows.iter().any(|other| other.root == row.root);
        Some((row, last))
    });
    let (row, last) = taken?;
    if last {
        CLAIMS.with(|claims| claims.borrow_mut().remove(&row.root.to_i64()));
    }
    Some(row)
}

/// Something to do when a stack is back in the tree.
pub(super) fn on_return(id: InstanceId, act: OnReturn) {
    RETURNS.with(|returns| returns.borrow_mut().entry(id.to_i64()).or_default().push(act));
}

/// What is to be done now that it is.
pub(super) fn take_returns(id: InstanceId) -> Vec<OnReturn> {
    RETURNS.with(|returns| returns.borrow_mut().remove(&id.to_i64())).unwrap_or_default()
}

/// All rows of a stack that is freed.
pub(super) fn take_rows(id: InstanceId) -> Vec<Rc<Row>> {
    let rows = SIDES.with(|sides| sides.borrow_mut().remove(&id.to_i64())).unwrap_or_default();
    CLAIMS.with(|claims| claims.borrow_mut().retain(|_, stack| *stack != id));
    rows
}

/// The stack that a node is a behaviour of.
pub(super) fn stack_of(node: InstanceId) -> Option<InstanceId> {
    CLAIMS.with(|claims| claims.borrow().get(&node.to_i64()).copied())
}

/// The route of a node: the one that it is in, else the one that waits for its turn.
pub(super) fn row_of(node: InstanceId) -> Option<(InstanceId, Rc<Row>)> {
    let stack = stack_of(node)?;
    let row = rows(stack, |rows| {
        let own = || rows.iter().filter(|row| row.root == node);
        own().find(|row| row.entered.get()).or_else(|| own().next_back()).cloned()
    });
    row.map(|row| (stack, row))
}
