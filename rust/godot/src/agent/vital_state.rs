//! The state behind [`AgentVitals`](super::AgentVitals) nodes, and what other systems read of an agent's vitals.

use godot::obj::InstanceId;
use parking_lot::Mutex;
use riposte_core::arena::Handle;
use riposte_core::tags::TagId;
use riposte_core::vitals::{Vital, Vitals};

use crate::base::lookup::{self, Part};
use crate::base::store::NodeStore;
use crate::base::ticking;

/// What a step needs, found by the node's id.
pub(super) struct State {
    pub(super) vitals: Vitals,
    /// False while the node is still being put together.
    pub(super) entered: bool,
    pub(super) stepping: bool,
    pub(super) driven: ticking::Driven,
    pub(super) callback: i64,
    pub(super) time_scale: f64,
}

pub(super) static VITALS: Mutex<NodeStore<State>> = Mutex::new(NodeStore::new());

impl State {
    /// The state of a new node.
    pub(super) fn create(id: InstanceId) -> InstanceId {
        let state = Self {
            vitals: Vitals::new(),
            entered: false,
            stepping: false,
            driven: ticking::Driven::default(),
            callback: ticking::PROCESS_PHYSICS,
            time_scale: 1.0,
        };
        VITALS.lock().insert(id, state);
        id
    }
}

/// Reads a row of the agent's `AgentVitals`; `None` without the node or the row.
pub(crate) fn read_vital<R>(agent: InstanceId, tag: TagId, f: impl FnOnce(&Vital) -> R) -> Option<R> {
    with_row(lookup::part_of(agent, Part::Vitals)?, tag, f)
}

/// Where the vitals of an agent are kept, until its components change.
pub(crate) fn vitals_of(agent: InstanceId) -> Option<Handle> {
    let node = lookup::part_of(agent, Part::Vitals)?;
    VITALS.lock().handle(node)
}

/// Reads a row of the vitals that are kept there, and says where it lies.
pub(crate) fn read_vital_at<R>(
    vitals: Handle,
    tag: TagId,
    f: impl FnOnce(&Vital) -> R,
) -> Option<(R, usize)> {
    let all = VITALS.lock();
    let row = all.at(vitals)?.vitals.find(tag)?;
    Some((f(row), std::ptr::from_ref(row).addr()))
}

/// Reads a row of one node.
pub(super) fn with_row<R>(node: InstanceId, tag: TagId, f: impl FnOnce(&Vital) -> R) -> Option<R> {
    VITALS.lock().get(node)?.vitals.find(tag).map(f)
}
