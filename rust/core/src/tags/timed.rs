//! Tags that go by themselves after a time.

use super::TagId;
use crate::time::expired;

/// Running timers of tags, on a clock of their own.
#[derive(Clone, Debug, Default)]
pub struct TimedTags {
    now: f64,
    timers: Vec<(TagId, f64)>,
}

impl TimedTags {
    /// No timers, clock at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a timer beside any that the tag already has (each releases one count).
    pub fn add(&mut self, tag: TagId, seconds: f64) {
        self.timers.push((tag, self.now + seconds));
    }

    /// Starts the tag's only timer anew. True if there was none.
    pub fn restart(&mut self, tag: TagId, seconds: f64) -> bool {
        let until = self.now + seconds;
        if let Some(timer) = self.timers.iter_mut().find(|timer| timer.0 == tag) {
            timer.1 = until;
            return false;
        }
        self.timers.push((tag, until));
        true
    }

    /// Forgets the timers of a tag.
    pub fn cancel(&mut self, tag: TagId) {
        self.timers.retain(|timer| timer.0 != tag);
    }

    /// Moves the clock; returns the tags whose timer ran out, in the order in which the timers were started.
    pub fn advance(&mut self, dt: f64) -> Vec<TagId> {
        self.now += dt;
        let now = self.now;
        let mut gone = Vec::new();
        self.timers.retain(|(tag, until)| {
            let over = expired(now, *until);
            if over {
                gone.push(*tag);
            }
            !over
        });
        gone
    }

    /// Tags with the seconds left, in the order in which the timers were started.
    pub fn remaining(&self) -> impl Iterator<Item = (TagId, f64)> {
        self.timers.iter().map(|(tag, until)| (*tag, (until - self.now).max(0.0)))
    }

    /// True when no timer runs.
    pub fn is_empty(&self) -> bool {
        self.timers.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::TagTable;
    use super::*;

    #[test]
    fn a_timer_restarts_and_runs_out_once() {
        let mut table = TagTable::new();
        let tag = table.intern("World.Boss.Casting").unwrap();
        let mut timed = TimedTags::new();
        assert!(timed.restart(tag, 1.0));
        assert!(timed.advance(0.9).is_empty());
        assert!(!timed.restart(tag, 1.0));
        assert!(timed.advance(0.9).is_empty());
        assert_eq!(timed.advance(0.1), vec![tag]);
        assert!(timed.advance(5.0).is_empty());
    }
}
