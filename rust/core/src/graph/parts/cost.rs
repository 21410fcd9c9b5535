//! What the start of a node costs.

use super::world::{Needs, PartsWorld, VitalView};
use crate::tags::TagId;

/// A cost of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum CostPlan {
    /// From a vital. Without such a row nothing is asked and nothing is paid.
    Vital {
        /// Which.
        tag: TagId,
        /// How much.
        amount: f64,
        /// `amount` is a share of the maximum.
        as_fraction: bool,
        /// Anything above 0 is enough.
        allow_partial: bool,
    },
    /// From a number that the game keeps. One that is missing cannot be paid from.
    Attribute {
        /// Its place in [`Needs::attributes`].
        at: usize,
        /// How much.
        amount: f64,
    },
    /// A script decides.
    Script,
}

/// Whether costs can be paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Affordable {
    /// All built-in ones, and there is no other.
    Yes,
    /// Not the one in this place.
    No(usize),
    /// All built-in ones; the scripts in these places are still to be asked, in this order.
    Ask(Vec<usize>),
}

impl CostPlan {
    /// How much is taken where there is enough.
    fn price(&self, max: f64) -> f64 {
        match self {
            Self::Vital { amount, as_fraction: true, .. } => amount * max,
            Self::Vital { amount, .. } | Self::Attribute { amount, .. } => *amount,
            Self::Script => 0.0,
        }
    }

    /// Says what is looked at. The attribute has its place already.
    pub fn collect(&self, needs: &mut Needs) {
        if let Self::Vital { tag, .. } = self {
            needs.add_vital(*tag);
        }
    }
}

/// Whether all these costs can be paid at once. Costs on one vital or attribute add up.
pub fn affordable(costs: &[CostPlan], world: &PartsWorld) -> Affordable {
    let mut asked = Vec::new();
    for (at, cost) in costs.iter().enumerate() {
        let fine = match cost {
            CostPlan::Script => {
                asked.push(at);
                true
            }
            CostPlan::Vital { tag, .. } => {
                let row = world.vital(*tag).filter(|vital| vital.row);
                row.is_none_or(|vital| has_enough(&costs[..=at], vital))
            }
            CostPlan::Attribute { at: place, .. } => {
                let value = world.attributes.get(*place).copied().flatten();
                value.is_some_and(|value| {
                    let same =
                        |cost: &&CostPlan| matches!(cost, CostPlan::Attribute { at, .. } if at == place);
                    value >= costs[..=at].iter().filter(same).map(|cost| cost.price(0.0)).sum::<f64>()
                })
            }
        };
        if !fine {
            return Affordable::No(at);
        }
    }
    if asked.is_empty() { Affordable::Yes } else { Affordable::Ask(asked) }
}

/// Whether the costs up to the last one, which is on this vital, leave no debt there.
fn has_enough(costs: &[CostPlan], vital: &VitalView) -> bool {
    let mut whole = 0.0;
    let mut partial = false;
    for cost in costs {
        if let CostPlan::Vital { tag, amount, allow_partial, .. } = cost
            && *tag == vital.tag
            && *amount > 0.0
        {
            if *allow_partial {
                partial = true;
            } else {
                whole += cost.price(vital.max);
            }
        }
    }
    vital.value >= whole && (!partial || vital.value > 0.0)
}

/// Takes a cost from copies of what was read, so that what follows in the same instant sees it.
pub fn pay(cost: &CostPlan, vitals: &mut [VitalView], attributes: &mut [Option<f64>]) {
    match cost {
        CostPlan::Vital { tag, .. } => {
            let row = vitals.iter_mut().find(|vital| vital.tag == *tag && vital.row);
            if let Some(vital) = row {
                vital.value = (vital.value - cost.price(vital.max)).max(0.0);
            }
        }
        CostPlan::Attribute { at, amount } => {
            if let Some(Some(value)) = attributes.get_mut(*at) {
                *value -= amount;
            }
        }
        CostPlan::Script => {}
    }
}
