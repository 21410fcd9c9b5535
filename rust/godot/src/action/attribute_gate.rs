use godot::prelude::*;
use riposte_core::action::{GateKind, Limits, Source};

use super::parts::GatePart;
use super::readings;
use super::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;

resource_class! {
    /// Lets an action through only while an attribute is between two numbers: a number that the game keeps on the agent or the
    /// target, or on one of their children.
    ///
    /// Whoever does not have the attribute, or has no finite number in it, passes.
    class AttributeGate;
    properties {
        /// Where the number is: a property of the agent or of a child ([code]ammo[/code]), a property of a node below the agent
        /// ([code]Stats:ammo[/code]), or a method without arguments ([code]get_ammo()[/code]). Default empty: the gate has no
        /// effect.
        #[export]
        attribute: GString = (GString::new()) => set_attribute(any);
        /// The least value, itself included. Default 0.
        #[export(range = (0.0, 1000.0, 0.01, or_less, or_greater))]
        min_value: f64 = 0.0 => set_min_value(finite);
        /// The greatest value, itself included. Default 1000000.
        #[export(range = (0.0, 1_000_000.0, 0.01, or_less, or_greater))]
        max_value: f64 = 1_000_000.0 => set_max_value(finite);
        /// Whose attribute: the agent's, or the target's. With the target and without one, the gate passes. Default
        /// [constant SOURCE_AGENT].
        #[export(enum = (Agent = 0, Target = 1))]
        source: i64 = 0 => set_source(constant, 0, 1);
        /// An attribute of the agent that takes the place of [member min_value] while the agent has it and it is a finite number, for
        /// example [code]Stats:cost[/code] or [code]get_cost()[/code]. Default empty.
        #[export]
        min_attribute: GString = (GString::new()) => set_min_attribute(any);
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

impl GatePart for AttributeGate {
    fn kind(&self) -> Option<GateKind> {
        Some(GateKind::Reading(Limits {
            of: Source::from_int(self.source).unwrap_or_default(),
            id: readings::attribute(&self.attribute)?,
            min: self.min_value,
            min_by: readings::attribute(&self.min_attribute),
            max: self.max_value,
        }))
    }

    fn label(&self) -> String {
        let name = readings::label("AttributeGate", self.source, &self.attribute.to_string());
        let min = readings::minimum(self.min_value, &self.min_attribute);
        format!("{name} ({min}, max {})", self.max_value)
    }

    fn warnings(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.attribute.is_empty() {
            found.push(
                "attribute is empty, so the gate always passes. Name one, or remove the gate.".to_owned(),
            );
        } else if self.min_value > self.max_value && self.min_attribute.is_empty() {
            found.push("min_value is above max_value, so the gate never opens. Swap them.".to_owned());
        }
        found
    }
}
