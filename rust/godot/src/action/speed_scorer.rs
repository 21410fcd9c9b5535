use godot::prelude::*;
use riposte_core::action::{ScorerKind, Share, Source};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::readings::Kind;

/// Scores an action by how fast the agent moves: over the ground in 3D, in any direction in 2D.
///
/// The speed is that of the agent's property [code]velocity[/code] or [code]linear_velocity[/code]; of an agent that has
/// neither it is measured from step to step.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct SpeedScorer {
    /// The score by speed in m/s. Default [method RangeCurve.always_one_curve]. Empty: no effect.
    #[export]
    #[var(get = get_range, set = set_range)]
    #[init(val = RangeSlot::preset(RangeCurve::always_one_curve))]
    range: RangeSlot,
    /// 2D only. On: the range is in pixels per second. Off, the default: it is in m/s, converted by the project setting
    /// [code]riposte/2d/pixels_per_meter[/code], so that one set serves 2D and 3D.
    #[export]
    #[var(set = set_in_pixels)]
    in_pixels: bool,
    base: Base<Resource>,
}

#[godot_api]
impl SpeedScorer {
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
