//! One perceiver: settings, place, records.

use crate::arena::Handle;
use crate::time::{TIME_TOLERANCE, expired};

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

/// What every tick touches of a perceiver, kept together because there are thousands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Its own time.
    pub(super) time: f64,
    /// Time to the next scan.
    pub(super) wait: f64,
    pub(super) time_scale: f64,
    pub(super) interval: f64,
    /// Its time when the first unsensed record will be forgotten.
    pub(super) forget_at: f64,
    /// The registry's epoch at which its records were last looked over.
    pub(super) epoch: u32,
    pub(super) flags: u16,
}

/// In the tree and not paused.
pub(super) const RUNS: u16 = 1;
/// Ticked by itself only.
pub(super) const MANUAL: u16 = 2;
/// Enabled, with sight on.
pub(super) const SCANS: u16 = 4;
/// Scans in the next tick, whatever the wait.
pub(super) const FORCED: u16 = 8;
/// Something to settle even without scan or report.
pub(super) const BUSY: u16 = 16;
/// Has records, or is making somebody out.
pub(super) const KNOWS: u16 = 32;
/// Its last tick changed what it knows.
pub(super) const CHANGED: u16 = 64;

/// Its last scan is not finished: the ray budget did not reach.
pub(super) const CARRIED: u16 = 128;
/// Earlier noises wait to be listened for.
pub(super) const LATE: u16 = 256;

impl Clock {
    pub(super) fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn set(&mut self, flag: u16, on: bool) {
        if on {
            self.flags |= flag;
        } else {
            self.flags &= !flag;
        }
    }

    /// Something is to be settled, scan or not: a flag says so, a record has grown too old, or a target may have become
    /// unavailable since the records were looked over.
    pub(super) fn is_busy(&self, epoch: u32) -> bool {
        self.has(BUSY) || expired(self.time, self.forget_at) || (self.has(KNOWS) && self.epoch != epoch)
    }

    /// False if a scan would change nothing. `blind`: there is no source that counts.
    pub(super) fn may_find(&self, blind: bool) -> bool {
        !blind || self.has(KNOWS)
    }

    /// Moves the clock of a perceiver that has nothing to do in this tick; false, and nothing moved, if it may have.
    /// `blind`: there is no source that counts.
    ///
    /// Most perceivers rest in most ticks, and those of a world without sources in all, so this is kept short and
    /// without branches that nobody can foresee.
    #[inline]
    pub(super) fn rest(&mut self, dt: f64, epoch: u32, blind: bool) -> bool {
        let dt = dt * self.time_scale;
        let time = self.time + dt;
        let due = self.wait <= TIME_TOLERANCE;
        let knows = self.has(KNOWS);
        let stirs = (self.flags & (FORCED | BUSY | CARRIED | CHANGED) != 0)
            | (due & (!blind | knows))
            | expired(time, self.forget_at)
            | (knows & (self.epoch != epoch));
        if stirs {
            return false;
        }
        self.time = time;
        // A scan that finds nobody for want of sources: only the next one is set.
        let sets = due & ((dt > 0.0) | (self.interval == 0.0));
        let next = (self.wait + self.interval).max(0.0);
        self.wait = if sets { next } else { self.wait } - dt;
        true
    }

    /// Moves the clock. True if a scan is due.
    pub(super) fn step(&mut self, dt: f64) -> bool {
        let dt = dt * self.time_scale;
        self.time += dt;
        self.flags &= !CHANGED;
        let may = dt > 0.0 || self.interval == 0.0;
        let due = may && self.wait <= TIME_TOLERANCE;
        if due {
            self.wait = (self.wait + self.interval).max(0.0);
        }
        self.wait -= dt;
        if self.flags & (FORCED | SCANS) == (FORCED | SCANS) {
            self.flags &= !FORCED;
            return true;
        }
        // A scan that falls due while the last one is not finished is none of its own.
        (due || (may && self.has(CARRIED))) && self.has(SCANS)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn scans(dt: f64, interval: f64, ticks: u32) -> Vec<u32> {
        let mut clock = Clock {
            time: 0.0,
            wait: 0.0,
            time_scale: 1.0,
            interval,
            forget_at: f64::INFINITY,
            epoch: 0,
            flags: RUNS | SCANS,
        };
        (0..ticks).filter(|_| clock.step(dt)).collect()
    }

    #[test]
    fn interval_zero_scans_every_tick_even_without_time() {
        assert_eq!(scans(0.0, 0.0, 3), [0, 1, 2]);
        assert_eq!(scans(0.0, 0.1, 3), [] as [u32; 0]);
        assert_eq!(scans(0.1, 0.0, 3), [0, 1, 2]);
    }
}
