use godot::prelude::*;
use riposte_core::graph::parts::{ConditionKind, DistanceComparison};

use super::condition_parts::{BuiltInCondition, comparison};
use super::findings::Finding;
use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;

resource_class! {
    /// Lets a transition through while the target is closer, farther or about as far away as a distance.
    ///
    /// Measured from origin to origin. Without a target it does not pass. The target is that of
    /// [method ActionGraphPlayer.get_target].
    class TargetDistanceCondition;
    properties {
        /// How the distance is compared. Default [constant COMPARE_CLOSER].
        #[export(enum = (Closer = 0, Farther = 1, About = 2))]
        comparison: i64 = 0 => set_comparison(constant, 0, 2);
        /// The distance in metres, itself included. Default 2.
        #[export(range = (0.0, 50.0, 0.01, or_greater, suffix = "m"))]
        distance: f64 = 2.0 => set_distance(not_negative);
        /// How far from [member distance] still counts, in metres, with [constant COMPARE_ABOUT]. Default 0.5.
        #[export(range = (0.0, 50.0, 0.01, or_greater, suffix = "m"))]
        tolerance: f64 = 0.5 => set_tolerance(not_negative);
        /// On, the default: measured on the ground, heights do not count. 2D has no height.
        #[export]
        planar: bool = true => set_planar(any);
        /// 2D only. On: [member distance] and [member tolerance] are in pixels. Off, the default: in metres of
        /// [code]riposte/2d/pixels_per_meter[/code] pixels.
        #[export]
        in_pixels: bool = false => set_in_pixels(any);
        /// On: the transition passes where it would not, and the other way round.
        #[export]
        invert: bool = false => set_invert(any);
    }
    items {
        /// At most the distance.
        #[constant]
        const COMPARE_CLOSER: i64 = DistanceComparison::Closer as i64;
        /// At least the distance.
        #[constant]
        const COMPARE_FARTHER: i64 = DistanceComparison::Farther as i64;
        /// No further from the distance than the tolerance.
        #[constant]
        const COMPARE_ABOUT: i64 = DistanceComparison::About as i64;
    }
}

impl BuiltInCondition for TargetDistanceCondition {
    fn kind(&self) -> ConditionKind {
        ConditionKind::TargetDistance {
            comparison: DistanceComparison::from_int(self.comparison).unwrap_or_default(),
            distance: self.distance,
            tolerance: self.tolerance,
            planar: self.planar,
            in_pixels: self.in_pixels,
        }
    }

    fn is_inverted(&self) -> bool {
        self.invert
    }

    fn caption(&self) -> String {
        let unit = if self.in_pixels { "px" } else { "m" };
        format!("target {} {} {unit}", comparison(["≤", "≥", "≈"], self.comparison), self.distance)
    }

    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
}
