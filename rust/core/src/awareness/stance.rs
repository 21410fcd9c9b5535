//! How a target stands, of everything that may say it; and how adapters' numbers are read.

use serde::{Deserialize, Serialize};

use crate::perception::Stance;

/// How an agent stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Posture {
    /// Nobody says.
    #[default]
    Unreported = -1,
    /// Upright.
    Standing = 0,
    /// Ducked.
    Crouched = 1,
    /// On the ground.
    Prone = 2,
}

impl Posture {
    /// The one with this integer.
    pub fn from_int(value: i64) -> Option<Self> {
        match value {
            -1 => Some(Self::Unreported),
            0 => Some(Self::Standing),
            1 => Some(Self::Crouched),
            2 => Some(Self::Prone),
            _ => None,
        }
    }

    /// Its integer.
    pub fn to_int(self) -> i64 {
        self as i64
    }

    /// The answer of a `get_stance()`: 0, 1 or 2.
    pub fn parse_int(value: i64) -> Option<Self> {
        Self::from_int(value).filter(|stance| *stance != Self::Unreported)
    }

    /// The answer of a `get_stance()`: "standing", "crouched" or "prone" in any case.
    pub fn parse(text: &str) -> Option<Self> {
        [("standing", Self::Standing), ("crouched", Self::Crouched), ("prone", Self::Prone)]
            .into_iter()
            .find(|(name, _)| text.eq_ignore_ascii_case(name))
            .map(|(_, stance)| stance)
    }

    fn is_low(self) -> bool {
        matches!(self, Self::Crouched | Self::Prone)
    }
}

/// What a target's source says of its stance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceStance {
    /// Its property `stance`.
    pub stance: Posture,
    /// Its property `auto_detect_stance`.
    pub auto_detect: bool,
}

/// Everything that may say how a target stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StanceAnswers {
    /// `get_stance()` of the agent, else of the first child that has it.
    pub reported: Option<Posture>,
    /// Its source.
    pub source: Option<SourceStance>,
    /// Crouch members: [`crouch_member`] of the agent, else of the first child that has any.
    pub crouch: Option<Posture>,
}

/// What crouch members say: `is_prone`, then `is_crouching` or `is_crouched`. One that exists and says no is a report
/// of standing.
pub fn crouch_member(prone: Option<bool>, crouched: Option<bool>) -> Option<Posture> {
    match (prone, crouched) {
        (Some(true), _) => Some(Posture::Prone),
        (_, Some(true)) => Some(Posture::Crouched),
        (None, None) => None,
        _ => Some(Posture::Standing),
    }
}

impl StanceAnswers {
    /// False if the posture does not depend on crouch members, so that nobody has to ask for them.
    pub fn posture_needs_crouch(&self) -> bool {
        self.reported.is_none()
            && self.source.is_none_or(|source| source.auto_detect || source.stance == Posture::Unreported)
    }

    /// The posture: the first that says anything.
    pub fn posture(&self) -> Posture {
        if let Some(stance) = self.reported {
            return stance;
        }
        if let Some(source) = self.source {
            if let Some(low) = self.crouch.filter(|stance| source.auto_detect && stance.is_low()) {
                return low;
            }
            if source.stance != Posture::Unreported {
                return source.stance;
            }
        }
        self.crouch.unwrap_or_default()
    }

    /// False if the vision stance depends on the source alone.
    pub fn vision_needs_answers(source: Option<SourceStance>) -> bool {
        source.is_some_and(|source| source.auto_detect)
    }

    /// The vision stance.
    pub fn vision(&self) -> Stance {
        let Some(source) = self.source else { return Stance::Standing };
        let answer = self.reported.or(self.crouch).filter(|_| source.auto_detect);
        match answer.filter(|stance| stance.is_low()).unwrap_or(source.stance) {
            Posture::Unreported | Posture::Standing => Stance::Standing,
            Posture::Crouched => Stance::Crouched,
            Posture::Prone => Stance::Prone,
        }
    }
}

/// What `get_health_fraction()` means; `None`: no number.
pub fn health_fraction(value: f64) -> Option<f64> {
    (!value.is_nan()).then(|| value.clamp(0.0, 1.0))
}

/// What `get_health_percent()` means: above 1 it is 0 to 100.
pub fn health_percent(value: f64) -> Option<f64> {
    health_fraction(if value > 1.0 { value / 100.0 } else { value })
}

/// What `get_health()` and `get_max_health()` mean; nothing of nothing is 0.
pub fn health_share(health: f64, max: f64) -> Option<f64> {
    if health.is_nan() || max.is_nan() {
        return None;
    }
    if max <= 0.0 { Some(0.0) } else { health_fraction(health / max) }
}

/// What a node says of its health besides a fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LateHealth {
    /// `get_health_percent()`.
    Percent(f64),
    /// `get_health()` or `get_current_health()`, and `get_max_health()`.
    Share(f64, f64),
}

/// Everything that may say how much health an agent has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HealthAnswers {
    /// `get_health_fraction()` of the agent, else of the first child that has it.
    pub fraction: Option<f64>,
    /// The row of its vitals.
    pub vital: Option<f64>,
    /// The rest, of the agent, else of the first child that has any.
    pub late: Option<LateHealth>,
}

impl HealthAnswers {
    /// Health, 0..1: the first that says a number, 1 if nobody does.
    pub fn health(&self) -> f64 {
        let late = || match self.late? {
            LateHealth::Percent(value) => health_percent(value),
            LateHealth::Share(health, max) => health_share(health, max),
        };
        let fraction = self.fraction.and_then(health_fraction);
        fraction.or_else(|| self.vital.and_then(health_fraction)).or_else(late).unwrap_or(1.0)
    }
}

/// Factor of every reading at this health.
pub fn pain_factor(profile: &super::Profile, health: f64) -> f64 {
    if !profile.pain_enabled || profile.pain_threshold <= 0.0 {
        return 1.0;
    }
    let share = (health / profile.pain_threshold).clamp(0.0, 1.0);
    profile.pain_min_factor + (1.0 - profile.pain_min_factor) * share
}
