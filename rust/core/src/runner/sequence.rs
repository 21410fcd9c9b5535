//! Trees one after the other: which one runs, how long it may, and what its end means.

use crate::time::expired;

/// A row of trees that an action runs through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeSequence {
    count: usize,
    timeout: f64,
    goes_on_after_failure: bool,
    at: usize,
    elapsed: f64,
}

/// What a step does with the current tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceStep {
    /// It is ticked.
    Tick,
    /// Its time is over: it is not ticked any more, the action has timed out.
    TimedOut,
}

/// What follows a tree that ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceNext {
    /// The tree at that place enters now; it is ticked from the next step on.
    Enter(usize),
    /// The action is done, with success or without.
    Finish(bool),
}

impl TreeSequence {
    /// Trees that run `timeout` seconds each at the most; 0: as long as they want.
    pub fn new(count: usize, timeout: f64, goes_on_after_failure: bool) -> Self {
        let timeout = if timeout.is_finite() { timeout.max(0.0) } else { 0.0 };
        Self { count, timeout, goes_on_after_failure, at: 0, elapsed: 0.0 }
    }

    /// The place of the tree that runs.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The time-out of the whole action; 0: none of its own.
    pub fn total_timeout(&self) -> f64 {
        self.timeout * self.count as f64
    }

    /// A step begins; asked before the tree is ticked.
    pub fn step(&mut self, delta: f64) -> SequenceStep {
        self.elapsed += delta;
        let over = self.timeout > 0.0 && expired(self.elapsed, self.timeout);
        if over { SequenceStep::TimedOut } else { SequenceStep::Tick }
    }

    /// The current tree ended.
    pub fn ended(&mut self, success: bool) -> SequenceNext {
        if !success && !self.goes_on_after_failure {
            return SequenceNext::Finish(false);
        }
        self.at += 1;
        self.elapsed = 0.0;
        if self.at < self.count { SequenceNext::Enter(self.at) } else { SequenceNext::Finish(true) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tree_has_its_own_time() {
        let mut trees = TreeSequence::new(2, 0.25, false);
        assert_eq!(trees.total_timeout(), 0.5);
        assert_eq!([0.1; 2].map(|delta| trees.step(delta)), [SequenceStep::Tick; 2]);
        assert_eq!(trees.ended(true), SequenceNext::Enter(1));
        assert_eq!([0.1; 2].map(|delta| trees.step(delta)), [SequenceStep::Tick; 2]);
        assert_eq!(trees.step(0.05), SequenceStep::TimedOut);
        assert_eq!(trees.at(), 1);
    }

    #[test]
    fn without_a_timeout_a_tree_runs_on() {
        for timeout in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut trees = TreeSequence::new(3, timeout, false);
            assert_eq!(trees.total_timeout(), 0.0);
            assert!((0..1000).all(|_| trees.step(1.0) == SequenceStep::Tick));
        }
    }

    #[test]
    fn a_failure_ends_it_or_counts_as_done() {
        assert_eq!(TreeSequence::new(2, 0.0, false).ended(false), SequenceNext::Finish(false));
        let mut trees = TreeSequence::new(2, 0.0, true);
        assert_eq!(trees.ended(false), SequenceNext::Enter(1));
        assert_eq!(trees.ended(false), SequenceNext::Finish(true));
    }
}
