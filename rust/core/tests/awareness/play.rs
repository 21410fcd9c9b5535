//! A play of random steps, with scripts that answer anything, and what must hold after each.

use std::collections::BTreeMap;
use std::sync::Arc;

use riposte_core::awareness::{
    Answer, Asks, AttentionRule, AwarenessWorld, Event, FusionRule, Lifecycle, MindKey, MindState, Override,
    Posture, Profile, Question, Relationship, SenseId, SenseSlot, Surroundings, ThreatLevel, ThreatRule,
    Update,
};
use riposte_core::perception::{PerceiverSettings, Scope};
use riposte_core::random::mix;
use riposte_core::tags::TagSet;

use crate::scene::*;
use crate::stage::hostile;

#[derive(Clone, Debug)]
pub enum Step {
    Tick(u8),
    Move(usize, i8),
    Block(usize, bool),
    Enable(usize, bool),
    Noise(usize, u8),
    Hurt(usize, u8),
    Smell(usize),
    Forget(usize),
    Perceiver(bool),
    Mind(bool),
    Tune(usize),
    Attend(usize),
    Free,
    Relate(usize, i64),
    Unrelate(usize),
    Unobserve,
    Away,
    Save,
    Tags(usize, bool),
}

pub const SOURCES: usize = 5;
pub const PROFILES: usize = 4;

fn profiles(scene: &mut Scene) -> Vec<Arc<Profile>> {
    let smell = SenseId::Custom(scene.ids(&["Smell"])[0]);
    let mut scripted = Profile {
        update_interval: 0.25,
        senses: [SenseId::Hearing, SenseId::Sight, smell].map(SenseSlot::new).to_vec(),
        fusion: FusionRule::Script,
        threat: ThreatRule::Script,
        attention: AttentionRule::Script,
        pain_enabled: true,
        expired_retention: 0.5,
        ..Profile::default()
    };
    scripted.relations.team_root = scene.ids(&["Team"]).first().copied();
    let mut sudden = Profile {
        update_interval: 0.0,
        fusion: FusionRule::Summing,
        attention: AttentionRule::Nearest,
        confidence_fade_time: 0.0,
        damage_fade_time: 0.0,
        contact_fade_time: 0.0,
        state_hysteresis: 0.0,
        expired_retention: 1.0,
        ..hostile()
    };
    sudden.relations.neutral = scene.ids(&["Team.Red"]);
    let hunting = Profile {
        attention: AttentionRule::LastAttacker(1.0),
        attention_challenge_time: 0.2,
        expired_retention: 0.0,
        observation_capacity: 1,
        senses: vec![SenseSlot::new(SenseId::Sight), SenseSlot::new(smell)],
        ..hostile()
    };
    [hostile(), scripted, sudden, hunting].map(Arc::new).to_vec()
}

pub struct Play {
    scene: Scene,
    watcher: Watcher,
    things: Vec<Thing>,
    minds: AwarenessWorld,
    mind: MindKey,
    profiles: Vec<Arc<Profile>>,
    draws: u64,
    /// When the profile was replaced last, and whether that has not taken effect yet. A loaded state fits the new one.
    tuned: f64,
    pending: bool,
    /// Scripts do things in the middle of an update.
    wild: bool,
    pub log: Vec<Event>,
    /// What the events said last, by target.
    states: BTreeMap<u64, Lifecycle>,
    levels: BTreeMap<u64, ThreatLevel>,
    highest: ThreatLevel,
    attention: Option<u64>,
}

impl Play {
    pub fn new(seed: u64, wild: bool) -> Self {
        let mut scene = Scene::new();
        let settings = PerceiverSettings { forget_time: 0.5, max_perceived_targets: 4, ..looker() };
        let watcher = scene.watcher(v(0.0, 0.0, 0.0), settings);
        let things = (0..SOURCES).map(|n| scene.thing(v(0.0, 0.0, -5.0 * n as f64))).collect();
        let profiles = profiles(&mut scene);
        let mut minds = AwarenessWorld::new();
        let mind = minds.add(profiles[0].clone());
        minds.set_perceiver(mind, Some(watcher.key));
        minds.set_asks(mind, Asks { relationship: true, posture: true });
        Self {
            scene,
            watcher,
            things,
            minds,
            mind,
            profiles,
            draws: seed,
            tuned: 0.0,
            pending: false,
            wild,
            log: Vec::new(),
            states: BTreeMap::new(),
            levels: BTreeMap::new(),
            highest: ThreatLevel::None,
            attention: None,
        }
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.draws = self.draws.wrapping_add(1);
        mix(self.draws) % below
    }

    fn number(&mut self) -> f64 {
        match self.draw(8) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1.0,
            n => n as f64 / 6.0,
        }
    }

    fn answer(&mut self, question: Question) -> Answer {
        if self.draw(6) == 0 {
            return Answer::None;
        }
        match question {
            Question::Health | Question::Fuse { .. } | Question::Threat { .. } => {
                Answer::Number(self.number())
            }
            Question::Relationship { .. } => Answer::Relationship(self.draw(7) as i64 - 1),
            Question::Attention { .. } => match self.draw(4) {
                0 => Answer::Target(None),
                1 => Answer::Stranger,
                _ => Answer::Target(Some(self.draw(8))),
            },
            Question::Posture { .. } => Answer::Posture(Posture::from_int(self.draw(4) as i64 - 1).unwrap()),
            // An answer of another kind is as good as none.
            _ => Answer::Number(1.0),
        }
    }

    /// What a script may do while it is asked.
    fn interfere(&mut self, update: Update) {
        match self.draw(14) {
            0 => {
                let target = self.draw(6);
                self.attend(target);
            }
            1 => self.minds.clear_attention_override(self.mind),
            2 => {
                let at = self.draw(PROFILES as u64) as usize;
                self.minds.set_profile(self.mind, self.profiles[at].clone());
            }
            3 => self.save(),
            4 => self.minds.drop_beliefs(self.mind),
            5 => self.minds.clear_observations(self.mind, None),
            6 => {
                let around = Surroundings {
                    perception: &self.scene.world,
                    tags: &self.scene.tags,
                    origin: v(0.0, 0.0, 0.0),
                    own_tags: None,
                };
                let other = self.minds.begin(self.mind, &around).unwrap();
                assert_eq!(self.minds.next(update), None);
                while self.minds.next(other).is_some() {}
            }
            _ => return,
        }
        self.resume();
    }

    fn attend(&mut self, target: u64) {
        match self.minds.set_attention_override(self.mind, target) {
            Override::Changed(event) => self.hear(&[event]),
            Override::Holds | Override::Refused => {}
        }
    }

    /// Saved and loaded again; nobody is told, so what was heard last is what holds.
    fn save(&mut self) {
        let name = |sense: SenseId| format!("{sense:?}");
        let state = self.minds.export(self.mind, name).unwrap();
        let text = ron::to_string(&state).unwrap();
        let read: MindState = ron::from_str(&text).unwrap();
        assert_eq!(read, state);
        let slots = self.profiles.iter().flat_map(|profile| profile.senses.clone()).collect::<Vec<_>>();
        let sense = |text: &str| slots.iter().map(|slot| slot.sense).find(|sense| name(*sense) == text);
        let world = &self.scene.world;
        let target = |agent| world.target_of(agent);
        let now = world.time(self.watcher.key);
        let skipped = self.minds.import(self.mind, &read, now, target, sense).unwrap();
        assert_eq!(skipped, []);
    }

    /// After a silent change: what is now is what was heard last.
    fn resume(&mut self) {
        self.states = self.minds.beliefs(self.mind).map(|it| (it.target.id, it.state)).collect();
        self.levels = self.minds.beliefs(self.mind).map(|it| (it.target.id, it.level)).collect();
        self.highest = self.minds.highest(self.mind);
        self.attention = self.minds.attention_target(self.mind).map(|target| target.id);
    }

    fn hear(&mut self, events: &[Event]) {
        for event in events {
            match *event {
                Event::State { target, previous, state, .. } => {
                    assert_ne!(previous, state);
                    let before = self.states.insert(target.id, state).unwrap_or_default();
                    assert_eq!(before, previous, "{event:?}");
                }
                Event::Level { target, previous, level, .. } => {
                    assert_ne!(previous, level);
                    let before = self.levels.insert(target.id, level).unwrap_or_default();
                    assert_eq!(before, previous, "{event:?}");
                }
                Event::Highest { level, previous } => {
                    assert_ne!(previous, level);
                    assert_eq!(std::mem::replace(&mut self.highest, level), previous);
                }
                Event::Attention { previous, current, .. } => {
                    let current = current.map(|target| target.id);
                    assert_ne!(previous.map(|target| target.id), current);
                    let before = std::mem::replace(&mut self.attention, current);
                    assert_eq!(before, previous.map(|target| target.id), "{event:?}");
                }
            }
        }
        self.log.extend_from_slice(events);
    }

    fn tick(&mut self, dt: f64) {
        self.scene.tick_by(self.watcher, dt);
        let mut due = Vec::new();
        for scope in [Scope::One(self.watcher.key), Scope::Common] {
            self.minds.due(&self.scene.world, scope, &mut due);
            for _ in 0..due.len() {
                self.update();
            }
        }
        self.check(dt);
    }

    fn update(&mut self) {
        let tags = TagSet::new(&self.scene.tags, self.scene.tags.find("Team.Red"));
        let around = Surroundings {
            perception: &self.scene.world,
            tags: &self.scene.tags,
            origin: v(0.0, 0.0, 0.0),
            own_tags: Some(&tags),
        };
        let update = self.minds.begin(self.mind, &around).unwrap();
        self.pending = false;
        while let Some(question) = self.minds.next(update) {
            if self.wild {
                self.interfere(update);
            }
            let answer = self.answer(question);
            self.minds.answer(update, answer);
        }
        let mut events = Vec::new();
        self.minds.take_events(self.mind, &mut events);
        self.forget_removed();
        if self.wild {
            // What was heard of an update that was broken off is incomplete.
            return self.resume();
        }
        self.hear(&events);
        self.forget_removed();
    }

    fn forget_removed(&mut self) {
        let removed: Vec<u64> =
            self.minds.removed(self.mind).iter().map(|frozen| frozen.belief.target.id).collect();
        for id in removed.iter().filter(|id| self.minds.belief(self.mind, **id).is_none()) {
            if self.states.get(id) == Some(&Lifecycle::Expired) {
                self.states.remove(id);
                self.levels.remove(id);
            }
        }
    }

    fn check(&self, dt: f64) {
        let now = self.minds.now(self.mind);
        let profile = self.minds.profile(self.mind).unwrap();
        let mut last = f64::INFINITY;
        for belief in self.minds.beliefs(self.mind) {
            for number in [belief.confidence, belief.threat, belief.fused, belief.contact] {
                assert!((0.0..=1.0).contains(&number), "{belief:?}");
            }
            assert!(belief.score.is_finite() && belief.score <= last, "{belief:?}");
            assert!(belief.damage.is_finite() && belief.damage >= 0.0);
            last = belief.score;
            let expired = belief.state == Lifecycle::Expired;
            assert_eq!(expired, !belief.is_live());
            if expired {
                assert!(belief.threat == 0.0 && belief.confidence == 0.0 && belief.score == 0.0);
                let slack = profile.update_interval + dt + 1e-6;
                let since = (belief.state_since + profile.expired_retention).max(self.tuned);
                assert!(self.wild || now - since < slack, "{now} {belief:?}");
            }
            if belief.relationship.is_friend() && !self.wild {
                assert_eq!((belief.threat, belief.level), (0.0, ThreatLevel::None));
            }
            if !self.wild {
                assert_eq!(self.states.get(&belief.target.id).copied().unwrap_or_default(), belief.state);
                assert_eq!(self.levels.get(&belief.target.id).copied().unwrap_or_default(), belief.level);
            }
        }
        let target = self.minds.attention_target(self.mind);
        assert_eq!(target.map(|target| target.id), self.attention);
        if let Some(target) = target {
            assert!(self.minds.belief(self.mind, target.id).is_some_and(|belief| belief.is_live()));
        }
    }

    pub fn act(&mut self, step: &Step) {
        let thing = |at: &usize| self.things[*at];
        let known = |play: &Self, at: usize| play.scene.target(play.things[at]);
        match step {
            Step::Tick(kind) => self.tick([0.1, 0.1, 0.04, 0.3][*kind as usize]),
            Step::Move(at, z) => self.scene.move_thing(thing(at), v(0.0, 0.0, f64::from(*z))),
            Step::Block(at, true) => self.scene.hide(self.watcher, thing(at)),
            Step::Block(at, false) => self.scene.show(self.watcher, thing(at)),
            Step::Enable(at, on) => self.scene.set_source(thing(at), |source| source.enabled = *on),
            Step::Noise(at, loudness) => {
                let thing = thing(at);
                let place = self.scene.frames.sources[&thing.key.index()].origin;
                self.scene.noise(place, f64::from(*loudness), Some(thing));
            }
            Step::Hurt(at, amount) => {
                let thing = thing(at);
                self.scene.hurt(self.watcher, Some(thing), v(0.0, 0.0, 0.0), f64::from(*amount));
            }
            Step::Smell(at) => {
                let thing = thing(at);
                self.scene.smell(self.watcher, thing, 0.5);
            }
            Step::Forget(at) => {
                let target = known(self, *at);
                self.scene.world.forget(self.watcher.key, target);
            }
            Step::Perceiver(on) => self.scene.set(self.watcher, |settings| settings.enabled = *on),
            Step::Mind(on) => self.minds.set_enabled(self.mind, *on),
            Step::Tune(at) => {
                self.tuned = self.scene.world.time(self.watcher.key);
                self.pending = true;
                self.minds.set_profile(self.mind, self.profiles[*at].clone());
            }
            Step::Attend(at) => {
                let target = known(self, *at);
                self.attend(target.id);
            }
            Step::Free => self.minds.clear_attention_override(self.mind),
            Step::Relate(at, what) => {
                let what = Relationship::from_int(*what).unwrap();
                self.minds.set_relationship_override(self.mind, self.things[*at].agent, what);
            }
            Step::Unrelate(at) => {
                self.minds.clear_relationship_override(self.mind, self.things[*at].agent);
            }
            Step::Unobserve => self.minds.clear_observations(self.mind, None),
            Step::Away => {
                self.minds.set_present(self.mind, false);
                let mut due = Vec::new();
                self.minds.due(&self.scene.world, Scope::Common, &mut due);
                assert_eq!(due, []);
                self.minds.set_present(self.mind, true);
                self.resume();
            }
            Step::Save if self.pending => {}
            Step::Save => self.save(),
            Step::Tags(at, red) => {
                let tags = self.scene.tag_set(&[if *red { "Team.Red" } else { "Team.Blue" }]);
                self.scene.world.set_source_tags(thing(at).key, tags);
            }
        }
    }
}
