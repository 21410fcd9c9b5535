//! The state behind [`TagContainer`] nodes, and what other systems read and change of an agent's tags.

use std::sync::atomic::{AtomicU64, Ordering};

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::action::TagMark;
use riposte_core::tags::{OwnedTags, TagId, TagSet, TagTable};

use super::TagContainer;
use crate::base::callbacks::defer;
use crate::base::lookup::{self, Part};
use crate::base::store::NodeStore;
use crate::base::{tags, ticking};
use crate::perception;

/// What a step needs, found by the node's id.
pub(super) struct State {
    pub(super) tags: OwnedTags,
    /// What `initial_tags` put in, until the node enters the tree.
    initial: Vec<TagId>,
    pub(super) entered: bool,
    /// A call that tells the changes is on its way.
    flushing: bool,
    pub(super) driven: ticking::Driven,
    pub(super) callback: i64,
    pub(super) time_scale: f64,
}

pub(super) static CONTAINERS: Mutex<NodeStore<State>> = Mutex::new(NodeStore::new());

/// Tells whether a copy of an agent's tags is still right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TagStamp {
    container: i64,
    version: u64,
}

impl TagStamp {
    /// The same as the core's mark.
    pub(crate) fn mark(self) -> TagMark {
        (self.container.cast_unsigned(), self.version)
    }
}

/// Counts changes of any agent's tags.
static EPOCH: AtomicU64 = AtomicU64::new(0);

/// Another value when the tags of any agent may be others: see [`read_tags`] for whose.
pub(crate) fn tag_epoch() -> (u64, u64) {
    (EPOCH.load(Ordering::Relaxed), lookup::epoch())
}

/// Tags of a container may be others now.
pub(super) fn note_change() {
    EPOCH.fetch_add(1, Ordering::Relaxed);
}

impl State {
    /// The state of a new node.
    pub(super) fn create(id: InstanceId) -> InstanceId {
        let state = Self {
            tags: OwnedTags::new(),
            initial: Vec::new(),
            entered: false,
            flushing: false,
            driven: ticking::Driven::default(),
            callback: ticking::PROCESS_PHYSICS,
            time_scale: 1.0,
        };
        CONTAINERS.lock().insert(id, state);
        id
    }

    /// The initial tags are how things are, not a change to tell.
    pub(super) fn start_with(&mut self, initial: &[TagId]) {
        if self.entered {
            return;
        }
        tags::with_table(|table| {
            for tag in std::mem::take(&mut self.initial) {
                self.tags.remove(table, tag, 1);
            }
            for tag in initial {
                self.tags.add(table, *tag, 1);
            }
        });
        self.tags.take_changes();
        note_change();
        self.initial = initial.to_vec();
    }
}

/// The agent's tags, and a stamp that is another one when they are others. Empty without a `TagContainer`.
pub(crate) fn read_tags<R>(agent: InstanceId, f: impl FnOnce(&TagSet, TagStamp) -> R) -> R {
    let container = lookup::part_of(agent, Part::Tags);
    let containers = CONTAINERS.lock();
    match container.and_then(|id| containers.get(id).map(|state| (id, state))) {
        Some((id, state)) => {
            f(state.tags.set(), TagStamp { container: id.to_i64(), version: state.tags.version() })
        }
        None => f(&TagSet::default(), TagStamp::default()),
    }
}

/// True if the agent has a `TagContainer`.
pub(crate) fn has_container(agent: InstanceId) -> bool {
    lookup::part_of(agent, Part::Tags).is_some()
}

/// Raises the count of each tag by 1, where the agent has a `TagContainer`: answers which one, for the release.
pub(crate) fn add_tags(agent: InstanceId, tags: &[TagId]) -> Option<InstanceId> {
    let container = lookup::part_of(agent, Part::Tags)?;
    change(container, |table, owned| tags.iter().for_each(|tag| owned.add(table, *tag, 1)));
    Some(container)
}

/// Takes back what [`add_tags`] added to this container, if it still exists.
pub(crate) fn remove_tags(container: InstanceId, tags: &[TagId]) {
    change(container, |table, owned| tags.iter().for_each(|tag| owned.remove(table, *tag, 1)));
}

/// Takes tags from a container and adds others, as one change: what is on both sides never goes.
pub(crate) fn exchange_tags(container: InstanceId, add: &[TagId], remove: &[TagId]) {
    change(container, |table, owned| {
        add.iter().for_each(|tag| owned.add(table, *tag, 1));
        remove.iter().for_each(|tag| owned.remove(table, *tag, 1));
    });
}

/// Reads the tags of one container.
pub(super) fn read<R: Default>(container: InstanceId, f: impl FnOnce(&OwnedTags) -> R) -> R {
    CONTAINERS.lock().get(container).map(|state| f(&state.tags)).unwrap_or_default()
}

/// Changes the tags and sees to it that the change is told at the end of the frame.
pub(super) fn change(container: InstanceId, f: impl FnOnce(&TagTable, &mut OwnedTags)) {
    let (changed, tell) = match CONTAINERS.lock().get_mut(container) {
        Some(state) => {
            let before = state.tags.version();
            tags::with_table(|table| f(table, &mut state.tags));
            let tell = state.tags.has_changes() && !state.flushing;
            state.flushing |= tell;
            (state.tags.version() != before, tell)
        }
        None => (false, false),
    };
    if changed {
        announce(container);
    }
    if tell {
        defer(container, "riposte_tags_changed", flush);
    }
}

/// What takes over an agent's tags learns at once that they are others.
pub(super) fn announce(container: InstanceId) {
    note_change();
    if let Some(agent) = lookup::agent_of(container) {
        perception::agent_tags_changed(agent);
    }
}

fn flush(container: InstanceId) {
    let changes = match CONTAINERS.lock().get_mut(container) {
        Some(state) => {
            state.flushing = false;
            state.tags.take_changes()
        }
        None => return,
    };
    if !changes.is_empty()
        && let Ok(node) = Gd::<TagContainer>::try_from_instance_id(container)
    {
        node.signals().tags_changed().emit(&tags::names(&changes.added), &tags::names(&changes.removed));
    }
}
