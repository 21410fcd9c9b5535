use godot::prelude::*;
use riposte_core::action::{ScorerKind, Share, Source};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::readings::{self, Kind};
use super::resource_class::{OptionalCurve, Slot, SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::tags;

resource_class! {
    /// Scores an action by a vital of the agent or of the target: mana, poise, heat.
    ///
    /// An agent without [AgentVitals], or without that row in it, has no effect on the score. For health wherever the game
    /// keeps it, see [HealthScorer].
    class VitalScorer;
    properties {
        /// The row of [AgentVitals], a tag, for example [code]Vital.Stamina[/code]. Default empty: no effect.
        #[export]
        vital_tag: StringName = (StringName::default()) => set_vital_tag(tag);
        /// On, the default: the share of the maximum counts, 0 to 1. Off: the value itself.
        #[export]
        use_fraction: bool = true => set_use_fraction(any);
        /// The score by that number. Default [method RangeCurve.always_one_curve]. Empty: no effect.
        #[export]
        range: RangeSlot = (RangeSlot::preset(RangeCurve::always_one_curve)) slot get_range, set_range(OptionalCurve);
        /// Whose vital: the agent's, or the target's. With the target and without one, the scorer has no effect. Default
        /// [constant SOURCE_AGENT].
        #[export(enum = (Agent = 0, Target = 1))]
        source: i64 = 0 => set_source(constant, 0, 1);
    }
    items {
        /// Of the agent.
        #[constant]
        const SOURCE_AGENT: i64 = Source::Agent as i64;
        /// Of the target.
        #[constant]
        const SOURCE_TARGET: i64 = Source::Target as i64;
    }
}

impl ScorerPart for VitalScorer {
    fn kind(&self) -> ScorerKind {
        let tag = tags::intern(&self.vital_tag.to_string()).ok();
        let share = tag.map(|tag| Share {
            of: Source::from_int(self.source).unwrap_or_default(),
            id: Kind::Vital { tag, fraction: self.use_fraction }.id(),
            divisor: None,
        });
        ScorerKind::Reading { range: self.range.curve(), share }
    }

    fn label(&self) -> String {
        let name = readings::label("VitalScorer", self.source, &self.vital_tag.to_string());
        self.range.label(&name, "")
    }

    fn warning(&self) -> Option<String> {
        if self.vital_tag.is_empty() {
            let text = "vital_tag is empty, so the scorer has no effect. Set a tag, or remove the scorer.";
            return Some(text.to_owned());
        }
        tags::warning("vital_tag", &self.vital_tag.to_string()).or_else(|| self.range.warning())
    }
}
