//! One update, in stages over all beliefs. It stops at every question and goes on with its answer.

use std::sync::Arc;

use glam::DVec3;

use crate::perception::TargetRef;
use crate::tags::{TagSet, TagTable};

use super::belief::Belief;
use super::kinds::Relationship;
use super::mind::Mind;
use super::profile::{FusionRule, Profile};
use super::question::{Answer, Event, Problem, Question};
use super::relation::{ByTags, RelationSource};
use super::sense::{SlotState, Step, confidence, listen};
use super::stance::{Posture, pain_factor};

/// How far an update has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Health,
    Sense,
    Fuse,
    Settle,
    Relate,
    Weigh,
    Threat,
    Rank,
    Attend,
    Observe,
    Over,
}

/// What has been found out about the relationship of the belief in work.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inquiry {
    Start,
    AdapterKnown(Option<Relationship>),
    TagsKnown(Option<Relationship>, Option<(Relationship, RelationSource)>),
}

/// The time and place of an update.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) now: f64,
    /// Since the mind's last update.
    pub(super) dt: f64,
    /// Since the perceiver's last tick.
    pub(super) tick: f64,
    pub(super) origin: DVec3,
    /// Distance at which proximity is 0.
    pub(super) range: f64,
}

/// An update under way.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) serial: u64,
    pub(super) moment: Moment,
    pub(super) stage: Stage,
    /// The belief in work.
    pub(super) at: usize,
    pub(super) inquiry: Inquiry,
    asked: bool,
    pain: f64,
}

impl Course {
    pub(super) fn new(serial: u64, moment: Moment) -> Self {
        Self { serial, moment, stage: Stage::Health, at: 0, inquiry: Inquiry::Start, asked: false, pain: 1.0 }
    }

    /// Goes on to the next question; `None`: it is over. A question that got no answer counts as answered by nobody.
    /// `posture` may know how a target stands, so that it is not asked.
    pub(super) fn run(
        &mut self,
        mind: &mut Mind,
        posture: &mut dyn FnMut(TargetRef) -> Option<Posture>,
    ) -> Option<Question> {
        let profile = mind.laid_out.clone();
        self.answer(mind, &profile, Answer::None);
        loop {
            let question = match self.stage {
                Stage::Health => self.health(mind, &profile),
                Stage::Sense => self.sense(mind, &profile),
                Stage::Fuse => self.fuse(mind, &profile),
                Stage::Settle => self.settle(mind, &profile),
                Stage::Relate => self.relate(mind, &profile),
                Stage::Weigh => self.weigh(mind, &profile),
                Stage::Threat => self.threaten(mind, &profile),
                Stage::Rank => self.rank(mind, &profile),
                Stage::Attend => self.attend(mind, &profile),
                Stage::Observe => self.observe(mind, &profile, posture),
                Stage::Over => return None,
            };
            if question.is_some() {
                self.asked = true;
                return question;
            }
        }
    }

    /// Takes the answer to the question that is out, if one is.
    pub(super) fn answer(&mut self, mind: &mut Mind, profile: &Arc<Profile>, answer: Answer) {
        if !std::mem::take(&mut self.asked) {
            return;
        }
        match (self.stage, answer) {
            (Stage::Health, Answer::Number(health)) => self.take_health(mind, profile, health),
            (Stage::Health, _) => self.go(Stage::Sense),
            (Stage::Fuse, Answer::Number(value)) => {
                self.take_fused((&mut mind.beliefs, &mut mind.problems), value);
            }
            (Stage::Fuse, _) => self.at += 1,
            (Stage::Relate, Answer::Relationship(value)) => self.take_relationship(mind, value),
            (Stage::Relate, _) => self.take_nothing(),
            (Stage::Threat, Answer::Number(value)) => self.take_threat(mind, profile, value),
            (Stage::Threat, _) => self.built_in_threat(mind, profile),
            (Stage::Attend, answer) => self.take_attention(mind, profile, answer),
            (Stage::Observe, Answer::Posture(stance)) => self.take_posture(mind, profile, stance),
            (Stage::Observe, _) => self.take_posture(mind, profile, Posture::Unreported),
            (Stage::Sense | Stage::Settle | Stage::Weigh | Stage::Rank | Stage::Over, _) => {}
        }
    }

    /// Takes the answer to [`Question::Identity`].
    pub(super) fn answer_identity(&mut self, mind: &Mind, table: &TagTable, tags: &TagSet) {
        if self.stage != Stage::Relate || !std::mem::take(&mut self.asked) {
            return;
        }
        if let Inquiry::AdapterKnown(adapter) = self.inquiry {
            let says = match mind.by_tags(tags, table) {
                ByTags::Says(relationship, source) => Some((relationship, source)),
                ByTags::Unknown | ByTags::Nothing => None,
            };
            self.inquiry = Inquiry::TagsKnown(adapter, says);
        }
    }

    pub(super) fn go(&mut self, stage: Stage) {
        self.stage = stage;
        self.at = 0;
    }

    pub(super) fn dt_of(&self, belief: &Belief) -> f64 {
        if belief.fresh { 0.0 } else { self.moment.dt }
    }

    /// The next live belief from the one in work on.
    pub(super) fn next_live<'a>(&mut self, mind: &'a mut Mind) -> Option<&'a mut Belief> {
        let rest = mind.beliefs.get(self.at..)?;
        self.at += rest.iter().position(|belief| belief.attached)?;
        mind.beliefs.get_mut(self.at)
    }

    // Senses.

    fn health(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        let hurts = profile.pain_enabled && profile.pain_threshold > 0.0;
        if hurts && self.next_live(mind).is_some() {
            return Some(Question::Health);
        }
        self.go(Stage::Sense);
        None
    }

    fn take_health(&mut self, mind: &mut Mind, profile: &Profile, health: f64) {
        if health.is_nan() {
            mind.problems.push(Problem::Health(health));
        } else {
            self.pain = pain_factor(profile, health);
        }
        self.go(Stage::Sense);
    }

    fn sense(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        mind.last.pain = self.pain;
        if profile.fusion != FusionRule::Script && self.asks_nobody(mind, profile) {
            self.walk::<true>(mind, profile);
            return None;
        }
        let count = profile.senses.len();
        for (at, belief) in mind.beliefs.iter_mut().enumerate().filter(|(_, belief)| belief.attached) {
            self.sense_one(belief, &mut mind.slots[at * count..(at + 1) * count], profile);
        }
        self.go(Stage::Fuse);
        None
    }

    #[inline]
    pub(super) fn sense_one(&self, belief: &mut Belief, slots: &mut [SlotState], profile: &Profile) {
        let dt = self.dt_of(belief);
        let chorus = listen(profile, (slots, belief.stirred), Step { dt, tick: self.moment.tick }, self.pain);
        belief.fused = chorus.fused;
        belief.fall_silent(chorus.active, chorus.quiet, dt);
    }

    fn fuse(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        if profile.fusion == FusionRule::Script
            && let Some(belief) = self.next_live(mind)
        {
            return Some(Question::Fuse { belief: belief.key(), bonus: profile.corroboration_bonus });
        }
        self.go(Stage::Settle);
        None
    }

    fn take_fused(&mut self, (beliefs, problems): (&mut [Belief], &mut Vec<Problem>), value: f64) {
        if value.is_nan() {
            problems.push(Problem::Fusion(value));
        }
        if let Some(belief) = beliefs.get_mut(self.at) {
            belief.fused = unit(value);
        }
        self.at += 1;
    }

    /// Takes the answer to a question for fusion. True if the next question is one too: it is out now.
    pub(super) fn fuse_on(
        &mut self,
        (beliefs, problems): (&mut [Belief], &mut Vec<Problem>),
        value: f64,
    ) -> bool {
        if self.stage != Stage::Fuse || !std::mem::take(&mut self.asked) {
            return false;
        }
        self.take_fused((&mut *beliefs, problems), value);
        let next = beliefs.get(self.at..).and_then(|rest| rest.iter().position(|belief| belief.attached));
        self.at += next.unwrap_or(0);
        self.asked = next.is_some();
        self.asked
    }

    /// The belief that a question for fusion is out about.
    pub(super) fn fuses_at(&self) -> Option<usize> {
        (self.stage == Stage::Fuse && self.asked).then_some(self.at)
    }

    fn settle(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        if self.asks_nobody(mind, profile) {
            self.walk::<false>(mind, profile);
            return None;
        }
        for belief in mind.beliefs.iter_mut().filter(|belief| belief.attached) {
            self.settle_one(belief, profile, &mut mind.events);
        }
        self.go(Stage::Relate);
        None
    }

    #[inline]
    pub(super) fn settle_one(&self, belief: &mut Belief, profile: &Profile, events: &mut Vec<Event>) {
        belief.confidence = confidence(profile, belief.confidence, belief.fused, self.dt_of(belief));
        let (previous, state) = (belief.state, belief.next_state(profile));
        if state != previous {
            belief.enter(state, self.moment.now);
            events.push(Event::State { belief: belief.key(), target: belief.target, previous, state });
        }
    }
}

/// A policy's number in 0..1; what is no number is 0.
pub(super) fn unit(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}
