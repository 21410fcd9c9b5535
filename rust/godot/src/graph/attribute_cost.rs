use godot::prelude::*;
use riposte_core::graph::parts::{CostPlan, Needs};

use super::cost_parts::BuiltInCost;
use super::findings::Finding;
use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;

resource_class! {
    /// The start of a node costs the agent some of a number that the game keeps on the agent or on one of its children.
    ///
    /// Without enough of it the node cannot start. Costs on one attribute add up. Whoever does not have the attribute cannot pay;
    /// that is an error, told once.
    class AttributeCost;
    properties {
        /// Where the number is: a property of the agent or of a child ([code]ammo[/code]), or a property of a node below the agent
        /// ([code]Stats:ammo[/code]). Default empty: nothing is paid.
        #[export]
        attribute: GString = (GString::new()) => set_attribute(any);
        /// How much it costs. Default 10.
        #[export(range = (0.0, 100.0, 0.01, or_greater))]
        amount: f64 = 10.0 => set_amount(not_negative);
    }
    items {}
}

impl BuiltInCost for AttributeCost {
    fn plan(&self, needs: &mut Needs) -> Option<CostPlan> {
        let name = self.attribute.to_string();
        (!name.is_empty()).then(|| CostPlan::Attribute { at: needs.attribute(&name), amount: self.amount })
    }

    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
}
