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

/// So many at once, and as many again in every second.
#[derive(Clone, Debug, Default)]
pub struct Bucket {
    used: f64,
    seen: f64,
}

impl Bucket {
    /// True if one more fits now; it counts then. `now` in seconds; a clock that was set back gives nothing back.
    pub fn take(&mut self, now: f64, size: u32) -> bool {
        self.used = (self.used - (now - self.seen).max(0.0) * f64::from(size)).max(0.0);
        self.seen = now;
        let fits = self.used + 1.0 <= f64::from(size) + 1e-6;
        if fits {
            self.used += 1.0;
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

    #[test]
    fn a_bucket_takes_its_size_at_once_and_then_its_rate() {
        let mut bucket = Bucket::default();
        assert_eq!((0..25).filter(|_| bucket.take(3.0, 20)).count(), 20);
        assert_eq!((0..25).filter(|_| bucket.take(3.5, 20)).count(), 10);
        assert_eq!((0..60).filter(|_| bucket.take(60.0, 20)).count(), 20);
        assert!(!bucket.take(1.0, 20));
        assert!(!Bucket::default().take(1.0, 0));
    }
}
