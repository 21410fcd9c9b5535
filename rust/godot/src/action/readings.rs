//! Numbers of agents and targets that scorers and gates look at: what their ids stand for, and how they are read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use godot::prelude::*;
use parking_lot::RwLock;
use riposte_core::action::{Reading, ReadingId, Source, WantedReadings};
use riposte_core::tags::TagId;

use super::context_data::ContextData;
use super::driver::{self, places};
use super::motion;
use crate::agent::{self, attributes::Attribute};
use crate::base::tags;

/// The stamina of an agent without that vital.
pub(super) const FULL_STAMINA: f64 = 100.0;

/// What a scorer or gate looks at. Made wherever resources are loaded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The agent's speed in metres per second.
    Speed,
    /// The same in world units per second.
    SpeedInUnits,
    /// The agent's stamina; always there.
    Stamina,
    /// A vital, or its share of the maximum.
    Vital { tag: TagId, fraction: bool },
    /// An attribute: a number that the game keeps somewhere.
    Attribute(String),
}

/// The same, ready to be read. Main thread only.
#[derive(Clone, Copy)]
enum Asked {
    Speed,
    SpeedInUnits,
    Stamina,
    Vital { tag: TagId, fraction: bool },
    Attribute(&'static Attribute),
}

struct Table {
    kinds: Vec<Kind>,
    ids: BTreeMap<Kind, ReadingId>,
}

static TABLE: RwLock<Table> = RwLock::new(Table { kinds: Vec::new(), ids: BTreeMap::new() });

thread_local! {
    /// The table's kinds as far as they were read; they only become more.
    static ASKED: RefCell<Vec<Asked>> = const { RefCell::new(Vec::new()) };
}

impl Kind {
    /// The id of what is read, the same everywhere.
    pub(super) fn id(self) -> ReadingId {
        if let Some(id) = TABLE.read().ids.get(&self) {
            return *id;
        }
        let table = &mut *TABLE.write();
        // Two threads may load resources at once.
        *table.ids.entry(self).or_insert_with_key(|kind| {
            table.kinds.push(kind.clone());
            ReadingId(table.kinds.len() as u32 - 1)
        })
    }

    fn asked(&self) -> Asked {
        match self {
            Self::Speed => Asked::Speed,
            Self::SpeedInUnits => Asked::SpeedInUnits,
            Self::Stamina => Asked::Stamina,
            Self::Vital { tag, fraction } => Asked::Vital { tag: *tag, fraction: *fraction },
            Self::Attribute(name) => Asked::Attribute(Attribute::of(name)),
        }
    }
}

impl Asked {
    fn of(id: ReadingId) -> Option<Self> {
        ASKED.with_borrow_mut(|known| {
            let at = id.0 as usize;
            if at >= known.len() {
                let (table, from) = (TABLE.read(), known.len());
                known.extend(table.kinds[from..].iter().map(Kind::asked));
            }
            known.get(at).copied()
        })
    }
}

/// An attribute that a property names; none while it is empty.
pub(super) fn attribute(name: &GString) -> Option<ReadingId> {
    (!name.is_empty()).then(|| Kind::Attribute(name.to_string()).id())
}

/// The class of a scorer or gate with what it looks at, for breakdowns.
pub(super) fn label(class: &str, source: i64, number: &str) -> String {
    let of = if source == Source::Target as i64 { "target " } else { "" };
    if number.is_empty() { class.to_owned() } else { format!("{class} {of}{number}") }
}

/// The minimum of a gate, for breakdowns.
pub(super) fn minimum(min: f64, min_by: &GString) -> String {
    if min_by.is_empty() { format!("min {min}") } else { format!("min {min_by}, else {min}") }
}

/// Reads numbers of an agent or a target for an evaluator; what is not there is left out. Runs getters and methods of the
/// game: nothing may be bound or locked.
pub(super) fn read(evaluator: InstanceId, node: InstanceId, ids: &[ReadingId]) -> Vec<Reading> {
    collect(ids, |_, asked| match asked {
        Asked::Speed => Some(motion::speed(evaluator, node) / places::units_of(node)),
        Asked::SpeedInUnits => Some(motion::speed(evaluator, node)),
        Asked::Stamina => Some(stamina(node)),
        Asked::Vital { tag, fraction } => {
            agent::read_vital(node, tag, |row| if fraction { row.fraction() } else { row.value() })
        }
        Asked::Attribute(attribute) => attribute.read(&Gd::try_from_instance_id(node).ok()?),
    })
}

/// The same of the agent where a script brought the context: what stands there counts, the rest is read.
pub(super) fn read_given(evaluator: InstanceId, given: &ContextData, ids: &[ReadingId]) -> Vec<Reading> {
    if ids.is_empty() {
        return Vec::new();
    }
    let own = || driver::with(evaluator, |state| state.agent).flatten();
    let agent = given.agent.filter(|agent| driver::is_live(*agent)).or_else(own);
    let units = agent.or(given.target).map_or(1.0, places::units_of);
    collect(ids, |id, asked| match asked {
        Asked::Speed => Some(given.speed.unwrap_or_else(|| given.about().speed()) / units),
        Asked::SpeedInUnits => Some(given.speed.unwrap_or_else(|| given.about().speed())),
        Asked::Stamina => Some(given.stamina.unwrap_or_else(|| given.about().stamina())),
        Asked::Vital { .. } | Asked::Attribute(_) => {
            read(evaluator, agent?, &[id]).first().map(|reading| reading.value)
        }
    })
}

/// Whether the speed of the agent is among these.
pub(super) fn wants_speed(wanted: &WantedReadings) -> bool {
    wanted.own.iter().any(|id| matches!(Asked::of(*id), Some(Asked::Speed | Asked::SpeedInUnits)))
}

fn collect(ids: &[ReadingId], value: impl Fn(ReadingId, Asked) -> Option<f64>) -> Vec<Reading> {
    let read = |id: &ReadingId| {
        let value = value(*id, Asked::of(*id)?)?;
        value.is_finite().then_some(Reading { id: *id, value })
    };
    ids.iter().filter_map(read).collect()
}

/// The agent's stamina; 100 when nobody knows.
pub(super) fn stamina(agent: InstanceId) -> f64 {
    static TAG: OnceLock<Option<TagId>> = OnceLock::new();
    let tag = *TAG.get_or_init(|| tags::intern("Vital.Stamina").ok());
    tag.and_then(|tag| agent::read_vital(agent, tag, |row| row.value())).unwrap_or(FULL_STAMINA)
}
