//! What is wrong with single nodes and their transitions.

use godot::classes::AnimationMixer;
use godot::prelude::*;
use riposte_core::tags::closest_name;

use super::HoldPayload;
use super::condition_parts::{condition_findings, condition_key};
use super::constants::fires;
use super::cost_parts::cost_findings;
use super::findings::{self, Finding, Located};
use super::graph_view::{GraphView, NodeView, WireView};
use super::hook_parts::hook_findings;
use super::payload_parts::payload_findings;
use super::validation::{null_elements, say};
use crate::action::parts::gate_warnings;

pub(super) fn look(view: &GraphView, animations: Option<&Gd<AnimationMixer>>, found: &mut Vec<Located>) {
    let keys = cooldown_keys(view);
    for node in &view.nodes {
        let mut own = Vec::new();
        parts(node, animations, &mut own);
        tags_of(node, &mut own);
        if !node.is_root() {
            ways_out(node, &mut own);
            cancelling(node, &mut own);
        }
        own.into_iter().for_each(|finding| say(found, node, "", finding));
        for wire in &node.wires {
            let mut own = Vec::new();
            moment(node, wire, &mut own);
            windows(node, wire, &mut own);
            tests(wire, &keys, &mut own);
            own.into_iter().for_each(|finding| say(found, node, &wire.id, finding));
        }
    }
}

/// What the parts of a node say themselves, and empty places.
fn parts(node: &NodeView, animations: Option<&Gd<AnimationMixer>>, found: &mut Vec<Finding>) {
    let (payload, costs, gates, hooks, nulls) = {
        let own = node.node.bind();
        let nulls = [
            ("costs", own.costs.null_count()),
            ("gates", own.gates.null_count()),
            ("hooks", own.hooks.null_count()),
            ("transitions", own.transitions.null_count()),
        ];
        let lists = (own.costs.members().to_vec(), own.gates.members().to_vec());
        (own.payload.member().cloned(), lists.0, lists.1, own.hooks.members().to_vec(), nulls)
    };
    for (member, _) in nulls.into_iter().filter(|one| one.1 > 0) {
        found.push(Finding::new("W6", null_elements(member)));
    }
    found.extend(payload.iter().flat_map(|payload| payload_findings(payload, animations)));
    found.extend(costs.iter().flat_map(cost_findings));
    found.extend(hooks.iter().flat_map(hook_findings));
    found.extend(gates.iter().flat_map(gate_warnings).map(|text| Finding::new("W1", text)));
}

/// W1 of the node itself.
fn tags_of(node: &NodeView, found: &mut Vec<Finding>) {
    let own = node.node.bind();
    for (member, list) in [
        ("applied_tags", &own.applied_tags),
        ("cancellable_by_inputs", &own.cancellable_by_inputs),
        ("ignored_cancel_inputs", &own.ignored_cancel_inputs),
    ] {
        found.extend(findings::tag_list(member, list));
    }
}

/// W14, W20, W22: moves that never end by themselves and that nothing leads out of.
fn ways_out(node: &NodeView, found: &mut Vec<Finding>) {
    let has_wires = node.inputs().next().is_some();
    let cut = node.can_be_cancelled || node.may_finish();
    if node.payload.waits && !has_wires && !cut {
        let text = "event mode that waits, but no transition and no cancel. Switch end_immediately on, or lead it out.";
        found.push(Finding::new("W22", text));
    }
    if !node.payload.endless {
        return;
    }
    let open = node.payload.opens_window || node.hook_opens() || node.from_entry;
    if is_hold(node) && !open {
        let text = "Hold without window and without a hook that opens one: presses wait for ever. Switch \
                    open_action_window on, or add a hook.";
        found.push(Finding::new("W20", text));
    }
    let plain = node.payload.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(String::is_empty));
    let opens = node.hook_opens() || node.from_entry || (plain && node.payload.opens_window) || is_hold(node);
    let reaches = |wire: &WireView| wire.interrupts || !wire.kinds.is_empty() || opens;
    if !cut && !node.inputs().any(reaches) {
        let text = "no way out of this move: it is endless, no transition is ever taken, it is not cancellable, and no \
                    hook finishes it. Lead a transition out, or let it be cancelled.";
        found.push(Finding::new("W14", text));
    }
}

fn is_hold(node: &NodeView) -> bool {
    let payload = node.node.bind().payload.member().cloned();
    payload.is_some_and(|payload| payload.try_cast::<HoldPayload>().is_ok())
}

/// W16, W19.
fn cancelling(node: &NodeView, found: &mut Vec<Finding>) {
    if node.can_be_cancelled {
        return;
    }
    if node.hooks.iter().any(|hook| hook.needs_cancel) {
        let text = "CancelOnMovement on a move that cannot be cancelled. Switch can_be_cancelled on, or remove the hook.";
        found.push(Finding::new("W16", text));
    }
    let own = node.node.bind();
    let set = [
        ("ignored_cancel_inputs", !own.ignored_cancel_inputs.ids().is_empty()),
        ("cancellable_by_inputs", !own.cancellable_by_inputs.ids().is_empty()),
    ];
    for (member, _) in set.into_iter().filter(|one| one.1) {
        let text = format!("{member} is set, and can_be_cancelled is off. Switch it on, or clear the list.");
        found.push(Finding::new("W19", text));
    }
}

/// W3, W4.
fn moment(node: &NodeView, wire: &WireView, found: &mut Vec<Finding>) {
    let name = match wire.fires_on {
        fires::ACTION_COMPLETED => "Completed",
        fires::ACTION_FAILED => "Failed",
        _ => return,
    };
    if node.is_root() {
        let text = format!("{name} transition on root never fires. Set another moment, or remove it.");
        found.push(Finding::new("W3", text));
    } else if wire.fires_on == fires::ACTION_FAILED && !node.can_fail {
        let text = "Failed transition on a move that cannot fail: it has no cost, gate, cooldown or payload that could \
                    refuse. Remove it.";
        found.push(Finding::new("W4", text));
    }
}

/// W18.
fn windows(node: &NodeView, wire: &WireView, found: &mut Vec<Finding>) {
    if !wire.is_input() {
        return;
    }
    if !wire.accept_buffered && wire.kinds.is_empty() {
        let text = "accept_buffered off without kinds. Name the window in window_kinds, or switch it on.";
        found.push(Finding::new("W18", text));
    }
    let Some(known) = node.payload.kinds.as_ref().filter(|_| !node.hook_opens()) else { return };
    for kind in wire.kinds.iter().filter(|kind| !known.contains(kind)) {
        let text = match closest_name(kind, known.iter().map(String::as_str)) {
            Some(near) => format!("kind \"{kind}\" is not authored on this move; closest: \"{near}\"."),
            None => {
                format!("kind \"{kind}\" is not authored on this move. Author a window of it, or clear it.")
            }
        };
        found.push(Finding::new("W18", text));
    }
}

/// W1, W5, W6 and what the conditions say themselves.
fn tests(wire: &WireView, keys: &[String], found: &mut Vec<Finding>) {
    let (conditions, nulls) = {
        let own = wire.wire.bind();
        if own.is_input() {
            found.extend(findings::tag("input_tag", &wire.tag));
        }
        found.extend(findings::tag_list("required_tags", &own.required_tags));
        found.extend(findings::tag_list("blocked_tags", &own.blocked_tags));
        (own.conditions.members().to_vec(), own.conditions.null_count())
    };
    if nulls > 0 {
        found.push(Finding::new("W6", null_elements("conditions")));
    }
    for condition in conditions {
        found.extend(condition_findings(&condition));
        let Some(key) = condition_key(&condition).map(|key| key.to_string()) else { continue };
        if !keys.contains(&key) {
            let text = match closest_name(&key, keys.iter().map(String::as_str)) {
                Some(near) => format!("Cooldown Ready for unknown key \"{key}\"; closest: \"{near}\"."),
                None => format!(
                    "Cooldown Ready for unknown key \"{key}\", so it always passes. No cooldown has it."
                ),
            };
            found.push(Finding::new("W5", text));
        }
    }
}

/// Keys of cooldowns, and ids of the nodes that have one.
fn cooldown_keys(view: &GraphView) -> Vec<String> {
    let mut keys = Vec::new();
    for node in &view.nodes {
        let cooldown = node.node.bind().cooldown.clone();
        if let Some(cooldown) = cooldown {
            let key = cooldown.bind().key.to_string();
            keys.extend([node.id.clone(), key].into_iter().filter(|key| !key.is_empty()));
        }
    }
    keys
}
