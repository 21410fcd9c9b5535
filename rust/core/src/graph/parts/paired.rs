//! Actions of two: when one could start.

use super::gate::TagTest;
use super::world::PartsWorld;
use crate::action::planar_angle;
use crate::tags::TagId;

/// What a paired action asks of the target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairedPlan {
    /// Not farther away than this, in metres, from origin to origin.
    pub max_distance: f64,
    /// Not further from where the agent looks, in degrees.
    pub max_angle: f64,
    /// All of these on the target.
    pub required: Vec<TagId>,
    /// None of these on the target.
    pub blocked: Vec<TagId>,
}

impl PairedPlan {
    /// It could start with the target now.
    pub fn is_available(&self, world: &PartsWorld) -> bool {
        world.target.is_some_and(|target| {
            let angle =
                planar_angle((world.facing.x, world.facing.y), (target.direction.x, target.direction.y));
            !target.paired
                && target.units / target.units_per_meter <= self.max_distance
                && angle <= self.max_angle + 1e-6
                && TagTest::fits(target.tags, &self.required, &self.blocked)
        })
    }
}
