//! Moving while acting: steering a body to a target in a window of time, and keeping it on its ledge. Plain maths.

mod holds;
mod ledge;
mod markers;
mod warp;

pub use holds::Holds;
pub use ledge::{PROBES, constrained, is_ground_movement, tries};
pub use markers::{MarkedWindow, WindowChange, WindowTrack, marked_windows};
pub use warp::{Ended, Leading, Warp, WarpLimits, WarpTarget};
