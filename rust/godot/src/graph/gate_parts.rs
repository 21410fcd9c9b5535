//! Gates of a node: the family of the action system, asked with the agent and the target of a player.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::parts::{GraphGatePlan, TagTest};

use super::run_parts::{GateAsk, RunRef};
use crate::action::gate_alone::{self, GateAlone, Taken};

/// A gate as a node uses it.
pub(crate) struct NodeGate {
    /// What the core knows of it.
    pub plan: GraphGatePlan,
    /// What answers for it where the core does not.
    pub part: Option<Rc<dyn GateAsk>>,
    /// It takes something that the run holds.
    pub holds: bool,
}

/// Compiles the gates of a node; those that always pass are left out. Runs scripts.
pub(crate) fn node_gates(gates: &[Gd<Resource>]) -> Vec<NodeGate> {
    let mut compiled: Vec<(GateAlone, bool)> =
        gates.iter().filter_map(|gate| Some((GateAlone::of(gate)?, gate_alone::hides(gate)))).collect();
    let costs: Vec<_> = compiled.iter().filter_map(|(gate, _)| gate.token_cost()).collect();
    for (gate, _) in &mut compiled {
        if let Some((tag, _)) = gate.token_cost() {
            let same = costs.iter().filter(|(known, _)| *known == tag);
            gate.set_token_total(same.fold(0, |sum, (_, cost)| sum.saturating_add(*cost)));
        }
    }
    compiled.into_iter().map(|(gate, hides)| node_gate(gate, hides)).collect()
}

fn node_gate(gate: GateAlone, hides: bool) -> NodeGate {
    let tags = gate.tags().map(|(of, required, blocked)| TagTest {
        of,
        required: required.to_vec(),
        blocked: blocked.to_vec(),
    });
    let holds = gate.token_cost().is_some();
    let plan = GraphGatePlan { tags, hides, label: Arc::from(gate.label()) };
    let asked = plan.tags.is_none();
    let part = asked.then(|| Rc::new(Asked { gate, taken: RefCell::default() }) as Rc<dyn GateAsk>);
    NodeGate { plan, part, holds }
}

struct Asked {
    gate: GateAlone,
    /// What runs took, by player and run.
    taken: RefCell<BTreeMap<(i64, u64), Taken>>,
}

fn key(run: &RunRef) -> (i64, u64) {
    (run.player().to_i64(), run.data().run)
}

impl GateAsk for Asked {
    fn is_open(&self, run: &RunRef) -> bool {
        let agent = run.data().agent;
        let target = run.target().map(|node| node.instance_id());
        self.gate.is_open(agent, target, || run.gate_context())
    }

    fn take(&self, run: &RunRef) {
        let target = run.target().map(|node| node.instance_id());
        if let Some(taken) = self.gate.take(run.data().agent, target) {
            let before = self.taken.borrow_mut().insert(key(run), taken);
            if let Some(before) = before {
                before.give_back();
            }
        }
    }

    fn release(&self, run: &RunRef) {
        let taken = self.taken.borrow_mut().remove(&key(run));
        if let Some(taken) = taken {
            taken.give_back();
        }
    }
}
