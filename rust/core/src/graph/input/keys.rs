//! One input between down and up.

use glam::DVec2;

/// Where an input is on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Stage {
    /// Nothing of it was sent, or its release was.
    #[default]
    Up,
    /// Down, and held back until then: it may be a part of a chord.
    Back(f64),
    /// Down, and pressed then if it still is.
    Hold(f64),
    /// Pressed.
    Down,
    /// Down, and of no effect until it is pressed anew: a chord took it, or nobody listened when it went down.
    Spent,
}

/// How the hands stand when something happens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pose {
    pub stick: DVec2,
    pub direction: DVec2,
    pub looks_left: bool,
}

/// An input as far as its events were worked off.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Key {
    /// Its parts that are down.
    pub mask: u32,
    /// A script holds it.
    pub pushed: bool,
    pub stage: Stage,
    /// When it went down.
    pub since: f64,
    /// The event that it went down with, and how the hands stood.
    pub order: u64,
    pub pose: Pose,
    /// The event that changed it last, and whether it was down before.
    pub touched: u64,
    pub was_down: bool,
}

impl Key {
    pub fn is_down(&self, full: u32) -> bool {
        self.pushed || full != 0 && self.mask == full
    }

    /// When time alone does something to it.
    pub fn due(&self) -> Option<f64> {
        match self.stage {
            Stage::Back(until) | Stage::Hold(until) => Some(until),
            Stage::Up | Stage::Down | Stage::Spent => None,
        }
    }
}
