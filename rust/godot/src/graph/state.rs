//! What an ActionGraphPlayer knows. Main thread only: compiled graphs hold resources and scripts.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use godot::init::is_main_thread;
use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::arena::Handle;
use riposte_core::graph::Machine;

use super::compiled::CompiledGraph;
use super::debugging::{self, Switches};
use super::living::{Considered, Living};
use super::nodes::{Found, Paths};
use super::peers::Peers;
use super::playback::Watch;
use super::seats::Seat;
use super::sources::Sources;
use super::tagging::Applied;
use super::worlds::{Looks, World};
use crate::base::store::NodeStore;
use crate::base::ticking;

/// All of one player.
pub(super) struct State {
    pub core: Machine,
    pub driven: ticking::Driven,
    /// Where it stands among those that are stepped together.
    pub seat: Seat,
    /// What plays the animation of what runs.
    pub watch: Watch,
    /// A move with keys for windows may still be blended out.
    pub fading: bool,
    pub peers: Peers,
    pub callback: i64,
    /// In the tree, and ready.
    pub entered: bool,
    /// A step is under way.
    pub stepping: bool,
    pub paths: Paths,
    pub found: Found,
    /// Whom the game has set as the target.
    pub target: Option<InstanceId>,
    pub applied: Applied,
    pub running_tag: Option<riposte_core::tags::TagId>,
    pub sources: Sources,
    /// The active graph, compiled; in front of it those that the core still plays, the newest last.
    pub graphs: Vec<Rc<CompiledGraph>>,
    /// It was edited.
    pub edited: bool,
    /// Which animations it was bound to.
    pub bound_at: u64,
    /// What runs.
    pub living: Option<Living>,
    /// What scripts were asked about last.
    pub considered: Option<Considered>,
    pub world: World,
    pub looks: Rc<Looks>,
    /// The payload was told this speed last, and has followed up to this node time.
    pub followed: (f64, f64),
    /// The node that ended last.
    pub last_node: StringName,
    pub locomotion: Vector3,
    pub switches: Switches,
    pub counted_as_shown: bool,
}

impl State {
    pub fn new() -> Self {
        Self {
            core: Machine::default(),
            driven: ticking::Driven::default(),
            seat: Seat::default(),
            watch: Watch::default(),
            fading: false,
            peers: Peers::default(),
            callback: ticking::PROCESS_PHYSICS,
            entered: false,
            stepping: false,
            paths: Paths::default(),
            found: Found::default(),
            target: None,
            applied: Applied::default(),
            running_tag: None,
            sources: Sources::default(),
            graphs: Vec::new(),
            edited: false,
            bound_at: 0,
            living: None,
            considered: None,
            world: World::default(),
            looks: Rc::default(),
            followed: (0.0, 0.0),
            last_node: StringName::default(),
            locomotion: Vector3::ONE,
            switches: Switches::default(),
            counted_as_shown: false,
        }
    }

    /// The compiled graph that the core plays now.
    pub fn graph(&self) -> Option<&Rc<CompiledGraph>> {
        let plays = self.core.graph()?;
        self.graphs.iter().rev().find(|graph| Arc::ptr_eq(&graph.core, plays))
    }
}

thread_local! {
    /// Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static STATES: &'static RefCell<NodeStore<State>> = Box::leak(Box::new(RefCell::new(NodeStore::new())));
    /// How often a state was read or changed.
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

/// The states of all players.
pub(super) type States = NodeStore<State>;

/// All that have a state.
static PLAYERS: Mutex<BTreeSet<i64>> = Mutex::new(BTreeSet::new());

/// Reads or changes the state of a player; `None` if it has none (yet), and on other threads. Nothing that runs scripts may be
/// called inside, and what is taken out is to be dropped outside.
pub(super) fn with<R>(id: InstanceId, act: impl FnOnce(&mut State) -> R) -> Option<R> {
    LOOKS.set(LOOKS.get() + 1);
    STATES.with(|states| states.borrow_mut().get_mut(id).map(act))
}

/// The same with the states of all players.
pub(super) fn all<R>(act: impl FnOnce(&mut States) -> R) -> R {
    LOOKS.set(LOOKS.get() + 1);
    STATES.with(|states| act(&mut states.borrow_mut()))
}

/// Where the state of a player is kept.
pub(super) fn handle(id: InstanceId) -> Option<Handle> {
    STATES.with(|states| states.borrow().handle(id))
}

/// The same number as before: no player was read or changed meanwhile.
pub(super) fn looks() -> u64 {
    LOOKS.get()
}

/// The state of a new node; on a loading thread later, when it enters the tree.
pub(super) fn create(id: InstanceId) -> InstanceId {
    if is_main_thread() {
        insert(id);
    }
    id
}

/// True if there is a state.
pub(super) fn exists(id: InstanceId) -> bool {
    handle(id).is_some()
}

/// Puts a new state in.
pub(super) fn insert(id: InstanceId) {
    LOOKS.set(LOOKS.get() + 1);
    STATES.with(|states| states.borrow_mut().insert(id, State::new()));
    PLAYERS.lock().insert(id.to_i64());
}

/// Takes everything of a node that is freed: silent, without hooks.
pub(super) fn remove(id: InstanceId) {
    PLAYERS.lock().remove(&id.to_i64());
    LOOKS.set(LOOKS.get() + 1);
    let state = STATES.with(|states| states.borrow_mut().remove(id));
    if let Some(state) = state {
        debugging::removed(state.counted_as_shown);
        state.applied.take_back();
    }
}

/// All players.
pub(super) fn players() -> Vec<InstanceId> {
    PLAYERS.lock().iter().filter_map(|id| InstanceId::try_from_i64(*id)).collect()
}
