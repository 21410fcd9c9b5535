//! Lines of sight of one evaluator: what it saw last, for when it may not look.

use super::TargetKey;
use crate::time::expired;

/// Seconds for which a look counts when no other may be taken.
const REMEMBERED: f64 = 0.5;
/// Targets to remember before old looks are dropped.
const MOST: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Look {
    target: TargetKey,
    /// The decision that it was taken for.
    decision: u64,
    time: f64,
    seen: bool,
}

/// What an evaluator saw.
#[derive(Clone, Debug, Default)]
pub struct SightMemory {
    looks: Vec<Look>,
    decision: u64,
}

impl SightMemory {
    /// A decision begins: it looks anew, once at each target.
    pub fn begin_decision(&mut self) {
        self.decision += 1;
    }

    /// What this decision has seen already.
    pub fn known(&self, target: TargetKey) -> Option<bool> {
        self.find(target).filter(|look| look.decision == self.decision).map(|look| look.seen)
    }

    /// What was seen last, if that is not too long ago; false else.
    pub fn last(&self, target: TargetKey, now: f64) -> bool {
        self.find(target).is_some_and(|look| look.seen && !expired(now, look.time + REMEMBERED))
    }

    /// A look was taken.
    pub fn note(&mut self, target: TargetKey, now: f64, seen: bool) {
        let look = Look { target, decision: self.decision, time: now, seen };
        match self.looks.iter_mut().find(|known| known.target == target) {
            Some(known) => *known = look,
            None => {
                if self.looks.len() >= MOST {
                    self.looks.retain(|look| !expired(now, look.time + REMEMBERED));
                }
                self.looks.push(look);
            }
        }
    }

    fn find(&self, target: TargetKey) -> Option<&Look> {
        self.looks.iter().find(|look| look.target == target)
    }
}

/// How many looks all evaluators together may take in one physics step.
#[derive(Clone, Copy, Debug, Default)]
pub struct SightBudget {
    step: u64,
    used: u64,
}

impl SightBudget {
    /// Nothing used.
    pub const fn new() -> Self {
        Self { step: 0, used: 0 }
    }

    /// Takes one of `limit` looks in this step, 0 being as many as are asked for; false: there is none left.
    pub fn take(&mut self, step: u64, limit: u64) -> bool {
        if self.step != step {
            *self = Self { step, used: 0 };
        }
        let left = limit == 0 || self.used < limit;
        self.used += u64::from(left);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOE: TargetKey = TargetKey(7);

    #[test]
    fn a_look_counts_for_half_a_second() {
        let mut sight = SightMemory::default();
        assert!(!sight.last(FOE, 0.0), "never looked");
        sight.note(FOE, 1.0, true);
        assert!(sight.last(FOE, 1.0) && sight.last(FOE, 1.49));
        assert!(!sight.last(FOE, 1.5));
        sight.note(FOE, 2.0, false);
        assert!(!sight.last(FOE, 2.0), "the last look counts");
    }

    #[test]
    fn a_decision_looks_once_at_each_target() {
        let mut sight = SightMemory::default();
        sight.begin_decision();
        assert_eq!(sight.known(FOE), None);
        sight.note(FOE, 0.0, true);
        assert_eq!((sight.known(FOE), sight.known(TargetKey(8))), (Some(true), None));
        sight.begin_decision();
        assert_eq!(sight.known(FOE), None);
        assert!(sight.last(FOE, 0.0));
    }

    #[test]
    fn old_looks_are_dropped() {
        let mut sight = SightMemory::default();
        for n in 0..1000 {
            sight.note(TargetKey(n), n as f64, true);
        }
        assert!(sight.looks.len() <= MOST);
    }

    #[test]
    fn looks_of_one_step_are_bounded() {
        let mut budget = SightBudget::new();
        assert_eq!([1, 1, 1].map(|step| budget.take(step, 2)), [true, true, false]);
        assert!(budget.take(2, 2), "the next step begins anew");
        assert!((0..1000).all(|_| budget.take(3, 0)), "unlimited");
    }
}
