//! Every number that a designer may tune, compiled once for all agents that share a profile.

use crate::tags::TagId;

use super::kinds::{Relationship, SenseId};

/// One sense of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenseSlot {
    /// Which.
    pub sense: SenseId,
    /// Multiplies its value in fusion, 0..2.
    pub weight: f64,
    /// Seconds for the value to rise by 1 × the reading; 0: at once.
    pub rise_time: f64,
    /// Seconds for the value to fall by 1; 0: at once.
    pub fall_time: f64,
    /// Still active for so long after it last sensed.
    pub hold_time: f64,
    /// Reading at distance 0, 0..1.
    pub max_confidence: f64,
    /// Reading at the end of its range, 0..1.
    pub far_confidence: f64,
}

impl SenseSlot {
    /// A slot with the default numbers of its sense.
    pub fn new(sense: SenseId) -> Self {
        let (rise_time, fall_time, hold_time, max_confidence, far_confidence) = match sense {
            SenseId::Sight => (1.0, 1.0, 0.0, 1.0, 0.7),
            SenseId::Hearing => (0.0, 2.0, 1.0, 0.8, 0.2),
            SenseId::Damage | SenseId::Custom(_) => (0.0, 2.0, 1.0, 1.0, 1.0),
        };
        Self { sense, weight: 1.0, rise_time, fall_time, hold_time, max_confidence, far_confidence }
    }
}

/// How samples become one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FusionRule {
    /// The best active sample and a bonus for each further active sense.
    #[default]
    BuiltIn,
    /// The sum of all active samples.
    Summing,
    /// [`super::Question::Fuse`].
    Script,
}

/// How threat is scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreatRule {
    /// Confidence, damage, agreement and contact, weighed.
    #[default]
    BuiltIn,
    /// [`super::Question::Threat`].
    Script,
}

/// How the attention target is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AttentionRule {
    /// The best score, with stickiness and a threshold.
    #[default]
    BuiltIn,
    /// The nearest eligible one.
    Nearest,
    /// Who hurt the agent last, if it was within so many seconds; else the built-in rule.
    LastAttacker(f64),
    /// [`super::Question::Attention`].
    Script,
}

/// Who is what, by tags.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationRules {
    /// Any match: a teammate.
    pub teammate: Vec<TagId>,
    /// Any match: a friend.
    pub friendly: Vec<TagId>,
    /// Any match: an enemy.
    pub hostile: Vec<TagId>,
    /// Any match: neutral.
    pub neutral: Vec<TagId>,
    /// Tags below it name teams; `None`: no team rule.
    pub team_root: Option<TagId>,
    /// When nothing else says anything.
    pub default: Relationship,
    /// Damage by an unknown or neutral one makes it hostile.
    pub turn_hostile_on_damage: bool,
}

impl Default for RelationRules {
    fn default() -> Self {
        Self {
            teammate: Vec::new(),
            friendly: Vec::new(),
            hostile: Vec::new(),
            neutral: Vec::new(),
            team_root: None,
            default: Relationship::Unknown,
            turn_hostile_on_damage: true,
        }
    }
}

/// Weights of the four parts of threat.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is the weight of the part it is named after")]
pub struct ThreatWeights {
    pub confidence: f64,
    pub damage: f64,
    pub agreement: f64,
    pub contact: f64,
}

/// Factors of threat by relationship; friends have 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is the factor of the relationship it is named after")]
pub struct ThreatFactors {
    pub hostile: f64,
    pub unknown: f64,
    pub neutral: f64,
}

/// Weights of the three parts of the score.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is the weight of the part it is named after")]
pub struct ScoreWeights {
    pub threat: f64,
    pub confidence: f64,
    pub proximity: f64,
}

/// A compiled profile. Lengths and speeds in world units, times in seconds; 0..1 unless another range is said.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Beliefs are updated this often, 0..2 s.
    pub update_interval: f64,
    /// Senses in order.
    pub senses: Vec<SenseSlot>,
    /// How samples become one number.
    pub fusion: FusionRule,
    /// Per further active sense.
    pub corroboration_bonus: f64,
    /// Seconds for confidence to fall from 1 to 0; 0: at once.
    pub confidence_fade_time: f64,
    /// Confidence from which a target is suspected.
    pub suspect_threshold: f64,
    /// Confidence from which a target is detected.
    pub detect_threshold: f64,
    /// A state is left only so far below its threshold.
    pub state_hysteresis: f64,
    /// A detected target that no sense senses for so long is lost.
    pub lost_delay: f64,
    /// An expired belief stays for so long.
    pub expired_retention: f64,
    /// Aim points that must be visible: standing, crouched, prone; 1..16.
    pub min_visible_points: [u32; 3],
    /// Low own health dulls every sense.
    pub pain_enabled: bool,
    /// Health below which it does.
    pub pain_threshold: f64,
    /// Factor at health 0.
    pub pain_min_factor: f64,
    /// Who is what.
    pub relations: RelationRules,
    /// How threat is scored.
    pub threat: ThreatRule,
    /// Weights of threat.
    pub threat_weights: ThreatWeights,
    /// Factors of threat.
    pub threat_factors: ThreatFactors,
    /// Damage that counts as 1; above 0.
    pub damage_full: f64,
    /// Seconds for `damage_full` to fade to 0; 0: at once.
    pub damage_fade_time: f64,
    /// Seconds for contact to fade to 0 after sight was lost; 0: at once.
    pub contact_fade_time: f64,
    /// Threat from which the levels low, medium, high, critical begin; rising.
    pub threat_levels: [f64; 4],
    /// A level is left downwards only so far below its threshold.
    pub threat_hysteresis: f64,
    /// How the attention target is chosen.
    pub attention: AttentionRule,
    /// A target is kept for so long.
    pub attention_stickiness_time: f64,
    /// A rival's score must be better by so much.
    pub attention_switch_threshold: f64,
    /// And for so long.
    pub attention_challenge_time: f64,
    /// Less is not worth attention.
    pub attention_min_score: f64,
    /// Weights of the score.
    pub score_weights: ScoreWeights,
    /// Distance at which proximity is 0; 0: the perceiver's lose radius.
    pub score_range: f64,
    /// Slower stands still.
    pub still_speed: f64,
    /// Up to this speed it sneaks.
    pub sneak_speed: f64,
    /// Targets whose posture is remembered, 0..1024.
    pub observation_capacity: usize,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            update_interval: 0.1,
            senses: Self::default_senses(),
            fusion: FusionRule::BuiltIn,
            corroboration_bonus: 0.1,
            confidence_fade_time: 10.0,
            suspect_threshold: 0.25,
            detect_threshold: 0.6,
            state_hysteresis: 0.05,
            lost_delay: 0.5,
            expired_retention: 10.0,
            min_visible_points: [1, 2, 3],
            pain_enabled: false,
            pain_threshold: 0.5,
            pain_min_factor: 0.5,
            relations: RelationRules::default(),
            threat: ThreatRule::BuiltIn,
            threat_weights: ThreatWeights { confidence: 0.4, damage: 0.35, agreement: 0.1, contact: 0.15 },
            threat_factors: ThreatFactors { hostile: 1.0, unknown: 0.6, neutral: 0.25 },
            damage_full: 50.0,
            damage_fade_time: 10.0,
            contact_fade_time: 3.0,
            threat_levels: [0.15, 0.4, 0.65, 0.85],
            threat_hysteresis: 0.03,
            attention: AttentionRule::BuiltIn,
            attention_stickiness_time: 1.5,
            attention_switch_threshold: 0.15,
            attention_challenge_time: 0.0,
            attention_min_score: 0.05,
            score_weights: ScoreWeights { threat: 0.6, confidence: 0.25, proximity: 0.15 },
            score_range: 0.0,
            still_speed: 0.1,
            sneak_speed: 1.5,
            observation_capacity: 64,
        }
    }
}

/// What [`Profile::mended`] had to change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mended {
    /// This number was not finite or out of its range.
    Number(&'static str),
    /// Threshold 1, 2 or 3 was below its predecessor and was raised to it.
    Threshold(usize),
    /// A second slot of this sense was left out.
    SecondSlot(SenseId),
}

/// The smallest `damage_full`.
pub const LEAST_DAMAGE_FULL: f64 = 1e-3;
/// The most targets whose posture can be remembered.
pub const MOST_OBSERVATIONS: usize = 1024;

impl Profile {
    /// Sight, hearing and damage with their defaults.
    pub fn default_senses() -> Vec<SenseSlot> {
        vec![
            SenseSlot::new(SenseId::Sight),
            SenseSlot::new(SenseId::Hearing),
            SenseSlot::new(SenseId::Damage),
        ]
    }

    /// The profile with every number in its range, and what had to be changed for it. Without slots it gets the
    /// default ones.
    #[must_use]
    pub fn mended(mut self) -> (Self, Vec<Mended>) {
        let mut done = Vec::new();
        self.mend_numbers(&mut done);
        for at in 1..self.threat_levels.len() {
            if self.threat_levels[at] < self.threat_levels[at - 1] {
                self.threat_levels[at] = self.threat_levels[at - 1];
                done.push(Mended::Threshold(at));
            }
        }
        if self.senses.is_empty() {
            self.senses = Self::default_senses();
        }
        let mut kept: Vec<SenseSlot> = Vec::with_capacity(self.senses.len());
        for mut slot in self.senses.drain(..) {
            if kept.iter().any(|other| other.sense == slot.sense) {
                done.push(Mended::SecondSlot(slot.sense));
                continue;
            }
            mend_slot(&mut slot, &mut done);
            kept.push(slot);
        }
        self.senses = kept;
        (self, done)
    }

    fn mend_numbers(&mut self, done: &mut Vec<Mended>) {
        let usual = Self::default();
        let mut mend = |name, value: &mut f64, usual: f64, low: f64, high: f64| {
            let good = if value.is_finite() { value.clamp(low, high) } else { usual };
            if good != *value {
                done.push(Mended::Number(name));
                *value = good;
            }
        };
        macro_rules! within {
            ($low:expr, $high:expr; $($($field:ident).+),* $(,)?) => {$(
                mend(stringify!($($field).+), &mut self.$($field).+, usual.$($field).+, $low, $high);
            )*};
        }
        within!(0.0, 2.0; update_interval);
        within!(0.0, 1.0; corroboration_bonus, suspect_threshold, detect_threshold, state_hysteresis,
            pain_threshold, pain_min_factor, threat_weights.confidence, threat_weights.damage,
            threat_weights.agreement, threat_weights.contact, threat_factors.hostile, threat_factors.unknown,
            threat_factors.neutral, threat_hysteresis, attention_switch_threshold, attention_min_score,
            score_weights.threat, score_weights.confidence, score_weights.proximity);
        within!(0.0, f64::MAX; confidence_fade_time, lost_delay, expired_retention, damage_fade_time,
            contact_fade_time, attention_stickiness_time, attention_challenge_time, score_range, still_speed,
            sneak_speed);
        within!(LEAST_DAMAGE_FULL, f64::MAX; damage_full);
        for (at, name) in
            ["threat_low", "threat_medium", "threat_high", "threat_critical"].into_iter().enumerate()
        {
            mend(name, &mut self.threat_levels[at], usual.threat_levels[at], 0.0, 1.0);
        }
        for points in &mut self.min_visible_points {
            *points = (*points).clamp(1, 16);
        }
        self.observation_capacity = self.observation_capacity.min(MOST_OBSERVATIONS);
    }

    /// The slot of a sense.
    pub fn slot_of(&self, sense: SenseId) -> Option<usize> {
        self.senses.iter().position(|slot| slot.sense == sense)
    }
}

fn mend_slot(slot: &mut SenseSlot, done: &mut Vec<Mended>) {
    let usual = SenseSlot::new(slot.sense);
    let mut mend = |name, value: &mut f64, usual: f64, high: f64| {
        let good = if value.is_finite() { value.clamp(0.0, high) } else { usual };
        if good != *value {
            done.push(Mended::Number(name));
            *value = good;
        }
    };
    mend("weight", &mut slot.weight, usual.weight, 2.0);
    mend("rise_time", &mut slot.rise_time, usual.rise_time, f64::MAX);
    mend("fall_time", &mut slot.fall_time, usual.fall_time, f64::MAX);
    mend("hold_time", &mut slot.hold_time, usual.hold_time, f64::MAX);
    mend("max_confidence", &mut slot.max_confidence, usual.max_confidence, 1.0);
    mend("far_confidence", &mut slot.far_confidence, usual.far_confidence, 1.0);
}
