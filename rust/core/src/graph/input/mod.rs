//! What a player's devices do, as inputs of a moveset.
//!
//! Device events are recorded when they come ([`Recorder::record`]) and become inputs in the next tick, one event after the other
//! ([`Recorder::feed`]). Time that passes completes hold triggers and sends presses that were held back for a chord
//! ([`Recorder::next_boundary`], [`Recorder::reach`]). What is to be walked comes out of [`Recorder::next_entry`].

mod hands;
mod held;
mod keys;
mod plan;
mod pressing;
mod queue;
mod recorder;
mod saved;
mod sequence;

pub use hands::{SourceId, Strength};
pub use plan::{InputPlan, InputPolicy, InputSpec, MAX_PARTS, SequenceSpec, Stay, Step, Stick, Trigger};
pub use queue::{DeviceEvent, QUEUE_LENGTH, Recorded};
pub use recorder::{Entry, Pushed, Recorder};
pub use saved::{SavedHeld, SavedHold, SavedInput};
