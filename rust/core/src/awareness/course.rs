//! One update, in stages over all beliefs. It stops at every question and goes on with its answer.

use std::sync::Arc;

use glam::DVec3;

use crate::tags::{TagSet, TagTable};

use super::belief::Belief;
use super::kinds::{Relationship, ThreatLevel};
use super::memory::Sight;
use super::mind::Mind;
use super::profile::{AttentionRule, FusionRule, Profile, ThreatRule};
use super::question::{Answer, Event, Problem, Question};
use super::relation::{ByTags, RelationSource};
use super::sense::{Step, confidence, listen};
use super::stance::{Posture, pain_factor};
use super::threat::{ScoreParts, ThreatParts, level};

/// How far an update has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
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
enum Inquiry {
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
    moment: Moment,
    stage: Stage,
    /// The belief in work.
    at: usize,
    inquiry: Inquiry,
    asked: bool,
    pain: f64,
}

impl Course {
    pub(super) fn new(serial: u64, moment: Moment) -> Self {
        Self { serial, moment, stage: Stage::Health, at: 0, inquiry: Inquiry::Start, asked: false, pain: 1.0 }
    }

    /// Goes on to the next question; `None`: it is over. A question that got no answer counts as answered by nobody.
    pub(super) fn run(&mut self, mind: &mut Mind) -> Option<Question> {
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
                Stage::Observe => self.observe(mind, &profile),
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
            (Stage::Fuse, Answer::Number(value)) => self.take_fused(mind, value),
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

    fn go(&mut self, stage: Stage) {
        self.stage = stage;
        self.at = 0;
    }

    fn dt_of(&self, belief: &Belief) -> f64 {
        if belief.fresh { 0.0 } else { self.moment.dt }
    }

    /// The next live belief from the one in work on.
    fn next_live<'a>(&mut self, mind: &'a mut Mind) -> Option<&'a mut Belief> {
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
        let count = profile.senses.len();
        for (at, belief) in mind.beliefs.iter_mut().enumerate().filter(|(_, belief)| belief.attached) {
            let dt = self.dt_of(belief);
            let step = Step { dt, tick: self.moment.tick };
            let slots = &mut mind.slots[at * count..(at + 1) * count];
            for (state, slot) in slots.iter_mut().zip(&profile.senses) {
                state.step(slot, step, self.pain);
            }
            let chorus = listen(profile, slots);
            belief.fused = chorus.fused;
            belief.fall_silent(chorus.active, chorus.quiet, dt);
        }
        mind.last.pain = self.pain;
        self.go(Stage::Fuse);
        None
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

    fn take_fused(&mut self, mind: &mut Mind, value: f64) {
        if value.is_nan() {
            mind.problems.push(Problem::Fusion(value));
        }
        if let Some(belief) = mind.beliefs.get_mut(self.at) {
            belief.fused = unit(value);
        }
        self.at += 1;
    }

    fn settle(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        for belief in mind.beliefs.iter_mut().filter(|belief| belief.attached) {
            let dt = self.dt_of(belief);
            belief.confidence = confidence(profile, belief.confidence, belief.fused, dt);
            let (previous, state) = (belief.state, belief.next_state(profile));
            if state != previous {
                belief.enter(state, self.moment.now);
                let (target, belief) = (belief.target, belief.key());
                mind.events.push(Event::State { belief, target, previous, state });
            }
        }
        self.go(Stage::Relate);
        None
    }

    // Relationship and threat.

    fn relate(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        let tags_matter = profile.relations.use_tags();
        while let Some(belief) = self.next_live(mind) {
            let (target, by_tags) = (belief.target, belief.by_tags);
            let overriding = mind.override_of(target.agent);
            match self.inquiry {
                Inquiry::Start => {
                    self.inquiry = Inquiry::AdapterKnown(None);
                    if mind.asks.relationship && overriding.is_none() {
                        self.inquiry = Inquiry::Start;
                        return Some(Question::Relationship { target });
                    }
                }
                Inquiry::AdapterKnown(adapter) => {
                    if let ByTags::Says(relationship, source) = by_tags {
                        self.inquiry = Inquiry::TagsKnown(adapter, Some((relationship, source)));
                        continue;
                    }
                    let open = by_tags == ByTags::Unknown && overriding.or(adapter).is_none();
                    if open && tags_matter {
                        return Some(Question::Identity { agent: target.agent });
                    }
                    self.inquiry = Inquiry::TagsKnown(adapter, None);
                }
                Inquiry::TagsKnown(adapter, says) => {
                    self.become_related(mind, profile, (overriding, adapter, says));
                }
            }
        }
        self.go(Stage::Weigh);
        None
    }

    fn take_relationship(&mut self, mind: &mut Mind, value: i64) {
        let adapter = Relationship::from_int(value);
        if adapter.is_none() {
            mind.problems.push(Problem::Relationship(value));
        }
        self.inquiry = Inquiry::AdapterKnown(adapter);
    }

    /// Nobody answered: neither adapter nor tags say anything.
    fn take_nothing(&mut self) {
        self.inquiry = match self.inquiry {
            Inquiry::AdapterKnown(adapter) => Inquiry::TagsKnown(adapter, None),
            Inquiry::Start | Inquiry::TagsKnown(..) => Inquiry::AdapterKnown(None),
        };
    }

    fn become_related(
        &mut self,
        mind: &mut Mind,
        profile: &Profile,
        (overriding, adapter, says): (
            Option<Relationship>,
            Option<Relationship>,
            Option<(Relationship, RelationSource)>,
        ),
    ) {
        let rules = &profile.relations;
        if let Some(belief) = mind.beliefs.get_mut(self.at) {
            if belief.hurt > 0.0 && rules.turn_hostile_on_damage && !belief.turned_hostile {
                let (before, _) = rules.relate(overriding, adapter, says, false);
                belief.turned_hostile = matches!(before, Relationship::Unknown | Relationship::Neutral);
            }
            (belief.relationship, belief.relationship_source) =
                rules.relate(overriding, adapter, says, belief.turned_hostile);
        }
        self.inquiry = Inquiry::Start;
        self.at += 1;
    }

    fn weigh(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        for belief in &mut mind.beliefs {
            let dt = self.dt_of(belief);
            belief.weather(profile, dt, self.moment.now);
        }
        self.go(Stage::Threat);
        None
    }

    fn threaten(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        while let Some(belief) = self.next_live(mind) {
            let relationship = belief.relationship;
            if profile.threat == ThreatRule::Script && !relationship.is_friend() {
                return Some(Question::Threat { belief: belief.key(), relationship });
            }
            self.built_in_threat(mind, profile);
        }
        self.go(Stage::Rank);
        None
    }

    fn built_in_threat(&mut self, mind: &mut Mind, profile: &Profile) {
        let threat = mind.beliefs.get(self.at).map_or(0.0, |belief| ThreatParts::of(profile, belief).total());
        self.set_threat(mind, profile, threat);
    }

    fn take_threat(&mut self, mind: &mut Mind, profile: &Profile, value: f64) {
        if value.is_nan() {
            mind.problems.push(Problem::Threat(value));
        }
        self.set_threat(mind, profile, unit(value));
    }

    fn set_threat(&mut self, mind: &mut Mind, profile: &Profile, threat: f64) {
        if let Some(belief) = mind.beliefs.get_mut(self.at) {
            let previous = belief.level;
            let friend = belief.relationship.is_friend();
            belief.threat = if friend { 0.0 } else { threat };
            belief.level = if friend { ThreatLevel::None } else { level(profile, previous, threat) };
            if belief.level != previous {
                let (target, key, level) = (belief.target, belief.key(), belief.level);
                mind.events.push(Event::Level { belief: key, target, previous, level });
            }
        }
        self.at += 1;
    }

    // Order and attention.

    fn rank(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        let mut highest = ThreatLevel::None;
        for belief in mind.beliefs.iter_mut().filter(|belief| belief.attached) {
            belief.distance = self.moment.origin.distance(belief.location);
            belief.score = ScoreParts::of(profile, belief, self.moment.range).total();
            highest = highest.max(belief.level);
        }
        mind.last.range = self.moment.range;
        let previous = std::mem::replace(&mut mind.highest, highest);
        if highest != previous {
            mind.events.push(Event::Highest { level: highest, previous });
        }
        let beliefs = &mind.beliefs;
        let score = |at: &u32| beliefs[*at as usize].score;
        mind.order.sort_unstable_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
        self.go(Stage::Attend);
        None
    }

    fn attend(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        let now = self.moment.now;
        let present = mind.attention.present();
        if mind.attention.forced && present.is_some() {
            self.go(Stage::Observe);
            return None;
        }
        let scripted = profile.attention == AttentionRule::Script;
        if scripted && (present.is_some() || mind.field(profile, now).candidates().next().is_some()) {
            return Some(Question::Attention {
                current: present,
                time: present.map_or(0.0, |_| now - mind.attention.since),
                stickiness: profile.attention_stickiness_time,
                threshold: profile.attention_switch_threshold,
            });
        }
        self.choose(mind, profile);
        None
    }

    fn choose(&mut self, mind: &mut Mind, profile: &Profile) {
        let mut attention = std::mem::take(&mut mind.attention);
        let choice = attention.choose(&mind.field(profile, self.moment.now));
        mind.events.extend(attention.commit(choice, self.moment.now));
        mind.attention = attention;
        self.go(Stage::Observe);
    }

    fn take_attention(&mut self, mind: &mut Mind, profile: &Profile, answer: Answer) {
        let now = self.moment.now;
        // A script has decided meanwhile.
        if mind.attention.forced && mind.attention.present().is_some() {
            return self.go(Stage::Observe);
        }
        let wanted = match answer {
            Answer::Target(wanted) => wanted,
            Answer::Stranger => Some(u64::MAX),
            _ => return self.choose(mind, profile),
        };
        let choice = mind.attention.policy(&mind.field(profile, now), wanted).unwrap_or_else(|kept| {
            mind.problems.push(Problem::Stranger);
            kept
        });
        let event = mind.attention.commit(choice, now);
        mind.events.extend(event);
        self.go(Stage::Observe);
    }

    // Observation.

    fn observe(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        mind.memory.shrink(profile.observation_capacity);
        while self.moment.dt > 0.0 && profile.observation_capacity > 0 {
            let Some(belief) = self.next_live(mind) else { break };
            if !belief.is_seen() || belief.fresh {
                self.at += 1;
                continue;
            }
            let target = belief.target;
            if mind.asks.posture {
                return Some(Question::Posture { target });
            }
            self.take_posture(mind, profile, Posture::Unreported);
        }
        self.end(mind);
        None
    }

    fn take_posture(&mut self, mind: &mut Mind, profile: &Profile, stance: Posture) {
        if let Some(belief) = mind.beliefs.get_mut(self.at) {
            belief.posture = stance;
            let (agent, velocity) = (belief.target.agent, belief.velocity);
            let sight = Sight { agent, stance, velocity, dt: self.moment.dt, now: self.moment.now };
            mind.memory.observe(profile, sight, &mut belief.observed_at);
        }
        self.at += 1;
    }

    fn end(&mut self, mind: &mut Mind) {
        for belief in &mut mind.beliefs {
            belief.fresh = false;
        }
        if mind.events.len() > 1 {
            mind.events.sort_by_key(Event::rank);
        }
        self.go(Stage::Over);
    }
}

/// A policy's number in 0..1; what is no number is 0.
fn unit(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}
