//! A graph as validation looks at it: read once, with nothing bound afterwards.

use godot::classes::AnimationMixer;
use godot::prelude::*;

use super::constants::fires;
use super::hook_parts::{HookFacts, hook_facts};
use super::merging::{Merged, MergedNode};
use super::node_table::ROOT;
use super::payload_parts::{PayloadFacts, payload_facts};
use super::{ActionGraphNode, ActionGraphTransition};

/// All nodes, root in front.
pub(super) struct GraphView {
    pub nodes: Vec<NodeView>,
}

/// A node with what is known of its parts.
pub(super) struct NodeView {
    pub id: String,
    pub file: String,
    pub node: Gd<ActionGraphNode>,
    /// What it plays; of nothing: it ends at once.
    pub payload: PayloadFacts,
    pub hooks: Vec<HookFacts>,
    pub wires: Vec<WireView>,
    pub can_be_cancelled: bool,
    /// It may be unable to start.
    pub can_fail: bool,
    /// Its window is open from the start if it has none of its own.
    pub from_entry: bool,
    /// A closed gate of it hides the transitions that lead to it.
    pub hides: bool,
}

/// A transition.
pub(super) struct WireView {
    pub id: String,
    pub wire: Gd<ActionGraphTransition>,
    pub to: String,
    pub fires_on: i64,
    pub tag: String,
    pub priority: i64,
    pub interrupts: bool,
    pub kinds: Vec<String>,
    pub accept_buffered: bool,
}

impl GraphView {
    pub(super) fn of(merged: &Merged, animations: Option<&Gd<AnimationMixer>>) -> Self {
        Self { nodes: merged.nodes.iter().map(|node| NodeView::of(node, animations)).collect() }
    }

    pub(super) fn node(&self, id: &str) -> Option<&NodeView> {
        self.nodes.iter().find(|node| node.id == id)
    }
}

impl NodeView {
    fn of(merged: &MergedNode, animations: Option<&Gd<AnimationMixer>>) -> Self {
        let node = merged.node.clone();
        let (payload, hooks, gates, fails) = {
            let own = node.bind();
            let fails = !own.enabled || !own.costs.members().is_empty() || own.cooldown.is_some();
            let payload = own.payload.member().cloned();
            (payload, own.hooks.members().to_vec(), own.gates.members().to_vec(), fails)
        };
        let nothing = || PayloadFacts { instant: true, kinds: Some(Vec::new()), ..PayloadFacts::default() };
        let payload = payload.map_or_else(nothing, |payload| payload_facts(&payload, animations));
        let own = node.bind();
        Self {
            id: merged.id.clone(),
            file: merged.file(),
            can_fail: fails || !gates.is_empty() || payload.can_fail,
            payload,
            hooks: hooks.iter().map(hook_facts).collect(),
            wires: merged
                .transitions
                .iter()
                .zip(merged.ids())
                .map(|(wire, id)| WireView::of(wire, id))
                .collect(),
            can_be_cancelled: own.can_be_cancelled,
            from_entry: own.when_no_window == ActionGraphNode::NO_WINDOW_FROM_ENTRY,
            hides: gates.iter().any(crate::action::gate_alone::hides),
            node: node.clone(),
        }
    }

    pub(super) fn is_root(&self) -> bool {
        self.id == ROOT
    }

    /// A hook may end it.
    pub(super) fn may_finish(&self) -> bool {
        self.hooks.iter().any(|hook| hook.finishes)
    }

    /// A hook may open a window.
    pub(super) fn hook_opens(&self) -> bool {
        self.hooks.iter().any(|hook| hook.opens_window)
    }

    /// Transitions that an input takes.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &WireView> {
        self.wires.iter().filter(|wire| wire.is_input())
    }
}

impl WireView {
    fn of(wire: &Gd<ActionGraphTransition>, id: String) -> Self {
        let own = wire.bind();
        Self {
            id,
            wire: wire.clone(),
            to: own.to.to_string(),
            fires_on: own.fires_on,
            tag: own.input_tag.to_string(),
            priority: own.priority,
            interrupts: own.timing == ActionGraphTransition::TIMING_INTERRUPT,
            kinds: own.window_kinds.as_slice().iter().map(|kind| kind.to_string()).collect(),
            accept_buffered: own.accept_buffered,
        }
    }

    pub(super) fn is_input(&self) -> bool {
        self.fires_on <= fires::INPUT_RELEASED_EARLY
    }
}
