use godot::prelude::*;
use riposte_core::action::{ScorerKind, Share, Source};

use super::RangeCurve;
use super::parts::ScorerPart;
use super::range_slot::RangeSlot;
use super::readings;
use crate::base::numbers::Checked;

/// Scores an action by an attribute: a number that the game keeps on the agent or the target, or on one of their children.
///
/// Whoever does not have the attribute, or has no finite number in it, has no effect on the score.
///
/// ```gdscript
/// var rage := AttributeScorer.new()
/// rage.attribute = "rage"            # a property of the agent or of a child
/// rage.normalize_by = "Stats:max_rage"  # a property of the node Stats below the agent
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AttributeScorer {
    /// Where the number is: a property of the agent or of a child ([code]rage[/code]), a property of a node below the agent
    /// ([code]Stats:rage[/code]), or a method without arguments ([code]get_rage()[/code]). Default empty: no effect.
    #[export]
    #[var(set = set_attribute)]
    attribute: GString,
    /// A second attribute that the first is divided by, so that the range can be 0 to 1. Empty, the default, or not there:
    /// the number counts as it is. Where it is 0 the value is 0.
    #[export]
    #[var(set = set_normalize_by)]
    normalize_by: GString,
    /// The score by that number. Default [method RangeCurve.always_one_curve]. Empty: no effect.
    #[export]
    #[var(get = get_range, set = set_range)]
    #[init(val = RangeSlot::preset(RangeCurve::always_one_curve))]
    range: RangeSlot,
    /// Whose attributes: the agent's, or the target's. With the target and without one, the scorer has no effect. Default
    /// [constant SOURCE_AGENT].
    #[export(enum = (Agent = 0, Target = 1))]
    #[var(set = set_source)]
    source: i64,
    base: Base<Resource>,
}

#[godot_api]
impl AttributeScorer {
    /// Of the agent.
    #[constant]
    const SOURCE_AGENT: i64 = Source::Agent as i64;
    /// Of the target.
    #[constant]
    const SOURCE_TARGET: i64 = Source::Target as i64;

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
    fn set_attribute(&mut self, value: GString) {
        self.attribute = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_normalize_by(&mut self, value: GString) {
        self.normalize_by = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_source(&mut self, value: i64) {
        self.source = self.constant("source", value, self.source, Self::SOURCE_AGENT, Self::SOURCE_TARGET);
        self.base_mut().emit_changed();
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
