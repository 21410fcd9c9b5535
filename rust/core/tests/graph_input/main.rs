//! The recorder of a player's devices.

mod chords;
mod examples;
mod hands;
mod pauses;
mod properties;
mod sequences;
mod stage;
