//! Gates of a node.

use std::sync::Arc;

use super::world::{Needs, PartsWorld};
use crate::action::TagsOf;
use crate::tags::{TagId, TagSet};

/// Tags that have to be there, and tags that must not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TagLists {
    /// All of these.
    pub required: Vec<TagId>,
    /// None of these.
    pub blocked: Vec<TagId>,
}

/// The same, and whose tags they are.
#[derive(Clone, Debug, PartialEq)]
pub struct TagTest {
    /// Whose. Without a target one that looks at the target passes.
    pub of: TagsOf,
    /// All of these.
    pub required: Vec<TagId>,
    /// None of these.
    pub blocked: Vec<TagId>,
}

impl TagTest {
    /// True if all required tags are there and no blocked one is.
    pub fn fits(tags: &TagSet, required: &[TagId], blocked: &[TagId]) -> bool {
        required.iter().all(|tag| tags.matches(*tag)) && !tags.matches_any(blocked)
    }

    fn passes(&self, world: &PartsWorld) -> bool {
        let tags = match self.of {
            TagsOf::Agent => Some(world.tags),
            TagsOf::Target => world.target.map(|target| target.tags),
            TagsOf::World => Some(world.world_tags),
        };
        tags.is_none_or(|tags| Self::fits(tags, &self.required, &self.blocked))
    }
}

/// A gate of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphGatePlan {
    /// The tags it looks at; `None`: it is asked.
    pub tags: Option<TagTest>,
    /// While it is closed, transitions into the node do not compete.
    pub hides: bool,
    /// For explanations.
    pub label: Arc<str>,
}

impl GraphGatePlan {
    /// True is open; `None`: it has to be asked.
    pub fn open(&self, world: &PartsWorld) -> Option<bool> {
        self.tags.as_ref().map(|test| test.passes(world))
    }

    /// It is closed, and transitions into its node do not compete.
    pub fn hides(&self, world: &PartsWorld) -> bool {
        self.hides && self.open(world) == Some(false)
    }

    /// Says what is looked at.
    pub fn collect(&self, needs: &mut Needs) {
        match self.tags.as_ref().map(|test| test.of) {
            Some(TagsOf::Target) => needs.target = true,
            Some(TagsOf::World) => needs.world_tags = true,
            Some(TagsOf::Agent) | None => {}
        }
    }
}
