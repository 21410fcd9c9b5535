//! Entering the tree, being ready, leaving it: by the node's own signals.
//!
//! The engine calls a script's `_ready`, `_enter_tree` or `_exit_tree` *instead of* the one in this library,
//! and GDScript has no `super()` for it: a script that extends one of our nodes would switch it off without a
//! word. The signals come either way, and call with nothing bound.

use godot::classes::{Engine, Node, Object};
use godot::obj::{Base, Gd, GodotClass, Inherits, InstanceId, Singleton as _};

use super::callbacks::{connect, defer};
use super::lookup;

/// What a node does when it enters the tree, is ready, and leaves the tree. Nothing is bound during the calls.
///
/// The class has a field `#[init(val = Hooked::new::<Self>(&base))] hooked: Hooked` and implements none of the
/// engine's virtuals of the same meaning. All three run in the editor too.
pub(crate) trait Lifecycle: GodotClass + Inherits<Node> {
    /// In the tree; children are not yet.
    fn entered(this: Gd<Self>);
    /// All children are ready, and a script's `_ready` has run. Once, as `ready` comes once.
    fn readied(_this: Gd<Self>) {}
    /// Still in the tree; children have left already.
    fn exiting(this: Gd<Self>);
}

/// Proof that the lifecycle of a node is connected.
pub(crate) struct Hooked(());

impl Hooked {
    /// Connects the signals of a node under construction.
    pub(crate) fn new<T>(base: &Base<T::Base>) -> Self
    where
        T: Lifecycle,
        T::Base: Inherits<Node> + Inherits<Object>,
    {
        let node: Gd<Node> = base.to_init_gd().upcast();
        let id = node.instance_id();
        connect(&node, "tree_entered", id, "riposte_entered", entered::<T>);
        connect(&node, "ready", id, "riposte_readied", readied::<T>);
        connect(&node, "tree_exiting", id, "riposte_exiting", exiting::<T>);
        if Engine::singleton().is_editor_hint() {
            defer(id, "riposte_reloaded", reloaded::<T>);
        }
        Self(())
    }
}

fn entered<T: Lifecycle>(id: InstanceId) {
    if let Ok(node) = Gd::try_from_instance_id(id) {
        T::entered(node);
    }
}

/// A node that is made anew because the library was reloaded is in the tree already: no signal comes again.
fn reloaded<T: Lifecycle>(id: InstanceId) {
    if let Ok(node) = Gd::<T>::try_from_instance_id(id)
        && node.clone().upcast::<Node>().is_node_ready()
        && lookup::agent_of(id).is_none()
    {
        T::entered(node.clone());
        T::readied(node);
    }
}

fn readied<T: Lifecycle>(id: InstanceId) {
    if let Ok(node) = Gd::try_from_instance_id(id) {
        T::readied(node);
    }
}

fn exiting<T: Lifecycle>(id: InstanceId) {
    if let Ok(node) = Gd::try_from_instance_id(id) {
        T::exiting(node);
    }
}
