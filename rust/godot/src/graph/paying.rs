//! What nodes cost their agent.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::graph::parts::{CostPlan, VitalView, pay as pay_from};
use riposte_core::tags::TagId;

use super::cost_parts;
use super::living::living;
use super::run_parts::CostPart;
use super::state::with;
use crate::agent::{change_vital, read_vital};
use crate::base::lookup;

/// A cost that a script decides on.
pub(super) fn cost_part(id: InstanceId, node: u32, index: u32) -> Option<Rc<dyn CostPart>> {
    with(id, |state| state.graph()?.nodes.get(node as usize)?.costs.get(index as usize)?.clone())?
}

/// Pays one cost of a run that starts.
pub(super) fn pay(id: InstanceId, run: u64, index: u32) {
    let Some(living) = living(id, run) else { return };
    let node = living.run.data().node;
    let Some(plan) = living.graph.core.node(node).costs.get(index as usize) else { return };
    match plan {
        CostPlan::Vital { tag, .. } => {
            let spent = read_vital(living.run.data().agent, *tag, |row| {
                let mut view = VitalView { tag: *tag, value: row.value(), max: row.max(), row: true };
                pay_from(plan, std::slice::from_mut(&mut view), &mut []);
                row.value() - view.value
            });
            if let Some(spent) = spent.filter(|spent| *spent != 0.0) {
                change_vital(living.run.data().agent, *tag, -spent);
            }
        }
        CostPlan::Attribute { at, amount } => {
            let name = living.graph.core.needs().attributes.get(*at);
            if let Some((name, agent)) = name.zip(living.run.agent()) {
                cost_parts::pay_attribute(&agent, name, *amount);
            }
        }
        CostPlan::Script => {
            let part = living
                .graph
                .nodes
                .get(node as usize)
                .and_then(|node| node.costs.get(index as usize)?.clone());
            if let Some(part) = part {
                part.pay(&living.run);
            }
        }
    }
}

/// The error about an attribute that a node is paid from and the agent has not, if that is why it could not start.
pub(super) fn tell_missing(id: InstanceId, node: u32) {
    let Some(core) = with(id, |state| Some(state.graph()?.core.clone())).flatten() else { return };
    let player = Gd::<Node>::try_from_instance_id(id).ok();
    let agent = lookup::agent_of(id).and_then(|agent| Gd::<Node>::try_from_instance_id(agent).ok());
    if let Some((player, agent)) = player.zip(agent) {
        cost_parts::tell_missing(&player, &agent, &core.node(node).costs, core.needs());
    }
}

/// Takes this much of a vital.
pub(super) fn drain(id: InstanceId, tag: TagId, amount: f64) {
    if let Some(agent) = lookup::agent_of(id) {
        change_vital(agent, tag, -amount);
    }
}
