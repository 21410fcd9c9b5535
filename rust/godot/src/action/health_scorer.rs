use godot::prelude::*;
use riposte_core::action::{HealthSource, ScorerKind};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;

/// Scores an action by the health of the agent, as a share of the full health: 0 to 1.
///
/// An agent whose health nobody knows counts as healthy, 1.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct HealthScorer {
    /// The score by health, 0 to 1. Default [method RangeCurve.always_one_curve]. Empty: no effect.
    #[export]
    #[var(get = get_range, set = set_range)]
    #[init(val = RangeSlot::preset(RangeCurve::always_one_curve))]
    range: RangeSlot,
    base: Base<Resource>,
}

#[godot_api]
impl HealthScorer {
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

impl ScorerPart for HealthScorer {
    fn kind(&self) -> ScorerKind {
        ScorerKind::Health { range: self.range.curve(), source: HealthSource::Agent }
    }

    fn label(&self) -> String {
        self.range.label("HealthScorer", "")
    }

    fn warning(&self) -> Option<String> {
        self.range.warning()
    }
}
