//! Errors about what a graph does at run time.

use godot::prelude::*;

use super::ActionGraphPlayer;
use super::state::with;
use crate::base::messages;

/// Too many moves in one instant.
pub(super) fn looped(id: InstanceId) {
    let nodes = with(id, |state| {
        let nodes = state.core.looped().to_vec();
        let graph = state.core.graph()?;
        Some(nodes.into_iter().map(|node| graph.node(node).id.to_string()).collect::<Vec<_>>())
    });
    let nodes = nodes.flatten().unwrap_or_default();
    let circle = circle_of(&nodes).join(" → ");
    if let Ok(node) = Gd::<ActionGraphPlayer>::try_from_instance_id(id) {
        let text = format!(
            "more than 32 moves were entered in one instant, so the graph went to Root: {circle}. Give one of them a duration, \
             or take a transition out."
        );
        messages::error(&node, "loop", &circle, &text);
    }
}

/// The nodes up to where they begin again.
fn circle_of(nodes: &[String]) -> Vec<&str> {
    let Some(first) = nodes.first() else { return Vec::new() };
    let mut circle: Vec<&str> = vec![first];
    for node in &nodes[1..] {
        let again = circle.contains(&node.as_str());
        circle.push(node);
        if again {
            break;
        }
    }
    circle
}

/// Too many calls from inside of one step.
pub(super) fn overflow(id: InstanceId) {
    if let Ok(node) = Gd::<ActionGraphPlayer>::try_from_instance_id(id) {
        let text = "more than 64 calls came from inside of signals and virtuals in one step; the rest waits for the next one. \
                    Call less from there.";
        messages::error(&node, "overflow", "overflow", text);
    }
}
