use godot::prelude::*;
use riposte_core::action::{ScorerKind, Share, Source};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::readings::Kind;
use super::resource_class::{OptionalCurve, Slot, SpecChecks, resource_class};

resource_class! {
    /// Scores an action by how fast the agent moves: over the ground in 3D, in any direction in 2D.
    ///
    /// The speed is that of the agent's property [code]velocity[/code] or [code]linear_velocity[/code]; of an agent that has
    /// neither it is measured from step to step.
    class SpeedScorer;
    properties {
        /// The score by speed in m/s. Default [method RangeCurve.always_one_curve]. Empty: no effect.
        #[export]
        range: RangeSlot = (RangeSlot::preset(RangeCurve::always_one_curve)) slot get_range, set_range(OptionalCurve);
        /// 2D only. On: the range is in pixels per second. Off, the default: it is in m/s, converted by the project setting
        /// [code]riposte/2d/pixels_per_meter[/code], so that one set serves 2D and 3D.
        #[export]
        in_pixels: bool = false => set_in_pixels(any);
    }
    items {}
}

impl ScorerPart for SpeedScorer {
    fn kind(&self) -> ScorerKind {
        let kind = if self.in_pixels { Kind::SpeedInUnits } else { Kind::Speed };
        let share = Share { of: Source::Agent, id: kind.id(), divisor: None };
        ScorerKind::Reading { range: self.range.curve(), share: Some(share) }
    }

    fn label(&self) -> String {
        self.range.label("SpeedScorer", if self.in_pixels { " px/s" } else { " m/s" })
    }

    fn warning(&self) -> Option<String> {
        self.range.warning()
    }
}
