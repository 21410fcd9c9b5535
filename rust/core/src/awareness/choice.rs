//! The last stages of an update: order, attention, observation.

use crate::perception::TargetRef;

use super::attention::Field;
use super::belief::Belief;
use super::course::{Course, Moment, Stage};
use super::kinds::ThreatLevel;
use super::memory::Sight;
use super::mind::Mind;
use super::profile::{AttentionRule, Profile};
use super::question::{Answer, Event, Problem, Question};
use super::stance::Posture;
use super::threat::ScoreParts;

impl Course {
    pub(super) fn rank(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
        let mut highest = ThreatLevel::None;
        for belief in mind.beliefs.iter_mut().filter(|belief| belief.attached) {
            belief.rank(profile, self.moment);
            highest = highest.max(belief.level);
        }
        self.put_in_order(mind, highest);
        None
    }

    /// All beliefs have their scores.
    pub(super) fn put_in_order(&mut self, mind: &mut Mind, highest: ThreatLevel) {
        mind.last.range = self.moment.range;
        let previous = std::mem::replace(&mut mind.highest, highest);
        if highest != previous {
            mind.events.push(Event::Highest { level: highest, previous });
        }
        let beliefs = &mind.beliefs;
        let score = |at: u32| beliefs[at as usize].score;
        let by_score = |a: &u32, b: &u32| score(*b).total_cmp(&score(*a)).then(a.cmp(b));
        // Mostly it still holds.
        if !mind.order.is_sorted_by(|a, b| by_score(a, b).is_lt()) {
            mind.order.sort_unstable_by(by_score);
        }
        self.go(Stage::Attend);
    }

    pub(super) fn attend(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
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
        let now = self.moment.now;
        let field = Field { profile, beliefs: &mind.beliefs, order: &mind.order, now };
        let choice = mind.attention.choose(&field);
        mind.events.extend(mind.attention.commit(choice, now));
        self.go(Stage::Observe);
    }

    pub(super) fn take_attention(&mut self, mind: &mut Mind, profile: &Profile, answer: Answer) {
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

    pub(super) fn observe(
        &mut self,
        mind: &mut Mind,
        profile: &Profile,
        known: &mut dyn FnMut(TargetRef) -> Option<Posture>,
    ) -> Option<Question> {
        mind.memory.shrink(profile.observation_capacity);
        let observes = self.moment.dt > 0.0 && profile.observation_capacity > 0;
        while observes && let Some(belief) = self.next_live(mind) {
            if !belief.is_seen() || belief.fresh {
                self.at += 1;
                continue;
            }
            let target = belief.target;
            let posture = if mind.asks.posture { known(target) } else { Some(Posture::Unreported) };
            let Some(posture) = posture else {
                return Some(Question::Posture { target });
            };
            self.take_posture(mind, profile, posture);
        }
        self.end(mind);
        None
    }

    pub(super) fn take_posture(&mut self, mind: &mut Mind, profile: &Profile, stance: Posture) {
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

impl Belief {
    /// What its target scores.
    pub(super) fn rank(&mut self, profile: &Profile, moment: Moment) {
        self.distance = moment.origin.distance(self.location);
        self.score = ScoreParts::of(profile, self, moment.range).total();
    }
}
