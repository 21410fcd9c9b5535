use godot::prelude::*;
use riposte_core::action::ScorerKind;

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::resource_class::{OptionalCurve, Slot, SpecChecks, resource_class};

resource_class! {
    /// Scores an action by the distance from the agent to the target, centre to centre.
    ///
    /// Without a target the distance is 0.
    class DistanceScorer;
    properties {
        /// The score by distance in metres. Default [method RangeCurve.melee]. Empty: no effect.
        #[export]
        range: RangeSlot = (RangeSlot::preset(RangeCurve::melee)) slot get_range, set_range(OptionalCurve);
        /// 2D only. On: the range is in pixels. Off, the default: it is in metres, converted by the project setting
        /// `riposte/2d/pixels_per_meter`, so that one set serves 2D and 3D.
        #[export]
        in_pixels: bool = false => set_in_pixels(any);
    }
    items {}
}

impl ScorerPart for DistanceScorer {
    fn kind(&self) -> ScorerKind {
        ScorerKind::Distance { range: self.range.curve(), in_pixels: self.in_pixels }
    }

    fn label(&self) -> String {
        self.range.label("DistanceScorer", if self.in_pixels { " px" } else { " m" })
    }

    fn warning(&self) -> Option<String> {
        self.range.warning()
    }
}
