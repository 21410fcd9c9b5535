//! What a perceiver knows of one target.

use glam::DVec3;

use crate::tags::TagId;

use super::senses::{LossReason, Senses};
use super::target::TargetRef;

/// One target that a perceiver knows, sensed or remembered.
#[derive(Clone, Debug)]
pub struct Record {
    /// Who.
    pub target: TargetRef,
    /// Senses that sense the target now.
    pub senses: Senses,
    /// The leading sense of the last tick in which any sensed it.
    pub last_sense: Senses,
    /// Where it was last known to be.
    pub location: DVec3,
    /// How fast it was when last seen.
    pub velocity: DVec3,
    /// Time and place of the last sight check that saw it.
    pub last_check: Option<(f64, DVec3)>,
    /// Bit i: aim point i is visible.
    pub visible_mask: u16,
    /// Number of aim points at the last check.
    pub points: u8,
    /// The perceiver's time when a sense last sensed it, while none does.
    pub(super) unsensed_since: f64,
    /// Distance at the last sight check that saw it, as a part of the radius up to which it is acquired.
    pub sight_x: f64,
    /// Senses that sensed it before this tick.
    pub(super) before: Senses,
    /// Began in this tick.
    pub(super) fresh: bool,
    /// Its beginning was told, so its end must be told.
    pub(super) told: bool,
    /// It was told that it is seen, so it must be told when it is not.
    pub(super) told_seen: bool,
    /// What this tick's strongest stimulus said.
    pub(super) stimulus: Stimulus,
}

/// What one sense said of a target in this tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stimulus {
    pub(super) sense: Senses,
    /// Where the target is, as far as this sense tells.
    pub(super) location: DVec3,
    /// Where the noise was, where it hit, which point is visible.
    pub(super) place: DVec3,
    pub(super) strength: f64,
    pub(super) tag: Option<TagId>,
}

/// A record that ended, and how.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) record: Record,
    pub(super) reason: LossReason,
}

/// Two sight checks farther apart in time tell nothing of a speed.
const VELOCITY_WINDOW: f64 = 1.0;

impl Record {
    pub(super) fn new(target: TargetRef) -> Self {
        Self {
            target,
            senses: Senses::NONE,
            last_sense: Senses::NONE,
            location: DVec3::ZERO,
            velocity: DVec3::ZERO,
            last_check: None,
            visible_mask: 0,
            points: 0,
            unsensed_since: 0.0,
            sight_x: 0.0,
            before: Senses::NONE,
            fresh: true,
            told: false,
            told_seen: false,
            stimulus: Stimulus::default(),
        }
    }

    /// True while SIGHT senses the target.
    pub fn seen(&self) -> bool {
        self.senses.intersects(Senses::SIGHT)
    }

    /// For how long no sense has sensed it, at the perceiver's time `now`.
    pub(crate) fn age(&self, now: f64) -> f64 {
        if self.senses.is_empty() { now - self.unsensed_since } else { 0.0 }
    }

    /// Visible aim points over all aim points, of the last sight check; 0 when not seen.
    pub fn visible_fraction(&self) -> f64 {
        if self.points == 0 {
            0.0
        } else if u64::from(self.visible_mask) == (1 << self.points.min(16)) - 1 {
            // All of them, as mostly: counting and dividing take longer.
            1.0
        } else {
            f64::from(self.visible_mask.count_ones()) / f64::from(self.points)
        }
    }

    /// Takes the momentary bits away.
    pub(super) fn begin_tick(&mut self) {
        self.before = self.senses;
        self.senses = self.senses & Senses::SIGHT;
        self.stimulus = Stimulus::default();
    }

    pub(super) fn lose_sight(&mut self) {
        self.senses = self.senses.without(Senses::SIGHT);
        self.visible_mask = 0;
        self.points = 0;
    }

    /// A sight check saw it.
    pub(super) fn see(&mut self, time: f64, location: DVec3, place: DVec3, mask: u16, points: u8) {
        if let Some((before, from)) = self.last_check {
            let step = time - before;
            let known = step > 0.0 && step <= VELOCITY_WINDOW + crate::time::TIME_TOLERANCE;
            let velocity = (location - from) / step;
            // Of a time step next to nothing there is no velocity.
            self.velocity = if known && velocity.is_finite() { velocity } else { DVec3::ZERO };
        }
        self.last_check = Some((time, location));
        self.visible_mask = mask;
        self.points = points;
        self.notice(Stimulus { sense: Senses::SIGHT, location, place, strength: 0.0, tag: None });
    }

    /// A sense reports the target. Of several in a tick the strongest tells the place, of equals the last;
    /// while the target is seen only sight does.
    pub(super) fn notice(&mut self, stimulus: Stimulus) {
        self.senses |= stimulus.sense;
        if stimulus.sense.rank() >= self.stimulus.sense.rank() {
            self.stimulus = stimulus;
            if stimulus.sense == Senses::SIGHT || !self.seen() {
                self.location = stimulus.location;
            }
        }
    }
}
