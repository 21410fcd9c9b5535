use godot::prelude::*;
use riposte_core::action::{ScorerKind, Source};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use crate::base::numbers::Checked;

/// Scores an action by the health of the agent or of the target, as a share of the full health: 0 to 1.
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
    /// Whose health: the agent's, or the target's. With the target and without one, the scorer has no effect.
    #[export(enum = (Agent = 0, Target = 1))]
    #[var(set = set_source)]
    source: i64,
    base: Base<Resource>,
}

#[godot_api]
impl HealthScorer {
    /// The health of the agent.
    #[constant]
    const SOURCE_AGENT: i64 = 0;
    /// The health of the target.
    #[constant]
    const SOURCE_TARGET: i64 = 1;

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
    fn set_source(&mut self, value: i64) {
        self.source = self.clamped_int("source", value, Self::SOURCE_AGENT, Self::SOURCE_TARGET);
        self.base_mut().emit_changed();
    }
}

impl ScorerPart for HealthScorer {
    fn kind(&self) -> ScorerKind {
        let source = Source::from_int(self.source).unwrap_or_default();
        ScorerKind::Health { range: self.range.curve(), source }
    }

    fn label(&self) -> String {
        self.range.label("HealthScorer", "")
    }

    fn warning(&self) -> Option<String> {
        self.range.warning()
    }
}
