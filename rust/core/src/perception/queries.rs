//! What scripts ask between ticks. Targets that are gone are left out at once.

use glam::DVec3;

use super::clock::BUSY;
use super::detection::LEVEL_TOLERANCE;
use super::event::Event;
use super::perceiver::{Perceiver, PerceiverKey};
use super::record::{Ended, Record};
use super::senses::{LossReason, Senses, TargetState};
use super::space::SpaceId;
use super::target::{NodeId, SourceKey, TargetKey, TargetRef};
use super::tick::TickStats;
use super::world::PerceptionWorld;

impl PerceptionWorld {
    /// True if a target is still there for a perceiver.
    fn reaches(&self, perceiver: &Perceiver, target: TargetKey) -> bool {
        let place = &perceiver.place;
        place.space.is_some() && self.registry.reach(target, place.agent) == place.space
    }

    /// The record that a perceiver has of a target which is still there.
    pub fn record(&self, key: PerceiverKey, target: TargetRef) -> Option<&Record> {
        let perceiver = self.perceiver(key)?;
        let at = perceiver.find(target.id).ok()?;
        self.reaches(perceiver, target.key).then(|| &perceiver.records[at])
    }

    /// For how long no sense has sensed a target; 0 while one does.
    pub fn age(&self, key: PerceiverKey, target: TargetRef) -> Option<f64> {
        self.record(key, target).map(|record| record.age(self.time(key)))
    }

    /// Senses that sense a target now.
    pub fn senses(&self, key: PerceiverKey, target: TargetRef) -> Senses {
        self.record(key, target).map_or(Senses::NONE, |record| record.senses)
    }

    /// What the perceiver knows of a target.
    pub fn target_state(&self, key: PerceiverKey, target: TargetRef) -> TargetState {
        match self.record(key, target) {
            None if self.detection(key, target) > LEVEL_TOLERANCE => TargetState::Detecting,
            None => TargetState::Unknown,
            Some(record) if record.senses.is_empty() => TargetState::Remembered,
            Some(_) => TargetState::Sensed,
        }
    }

    /// Visible aim points over all aim points of the last sight check; 0 when not seen.
    pub fn visible_fraction(&self, key: PerceiverKey, target: TargetRef) -> f64 {
        self.record(key, target).map_or(0.0, Record::visible_fraction)
    }

    /// Bit i: aim point i was visible at the last sight check; 0 when not seen.
    pub fn visible_points(&self, key: PerceiverKey, target: TargetRef) -> u16 {
        self.record(key, target).map_or(0, |record| record.visible_mask)
    }

    /// How far a target has been made out, 0..1; 1 with a record.
    pub fn detection(&self, key: PerceiverKey, target: TargetRef) -> f64 {
        let Some(perceiver) = self.perceiver(key) else { return 0.0 };
        if !self.reaches(perceiver, target.key) {
            return 0.0;
        }
        if perceiver.find(target.id).is_ok() {
            return 1.0;
        }
        let entry = perceiver.find_level(target.id).ok().map(|at| &perceiver.detections[at]);
        entry.filter(|entry| entry.shows()).map_or(0.0, |entry| entry.level)
    }

    /// All known targets that are still there, by distance from `origin` to the last known location, then by id.
    pub fn targets(&self, key: PerceiverKey, origin: DVec3, list: &mut Vec<TargetRef>) {
        list.clear();
        let Some(perceiver) = self.perceiver(key) else { return };
        let known = perceiver.records.iter().map(|record| record.target);
        list.extend(known.filter(|target| self.reaches(perceiver, target.key)));
        let location =
            |target: &TargetRef| perceiver.find(target.id).map(|at| perceiver.records[at].location);
        sort_by_distance(list, origin, |target| location(target).ok());
    }

    /// The first of [`Self::targets`].
    pub fn closest_target(&self, key: PerceiverKey, origin: DVec3) -> Option<TargetRef> {
        let perceiver = self.perceiver(key)?;
        let records = perceiver.records.iter();
        let known = records.filter(|record| self.reaches(perceiver, record.target.key));
        // Of equals the first: the list is in id order.
        let by_distance = |a: &&Record, b: &&Record| {
            let distance = |record: &Record| record.location.distance_squared(origin);
            distance(a).total_cmp(&distance(b))
        };
        known.min_by(by_distance).map(|record| record.target)
    }

    /// All targets that are being made out and are still there, by distance from `origin`, then by id.
    pub fn detecting(&self, key: PerceiverKey, origin: DVec3, list: &mut Vec<TargetRef>) {
        list.clear();
        let Some(perceiver) = self.perceiver(key) else { return };
        let levels = perceiver.detections.iter().filter(|entry| entry.shows()).map(|entry| entry.target);
        list.extend(levels.filter(|target| self.reaches(perceiver, target.key)));
        let location =
            |target: &TargetRef| perceiver.find_level(target.id).map(|at| perceiver.detections[at].location);
        sort_by_distance(list, origin, |target| location(target).ok());
    }

    /// The perceivers by which a target is sensed now by any sense of a set, in id order. With an empty set: those
    /// that have a record of it.
    pub fn perceivers_of(&self, target: TargetRef, senses: Senses, list: &mut Vec<PerceiverKey>) {
        list.clear();
        let knows = |perceiver: &&Perceiver| {
            let record = perceiver.find(target.id).ok().map(|at| &perceiver.records[at]);
            record.is_some_and(|record| senses.is_empty() || record.senses.intersects(senses))
        };
        let there = |perceiver: &&Perceiver| self.reaches(perceiver, target.key);
        let knowing = self.perceivers.iter().filter(knows).filter(there);
        list.extend(knowing.map(|perceiver| perceiver.key));
    }

    /// Ends a record and what was made out of a target; told in the next tick. False if there is no record.
    pub fn forget(&mut self, key: PerceiverKey, target: TargetRef) -> bool {
        let Some(at) = self.position(key) else { return false };
        if !self.reaches(&self.perceivers[at], target.key) {
            return false;
        }
        let perceiver = &mut self.perceivers[at];
        if let Ok(level) = perceiver.find_level(target.id) {
            perceiver.detections[level].dismissed = true;
            self.clocks[at].set(BUSY, true);
        }
        let Ok(index) = perceiver.find(target.id) else { return false };
        let record = perceiver.records.remove(index);
        perceiver.ended.push(Ended { record, reason: LossReason::Dismissed });
        self.clocks[at].set(BUSY, true);
        true
    }

    /// Ends all records of targets that are still there, and all levels. Gives the number of records.
    pub fn forget_all(&mut self, key: PerceiverKey) -> usize {
        let Some(at) = self.position(key) else { return 0 };
        let perceiver = &mut self.perceivers[at];
        perceiver.detections.iter_mut().for_each(|entry| entry.dismissed = true);
        self.clocks[at].set(BUSY, true);
        let mut count = 0;
        for index in (0..self.perceivers[at].records.len()).rev() {
            let target = self.perceivers[at].records[index].target;
            count += usize::from(self.forget(key, target));
        }
        count
    }

    /// An event could not be delivered, because its target or its perceiver went away while others were. What it
    /// would have begun is then not told to end either.
    pub fn not_delivered(&mut self, event: &Event) {
        use super::event::EventKind::{DetectionStarted, Perceived, SightGained};
        let (Some(at), Some(target)) = (self.position(event.perceiver), event.target) else { return };
        let perceiver = &mut self.perceivers[at];
        if let (DetectionStarted, Ok(level)) = (event.kind, perceiver.find_level(target.id)) {
            perceiver.detections[level].told = false;
        }
        let ended = perceiver.ended.iter_mut().map(|ended| &mut ended.record);
        let records = perceiver.records.iter_mut().chain(ended);
        for record in records.filter(|record| record.target == target) {
            match event.kind {
                Perceived => {
                    record.told = false;
                    record.told_seen = false;
                }
                SightGained => record.told_seen = false,
                _ => {}
            }
        }
    }

    /// True while a perceiver's own `advance` is under way.
    pub fn is_ticking(&self, key: PerceiverKey) -> bool {
        self.perceiver(key).is_some_and(|perceiver| perceiver.ticking)
    }

    /// Marks a perceiver's own `advance` as begun (before the tick) or over (after dispatch).
    pub fn set_ticking(&mut self, key: PerceiverKey, ticking: bool) {
        if let Some(at) = self.position(key) {
            self.perceivers[at].ticking = ticking;
        }
    }

    /// A perceiver's own time.
    pub fn time(&self, key: PerceiverKey) -> f64 {
        self.position(key).map_or(0.0, |at| self.times.now[at])
    }

    /// The world and agent of a perceiver in the tree.
    pub fn perceiver_place(&self, key: PerceiverKey) -> Option<(SpaceId, NodeId)> {
        let place = self.perceiver(key)?.place;
        Some((place.space?, place.agent))
    }

    /// The settings of a source.
    pub fn source_settings(&self, key: SourceKey) -> Option<&super::SourceSettings> {
        self.registry.source(key).map(|source| &source.settings)
    }

    /// Counts of the last tick.
    pub fn last_stats(&self) -> TickStats {
        self.last_stats
    }
}

/// By distance from a place, then by id. Allocates nothing.
fn sort_by_distance(list: &mut [TargetRef], origin: DVec3, location: impl Fn(&TargetRef) -> Option<DVec3>) {
    let distance = |target: &TargetRef| {
        location(target).map_or(f64::INFINITY, |location| location.distance_squared(origin))
    };
    list.sort_unstable_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.id.cmp(&b.id)));
}
