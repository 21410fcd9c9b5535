use godot::prelude::*;
use riposte_core::graph::parts::{ConditionKind, VitalComparison};

use super::condition_parts::{BuiltInCondition, comparison};
use super::findings::{self, Finding};
use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::tags;

resource_class! {
    /// Lets a transition through while a vital of the agent is above, below or about a number.
    ///
    /// It spends nothing. An agent without [AgentVitals], or without that row in it, has full health (as its own methods tell it)
    /// and 100 stamina; any other vital that is missing passes.
    class VitalThresholdCondition;
    properties {
        /// The row of [AgentVitals], a tag. Default [code]Vital.Stamina[/code].
        #[export]
        vital_tag: StringName = (StringName::from("Vital.Stamina")) => set_vital_tag(tag);
        /// How the vital is compared with [member value]. Default [constant COMPARE_ABOVE].
        #[export(enum = (Above = 0, Below = 1, About = 2))]
        comparison: i64 = 0 => set_comparison(constant, 0, 2);
        /// The number, itself included. Default 0.
        #[export(range = (0.0, 100.0, 0.01, or_greater))]
        value: f64 = 0.0 => set_value(not_negative);
        /// How far from [member value] still counts, with [constant COMPARE_ABOUT]. Default 1.
        #[export(range = (0.0, 100.0, 0.01, or_greater))]
        tolerance: f64 = 1.0 => set_tolerance(not_negative);
        /// On: the share of the maximum counts, 0 to 1. Off, the default: the value itself.
        #[export]
        as_fraction: bool = false => set_as_fraction(any);
        /// On: the transition passes where it would not, and the other way round.
        #[export]
        invert: bool = false => set_invert(any);
    }
    items {
        /// At least the number.
        #[constant]
        const COMPARE_ABOVE: i64 = VitalComparison::Above as i64;
        /// At most the number.
        #[constant]
        const COMPARE_BELOW: i64 = VitalComparison::Below as i64;
        /// No further from the number than the tolerance.
        #[constant]
        const COMPARE_ABOUT: i64 = VitalComparison::About as i64;
    }
}

impl BuiltInCondition for VitalThresholdCondition {
    fn kind(&self) -> ConditionKind {
        match tags::intern(&self.vital_tag.to_string()) {
            Ok(tag) => ConditionKind::Vital {
                tag,
                comparison: VitalComparison::from_int(self.comparison).unwrap_or_default(),
                value: self.value,
                tolerance: self.tolerance,
                as_fraction: self.as_fraction,
            },
            Err(_) => ConditionKind::Always,
        }
    }

    fn is_inverted(&self) -> bool {
        self.invert
    }

    fn caption(&self) -> String {
        let name = self.vital_tag.to_string();
        let short = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let number =
            if self.as_fraction { format!("{} %", self.value * 100.0) } else { self.value.to_string() };
        format!("{short} {} {number}", comparison(["≥", "≤", "≈"], self.comparison))
    }

    fn findings(&self) -> Vec<Finding> {
        if self.vital_tag.is_empty() {
            let text =
                "vital_tag is empty, so the condition always passes. Set a tag, or remove the condition.";
            return vec![Finding::new("W1", text)];
        }
        findings::tag("vital_tag", &self.vital_tag.to_string()).into_iter().collect()
    }
}
