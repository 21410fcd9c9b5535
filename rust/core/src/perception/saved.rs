//! What is saved of a perceiver and of the reports that wait: plain data, nodes by their number, tags by their name.

use std::fmt;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::senses::Senses;
use super::target::NodeId;

/// Layout of the saved data. Other versions are refused.
pub const STATE_VERSION: u32 = 1;

/// Why saved data is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateError {
    /// It has another layout.
    Version(u32),
    /// A number is not finite or out of range.
    Number(&'static str),
    /// The perceiver is not there.
    NoPerceiver,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(found) => {
                write!(f, "the state has version {found}, this library reads version {STATE_VERSION}")
            }
            Self::Number(name) => write!(f, "\"{name}\" is out of range in the state"),
            Self::NoPerceiver => write!(f, "the perceiver is not there"),
        }
    }
}

impl std::error::Error for StateError {}

/// The state of one perceiver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PerceiverState {
    /// [`STATE_VERSION`].
    pub version: u32,
    /// Its own time.
    pub time: f64,
    /// Time to the next scan.
    pub wait: f64,
    /// The next tick scans, whatever the wait.
    pub scan_now: bool,
    /// What it knows, in order of target id.
    pub records: Vec<RecordState>,
    /// Records that were dismissed since the last tick; the next one tells.
    pub dismissed: Vec<RecordState>,
    /// What it is making out.
    pub detection: Vec<DetectionState>,
    /// The scan that the ray budget did not finish.
    pub scan: Option<ScanState>,
}

/// One record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordState {
    /// The agent.
    pub target: NodeId,
    /// Bits of the senses that sense it now.
    pub senses: u8,
    /// For how long none has.
    pub age: f64,
    /// Last known location.
    pub location: DVec3,
    /// Last known velocity.
    pub velocity: DVec3,
    /// Time and place of the last sight check that saw it.
    pub last_check: Option<(f64, DVec3)>,
    /// Visible aim points over all.
    pub fraction: f64,
    /// Bit i: aim point i is visible.
    pub points: u16,
    /// Distance at the last sight check, as a part of the radius.
    pub sight_x: f64,
    /// The last sense that sensed it.
    pub sense: u8,
    /// Its beginning was told.
    pub announced: bool,
    /// It was told that it is seen.
    pub sight_announced: bool,
}

/// How far one target was made out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DetectionState {
    /// The agent.
    pub target: NodeId,
    /// 0..1.
    pub level: f64,
    /// The perceiver's time at the last check.
    pub last_check: f64,
    /// Distance at the last check.
    pub distance: f64,
    /// Where it was when last in view.
    pub location: DVec3,
    /// Visible aim points over all.
    pub fraction: f64,
    /// Its beginning was told.
    pub announced: bool,
    /// A script ended it; the next tick tells.
    pub dismissed: bool,
}

/// A scan that goes on in the next tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScanState {
    /// Agents that it has served.
    pub served: Vec<NodeId>,
    /// Newly visible targets that it found.
    pub found: u32,
    /// For how many ticks and seconds it has been due.
    pub ticks: u64,
    /// See `ticks`.
    pub seconds: f64,
}

/// The reports that wait, and who has had which.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct QueueState {
    /// [`STATE_VERSION`].
    pub version: u32,
    /// Ticks so far.
    pub ticks: u64,
    /// Time of all common ticks.
    pub time: f64,
    /// Oldest first.
    pub reports: Vec<ReportState>,
    /// So many of them a common tick has seen.
    pub seen: u64,
    /// What each perceiver has had of them.
    pub readers: Vec<ReaderState>,
}

/// One report that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ReportState {
    /// A noise.
    Noise {
        /// Number of the world that it is heard in.
        space: u16,
        /// Where it is.
        location: DVec3,
        /// Multiplies the hearing radius.
        loudness: f64,
        /// Its own tag.
        tag: Option<String>,
        /// The instigator and all nodes above it.
        lineage: Vec<NodeId>,
        /// The agent whose noise it is; `None`: of a place.
        source: Option<NodeId>,
        /// Identity of the instigator at the report.
        identity: Vec<String>,
    },
    /// Damage.
    Damage {
        /// The agent that was hurt.
        victim: NodeId,
        /// Who did it, and where it stood.
        attacker: Option<(NodeId, DVec3)>,
        /// Where it hit.
        hit: DVec3,
        /// How much.
        amount: f64,
    },
    /// A custom sense.
    Stimulus {
        /// The perceiver's node.
        perceiver: NodeId,
        /// The agent that is sensed.
        target: NodeId,
        /// Where it was.
        location: DVec3,
        /// By which sense.
        sense: String,
        /// 0..1.
        strength: f64,
    },
    /// Of no use any more; keeps the place of the others.
    Nothing,
}

/// What one perceiver has had of the reports that wait. Positions in the list of reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReaderState {
    /// The perceiver's node.
    pub perceiver: NodeId,
    /// The first report that it has not had.
    pub next: u64,
    /// Earlier noises that it could not listen for yet.
    pub late: Vec<u64>,
    /// The reports that came while hearing was on: from, until; `None`: it is on.
    pub hearing: (u64, Option<u64>),
    /// The same of damage.
    pub damage: (u64, Option<u64>),
}

fn ensure(holds: bool, name: &'static str) -> Result<(), StateError> {
    if holds { Ok(()) } else { Err(StateError::Number(name)) }
}

fn is_time(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

fn is_part(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

impl RecordState {
    fn check(&self) -> Result<(), StateError> {
        let senses = |bits: u8| Senses::from_bits(i64::from(bits)).bits() == bits;
        ensure(senses(self.senses), "senses")?;
        ensure(senses(self.sense), "sense")?;
        ensure(is_time(self.age), "age")?;
        ensure(self.location.is_finite(), "location")?;
        ensure(self.velocity.is_finite(), "velocity")?;
        ensure(self.last_check.is_none_or(|(time, at)| time.is_finite() && at.is_finite()), "last_check")?;
        ensure(is_part(self.fraction) && (self.fraction > 0.0) == (self.points != 0), "fraction")?;
        ensure(is_part(self.sight_x), "sight_x")
    }

    /// Number of aim points.
    pub(super) fn point_count(&self) -> u8 {
        if self.points == 0 {
            return 0;
        }
        let count = (f64::from(self.points.count_ones()) / self.fraction).round();
        count.clamp(f64::from(self.points.count_ones()), f64::from(u8::MAX)) as u8
    }
}

impl PerceiverState {
    /// Finds out what is wrong with it, if anything is.
    pub fn check(&self) -> Result<(), StateError> {
        if self.version != STATE_VERSION {
            return Err(StateError::Version(self.version));
        }
        ensure(is_time(self.time), "time")?;
        ensure(self.wait.is_finite(), "wait")?;
        self.records.iter().chain(&self.dismissed).try_for_each(RecordState::check)?;
        for entry in &self.detection {
            ensure(is_part(entry.level), "level")?;
            ensure(entry.last_check.is_finite(), "last_check")?;
            ensure(is_time(entry.distance), "distance")?;
            ensure(entry.location.is_finite(), "location")?;
            ensure(is_part(entry.fraction), "fraction")?;
        }
        ensure(self.scan.as_ref().is_none_or(|scan| is_time(scan.seconds)), "seconds")
    }
}

impl QueueState {
    /// Finds out what is wrong with it, if anything is.
    pub fn check(&self) -> Result<(), StateError> {
        if self.version != STATE_VERSION {
            return Err(StateError::Version(self.version));
        }
        ensure(is_time(self.time), "time")?;
        for report in &self.reports {
            let holds = match report {
                ReportState::Noise { location, loudness, .. } => location.is_finite() && is_time(*loudness),
                ReportState::Damage { attacker, hit, amount, .. } => {
                    let place = attacker.is_none_or(|(_, place)| place.is_finite());
                    place && hit.is_finite() && is_time(*amount)
                }
                ReportState::Stimulus { location, strength, .. } => {
                    location.is_finite() && is_part(*strength)
                }
                ReportState::Nothing => true,
            };
            ensure(holds, "reports")?;
        }
        Ok(())
    }
}
