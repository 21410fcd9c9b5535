//! One runner of an agent, from its instance to its end.

use std::cell::Cell;

use godot::prelude::*;
use riposte_core::runner::{ExitReason, RunnerKind, RunnerLife, RunnerStatus};

use super::finding::{self, Found};
use super::words;

/// A runner that was instanced for an agent, and is freed with this value.
///
/// Its hooks are code of the game: call it with nothing bound or borrowed. They may end it while they are on the stack.
pub(crate) struct Runner {
    /// What is added to the agent.
    root: InstanceId,
    /// The root, or the tree below it. The game may free both.
    node: InstanceId,
    kind: RunnerKind,
    life: Cell<RunnerLife>,
}

impl Runner {
    /// The runner of a scene or a tree resource, outside the tree; else why there is none: "fact. Fix."
    pub(crate) fn make(entry: &Gd<Resource>) -> Result<Self, String> {
        let Found { root, node, kind } = finding::make(entry)?;
        Ok(Self { root: root.instance_id(), node: node.instance_id(), kind, life: Cell::default() })
    }

    /// True if trees of an addon can be named as resources.
    pub(crate) fn has_tree_resources() -> bool {
        finding::has_tree_resources()
    }

    /// Puts it under the agent.
    pub(crate) fn place(&self, agent: &Gd<Node>) -> Result<(), String> {
        if !agent.is_node_ready() {
            return Err(
                "can't begin: the agent is not ready. Start it from the agent's _ready or later.".to_owned()
            );
        }
        let own = agent.instance_id();
        if let Some(node) = self.node() {
            words::prepare(&node, self.kind, agent);
        }
        let (Some(root), true) = (self.root(), own.lookup_validity()) else {
            return Err("was freed before it could begin. Leave it alone until it is in the tree.".to_owned());
        };
        agent.clone().add_child(&root);
        let placed = own.lookup_validity() && self.root().is_some_and(|root| root.is_inside_tree());
        if let Some(node) = self.node().filter(|_| placed) {
            words::settle(&node, self.kind, agent);
        }
        placed.then_some(()).ok_or_else(|| {
            "could not be added to the agent. Start it while the agent is in the tree.".to_owned()
        })
    }

    /// True if its blackboard declares keys, and lacks that one. To be asked before [`Runner::give_keys`].
    pub(crate) fn lacks_key(&self, key: &StringName) -> bool {
        self.node().is_some_and(|node| words::lacks_key(&node, self.kind, key))
    }

    /// Gives it its keys, before it enters, or again when they changed.
    pub(crate) fn give_keys(&self, keys: &[(StringName, Variant)]) {
        if let Some(node) = self.node() {
            words::give_keys(&node, self.kind, keys);
        }
    }

    /// A node wants all keys at once; a tree takes those that changed.
    pub(crate) fn takes_all_keys(&self) -> bool {
        self.kind == RunnerKind::Hooks
    }

    /// Begins, unless it was ended already.
    pub(crate) fn enter(&self) -> Result<(), String> {
        match self.node() {
            Some(node) if self.change(RunnerLife::enter) => words::enter(&node, self.kind),
            _ => Ok(()),
        }
    }

    /// A step. A runner that was freed has failed.
    pub(crate) fn tick(&self, delta: f64) -> Result<RunnerStatus, String> {
        match self.node() {
            Some(node) => words::tick(&node, self.kind, delta),
            None => Ok(RunnerStatus::Failed),
        }
    }

    /// Ends it, once; its node goes at the end of the frame.
    pub(crate) fn exit(&self, reason: ExitReason) {
        if self.change(RunnerLife::exit)
            && let Some(node) = self.node()
        {
            words::exit(&node, self.kind, reason);
        }
        self.free();
    }

    fn root(&self) -> Option<Gd<Node>> {
        Gd::try_from_instance_id(self.root).ok()
    }

    fn node(&self) -> Option<Gd<Node>> {
        Gd::try_from_instance_id(self.node).ok()
    }

    fn change(&self, act: impl FnOnce(&mut RunnerLife) -> bool) -> bool {
        let mut life = self.life.get();
        let answer = act(&mut life);
        self.life.set(life);
        answer
    }

    fn free(&self) {
        let Some(mut root) = self.root().filter(|root| !root.is_queued_for_deletion()) else { return };
        if root.get_parent().is_some() { root.queue_free() } else { root.free() }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.free();
    }
}
