//! Abilities of one agent: what is granted, what runs, and in which order a start and an end go.
//!
//! Like evaluations and runs of actions, starts and ends are machines: [`Abilities::next`] names the next step, the
//! caller performs it with nothing held, and whatever scripts do in it (start, end, revoke) comes back as other calls.

mod ending;
mod plan;
mod starting;
mod state;

pub use plan::{AbilityPlan, AbilityRefusal};
pub use state::{Abilities, AbilityEnd, Activation, EndRequest, Grants, JobId, Request, Step};
