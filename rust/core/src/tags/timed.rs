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

    /// Forgets the timers of a tag.
    pub fn cancel(&mut self, tag: TagId) {
        self.timers.retain(|timer| timer.0 != tag);
    }

    /// Leaves the tag at most `count` timers: those that end first go.
    pub fn limit(&mut self, tag: TagId, count: u32) {
        let running = |timers: &[(TagId, f64)]| timers.iter().filter(|timer| timer.0 == tag).count();
        while running(&self.timers) > count as usize {
            let own = self.timers.iter().enumerate().filter(|(_, timer)| timer.0 == tag);
            let Some((first, _)) = own.min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1)) else { return };
            self.timers.remove(first);
        }
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
    fn timers_of_one_tag_run_out_one_by_one() {
        let mut table = TagTable::new();
        let tag = table.intern("State.Burning").unwrap();
        let mut timed = TimedTags::new();
        timed.add(tag, 2.0);
        timed.add(tag, 1.0);
        assert_eq!(timed.advance(1.0), vec![tag]);
        assert!(timed.advance(0.9).is_empty());
        assert_eq!(timed.advance(0.1), vec![tag]);
        assert!(timed.advance(5.0).is_empty());
    }

    #[test]
    fn a_limit_drops_what_ends_first() {
        let mut table = TagTable::new();
        let [tag, other] = ["A", "B"].map(|name| table.intern(name).unwrap());
        let mut timed = TimedTags::new();
        for (tag, seconds) in [(tag, 3.0), (other, 0.5), (tag, 1.0), (tag, 2.0)] {
            timed.add(tag, seconds);
        }
        timed.limit(tag, 2);
        assert_eq!(timed.remaining().collect::<Vec<_>>(), vec![(tag, 3.0), (other, 0.5), (tag, 2.0)]);
    }
}
