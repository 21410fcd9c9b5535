//! From resources to the compiled graph. Scripts may run (what a scripted part calls itself): nothing is bound meanwhile.

use std::rc::Rc;
use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::parts::Needs;
use riposte_core::graph::{
    BufferMode, FiresOn, Graph, GraphPlan, NoWindow, NodePlan, PayloadPlan, Timing, TransitionPlan,
};
use riposte_core::tags::TagId;

use super::action_cooldown::cooldown_plan;
use super::compiled::{CompiledGraph, NodeParts};
use super::condition_parts::{condition_part, condition_plan};
use super::cost_parts::{cost_part, cost_plan};
use super::findings::Located;
use super::gate_parts::node_gates;
use super::hook_parts::{hook_part, hook_plan};
use super::merging::MergedNode;
use super::payload_parts::{payload_part, payload_plan};
use super::run_parts::ConditionPart;
use super::{ActionGraph, ActionGraphNode, ActionGraphTransition, validation};
use crate::base::{messages, tags};

/// The compiled graph; none, with an error for each code, if it has errors.
pub(super) fn compile(this: &Gd<ActionGraph>) -> Option<Rc<CompiledGraph>> {
    let errors = validation::errors(this);
    if !errors.is_empty() {
        tell(this, &errors);
        return None;
    }
    let stamp = ActionGraph::stamp(this);
    let merged = ActionGraph::merged(this);
    let mut plan = settings(&this.bind());
    let mut needs = Needs::default();
    let mut nodes = Vec::new();
    for node in &merged.nodes {
        let (core, parts) = node_plan(node, &mut needs);
        plan.nodes.push(core);
        nodes.push(parts);
    }
    plan.attributes = needs.attributes;
    let core = Graph::compile(plan);
    match core {
        Ok(core) => Some(Rc::new(CompiledGraph { core, nodes, stamp })),
        Err(problem) => {
            // A script that was asked has changed what was sound before.
            messages::error(this, "compile", "core", &format!("the graph can't be compiled: {problem:?}."));
            None
        }
    }
}

/// One error for each code.
fn tell(this: &Gd<ActionGraph>, errors: &[Located]) {
    for (at, error) in errors.iter().enumerate() {
        let code = error.finding.code;
        if errors[..at].iter().any(|known| known.finding.code == code) {
            continue;
        }
        let more = errors[at + 1..].iter().filter(|other| other.finding.code == code).count();
        let more = if more == 0 { String::new() } else { format!(" {more} more of {code}: see validate().") };
        let text = format!("{}{more}", error.text());
        messages::error(this, "compile", &text, &text);
    }
}

fn settings(graph: &ActionGraph) -> GraphPlan {
    GraphPlan {
        buffer: BufferMode::from_code(graph.default_input_buffer_mode).unwrap_or(BufferMode::AcceptLast),
        late_input_grace: graph.late_input_grace,
        held_input_restart_window: graph.held_input_restart_window,
        combo_input_lifetime: graph.combo_input_lifetime,
        resync_releases: graph.resync_releases,
        nodes: Vec::new(),
        attributes: Vec::new(),
    }
}

fn node_plan(merged: &MergedNode, needs: &mut Needs) -> (NodePlan, NodeParts) {
    let node = &merged.node;
    let (payload, costs, gates, hooks, cooldown) = {
        let node = node.bind();
        let lists = (node.costs.members().to_vec(), node.gates.members().to_vec());
        (
            node.payload.member().cloned(),
            lists.0,
            lists.1,
            node.hooks.members().to_vec(),
            node.cooldown.clone(),
        )
    };
    let mut plan = own_plan(&merged.id, &node.bind());
    let mut parts = NodeParts {
        id: StringName::from(&merged.id),
        payload: payload.as_ref().and_then(payload_part),
        hooks: Vec::new(),
        gates: Vec::new(),
        costs: Vec::new(),
        conditions: Vec::new(),
    };
    plan.payload = payload.as_ref().map_or(PayloadPlan::None, payload_plan);
    for cost in &costs {
        if let Some(core) = cost_plan(cost, needs) {
            plan.costs.push(core);
            parts.costs.push(cost_part(cost));
        }
    }
    for hook in &hooks {
        if let Some(core) = hook_plan(hook) {
            plan.hooks.push(core);
            parts.hooks.push(hook_part(hook));
        }
    }
    for gate in node_gates(&gates) {
        plan.holds_gates |= gate.holds;
        plan.gates.push(gate.plan);
        parts.gates.push(gate.part);
    }
    plan.cooldown = cooldown.as_ref().map(|cooldown| cooldown_plan(cooldown, &merged.id));
    for (wire, id) in merged.transitions.iter().zip(merged.ids()) {
        let (core, conditions) = transition_plan(wire, &id);
        plan.transitions.push(core);
        parts.conditions.push(conditions);
    }
    (plan, parts)
}

/// What is plain in a node.
fn own_plan(id: &str, node: &ActionGraphNode) -> NodePlan {
    NodePlan {
        display_name: Arc::from(node.display_name.to_string()),
        enabled: node.enabled,
        when_no_window: NoWindow::from_code(node.when_no_window).unwrap_or(NoWindow::AtCompletion),
        buffer: BufferMode::from_code(node.buffer_override),
        late_input_grace: (node.late_input_grace >= 0.0).then_some(node.late_input_grace),
        retrigger_from_root: node.retrigger_from_root_on_failed_start,
        mash_lock: node.mash_lock,
        can_be_cancelled: node.can_be_cancelled,
        cancel_window_start: node.cancel_window_start,
        cancellable_by: node.cancellable_by_inputs.ids().to_vec(),
        ignored_cancels: node.ignored_cancel_inputs.ids().to_vec(),
        cancel_needs_root_move: node.cancel_needs_root_move,
        applied_tags: node.applied_tags.ids().to_vec(),
        ..NodePlan::new(id)
    }
}

type Conditions = Vec<Option<Rc<dyn ConditionPart>>>;

fn transition_plan(wire: &Gd<ActionGraphTransition>, id: &str) -> (TransitionPlan, Conditions) {
    let (mut plan, conditions) = {
        let wire = wire.bind();
        (own_transition(&wire, id), wire.conditions.members().to_vec())
    };
    plan.conditions = conditions.iter().map(condition_plan).collect();
    (plan, conditions.iter().map(condition_part).collect())
}

fn own_transition(wire: &ActionGraphTransition, id: &str) -> TransitionPlan {
    let fires_on = FiresOn::from_code(wire.fires_on).unwrap_or(FiresOn::Pressed);
    let input = if wire.is_input() { tag(&wire.input_tag) } else { None };
    TransitionPlan {
        priority: wire.priority as i32,
        timing: Timing::from_code(wire.timing).unwrap_or(Timing::WaitForWindow),
        required_tags: wire.required_tags.ids().to_vec(),
        blocked_tags: wire.blocked_tags.ids().to_vec(),
        window_kinds: wire.window_kinds.as_slice().iter().map(|kind| Arc::from(kind.to_string())).collect(),
        accept_buffered: wire.accept_buffered,
        ..TransitionPlan::new(id, &wire.to.to_string(), fires_on, input)
    }
}

fn tag(name: &StringName) -> Option<TagId> {
    tags::intern(&name.to_string()).ok()
}
