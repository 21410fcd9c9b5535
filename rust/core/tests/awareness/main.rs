//! Awareness on top of perception, driven as the engine side drives both.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../perception/scene.rs"]
#[allow(dead_code, unused_imports, reason = "shared with the tests of perception")]
mod scene;

mod examples_attention;
mod examples_confidence;
mod examples_others;
mod examples_threat;
mod play;
mod properties;
mod rules;
mod rules_attention;
mod rules_time;
mod stage;
