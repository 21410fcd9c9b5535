//! How dangerous a target is, and what it scores.

use super::belief::{Belief, TOLERANCE};
use super::kinds::{Relationship, ThreatLevel};
use super::profile::Profile;

/// The parts of threat, weighed, and their factor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThreatParts {
    /// Weight × confidence.
    pub confidence: f64,
    /// Weight × damage as a part of `damage_full`.
    pub damage: f64,
    /// Weight × further active senses over all further senses.
    pub agreement: f64,
    /// Weight × contact.
    pub contact: f64,
    /// By relationship.
    pub factor: f64,
}

impl ThreatParts {
    #[inline]
    pub(super) fn of(profile: &Profile, belief: &Belief) -> Self {
        let weights = &profile.threat_weights;
        let further = profile.senses.len().saturating_sub(1);
        let agreeing = belief.active_senses.saturating_sub(1);
        // Divisions are dear, and mostly there is nothing to divide.
        let agreement = match (agreeing, further) {
            (0, _) | (_, 0) => 0.0,
            _ => (f64::from(agreeing) / further as f64).min(1.0),
        };
        let damage =
            if belief.damage > 0.0 { (belief.damage / profile.damage_full).clamp(0.0, 1.0) } else { 0.0 };
        Self {
            confidence: weights.confidence * belief.confidence,
            damage: weights.damage * damage,
            agreement: weights.agreement * agreement,
            contact: weights.contact * belief.contact,
            factor: factor(profile, belief.relationship),
        }
    }

    /// The built-in threat.
    pub fn total(&self) -> f64 {
        let sum = self.confidence + self.damage + self.agreement + self.contact;
        (self.factor * sum.clamp(0.0, 1.0)).clamp(0.0, 1.0)
    }
}

fn factor(profile: &Profile, relationship: Relationship) -> f64 {
    match relationship {
        Relationship::Hostile => profile.threat_factors.hostile,
        Relationship::Unknown => profile.threat_factors.unknown,
        Relationship::Neutral => profile.threat_factors.neutral,
        Relationship::Friendly | Relationship::Teammate => 0.0,
    }
}

const LEVELS: [ThreatLevel; 5] =
    [ThreatLevel::None, ThreatLevel::Low, ThreatLevel::Medium, ThreatLevel::High, ThreatLevel::Critical];

/// The level of a threat: up at its threshold, down only a hysteresis below it.
pub(super) fn level(profile: &Profile, before: ThreatLevel, threat: f64) -> ThreatLevel {
    let reaches = |step: usize, slack: f64| threat + TOLERANCE >= profile.threat_levels[step - 1] - slack;
    // All are compared: which one it is can't be predicted.
    let up = (1..LEVELS.len()).fold(0, |up, step| if reaches(step, 0.0) { step } else { up });
    let before = before as usize;
    if before <= up {
        return LEVELS[up];
    }
    let held = (up + 1..=before).rev().find(|step| reaches(*step, profile.threat_hysteresis));
    LEVELS[held.unwrap_or(up)]
}

/// The parts of a score, weighed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreParts {
    /// Weight × threat.
    pub threat: f64,
    /// Weight × confidence.
    pub confidence: f64,
    /// Weight × proximity.
    pub proximity: f64,
}

impl ScoreParts {
    /// `range`: the distance at which proximity is 0.
    #[inline]
    pub(super) fn of(profile: &Profile, belief: &Belief, range: f64) -> Self {
        let weights = &profile.score_weights;
        Self {
            threat: weights.threat * belief.threat,
            confidence: weights.confidence * belief.confidence,
            proximity: weights.proximity * proximity(belief.distance, range),
        }
    }

    /// The score.
    pub fn total(&self) -> f64 {
        self.threat + self.confidence + self.proximity
    }
}

fn proximity(distance: f64, range: f64) -> f64 {
    if distance <= 0.0 {
        1.0
    } else if range > 0.0 && distance.is_finite() {
        1.0 - (distance / range).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_goes_up_at_once_and_down_with_hysteresis() {
        let profile = Profile::default();
        let from = |before, threat| level(&profile, before, threat);
        assert_eq!(from(ThreatLevel::None, 1.0), ThreatLevel::Critical);
        assert_eq!(from(ThreatLevel::Critical, 0.82), ThreatLevel::Critical);
        assert_eq!(from(ThreatLevel::Critical, 0.819), ThreatLevel::High);
        assert_eq!(from(ThreatLevel::Critical, 0.37), ThreatLevel::Medium);
        assert_eq!(from(ThreatLevel::Critical, 0.12), ThreatLevel::Low);
        assert_eq!(from(ThreatLevel::Low, 0.12), ThreatLevel::Low);
        assert_eq!(from(ThreatLevel::None, 0.149_999_5), ThreatLevel::Low);
        assert_eq!(from(ThreatLevel::High, 0.0), ThreatLevel::None);
    }
}
