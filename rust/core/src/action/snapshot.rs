//! What an evaluation sees of the world.

use super::Reading;
use crate::tags::{TagId, TagSet};

/// Names a target; the adapter chooses the number and never gives it to another object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetKey(pub u64);

/// One target at the moment of the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct TargetView<'a> {
    /// Who it is.
    pub key: TargetKey,
    /// Centre to centre in world units.
    pub distance: f64,
    /// The same in metres (in 3D the same number).
    pub meters: f64,
    /// Between the agent's facing and the target, in degrees, 0 to 180.
    pub angle: f64,
    /// Fraction of full health.
    pub health: f64,
    /// Its tags.
    pub tags: &'a TagSet,
    /// Combat tokens that the agent may have there, by tag, its own included. Only needed where
    /// [`super::Needs::tokens`] says so.
    pub tokens: &'a [(TagId, u64)],
    /// Its numbers that decisions look at, see [`super::SetPlan::readings`]. One that is missing has no effect.
    pub readings: &'a [Reading],
}

impl TargetView<'_> {
    pub(super) fn free_tokens(&self, tag: TagId) -> u64 {
        self.tokens.iter().find(|(known, _)| *known == tag).map_or(0, |(_, free)| *free)
    }
}

/// One evaluation's view of the world, read once.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// Replaces the context seed, for a context that a script brought.
    pub seed: Option<u64>,
    /// The agent's fraction of full health.
    pub health: f64,
    /// The agent's tags.
    pub tags: &'a TagSet,
    /// Tags of the world.
    pub world: &'a TagSet,
    /// The agent's numbers that decisions look at, see [`super::SetPlan::readings`]. One that is missing has no effect.
    pub readings: &'a [Reading],
    /// The focus target, if there is one.
    pub focus: Option<TargetView<'a>>,
    /// The targets that actions may choose among, as the game knows them: in its order, with duplicates. Only needed
    /// where [`super::Needs::each`] says so.
    pub each: &'a [TargetView<'a>],
    /// The target of what runs, if it has one that is still there.
    pub held: Option<TargetView<'a>>,
}

/// The numbers that built-in scorers look at, for one candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Inputs {
    pub target: Option<TargetInputs>,
    pub health: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TargetInputs {
    pub distance: f64,
    pub meters: f64,
    pub angle: f64,
    pub health: f64,
}

impl Inputs {
    pub fn new(snapshot: &Snapshot, target: Option<&TargetView>) -> Self {
        let target = target.map(|view| TargetInputs {
            distance: view.distance,
            meters: view.meters,
            angle: view.angle,
            health: view.health,
        });
        Self { target, health: snapshot.health }
    }
}

/// The angle between a facing and the way to a target in degrees, 0 to 180, both as seen on one plane; 0 when one
/// of them has no length there.
pub fn planar_angle(facing: (f64, f64), to: (f64, f64)) -> f64 {
    const SHORTEST: f64 = 1e-6;
    let length = |v: (f64, f64)| (v.0 * v.0 + v.1 * v.1).sqrt();
    if length(facing) < SHORTEST || length(to) < SHORTEST {
        return 0.0;
    }
    let dot = facing.0 * to.0 + facing.1 * to.1;
    let cross = facing.0 * to.1 - facing.1 * to.0;
    libm::atan2(cross.abs(), dot).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_absolute_and_never_undefined() {
        let near = |got: f64, want: f64| assert!((got - want).abs() < 1e-9, "got {got}, want {want}");
        near(planar_angle((0.0, -1.0), (0.0, -7.0)), 0.0);
        near(planar_angle((0.0, -1.0), (3.0, 0.0)), 90.0);
        near(planar_angle((0.0, -2.0), (-3.0, -3.0)), 45.0);
        near(planar_angle((0.0, -1.0), (0.0, 1.0)), 180.0);
        near(planar_angle((0.0, 0.0), (1.0, 0.0)), 0.0);
        near(planar_angle((1.0, 0.0), (1e-7, 0.0)), 0.0);
    }
}
