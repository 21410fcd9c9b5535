//! Numbers of an action that follow an attribute of the agent.

use super::ActionPlan;

/// A number that may follow an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoundNumber {
    /// Base score.
    SelectionWeight,
    /// Divides the score.
    RiskPenalty,
    /// Delay between uses.
    CooldownDuration,
    /// Delay at spawn.
    CooldownInitial,
    /// Recovery after completion, where it is overridden.
    RecoveryTime,
    /// Shortest time before something else may take over.
    CommitmentTime,
}

/// How many there are.
pub(super) const BOUND_NUMBERS: usize = 6;

impl BoundNumber {
    /// All of them with the names of their properties.
    pub const ALL: [(Self, &'static str); BOUND_NUMBERS] = [
        (Self::SelectionWeight, "selection_weight"),
        (Self::RiskPenalty, "risk_penalty"),
        (Self::CooldownDuration, "cooldown_duration"),
        (Self::CooldownInitial, "cooldown_initial"),
        (Self::RecoveryTime, "recovery_time"),
        (Self::CommitmentTime, "commitment_time"),
    ];

    /// The number of that property.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.1 == name).map(|one| one.0)
    }

    /// The name of its property.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The value that the resource has.
    pub fn constant(self, plan: &ActionPlan) -> f64 {
        match self {
            Self::SelectionWeight => plan.selection_weight,
            Self::RiskPenalty => plan.risk_penalty,
            Self::CooldownDuration => plan.cooldown.duration,
            Self::CooldownInitial => plan.cooldown.initial,
            Self::RecoveryTime => plan.recovery.unwrap_or(0.0),
            Self::CommitmentTime => plan.commitment_time,
        }
    }

    /// A value inside the range of the property. What is no number counts as the constant.
    pub fn clamped(self, value: f64, plan: &ActionPlan) -> f64 {
        if !value.is_finite() {
            return self.constant(plan);
        }
        match self {
            Self::RiskPenalty => value.clamp(0.01, 100.0),
            Self::CommitmentTime if value < 0.0 => -1.0,
            _ => value.max(0.0),
        }
    }
}

/// What an attribute does to the constant. The integers are the `BIND_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum BindMode {
    /// Takes its place.
    #[default]
    Replace = 0,
    /// Multiplies it.
    Multiply = 1,
    /// Is added to it.
    Add = 2,
}

impl BindMode {
    /// The mode with this integer.
    pub fn from_code(code: i64) -> Option<Self> {
        [Self::Replace, Self::Multiply, Self::Add].into_iter().find(|mode| *mode as i64 == code)
    }

    /// The number that the attribute makes of another.
    pub fn apply(self, number: f64, attribute: f64) -> f64 {
        match self {
            Self::Replace => attribute,
            Self::Multiply => number * attribute,
            Self::Add => number + attribute,
        }
    }
}

/// One number of an action that follows an attribute. The adapter reads the attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindingPlan {
    /// Which number.
    pub number: BoundNumber,
    /// What the attribute does to it.
    pub mode: BindMode,
    /// The attribute's place in the adapter's table of the action.
    pub slot: usize,
}

/// What the bindings of an action make of one of its numbers. `attribute` reads the attribute of a slot; one that is not
/// there or not finite leaves the number as it is. `None` without a binding.
pub fn bound_number(
    plan: &ActionPlan,
    number: BoundNumber,
    mut attribute: impl FnMut(usize) -> Option<f64>,
) -> Option<f64> {
    let own = plan.bindings.iter().filter(|binding| binding.number == number);
    own.fold(None, |value, binding| {
        let value = value.unwrap_or_else(|| number.constant(plan));
        let read = attribute(binding.slot).filter(|read| read.is_finite());
        Some(read.map_or(value, |read| binding.mode.apply(value, read)))
    })
    .map(|value| number.clamped(value, plan))
}
