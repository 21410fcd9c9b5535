//! Perception, driven as the engine side drives it, with a table instead of rays.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod examples;
mod properties;
mod rules;
mod scene;
mod sensed;
