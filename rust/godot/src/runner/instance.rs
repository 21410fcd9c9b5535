//! One runner of an agent, from its instance to its end.

use std::cell::Cell;

use godot::prelude::*;
use riposte_core::runner::{ExitReason, RunnerKind, RunnerLife, RunnerStatus};

use super::finding::{self, Found};
use super::words;

/// A runner of an agent. One that was instanced for it is freed with this value.
///
/// Its hooks are code of the game: call it with nothing bound or borrowed. They may end it while they are on the stack.
pub(crate) struct Runner {
    /// What is added to the agent.
    root: InstanceId,
    /// The root, or the tree below it. The game may free both.
    node: InstanceId,
    kind: RunnerKind,
    life: Cell<RunnerLife>,
    /// It was instanced here. Others belong to the game.
    owned: bool,
}

impl Runner {
    /// The runner of a scene or a tree resource, outside the tree; else why there is none: "fact. Fix."
    pub(crate) fn make(entry: &Gd<Resource>) -> Result<Self, String> {
        finding::make(entry).map(|found| Self::of(&found, true))
    }

    /// The runner of a node of the game, which stays where it is.
    pub(crate) fn of_node(node: &Gd<Node>) -> Result<Self, String> {
        finding::of_node(node).map(|found| Self::of(&found, false))
    }

    fn of(found: &Found, owned: bool) -> Self {
        let (root, node) = (found.root.instance_id(), found.node.instance_id());
        Self { root, node, kind: found.kind, life: Cell::default(), owned }
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
        self.place_under(agent, agent)
    }

    /// Puts it under another node than the agent. That one has to be ready.
    pub(crate) fn place_under(&self, parent: &Gd<Node>, agent: &Gd<Node>) -> Result<(), String> {
        let own = parent.instance_id();
        if let Some(node) = self.node() {
            words::prepare(&node, self.kind, agent);
        }
        let (Some(root), true) = (self.root(), own.lookup_validity()) else {
            return Err("was freed before it could begin. Leave it alone until it is in the tree.".to_owned());
        };
        parent.clone().add_child(&root);
        let placed = own.lookup_validity() && self.root().is_some_and(|root| root.is_inside_tree());
        if let Some(node) = self.node().filter(|_| placed) {
            words::settle(&node, self.kind, agent);
        }
        placed.then_some(()).ok_or_else(|| {
            "could not be added to the agent. Start it while the agent is in the tree.".to_owned()
        })
    }

    /// Tells a tree of the game whose it is, and not to step by itself.
    pub(crate) fn adopt(&self, agent: &Gd<Node>) {
        if let Some(node) = self.node() {
            words::prepare(&node, self.kind, agent);
            words::settle(&node, self.kind, agent);
        }
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
        self.kind.has_hooks()
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

    /// Ends it as [`Runner::exit`] does, but its node stays and may enter again.
    pub(crate) fn leave(&self, reason: ExitReason) {
        if self.change(RunnerLife::exit)
            && let Some(node) = self.node()
        {
            words::exit(&node, self.kind, reason);
        }
        self.life.set(RunnerLife::default());
    }

    /// Lets it wait, or go on.
    pub(crate) fn pause(&self, waits: bool) {
        if let Some(node) = self.node() {
            words::pause(&node, self.kind, waits);
        }
    }

    /// False: the game freed it, or its tree.
    pub(crate) fn is_alive(&self) -> bool {
        self.root.lookup_validity() && self.node.lookup_validity()
    }

    /// True if it is in the tree.
    pub(crate) fn is_placed(&self) -> bool {
        self.root().is_some_and(|root| root.is_inside_tree())
    }

    /// True for a tree of an addon.
    pub(crate) fn is_tree(&self) -> bool {
        !self.kind.has_hooks()
    }

    /// The node as the game knows it, for a tree maybe above it.
    pub(crate) fn root(&self) -> Option<Gd<Node>> {
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
        let going = |root: &Gd<Node>| !self.owned || root.is_queued_for_deletion();
        let Some(mut root) = self.root().filter(|root| !going(root)) else { return };
        if root.get_parent().is_some() { root.queue_free() } else { root.free() }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.free();
    }
}
