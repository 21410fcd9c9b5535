//! How a runner stands, and why it ends.

/// What a runner says after a step. The integers are the `STATUS_*` constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum RunnerStatus {
    /// It wants another step.
    Running = 0,
    /// It is done.
    Succeeded = 1,
    /// It could not do it.
    Failed = 2,
}

impl RunnerStatus {
    /// The integer of the `STATUS_*` constant.
    pub fn code(self) -> i64 {
        self as i64
    }
}

/// What a runner is told when it leaves. The integers are the `EXIT_*` constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum ExitReason {
    /// It said that it succeeded.
    Succeeded = 1,
    /// It said that it failed.
    Failed = 2,
    /// Another one took its place.
    Replaced = 3,
    /// It was taken away before it was done.
    Removed = 4,
    /// The stack that ran it left the tree.
    StackRemoved = 5,
    /// Its node was freed.
    Freed = 6,
}

impl ExitReason {
    /// The integer of the `EXIT_*` constant.
    pub fn code(self) -> i64 {
        self as i64
    }

    /// The reason of a runner that ended by itself; none while it runs.
    pub fn of(status: RunnerStatus) -> Option<Self> {
        match status {
            RunnerStatus::Running => None,
            RunnerStatus::Succeeded => Some(Self::Succeeded),
            RunnerStatus::Failed => Some(Self::Failed),
        }
    }

    /// It ended by itself: there is nothing left to interrupt.
    pub fn is_own_end(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

/// Whose words a runner speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunnerKind {
    /// A node with `_enter`, `_tick` and `_exit`.
    Hooks,
    /// A `BehaviorState`: the same hooks, of which its script has those that it needs.
    State,
    /// A `BTPlayer` of LimboAI.
    LimboAi,
    /// A `BeehaveTree`.
    Beehave,
}

impl RunnerKind {
    /// It is called by its hooks, and is no tree.
    pub fn has_hooks(self) -> bool {
        matches!(self, Self::Hooks | Self::State)
    }

    /// What the number that it returned means; none if it has no such number.
    pub fn status(self, said: i64) -> Option<RunnerStatus> {
        use RunnerStatus::{Failed, Running, Succeeded};
        let words = match self {
            Self::Hooks | Self::State => [Some(Running), Some(Succeeded), Some(Failed), None],
            // 0 is a tree that has not been asked yet, or whose player is switched off.
            Self::LimboAi => [Some(Running), Some(Running), Some(Failed), Some(Succeeded)],
            Self::Beehave => [Some(Succeeded), Some(Failed), Some(Running), None],
        };
        usize::try_from(said).ok().and_then(|said| words.get(said).copied().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::RunnerStatus::{Failed, Running, Succeeded};
    use super::*;

    #[test]
    fn every_kind_has_its_own_numbers() {
        let read = |kind: RunnerKind| [0, 1, 2, 3].map(|said| kind.status(said));
        for kind in [RunnerKind::Hooks, RunnerKind::State] {
            assert_eq!(read(kind), [Some(Running), Some(Succeeded), Some(Failed), None]);
            assert!(kind.has_hooks());
        }
        assert!(![RunnerKind::LimboAi, RunnerKind::Beehave].iter().any(|kind| kind.has_hooks()));
        assert_eq!(read(RunnerKind::LimboAi), [Some(Running), Some(Running), Some(Failed), Some(Succeeded)]);
        assert_eq!(read(RunnerKind::Beehave), [Some(Succeeded), Some(Failed), Some(Running), None]);
        for kind in [RunnerKind::Hooks, RunnerKind::LimboAi, RunnerKind::Beehave] {
            assert_eq!([kind.status(-1), kind.status(4), kind.status(i64::MAX)], [None; 3]);
        }
    }

    #[test]
    fn codes_of_statuses_and_exits() {
        assert_eq!([Running, Succeeded, Failed].map(RunnerStatus::code), [0, 1, 2]);
        use ExitReason::{Freed, Removed, Replaced, StackRemoved};
        let all = [ExitReason::Succeeded, ExitReason::Failed, Replaced, Removed, StackRemoved, Freed];
        assert_eq!(all.map(ExitReason::code), [1, 2, 3, 4, 5, 6]);
        assert_eq!(all.map(ExitReason::is_own_end), [true, true, false, false, false, false]);
        assert_eq!(
            [Running, Succeeded, Failed].map(ExitReason::of),
            [None, Some(ExitReason::Succeeded), Some(ExitReason::Failed)]
        );
    }
}
