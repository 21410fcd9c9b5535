//! What an evaluation sees of the world.

use crate::tags::TagSet;

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
    /// The focus target, if there is one.
    pub focus: Option<TargetView<'a>>,
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
