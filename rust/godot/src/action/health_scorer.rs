use godot::prelude::*;
use riposte_core::action::{ScorerKind, Source};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::resource_class::{OptionalCurve, Slot, resource_class};
use crate::base::numbers::Checked;

resource_class! {
    /// Scores an action by the health of the agent or of the target, as a share of the full health: 0 to 1.
    ///
    /// An agent whose health nobody knows counts as healthy, 1.
    class HealthScorer;
    properties {
        /// The score by health, 0 to 1. Default [method RangeCurve.always_one_curve]. Empty: no effect.
        #[export]
        range: RangeSlot = (RangeSlot::preset(RangeCurve::always_one_curve)) slot get_range, set_range(OptionalCurve);
        /// Whose health: the agent's, or the target's. With the target and without one, the scorer has no effect.
        #[export(enum = (Agent = 0, Target = 1))]
        source: i64 = 0 => set_source(constant, 0, 1);
    }
    items {
        /// The health of the agent.
        #[constant]
        const SOURCE_AGENT: i64 = 0;
        /// The health of the target.
        #[constant]
        const SOURCE_TARGET: i64 = 1;
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
