//! What a perceiver's last tick says to those who build beliefs on it.

use glam::DVec3;

use crate::tags::{TagId, TagSet};

use super::clock::{CHANGED, MANUAL, RUNS};
use super::perceiver::PerceiverKey;
use super::record::Record;
use super::senses::{LossReason, Senses};
use super::target::{TargetKey, TargetRef};
use super::tick::Scope;
use super::world::PerceptionWorld;

/// A momentary stimulus that a tick applied to a known target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensed {
    /// Who was sensed.
    pub target: TargetRef,
    /// By which sense; never sight.
    pub sense: Senses,
    /// Hearing: distance as a part of the effective radius, 0..1; else 0.
    pub x: f64,
    /// Loudness, damage amount or strength of a custom sense.
    pub strength: f64,
    /// Tag of the noise, or the custom sense.
    pub tag: Option<TagId>,
}

/// A record that ended in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedRecord {
    /// Of whom.
    pub target: TargetRef,
    /// Why.
    pub reason: LossReason,
}

/// What a perceiver knows of one target after a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordView {
    /// Who.
    pub target: TargetRef,
    /// Senses that sense the target now.
    pub senses: Senses,
    /// Visible aim points over all, at the last sight check; 0 when not seen.
    pub visible_fraction: f64,
    /// Distance at the last sight check that saw it, as a part of the radius up to which it is acquired, 0..1.
    pub sight_x: f64,
    /// Last known location.
    pub location: DVec3,
    /// Last known velocity.
    pub velocity: DVec3,
    /// For how long no sense has sensed it.
    pub age: f64,
    /// The perceiver's time at the last sight check that saw it.
    pub last_check: Option<f64>,
}

/// What a source says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// Its tags.
    pub tags: &'a TagSet,
    /// An agent may attend to it.
    pub can_hold_attention: bool,
}

impl RecordView {
    fn new(record: &Record, now: f64) -> Self {
        Self {
            target: record.target,
            senses: record.senses,
            visible_fraction: record.visible_fraction(),
            sight_x: record.sight_x,
            location: record.location,
            velocity: record.velocity,
            age: record.age(now),
            last_check: record.last_check.map(|(time, _)| time),
        }
    }
}

/// What a tick is to a perceiver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pulse {
    /// It moves the perceiver's time: that is in the tree, not frozen, and manual or not as the scope says.
    pub ticks: bool,
    /// As [`PerceptionWorld::changed`].
    pub changed: bool,
    /// As [`PerceptionWorld::time`].
    pub now: f64,
}

impl PerceptionWorld {
    /// What a tick of this scope is to a perceiver.
    pub fn pulse(&self, key: PerceiverKey, scope: Scope) -> Pulse {
        let Some(at) = self.position(key) else { return Pulse::default() };
        let clock = &self.clocks[at];
        let in_scope = match scope {
            Scope::Common => !clock.has(MANUAL),
            Scope::One(one) => one == key,
        };
        Pulse { ticks: clock.has(RUNS) && in_scope, changed: clock.has(CHANGED), now: self.times.now[at] }
    }

    /// Another number when it may be that [`PerceptionWorld::pulse`] says of anybody that something changed, where it did not
    /// before.
    pub(crate) fn stirs(&self) -> u64 {
        self.stirs
    }

    /// True if a tick of this scope moves the perceiver's time.
    pub fn ticks_in(&self, key: PerceiverKey, scope: Scope) -> bool {
        self.pulse(key, scope).ticks
    }

    /// True if the perceiver's last tick changed what it knows: a record began or ended, a sense bit went on or off,
    /// or a report was applied.
    pub fn changed(&self, key: PerceiverKey) -> bool {
        self.position(key).is_some_and(|at| self.clocks[at].has(CHANGED))
    }

    /// The momentary stimuli that the perceiver's last tick applied to targets it knows, in order of arrival.
    pub fn sensed(&self, key: PerceiverKey) -> &[Sensed] {
        self.perceiver(key).filter(|_| self.changed(key)).map_or(&[], |perceiver| &perceiver.sensed)
    }

    /// The records that ended in the perceiver's last tick. A target may have a new record already.
    pub fn ended(&self, key: PerceiverKey) -> &[EndedRecord] {
        self.perceiver(key).filter(|_| self.changed(key)).map_or(&[], |perceiver| &perceiver.just_ended)
    }

    /// All records of a perceiver, in order of target id.
    pub fn records(&self, key: PerceiverKey) -> impl Iterator<Item = RecordView> + '_ {
        let now = self.time(key);
        let records = self.perceiver(key).map_or(&[][..], |perceiver| &perceiver.records);
        records.iter().map(move |record| RecordView::new(record, now))
    }

    /// The same as they lie there, and the perceiver's time.
    pub(crate) fn known(&self, key: PerceiverKey) -> (&[Record], f64) {
        let Some(at) = self.position(key) else { return (&[], 0.0) };
        (&self.perceivers[at].records, self.times.now[at])
    }

    /// What the source that counts for a target says of itself; `None`: it has none.
    pub fn identity(&self, target: TargetKey) -> Option<Identity<'_>> {
        let source = self.registry.source(self.registry.target(target)?.active?)?;
        Some(Identity { tags: &source.tags, can_hold_attention: source.settings.can_hold_attention })
    }

    /// Rises when an [`Identity`] may have changed.
    pub fn identity_revision(&self) -> u32 {
        self.registry.revision()
    }

    /// Protects the record of one target from being displaced; `None`: of nobody.
    pub fn set_protected(&mut self, key: PerceiverKey, target: Option<TargetRef>) {
        if let Some(at) = self.position(key) {
            self.perceivers[at].protected = target.map(|target| target.id);
        }
    }
}
