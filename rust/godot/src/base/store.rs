//! Per-node state that is found by the node's instance id, so that a step binds nothing.

use godot::obj::InstanceId;
use riposte_core::arena::{Arena, Handle};

use super::id_map::{IdMap, id_map};

/// An arena of the core, with an index from node to handle.
pub(crate) struct NodeStore<T> {
    arena: Option<Arena<T>>,
    by_node: IdMap<Handle>,
}

impl<T> Default for NodeStore<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> NodeStore<T> {
    /// An empty store, for a static.
    pub(crate) const fn new() -> Self {
        Self { arena: None, by_node: id_map() }
    }

    /// Stores the state of a node; what it had before is dropped.
    pub(crate) fn insert(&mut self, node: InstanceId, state: T) -> Handle {
        self.remove(node);
        let handle = self.arena.get_or_insert_with(Arena::new).insert(state);
        self.by_node.insert(node.to_i64(), handle);
        handle
    }

    /// Takes the state of a node out.
    pub(crate) fn remove(&mut self, node: InstanceId) -> Option<T> {
        let handle = self.by_node.remove(&node.to_i64())?;
        self.arena.as_mut()?.remove(handle)
    }

    /// Where the state of a node is kept, for as long as it has that state.
    pub(crate) fn handle(&self, node: InstanceId) -> Option<Handle> {
        self.by_node.get(&node.to_i64()).copied()
    }

    /// The state that is kept there; `None` if it is gone.
    pub(crate) fn at(&self, handle: Handle) -> Option<&T> {
        self.arena.as_ref()?.get(handle)
    }

    /// The same, to change.
    pub(crate) fn at_mut(&mut self, handle: Handle) -> Option<&mut T> {
        self.arena.as_mut()?.get_mut(handle)
    }

    /// The state of a node.
    pub(crate) fn get(&self, node: InstanceId) -> Option<&T> {
        let handle = self.by_node.get(&node.to_i64())?;
        self.arena.as_ref()?.get(*handle)
    }

    /// The state of a node, to change.
    pub(crate) fn get_mut(&mut self, node: InstanceId) -> Option<&mut T> {
        let handle = self.by_node.get(&node.to_i64())?;
        self.arena.as_mut()?.get_mut(*handle)
    }
}
