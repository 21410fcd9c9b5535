//! How much may come from another peer.

use std::collections::VecDeque;

/// At most so many within any second.
#[derive(Clone, Debug, Default)]
pub struct RateLimit {
    taken: VecDeque<f64>,
}

impl RateLimit {
    /// True if one more is within the limit now; it counts then. What is refused does not count, so that a sender who slows
    /// down is heard again. `now` in seconds; a clock that was set back begins anew.
    pub fn take(&mut self, now: f64, per_second: u32) -> bool {
        // A little more than a second of time steps is still that second.
        const ROUNDING: f64 = 1e-6;
        while self.taken.front().is_some_and(|at| now - at >= 1.0 - ROUNDING || *at > now) {
            self.taken.pop_front();
        }
        let fits = self.taken.len() < per_second as usize;
        if fits {
            self.taken.push_back(now);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_has_more_than_the_limit() {
        let mut limit = RateLimit::default();
        let mut taken: Vec<f64> = Vec::new();
        for step in 0..600 {
            let now = f64::from(step) / 60.0;
            for _ in 0..2 {
                if limit.take(now, 30) {
                    taken.push(now);
                }
            }
        }
        for (index, from) in taken.iter().enumerate() {
            let within = taken[index..].iter().take_while(|at| **at < from + 1.0 - 1e-6).count();
            assert!(within <= 30, "{within} from {from} on");
        }
        assert_eq!(taken.len(), 300, "a flood gets exactly its share");
    }

    #[test]
    fn the_one_beyond_is_refused_until_the_first_is_a_second_old() {
        let mut limit = RateLimit::default();
        assert!((0..30).all(|_| limit.take(5.0, 30)));
        assert!(!limit.take(5.0, 30));
        assert!(!limit.take(5.99, 30));
        assert!(limit.take(6.0, 30));
    }

    #[test]
    fn a_clock_that_is_set_back_and_a_limit_of_none_lock_nobody_out_forever() {
        let mut limit = RateLimit::default();
        assert!(limit.take(100.0, 1));
        assert!(limit.take(1.0, 1));
        assert!(!limit.take(1.0, 0));
        assert!(limit.take(2.0, 1));
    }
}
