//! Behaviours that run step by step and say how they stand: nodes with three hooks, and behaviour trees of other addons.
//!
//! What a runner is told and what it says are the same whoever owns it: a sequence of trees that runs an action, or a
//! layer of a stack.

mod life;
mod sequence;
mod status;

pub use life::RunnerLife;
pub use sequence::{SequenceNext, SequenceStep, TreeSequence};
pub use status::{ExitReason, RunnerKind, RunnerStatus};
