//! Movesets: the resources that describe them, and the node that plays them.
#![allow(dead_code, reason = "the driver calls it")]

mod action_payload;
mod action_run;
mod action_window;
mod animation_plan;
mod binding;
mod delay_payload;
mod facts;
mod findings;
mod hold_payload;
mod payload_parts;
mod play_animation_payload;
mod playback;
mod playback_player;
mod playback_tree;
mod preload;
mod run_parts;
mod scripted_payload;
mod trigger_payload;

pub use action_payload::ActionPayload;
pub use action_run::ActionRun;
pub use action_window::ActionWindow;
pub use delay_payload::DelayPayload;
pub use hold_payload::HoldPayload;
pub use play_animation_payload::PlayAnimationPayload;
pub use trigger_payload::TriggerPayload;
