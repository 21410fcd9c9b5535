//! Perception, driven as the engine side drives it, with a table instead of rays.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod budget;
mod custom;
mod detection;
mod examples_lives;
mod examples_memory;
mod examples_reports;
mod examples_schedule;
mod examples_sight;

mod play;
mod properties;
mod rules_changes;
mod rules_lives;
mod rules_reports;
mod rules_scan;
mod saving;
mod scene;
mod sensed;
mod stances;
mod workers;
