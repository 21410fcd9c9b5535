//! Worlds in which nodes sense each other. Nodes of two spaces never do.

/// Names one space (a `World3D` or `World2D`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpaceId(pub(super) u16);

impl SpaceId {
    /// Its number: spaces are counted in the order in which they were added.
    pub fn number(self) -> u16 {
        self.0
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    /// Two axes: z is zero, forward is +X, lengths are pixels.
    pub(super) planar: bool,
}

impl Space {
    /// Slack of every comparison of lengths.
    pub(super) fn tolerance(self) -> f64 {
        if self.planar { 1e-2 } else { 1e-4 }
    }
}
