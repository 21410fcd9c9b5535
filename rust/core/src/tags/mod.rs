//! Gameplay tags: dotted names compared by hierarchy, interned to integers.
//!
//! A query for `Team` matches `Team.Red`; `Team.Red` does not match `Team`. Strings are touched when a tag is
//! interned, never when tags are matched: a [`TagSet`] holds each of its tags together with all ancestors, so
//! "does any tag match this query" is one search for an integer.

mod closest;
mod counts;
mod owned;
mod set;
mod table;
mod timed;
mod world;

pub use closest::closest_name;
pub use counts::{TagChange, TagCounts};
pub use owned::{OwnedTags, TagChanges};
pub use set::TagSet;
pub use table::{TagError, TagId, TagTable};
pub use timed::TimedTags;
pub use world::{Stay, WorldTags};
