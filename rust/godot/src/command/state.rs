//! What a CommandSystem knows. Main thread only: orders hold resources and scripts' values.

use std::cell::RefCell;
use std::rc::Rc;

use godot::init::is_main_thread;
use godot::prelude::*;
use riposte_core::command::{Commands, OrderKey};
use riposte_core::tags::TagId;

use super::aim::Aim;
use super::builtin::BuiltinExecution;
use super::order::Held;
use super::peers::Peers;
use super::steady::Rows;
use super::{CommandDefinition, CommandHandle, CommandRequest};
use crate::base::engine_reads::Reader;
use crate::base::store::NodeStore;
use crate::base::ticking;

/// All of one system.
pub(super) struct State {
    pub core: Commands<Held>,
    pub driven: ticking::Driven,
    pub callback: i64,
    pub time_scale: f64,
    pub exit_keeps: bool,
    pub logs: bool,
    /// The start that runs.
    pub living: Option<Living>,
    /// Starts that are over, and whose executions were not told yet.
    pub left: Vec<Living>,
    /// Starts that an imported state knows nothing of.
    pub forgotten: Vec<Living>,
    /// Requests that were refused in a turn, by the numbers of their notes.
    pub refused: Vec<(u64, Option<Gd<CommandRequest>>, StringName)>,
    /// Orders that were made known at run time.
    pub added: Vec<Gd<CommandDefinition>>,
    pub rules: Rules,
    pub peers: Peers,
    /// Refusals so far.
    pub refusals: u64,
    /// Its row among those whose steps only move their clocks.
    pub(super) row: u32,
}

/// What checks have to know of the node.
#[derive(Default)]
pub(super) struct Rules {
    pub block_tags: Rc<[TagId]>,
    pub default_execution: Option<Gd<Resource>>,
    /// In its place.
    pub fallback: Option<Gd<Resource>>,
    pub restricted: bool,
    pub asks_can_accept: bool,
}

/// The engine's side of the start that runs.
pub(super) struct Living {
    pub order: OrderKey,
    pub execution: u64,
    pub handle: Gd<CommandHandle>,
    pub runner: Option<Rc<dyn BuiltinExecution>>,
    /// The container that got the tags of the order, and which.
    pub tags: Option<(InstanceId, Rc<[TagId]>)>,
    /// Nodes whose end is the end of the start.
    pub watched: Vec<Reader>,
    pub targets: Vec<Reader>,
    /// Where the first target was in the last step.
    pub seen_at: Option<Aim>,
}

impl State {
    pub fn new() -> Self {
        Self {
            core: Commands::default(),
            driven: ticking::Driven::default(),
            callback: ticking::PROCESS_PHYSICS,
            time_scale: 1.0,
            exit_keeps: false,
            logs: false,
            living: None,
            left: Vec::new(),
            forgotten: Vec::new(),
            refused: Vec::new(),
            added: Vec::new(),
            rules: Rules::default(),
            peers: Peers::default(),
            refusals: 0,
            row: 0,
        }
    }
}

/// All systems.
#[derive(Default)]
struct Systems {
    states: NodeStore<State>,
    rows: Rows,
}

thread_local! {
    /// Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static SYSTEMS: &'static RefCell<Systems> = Box::leak(Box::default());
}

fn with_all<R>(act: impl FnOnce(&mut Systems) -> R) -> R {
    SYSTEMS.with(|systems| act(&mut systems.borrow_mut()))
}

/// Reads or changes the state of a system; `None` if it has none (yet), and on other threads. Nothing that runs scripts may be
/// called inside, and what is taken out is to be dropped outside.
pub(super) fn with<R>(id: InstanceId, act: impl FnOnce(&mut State) -> R) -> Option<R> {
    with_all(|Systems { states, rows }| {
        let state = states.get_mut(id)?;
        rows.wake(state);
        Some(act(state))
    })
}

/// The same for what changes nothing.
pub(super) fn read<R>(id: InstanceId, act: impl FnOnce(&State) -> R) -> Option<R> {
    with_all(|Systems { states, rows }| {
        let state = states.get_mut(id)?;
        rows.bring_up_to_date(state);
        Some(act(state))
    })
}

/// Makes a step of a system that has nothing to do in it but to move its clock, after a look at its target. False and without
/// effect if there may be more to do.
pub(super) fn pass(id: InstanceId, delta: f64) -> bool {
    with_all(|Systems { states, rows }| rows.pass(id, delta, || states.get(id).map(|state| state.row)))
}

/// From now on its steps may be made by [`pass`], if there is nothing to do, until its state is changed again.
pub(super) fn rest(id: InstanceId) {
    with_all(|Systems { states, rows }| {
        if let Some(state) = states.get(id) {
            rows.rest(state);
        }
    });
}

/// The state of a new node; on a loading thread later, when it enters the tree.
pub(super) fn create(id: InstanceId) -> InstanceId {
    if is_main_thread() {
        insert(id, State::new());
    }
    id
}

/// True if there is a state.
pub(super) fn exists(id: InstanceId) -> bool {
    with_all(|all| all.states.handle(id).is_some())
}

/// Puts a state in.
pub(super) fn insert(id: InstanceId, mut state: State) {
    let old = take(id);
    with_all(|Systems { states, rows }| {
        state.row = rows.add(id);
        states.insert(id, state);
    });
    drop(old);
}

/// Takes the state out.
pub(super) fn take(id: InstanceId) -> Option<State> {
    with_all(|Systems { states, rows }| {
        let state = states.remove(id)?;
        rows.remove(state.row);
        Some(state)
    })
}
