//! A set of tags, ready to be asked by hierarchy.

use super::{TagId, TagTable};

/// Tags in the order given, and their closure: every tag with all its ancestors, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagSet {
    tags: Vec<TagId>,
    closure: Vec<TagId>,
}

impl TagSet {
    /// The set of these tags; duplicates count once.
    pub fn new(table: &TagTable, tags: impl IntoIterator<Item = TagId>) -> Self {
        let mut set = Self::default();
        set.assign(table, tags);
        set
    }

    /// Replaces the content, keeping the memory.
    pub fn assign(&mut self, table: &TagTable, tags: impl IntoIterator<Item = TagId>) {
        self.tags.clear();
        self.closure.clear();
        for tag in tags {
            if !self.tags.contains(&tag) {
                self.tags.push(tag);
                self.closure.extend_from_slice(table.lineage(tag));
            }
        }
        self.closure.sort_unstable();
        self.closure.dedup();
    }

    /// True if any tag of the set is `query` or a descendant of it.
    pub fn matches(&self, query: TagId) -> bool {
        self.closure.binary_search(&query).is_ok()
    }

    /// True if any of the queries matches.
    pub fn matches_any(&self, queries: &[TagId]) -> bool {
        queries.iter().any(|query| self.matches(*query))
    }

    /// The tags themselves, in the order given.
    pub fn tags(&self) -> &[TagId] {
        &self.tags
    }

    /// True when there is no tag.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_by_hierarchy() {
        let mut table = TagTable::new();
        let red = table.intern("Team.Red").unwrap();
        let team = table.intern("Team").unwrap();
        let blue = table.intern("Team.Blue").unwrap();
        let set = TagSet::new(&table, [red, red]);
        assert_eq!(set.tags(), [red]);
        assert!(set.matches(team) && set.matches(red) && !set.matches(blue));
        assert!(set.matches_any(&[blue, team]) && !set.matches_any(&[]));
        assert!(!TagSet::new(&table, [team]).matches(red));
    }
}
