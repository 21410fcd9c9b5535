//! Counted tags: two holders of one tag release it independently.

use super::{TagId, TagSet, TagTable};

/// What a change did to the set of tags (not to their counts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagChange {
    /// The tag is owned now and was not before.
    Added,
    /// The tag is not owned any more.
    Removed,
    /// Only the count changed, or nothing did.
    None,
}

/// Tags with a count each; a tag is owned while its count is above zero.
#[derive(Clone, Debug, Default)]
pub struct TagCounts {
    /// In the order in which the tags came to be owned.
    counts: Vec<(TagId, u32)>,
    set: TagSet,
    version: u64,
}

impl TagCounts {
    /// No tags.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises a count (saturating).
    pub fn add(&mut self, table: &TagTable, tag: TagId, count: u32) -> TagChange {
        if count == 0 {
            return TagChange::None;
        }
        if let Some(entry) = self.counts.iter_mut().find(|entry| entry.0 == tag) {
            entry.1 = entry.1.saturating_add(count);
            return TagChange::None;
        }
        self.counts.push((tag, count));
        self.set.insert(table, tag);
        self.version += 1;
        TagChange::Added
    }

    /// Lowers a count, to zero at the lowest.
    pub fn remove(&mut self, table: &TagTable, tag: TagId, count: u32) -> TagChange {
        let Some(at) = self.counts.iter().position(|entry| entry.0 == tag) else {
            return TagChange::None;
        };
        self.counts[at].1 = self.counts[at].1.saturating_sub(count);
        if self.counts[at].1 > 0 {
            return TagChange::None;
        }
        self.counts.remove(at);
        self.set.remove(table, tag);
        self.version += 1;
        TagChange::Removed
    }

    /// The count of exactly this tag (descendants do not add to it).
    pub fn count(&self, tag: TagId) -> u32 {
        self.counts.iter().find(|entry| entry.0 == tag).map_or(0, |entry| entry.1)
    }

    /// The owned tags, ready to be matched.
    pub fn set(&self) -> &TagSet {
        &self.set
    }

    /// Owned tags with their counts, oldest first.
    pub fn entries(&self) -> &[(TagId, u32)] {
        &self.counts
    }

    /// Changes whenever the set of owned tags does: a cheap "is my copy still right".
    pub fn version(&self) -> u64 {
        self.version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_holders_release_independently() {
        let mut table = TagTable::new();
        let tag = table.intern("State.MovementBlocked").unwrap();
        let state = table.intern("State").unwrap();
        let mut counts = TagCounts::new();
        assert_eq!(counts.add(&table, tag, 1), TagChange::Added);
        assert_eq!(counts.add(&table, tag, 1), TagChange::None);
        assert_eq!(counts.remove(&table, tag, 1), TagChange::None);
        assert!(counts.set().matches(state));
        assert_eq!(counts.count(tag), 1);
        assert_eq!(counts.count(state), 0);
        assert_eq!(counts.remove(&table, tag, 5), TagChange::Removed);
        assert_eq!(counts.remove(&table, tag, 1), TagChange::None);
        assert!(counts.set().is_empty());
    }
}
