//! Whom an action is aimed at, and what may break its run.

/// Whom an action is scored on. The integers are the `TARGET_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum TargetMode {
    /// The focus target, if there is one.
    #[default]
    Focus = 0,
    /// Each target that the agent knows of: one candidate per target.
    Each = 1,
    /// Nobody.
    None = 2,
}

/// What becomes of a run when its action is worth more on another target. The integers are the `RETARGET_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum RetargetPolicy {
    /// It keeps its target.
    #[default]
    Keep = 0,
    /// The same run goes on with the other target.
    Switch = 1,
    /// The run ends, and another one begins.
    Restart = 2,
}

/// What becomes of a run whose target is gone. The integers are the `LOST_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum LostPolicy {
    /// It goes on without one.
    #[default]
    Continue = 0,
    /// It fails.
    Fail = 1,
    /// It turns to the best other target of the same action; without one it fails.
    Retarget = 2,
}

/// What may break a run. The integers are the `INTERRUPT_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum InterruptClass {
    /// Nothing that is chosen.
    Never = 0,
    /// An action of higher priority.
    #[default]
    ByPriority = 1,
    /// That, or one of the same priority that is better by the margin.
    ByMargin = 2,
    /// Whatever is better.
    Any = 3,
}

macro_rules! from_int {
    ($($name:ident: $($value:ident),+;)+) => {$(
        impl $name {
            /// The integer of its constant.
            pub fn to_int(self) -> i64 {
                self as i64
            }

            /// What a constant stands for.
            pub fn from_int(value: i64) -> Option<Self> {
                [$(Self::$value),+].into_iter().find(|one| one.to_int() == value)
            }
        }
    )+};
}

from_int! {
    TargetMode: Focus, Each, None;
    RetargetPolicy: Keep, Switch, Restart;
    LostPolicy: Continue, Fail, Retarget;
    InterruptClass: Never, ByPriority, ByMargin, Any;
}
