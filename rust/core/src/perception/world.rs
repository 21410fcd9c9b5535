//! The state of all perceivers and sources, and how it is changed from outside.

use std::collections::BTreeMap;

use crate::arena::Arena;
use crate::tags::TagSet;

use super::clock::{BUSY, CARRIED, CHANGED, Clock, FORCED, KNOWS, LATE, MANUAL, RUNS, SCANS, Times};
use super::event::Event;
use super::gaze::Gaze;
use super::grid::Grid;
use super::inbox::Inbox;
use super::perceiver::{Perceiver, PerceiverKey, PerceiverPlace};
use super::registry::Registry;
use super::reports::ReportQueue;
use super::schedule::Errand;
use super::settings::{Affiliation, Cone, PerceiverSettings, SourceSettings, WorldSettings};
use super::settle::Scratch;
use super::space::{Space, SpaceId};
use super::target::{NodeId, SourceKey, SourcePlace, TargetKey, TargetRef};
use super::tick::{Busy, Tick, TickStats};
use super::workers::Workers;

/// All perceivers and sources.
#[derive(Debug, Default)]
pub struct PerceptionWorld {
    pub(super) settings: WorldSettings,
    pub(super) spaces: Vec<Space>,
    /// In id order; `clocks`, `times`, `gazes` and `inboxes` stand beside it.
    pub(super) perceivers: Vec<Perceiver>,
    pub(super) clocks: Vec<Clock>,
    pub(super) times: Times,
    pub(super) gazes: Vec<Gaze>,
    pub(super) inboxes: Vec<Inbox>,
    positions: Arena<u32>,
    next_perceiver_id: u64,
    /// Perceivers in the tree by agent, in order.
    pub(super) agents: BTreeMap<NodeId, Vec<PerceiverKey>>,
    pub(super) registry: Registry,
    pub(super) queue: ReportQueue,
    /// Number of the first report that no common tick has seen.
    pub(super) seen_reports: u64,
    /// So many reports make the tick of a single perceiver look for those that can go.
    pub(super) trim_at: usize,
    /// The last common tick left a noise to be listened for.
    pub(super) late_noises: bool,
    /// A perceiver left the tree since the last common tick.
    departures: bool,
    pub(super) grid: Grid,
    pub(super) spare_tick: Tick,
    pub(super) spare_events: Vec<Event>,
    pub(super) scratch: Scratch,
    pub(super) last_stats: TickStats,
    /// Ticks so far, and the time of the common ones.
    pub(super) ticks: u64,
    pub(super) time: f64,
    /// Another number when a tick changed what a perceiver knows, or when one may tick that did not.
    pub(super) stirs: u64,
    /// Started with the first tick that wants them.
    pub(super) workers: Option<Workers>,
}

impl PerceptionWorld {
    /// An empty world.
    pub fn new(settings: WorldSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Changes the settings of the whole system.
    pub fn set_settings(&mut self, settings: WorldSettings) {
        if settings.workers != self.settings.workers {
            self.stop_workers();
        }
        self.settings = settings;
    }

    /// A new space. `planar`: two axes.
    pub fn add_space(&mut self, planar: bool) -> SpaceId {
        self.spaces.push(Space { planar });
        SpaceId((self.spaces.len() - 1) as u16)
    }

    pub(super) fn space(&self, id: SpaceId) -> Space {
        self.spaces[id.0 as usize]
    }

    pub(super) fn position(&self, key: PerceiverKey) -> Option<usize> {
        self.positions.get(key.0).map(|at| *at as usize)
    }

    /// Where the perceiver of a busy entry stands now.
    pub(super) fn position_of(&self, busy: &Busy) -> Option<usize> {
        let at = busy.at as usize;
        let stays = self.gazes.get(at).is_some_and(|gaze| gaze.key == busy.key);
        if stays { Some(at) } else { self.position(busy.key) }
    }

    pub(super) fn perceiver(&self, key: PerceiverKey) -> Option<&Perceiver> {
        self.position(key).map(|at| &self.perceivers[at])
    }

    /// Registers a perceiver; it takes part once it has a place.
    pub fn add_perceiver(&mut self, settings: PerceiverSettings, affiliation: Affiliation) -> PerceiverKey {
        let key = PerceiverKey(self.positions.insert(self.perceivers.len() as u32));
        let id = self.next_perceiver_id;
        self.next_perceiver_id += 1;
        let head = self.queue.head();
        self.clocks.push(Clock::new(&settings, self.registry.epoch()));
        self.times.push(self.first_phase(id, &settings) * settings.update_interval);
        self.inboxes.push(Inbox::new(key, &settings, head));
        let perceiver = Perceiver {
            key,
            cone: Cone::new(settings.sight_fov_degrees),
            settings,
            affiliation,
            place: PerceiverPlace::default(),
            frozen: false,
            records: Vec::new(),
            detections: Vec::new(),
            ended: Vec::new(),
            sensed: Vec::new(),
            just_ended: Vec::new(),
            protected: None,
            late_noises: Vec::new(),
            errand: Errand::default(),
            ticking: false,
        };
        self.gazes.push(Gaze::of(&perceiver));
        self.perceivers.push(perceiver);
        self.refresh_flags(self.perceivers.len() - 1);
        key
    }

    fn first_phase(&self, id: u64, settings: &PerceiverSettings) -> f64 {
        if settings.update_phase >= 0.0 {
            settings.update_phase
        } else if settings.manual || !self.settings.stagger {
            0.0
        } else {
            const GOLDEN: f64 = 0.618_033_988_749_894_9;
            let turns = id as f64 * GOLDEN;
            turns - turns.floor()
        }
    }

    /// Forgets a perceiver and its records, silently.
    pub fn remove_perceiver(&mut self, key: PerceiverKey) {
        let Some(at) = self.position(key) else { return };
        self.leave_agent(at);
        self.drop_records(at);
        self.positions.remove(key.0);
        self.perceivers.remove(at);
        self.clocks.remove(at);
        self.times.remove(at);
        self.gazes.remove(at);
        self.inboxes.remove(at);
        for (at, moved) in self.perceivers.iter().enumerate().skip(at) {
            if let Some(slot) = self.positions.get_mut(moved.key.0) {
                *slot = at as u32;
            }
        }
    }

    /// Changes the settings of a perceiver.
    pub fn set_perceiver(&mut self, key: PerceiverKey, settings: PerceiverSettings) {
        let Some(at) = self.position(key) else { return };
        let head = self.queue.head();
        let (perceiver, clock) = (&mut self.perceivers[at], &mut self.clocks[at]);
        let (inbox, wait) = (&mut self.inboxes[at], &mut self.times.wait[at]);
        let before = std::mem::replace(&mut perceiver.settings, settings);
        let now = &perceiver.settings;
        if now.enabled && !before.enabled {
            // What was reported meanwhile was not for it; it looks around at once.
            inbox.next = head;
            *wait = 0.0;
        }
        if now.manual && !before.manual {
            inbox.next = inbox.next.max(self.seen_reports);
            if now.update_phase < 0.0 {
                *wait = 0.0;
            }
        }
        if now.update_interval != before.update_interval {
            *wait = wait.min(now.update_interval);
        }
        inbox.hearing.switch(now.hearing_enabled, head);
        inbox.damage.switch(now.damage_enabled, head);
        perceiver.cone = Cone::new(now.sight_fov_degrees);
        clock.time_scale = now.time_scale;
        clock.interval = now.update_interval;
        self.refresh_flags(at);
        self.clocks[at].set(BUSY, true);
    }

    /// The settings of a perceiver.
    pub fn perceiver_settings(&self, key: PerceiverKey) -> Option<&PerceiverSettings> {
        self.perceiver(key).map(|perceiver| &perceiver.settings)
    }

    /// Changes whom a perceiver cares about.
    pub fn set_affiliation(&mut self, key: PerceiverKey, affiliation: Affiliation) {
        if let Some(at) = self.position(key) {
            self.perceivers[at].affiliation = affiliation;
            self.refresh_flags(at);
        }
    }

    /// Says where a perceiver is now, in the tree or out of it.
    pub fn place_perceiver(&mut self, key: PerceiverKey, place: PerceiverPlace) {
        let Some(at) = self.position(key) else { return };
        self.leave_agent(at);
        let head = self.queue.head();
        let perceiver = &mut self.perceivers[at];
        if place.space.is_none() {
            // Keeps its agent: it may be back before the next tick.
            perceiver.place.space = None;
            self.departures = true;
        } else {
            if perceiver.place.agent == 0 {
                self.inboxes[at].next = head;
            }
            perceiver.place = place;
            // Worlds and kinships may have changed: every record is looked at again.
            self.clocks[at].epoch = self.registry.epoch().wrapping_sub(1);
            let list = self.agents.entry(place.agent).or_default();
            list.push(key);
            let (perceivers, positions) = (&self.perceivers, &self.positions);
            let order =
                |key: &PerceiverKey| positions.get(key.0).map(|at| perceivers[*at as usize].place.order);
            list.sort_by_key(|key| (order(key), *key));
        }
        self.refresh_flags(at);
    }

    fn leave_agent(&mut self, at: usize) {
        let perceiver = &self.perceivers[at];
        if let Some(list) = self.agents.get_mut(&perceiver.place.agent) {
            list.retain(|key| *key != perceiver.key);
            if list.is_empty() {
                self.agents.remove(&perceiver.place.agent);
            }
        }
    }

    /// A frozen perceiver (paused) has no time, no scans, no reports and no events.
    pub fn set_frozen(&mut self, key: PerceiverKey, frozen: bool) {
        let Some(at) = self.position(key) else { return };
        let head = self.queue.head();
        let perceiver = &mut self.perceivers[at];
        if std::mem::replace(&mut perceiver.frozen, frozen) && !frozen {
            // What was reported meanwhile is not for it. (Those that tick together never take what is older than a frame.)
            perceiver.late_noises.clear();
            if perceiver.settings.manual {
                self.inboxes[at].next = head;
            }
        }
        self.refresh_flags(at);
    }

    /// The next tick scans.
    pub fn scan_now(&mut self, key: PerceiverKey) {
        if let Some(at) = self.position(key) {
            self.clocks[at].set(FORCED, true);
        }
    }

    pub(super) fn refresh_flags(&mut self, at: usize) {
        let (perceiver, clock) = (&self.perceivers[at], &mut self.clocks[at]);
        let settings = &perceiver.settings;
        self.stirs += 1;
        clock.set(RUNS, perceiver.place.space.is_some() && !perceiver.frozen);
        clock.set(MANUAL, settings.manual);
        clock.set(SCANS, settings.enabled && settings.sight_enabled);
        clock.set(KNOWS, perceiver.knows());
        clock.set(LATE, !perceiver.late_noises.is_empty());
        self.times.refresh(at, clock);
        self.inboxes[at].refresh(perceiver);
        self.gazes[at] = Gaze::of(perceiver);
    }

    /// Perceivers of an agent that are in the tree, in order.
    pub fn perceivers_of_agent(&self, agent: NodeId) -> &[PerceiverKey] {
        self.agents.get(&agent).map_or(&[], Vec::as_slice)
    }

    /// True if a perceiver is in the tree.
    pub fn has_perceivers(&self) -> bool {
        !self.agents.is_empty()
    }

    /// Number of registered sources.
    pub fn source_count(&self) -> usize {
        self.registry.source_count()
    }

    /// Registers a source; it can be sensed once it has a place.
    pub fn add_source(&mut self, settings: SourceSettings, tags: TagSet) -> SourceKey {
        self.registry.add_source(settings, tags)
    }

    /// Forgets a source.
    pub fn remove_source(&mut self, key: SourceKey) {
        self.registry.remove_source(key);
    }

    /// Changes the settings of a source.
    pub fn set_source(&mut self, key: SourceKey, settings: SourceSettings) {
        self.registry.set_settings(key, settings);
    }

    /// Changes the identity that a source broadcasts.
    pub fn set_source_tags(&mut self, key: SourceKey, tags: TagSet) {
        self.registry.set_tags(key, tags);
    }

    /// Says where a source is now, in the tree or out of it, and whom it stands for.
    pub fn place_source(&mut self, key: SourceKey, place: SourcePlace) {
        self.registry.set_place(key, place);
    }

    /// The source or its agent is about to be deleted: as good as gone.
    pub fn doom_source(&mut self, key: SourceKey) {
        self.registry.set_doomed(key);
    }

    /// The target that an agent is, if it is one.
    pub fn target_of(&self, agent: NodeId) -> Option<TargetRef> {
        self.registry.target_of(agent).map(|target| target.reference)
    }

    /// The target that a source stands for.
    pub fn target_of_source(&self, key: SourceKey) -> Option<TargetRef> {
        self.registry.target(self.registry.source(key)?.target?).map(|target| target.reference)
    }

    /// The source that counts for a target.
    pub fn active_source(&self, target: TargetKey) -> Option<SourceKey> {
        self.registry.target(target).and_then(|target| target.active)
    }

    /// All sources of a target, in order, whether they count or not.
    pub fn sources_of(&self, target: TargetKey) -> &[SourceKey] {
        self.registry.target(target).map_or(&[], |target| &target.sources)
    }

    /// The sources that count, with their agents.
    pub fn active_sources(&mut self) -> Vec<(SourceKey, NodeId)> {
        let keys = self.registry.active().to_vec();
        let agent = |key: SourceKey| self.registry.target(self.registry.source(key)?.target?);
        keys.into_iter().filter_map(|key| Some((key, agent(key)?.reference.agent))).collect()
    }

    /// Targets that have no source; the caller must say when they are gone (see [`Self::set_stray_space`]).
    pub fn strays(&self) -> impl Iterator<Item = TargetRef> {
        self.registry.strays()
    }

    /// Says in which world a target without a source is; `None`: it is gone.
    pub fn set_stray_space(&mut self, target: TargetKey, space: Option<SpaceId>) {
        self.registry.set_stray_space(target, space);
    }

    /// The target that an attacker without a source is. Hand it on to [`Self::report_damage`] at once.
    pub fn stray(&mut self, agent: NodeId, ancestors: &[NodeId], space: SpaceId) -> TargetRef {
        self.registry.ensure_stray(agent, ancestors, space)
    }

    /// What a common tick does even if nothing is ticked: perceivers that left the tree and did not come back
    /// lose their records without a word.
    pub fn settle_departures(&mut self) {
        if !std::mem::take(&mut self.departures) {
            return;
        }
        for at in 0..self.perceivers.len() {
            if self.perceivers[at].place.space.is_none() {
                self.drop_records(at);
                self.perceivers[at].place.agent = 0;
                self.refresh_flags(at);
            }
        }
    }

    /// What a common tick does when there is no perceiver left: nothing waits for anybody.
    pub fn settle_without_perceivers(&mut self) {
        self.settle_departures();
        self.seen_reports = self.queue.head();
        self.trim_reports(true);
    }

    fn drop_records(&mut self, at: usize) {
        let perceiver = &mut self.perceivers[at];
        let records = std::mem::take(&mut perceiver.records);
        let ended = std::mem::take(&mut perceiver.ended);
        let levels = std::mem::take(&mut perceiver.detections);
        let records = records.iter().chain(ended.iter().map(|ended| &ended.record));
        for target in records.map(|record| record.target).chain(levels.iter().map(|entry| entry.target)) {
            self.registry.release(target.key);
        }
        perceiver.late_noises.clear();
        self.clocks[at].forget_at = f64::INFINITY;
        self.clocks[at].set(CARRIED, false);
        self.clocks[at].set(CHANGED, false);
        self.refresh_flags(at);
    }
}
