//! Our side.

use std::collections::BTreeMap;

use glam::DVec3;
use riposte_core::perception::{
    Affiliation, Event, Frame, Noise, PerceiverKey, PerceiverPlace, PerceiverSettings, PerceptionWorld,
    Scope, Senses, SourcePlace, SourceSettings, SpaceId, WorldSettings,
};
use riposte_core::tags::TagSet;

use super::cost::{Cost, Lap};
use super::field::{FIRST_SOURCE, Field, STEP, Table};

/// Our side.
pub struct Ours {
    pub world: PerceptionWorld,
    pub perceivers: Vec<PerceiverKey>,
    pub table: Table,
    pub space: SpaceId,
    /// All events, if they are wanted.
    pub log: Option<Vec<Event>>,
    /// Written through before each step, so that nothing of ours is left in the caches, as in a game.
    pub game: Vec<u64>,
}

impl Ours {
    pub fn new(field: &Field, table: Table, settings: WorldSettings) -> Self {
        let mut world = PerceptionWorld::new(settings);
        let here = world.add_space(false);
        let space = Some(here);
        let mut perceivers = Vec::new();
        for (number, _) in field.perceivers.iter().enumerate() {
            let key = world.add_perceiver(PerceiverSettings::default(), Affiliation::default());
            world.place_perceiver(key, PerceiverPlace { space, agent: number as i64 + 1, order: 0 });
            perceivers.push(key);
        }
        for (number, _) in field.sources.iter().enumerate() {
            let key = world.add_source(SourceSettings::default(), TagSet::default());
            let agent = Some(FIRST_SOURCE + number as i64);
            world.place_source(key, SourcePlace { space, agent, ..SourcePlace::default() });
        }
        Self { world, perceivers, table, space: here, log: None, game: Vec::new() }
    }

    pub fn step(&mut self, field: &Field, cost: &mut Cost) {
        self.game.iter_mut().for_each(|it| *it = std::hint::black_box(*it + 1));
        let mut clock = Lap::start();
        let mut tick = self.world.begin(Scope::Common, STEP);
        clock.lap(&mut cost.begin);
        tick.read(|key| field.perceivers[key.index()], |key| Frame::at(field.sources[key.index()]));
        clock.lap(&mut cost.read);
        self.world.look(&mut tick);
        clock.lap(&mut cost.look);
        tick.ask(&mut self.table);
        clock.lap(&mut cost.ask);
        let stats = tick.stats();
        let events = self.world.finish(tick);
        cost.events += events.len() as f64;
        if let Some(log) = &mut self.log {
            log.extend_from_slice(&events);
        }
        self.world.recycle(events);
        clock.lap(&mut cost.finish);
        cost.scans += f64::from(stats.scans);
        cost.tests += f64::from(stats.distance_tests);
        cost.questions += f64::from(stats.questions);
        let after = self.world.last_stats();
        cost.most_rays = cost.most_rays.max(f64::from(after.rays));
        cost.longest_wait = cost.longest_wait.max(after.oldest_scan_wait);
        cost.most_scans = cost.most_scans.max(f64::from(stats.scans));
    }

    /// A noise of a place in the middle of the square.
    pub fn noise(&mut self, middle: f64) {
        let location = DVec3::new(middle, 0.0, middle);
        let (space, tag, lineage) = (self.space, TagSet::default(), Vec::new());
        self.world.report_noise(Noise { space, location, loudness: 1.0, tag, lineage }, None);
    }

    /// Source → seen.
    pub fn known(&self, perceiver: usize) -> BTreeMap<usize, bool> {
        let (key, mut targets) = (self.perceivers[perceiver], Vec::new());
        self.world.targets(key, DVec3::ZERO, &mut targets);
        let seen = |target| self.world.senses(key, target).intersects(Senses::SIGHT);
        targets.iter().map(|target| ((target.agent - FIRST_SOURCE) as usize, seen(*target))).collect()
    }
}
