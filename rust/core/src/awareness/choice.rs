//! The last stages of an update: order, attention, observation.

use super::course::{Course, Stage};
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
        let mut attention = std::mem::take(&mut mind.attention);
        let choice = attention.choose(&mind.field(profile, self.moment.now));
        mind.events.extend(attention.commit(choice, self.moment.now));
        mind.attention = attention;
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

    pub(super) fn observe(&mut self, mind: &mut Mind, profile: &Profile) -> Option<Question> {
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
