//! One perceiver: settings, place, records.

use crate::arena::Handle;

use super::detection::Detection;
use super::record::{Ended, Record};
use super::schedule::Errand;
use super::sensed::{EndedRecord, Sensed};
use super::settings::{Affiliation, Cone, PerceiverSettings};
use super::space::SpaceId;
use super::target::NodeId;

/// Names one perceiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PerceiverKey(pub(super) Handle);

impl PerceiverKey {
    /// Small and dense, for tables of the caller.
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// Where a perceiver is and whose it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerceiverPlace {
    /// Its world; `None` out of the tree.
    pub space: Option<SpaceId>,
    /// Its agent; 0 if it has none.
    pub agent: NodeId,
    /// Position among the agent's perceivers; the lowest stands for the agent.
    pub order: u64,
}

#[derive(Debug)]
pub(super) struct Perceiver {
    pub(super) key: PerceiverKey,
    pub(super) settings: PerceiverSettings,
    pub(super) cone: Cone,
    pub(super) affiliation: Affiliation,
    pub(super) place: PerceiverPlace,
    /// Cannot process: paused or disabled by `process_mode`.
    pub(super) frozen: bool,
    /// By target id.
    pub(super) records: Vec<Record>,
    /// By target id; of targets without a record.
    pub(super) detections: Vec<Detection>,
    /// Ended since the last tick, to be told in the next.
    pub(super) ended: Vec<Ended>,
    /// What the last tick applied and ended, while `CHANGED` is set.
    pub(super) sensed: Vec<Sensed>,
    pub(super) just_ended: Vec<EndedRecord>,
    /// Id of the target whose record is never displaced.
    pub(super) protected: Option<u64>,
    /// Numbers of earlier noises that could not be listened for yet, ascending.
    pub(super) late_noises: Vec<u64>,
    pub(super) errand: Errand,
    /// Its own `advance` is under way, dispatch included.
    pub(super) ticking: bool,
}

impl Perceiver {
    /// Position of the record of a target, or where it would be.
    pub(super) fn find(&self, id: u64) -> Result<usize, usize> {
        self.records.binary_search_by_key(&id, |record| record.target.id)
    }

    /// Position of the detection level of a target, or where it would be.
    pub(super) fn find_level(&self, id: u64) -> Result<usize, usize> {
        self.detections.binary_search_by_key(&id, |entry| entry.target.id)
    }

    /// It has records or is making somebody out.
    pub(super) fn knows(&self) -> bool {
        !self.records.is_empty() || !self.detections.is_empty()
    }
}
