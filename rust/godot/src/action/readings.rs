//! Numbers of agents and targets that scorers and gates look at: what their ids stand for, and how they are read.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use godot::prelude::*;
use parking_lot::RwLock;
use riposte_core::action::{Reading, ReadingId, Source, WantedReadings};
use riposte_core::tags::TagId;

use super::context_data::ContextData;
use super::{driver, motion};
use crate::agent::{self, attributes};
use crate::base::tags;

/// The stamina of an agent without that vital.
pub(super) const FULL_STAMINA: f64 = 100.0;

/// What is read.
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

struct Table {
    kinds: Vec<Arc<Kind>>,
    ids: BTreeMap<Arc<Kind>, ReadingId>,
}

static TABLE: RwLock<Table> = RwLock::new(Table { kinds: Vec::new(), ids: BTreeMap::new() });

impl Kind {
    /// The id of what is read, the same everywhere.
    pub(super) fn id(self) -> ReadingId {
        if let Some(id) = TABLE.read().ids.get(&self) {
            return *id;
        }
        let table = &mut *TABLE.write();
        let kind = Arc::new(self);
        // Two threads may load resources at once.
        *table.ids.entry(kind.clone()).or_insert_with(|| {
            table.kinds.push(kind);
            ReadingId(table.kinds.len() as u32 - 1)
        })
    }

    fn of(id: ReadingId) -> Option<Arc<Self>> {
        TABLE.read().kinds.get(id.0 as usize).cloned()
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
    collect(ids, |kind| match kind {
        Kind::Speed => Some(motion::speed(evaluator, node) / motion::units_per_meter(node)),
        Kind::SpeedInUnits => Some(motion::speed(evaluator, node)),
        Kind::Stamina => Some(stamina(node)),
        Kind::Vital { tag, fraction } => {
            agent::read_vital(node, *tag, |row| if *fraction { row.fraction() } else { row.value() })
        }
        Kind::Attribute(name) => attributes::ask(&Gd::try_from_instance_id(node).ok()?, name),
    })
}

/// The same of the agent where a script brought the context: what stands there counts, the rest is read.
pub(super) fn read_given(evaluator: InstanceId, given: &ContextData, ids: &[ReadingId]) -> Vec<Reading> {
    if ids.is_empty() {
        return Vec::new();
    }
    let own = || driver::with(evaluator, |state| state.agent).flatten();
    let agent = given.agent.filter(|agent| driver::is_live(*agent)).or_else(own);
    let units = agent.or(given.target).map_or(1.0, motion::units_per_meter);
    collect(ids, |kind| match kind {
        Kind::Speed => Some(given.speed / units),
        Kind::SpeedInUnits => Some(given.speed),
        Kind::Stamina => Some(given.stamina),
        Kind::Vital { .. } | Kind::Attribute(_) => {
            let read = read(evaluator, agent?, &[kind.clone().id()]);
            read.first().map(|reading| reading.value)
        }
    })
}

/// Whether the speed of the agent is among these.
pub(super) fn wants_speed(wanted: &WantedReadings) -> bool {
    wanted.own.iter().any(|id| matches!(Kind::of(*id).as_deref(), Some(Kind::Speed | Kind::SpeedInUnits)))
}

fn collect(ids: &[ReadingId], value: impl Fn(&Kind) -> Option<f64>) -> Vec<Reading> {
    let read = |id: &ReadingId| {
        let value = value(&*Kind::of(*id)?)?;
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
