//! Random plays: a few perceivers and sources to which anything may happen.

use glam::DVec3;
use proptest::prelude::*;
use riposte_core::perception::{Event, PerceiverPlace, PerceiverSettings, Scope, SourcePlace, TargetRef};

use crate::scene::*;

#[derive(Clone, Debug)]
pub enum Step {
    Tick,
    TickManual,
    /// A common tick in which no ray can be cast.
    Blind,
    Rays(u32),
    Move(usize, i8, i8),
    Block(usize, usize, bool),
    Enable(usize, bool),
    Leave(usize),
    Enter(usize),
    Adopt(usize, usize),
    Noise(usize, u8),
    Hurt(usize, usize),
    Smell(usize, usize),
    Forget(usize, usize),
    ForgetAll(usize),
    ScanNow(usize),
    EnablePerceiver(usize, bool),
    Sight(usize, bool),
    Ears(usize, bool),
    Muffled(usize, bool),
    Skin(usize, bool),
    Limit(usize, u32),
    Memory(usize, u8),
    Detection(usize, u8),
    Protect(usize, Option<usize>),
    Freeze(usize, bool),
    Blink(usize),
    Turn(usize, u8),
}

pub const PERCEIVERS: usize = 3;
pub const SOURCES: usize = 6;
/// The largest limit of records that a step sets.
pub const MOST_RECORDS: usize = 4;

pub fn step() -> impl Strategy<Value = Step> {
    prop_oneof![12 => what_happens(), 5 => what_is_set()]
}

fn what_happens() -> impl Strategy<Value = Step> {
    let (p, s) = (0..PERCEIVERS, 0..SOURCES);
    prop_oneof![
        10 => Just(Step::Tick),
        5 => Just(Step::TickManual),
        1 => Just(Step::Blind),
        6 => (s.clone(), -28i8..28, -28i8..28).prop_map(|(a, x, z)| Step::Move(a, x, z)),
        3 => (p.clone(), s.clone(), any::<bool>()).prop_map(|(a, b, c)| Step::Block(a, b, c)),
        1 => s.clone().prop_map(Step::Leave),
        2 => s.clone().prop_map(Step::Enter),
        1 => (s.clone(), s.clone()).prop_map(|(a, b)| Step::Adopt(a, b)),
        2 => (s.clone(), 1u8..4).prop_map(|(a, b)| Step::Noise(a, b)),
        2 => (p.clone(), s.clone()).prop_map(|(a, b)| Step::Hurt(a, b)),
        2 => (p.clone(), s.clone()).prop_map(|(a, b)| Step::Smell(a, b)),
        2 => (p.clone(), s).prop_map(|(a, b)| Step::Forget(a, b)),
        1 => p.clone().prop_map(Step::ForgetAll),
        1 => p.clone().prop_map(Step::ScanNow),
        1 => p.clone().prop_map(Step::Blink),
        2 => (p, any::<u8>()).prop_map(|(a, b)| Step::Turn(a, b)),
    ]
}

fn what_is_set() -> impl Strategy<Value = Step> {
    let (p, s) = (0..PERCEIVERS, 0..SOURCES);
    prop_oneof![
        2 => (s.clone(), any::<bool>()).prop_map(|(a, b)| Step::Enable(a, b)),
        2 => (0u32..4).prop_map(Step::Rays),
        1 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::EnablePerceiver(a, b)),
        1 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::Sight(a, b)),
        1 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::Ears(a, b)),
        2 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::Muffled(a, b)),
        1 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::Skin(a, b)),
        2 => (p.clone(), 1..=MOST_RECORDS as u32).prop_map(|(a, b)| Step::Limit(a, b)),
        1 => (p.clone(), 0u8..10).prop_map(|(a, b)| Step::Memory(a, b)),
        2 => (p.clone(), 0u8..8).prop_map(|(a, b)| Step::Detection(a, b)),
        2 => (p.clone(), prop::option::of(s)).prop_map(|(a, b)| Step::Protect(a, b)),
        1 => (p, any::<bool>()).prop_map(|(a, b)| Step::Freeze(a, b)),
    ]
}

impl Step {
    /// It changes nodes or settings, not what anybody knows.
    pub fn is_structural(&self) -> bool {
        !matches!(
            self,
            Self::Tick
                | Self::TickManual
                | Self::Blind
                | Self::Noise(..)
                | Self::Hurt(..)
                | Self::Smell(..)
                | Self::Forget(..)
                | Self::ForgetAll(..)
                | Self::ScanNow(..)
        )
    }

    /// It ticks.
    pub fn is_tick(&self) -> bool {
        matches!(self, Self::Tick | Self::TickManual | Self::Blind)
    }
}

pub struct Play {
    pub scene: Scene,
    pub watchers: Vec<Watcher>,
    pub things: Vec<Thing>,
    /// Agent that each source stands for now.
    pub agents: Vec<i64>,
    /// Whose record each perceiver never displaces.
    pub protected: Vec<Option<TargetRef>>,
    pub log: Vec<Event>,
}

impl Play {
    /// `budget`: rays a tick, 0 for as many as it takes.
    pub fn new(budget: u32) -> Self {
        let mut scene = Scene::new();
        scene.limit_rays(budget);
        scene.ids(&["Smell"]);
        let settings = |n: usize| PerceiverSettings {
            manual: n == 0,
            forget_time: 0.5,
            max_perceived_targets: 3,
            update_phase: if n == 1 { 0.0 } else { -1.0 },
            ..looker()
        };
        let watchers = (0..PERCEIVERS).map(|n| scene.watcher(v(n as f64, 0.0, 0.0), settings(n))).collect();
        let things: Vec<Thing> =
            (0..SOURCES).map(|n| scene.thing(v(n as f64, 0.0, -4.0 * n as f64))).collect();
        let agents = things.iter().map(|thing| thing.agent).collect();
        Self { scene, watchers, things, agents, protected: vec![None; PERCEIVERS], log: Vec::new() }
    }

    fn place(&mut self, source: usize, inside: bool) {
        let space = inside.then_some(self.scene.space);
        let place = SourcePlace { space, agent: Some(self.agents[source]), ..SourcePlace::default() };
        self.scene.world.place_source(self.things[source].key, place);
    }

    /// Those that a step ticks.
    pub fn ticked(&self, step: &Step) -> Vec<Watcher> {
        let scope = match step {
            Step::Tick | Step::Blind => Scope::Common,
            Step::TickManual => Scope::One(self.watchers[0].key),
            _ => return Vec::new(),
        };
        self.watchers.iter().copied().filter(|it| self.scene.world.ticks_in(it.key, scope)).collect()
    }

    /// Gives the events of the step.
    pub fn apply(&mut self, step: &Step) -> Vec<Event> {
        let told = match step {
            Step::Tick => self.scene.run(Scope::Common, DT),
            Step::TickManual => self.scene.tick(self.watchers[0]),
            Step::Blind => self.scene.run_blind(Scope::Common, DT),
            _ => Vec::new(),
        };
        self.happen(step);
        self.set(step);
        self.log.extend(told.clone());
        told
    }

    fn happen(&mut self, step: &Step) {
        let scene = &mut self.scene;
        match *step {
            Step::Move(s, x, z) => scene.move_thing(self.things[s], v(f64::from(x), 0.0, f64::from(z))),
            Step::Block(p, s, true) => scene.hide(self.watchers[p], self.things[s]),
            Step::Block(p, s, false) => scene.show(self.watchers[p], self.things[s]),
            Step::Leave(s) => self.place(s, false),
            Step::Enter(s) => self.place(s, true),
            Step::Adopt(s, of) => {
                self.agents[s] = self.things[of].agent;
                self.place(s, true);
            }
            Step::Noise(s, loudness) => {
                let by = Thing { agent: self.agents[s], ..self.things[s] };
                scene.noise(v(0.0, 0.0, 5.0), f64::from(loudness), Some(by));
            }
            Step::Hurt(p, s) if scene.world.target_of(self.things[s].agent).is_some() => {
                scene.hurt(self.watchers[p], Some(self.things[s]), DVec3::Y, 1.0);
            }
            Step::Smell(p, s) if scene.world.target_of(self.things[s].agent).is_some() => {
                scene.smell(self.watchers[p], self.things[s], 0.5);
            }
            Step::Forget(p, s) => {
                if let Some(target) = scene.world.target_of(self.agents[s]) {
                    scene.world.forget(self.watchers[p].key, target);
                }
            }
            Step::ForgetAll(p) => {
                scene.world.forget_all(self.watchers[p].key);
            }
            Step::ScanNow(p) => scene.world.scan_now(self.watchers[p].key),
            Step::Blink(p) => {
                let (key, agent) = (self.watchers[p].key, self.watchers[p].agent);
                let space = scene.space;
                scene.world.place_perceiver(key, PerceiverPlace { space: None, agent, order: 0 });
                scene.world.place_perceiver(key, PerceiverPlace { space: Some(space), agent, order: 0 });
            }
            Step::Turn(p, angle) => {
                let frame = scene.frames.perceivers.get_mut(&self.watchers[p].key.index()).unwrap();
                frame.basis = glam::DMat3::from_rotation_y(f64::from(angle) * 0.1);
            }
            _ => {}
        }
    }

    fn set(&mut self, step: &Step) {
        let scene = &mut self.scene;
        match *step {
            Step::Rays(most) => scene.limit_rays(most),
            Step::Enable(s, on) => scene.set_source(self.things[s], |it| it.enabled = on),
            Step::EnablePerceiver(p, on) => scene.set(self.watchers[p], |it| it.enabled = on),
            Step::Sight(p, on) => scene.set(self.watchers[p], |it| it.sight_enabled = on),
            Step::Ears(p, on) => scene.set(self.watchers[p], |it| it.hearing_enabled = on),
            Step::Muffled(p, on) => scene.set(self.watchers[p], |it| it.hearing_occlusion = on),
            Step::Skin(p, on) => scene.set(self.watchers[p], |it| it.damage_enabled = on),
            Step::Limit(p, n) => scene.set(self.watchers[p], |it| it.max_perceived_targets = n),
            Step::Memory(p, n) => scene.set(self.watchers[p], |it| it.forget_time = f64::from(n) * 0.1),
            Step::Detection(p, n) => {
                scene.set(self.watchers[p], |it| it.detection_time = f64::from(n) * 0.1);
            }
            Step::Protect(p, s) => {
                self.protected[p] = s.and_then(|s| scene.world.target_of(self.agents[s]));
                scene.world.set_protected(self.watchers[p].key, self.protected[p]);
            }
            Step::Freeze(p, on) => scene.world.set_frozen(self.watchers[p].key, on),
            _ => {}
        }
    }
}
