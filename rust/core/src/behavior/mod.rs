//! Layers of behaviour of one agent: which behaviour is active, and when each one enters, rests and leaves.
//!
//! Like starts and ends of abilities, a turn is a machine: [`BehaviorStack::take_step`] names the next step, the caller
//! performs it with nothing held, and whatever scripts do in it (set, remove, finish) changes the layers at once while
//! its own steps follow after those already begun.

mod layers;
mod stack;
mod turn;

pub use layers::LayerId;
pub use stack::{BehaviorStack, RouteId, SetRefusal};
pub use turn::{Signal, Step};
