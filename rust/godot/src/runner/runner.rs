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
    root: Gd<Node>,
    node: Gd<Node>,
    kind: RunnerKind,
    life: Cell<RunnerLife>,
}

impl Runner {
    /// The runner of a scene or a tree resource, outside the tree; else why there is none: "fact. Fix."
    pub(crate) fn make(entry: &Gd<Resource>) -> Result<Self, String> {
        let Found { root, node, kind } = finding::make(entry)?;
        Ok(Self { root, node, kind, life: Cell::default() })
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
        words::prepare(&mut self.node.clone(), self.kind, agent);
        if !(self.root.is_instance_valid() && agent.is_instance_valid()) {
            return Err("was freed before it could begin. Leave it alone until it is in the tree.".to_owned());
        }
        agent.clone().add_child(&self.root);
        let placed = self.is_alive() && self.root.is_inside_tree() && agent.is_instance_valid();
        if placed {
            words::settle(&mut self.node.clone(), self.kind, agent);
        }
        placed.then_some(()).ok_or_else(|| {
            "could not be added to the agent. Start it while the agent is in the tree.".to_owned()
        })
    }

    /// True if its blackboard declares keys, and lacks that one. To be asked before [`Runner::give_keys`].
    pub(crate) fn lacks_key(&self, key: &StringName) -> bool {
        self.is_alive() && words::lacks_key(&self.node, self.kind, key)
    }

    /// Gives it its keys, before it enters, or again when they changed.
    pub(crate) fn give_keys(&self, keys: &[(StringName, Variant)]) {
        if self.is_alive() {
            words::give_keys(&mut self.node.clone(), self.kind, keys);
        }
    }

    /// A node wants all keys at once; a tree takes those that changed.
    pub(crate) fn takes_all_keys(&self) -> bool {
        self.kind == RunnerKind::Hooks
    }

    /// Begins, unless it was ended already.
    pub(crate) fn enter(&self) -> Result<(), String> {
        if !self.is_alive() || !self.change(RunnerLife::enter) {
            return Ok(());
        }
        words::enter(&mut self.node.clone(), self.kind)
    }

    /// A step. A runner that was freed has failed.
    pub(crate) fn tick(&self, delta: f64) -> Result<RunnerStatus, String> {
        if !self.is_alive() {
            return Ok(RunnerStatus::Failed);
        }
        words::tick(&mut self.node.clone(), self.kind, delta)
    }

    /// Ends it, once; its node goes at the end of the frame.
    pub(crate) fn exit(&self, reason: ExitReason) {
        if self.change(RunnerLife::exit) && self.is_alive() {
            words::exit(&mut self.node.clone(), self.kind, reason);
        }
        self.free();
    }

    fn is_alive(&self) -> bool {
        self.root.is_instance_valid() && self.node.is_instance_valid()
    }

    fn change(&self, act: impl FnOnce(&mut RunnerLife) -> bool) -> bool {
        let mut life = self.life.get();
        let answer = act(&mut life);
        self.life.set(life);
        answer
    }

    fn free(&self) {
        let mut root = self.root.clone();
        if !root.is_instance_valid() || root.is_queued_for_deletion() {
            return;
        }
        if root.get_parent().is_some() { root.queue_free() } else { root.free() }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.free();
    }
}
