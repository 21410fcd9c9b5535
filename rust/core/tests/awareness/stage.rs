//! A scene with one agent that has a mind, and scripts that answer its questions.

use std::sync::Arc;

use riposte_core::awareness::{
    Answer, AwarenessWorld, Belief, Event, Lifecycle, MindKey, Problem, Profile, Question, Relationship,
    Sample, SenseId, SenseSlot, Surroundings, ThreatLevel, Update,
};
use riposte_core::perception::{PerceiverSettings, Scope};
use riposte_core::tags::TagSet;

use crate::scene::*;

/// Answers a question with the world as it is then.
pub type Script = Box<dyn FnMut(&AwarenessWorld, Update, Question) -> Answer>;

pub struct Play {
    pub scene: Scene,
    pub minds: AwarenessWorld,
    pub watcher: Watcher,
    pub mind: MindKey,
    pub script: Script,
    /// Tags of the watcher's agent.
    pub own_tags: TagSet,
    /// Number of the last tick; -1 before the first.
    pub at: i32,
    /// All events with the number of their tick.
    pub told: Vec<(i32, Event)>,
    pub problems: Vec<Problem>,
}

/// Defaults, but everyone is hostile.
pub fn hostile() -> Profile {
    let mut profile = Profile::default();
    profile.relations.default = Relationship::Hostile;
    profile
}

/// Sight that says `value` at once, wherever the target is.
pub fn flat(sense: SenseId, value: f64) -> SenseSlot {
    SenseSlot {
        rise_time: 0.0,
        fall_time: 0.0,
        max_confidence: value,
        far_confidence: value,
        ..SenseSlot::new(sense)
    }
}

impl Play {
    pub fn new(profile: Profile) -> Self {
        Self::with(profile, looker())
    }

    pub fn with(profile: Profile, settings: PerceiverSettings) -> Self {
        let mut scene = Scene::new();
        let settings =
            PerceiverSettings { min_points_by_stance: Some(profile.min_visible_points), ..settings };
        let watcher = scene.watcher(v(0.0, 0.0, 0.0), settings);
        let mut minds = AwarenessWorld::new();
        let mind = minds.add(Arc::new(profile));
        minds.set_perceiver(mind, Some(watcher.key));
        Self {
            scene,
            minds,
            watcher,
            mind,
            script: Box::new(|_, _, _| Answer::None),
            own_tags: TagSet::default(),
            at: -1,
            told: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// A profile of which the caller changes something.
    pub fn tuned(change: impl FnOnce(&mut Profile)) -> Self {
        let mut profile = hostile();
        change(&mut profile);
        Self::new(profile)
    }

    pub fn script(&mut self, script: impl FnMut(&AwarenessWorld, Update, Question) -> Answer + 'static) {
        self.script = Box::new(script);
    }

    /// One tick of perception, then of awareness. Gives its events.
    pub fn tick(&mut self) -> Vec<Event> {
        self.scene.tick(self.watcher);
        self.at += 1;
        self.update(Scope::One(self.watcher.key))
    }

    /// Awareness after a tick of perception.
    pub fn update(&mut self, scope: Scope) -> Vec<Event> {
        let (mut due, mut events) = (Vec::new(), Vec::new());
        self.minds.due(&self.scene.world, scope, &mut due);
        for key in due {
            let around = Surroundings {
                perception: &self.scene.world,
                tags: &self.scene.tags,
                origin: v(0.0, 0.0, 0.0),
                own_tags: Some(&self.own_tags),
            };
            let Some(update) = self.minds.begin(key, &around) else { continue };
            while let Some(question) = self.minds.next(update) {
                let answer = (self.script)(&self.minds, update, question);
                self.minds.answer(update, answer);
            }
            self.minds.take_events(key, &mut events);
            self.minds.take_problems(key, &mut self.problems);
            let attention = self.minds.attention_target(key);
            if let Some(perceiver) = self.minds.perceiver(key) {
                self.scene.world.set_protected(perceiver, attention);
            }
        }
        self.told.extend(events.iter().map(|event| (self.at, *event)));
        events
    }

    /// Ticks up to and with the tick of this number.
    pub fn run_to(&mut self, tick: i32) {
        while self.at < tick {
            self.tick();
        }
    }

    pub fn id(&self, thing: Thing) -> u64 {
        self.scene.target(thing).id
    }

    pub fn belief(&self, thing: Thing) -> &Belief {
        self.minds.belief(self.mind, self.id(thing)).expect("a belief")
    }

    pub fn state(&self, thing: Thing) -> Lifecycle {
        self.belief(thing).state
    }

    /// Threat and level of a target.
    pub fn threat(&self, thing: Thing) -> (f64, ThreatLevel) {
        let belief = self.belief(thing);
        (round(belief.threat), belief.level)
    }

    pub fn samples(&self, thing: Thing) -> Vec<Sample> {
        let mut list = Vec::new();
        self.minds.samples(self.mind, self.belief(thing).key(), &mut list);
        list
    }

    pub fn attends(&self, thing: Thing) -> bool {
        self.minds.attention_target(self.mind).is_some_and(|target| target.agent == thing.agent)
    }

    /// Lifecycle changes of a target: tick, before, after.
    pub fn states(&self, thing: Thing) -> Vec<(i32, Lifecycle, Lifecycle)> {
        let changes = self.told.iter().filter_map(|(tick, event)| match event {
            Event::State { target, previous, state, .. } if target.agent == thing.agent => {
                Some((*tick, *previous, *state))
            }
            _ => None,
        });
        changes.collect()
    }

    /// Changes of attention: tick, agents before and after, reason.
    pub fn attention(
        &self,
    ) -> Vec<(i32, Option<i64>, Option<i64>, riposte_core::awareness::AttentionReason)> {
        let changes = self.told.iter().filter_map(|(tick, event)| match event {
            Event::Attention { previous, current, reason } => {
                Some((*tick, previous.map(|it| it.agent), current.map(|it| it.agent), *reason))
            }
            _ => None,
        });
        changes.collect()
    }
}

/// Results are compared to within 1e-5.
pub fn near(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= 1e-5
}

/// A number cut to where results are compared.
pub fn round(value: f64) -> f64 {
    (value * 1e5).round() / 1e5
}
