//! The interner.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

/// An interned tag. Only meaningful with the table that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TagId(NonZeroU32);

impl TagId {
    /// One of 64 bits. Two tags may have the same one: for a quick no.
    pub(crate) fn bit(self) -> u64 {
        1 << (self.0.get() % 64)
    }

    fn at(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Why a name is no tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagError {
    /// The name is empty.
    Empty,
    /// Two dots in a row, or a dot at an end.
    EmptySegment(String),
    /// A blank or control character.
    Blank(String),
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a tag name is empty"),
            Self::EmptySegment(name) => {
                write!(f, "tag \"{name}\" has an empty segment; write names like Team.Red")
            }
            Self::Blank(name) => write!(f, "tag \"{name}\" has a blank; write names like Team.Red"),
        }
    }
}

impl std::error::Error for TagError {}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    /// The tag itself, then its parent, up to the root.
    lineage: Vec<TagId>,
}

/// All tags seen so far. Grows only; ids stay valid as long as the table lives.
#[derive(Clone, Debug, Default)]
pub struct TagTable {
    entries: Vec<Entry>,
    ids: BTreeMap<String, TagId>,
}

impl TagTable {
    /// An empty table.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), ids: BTreeMap::new() }
    }

    /// Checks a name without interning it.
    pub fn validate(name: &str) -> Result<(), TagError> {
        if name.is_empty() {
            return Err(TagError::Empty);
        }
        if name.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(TagError::Blank(name.to_owned()));
        }
        if name.split('.').any(str::is_empty) {
            return Err(TagError::EmptySegment(name.to_owned()));
        }
        Ok(())
    }

    /// The id of a name, new or known; ancestors are interned with it.
    pub fn intern(&mut self, name: &str) -> Result<TagId, TagError> {
        if let Some(id) = self.ids.get(name) {
            return Ok(*id);
        }
        Self::validate(name)?;
        let mut lineage = match name.rfind('.') {
            Some(dot) => {
                let parent = self.intern(&name[..dot])?;
                self.lineage(parent).to_vec()
            }
            None => Vec::new(),
        };
        let id = TagId(NonZeroU32::MIN.saturating_add(self.entries.len() as u32));
        lineage.insert(0, id);
        self.entries.push(Entry { name: name.to_owned(), lineage });
        self.ids.insert(name.to_owned(), id);
        Ok(id)
    }

    /// The id of a name that was interned before.
    pub fn find(&self, name: &str) -> Option<TagId> {
        self.ids.get(name).copied()
    }

    /// The full name.
    pub fn name(&self, tag: TagId) -> &str {
        &self.entries[tag.at()].name
    }

    /// The tag itself, then its ancestors, nearest first.
    pub fn lineage(&self, tag: TagId) -> &[TagId] {
        &self.entries[tag.at()].lineage
    }

    /// True if a query for `query` matches `tag`: the same tag or a descendant of it.
    pub fn matches(&self, query: TagId, tag: TagId) -> bool {
        self.lineage(tag).contains(&query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_matches_descendants_only() {
        let mut table = TagTable::new();
        let red = table.intern("Team.Red").unwrap();
        let team = table.intern("Team").unwrap();
        let tea = table.intern("Tea").unwrap();
        assert!(table.matches(team, red));
        assert!(table.matches(red, red));
        assert!(!table.matches(red, team));
        assert!(!table.matches(tea, team));
        assert_eq!(table.name(table.lineage(red)[1]), "Team");
    }

    #[test]
    fn bad_names_are_refused_and_leave_nothing_behind() {
        let mut table = TagTable::new();
        assert_eq!(table.intern(""), Err(TagError::Empty));
        for name in [".A", "A.", "A..B"] {
            assert_eq!(table.intern(name), Err(TagError::EmptySegment(name.into())));
        }
        for name in ["A B", "A.\tB", "A. B"] {
            assert_eq!(table.intern(name), Err(TagError::Blank(name.into())));
        }
        assert_eq!(table.find("A"), None);
    }
}
