//! Numbers of actions that follow attributes of the agent: read, and given to the core.

use godot::prelude::*;
use riposte_core::action::{ActionPlan, ActionRef, BoundNumber, bound_number};

use super::compiled::{ActionSide, CompiledSet};
use super::names::names;
use super::script_calls::{number, overrides_node};
use super::{ActionEvaluator, driver};
use crate::base::{messages, script_method};

/// What the numbers are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// The action may be listed for the first time.
    Spawn,
    /// A decision.
    Evaluation,
    /// The commit or the end of a run.
    Stamp,
}

impl Moment {
    fn reads(self, number: BoundNumber) -> bool {
        match number {
            BoundNumber::SelectionWeight | BoundNumber::RiskPenalty => self == Self::Evaluation,
            BoundNumber::CooldownInitial => self == Self::Spawn,
            BoundNumber::CooldownDuration => self != Self::Evaluation,
            BoundNumber::RecoveryTime => self == Self::Stamp,
            BoundNumber::CommitmentTime => self != Self::Spawn,
        }
    }
}

/// The numbers of all actions in use. Runs getters and methods of the game.
pub(super) fn read_current(id: InstanceId, moment: Moment) {
    if let Some(compiled) = driver::current_set(id).compiled {
        read_all(id, &compiled, moment);
    }
}

/// The numbers of all actions of a list.
pub(super) fn read_all(id: InstanceId, compiled: &CompiledSet, moment: Moment) {
    for (plan, side) in compiled.plan.actions().iter().zip(&compiled.sides) {
        if !plan.bindings.is_empty() {
            read(id, plan, side, moment);
        }
    }
}

/// The numbers of one action, for its commit or its end.
pub(super) fn read_action(id: InstanceId, action: ActionRef) {
    let name = driver::with(id, |state| state.core.name(action).to_owned());
    let Some((compiled, name)) = driver::current_set(id).compiled.zip(name) else { return };
    if let Some(at) = compiled.plan.find(&name) {
        read(id, &compiled.plan.actions()[at], &compiled.sides[at], Moment::Stamp);
    }
}

fn read(id: InstanceId, plan: &ActionPlan, side: &ActionSide, moment: Moment) {
    let agent = driver::with(id, |state| state.agent).flatten();
    let agent = agent.and_then(|agent| Gd::<Node>::try_from_instance_id(agent).ok());
    for (number, property) in BoundNumber::ALL {
        if !moment.reads(number) {
            continue;
        }
        let attribute = |slot: usize| side.attributes.get(slot)?.read(agent.as_ref()?);
        let value = bound_number(plan, number, attribute);
        let value = value.map(|value| number.clamped(resolved(id, side, property, value), plan));
        driver::with(id, |state| state.core.set_number(&plan.id, number, value));
    }
}

/// The last word of the evaluator's script on a number.
fn resolved(id: InstanceId, side: &ActionSide, property: &str, value: f64) -> f64 {
    let Ok(node) = Gd::<ActionEvaluator>::try_from_instance_id(id) else { return value };
    let name = &names().resolve_number;
    if !overrides_node(&node.clone().upcast(), name) {
        return value;
    }
    let arguments = [side.id.to_variant(), StringName::from(property).to_variant(), value.to_variant()];
    let answer = number(&script_method::call(&node, name, &arguments));
    if answer.is_finite() {
        return answer;
    }
    let text = format!(
        "_resolve_number() did not return a finite number for {property} of \"{}\", so {value} counts. Return a number.",
        side.id
    );
    messages::warning(&node, "_resolve_number", &format!("{} {property}", side.id), &text);
    value
}
