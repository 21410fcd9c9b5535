//! What an agent owns beside its senses and actions: tags, vitals, and numbers that the game keeps elsewhere.
//!
//! The functions here read an agent's data by instance id, without a bind. `read_…` functions hold a lock while
//! they call: inside, nothing of the engine may be called.

mod agent_vital;
mod agent_vitals;
#[cfg_attr(not(debug_assertions), allow(dead_code, reason = "read by attribute scorers, gates and bindings"))]
pub(crate) mod attributes;
pub(crate) mod facing;
pub(crate) mod health;
#[cfg(debug_assertions)]
mod probe;
pub(crate) mod providers;
mod tag_container;
mod tag_state;
mod vital_state;
mod world_mirror;
mod world_tags;
mod world_tags_sync;

pub use agent_vital::AgentVital;
pub(crate) use agent_vitals::change_vital;
pub use tag_container::TagContainer;
pub(crate) use tag_state::{
    TagStamp, add_tags, exchange_tags, has_container, read_tags, remove_tags, tag_epoch,
};
pub(crate) use vital_state::{read_vital, read_vital_at, vitals_of};
pub use world_tags::WorldTags;
pub(crate) use world_tags::read_world_tags;
