use godot::prelude::*;
use riposte_core::graph::parts::{CostPlan, Needs};

use super::cost_parts::BuiltInCost;
use super::findings::{self, Finding};
use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::tags;

resource_class! {
    /// The start of a node costs the agent some of a vital, for example stamina.
    ///
    /// Without enough of it the node cannot start. Costs on one vital add up. An agent without [AgentVitals], or without that row
    /// in it, pays nothing.
    class VitalCost;
    properties {
        /// The row of [AgentVitals], a tag. Default [code]Vital.Stamina[/code].
        #[export]
        vital_tag: StringName = (StringName::from("Vital.Stamina")) => set_vital_tag(tag);
        /// How much it costs. Default 10.
        #[export(range = (0.0, 100.0, 0.01, or_greater))]
        amount: f64 = 10.0 => set_amount(not_negative);
        /// On: [member amount] is a share of the maximum, 0 to 1. Off, the default: the value itself.
        #[export]
        as_fraction: bool = false => set_as_fraction(any);
        /// On: anything above 0 is enough, and what is there is taken. Off, the default: the whole amount has to be there.
        #[export]
        allow_partial: bool = false => set_allow_partial(any);
    }
    items {}
}

impl BuiltInCost for VitalCost {
    fn plan(&self, _needs: &mut Needs) -> Option<CostPlan> {
        let tag = tags::intern(&self.vital_tag.to_string()).ok()?;
        Some(CostPlan::Vital {
            tag,
            amount: self.amount,
            as_fraction: self.as_fraction,
            allow_partial: self.allow_partial,
        })
    }

    fn findings(&self) -> Vec<Finding> {
        findings::tag("vital_tag", &self.vital_tag.to_string()).into_iter().collect()
    }
}
