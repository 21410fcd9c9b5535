//! When perceivers scan, which scans the ray budget serves, and what is carried over to the next tick.

use super::clock::{BUSY, CARRIED, CHANGED, Clock, FORCED, KNOWS, LATE, MANUAL, RUNS, Times};
use super::inbox::Inbox;
use super::perceiver::Perceiver;
use super::reports::Report;
use super::settle::Settling;
use super::target::TargetRef;
use super::tick::{Busy, Pair, Scan, Scope, Tick, Verdict};
use super::world::PerceptionWorld;

/// The scan of a perceiver that is under way, over several ticks if the budget is short.
#[derive(Debug, Default)]
pub(super) struct Errand {
    /// Number of the tick in which it fell due, and the world's time then.
    pub(super) due: u64,
    pub(super) since: f64,
    /// Ids of the targets that it has served in earlier ticks.
    pub(super) served: Vec<u64>,
    /// Newly visible targets that it found in earlier ticks.
    pub(super) found: u32,
}

/// Targets that most unfinished scans have served at the most.
const FEW_SERVED: usize = 64;

impl Errand {
    fn begin(&mut self, due: u64, since: f64) {
        (self.due, self.since, self.found) = (due, since, 0);
        self.served.clear();
    }

    /// True if the scan under way, which began in an earlier tick, has asked for this target before.
    pub(super) fn has_served(&self, target: TargetRef) -> bool {
        self.served.contains(&target.id)
    }
}

impl PerceptionWorld {
    /// Phase 1: moves the clocks and finds out what this tick has to do.
    pub fn begin(&mut self, scope: Scope, dt: f64) -> Tick {
        let mut tick = std::mem::take(&mut self.spare_tick);
        tick.reset();
        self.ticks += 1;
        tick.since = self.time - if scope == Scope::Common { 0.0 } else { dt };
        tick.stats.ticks = self.ticks;
        tick.stats.sources = self.registry.active().len() as u32;
        match scope {
            Scope::Common => {
                self.time += dt;
                tick.common = true;
                tick.budget = match self.settings.max_rays_per_tick {
                    0 => u32::MAX,
                    most => most,
                };
                self.settle_departures();
                self.begin_all(dt, &mut tick);
                self.seen_reports = self.queue.head();
            }
            Scope::One(key) => {
                if let Some(at) = self.position(key).filter(|at| self.clocks[*at].has(RUNS)) {
                    tick.stats.perceivers = 1;
                    let Times { now, wait, .. } = &mut self.times;
                    let scan = self.clocks[at].step(&mut now[at], &mut wait[at], dt);
                    let reports = self.queue.len() > 0;
                    tick.calls.take(&self.queue, self.inboxes[at].next);
                    self.begin_one(at, dt, (scan, reports), &mut tick);
                }
            }
        }
        if tick.busy.iter().any(|busy| busy.scan) {
            tick.sources.extend_from_slice(self.registry.active());
        }
        tick
    }

    /// Most perceivers have nothing to do in a tick; they cost no more than a look at their clock.
    fn begin_all(&mut self, dt: f64, tick: &mut Tick) {
        let epoch = self.registry.epoch();
        let reports = self.queue.head() > self.seen_reports || self.late_noises;
        let blind = self.registry.active().is_empty();
        if reports {
            tick.calls.take(&self.queue, self.seen_reports);
        } else if blind && let Some(perceivers) = self.quiet() {
            tick.stats.perceivers = perceivers;
            return self.times.pass(dt);
        }
        for at in 0..self.clocks.len() {
            let (clock, Times { now, wait, .. }) = (&mut self.clocks[at], &mut self.times);
            if clock.goes_along() {
                tick.stats.perceivers += 1;
                if !reports && clock.rest(&mut now[at], &mut wait[at], dt, epoch) {
                    continue;
                }
                let mut scan = clock.step(&mut now[at], &mut wait[at], dt);
                if scan && !clock.may_find(blind) {
                    clock.set(CARRIED, false);
                    scan = false;
                }
                if scan || reports || clock.is_busy(now[at], epoch) {
                    self.begin_one(at, dt, (scan, reports), tick);
                }
            }
        }
    }

    /// How many tick together, if nobody knows anybody and nothing is to be settled: without sources and reports only
    /// time passes.
    fn quiet(&self) -> Option<u32> {
        let look = |(flags, count): (u16, u32), clock: &Clock| {
            (flags | clock.flags, count + u32::from(clock.goes_along()))
        };
        let (flags, perceivers) = self.clocks.iter().fold((0, 0), look);
        (flags & (FORCED | BUSY | KNOWS | CHANGED | CARRIED | LATE) == 0).then_some(perceivers)
    }

    fn begin_one(&mut self, at: usize, dt: f64, (scan, reports): (bool, bool), tick: &mut Tick) {
        let clock = &self.clocks[at];
        let goes = scan || clock.is_busy(self.times.now[at], self.registry.epoch());
        let (mut from, mut fresh_from) = (u64::MAX, u64::MAX);
        if reports {
            let manual = clock.has(MANUAL);
            (from, fresh_from) = self.reports_from(at, manual);
            // Of the others the world knows which they have had.
            if manual {
                self.inboxes[at].next = self.queue.head();
            }
        }
        if !goes && from == u64::MAX {
            return;
        }
        let dt = dt * self.clocks[at].time_scale;
        let key = self.inboxes[at].key;
        let full = || {
            let Perceiver { records, settings, .. } = &self.perceivers[at];
            records.len() > settings.max_perceived_targets as usize
        };
        let read = (scan || from != u64::MAX || full()).then(|| {
            tick.perceivers.push(key);
            (tick.perceivers.len() - 1) as u32
        });
        // Late noises are older than what is new.
        let only_listens = (!goes && from >= fresh_from).then(|| {
            let Inbox { radius, space, .. } = self.inboxes[at];
            (radius, space.map_or(0.0, |space| self.space(space).tolerance()))
        });
        let (scan_at, reports_from, ears, at) = (None, from, 0..0, at as u32);
        tick.busy.push(Busy {
            key,
            at,
            dt,
            scan,
            only_listens,
            scan_at,
            reports_from,
            fresh_from,
            ears,
            read,
        });
    }

    /// Numbers of the first report that concerns a perceiver (`u64::MAX`: none does), and of the first that is new to it.
    fn reports_from(&self, at: usize, manual: bool) -> (u64, u64) {
        let inbox = &self.inboxes[at];
        if !inbox.enabled {
            return (u64::MAX, u64::MAX);
        }
        let oldest = if manual { 0 } else { self.seen_reports };
        let fresh = oldest.max(inbox.next);
        if self.clocks[at].has(LATE)
            && let Some(late) = self.perceivers[at].late_noises.first()
        {
            return (*late, fresh);
        }
        let concerns = |number: u64, report: &Report| match report {
            Report::Noise { noise, .. } => inbox.hearing.takes(number) && inbox.space == Some(noise.space),
            Report::Damage(damage) => inbox.damage.takes(number) && self.gazes[at].agent == damage.victim,
            Report::Stimulation(stimulation) => stimulation.perceiver == inbox.key,
            Report::Nothing => false,
        };
        let first = self.queue.since(fresh).find(|(number, report)| concerns(*number, report));
        (first.map_or(u64::MAX, |(number, _)| number), fresh)
    }

    /// Oldest first, then 3D before 2D, then by id.
    pub(super) fn order_scans(&self, tick: &mut Tick) {
        let scans = &tick.found.scans;
        tick.order.extend(0..scans.len() as u32);
        let rank = |at: &u32| {
            let scan = &scans[*at as usize];
            (scan.due, self.space(scan.space).planar, *at)
        };
        if !tick.order.is_sorted_by_key(rank) {
            tick.order.sort_unstable_by_key(rank);
        }
    }

    /// Rays that were cast outside a tick.
    pub fn count_rays(&mut self, casts: u32) {
        self.last_stats.rays += casts;
    }
}

impl Settling<'_> {
    /// What a scan says of a target: `None`: nothing, it was asked for in an earlier tick or is still to be.
    pub(super) fn verdict_on(&self, pairs: &[Pair], target: TargetRef) -> Option<Verdict> {
        match pairs.iter().find(|pair| pair.target == target).map(|pair| pair.verdict) {
            Some(Verdict::Unserved) => None,
            Some(verdict) => Some(verdict),
            None if self.clock.has(CARRIED) && self.perceiver.errand.has_served(target) => None,
            None => Some(Verdict::Hidden),
        }
    }

    /// Remembers how far a scan has come, if it has to go on in the next tick.
    pub(super) fn close_scan(&mut self, scan: &Scan, pairs: &[Pair]) {
        let unserved = |pair: &Pair| pair.verdict == Verdict::Unserved;
        let carried = pairs.iter().any(unserved);
        let began_earlier = self.clock.has(CARRIED);
        self.clock.set(CARRIED, carried);
        if !carried {
            return;
        }
        let errand = &mut self.perceiver.errand;
        if !began_earlier {
            errand.begin(scan.due, self.tick.since);
        }
        // At once what will do for most scans.
        errand.served.reserve(FEW_SERVED.saturating_sub(errand.served.len()));
        errand.served.extend(pairs.iter().filter(|pair| !unserved(pair)).map(|pair| pair.target.id));
        errand.found = self.perceiver.settings.max_perceived_targets.saturating_sub(scan.newcomers_left);
        let wait = self.world_time - errand.since;
        *self.oldest_wait = self.oldest_wait.max(wait);
    }
}

impl Tick {
    /// Rays of the questions that were not answered.
    pub(super) fn rays_put_off(&self) -> u32 {
        let unserved = self.found.pairs.iter().filter(|pair| pair.verdict == Verdict::Unserved);
        let points = unserved.map(|pair| self.sources_seen[pair.frame as usize].points().len());
        let noises = self.ears.iter().filter(|ear| ear.bodies.is_none()).count();
        (points.sum::<usize>() + noises) as u32
    }
}
