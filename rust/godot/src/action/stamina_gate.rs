use godot::prelude::*;
use riposte_core::action::{GateKind, Limits, Source};

use super::parts::GatePart;
use super::readings::{self, Kind};
use super::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;

resource_class! {
    /// Lets an action through only while the agent has enough stamina.
    ///
    /// That is the row [code]Vital.Stamina[/code] of its [AgentVitals]; an agent without it has 100.
    class StaminaGate;
    properties {
        /// The least stamina, itself included. Default 0.
        #[export(range = (0.0, 100.0, 0.1, or_greater))]
        min_stamina: f64 = 0.0 => set_min_stamina(not_negative);
        /// An attribute of the agent that takes the place of [member min_stamina] while the agent has it and it is a finite number, for
        /// example [code]Stats:cost[/code] or [code]get_cost()[/code]. Default empty.
        #[export]
        min_attribute: GString = (GString::new()) => set_min_attribute(any);
    }
    items {}
}

impl GatePart for StaminaGate {
    fn kind(&self) -> Option<GateKind> {
        Some(GateKind::Reading(Limits {
            of: Source::Agent,
            id: Kind::Stamina.id(),
            min: self.min_stamina,
            min_by: readings::attribute(&self.min_attribute),
            max: f64::INFINITY,
        }))
    }

    fn label(&self) -> String {
        format!("StaminaGate ({})", readings::minimum(self.min_stamina, &self.min_attribute))
    }

    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
