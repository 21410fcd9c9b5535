//! Every factor of a belief's confidence, threat and score.

use super::kinds::{Relationship, SenseId};
use super::mind::Mind;
use super::profile::{FusionRule, ThreatRule};
use super::relation::RelationSource;
use super::threat::{ScoreParts, ThreatParts};

/// One sense of an explanation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenseFactors {
    /// Which.
    pub sense: SenseId,
    /// What it said last, before pain.
    pub reading: f64,
    /// What has come of it, 0..1.
    pub value: f64,
    /// Weight.
    pub weight: f64,
    /// Counts now.
    pub active: bool,
    /// Time since it last sensed; infinite: never.
    pub since: f64,
}

/// Why a belief's numbers are what they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Factor of every reading by the own health.
    pub pain: f64,
    /// The senses, in the profile's order.
    pub senses: Vec<SenseFactors>,
    /// Who fused them.
    pub fusion: FusionRule,
    /// The largest weighed value of an active sense.
    pub best: f64,
    /// What further active senses add.
    pub bonus: f64,
    /// What fusion gave.
    pub fused: f64,
    /// Confidence.
    pub confidence: f64,
    /// What the target is to the agent.
    pub relationship: Relationship,
    /// Who says so.
    pub relationship_source: RelationSource,
    /// Who scored threat.
    pub threat_rule: ThreatRule,
    /// What the built-in threat is made of.
    pub threat_parts: ThreatParts,
    /// Threat.
    pub threat: f64,
    /// From the perceiver to the last known location.
    pub distance: f64,
    /// Distance at which proximity is 0.
    pub range: f64,
    /// What the score is made of.
    pub score_parts: ScoreParts,
    /// The score.
    pub score: f64,
}

impl Mind {
    pub(super) fn explain(&self, at: usize) -> Explanation {
        let (profile, belief) = (&self.laid_out, &self.beliefs[at]);
        let senses: Vec<SenseFactors> = profile
            .senses
            .iter()
            .zip(self.slots_of(at))
            .map(|(slot, state)| SenseFactors {
                sense: slot.sense,
                reading: state.reading,
                value: state.value,
                weight: slot.weight,
                active: state.active,
                since: state.since,
            })
            .collect();
        let best = senses.iter().filter(|sense| sense.active).map(|sense| sense.value * sense.weight);
        let further = belief.active_senses.saturating_sub(1);
        let bonus = match profile.fusion {
            FusionRule::BuiltIn => profile.corroboration_bonus * f64::from(further),
            _ => 0.0,
        };
        Explanation {
            pain: self.last.pain,
            best: best.fold(0.0, f64::max),
            senses,
            fusion: profile.fusion,
            bonus,
            fused: belief.fused,
            confidence: belief.confidence,
            relationship: belief.relationship,
            relationship_source: belief.relationship_source,
            threat_rule: profile.threat,
            threat_parts: if belief.is_live() {
                ThreatParts::of(profile, belief)
            } else {
                ThreatParts::default()
            },
            threat: belief.threat,
            distance: belief.distance,
            range: self.last.range,
            score_parts: if belief.is_live() {
                ScoreParts::of(profile, belief, self.last.range)
            } else {
                ScoreParts::default()
            },
            score: belief.score,
        }
    }
}
