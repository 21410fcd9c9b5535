//! The effective list of actions of one evaluator.

use std::sync::Arc;

use super::flat::FlatList;
use super::memory::Memory;
use super::{ActionPlan, ActionRef, BoundNumber};

/// One action of the list.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub plan: Arc<ActionPlan>,
    pub action: ActionRef,
    /// Weight divided by risk, as the plan has them.
    base: f64,
}

/// Immutable: a decision that is being made keeps the list it began with.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub entries: Vec<Entry>,
    /// The same as flat arrays, if all of them are plain.
    pub flat: Option<Arc<FlatList>>,
}

impl Entry {
    pub fn new(plan: Arc<ActionPlan>, action: ActionRef) -> Self {
        let base = plan_base(&plan);
        Self { plan, action, base }
    }

    /// Weight divided by risk.
    pub fn base(&self, memory: &Memory) -> f64 {
        if self.plan.bindings.is_empty() {
            return self.base;
        }
        let number = |which| memory.number(self.action, &self.plan, which);
        base(number(BoundNumber::SelectionWeight), number(BoundNumber::RiskPenalty))
    }
}

/// Weight divided by risk, as the plan has them.
pub(super) fn plan_base(plan: &ActionPlan) -> f64 {
    base(plan.selection_weight, plan.risk_penalty)
}

fn base(weight: f64, risk: f64) -> f64 {
    factor(factor(weight) / factor(risk))
}

/// The largest factor that counts.
pub(super) const LARGEST: f64 = 1e6;

/// A factor as it counts: 0 to 1e6, and 0 for what is no number.
pub(super) fn factor(value: f64) -> f64 {
    if is_factor(value) { value.min(LARGEST) } else { 0.0 }
}

/// False for NaN, infinity and negative numbers.
pub fn is_factor(value: f64) -> bool {
    (0.0..f64::INFINITY).contains(&value)
}
