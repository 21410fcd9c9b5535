//! What an ability system knows: the core's state, and beside it what only the engine has.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::ability::{Abilities, AbilityEnd};
use riposte_core::tags::TagId;

use super::GameplayAbility;
use super::definition::{Definition, Overrides};
use crate::action::ActionContext;
use crate::base::store::NodeStore;
use crate::base::ticking;
use crate::motion::Moving;

/// What a step needs, found by the node's id.
pub(super) struct State {
    pub core: Abilities,
    pub stepping: bool,
    pub driven: ticking::Driven,
    pub callback: i64,
    pub time_scale: f64,
    /// How often it was advanced by hand.
    pub advances: u64,
}

pub(super) static SYSTEMS: Mutex<NodeStore<State>> = Mutex::new(NodeStore::new());

impl State {
    /// The state of a new node.
    pub fn create(id: InstanceId) -> InstanceId {
        let state = Self {
            core: Abilities::new(),
            stepping: false,
            driven: ticking::Driven::default(),
            callback: ticking::PROCESS_PHYSICS,
            time_scale: 1.0,
            advances: 0,
        };
        SYSTEMS.lock().insert(id, state);
        id
    }
}

/// The engine's side of one activation.
pub(super) struct Row {
    /// 0 until it is active.
    pub activation: Cell<i64>,
    pub own: Overrides,
    pub copy: Gd<GameplayAbility>,
    pub context: Gd<ActionContext>,
    /// The event that started it.
    pub event: Option<StringName>,
    /// The container that got its tags, and which.
    pub tagged: RefCell<Option<(InstanceId, Vec<TagId>)>>,
    /// Guards, the warp target and the lock of the rotation.
    pub moving: RefCell<Option<Moving>>,
    /// Filled in when it ends; whoever watches it shares it.
    pub end: Rc<Cell<Option<AbilityEnd>>>,
}

#[derive(Default)]
pub(super) struct Side {
    /// By handle.
    pub definitions: BTreeMap<i64, Rc<Definition>>,
    pub rows: Vec<Rc<Row>>,
    /// Grants by scripts, of those that are not zero.
    pub by_script: BTreeMap<i64, u32>,
}

thread_local! {
    /// Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static SIDES: &'static RefCell<BTreeMap<i64, Side>> = Box::leak(Box::default());
}

/// The engine's side of a system, made when it is first asked for. Nothing that runs scripts may be called inside, and
/// what is taken out is to be dropped outside.
pub(super) fn side<R>(id: InstanceId, act: impl FnOnce(&mut Side) -> R) -> R {
    SIDES.with(|sides| act(sides.borrow_mut().entry(id.to_i64()).or_default()))
}

/// Takes all of it out.
pub(super) fn take_side(id: InstanceId) -> Option<Side> {
    SIDES.with(|sides| sides.borrow_mut().remove(&id.to_i64()))
}
