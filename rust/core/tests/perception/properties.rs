//! Whatever happens: beginnings and ends match, limits hold, and the same happens twice.

use std::collections::BTreeMap;

use glam::DVec3;
use proptest::prelude::*;
use riposte_core::perception::{Event, PerceiverPlace, PerceiverSettings, Scope, SourcePlace};

use crate::scene::*;

#[derive(Clone, Debug)]
enum Step {
    Tick,
    TickManual,
    Move(usize, i8, i8),
    Block(usize, usize, bool),
    Enable(usize, bool),
    Leave(usize),
    Enter(usize),
    Adopt(usize, usize),
    Noise(usize, u8),
    Hurt(usize, usize),
    Forget(usize, usize),
    ForgetAll(usize),
    EnablePerceiver(usize, bool),
    Sight(usize, bool),
    Limit(usize, u32),
    Memory(usize, u8),
    Freeze(usize, bool),
    Blink(usize),
    Turn(usize, u8),
    Rays(u32),
    Blind,
    Muffle(usize, bool),
    MakeOut(usize, u8),
}

const PERCEIVERS: usize = 3;
const SOURCES: usize = 6;

fn step() -> impl Strategy<Value = Step> {
    let (p, s) = (0..PERCEIVERS, 0..SOURCES);
    prop_oneof![
        8 => Just(Step::Tick),
        4 => Just(Step::TickManual),
        6 => (s.clone(), -28i8..28, -28i8..28).prop_map(|(a, x, z)| Step::Move(a, x, z)),
        3 => (p.clone(), s.clone(), any::<bool>()).prop_map(|(a, b, c)| Step::Block(a, b, c)),
        2 => (s.clone(), any::<bool>()).prop_map(|(a, b)| Step::Enable(a, b)),
        1 => s.clone().prop_map(Step::Leave),
        2 => s.clone().prop_map(Step::Enter),
        1 => (s.clone(), s.clone()).prop_map(|(a, b)| Step::Adopt(a, b)),
        2 => (s.clone(), 1u8..4).prop_map(|(a, b)| Step::Noise(a, b)),
        2 => (p.clone(), s.clone()).prop_map(|(a, b)| Step::Hurt(a, b)),
        2 => (p.clone(), s).prop_map(|(a, b)| Step::Forget(a, b)),
        1 => p.clone().prop_map(Step::ForgetAll),
        1 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::EnablePerceiver(a, b)),
        1 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::Sight(a, b)),
        1 => (p.clone(), 1u32..5).prop_map(|(a, b)| Step::Limit(a, b)),
        1 => (p.clone(), 0u8..10).prop_map(|(a, b)| Step::Memory(a, b)),
        1 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::Freeze(a, b)),
        1 => p.clone().prop_map(Step::Blink),
        2 => (0u32..4).prop_map(Step::Rays),
        1 => Just(Step::Blind),
        1 => (p.clone(), any::<bool>()).prop_map(|(a, b)| Step::Muffle(a, b)),
        1 => (p.clone(), 0u8..3).prop_map(|(a, b)| Step::MakeOut(a, b)),
        2 => (p, any::<u8>()).prop_map(|(a, b)| Step::Turn(a, b)),
    ]
}

struct Play {
    scene: Scene,
    watchers: Vec<Watcher>,
    things: Vec<Thing>,
    /// Agent that each source stands for now.
    agents: Vec<i64>,
    log: Vec<Event>,
}

impl Play {
    fn new() -> Self {
        let mut scene = Scene::new();
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
        Self { scene, watchers, things, agents, log: Vec::new() }
    }

    fn place(&mut self, source: usize, inside: bool) {
        let space = inside.then_some(self.scene.space);
        let place = SourcePlace { space, agent: Some(self.agents[source]), ..SourcePlace::default() };
        self.scene.world.place_source(self.things[source].key, place);
    }

    fn apply(&mut self, step: &Step) {
        let scene = &mut self.scene;
        match *step {
            Step::Tick => self.log.extend(scene.run(Scope::Common, DT)),
            Step::TickManual => self.log.extend(scene.tick(self.watchers[0])),
            Step::Move(s, x, z) => scene.move_thing(self.things[s], v(f64::from(x), 0.0, f64::from(z))),
            Step::Block(p, s, true) => scene.hide(self.watchers[p], self.things[s]),
            Step::Block(p, s, false) => scene.show(self.watchers[p], self.things[s]),
            Step::Enable(s, on) => scene.set_source(self.things[s], |it| it.enabled = on),
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
            Step::Hurt(p, s) => {
                if scene.world.target_of(self.things[s].agent).is_some() {
                    scene.hurt(self.watchers[p], Some(self.things[s]), DVec3::Y, 1.0);
                }
            }
            Step::Forget(p, s) => {
                if let Some(target) = scene.world.target_of(self.agents[s]) {
                    scene.world.forget(self.watchers[p].key, target);
                }
            }
            Step::ForgetAll(p) => {
                scene.world.forget_all(self.watchers[p].key);
            }
            Step::EnablePerceiver(p, on) => scene.set(self.watchers[p], |it| it.enabled = on),
            Step::Sight(p, on) => scene.set(self.watchers[p], |it| it.sight_enabled = on),
            Step::Limit(p, n) => scene.set(self.watchers[p], |it| it.max_perceived_targets = n),
            Step::Memory(p, n) => scene.set(self.watchers[p], |it| it.forget_time = f64::from(n) * 0.1),
            Step::Freeze(p, on) => scene.world.set_frozen(self.watchers[p].key, on),
            Step::Blink(p) => {
                let (key, agent) = (self.watchers[p].key, self.watchers[p].agent);
                let space = scene.space;
                scene.world.place_perceiver(key, PerceiverPlace { space: None, agent, order: 0 });
                scene.world.place_perceiver(key, PerceiverPlace { space: Some(space), agent, order: 0 });
            }
            Step::Rays(most) => scene.limit_rays(most),
            Step::Blind => self.log.extend(scene.run_blind(Scope::Common, DT)),
            Step::Muffle(p, on) => scene.set(self.watchers[p], |it| it.hearing_occlusion = on),
            Step::MakeOut(p, n) => scene.set(self.watchers[p], |it| it.detection_time = f64::from(n) * 0.2),
            Step::Turn(p, angle) => {
                let frame = scene.frames.perceivers.get_mut(&self.watchers[p].key.index()).unwrap();
                frame.basis = glam::DMat3::from_rotation_y(f64::from(angle) * 0.1);
            }
        }
    }

    fn check_limits(&self) {
        for watcher in &self.watchers {
            // The largest limit that a step sets; a lower one works at the next settle.
            let count = self.scene.known(*watcher, DVec3::ZERO).len();
            assert!(count <= 4, "{count} records");
        }
    }
}

/// Each `perceived` is followed by exactly one `lost`, each `gained` by one `lost sight`, inside the record.
fn check_pairs(log: &[Event]) -> BTreeMap<(usize, u64), (bool, bool)> {
    let mut states: BTreeMap<(usize, u64), (bool, bool)> = BTreeMap::new();
    for event in log {
        let Some(target) = event.target else { continue };
        let state = states.entry((event.perceiver.index(), target.id)).or_default();
        match event.kind {
            Perceived => assert!(!std::mem::replace(&mut state.0, true), "perceived twice"),
            Lost => {
                assert!(std::mem::replace(&mut state.0, false), "lost without perceived");
                assert!(!state.1, "lost while seen");
            }
            SightGained => {
                assert!(state.0, "seen without a record");
                assert!(!std::mem::replace(&mut state.1, true), "gained twice");
            }
            SightLost => assert!(std::mem::replace(&mut state.1, false), "lost sight without gaining it"),
            _ => {}
        }
    }
    states
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn beginnings_and_ends_match(steps in prop::collection::vec(step(), 1..120)) {
        let mut play = Play::new();
        for step in &steps {
            play.apply(step);
            play.check_limits();
        }
        check_pairs(&play.log);
        // In the end all sources go: every record ends.
        for thing in play.things.clone() {
            play.scene.world.remove_source(thing.key);
        }
        for watcher in play.watchers.clone() {
            play.scene.world.set_frozen(watcher.key, false);
        }
        play.apply(&Step::Rays(0));
        play.apply(&Step::Tick);
        play.apply(&Step::TickManual);
        for ((perceiver, target), (known, seen)) in check_pairs(&play.log) {
            prop_assert!(!known && !seen, "perceiver {perceiver} still knows {target}");
        }
        play.apply(&Step::Tick);
        for thing in &play.things {
            prop_assert!(play.scene.world.target_of(thing.agent).is_none(), "a target is left over");
        }
    }

    #[test]
    fn the_same_steps_give_the_same_events(steps in prop::collection::vec(step(), 1..80)) {
        let run = || {
            let mut play = Play::new();
            steps.iter().for_each(|step| play.apply(step));
            play.log
        };
        prop_assert_eq!(run(), run());
    }
}
