//! Why a run ended, and why an action was not chosen or not started.

/// Why a run ended. The integers are the `END_*` constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum EndReason {
    /// The method finished with success, or it is an instant one.
    Completed = 0,
    /// Something else took over.
    Interrupted = 1,
    /// Aborted, stopped, set changed, left the tree.
    Cancelled = 2,
    /// The method's time-out or the hard safety.
    TimedOut = 3,
    /// The method finished without success.
    Failed = 4,
}

impl EndReason {
    /// The integer of the `END_*` constant.
    pub fn code(self) -> i64 {
        self as i64
    }

    /// The run was cut short: a share of the cooldown may be given back.
    pub fn is_cut_short(self) -> bool {
        matches!(self, Self::Interrupted | Self::Cancelled | Self::Failed)
    }
}

/// Why an action was not chosen or not started. The integers are the `REFUSAL_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i64)]
pub enum Refusal {
    /// Not refused.
    #[default]
    None = 0,
    /// Switched off.
    Disabled = 1,
    /// A global block tag is on the agent.
    Blocked = 2,
    /// No execution method, or none with valid data.
    NoMethod = 3,
    /// On cooldown.
    Cooldown = 4,
    /// Used too often in a row.
    RepeatLimit = 5,
    /// Resting after the last action.
    Recovery = 6,
    /// No target, and it needs one.
    NoTarget = 7,
    /// A required tag is missing.
    RequiredTags = 8,
    /// A blocking tag is there.
    BlockTags = 9,
    /// The target cannot be seen.
    NoLineOfSight = 10,
    /// A gate of the action's list.
    Gate = 11,
    /// The evaluator's script said no.
    ScriptVeto = 12,
    /// The score is not above zero.
    ZeroScore = 13,
    /// It runs already, on another target, and keeps that target.
    RetargetPolicy = 14,
    /// What runs may not be interrupted by it.
    InterruptClass = 15,
    /// What runs has not run long enough to be interrupted.
    Commitment = 16,
    /// Not enough better than what runs.
    SwitchMargin = 17,
    /// Another candidate scored higher.
    Outscored = 18,
    /// The method did not begin.
    BeginFailed = 19,
    /// Vetoed between begin and commit.
    HookVeto = 20,
    /// No combat token is free.
    NoToken = 21,
    /// It does not answer the event.
    Trigger = 22,
    /// The dice said no.
    Chance = 23,
    /// Something else has the place.
    Busy = 24,
    /// No action of that name.
    UnknownAction = 25,
}

impl Refusal {
    /// All reasons with the names of their constants (without the prefix), in the order of their integers.
    pub const ALL: [(Self, &'static str); 26] = [
        (Self::None, "NONE"),
        (Self::Disabled, "DISABLED"),
        (Self::Blocked, "BLOCKED"),
        (Self::NoMethod, "NO_METHOD"),
        (Self::Cooldown, "COOLDOWN"),
        (Self::RepeatLimit, "REPEAT_LIMIT"),
        (Self::Recovery, "RECOVERY"),
        (Self::NoTarget, "NO_TARGET"),
        (Self::RequiredTags, "REQUIRED_TAGS"),
        (Self::BlockTags, "BLOCK_TAGS"),
        (Self::NoLineOfSight, "NO_LINE_OF_SIGHT"),
        (Self::Gate, "GATE"),
        (Self::ScriptVeto, "SCRIPT_VETO"),
        (Self::ZeroScore, "ZERO_SCORE"),
        (Self::RetargetPolicy, "RETARGET_POLICY"),
        (Self::InterruptClass, "INTERRUPT_CLASS"),
        (Self::Commitment, "COMMITMENT"),
        (Self::SwitchMargin, "SWITCH_MARGIN"),
        (Self::Outscored, "OUTSCORED"),
        (Self::BeginFailed, "BEGIN_FAILED"),
        (Self::HookVeto, "HOOK_VETO"),
        (Self::NoToken, "NO_TOKEN"),
        (Self::Trigger, "TRIGGER"),
        (Self::Chance, "CHANCE"),
        (Self::Busy, "BUSY"),
        (Self::UnknownAction, "UNKNOWN_ACTION"),
    ];

    /// The integer of the `REFUSAL_*` constant.
    pub fn code(self) -> i64 {
        self as i64
    }

    /// The constant's name without its prefix.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// What a refusal says beyond its reason. Indices belong to the plan of the refused action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Detail {
    /// Nothing to add.
    #[default]
    None,
    /// Seconds left of the cooldown.
    Cooldown(f64),
    /// Seconds left of the recovery.
    Recovering(f64),
    /// Uses in a row, and how many are allowed.
    Uses(u32, u32),
    /// Index into `requires_tags`.
    MissingTag(u32),
    /// Index into `block_tags`.
    BlockedByTag(u32),
    /// Index into the evaluator's global block tags.
    BlockedGlobally(u32),
    /// Index into `gates`.
    Gate(u32),
    /// Not enough better than what runs.
    Margin {
        /// The candidate's score.
        score: f64,
        /// What runs is worth now.
        hold: f64,
        /// The margin it would have to win by, as a share of `hold`.
        margin: f64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_stands_at_its_integer() {
        for (n, (refusal, name)) in Refusal::ALL.into_iter().enumerate() {
            assert_eq!((refusal.code(), refusal.name()), (n as i64, name));
        }
        assert_eq!(Refusal::UnknownAction.name(), "UNKNOWN_ACTION");
        assert_eq!(Refusal::HookVeto.code(), 20);
    }
}
