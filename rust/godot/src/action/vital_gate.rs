use godot::prelude::*;
use riposte_core::action::{GateKind, Limits, Source};

use super::parts::GatePart;
use super::readings::{self, Kind};
use super::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::tags;

resource_class! {
    /// Lets an action through only while a vital of the agent or of the target is high enough.
    ///
    /// An agent without [AgentVitals], or without that row in it, passes.
    class VitalGate;
    properties {
        /// The row of [AgentVitals], a tag, for example [code]Vital.Mana[/code]. Default empty: the gate has no effect.
        #[export]
        vital_tag: StringName = (StringName::default()) => set_vital_tag(tag);
        /// The least value, itself included. Default 0.
        #[export(range = (0.0, 100.0, 0.01, or_greater))]
        min_value: f64 = 0.0 => set_min_value(not_negative);
        /// On: the share of the maximum counts, 0 to 1. Off, the default: the value itself.
        #[export]
        use_fraction: bool = false => set_use_fraction(any);
        /// Whose vital: the agent's, or the target's. With the target and without one, the gate passes. Default
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

impl GatePart for VitalGate {
    fn kind(&self) -> Option<GateKind> {
        let tag = tags::intern(&self.vital_tag.to_string()).ok()?;
        Some(GateKind::Reading(Limits {
            of: Source::from_int(self.source).unwrap_or_default(),
            id: Kind::Vital { tag, fraction: self.use_fraction }.id(),
            min: self.min_value,
            min_by: readings::attribute(&self.min_attribute),
            max: f64::INFINITY,
        }))
    }

    fn label(&self) -> String {
        let name = readings::label("VitalGate", self.source, &self.vital_tag.to_string());
        format!("{name} ({})", readings::minimum(self.min_value, &self.min_attribute))
    }

    fn warnings(&self) -> Vec<String> {
        if self.vital_tag.is_empty() {
            return vec![
                "vital_tag is empty, so the gate always passes. Set a tag, or remove the gate.".to_owned(),
            ];
        }
        let mut found: Vec<String> =
            tags::warning("vital_tag", &self.vital_tag.to_string()).into_iter().collect();
        if self.use_fraction && self.min_value > 1.0 && self.min_attribute.is_empty() {
            let text = "min_value is above 1 while use_fraction is on, so the gate never opens. Set 0 to 1, or switch \
                        use_fraction off.";
            found.push(text.to_owned());
        }
        found
    }
}
