use godot::prelude::*;
use riposte_core::action::ScorerKind;

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::resource_class::{OptionalCurve, Slot, resource_class};

resource_class! {
    /// Scores an action by the angle between the facing of the agent and the target: 0 degrees in front, 180 behind.
    ///
    /// Left and right count the same, height does not count. Without a target the angle is 0.
    class AngleScorer;
    properties {
        /// The score by angle in degrees. Default [method RangeCurve.frontal_angle]. Empty: no effect.
        #[export]
        range: RangeSlot = (RangeSlot::preset(RangeCurve::frontal_angle)) slot get_range, set_range(OptionalCurve);
    }
    items {}
}

impl ScorerPart for AngleScorer {
    fn kind(&self) -> ScorerKind {
        ScorerKind::Angle { range: self.range.curve() }
    }

    fn label(&self) -> String {
        self.range.label("AngleScorer", "°")
    }

    fn warning(&self) -> Option<String> {
        self.range.warning()
    }
}
