//! A small stage: nodes with places, a table of what is blocked, and the events tick by tick.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use riposte_core::perception::{
    About, Affiliation, Damage, Event, EventKind, Frame, LineOfSight, LossReason, Muffling, NodeId, Noise,
    PerceiverKey, PerceiverPlace, PerceiverSettings, PerceptionWorld, Question, Reported, Scope, SourceKey,
    SourcePlace, SourceSettings, SpaceId, Stance, Stimulation, TargetRef, WorldSettings,
};
use riposte_core::tags::{TagId, TagSet, TagTable};

pub use riposte_core::perception::EventKind::{
    DamageSensed, DetectionAborted, DetectionStarted, Lost, NoiseHeard, Perceived, SightGained, SightLost,
};

pub const DT: f64 = 0.1;

pub struct Scene {
    pub world: PerceptionWorld,
    pub space: SpaceId,
    pub tags: TagTable,
    pub frames: Stage,
    next_agent: NodeId,
}

/// Where everything is, and who cannot see whom.
#[derive(Default)]
pub struct Stage {
    pub perceivers: BTreeMap<usize, Frame>,
    pub sources: BTreeMap<usize, Frame>,
    /// (perceiver, source): no point is visible.
    pub blocked: BTreeSet<(usize, usize)>,
    /// Visible points of a source, for whoever looks.
    pub masks: BTreeMap<usize, u16>,
    pub questions: Vec<Vec<DVec3>>,
    /// (perceiver, source) of the questions.
    pub pairs: Vec<(usize, usize)>,
    /// Casts of a source's line of sight besides one per point.
    pub recasts: BTreeMap<usize, u32>,
    /// Bodies between any noise and any ear.
    pub walls: u32,
    pub noises: Vec<Muffling>,
    pub stances: BTreeMap<usize, Stance>,
    pub node_points: BTreeMap<usize, Vec<DVec3>>,
    /// Sources whose stance or nodes were asked for.
    pub asked_about: Vec<usize>,
}

impl LineOfSight for Stage {
    fn visible_points(&mut self, question: &Question<'_>) -> u16 {
        self.questions.push(question.points.to_vec());
        let pair = (question.perceiver.index(), question.source.index());
        self.pairs.push(pair);
        if self.blocked.contains(&pair) {
            return 0;
        }
        self.masks.get(&question.source.index()).copied().unwrap_or(u16::MAX)
    }

    fn casts(&mut self, question: &Question<'_>) -> u32 {
        let more = self.recasts.get(&question.source.index()).copied().unwrap_or(0);
        question.points.len() as u32 + more
    }

    fn occluders(&mut self, question: &Muffling) -> (u32, u32) {
        self.noises.push(*question);
        (self.walls, 1 + self.walls.min(question.most))
    }

    fn stance(&mut self, question: &About) -> Stance {
        self.asked_about.push(question.source.index());
        self.stances.get(&question.source.index()).copied().unwrap_or_default()
    }

    fn node_points(&mut self, question: &About) -> Vec<DVec3> {
        self.asked_about.push(question.source.index());
        self.node_points.get(&question.source.index()).cloned().unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Watcher {
    pub key: PerceiverKey,
    pub agent: NodeId,
}

#[derive(Clone, Copy, Debug)]
pub struct Thing {
    pub key: SourceKey,
    pub agent: NodeId,
}

pub fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Perceiver settings of the worked examples: manual, no eye offset.
pub fn looker() -> PerceiverSettings {
    PerceiverSettings { manual: true, eye_offset: DVec3::ZERO, ..PerceiverSettings::default() }
}

/// Source settings of the worked examples: no aim offset.
pub fn plain() -> SourceSettings {
    SourceSettings { sight_target_offset: DVec3::ZERO, ..SourceSettings::default() }
}

impl Scene {
    pub fn new() -> Self {
        let mut world = PerceptionWorld::new(WorldSettings::default());
        let space = world.add_space(false);
        Self { world, space, tags: TagTable::new(), frames: Stage::default(), next_agent: 100 }
    }

    pub fn agent(&mut self) -> NodeId {
        self.next_agent += 1;
        self.next_agent
    }

    pub fn ids(&mut self, names: &[&str]) -> Vec<TagId> {
        names.iter().map(|name| self.tags.intern(name).unwrap()).collect()
    }

    pub fn tag_set(&mut self, names: &[&str]) -> TagSet {
        let ids = self.ids(names);
        TagSet::new(&self.tags, ids)
    }

    pub fn watcher(&mut self, at: DVec3, settings: PerceiverSettings) -> Watcher {
        let agent = self.agent();
        let key = self.world.add_perceiver(settings, Affiliation::default());
        self.world.place_perceiver(key, PerceiverPlace { space: Some(self.space), agent, order: 0 });
        self.frames.perceivers.insert(key.index(), Frame::at(at));
        Watcher { key, agent }
    }

    pub fn detect(&mut self, watcher: Watcher, detectable: &[&str], ignored: &[&str]) {
        let (detectable, ignored) = (self.ids(detectable), self.ids(ignored));
        let affiliation = Affiliation { detectable, ignored, ..Affiliation::default() };
        self.world.set_affiliation(watcher.key, affiliation);
    }

    pub fn thing(&mut self, at: DVec3) -> Thing {
        self.thing_with(at, plain(), &[])
    }

    pub fn thing_with(&mut self, at: DVec3, settings: SourceSettings, tags: &[&str]) -> Thing {
        let agent = self.agent();
        self.source_of(agent, &[], 0, at, settings, tags)
    }

    pub fn source_of(
        &mut self,
        agent: NodeId,
        ancestors: &[NodeId],
        order: u64,
        at: DVec3,
        settings: SourceSettings,
        tags: &[&str],
    ) -> Thing {
        let tags = self.tag_set(tags);
        let key = self.world.add_source(settings, tags);
        let place =
            SourcePlace { space: Some(self.space), agent: Some(agent), ancestors: ancestors.to_vec(), order };
        self.world.place_source(key, place);
        self.frames.sources.insert(key.index(), Frame::at(at));
        Thing { key, agent }
    }

    pub fn move_thing(&mut self, thing: Thing, at: DVec3) {
        self.frames.sources.insert(thing.key.index(), Frame::at(at));
    }

    pub fn hide(&mut self, watcher: Watcher, thing: Thing) {
        self.frames.blocked.insert((watcher.key.index(), thing.key.index()));
    }

    pub fn show(&mut self, watcher: Watcher, thing: Thing) {
        self.frames.blocked.remove(&(watcher.key.index(), thing.key.index()));
    }

    pub fn set(&mut self, watcher: Watcher, change: impl FnOnce(&mut PerceiverSettings)) {
        let mut settings = self.world.perceiver_settings(watcher.key).unwrap().clone();
        change(&mut settings);
        self.world.set_perceiver(watcher.key, settings);
    }

    pub fn set_source(&mut self, thing: Thing, change: impl FnOnce(&mut SourceSettings)) {
        let mut settings = self.world.source_settings(thing.key).unwrap().clone();
        change(&mut settings);
        self.world.set_source(thing.key, settings);
    }

    /// One tick of a manual perceiver.
    pub fn tick(&mut self, watcher: Watcher) -> Vec<Event> {
        self.tick_by(watcher, DT)
    }

    pub fn tick_by(&mut self, watcher: Watcher, dt: f64) -> Vec<Event> {
        self.run(Scope::One(watcher.key), dt)
    }

    pub fn run(&mut self, scope: Scope, dt: f64) -> Vec<Event> {
        let mut tick = self.world.begin(scope, dt);
        let frames = &self.frames;
        tick.read(|key| frames.perceivers[&key.index()], |key| frames.sources[&key.index()]);
        self.world.look(&mut tick);
        tick.ask(&mut self.frames);
        let events = self.world.finish(tick);
        self.world.recycle(events.clone());
        events
    }

    /// One tick in which no ray can be cast.
    pub fn run_blind(&mut self, scope: Scope, dt: f64) -> Vec<Event> {
        let mut tick = self.world.begin(scope, dt);
        let frames = &self.frames;
        tick.read(|key| frames.perceivers[&key.index()], |key| frames.sources[&key.index()]);
        self.world.look(&mut tick);
        while tick.question().is_some() {
            tick.pass();
        }
        self.world.finish(tick)
    }

    /// Rays that a tick may cast.
    pub fn limit_rays(&mut self, most: u32) {
        self.world.set_settings(WorldSettings {
            max_rays_per_tick: most,
            stagger: false,
            ..WorldSettings::default()
        });
    }

    /// The pairs asked since the last call: (perceiver, source).
    pub fn asked(&mut self) -> Vec<(usize, usize)> {
        self.frames.questions.clear();
        std::mem::take(&mut self.frames.pairs)
    }

    pub fn target(&self, thing: Thing) -> TargetRef {
        self.world.target_of(thing.agent).unwrap()
    }

    pub fn seen(&self, watcher: Watcher, thing: Thing) -> bool {
        self.senses(watcher, thing) & 1 != 0
    }

    pub fn senses(&self, watcher: Watcher, thing: Thing) -> u8 {
        self.world.target_of(thing.agent).map_or(0, |target| self.world.senses(watcher.key, target).bits())
    }

    pub fn detection(&self, watcher: Watcher, thing: Thing) -> f64 {
        self.world.detection(watcher.key, self.target(thing))
    }

    pub fn age(&self, watcher: Watcher, thing: Thing) -> Option<f64> {
        self.world.age(watcher.key, self.target(thing))
    }

    pub fn location(&self, watcher: Watcher, thing: Thing) -> Option<DVec3> {
        self.world.record(watcher.key, self.target(thing)).map(|record| record.location)
    }

    /// Agents that a watcher at `origin` knows, closest first.
    pub fn known(&self, watcher: Watcher, origin: DVec3) -> Vec<NodeId> {
        let mut list = Vec::new();
        self.world.targets(watcher.key, origin, &mut list);
        list.iter().map(|target| target.agent).collect()
    }

    pub fn noise(&mut self, at: DVec3, loudness: f64, by: Option<Thing>) -> Reported {
        let source = by.and_then(|thing| self.world.target_of(thing.agent));
        let lineage = by.iter().map(|thing| thing.agent).collect();
        let noise = Noise { space: self.space, location: at, loudness, tag: TagSet::default(), lineage };
        self.world.report_noise(noise, source)
    }

    pub fn smell(&mut self, who: Watcher, thing: Thing, strength: f64) -> Reported {
        let sense = self.ids(&["Smell"])[0];
        let (target, location) = (self.target(thing), self.frames.sources[&thing.key.index()].origin);
        self.world.report_stimulus(Stimulation { perceiver: who.key, target, location, sense, strength })
    }

    pub fn hurt(&mut self, victim: Watcher, by: Option<Thing>, hit: DVec3, amount: f64) -> Reported {
        let attacker = by.map(|thing| {
            let place = self.frames.sources[&thing.key.index()].origin;
            (self.target(thing), place)
        });
        self.world.report_damage(Damage { victim: victim.agent, attacker, hit, amount })
    }
}

pub fn kinds(events: &[Event]) -> Vec<EventKind> {
    events.iter().map(|event| event.kind).collect()
}

/// A watcher that sees a thing.
pub fn watching() -> (Scene, Watcher, Thing) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    assert_eq!(kinds(&scene.tick(watcher)), [Perceived, SightGained]);
    (scene, watcher, thing)
}

pub fn lost_reasons(events: &[Event]) -> Vec<LossReason> {
    events.iter().filter(|event| event.kind == Lost).map(|event| event.reason).collect()
}
