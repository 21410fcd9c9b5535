//! Nodes and transitions in words, for the inspector.

use godot::prelude::*;

use super::constants::fires;
use super::{ActionGraphNode, ActionGraphTransition, payload_parts};
use crate::base::messages;

/// `Input.LightAttack pressed → light_2, priority 5, if 1 condition passes`.
pub(super) fn of_transition(wire: &ActionGraphTransition) -> String {
    let mut text = format!("{} → {}", moment(wire), target(wire));
    let mut add = |more: String| {
        text.push_str(", ");
        text.push_str(&more);
    };
    if wire.priority != 0 {
        add(format!("priority {}", wire.priority));
    }
    if wire.is_input() && wire.timing == ActionGraphTransition::TIMING_INTERRUPT {
        add("at once".to_owned());
    }
    if !wire.window_kinds.is_empty() {
        add(format!("in a window {}", join(&wire.window_kinds)));
    }
    if !wire.accept_buffered {
        add("no early press".to_owned());
    }
    if !wire.required_tags.ids().is_empty() {
        add(format!("with {}", join(&wire.required_tags.typed())));
    }
    if !wire.blocked_tags.ids().is_empty() {
        add(format!("without {}", join(&wire.blocked_tags.typed())));
    }
    match wire.conditions.members().len() {
        0 => {}
        1 => add("1 condition".to_owned()),
        count => add(format!("{count} conditions")),
    }
    text
}

/// What a move plays, how it may be cut, and its wires, one a line.
pub(super) fn of_node(node: &ActionGraphNode) -> String {
    let mut parts = vec![match node.payload.member() {
        // A script is not asked here: the node is bound.
        Some(payload) if payload.get_script().is_some() => messages::class_label(payload),
        Some(payload) => payload_parts::payload_facts(payload, None).caption,
        None => "nothing".to_owned(),
    }];
    if !node.enabled {
        parts.push("off".to_owned());
    }
    for (count, one, many) in [
        (node.costs.members().len(), "cost", "costs"),
        (node.gates.members().len(), "gate", "gates"),
        (node.hooks.members().len(), "hook", "hooks"),
    ] {
        match count {
            0 => {}
            1 => parts.push(format!("1 {one}")),
            count => parts.push(format!("{count} {many}")),
        }
    }
    if node.can_be_cancelled {
        parts.push(format!("can be cancelled from {} s", node.cancel_window_start));
    }
    let mut text = parts.join(", ");
    for wire in node.transitions.members() {
        text.push('\n');
        text.push_str(&of_transition(&wire.bind()));
    }
    text
}

fn target(wire: &ActionGraphTransition) -> String {
    if wire.to.is_empty() { "nowhere".to_owned() } else { wire.to.to_string() }
}

fn moment(wire: &ActionGraphTransition) -> String {
    let tag = if wire.input_tag.is_empty() { "no input".to_owned() } else { wire.input_tag.to_string() };
    match wire.fires_on {
        fires::INPUT_RELEASED => format!("{tag} released"),
        fires::INPUT_RELEASED_EARLY => format!("{tag} released early"),
        fires::ACTION_COMPLETED => "Completed".to_owned(),
        fires::ACTION_FAILED => "Failed".to_owned(),
        _ => tag,
    }
}

fn join(names: &PackedStringArray) -> String {
    names.as_slice().iter().map(GString::to_string).collect::<Vec<_>>().join(", ")
}
