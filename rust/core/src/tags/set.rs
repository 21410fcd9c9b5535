//! A set of tags, ready to be asked by hierarchy.

use super::{TagId, TagTable};

/// Tags in the order given, and their closure: every tag with all its ancestors, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TagSet {
    tags: Vec<TagId>,
    closure: Vec<TagId>,
    /// Beside `closure`: how many of the tags are it or below it.
    holders: Vec<u32>,
}

impl Clone for TagSet {
    fn clone(&self) -> Self {
        let Self { tags, closure, holders } = self;
        Self { tags: tags.clone(), closure: closure.clone(), holders: holders.clone() }
    }

    /// In the memory that is there: sets are copied in every decision that scripts look at.
    fn clone_from(&mut self, source: &Self) {
        self.tags.clone_from(&source.tags);
        self.closure.clone_from(&source.closure);
        self.holders.clone_from(&source.holders);
    }
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
        self.holders.clear();
        for tag in tags {
            if !self.tags.contains(&tag) {
                self.insert(table, tag);
            }
        }
    }

    /// Adds a tag that is not in the set.
    pub(super) fn insert(&mut self, table: &TagTable, tag: TagId) {
        self.tags.push(tag);
        for ancestor in table.lineage(tag) {
            match self.closure.binary_search(ancestor) {
                Ok(at) => self.holders[at] += 1,
                Err(at) => {
                    self.closure.insert(at, *ancestor);
                    self.holders.insert(at, 1);
                }
            }
        }
    }

    /// Takes a tag out.
    pub(super) fn remove(&mut self, table: &TagTable, tag: TagId) {
        let Some(at) = self.tags.iter().position(|known| *known == tag) else { return };
        self.tags.remove(at);
        for ancestor in table.lineage(tag) {
            let Ok(at) = self.closure.binary_search(ancestor) else { continue };
            self.holders[at] -= 1;
            if self.holders[at] == 0 {
                self.closure.remove(at);
                self.holders.remove(at);
            }
        }
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

    #[test]
    fn adding_and_removing_gives_what_building_gives() {
        let mut table = TagTable::new();
        let names = ["Team", "Team.Red", "Team.Red.Scout", "Team.Blue", "State.Low", "State"];
        let tags = names.map(|name| table.intern(name).unwrap());
        let mut set = TagSet::default();
        let mut held: Vec<TagId> = Vec::new();
        for n in 0..400u64 {
            let tag = tags[(crate::random::mix(n) % 6) as usize];
            if held.contains(&tag) {
                held.retain(|known| *known != tag);
                set.remove(&table, tag);
            } else {
                held.push(tag);
                set.insert(&table, tag);
            }
            assert_eq!(set, TagSet::new(&table, held.iter().copied()));
        }
    }
}
