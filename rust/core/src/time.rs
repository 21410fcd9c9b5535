//! Game time.

/// Slack of every time comparison, in seconds: ten steps of 0.1 s make one second.
pub const TIME_TOLERANCE: f64 = 1e-6;

/// The timer rule: a timer that ends at `until` has expired when `now + 1e-6 >= until`.
pub fn expired(now: f64, until: f64) -> bool {
    now + TIME_TOLERANCE >= until
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_tenths_are_one_second() {
        let now = (0..10).fold(0.0, |t, _| t + 0.1);
        assert!(now < 1.0 && expired(now, 1.0));
        assert!(!expired(0.999_998, 1.0));
    }
}
