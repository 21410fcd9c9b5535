//! Movesets: which move follows which input, and when.

pub mod direction;
mod moment;
pub mod parts;
mod windows;
mod windows_read;

pub use moment::Moment;
pub use windows::{MoveTimes, Window};
pub use windows_read::{
    AnimationFacts, AuthoredWindow, MoveReading, SectionNames, WindowKey, WindowProblem, read_move,
};
