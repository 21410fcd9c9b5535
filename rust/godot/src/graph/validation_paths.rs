//! Where a graph leads: nodes that are never reached, moves that end in a circle, transitions that are never chosen.

use std::collections::BTreeSet;

use super::condition_parts::condition_plan;
use super::constants::fires;
use super::findings::{Finding, Located};
use super::graph_view::{GraphView, NodeView, WireView};
use super::node_table::ROOT;
use super::validation::say;

pub(super) fn look(view: &GraphView, found: &mut Vec<Located>) {
    unreached(view, found);
    circles(view, found);
    for node in &view.nodes {
        shadowed(view, node, found);
    }
}

/// W2.
fn unreached(view: &GraphView, found: &mut Vec<Located>) {
    let mut reached = BTreeSet::from([ROOT]);
    let mut next = vec![ROOT];
    while let Some(node) = next.pop().and_then(|id| view.node(id)) {
        for wire in &node.wires {
            // At root nothing completes and nothing fails.
            let goes = wire.is_input() || !node.is_root();
            if goes && reached.insert(&wire.to) {
                next.push(&wire.to);
            }
        }
    }
    for node in view.nodes.iter().filter(|node| !reached.contains(node.id.as_str())) {
        let text = "not reachable from Root. Lead a transition to it, or remove it.";
        say(found, node, "", Finding::new("W2", text));
    }
}

/// W10: moves that end in the instant they start, each followed by the next.
fn circles(view: &GraphView, found: &mut Vec<Located>) {
    let mut told = BTreeSet::new();
    for start in view.nodes.iter().filter(|node| is_instant(node)) {
        let mut path = vec![start];
        if told.contains(&start.id) || !closes(view, start, &mut path, &mut BTreeSet::new()) {
            continue;
        }
        told.extend(path.iter().map(|node| node.id.clone()));
        let names: Vec<&str> = path.iter().map(|node| node.id.as_str()).chain([start.id.as_str()]).collect();
        let text = format!(
            "moves end instantly in a circle: {}. Let one of them last, or lead it out.",
            names.join(" → ")
        );
        say(found, start, "", Finding::new("W10", text));
    }
}

/// True if completions lead from the end of `path` back to `start`; then the way is in `path`.
fn closes<'a>(
    view: &'a GraphView,
    start: &NodeView,
    path: &mut Vec<&'a NodeView>,
    seen: &mut BTreeSet<&'a str>,
) -> bool {
    let Some(last) = path.last().copied() else { return false };
    for wire in last.wires.iter().filter(|wire| wire.fires_on == fires::ACTION_COMPLETED) {
        if wire.to == start.id {
            return true;
        }
        let Some(next) = view.node(&wire.to).filter(|next| is_instant(next)) else { continue };
        if seen.insert(&next.id) {
            path.push(next);
            if closes(view, start, path, seen) {
                return true;
            }
            path.pop();
        }
    }
    false
}

fn is_instant(node: &NodeView) -> bool {
    !node.is_root() && node.payload.instant
}

/// W15.
fn shadowed(view: &GraphView, node: &NodeView, found: &mut Vec<Located>) {
    for (at, wire) in node.wires.iter().enumerate() {
        let above = node.wires[..at]
            .iter()
            .find(|above| takes_all(above, wire) && view.node(&above.to).is_none_or(|target| !target.hides));
        if let Some(above) = above {
            let text = format!(
                "never chosen: same input, priority and conditions as the transition \"{}\" above it. Give it another \
                 priority, or remove it.",
                above.id
            );
            say(found, node, &wire.id, Finding::new("W15", text));
        }
    }
}

/// True if `above` passes and wins whenever `wire` passes.
fn takes_all(above: &WireView, wire: &WireView) -> bool {
    let same_moment = above.fires_on == wire.fires_on && above.priority == wire.priority;
    let covers = !wire.is_input() || is_same_or_below(&wire.tag, &above.tag);
    let windows = above.kinds == wire.kinds && (above.accept_buffered || !wire.accept_buffered);
    same_moment && covers && windows && same_tests(above, wire)
}

fn same_tests(above: &WireView, wire: &WireView) -> bool {
    let (one, other) = {
        let (one, other) = (above.wire.bind(), wire.wire.bind());
        let tags = one.required_tags.ids() == other.required_tags.ids()
            && one.blocked_tags.ids() == other.blocked_tags.ids();
        if !tags || one.conditions.members().len() != other.conditions.members().len() {
            return false;
        }
        (one.conditions.members().to_vec(), other.conditions.members().to_vec())
    };
    one.iter().zip(&other).all(|(one, other)| {
        one == other || (one.get_script().is_none() && condition_plan(one) == condition_plan(other))
    })
}

fn is_same_or_below(tag: &str, ancestor: &str) -> bool {
    tag.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
