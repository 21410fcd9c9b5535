//! What happened, in the order in which it is told.

use glam::DVec3;

use crate::tags::TagId;

use super::perceiver::PerceiverKey;
use super::senses::{LossReason, Senses};
use super::target::TargetRef;

/// Kinds of events, in the order in which a perceiver tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    /// The SIGHT bit of a record went off.
    SightLost,
    /// A record ended.
    Lost,
    /// A record began.
    Perceived,
    /// The SIGHT bit of a record went on.
    SightGained,
    /// A noise was heard.
    NoiseHeard,
    /// The agent was hurt.
    DamageSensed,
    /// A target without a record begins to be made out.
    DetectionStarted,
    /// It is not made out any more, and did not get a record.
    DetectionAborted,
}

/// One event of one perceiver.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Whose.
    pub perceiver: PerceiverKey,
    /// About whom; `None`: about nobody.
    pub target: Option<TargetRef>,
    /// Last known location of the target, or where the stimulus was.
    pub location: DVec3,
    /// Where the noise was, where it hit, which aim point is visible.
    pub stimulus_location: DVec3,
    /// Last known velocity of the target.
    pub velocity: DVec3,
    /// The sense that raised the event; for a loss the last one that sensed.
    pub sense: Senses,
    /// All senses that sense the target after this tick.
    pub senses: Senses,
    /// Damage amount or loudness; 0 for sight.
    pub strength: f64,
    /// Tag of the noise.
    pub tag: Option<TagId>,
    /// 0..1.
    pub visible_fraction: f64,
    /// Why a record ended.
    pub reason: LossReason,
    /// The perceiver's own time, this tick included.
    pub time: f64,
    /// Place among the events of its kind.
    pub(super) order: u64,
}

impl Event {
    /// Order inside the events of one perceiver.
    pub(super) fn rank(&self) -> (EventKind, u64) {
        (self.kind, self.order)
    }
}
