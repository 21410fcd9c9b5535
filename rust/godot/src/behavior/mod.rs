//! Layers of behaviour of an agent: which one runs, and what it is told.
//!
//! The order of hooks and signals is decided in `riposte_core::behavior`; `driver` performs its steps with nothing held.

pub(crate) mod access;
mod behavior_stack;
mod behavior_stack_api;
mod behavior_stack_execution;
mod behavior_state;
mod driver;
mod logging;
mod properties;
mod saving;
mod setting;
mod state;
mod warnings;

pub use behavior_stack::BehaviorStack;
pub use behavior_stack_execution::BehaviorStackExecution;
pub use behavior_state::BehaviorState;
