//! The tags that one agent owns: counted, some for a time, with the net change since it was last told.

use super::{TagChange, TagCounts, TagId, TagSet, TagTable, TimedTags};

/// Tags that came and went since the last [`OwnedTags::take_changes`]; what came and went again is in neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagChanges {
    /// Owned now and not before, in the order of coming.
    pub added: Vec<TagId>,
    /// Owned before and not now, in the order of going.
    pub removed: Vec<TagId>,
}

impl TagChanges {
    /// True when nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    /// Takes one more change into account.
    pub fn note(&mut self, tag: TagId, change: TagChange) {
        let (cancels, counts) = match change {
            TagChange::Added => (&mut self.removed, &mut self.added),
            TagChange::Removed => (&mut self.added, &mut self.removed),
            TagChange::None => return,
        };
        match cancels.iter().position(|other| *other == tag) {
            Some(at) => {
                cancels.remove(at);
            }
            None => counts.push(tag),
        }
    }
}

/// Counted tags of one agent.
#[derive(Clone, Debug, Default)]
pub struct OwnedTags {
    counts: TagCounts,
    timed: TimedTags,
    changes: TagChanges,
}

impl OwnedTags {
    /// No tags.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the count of a tag.
    pub fn add(&mut self, table: &TagTable, tag: TagId, count: u32) {
        let change = self.counts.add(table, tag, count);
        self.changes.note(tag, change);
    }

    /// Lowers the count of a tag, to zero at the lowest. A tag never has more timers than its count: those
    /// that end first go first.
    pub fn remove(&mut self, table: &TagTable, tag: TagId, count: u32) {
        let change = self.counts.remove(table, tag, count);
        self.changes.note(tag, change);
        self.timed.limit(tag, self.counts.count(tag));
    }

    /// Raises the count by one and lowers it again after a time.
    pub fn add_for(&mut self, table: &TagTable, tag: TagId, seconds: f64) {
        self.add(table, tag, 1);
        self.timed.add(tag, seconds);
    }

    /// Moves the clock of the timers.
    pub fn advance(&mut self, table: &TagTable, dt: f64) {
        for tag in self.timed.advance(dt) {
            let change = self.counts.remove(table, tag, 1);
            self.changes.note(tag, change);
        }
    }

    /// The owned tags, ready to be matched.
    pub fn set(&self) -> &TagSet {
        self.counts.set()
    }

    /// The count of exactly this tag.
    pub fn count(&self, tag: TagId) -> u32 {
        self.counts.count(tag)
    }

    /// Owned tags with their counts, oldest first.
    pub fn entries(&self) -> &[(TagId, u32)] {
        self.counts.entries()
    }

    /// Tags with the seconds left on a timer, in the order in which the timers were started.
    pub fn timers(&self) -> impl Iterator<Item = (TagId, f64)> {
        self.timed.remaining()
    }

    /// Changes whenever the set of owned tags does.
    pub fn version(&self) -> u64 {
        self.counts.version()
    }

    /// True while a timer runs: only then there is something to advance.
    pub fn is_timing(&self) -> bool {
        !self.timed.is_empty()
    }

    /// True if there is a change to tell.
    pub fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The net change since the last call.
    pub fn take_changes(&mut self) -> TagChanges {
        std::mem::take(&mut self.changes)
    }

    /// Replaces everything, without a change to tell. Timers beyond a tag's count are left out.
    pub fn restore(&mut self, table: &TagTable, counts: &[(TagId, u32)], timers: &[(TagId, f64)]) {
        let held: Vec<TagId> = self.counts.entries().iter().map(|entry| entry.0).collect();
        for tag in held {
            self.counts.remove(table, tag, u32::MAX);
        }
        for (tag, count) in counts {
            self.counts.add(table, *tag, *count);
        }
        self.timed = TimedTags::new();
        for (tag, seconds) in timers {
            self.timed.add(*tag, *seconds);
        }
        for (tag, _) in timers {
            self.timed.limit(*tag, self.counts.count(*tag));
        }
        self.changes = TagChanges::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> (TagTable, TagId, TagId) {
        let mut table = TagTable::new();
        let burning = table.intern("State.Burning").unwrap();
        let wet = table.intern("State.Wet").unwrap();
        (table, burning, wet)
    }

    #[test]
    fn what_comes_and_goes_is_no_change() {
        let (table, burning, wet) = table();
        let mut tags = OwnedTags::new();
        tags.add(&table, burning, 1);
        tags.add(&table, wet, 2);
        tags.remove(&table, burning, 1);
        tags.remove(&table, wet, 1);
        assert_eq!(tags.take_changes(), TagChanges { added: vec![wet], removed: vec![] });
        tags.remove(&table, wet, 1);
        tags.add(&table, wet, 1);
        assert!(!tags.has_changes());
        tags.remove(&table, wet, 1);
        assert_eq!(tags.take_changes(), TagChanges { added: vec![], removed: vec![wet] });
    }

    #[test]
    fn each_timer_releases_one_count() {
        let (table, burning, _) = table();
        let mut tags = OwnedTags::new();
        tags.add(&table, burning, 1);
        tags.add_for(&table, burning, 1.0);
        tags.add_for(&table, burning, 2.0);
        tags.take_changes();
        tags.advance(&table, 1.0);
        assert_eq!((tags.count(burning), tags.is_timing()), (2, true));
        tags.advance(&table, 1.0);
        assert_eq!((tags.count(burning), tags.is_timing()), (1, false));
        assert!(!tags.has_changes());
    }

    #[test]
    fn a_timer_never_releases_what_another_holds() {
        let (table, burning, _) = table();
        let mut tags = OwnedTags::new();
        tags.add_for(&table, burning, 1.0);
        tags.remove(&table, burning, 1);
        tags.add(&table, burning, 1);
        tags.advance(&table, 5.0);
        assert_eq!(tags.count(burning), 1);

        tags.add_for(&table, burning, 1.0);
        tags.add_for(&table, burning, 9.0);
        tags.remove(&table, burning, 2);
        assert_eq!(tags.timers().map(|(_, left)| left).collect::<Vec<_>>(), vec![9.0]);
    }

    #[test]
    fn restoring_replaces_and_tells_nothing() {
        let (table, burning, wet) = table();
        let mut tags = OwnedTags::new();
        tags.add(&table, burning, 3);
        let version = tags.version();
        tags.restore(&table, &[(wet, 2)], &[(wet, 1.0), (burning, 1.0)]);
        assert_eq!(tags.entries(), [(wet, 2)]);
        assert_eq!(tags.timers().collect::<Vec<_>>(), vec![(wet, 1.0)]);
        assert!(!tags.has_changes() && tags.version() != version);
    }
}
