//! Tags of the world: not counted; each stays for good, for a time, or until a sentinel is added.

use super::{TagChange, TagChanges, TagCounts, TagId, TagSet, TagTable, TimedTags};

/// How long a tag stays that is added now. The last addition decides.
#[derive(Clone, Debug, PartialEq)]
pub enum Stay {
    /// Until it is removed.
    Permanent,
    /// For some seconds from now.
    For(f64),
    /// Until a tag is added that one of these queries matches.
    Until(Vec<TagId>),
}

/// The global tags.
#[derive(Clone, Debug, Default)]
pub struct WorldTags {
    counts: TagCounts,
    timed: TimedTags,
    sentinels: Vec<(TagId, Vec<TagId>)>,
}

impl WorldTags {
    /// No tags.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tag, or changes how long it stays. It is a sentinel for the others.
    pub fn add(&mut self, table: &TagTable, tag: TagId, stay: Stay) -> TagChanges {
        let mut changes = TagChanges::default();
        self.forget_stay(tag);
        let over: Vec<TagId> = self
            .sentinels
            .iter()
            .filter(|(_, queries)| queries.iter().any(|query| table.matches(*query, tag)))
            .map(|(held, _)| *held)
            .collect();
        if self.counts.count(tag) == 0 {
            changes.note(tag, self.counts.add(table, tag, 1));
        }
        match stay {
            Stay::Permanent => {}
            Stay::For(seconds) => self.timed.add(tag, seconds),
            Stay::Until(queries) => self.sentinels.push((tag, queries)),
        }
        for held in over {
            changes.note(held, self.take(table, held));
        }
        changes
    }

    /// Removes a tag.
    pub fn remove(&mut self, table: &TagTable, tag: TagId) -> TagChanges {
        let mut changes = TagChanges::default();
        changes.note(tag, self.take(table, tag));
        changes
    }

    /// Moves the clock of the timers.
    pub fn advance(&mut self, table: &TagTable, dt: f64) -> TagChanges {
        let mut changes = TagChanges::default();
        for tag in self.timed.advance(dt) {
            changes.note(tag, self.counts.remove(table, tag, 1));
        }
        changes
    }

    /// The tags, ready to be matched.
    pub fn set(&self) -> &TagSet {
        self.counts.set()
    }

    /// Changes whenever the set does.
    pub fn version(&self) -> u64 {
        self.counts.version()
    }

    /// True while a timer runs: only then there is something to advance.
    pub fn is_timing(&self) -> bool {
        !self.timed.is_empty()
    }

    /// Each tag with how long it still stays, oldest first.
    pub fn entries(&self) -> Vec<(TagId, Stay)> {
        self.set().tags().iter().map(|tag| (*tag, self.stay(*tag))).collect()
    }

    /// Replaces everything.
    pub fn restore(&mut self, table: &TagTable, entries: Vec<(TagId, Stay)>) {
        for tag in self.set().tags().to_vec() {
            self.take(table, tag);
        }
        for (tag, stay) in entries {
            // Not by `add`: a restored tag is no sentinel for another.
            self.forget_stay(tag);
            if self.counts.count(tag) == 0 {
                self.counts.add(table, tag, 1);
            }
            match stay {
                Stay::Permanent => {}
                Stay::For(seconds) => self.timed.add(tag, seconds),
                Stay::Until(queries) => self.sentinels.push((tag, queries)),
            }
        }
    }

    fn stay(&self, tag: TagId) -> Stay {
        if let Some((_, left)) = self.timed.remaining().find(|timer| timer.0 == tag) {
            return Stay::For(left);
        }
        match self.sentinels.iter().find(|entry| entry.0 == tag) {
            Some((_, queries)) => Stay::Until(queries.clone()),
            None => Stay::Permanent,
        }
    }

    fn take(&mut self, table: &TagTable, tag: TagId) -> TagChange {
        self.forget_stay(tag);
        self.counts.remove(table, tag, 1)
    }

    fn forget_stay(&mut self, tag: TagId) {
        self.timed.cancel(tag);
        self.sentinels.retain(|entry| entry.0 != tag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixture {
        table: TagTable,
        boss: TagId,
        casting: TagId,
        down: TagId,
        event: TagId,
    }

    fn fixture() -> Fixture {
        let mut table = TagTable::new();
        let [boss, casting, down, event] =
            ["World.Boss", "World.Boss.Casting", "Event.Boss.Down", "Event.Boss"]
                .map(|name| table.intern(name).unwrap());
        Fixture { table, boss, casting, down, event }
    }

    #[test]
    fn a_timer_restarts_when_the_tag_is_added_again() {
        let f = fixture();
        let mut world = WorldTags::new();
        world.add(&f.table, f.casting, Stay::For(1.0));
        world.advance(&f.table, 0.9);
        assert!(world.add(&f.table, f.casting, Stay::For(1.0)).is_empty());
        assert!(world.advance(&f.table, 0.9).is_empty());
        assert_eq!(world.advance(&f.table, 0.1).removed, vec![f.casting]);
        assert!(!world.set().matches(f.boss));
    }

    #[test]
    fn the_last_addition_decides_how_long_a_tag_stays() {
        let f = fixture();
        let mut world = WorldTags::new();
        world.add(&f.table, f.casting, Stay::For(1.0));
        world.add(&f.table, f.casting, Stay::Permanent);
        assert!(world.advance(&f.table, 5.0).is_empty() && !world.is_timing());
        world.add(&f.table, f.casting, Stay::Until(vec![f.down]));
        world.add(&f.table, f.casting, Stay::For(1.0));
        assert!(world.add(&f.table, f.down, Stay::Permanent).removed.is_empty());
        assert_eq!(world.advance(&f.table, 1.0).removed, vec![f.casting]);
    }

    #[test]
    fn a_sentinel_is_a_query_and_ends_a_tag_in_the_same_change() {
        let f = fixture();
        let mut world = WorldTags::new();
        world.add(&f.table, f.casting, Stay::Until(vec![f.event]));
        world.add(&f.table, f.boss, Stay::Until(vec![f.down]));
        let changes = world.add(&f.table, f.down, Stay::Permanent);
        assert_eq!(changes, TagChanges { added: vec![f.down], removed: vec![f.casting, f.boss] });
        // Added again, a sentinel works again.
        world.add(&f.table, f.casting, Stay::Until(vec![f.event]));
        assert_eq!(world.add(&f.table, f.down, Stay::Permanent).removed, vec![f.casting]);
    }

    #[test]
    fn a_tag_is_no_sentinel_of_itself() {
        let f = fixture();
        let mut world = WorldTags::new();
        world.add(&f.table, f.casting, Stay::Until(vec![f.casting]));
        world.add(&f.table, f.casting, Stay::Until(vec![f.casting]));
        assert!(world.set().matches(f.casting));
    }

    #[test]
    fn restoring_gives_back_what_entries_told() {
        let f = fixture();
        let mut world = WorldTags::new();
        world.add(&f.table, f.boss, Stay::Permanent);
        world.add(&f.table, f.casting, Stay::For(2.0));
        world.add(&f.table, f.event, Stay::Until(vec![f.down]));
        world.advance(&f.table, 0.5);
        let mut other = WorldTags::new();
        other.add(&f.table, f.down, Stay::Permanent);
        other.restore(&f.table, world.entries());
        assert_eq!(other.entries(), world.entries());
        assert_eq!(other.advance(&f.table, 1.5).removed, vec![f.casting]);
    }
}
