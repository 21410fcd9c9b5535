//! Settling: what the answers and reports of a tick make of the records.

use glam::DVec3;

use crate::time::expired;

use super::clock::{BUSY, CARRIED, CHANGED, Clock, KNOWS, LATE};
use super::event::Event;
use super::frame::View;
use super::inbox::Inbox;
use super::perceiver::Perceiver;
use super::record::{Ended, Record};
use super::registry::Registry;
use super::reports::ReportQueue;
use super::sensed::EndedRecord;
use super::senses::{LossReason, Senses};
use super::space::Space;
use super::target::TargetRef;
use super::tick::{Busy, Pair, Scan, Tick, Verdict};
use super::world::PerceptionWorld;

/// Buffers of settling, reused from perceiver to perceiver.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    newcomers: Vec<Record>,
    /// The noises that had to wait for the perceiver that is settled.
    pub(super) late_noises: Vec<u64>,
    /// Numbers of the reports that were sensed, with the target that each is about.
    pub(super) sensed: Vec<(u64, Option<TargetRef>)>,
}

impl PerceptionWorld {
    /// Phase 5: settles the records of every perceiver of the tick, in id order, and tells what happened in the
    /// order in which it must be told. Give the list back with [`Self::recycle`].
    pub fn finish(&mut self, mut tick: Tick) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.spare_events);
        events.clear();
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut oldest_wait = 0.0;
        for busy in &tick.busy {
            let Some(at) = self.position_of(busy) else { continue };
            let Some(space) = self.gazes[at].space else { continue };
            let scan = busy.scan_at.map(|scan| &tick.found.scans[scan as usize]);
            if self.clocks[at].knows_nothing() && tick.brings_nothing(busy, scan) {
                self.clocks[at].look_over(self.registry.epoch());
                continue;
            }
            let view = busy.read.and_then(|read| tick.views.get(read as usize)).copied().flatten();
            let mut settling = Settling {
                time: self.times.now[at],
                origin: view.map(|view| view.origin),
                view,
                space: self.spaces[space.0 as usize],
                perceiver: &mut self.perceivers[at],
                clock: &mut self.clocks[at],
                inbox: &self.inboxes[at],
                registry: &mut self.registry,
                queue: &self.queue,
                scratch: &mut scratch,
                first_event: events.len(),
                events: &mut events,
                tick: &tick,
                world_time: self.time,
                oldest_wait: &mut oldest_wait,
            };
            settling.settle(busy, scan);
            self.stirs += u64::from(self.clocks[at].has(CHANGED));
        }
        self.scratch = scratch;
        tick.stats.events = events.len() as u32;
        tick.stats.rays_deferred = tick.rays_put_off();
        tick.stats.oldest_scan_wait = oldest_wait;
        self.last_stats = tick.stats;
        let common = tick.common;
        if common {
            self.late_noises = tick.ears.iter().any(|ear| ear.bodies.is_none());
        }
        self.spare_tick = tick;
        self.trim_reports(common);
        events
    }

    /// Takes back the list that [`Self::finish`] gave, so that its memory is used again.
    pub fn recycle(&mut self, events: Vec<Event>) {
        self.spare_events = events;
    }
}

impl Tick {
    /// True if nothing was seen, reported or put off for this perceiver.
    fn brings_nothing(&self, busy: &Busy, scan: Option<&Scan>) -> bool {
        let pairs = scan.map_or(0..0, |scan| scan.pairs.start as usize..scan.pairs.end as usize);
        let hidden = |pair: &Pair| pair.verdict == Verdict::Hidden;
        busy.reports_from == u64::MAX && self.found.pairs[pairs].iter().all(hidden)
    }
}

pub(super) struct Settling<'a> {
    pub(super) perceiver: &'a mut Perceiver,
    pub(super) clock: &'a mut Clock,
    pub(super) inbox: &'a Inbox,
    pub(super) registry: &'a mut Registry,
    pub(super) queue: &'a ReportQueue,
    pub(super) space: Space,
    pub(super) scratch: &'a mut Scratch,
    pub(super) events: &'a mut Vec<Event>,
    /// Position of the perceiver's first event of this tick.
    pub(super) first_event: usize,
    pub(super) tick: &'a Tick,
    pub(super) view: Option<View>,
    pub(super) world_time: f64,
    /// For how long the oldest unfinished scan has been due.
    pub(super) oldest_wait: &'a mut f64,
    /// The perceiver's place; `None` when it was not read or its numbers are broken.
    pub(super) origin: Option<DVec3>,
    pub(super) time: f64,
}

impl Settling<'_> {
    fn settle(&mut self, busy: &Busy, scan: Option<&Scan>) {
        self.perceiver.sensed.clear();
        self.perceiver.just_ended.clear();
        self.tell_pending_ends();
        self.perceiver.records.iter_mut().for_each(Record::begin_tick);
        self.end_unreachable();
        self.end_levels(false);
        if self.perceiver.settings.enabled {
            self.apply_scan(scan);
            self.apply_reports(busy);
            self.grow_older(busy.dt);
            self.admit_newcomers();
            self.limit_levels();
        } else {
            self.end_where(LossReason::Dismissed, |_| true);
            self.end_levels(true);
            self.clock.set(CARRIED, false);
            self.perceiver.late_noises.clear();
        }
        self.note_changes();
        self.tell_changes();
        self.tell_stimuli();
        self.tell_levels();
        self.events[self.first_event..].sort_unstable_by_key(Event::rank);
        self.rest();
    }

    /// Says whether anything changed for those who build on the records.
    fn note_changes(&mut self) {
        let Perceiver { records, sensed, just_ended, .. } = &mut *self.perceiver;
        let has_record =
            |target: TargetRef| records.binary_search_by_key(&target.id, |it| it.target.id).is_ok();
        sensed.retain(|it| has_record(it.target));
        let changed = !just_ended.is_empty()
            || !self.scratch.sensed.is_empty()
            || !sensed.is_empty()
            || records.iter().any(|record| record.fresh || record.senses != record.before);
        self.clock.set(CHANGED, changed);
    }

    /// Decides whether the next tick has to look at this perceiver at all.
    fn rest(&mut self) {
        let records = &self.perceiver.records;
        let momentary = |record: &Record| !record.senses.without(Senses::SIGHT).is_empty();
        self.clock.set(BUSY, records.iter().any(momentary));
        self.clock.set(KNOWS, self.perceiver.knows());
        self.clock.set(LATE, !self.perceiver.late_noises.is_empty());
        let unsensed = records.iter().filter(|record| record.senses.is_empty());
        let first = unsensed.fold(f64::INFINITY, |first, record| first.min(record.unsensed_since));
        self.clock.forget_at = first + self.perceiver.settings.forget_time;
        self.clock.epoch = self.registry.epoch();
    }

    fn end_unreachable(&mut self) {
        if self.clock.epoch == self.registry.epoch() {
            return;
        }
        for at in (0..self.perceiver.records.len()).rev() {
            if !self.reachable(self.perceiver.records[at].target) {
                self.end_at(at, LossReason::Gone);
            }
        }
    }

    pub(super) fn reachable(&self, target: TargetRef) -> bool {
        let place = &self.perceiver.place;
        place.space.is_some() && self.registry.reach(target.key, place.agent) == place.space
    }

    fn end_where(&mut self, reason: LossReason, which: impl Fn(&Record) -> bool) {
        for at in (0..self.perceiver.records.len()).rev() {
            if which(&self.perceiver.records[at]) {
                self.end_at(at, reason);
            }
        }
    }

    /// Takes a record out and tells its end, if its beginning was told.
    fn end_at(&mut self, at: usize, reason: LossReason) {
        let record = self.perceiver.records.remove(at);
        self.perceiver.just_ended.push(EndedRecord { target: record.target, reason });
        self.tell_end(&record, reason);
        self.registry.release(record.target.key);
    }

    fn tell_pending_ends(&mut self) {
        let mut ended = std::mem::take(&mut self.perceiver.ended);
        for Ended { record, reason } in ended.drain(..) {
            self.perceiver.just_ended.push(EndedRecord { target: record.target, reason });
            self.tell_end(&record, reason);
            self.registry.release(record.target.key);
        }
        self.perceiver.ended = ended;
    }

    fn apply_scan(&mut self, scan: Option<&Scan>) {
        if !self.perceiver.settings.sight_enabled {
            self.perceiver.records.iter_mut().for_each(Record::lose_sight);
            self.end_levels(true);
            self.clock.set(CARRIED, false);
            return;
        }
        let Some(scan) = scan else { return };
        let pairs = &self.tick.found.pairs[scan.pairs.start as usize..scan.pairs.end as usize];
        for at in 0..self.perceiver.records.len() {
            let target = self.perceiver.records[at].target;
            if self.verdict_on(pairs, target) == Some(Verdict::Hidden) {
                self.perceiver.records[at].lose_sight();
            }
        }
        for pair in pairs {
            if let Verdict::Visible(mask) = pair.verdict {
                self.see(pair, mask);
            }
        }
        self.fade(pairs);
        self.close_scan(scan, pairs);
    }

    fn see(&mut self, pair: &Pair, mask: u16) {
        let frame = &self.tick.sources_seen[pair.frame as usize];
        let (points, origin) = (&self.tick.points[frame.points()], frame.pose.origin);
        let radius = self.perceiver.settings.sight_radius * frame.scale;
        let x = if radius > 0.0 { (pair.distance / radius).min(1.0) } else { 0.0 };
        let place = points.get(mask.trailing_zeros() as usize).copied().unwrap_or(origin);
        let (time, count) = (self.time, points.len() as u8);
        let fraction = f64::from(mask.count_ones()) / points.len().max(1) as f64;
        if !self.makes_out(pair, fraction) {
            return;
        }
        if let Some(record) = self.record_for(pair.target) {
            record.see(time, origin, place, mask, count);
            record.sight_x = x;
        }
    }

    /// The record of a target, or the one that it may get; none for a target that cannot be sensed any more.
    pub(super) fn record_for(&mut self, target: TargetRef) -> Option<&mut Record> {
        if let Ok(at) = self.perceiver.find(target.id) {
            return self.perceiver.records.get_mut(at);
        }
        if !self.reachable(target) {
            return None;
        }
        let newcomers = &mut self.scratch.newcomers;
        let at = newcomers.iter().position(|record| record.target == target).unwrap_or_else(|| {
            newcomers.push(Record::new(target));
            newcomers.len() - 1
        });
        newcomers.get_mut(at)
    }

    fn grow_older(&mut self, dt: f64) {
        let (now, forget_time) = (self.time, self.perceiver.settings.forget_time);
        for record in &mut self.perceiver.records {
            if !record.senses.is_empty() {
                record.last_sense = record.senses.leading();
            } else if !record.before.is_empty() {
                // It was sensed up to the last tick.
                record.unsensed_since = now - dt;
            }
        }
        // Without time nothing is forgotten that has not aged.
        self.end_where(LossReason::Forgotten, |record| {
            record.age(now) > 0.0 && expired(record.age(now), forget_time)
        });
    }

    fn distance(&self, record: &Record) -> f64 {
        self.origin.map_or(0.0, |origin| origin.distance(record.location))
    }

    /// Position and distance of the farthest record that may be displaced; of equals the younger target.
    fn farthest(&self) -> Option<(usize, f64)> {
        let (records, protected) = (&self.perceiver.records, self.perceiver.protected);
        let free = records.iter().enumerate().filter(|(_, record)| protected != Some(record.target.id));
        let distances = free.map(|(at, record)| (at, self.distance(record)));
        distances.max_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    }

    fn admit_newcomers(&mut self) {
        let limit = self.perceiver.settings.max_perceived_targets.max(1) as usize;
        while self.perceiver.records.len() > limit {
            let Some((at, _)) = self.farthest() else { break };
            self.end_at(at, LossReason::Displaced);
        }
        let mut newcomers = std::mem::take(&mut self.scratch.newcomers);
        newcomers.sort_unstable_by(|a, b| {
            self.distance(a).total_cmp(&self.distance(b)).then(a.target.id.cmp(&b.target.id))
        });
        for record in newcomers.drain(..) {
            self.admit(record, limit);
        }
        self.scratch.newcomers = newcomers;
        // Only now: who came and gave way in the same tick is told nothing and goes on being made out.
        for at in 0..self.perceiver.records.len() {
            let record = &self.perceiver.records[at];
            if record.fresh {
                self.drop_level(record.target);
            }
        }
    }

    fn admit(&mut self, mut record: Record, limit: usize) {
        if self.perceiver.records.len() >= limit {
            let Some((at, farthest)) = self.farthest() else { return };
            let margin = self.perceiver.settings.displace_margin + self.space.tolerance();
            let closer = farthest - self.distance(&record) > margin;
            if !closer && !record.senses.intersects(Senses::DAMAGE) {
                return;
            }
            self.end_at(at, LossReason::Displaced);
        }
        record.last_sense = record.senses.leading();
        self.registry.hold(record.target.key);
        if let Err(at) = self.perceiver.find(record.target.id) {
            self.perceiver.records.insert(at, record);
        }
    }
}
