//! What scripts ask between ticks. Targets that are gone are left out at once.

use glam::DVec3;

use super::event::Event;
use super::perceiver::PerceiverKey;
use super::record::{Ended, Record};
use super::senses::{LossReason, Senses, TargetState};
use super::space::SpaceId;
use super::target::{NodeId, SourceKey, TargetKey, TargetRef};
use super::tick::TickStats;
use super::world::PerceptionWorld;

impl PerceptionWorld {
    fn available(&self, key: PerceiverKey, target: TargetKey) -> bool {
        self.perceiver(key).is_some_and(|perceiver| {
            let place = &perceiver.place;
            place.space.is_some() && self.registry.reach(target, place.agent) == place.space
        })
    }

    /// The record that a perceiver has of a target which is still there.
    pub fn record(&self, key: PerceiverKey, target: TargetRef) -> Option<&Record> {
        let perceiver = self.perceiver(key)?;
        let at = perceiver.find(target.id).ok()?;
        self.available(key, target.key).then(|| &perceiver.records[at])
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
            None => TargetState::Unknown,
            Some(record) if record.senses.is_empty() => TargetState::Remembered,
            Some(_) => TargetState::Sensed,
        }
    }

    /// All known targets that are still there, by distance from `origin` to the last known location, then by id.
    pub fn targets(&self, key: PerceiverKey, origin: DVec3, list: &mut Vec<TargetRef>) {
        list.clear();
        let Some(perceiver) = self.perceiver(key) else { return };
        let known = perceiver.records.iter().map(|record| record.target);
        list.extend(known.filter(|target| self.available(key, target.key)));
        let distance = |target: &TargetRef| {
            let record = perceiver.find(target.id).ok().map(|at| &perceiver.records[at]);
            record.map_or(f64::INFINITY, |record| record.location.distance_squared(origin))
        };
        // Stable: the list is in id order.
        list.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    }

    /// Ends a record; its end is told in the next tick. False if there is none.
    pub fn forget(&mut self, key: PerceiverKey, target: TargetRef) -> bool {
        if self.record(key, target).is_none() {
            return false;
        }
        let Some(at) = self.position(key) else { return false };
        let Ok(index) = self.perceivers[at].find(target.id) else { return false };
        let record = self.perceivers[at].records.remove(index);
        self.perceivers[at].ended.push(Ended { record, reason: LossReason::Dismissed });
        self.clocks[at].set(super::perceiver::BUSY, true);
        true
    }

    /// Ends all records of targets that are still there. Gives their number.
    pub fn forget_all(&mut self, key: PerceiverKey) -> usize {
        let known = |world: &Self| {
            let perceiver = world.perceiver(key)?;
            perceiver
                .records
                .iter()
                .map(|record| record.target)
                .find(|target| world.available(key, target.key))
        };
        let mut count = 0;
        while let Some(target) = known(self) {
            count += usize::from(self.forget(key, target));
        }
        count
    }

    /// An event could not be delivered, because its target or its perceiver went away while others were. What it
    /// would have begun is then not told to end either.
    pub fn not_delivered(&mut self, event: &Event) {
        use super::event::EventKind::{Perceived, SightGained};
        let (Some(at), Some(target)) = (self.position(event.perceiver), event.target) else { return };
        let perceiver = &mut self.perceivers[at];
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
        self.position(key).map_or(0.0, |at| self.clocks[at].time)
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
