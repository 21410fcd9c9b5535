//! Conditions of a transition.

use std::sync::Arc;

use glam::DVec2;

use super::gate::{TagLists, TagTest};
use super::paired::PairedPlan;
use super::world::{Needs, PartsWorld, TargetFacts};
use crate::graph::direction::{self, Sector};
use crate::tags::TagId;

/// What a direction is compared with. The integers are the `SPACE_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum DirectionSpace {
    /// Where the agent looks.
    #[default]
    Facing = 0,
    /// The stick itself: up is forward.
    Stick = 1,
    /// The way to the target; without one, where the agent looks.
    Target = 2,
}

/// How a vital is compared. The integers are the `COMPARE_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum VitalComparison {
    /// At least the number.
    #[default]
    Above = 0,
    /// At most the number.
    Below = 1,
    /// Not further from it than the tolerance.
    About = 2,
}

/// How a distance is compared. The integers are the `COMPARE_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum DistanceComparison {
    /// At most the number.
    #[default]
    Closer = 0,
    /// At least the number.
    Farther = 1,
    /// Not further from it than the tolerance.
    About = 2,
}

macro_rules! from_int {
    ($($name:ident: $($variant:ident),+;)*) => {$(
        impl $name {
            /// The one with this integer.
            pub fn from_int(value: i64) -> Option<Self> {
                [$(Self::$variant),+].into_iter().find(|one| *one as i64 == value)
            }
        }
    )*};
}
pub(super) use from_int;

from_int! {
    DirectionSpace: Facing, Stick, Target;
    VitalComparison: Above, Below, About;
    DistanceComparison: Closer, Farther, About;
}

/// What a condition asks.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionKind {
    /// The direction at the press lies in one of these sectors.
    Direction {
        /// Bits of [`Sector::bit`].
        directions: u8,
        /// What it is compared with.
        space: DirectionSpace,
        /// Shorter than this is neutral.
        dead_zone: f64,
    },
    /// A vital of the agent. One that is not there passes.
    Vital {
        /// Which.
        tag: TagId,
        /// How.
        comparison: VitalComparison,
        /// With what.
        value: f64,
        /// For [`VitalComparison::About`].
        tolerance: f64,
        /// The share of the maximum counts.
        as_fraction: bool,
    },
    /// The target's tags. Without a target it does not pass.
    TargetState(Box<TagLists>),
    /// How far away the target is. Without a target it does not pass.
    TargetDistance {
        /// How.
        comparison: DistanceComparison,
        /// With what, in metres.
        distance: f64,
        /// For [`DistanceComparison::About`].
        tolerance: f64,
        /// Heights do not count.
        planar: bool,
        /// The numbers are world units.
        in_pixels: bool,
    },
    /// A cooldown has charges. An unknown one passes.
    Cooldown {
        /// Its key.
        key: Arc<str>,
        /// At least so many.
        charges: u32,
    },
    /// One of these paired actions could start.
    Paired {
        /// In any order.
        actions: Box<[PairedPlan]>,
    },
    /// A script decides.
    Script,
    /// It passes.
    Always,
}

/// A condition of a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionPlan {
    /// What it asks.
    pub kind: ConditionKind,
    /// The opposite passes.
    pub invert: bool,
    /// For explanations.
    pub label: Arc<str>,
}

/// The input that a condition is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressView {
    /// On the ground, at the press; without an input the direction of movement.
    pub direction: DVec2,
    /// The stick at the press.
    pub stick: DVec2,
}

impl ConditionPlan {
    /// True passes; `None`: a script decides, see [`Self::answered`]. `charges` are those that a cooldown has left; `None`
    /// for an unknown one.
    pub fn holds(
        &self,
        world: &PartsWorld,
        press: &PressView,
        charges: &dyn Fn(&str) -> Option<u32>,
    ) -> Option<bool> {
        let holds = match &self.kind {
            ConditionKind::Direction { directions, space, dead_zone } => {
                directions & sector(*space, *dead_zone, world, press).bit() != 0
            }
            ConditionKind::Vital { tag, comparison, value, tolerance, as_fraction } => {
                world.vital(*tag).is_none_or(|vital| {
                    let now = if *as_fraction { vital.fraction() } else { vital.value };
                    comparison.holds(now, *value, *tolerance)
                })
            }
            ConditionKind::TargetState(lists) => {
                world.target.is_some_and(|target| TagTest::fits(target.tags, &lists.required, &lists.blocked))
            }
            ConditionKind::TargetDistance { comparison, distance, tolerance, planar, in_pixels } => {
                world.target.is_some_and(|target| {
                    comparison.holds(measured(&target, *planar, *in_pixels), *distance, *tolerance)
                })
            }
            ConditionKind::Cooldown { key, charges: wanted } => {
                charges(key).is_none_or(|left| left >= *wanted)
            }
            ConditionKind::Paired { actions } => actions.iter().any(|action| action.is_available(world)),
            ConditionKind::Always => true,
            ConditionKind::Script => return None,
        };
        Some(self.answered(holds))
    }

    /// What the answer of a script means.
    pub fn answered(&self, answer: bool) -> bool {
        answer != self.invert
    }

    /// Says what is looked at.
    pub fn collect(&self, needs: &mut Needs) {
        match &self.kind {
            ConditionKind::Direction { space, .. } => needs.target |= *space == DirectionSpace::Target,
            ConditionKind::Vital { tag, .. } => needs.add_vital(*tag),
            ConditionKind::TargetState(_)
            | ConditionKind::TargetDistance { .. }
            | ConditionKind::Paired { .. } => needs.target = true,
            ConditionKind::Cooldown { .. } | ConditionKind::Script | ConditionKind::Always => {}
        }
    }
}

fn sector(space: DirectionSpace, dead_zone: f64, world: &PartsWorld, press: &PressView) -> Sector {
    let facing = match space {
        DirectionSpace::Stick => return direction::sector(DVec2::NEG_Y, press.stick, dead_zone),
        DirectionSpace::Facing => world.facing,
        DirectionSpace::Target => {
            let to = world.target.map(|target| target.direction).filter(|to| to.length() > 1e-6);
            to.map_or(world.facing, DVec2::normalize)
        }
    };
    direction::sector(facing, press.direction, dead_zone)
}

fn measured(target: &TargetFacts, planar: bool, in_pixels: bool) -> f64 {
    let units = if planar { target.planar_units } else { target.units };
    if in_pixels { units } else { units / target.units_per_meter }
}

impl VitalComparison {
    fn holds(self, now: f64, value: f64, tolerance: f64) -> bool {
        match self {
            Self::Above => now >= value,
            Self::Below => now <= value,
            Self::About => (now - value).abs() <= tolerance,
        }
    }
}

impl DistanceComparison {
    fn holds(self, now: f64, value: f64, tolerance: f64) -> bool {
        match self {
            Self::Closer => now <= value,
            Self::Farther => now >= value,
            Self::About => (now - value).abs() <= tolerance,
        }
    }
}
