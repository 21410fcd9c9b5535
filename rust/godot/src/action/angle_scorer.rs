use godot::prelude::*;
use riposte_core::action::ScorerKind;

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;

/// Scores an action by the angle between the facing of the agent and the target: 0 degrees in front, 180 behind.
///
/// Left and right count the same, height does not count. Without a target the angle is 0.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AngleScorer {
    /// The score by angle in degrees. Default [method RangeCurve.frontal_angle]. Empty: no effect.
    #[export]
    #[var(get = get_range, set = set_range)]
    #[init(val = RangeSlot::preset(RangeCurve::frontal_angle))]
    range: RangeSlot,
    base: Base<Resource>,
}

#[godot_api]
impl AngleScorer {
    #[func]
    fn get_range(&self) -> Option<Gd<RangeCurve>> {
        self.range.get(&self.base())
    }

    #[func]
    fn set_range(&mut self, value: Option<Gd<RangeCurve>>) {
        let this = self.to_gd();
        self.range.assign(&this, value);
        self.base_mut().emit_changed();
    }
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
