//! Movesets: the resources that describe them, and the node that plays them.

mod action_run;
mod action_window;
mod animation_plan;
mod binding;
mod delay_payload;
mod facts;
mod hold_payload;
mod nodes;
mod play_animation_payload;
mod playback;
mod playback_player;
mod playback_tree;
mod run_parts;
mod trigger_payload;

pub use action_run::ActionRun;
pub use action_window::ActionWindow;
pub use delay_payload::DelayPayload;
pub use hold_payload::HoldPayload;
pub use play_animation_payload::PlayAnimationPayload;
pub use trigger_payload::TriggerPayload;
