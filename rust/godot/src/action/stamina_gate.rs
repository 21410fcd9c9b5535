use godot::prelude::*;
use riposte_core::action::{GateKind, Limits, Source};

use super::parts::GatePart;
use super::readings::{self, Kind};
use crate::base::numbers::Checked;

/// Lets an action through only while the agent has enough stamina.
///
/// That is the row [code]Vital.Stamina[/code] of its [AgentVitals]; an agent without it has 100.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct StaminaGate {
    /// The least stamina, itself included. Default 0.
    #[export(range = (0.0, 100.0, 0.1, or_greater))]
    #[var(set = set_min_stamina)]
    min_stamina: f64,
    /// An attribute of the agent that takes the place of [member min_stamina] while the agent has it and it is a finite number, for
    /// example [code]Stats:cost[/code] or [code]get_cost()[/code]. Default empty.
    #[export]
    #[var(set = set_min_attribute)]
    min_attribute: GString,
    base: Base<Resource>,
}

#[godot_api]
impl StaminaGate {
    #[func]
    fn set_min_stamina(&mut self, value: f64) {
        self.min_stamina = self.not_negative("min_stamina", value, self.min_stamina);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_min_attribute(&mut self, value: GString) {
        self.min_attribute = value;
        self.base_mut().emit_changed();
    }
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
