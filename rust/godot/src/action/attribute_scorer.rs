use godot::prelude::*;
use riposte_core::action::{ScorerKind, Share, Source};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::readings;
use super::resource_class::{OptionalCurve, Slot, SpecChecks, resource_class};
use crate::base::numbers::Checked;

resource_class! {
    /// Scores an action by an attribute: a number that the game keeps on the agent or the target, or on one of their children.
    ///
    /// Whoever does not have the attribute, or has no finite number in it, has no effect on the score.
    ///
    /// ```gdscript
    /// var rage := AttributeScorer.new()
    /// rage.attribute = "rage"            # a property of the agent or of a child
    /// rage.normalize_by = "Stats:max_rage"  # a property of the node Stats below the agent
    /// ```
    class AttributeScorer;
    properties {
        /// Where the number is: a property of the agent or of a child ([code]rage[/code]), a property of a node below the agent
        /// ([code]Stats:rage[/code]), or a method without arguments ([code]get_rage()[/code]). Default empty: no effect.
        #[export]
        attribute: GString = (GString::new()) => set_attribute(any);
        /// A second attribute that the first is divided by, so that the range can be 0 to 1. Empty, the default, or not there:
        /// the number counts as it is. Where it is 0 the value is 0.
        #[export]
        normalize_by: GString = (GString::new()) => set_normalize_by(any);
        /// The score by that number. Default [method RangeCurve.always_one_curve]. Empty: no effect.
        #[export]
        range: RangeSlot = (RangeSlot::preset(RangeCurve::always_one_curve)) slot get_range, set_range(OptionalCurve);
        /// Whose attributes: the agent's, or the target's. With the target and without one, the scorer has no effect. Default
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

impl ScorerPart for AttributeScorer {
    fn kind(&self) -> ScorerKind {
        let share = readings::attribute(&self.attribute).map(|id| Share {
            of: Source::from_int(self.source).unwrap_or_default(),
            id,
            divisor: readings::attribute(&self.normalize_by),
        });
        ScorerKind::Reading { range: self.range.curve(), share }
    }

    fn label(&self) -> String {
        let divided = if self.normalize_by.is_empty() { "" } else { " / " };
        let number = format!("{}{divided}{}", self.attribute, self.normalize_by);
        self.range.label(&readings::label("AttributeScorer", self.source, &number), "")
    }

    fn warning(&self) -> Option<String> {
        if self.attribute.is_empty() {
            let text = "attribute is empty, so the scorer has no effect. Name one, or remove the scorer.";
            return Some(text.to_owned());
        }
        self.range.warning()
    }
}
