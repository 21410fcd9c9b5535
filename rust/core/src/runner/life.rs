//! Exactly one exit for every enter.

/// Where a runner stands between its enter and its exit. Its hooks may end it while they are on the stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunnerLife {
    entered: bool,
    over: bool,
}

impl RunnerLife {
    /// It is about to enter. False: it ended before, it must not be called any more.
    pub fn enter(&mut self) -> bool {
        if self.over || self.entered {
            return false;
        }
        self.entered = true;
        true
    }

    /// It entered and has not left: it may be called.
    pub fn is_inside(self) -> bool {
        self.entered && !self.over
    }

    /// It leaves. True: its exit is to be called; only the first time, and only if it entered.
    pub fn exit(&mut self) -> bool {
        let calls = self.is_inside();
        self.over = true;
        calls
    }

    /// It left, or was given up before it entered.
    pub fn is_over(self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_exit_per_enter() {
        let mut life = RunnerLife::default();
        assert!(!life.is_inside());
        assert!(life.enter() && life.is_inside());
        assert!(!life.enter(), "it is inside");
        assert!(life.exit() && life.is_over());
        assert!(!life.exit() && !life.enter(), "it is over");
    }

    #[test]
    fn no_exit_without_an_enter() {
        let mut life = RunnerLife::default();
        assert!(!life.exit());
        assert!(!life.enter() && !life.is_inside());
    }
}
