use godot::prelude::*;
use riposte_core::action::ScorerKind;

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;

/// Scores an action by the distance from the agent to the target, centre to centre.
///
/// Without a target the distance is 0.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct DistanceScorer {
    /// The score by distance in metres. Default [method RangeCurve.melee]. Empty: no effect.
    #[export]
    #[var(get = get_range, set = set_range)]
    #[init(val = RangeSlot::preset(RangeCurve::melee))]
    range: RangeSlot,
    /// 2D only. On: the range is in pixels. Off, the default: it is in metres, converted by the project setting
    /// `riposte/2d/pixels_per_meter`, so that one set serves 2D and 3D.
    #[export]
    #[var(set = set_in_pixels)]
    in_pixels: bool,
    base: Base<Resource>,
}

#[godot_api]
impl DistanceScorer {
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

    #[func]
    fn set_in_pixels(&mut self, value: bool) {
        self.in_pixels = value;
        self.base_mut().emit_changed();
    }
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
