//! Abilities: what an agent was granted, and what of it runs.
//!
//! The order of a start and an end is decided in `riposte_core::ability`; `driver` performs its steps with nothing held.
//! What others do with abilities goes through the functions of `access`, by instance id.

mod ability_api;
mod ability_constants;
mod ability_saving;
mod ability_system;
#[allow(dead_code, reason = "called by execution methods and tree tasks")]
pub(crate) mod access;
mod definition;
mod driver;
mod gameplay_ability;
mod granting;
mod state;

pub use ability_system::AbilitySystem;
pub use gameplay_ability::GameplayAbility;
pub use riposte_core::ability::AbilityEnd;
